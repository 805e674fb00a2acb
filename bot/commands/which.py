"""The menu that asks which match a command was meant for."""

from bot.commands.asking import Presses, answered
from bot.commands.hint import advise
from bot.commands.ids import number_of, parts, picked
from bot.commands.looking import look
from bot.commands.play import TYPED, do
from bot.commands.trying import show
from bot.delivery.outlets import Answer, Interaction
from bot.views import controls


async def _which(interaction: Interaction, rest: str) -> None:
    """Carry out a command for the match that was picked: `menu:command:text`."""
    _, command, text = parts(rest, 3)
    match = number_of(picked(interaction))

    async def work(answer: Answer) -> None:
        if command == "hint":
            await advise(answer, match)
        elif command == "try":
            await show(answer, match, text)
        elif command in TYPED:
            await do(answer, command, match, text)
        else:
            await look(answer, match, text)

    await answered(interaction, work)


PRESSES: Presses = {controls.WHICH: _which}
