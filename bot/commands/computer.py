"""Playing against the computer: /play, and the buttons that begin such a match."""

from functools import partial

from discord import app_commands

from bot.app import challenge as challenges
from bot.app.challenge import LONGEST_WORD, Wish, read_options
from bot.app.computer import USUAL
from bot.commands.asking import Commands, Presses, answered, asked_of, in_servers
from bot.commands.challenge import LONGEST_NAME, LONGEST_OPTIONS
from bot.commands.games import LEVELS, game_choices
from bot.commands.ids import one_of, parts
from bot.delivery.challenges import is_playable
from bot.delivery.outlets import Answer, Interaction, link, require_permissions
from bot.store import Joined
from bot.views import controls
from bot.views.card import said
from bot.views.pages import nobody_waits_card
from engine.games import find_game
from engine.players.level import Level
from engine.position import Side


@app_commands.command()
@in_servers
@app_commands.describe(
    game="The game; leave it out to play somebody who is waiting for an opponent",
    level="How well I play (default: companion)",
    side="Your side (default: gold)",
    options="House rules, such as dice=two-and-six",
    rated="Rated? (separate leaderboard; default: no)",
    word="A secret word mixed into the dice, so nobody can predict them",
)
@app_commands.choices(
    level=LEVELS, side=[app_commands.Choice(name=side.value, value=side.value) for side in Side]
)
async def play(
    interaction: Interaction,
    game: app_commands.Range[str, 1, LONGEST_NAME] | None = None,
    level: str = USUAL.value,
    side: str = Side.GOLD.value,
    options: app_commands.Range[str, 0, LONGEST_OPTIONS] = "",
    rated: bool = False,
    word: app_commands.Range[str, 0, LONGEST_WORD] = "",
) -> None:
    """Play me now, or leave the game out to play somebody who is waiting."""

    async def work(answer: Answer) -> None:
        require_permissions(interaction)
        if game is None:
            await _pair(answer, word)
            return
        wanted = find_game(game)
        wish = Wish(wanted, read_options(wanted, options), Side(side), rated)
        await challenges.play_computer(
            interaction.client.app, asked_of(interaction, word), wish, Level(level)
        )
        await answer.finish()

    await answered(interaction, work)


@play.autocomplete("game")
async def _games_like(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Offer the games whose slug, title or other names hold what was typed."""
    return game_choices(interaction.client.reader(interaction.locale), typed)


async def _pair(answer: Answer, word: str) -> None:
    """Seat somebody at the challenge that has waited longest here.

    Where none waits, offer the computer.
    """
    interaction = answer.interaction
    client = interaction.client
    joined = await challenges.pair(
        client.app, asked_of(interaction, word), partial(is_playable, client)
    )
    if joined is None:
        await answer.tell(nobody_waits_card(answer.reader))
    else:
        await _show_where(answer, joined)


async def _show_where(answer: Answer, joined: Joined) -> None:
    """End the answer to an acceptance: a challenge of another channel is played there."""
    challenge = joined.challenge
    there = link(challenge.guild, challenge.channel, challenge.message)
    say = answer.reader
    elsewhere = said(say("You have an opponent. Your match is here: {link}", link=there))
    await answer.finish_where(challenge.channel, elsewhere)


async def _against(interaction: Interaction, rest: str) -> None:
    """Begin a match against the computer: `game:level`."""
    slug, level = parts(rest, 2)

    async def work(answer: Answer) -> None:
        require_permissions(interaction)
        wish = Wish(find_game(slug), {}, rated=False)
        await challenges.play_computer(
            interaction.client.app, asked_of(interaction), wish, one_of(Level, level)
        )
        await answer.finish()

    await answered(interaction, work)


COMMANDS: Commands = (play,)
PRESSES: Presses = {controls.AGAINST: _against}
