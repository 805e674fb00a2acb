"""Playing: /roll, /move, /undo, /board, /resign."""

import asyncio

from discord import app_commands

from bot.app import play
from bot.app.errors import Declined
from bot.app.play import load
from bot.app.suggest import suggestions
from bot.app.table import require_known
from bot.commands.flow import Asked, Commands, cause_of, person_of, private, retire, show
from bot.commands.which import find_table
from bot.store import Posted
from bot.views.errors import require_permissions
from bot.views.post import send
from bot.views.turn import board_post, text_post, turn_post
from engine.match import Phase

LONGEST_PLAY = 200
"""Characters that a typed play may have; the longest that a throw allows has about half as many."""
MATCH = "The number of the match, where you have several here"


@app_commands.command()
@app_commands.guild_only()
@app_commands.describe(match=MATCH)
async def roll(interaction: Asked, match: int | None = None) -> None:
    """Throw the dice of your match in this channel."""
    if table := await find_table(interaction, "roll", match=match):
        await do(interaction, "roll", table.id, "")


@app_commands.command()
@app_commands.guild_only()
@app_commands.rename(text="play")
@app_commands.describe(
    text="One move, several or the whole play, such as a-g b-f; bar-c enters, t-off bears off", match=MATCH
)
async def move(interaction: Asked, text: app_commands.Range[str, 1, LONGEST_PLAY], match: int | None = None) -> None:
    """Play your throw."""
    if table := await find_table(interaction, "move", text, match):
        await do(interaction, "move", table.id, text)


@app_commands.command()
@app_commands.guild_only()
@app_commands.describe(what="Your last move, or everything since your throw", match=MATCH)
@app_commands.choices(
    what=[
        app_commands.Choice(name="the last move", value="move"),
        app_commands.Choice(name="the whole turn", value="turn"),
    ]
)
async def undo(interaction: Asked, what: str = "move", match: int | None = None) -> None:
    """Take back, until the next throw."""
    if table := await find_table(interaction, "undo", what, match):
        await do(interaction, "undo", table.id, what)


@app_commands.command()
@app_commands.guild_only()
@app_commands.describe(match=MATCH)
async def resign(interaction: Asked, match: int | None = None) -> None:
    """Give up your match in this channel."""
    if table := await find_table(interaction, "resign", match=match):
        await do(interaction, "resign", table.id, "")


@app_commands.command()
@app_commands.guild_only()
@app_commands.describe(
    match=MATCH,
    share="Show it to everyone, with the buttons of the turn",
    show="The picture, with where men may go now, or the board in plain words and lines",
)
@app_commands.choices(
    show=[
        app_commands.Choice(name="the picture", value="picture"),
        app_commands.Choice(name="the picture with where men may go", value="moves"),
        app_commands.Choice(name="text", value="text"),
    ]
)
async def board(interaction: Asked, match: int | None = None, share: bool = False, show: str = "picture") -> None:
    """See the board again, here and now."""
    how = "share" if share else show
    if table := await find_table(interaction, "board", how, match):
        await do(interaction, "board", table.id, how)


async def do(interaction: Asked, command: str, match: int, text: str) -> None:
    """Carry out a command for one match, typed or picked from the menu that asked which."""
    require_permissions(interaction)
    house, person, cause = interaction.client.house, person_of(interaction), cause_of(interaction)
    match command:
        case "roll":
            await show(interaction, await play.roll(house, match, person, cause))
        case "move":
            await show(interaction, await play.move(house, match, person, text, cause))
        case "undo":
            await show(interaction, await play.take_back(house, match, person, cause, whole=text == "turn"))
        case "resign":
            await show(interaction, await play.resign(house, match, person, cause))
        case "board":
            await _board(interaction, match, text)


async def _board(interaction: Asked, match: int, how: str) -> None:
    house = interaction.client.house
    table = await load(house, match)
    require_known(table, interaction.guild_id or 0, interaction.user.id)
    if how != "share":
        await private(interaction, text_post(table) if how == "text" else board_post(table, moves=how == "moves"))
        return
    if not table.sides_of(interaction.user.id):
        raise Declined(f"Only those who play match {match} may show it to everyone.")
    over = table.match.phase is Phase.OVER
    message = await send(interaction, board_post(table) if over else turn_post(table))
    if over:
        return
    version = table.match.version
    live = Posted(message, interaction.channel_id or table.row.channel, version, version)
    await house.store.matches.posted(match, live, None)
    if table.row.message:
        await retire(interaction, table.row.message)


@move.autocomplete("text")
async def _continuations(interaction: Asked, typed: str) -> list[app_commands.Choice[str]]:
    """Offer the legal continuations of what was typed, in the match it is meant for."""
    house, person = interaction.client.house, interaction.user.id
    chosen = interaction.namespace.match
    rows = await house.store.matches.running_in(interaction.channel_id or 0)
    wanted = [row.id for row in rows if chosen in (None, row.id)]
    tables = [await load(house, match) for match in wanted]
    mine = [t for t in tables if t.match.phase in (Phase.PLAY, Phase.OFFER) and t.to_act == person]
    if len(mine) != 1:
        return []
    found = await asyncio.to_thread(suggestions, mine[0].match, typed)
    return [app_commands.Choice(name=text, value=text) for text in found if len(text) <= 100]


COMMANDS: Commands = (roll, move, undo, board, resign)
