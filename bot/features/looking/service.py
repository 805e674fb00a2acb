"""Subscribing to open challenges of a server: to a game, or to any."""

from bot.features.looking.store import ANY_GAME
from bot.features.servers import service as servers
from bot.platform.context import App
from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.people import DiscordPerson
from engine.folding import fold_text
from engine.games import GAMES, find_game

MOST_SUBSCRIPTIONS = 20
"""Subscriptions that a person may have, in all servers together."""
MOST_NOTIFIED = 50
"""People who are notified of one challenge."""


def find_subject(typed: str) -> str:
    """Return what is subscribed to: a game's slug, or any game; raises Refusal."""
    return ANY_GAME if fold_text(typed) == ANY_GAME else find_game(typed).slug


def is_subject(text: str) -> bool:
    """Whether one can subscribe to what a button or menu names."""
    return text == ANY_GAME or text in GAMES


async def toggle_subscription(app: App, person: DiscordPerson, guild: int, subject: str) -> bool:
    """Subscribe somebody in a server, or end it; return whether they are subscribed now.

    Raises DeclinedError if they may not play there or have too many subscriptions.
    """
    if subject not in await app.store.subscriptions.load_games(person.id, guild):
        await _prepare(app, person, guild)
    is_on = await app.store.subscriptions.toggle(person.id, guild, subject, MOST_SUBSCRIPTIONS)
    if is_on is None:
        raise DeclinedError(DeclineReason.SUBSCRIPTIONS_TOO_MANY, most=MOST_SUBSCRIPTIONS)
    return is_on


async def add_subscription(app: App, person: DiscordPerson, guild: int, subject: str) -> None:
    """Subscribe somebody in a server; raises what toggling does."""
    await _prepare(app, person, guild)
    if not await app.store.subscriptions.add(person.id, guild, subject, MOST_SUBSCRIPTIONS):
        raise DeclinedError(DeclineReason.SUBSCRIPTIONS_TOO_MANY, most=MOST_SUBSCRIPTIONS)


async def _prepare(app: App, person: DiscordPerson, guild: int) -> None:
    # They could accept none of the challenges.
    servers.require_member_role(await app.store.servers.get(guild), person)
    # A subscriber may never have played here, and only a person who is known can be stored.
    await app.save_people(person)


async def load_subscriptions(app: App, person: int, guild: int) -> list[str]:
    """Return what somebody has subscribed to in a server, any game first."""
    games = await app.store.subscriptions.load_games(person, guild)
    return sorted(filter(is_subject, games), key=lambda each: (each != ANY_GAME, each))


async def end_subscriptions(
    app: App, person: int, guild: int, subject: str | None = None
) -> list[str]:
    """End a subscription in a server, or all; return what there was."""
    games = None if subject is None else [subject]
    return await app.store.subscriptions.remove(person, guild, games)


async def end_matching_subscriptions(app: App, person: int, guild: int, game: str) -> list[str]:
    """End the subscriptions by which somebody hears of challenges to a game; return which."""
    return await app.store.subscriptions.remove(person, guild, [game, ANY_GAME])
