"""The menu that asks which match a command was meant for."""

from bot.commands.choosing import run_in_match
from bot.commands.declarations import press
from bot.commands.ids import get_selection, parse_number
from bot.delivery.outlets import InteractionAnswer
from bot.views import controls


@press(controls.CHOOSE_MATCH)
async def run_command(answer: InteractionAnswer, _: str, command: str, text: str) -> None:
    """Carry out a command for the match that was picked from a menu."""
    match = parse_number(get_selection(answer.interaction))
    await run_in_match(answer, command, match, text)
