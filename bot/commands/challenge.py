"""/challenge: to offer a match."""

import discord
from discord import app_commands

from bot.app import challenge as challenges
from bot.app.challenge import Terms, read_options
from bot.app.errors import Declined
from bot.app.people import Person
from bot.commands.flow import Asked, Commands, cause_of, person_of
from bot.views.challenge import challenge_post
from bot.views.errors import require_permissions
from bot.views.post import send
from engine.games import GAMES, find_game
from engine.position import Side
from engine.refusal import Refusal
from engine.rules import Game

LONGEST_NAME, LONGEST_OPTIONS = 100, 200


@app_commands.command()
@app_commands.guild_only()
@app_commands.describe(
    game="The game to play",
    opponent="Whom you challenge; leave it out and anyone may accept",
    side="Your side; gold unless you say otherwise",
    rated="Whether it counts for the leaderboard; it does unless you say otherwise",
    options="House rules, such as dice=two-and-six; /rules lists them",
)
@app_commands.choices(side=[app_commands.Choice(name=side.value, value=side.value) for side in Side])
async def challenge(
    interaction: Asked,
    game: app_commands.Range[str, 1, LONGEST_NAME],
    opponent: discord.User | None = None,
    side: str = Side.GOLD.value,
    rated: bool = True,
    options: app_commands.Range[str, 0, LONGEST_OPTIONS] = "",
) -> None:
    """Challenge somebody, or anyone, to a game."""
    require_permissions(interaction)
    house, challenger = interaction.client.house, person_of(interaction)
    wanted = find_game(game)
    terms = Terms(wanted, read_options(wanted, options), Side(side), rated)
    where = (interaction.guild_id or 0, interaction.channel_id or 0)
    invitation = await challenges.offer(house, where, challenger, _present(opponent), terms, cause_of(interaction))
    names = {challenger.id: challenger.name} | ({opponent.id: opponent.display_name} if opponent else {})
    message = await send(interaction, challenge_post(invitation, names))
    await house.store.challenges.set_message(invitation.id, message)


def _present(opponent: discord.User | discord.Member | None) -> Person | None:
    """Return the opponent; raises Declined for someone who has left the server."""
    if opponent is None:
        return None
    if not isinstance(opponent, discord.Member):
        raise Declined(f"{opponent.display_name} is not in this server; name somebody who is, or nobody.")
    return Person(opponent.id, opponent.display_name, opponent.bot)


@challenge.autocomplete("game")
async def games_like(interaction: Asked, typed: str) -> list[app_commands.Choice[str]]:
    """Offer the games whose slug, title or other names hold what was typed."""
    return games_named(typed)


def games_named(typed: str) -> list[app_commands.Choice[str]]:
    """List the games whose slug, title or other names hold what was typed, as choices."""
    wanted = typed.casefold()
    return [
        app_commands.Choice(name=game.title, value=game.slug)
        for game in GAMES.values()
        if any(wanted in name.casefold() for name in (game.slug, game.title, *game.aliases))
    ][:25]


@challenge.autocomplete("options")
async def _options_like(interaction: Asked, typed: str) -> list[app_commands.Choice[str]]:
    """Offer the options of the chosen game that go on from what was typed."""
    try:
        game = find_game(interaction.namespace.game or "")
    except Refusal:
        return []
    done, _, begun = typed.rpartition(" ")
    prefix = f"{done} " if done else ""
    return [
        app_commands.Choice(name=f"{prefix}{text}"[:100], value=f"{prefix}{text}"[:100])
        for text in _spelt(game)
        if text.startswith(begun) and text.partition("=")[0] not in done
    ][:25]


def _spelt(game: Game) -> list[str]:
    return [
        f"{option.name}={value.name}"
        for option in game.options
        if not option.starter_chooses
        for value in option.values
    ]


COMMANDS: Commands = (challenge,)
