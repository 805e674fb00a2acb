"""Analysing: /analyse, and the buttons of an analysis."""

from discord import app_commands

from bot.features.analysis import controls
from bot.features.analysis import service as analyses
from bot.features.analysis.cards import analysis_card
from bot.features.analysis.controls import ANALYSIS
from bot.features.challenges.game_choice import list_game_choices
from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.app_client import Interaction
from bot.platform.ui.card import Card
from bot.platform.ui.declarations import command, press
from bot.platform.ui.dispatch import is_bot_member
from bot.platform.ui.ids import parse_number

LONGEST_GAME, LONGEST_POSITION, LONGEST_THROW, LONGEST_OPTIONS = 100, 500, 20, 200


@command(everywhere=True)
@app_commands.describe(
    position="A position in Tabula's notation; for backgammon also an XGID or a GNU Backgammon ID",
    game="The game (default: backgammon, for an XGID or GNU Backgammon ID)",
    throw="The dice, such as 63, for the best plays",
    options="House rules, such as dice=two-and-six",
)
async def analyse(
    answer: InteractionAnswer,
    position: app_commands.Range[str, 1, LONGEST_POSITION],
    game: app_commands.Range[str, 0, LONGEST_GAME] = "",
    throw: app_commands.Range[str, 0, LONGEST_THROW] = "",
    options: app_commands.Range[str, 0, LONGEST_OPTIONS] = "",
) -> None:
    """Set up any position and see the best plays."""
    made = await analyses.create_analysis(
        answer.app, answer.person.id, game, position, throw, options
    )
    await answer.send(await _build_card(answer, made))


@analyse.autocomplete("game")
async def offer_games(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Offer the games whose names contain what was typed."""
    return list_game_choices(interaction.client.get_reader(interaction.locale), typed)


async def _build_card(
    answer: InteractionAnswer, analysis: analyses.Analysis, number: int = 1
) -> Card:
    found = await analyses.find_best(answer.app, analysis, number)
    shareable = is_bot_member(answer.interaction) and analysis.row.message is None
    return analysis_card(answer.reader, found, answer.person.id, shareable=shareable)


@press(ANALYSIS, everywhere=True)
async def act_in_analysis(answer: InteractionAnswer, number: int, act: str, rest: str = "") -> None:
    """Look at another of the best plays."""
    analysis = await analyses.load_analysis(answer.app, number)
    match act:
        case controls.SHOW:
            await answer.edit_message(await _build_card(answer, analysis, parse_number(rest)))
        case _:
            raise DeclinedError(DeclineReason.UNKNOWN_CONTROL)
