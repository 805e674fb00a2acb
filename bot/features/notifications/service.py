"""Who is notified: followers of a match, and subscribers to the open challenges of a server."""

from bot.features.matches import loading
from bot.features.matches.session import MatchSession, require_running
from bot.features.notifications.jobs import ANY_GAME, NotifyWhen, is_subject
from bot.features.notifications.store import Follows, Subscriptions
from bot.features.servers import service as servers
from bot.platform.context import App
from bot.platform.i18n.reader import DeclinedError, mark_text
from bot.platform.people import DiscordPerson

MAX_FOLLOWS = 20
"""Running matches that a person may follow."""


class TooManyFollowsError(DeclinedError):
    most: int
    sentence = mark_text(
        "You're following {most} matches, the most allowed. To stop following one, use "
        "`/match follow` with its number."
    )


async def follow_match(
    app: App, person: DiscordPerson, guild: int, match: int, often: NotifyWhen | None
) -> tuple[MatchSession, NotifyWhen | None]:
    """Notify somebody of a match, or change how often; the same request again stops it.

    Returns the match and how often they are notified now, None for never. Raises DeclinedError for
    a match that they may not see or that is over, and if they follow too many.
    """
    session = await loading.load_visible_session(app, match, guild, person.id)
    require_running(session)
    follows = app.store.get(Follows)
    before = await follows.load_follow(match, person.id)
    if before is not None and often in (None, before):
        await follows.remove(match, person.id)
        return session, None
    wanted = often or NotifyWhen.END
    # A follower may never have played here, and only a person who is known can be stored.
    await app.save_people(person)
    if not await follows.save(match, person.id, wanted, MAX_FOLLOWS):
        raise TooManyFollowsError(MAX_FOLLOWS)
    return session, wanted


MAX_SUBSCRIPTIONS = 20
"""Subscriptions that a person may have, in all servers together."""


class TooManySubscriptionsError(DeclinedError):
    most: int
    sentence = mark_text(
        "You have {most} subscriptions, the most allowed. End one with `/notify` in its server."
    )


async def toggle_subscription(app: App, person: DiscordPerson, guild: int, subject: str) -> bool:
    """Subscribe somebody in a server, or end it; return whether they are subscribed now.

    Raises DeclinedError if they may not play there or have too many subscriptions.
    """
    if subject not in await app.store.get(Subscriptions).load_games(person.id, guild):
        await _build_subscriber(app, person, guild)
    is_on = await app.store.get(Subscriptions).toggle(person.id, guild, subject, MAX_SUBSCRIPTIONS)
    if is_on is None:
        raise TooManySubscriptionsError(MAX_SUBSCRIPTIONS)
    return is_on


async def add_subscription(app: App, person: DiscordPerson, guild: int, subject: str) -> None:
    """Subscribe somebody in a server; raises what toggling does."""
    await _build_subscriber(app, person, guild)
    if not await app.store.get(Subscriptions).add(person.id, guild, subject, MAX_SUBSCRIPTIONS):
        raise TooManySubscriptionsError(MAX_SUBSCRIPTIONS)


async def _build_subscriber(app: App, person: DiscordPerson, guild: int) -> None:
    # They could accept none of the challenges.
    servers.require_member_role(await app.store.servers.load_settings(guild), person)
    # A subscriber may never have played here, and only a person who is known can be stored.
    await app.save_people(person)


async def load_subscriptions(app: App, person: int, guild: int) -> list[str]:
    """Return what somebody has subscribed to in a server, any game first."""
    games = await app.store.get(Subscriptions).load_games(person, guild)
    return sorted(filter(is_subject, games), key=lambda each: (each != ANY_GAME, each))


async def end_subscriptions(
    app: App, person: int, guild: int, subject: str | None = None
) -> list[str]:
    """End a subscription in a server, or all; return what there was."""
    games = None if subject is None else [subject]
    return await app.store.get(Subscriptions).remove(person, guild, games)


async def end_matching_subscriptions(app: App, person: int, guild: int, game: str) -> list[str]:
    """End the subscriptions by which somebody hears of challenges to a game; return which."""
    return await app.store.get(Subscriptions).remove(person, guild, [game, ANY_GAME])
