"""The menu that asks which match a command was meant for."""

from bot.commands.asking import Presses, respond
from bot.commands.hint import give_hint
from bot.commands.ids import get_selection, parse_number, split_id
from bot.commands.looking import show_board
from bot.commands.play import COMMAND_ACTIONS, run_command
from bot.commands.trying import show_trial
from bot.delivery.outlets import Interaction, InteractionAnswer
from bot.views import controls


async def _handle_match_choice(interaction: Interaction, rest: str) -> None:
    """Carry out a command for the match that was picked: `menu:command:text`."""
    _, command, text = split_id(rest, 3)
    match = parse_number(get_selection(interaction))

    async def work(answer: InteractionAnswer) -> None:
        if command == "hint":
            await give_hint(answer, match)
        elif command == "try":
            await show_trial(answer, match, text)
        elif command in COMMAND_ACTIONS:
            await run_command(answer, command, match, text)
        else:
            await show_board(answer, match, text)

    await respond(interaction, work)


PRESSES: Presses = {controls.CHOOSE_MATCH: _handle_match_choice}
