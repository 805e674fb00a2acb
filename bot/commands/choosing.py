"""Which match a command means.

It is the only one in this channel that it could be, or the one that the person picks.
"""

from bot.app.errors import Declined, Why
from bot.app.play import load
from bot.app.sitting import Sitting, require_known
from bot.delivery.outlets import Answer, Interaction
from bot.views.controls import which_menus
from bot.views.pages import choice_card
from engine.match import DECIDING, PLAYING, Phase
from render.characters import length

MATCH = "The number of the match, if you have several here"

LONGEST_CARRIED = 75
"""Characters of a typed play that fit into the id of the menu that asks which match."""

_WAITING_FOR = {
    "roll": (Phase.THROW, Phase.BATTLE, Phase.CONTEST),
    "move": PLAYING,
    "try": PLAYING,
    "hint": DECIDING,
}
"""When a command could be meant for a match whose turn it is."""


async def find_sitting(
    answer: Answer, command: str, text: str = "", match: int | None = None
) -> Sitting | None:
    """Return the match meant, or None where the person was shown a menu instead.

    Raises Declined if there is none.
    """
    interaction = answer.interaction
    app = interaction.client.app
    person = interaction.user.id
    if match is not None:
        sitting = await load(app, match)
        require_known(sitting, interaction.guild_id or 0, person)
        return sitting
    mine = await _mine(interaction)
    if not mine:
        raise Declined(Why.NO_MATCH_HERE)
    fitting = [sitting for sitting in mine if _fits(command, sitting, person)] or mine
    if len(fitting) == 1:
        return fitting[0]
    if length(text) > LONGEST_CARRIED:
        raise Declined(Why.SAY_WHICH)
    say = answer.reader
    asked = say("You have several matches here. Which one do you mean?")
    await answer.tell(choice_card(say, asked, which_menus(say, command, text, fitting)))
    return None


async def waiting_for(interaction: Interaction, command: str) -> list[Sitting]:
    """Return the matches of this channel that wait for that command of the person's."""
    return [
        sitting
        for sitting in await _mine(interaction)
        if _fits(command, sitting, interaction.user.id)
    ]


async def _mine(interaction: Interaction) -> list[Sitting]:
    """Return the person's running matches in this channel.

    Where there are none, return those that can't be shown anywhere.
    """
    app = interaction.client.app
    person = interaction.user.id
    rows = await app.store.matches.running_in(interaction.channel_id or 0)
    own = [row.id for row in rows if person in (seat.person for seat in row.seats)]
    return [await load(app, match) for match in own or await _unshown(interaction)]


async def _unshown(interaction: Interaction) -> list[int]:
    """Return the person's matches of this server that can be shown nowhere."""
    app = interaction.client.app
    rows = await app.store.matches.running_of(interaction.user.id)
    here = [row.id for row in rows if row.guild == interaction.guild_id]
    return sorted(await app.store.pauses.stopped_matches(here)) if here else []


def _fits(command: str, sitting: Sitting, person: int) -> bool:
    """Whether the command could be meant for that match as it stands."""
    if command == "undo":
        return sitting.to_take_back == person
    phases = _WAITING_FOR.get(command)
    return phases is None or (sitting.to_act == person and sitting.match.phase in phases)
