"""Which match a command means: the one of this channel that it could be, or the one that the person picks."""

from bot.app.errors import Declined
from bot.app.play import load
from bot.app.table import Table
from bot.commands.flow import Asked, private
from bot.views.controls import which_menu
from bot.views.post import Post
from engine.match import Phase

LONGEST_CARRIED = 80
"""Characters of a typed play that fit into the id of the menu that asks which match."""


async def find_table(interaction: Asked, command: str, text: str = "", match: int | None = None) -> Table | None:
    """Return the match meant; None where the person was shown a menu instead. Raises Declined if there is none."""
    house, person = interaction.client.house, interaction.user.id
    if match is not None:
        return await load(house, match)
    rows = await house.store.matches.running_in(interaction.channel_id or 0)
    mine = [await load(house, row.id) for row in rows if person in (seat.person for seat in row.seats)]
    if not mine:
        raise Declined("You have no match running in this channel; /challenge starts one, /games lists yours.")
    fitting = [table for table in mine if _fits(command, table, person)] or mine
    if len(fitting) == 1:
        return fitting[0]
    if len(text) > LONGEST_CARRIED:
        raise Declined("You have several matches here; say which with the option match.")
    menu = which_menu(command, text, fitting)
    await private(interaction, Post("You have several matches here. Which one do you mean?", items=(menu,)))
    return None


def _fits(command: str, table: Table, person: int) -> bool:
    """Whether the command could be meant for that match as it stands."""
    match command:
        case "undo":
            return table.to_take_back == person
        case "roll":
            return table.to_act == person and table.match.phase in (Phase.THROW, Phase.BATTLE, Phase.CONTEST)
        case "move":
            return table.to_act == person and table.match.phase in (Phase.PLAY, Phase.OFFER)
    return True
