"""Playing against the computer: /play, and the buttons that begin such a match."""

from functools import partial

from discord import app_commands

from bot.app import challenge as challenges
from bot.app.challenge import LONGEST_WORD, MatchTerms, parse_options
from bot.app.computer import DEFAULT_LEVEL
from bot.commands.asking import Commands, Presses, in_servers, make_match_request, respond
from bot.commands.challenge import LONGEST_NAME, LONGEST_OPTIONS
from bot.commands.games import LEVEL_CHOICES, list_game_choices
from bot.commands.ids import parse_choice, split_id
from bot.delivery.challenges import can_start_match
from bot.delivery.outlets import Interaction, InteractionAnswer, build_link, require_permissions
from bot.store import JoinResult
from bot.views import controls
from bot.views.card import text_only_card
from bot.views.pages import no_opponent_card
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
    level=LEVEL_CHOICES,
    side=[app_commands.Choice(name=side.value, value=side.value) for side in Side],
)
async def play(
    interaction: Interaction,
    game: app_commands.Range[str, 1, LONGEST_NAME] | None = None,
    level: str = DEFAULT_LEVEL.value,
    side: str = Side.GOLD.value,
    options: app_commands.Range[str, 0, LONGEST_OPTIONS] = "",
    rated: bool = False,
    word: app_commands.Range[str, 0, LONGEST_WORD] = "",
) -> None:
    """Play me now, or leave the game out to play somebody who is waiting."""

    async def work(answer: InteractionAnswer) -> None:
        require_permissions(interaction)
        if game is None:
            await _join_challenge(answer, word)
            return
        wanted = find_game(game)
        terms = MatchTerms(wanted, parse_options(wanted, options), Side(side), rated)
        await challenges.play_computer(
            interaction.client.app, make_match_request(interaction, word), terms, Level(level)
        )
        await answer.finish()

    await respond(interaction, work)


@play.autocomplete("game")
async def _games_like(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Offer the games whose slug, title or other names hold what was typed."""
    return list_game_choices(interaction.client.get_reader(interaction.locale), typed)


async def _join_challenge(answer: InteractionAnswer, word: str) -> None:
    """Seat somebody at the challenge that has waited longest here.

    Where none waits, offer the computer.
    """
    interaction = answer.interaction
    client = interaction.client
    joined = await challenges.accept_oldest(
        client.app, make_match_request(interaction, word), partial(can_start_match, client)
    )
    if joined is None:
        await answer.send(no_opponent_card(answer.reader))
    else:
        await _finish_join(answer, joined)


async def _finish_join(answer: InteractionAnswer, joined: JoinResult) -> None:
    """End the answer to an acceptance: a challenge of another channel is played there."""
    challenge = joined.challenge
    there = build_link(challenge.guild, challenge.channel, challenge.message)
    say = answer.reader
    elsewhere = text_only_card(say("You have an opponent. Your match is here: {link}", link=there))
    await answer.finish_in(challenge.channel, elsewhere)


async def _handle_against_computer(interaction: Interaction, rest: str) -> None:
    """Begin a match against the computer: `game:level`."""
    slug, level = split_id(rest, 2)

    async def work(answer: InteractionAnswer) -> None:
        require_permissions(interaction)
        terms = MatchTerms(find_game(slug), {}, rated=False)
        await challenges.play_computer(
            interaction.client.app,
            make_match_request(interaction),
            terms,
            parse_choice(Level, level),
        )
        await answer.finish()

    await respond(interaction, work)


COMMANDS: Commands = (play,)
PRESSES: Presses = {controls.PLAY_COMPUTER: _handle_against_computer}
