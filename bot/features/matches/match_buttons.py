"""The menu that asks which match a command was meant for."""

from bot.features.matches.controls import CHOOSE_MATCH
from bot.features.matches.match_choice import run_in_match
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.declarations import press
from bot.platform.ui.ids import get_selection, parse_number


@press(CHOOSE_MATCH, direct=True)
async def run_command(answer: InteractionAnswer, _: str, command: str, text: str) -> None:
    """Carry out a command for the match that was picked from a menu."""
    match = parse_number(get_selection(answer.interaction))
    await run_in_match(answer, command, match, text)
