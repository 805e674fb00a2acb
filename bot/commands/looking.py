"""Looking at a match: /board, /replay, /record, and the buttons Dice, Verify, Replay and Record."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping

from discord import app_commands

from bot.app import looks, moderation, play, reports
from bot.app.errors import Declined, Why
from bot.app.play import load
from bot.app.record import verify_match
from bot.app.sitting import Sitting, require_known, require_over
from bot.commands.asking import Commands, Presses, answered, in_servers
from bot.commands.bringing import bring
from bot.commands.choosing import MATCH, find_sitting
from bot.commands.ids import number_of, parts
from bot.delivery.outlets import Answer, Interaction, lacking, require_permissions
from bot.delivery.reach import is_unshown
from bot.views import controls
from bot.views.card import Card, said
from bot.views.replay import record_card, replay_card
from bot.views.turn import board_card, dice_card, end_card, noted, text_card
from bot.words.record import verdict
from engine.match import Phase

SHARED = "share"
"""How a board is looked at that everyone is to see."""


@app_commands.command()
@in_servers
@app_commands.describe(
    match=MATCH,
    share="Move the match's message with its buttons here, for everyone",
    show="The picture, the picture with legal moves, or text",
)
@app_commands.choices(
    show=[
        app_commands.Choice(name="the picture", value="picture"),
        app_commands.Choice(name="the picture with where men may go", value="moves"),
        app_commands.Choice(name="text", value="text"),
    ]
)
async def board(
    interaction: Interaction, match: int | None = None, share: bool = False, show: str = "picture"
) -> None:
    """Show the board again."""

    async def work(answer: Answer) -> None:
        how = SHARED if share else show
        if sitting := await find_sitting(answer, "board", how, match):
            await look(answer, sitting.id, how)

    await answered(interaction, work)


async def look(answer: Answer, match: int, how: str) -> None:
    """Show a match to the one who asked; or, shared, bring its message here for everyone."""
    sitting = await _known(answer, match)
    if how == SHARED:
        await _share(answer, sitting)
        return
    await _heal(answer, sitting)
    person = answer.interaction.user.id
    memos = await answer.interaction.client.app.store.memos.of(person, [match])
    await answer.tell(noted(answer.reader, await _seen(answer, sitting, how), memos.get(match, "")))


async def _known(answer: Answer, match: int) -> Sitting:
    """Return a match that the one who asks may see; raises Declined otherwise."""
    interaction = answer.interaction
    sitting = await load(interaction.client.app, match)
    require_known(sitting, interaction.guild_id or 0, interaction.user.id)
    return sitting


async def _seen(answer: Answer, sitting: Sitting, how: str) -> Card:
    say = answer.reader
    if how == "text":
        return text_card(say, sitting)
    if sitting.match.phase is not Phase.OVER:
        return board_card(say, sitting, moves=how == "moves")
    app = answer.interaction.client.app
    changes = await app.store.ratings.changes(sitting.id)
    everything = await play.history(app, sitting.row)
    report = await reports.kept(app, sitting)
    ruling = await moderation.latest(app, sitting)
    return await asyncio.to_thread(
        end_card, say, sitting, everything[-1:], everything, changes, report, ruling
    )


async def _share(answer: Answer, sitting: Sitting) -> None:
    interaction = answer.interaction
    if not sitting.sides_of(interaction.user.id):
        raise Declined(Why.ONLY_PLAYERS_SHARE, match=sitting.id)
    if interaction.guild_id != sitting.row.guild:
        raise Declined(Why.ELSEWHERE, match=sitting.id)
    require_permissions(interaction)
    await bring(interaction.client.app, sitting, interaction.channel_id or 0)
    await answer.finish()


async def _heal(answer: Answer, sitting: Sitting) -> None:
    """Bring a match that can be shown nowhere to where one of its players looks at it."""
    interaction = answer.interaction
    app = interaction.client.app
    here = interaction.guild_id == sitting.row.guild
    may_post = not lacking(interaction.channel, interaction.app_permissions)
    plays = sitting.sides_of(interaction.user.id)
    if here and may_post and plays and await is_unshown(app, sitting):
        await bring(app, sitting, interaction.channel_id or 0)


@app_commands.command()
@in_servers
@app_commands.describe(
    match="The number of the match, in progress or over", share="Show it to everyone"
)
async def replay(interaction: Interaction, match: int, share: bool = False) -> None:
    """Replay a match as an animation."""

    async def work(answer: Answer) -> None:
        await answer.tell(await _film(answer, await _known(answer, match)))

    await answered(interaction, work, private=not share)


async def _film(answer: Answer, sitting: Sitting) -> Card:
    interaction = answer.interaction
    app = interaction.client.app
    happened = await play.history(app, sitting.row)
    scope = looks.PERSON if answer.private else looks.SERVER
    owner = interaction.user.id if answer.private else interaction.guild_id or 0
    view = await looks.view(app, scope, owner, sitting.seats)
    start = play.first(sitting.row)
    async with app.films:
        return await asyncio.to_thread(replay_card, answer.reader, sitting, start, happened, view)


@app_commands.command()
@in_servers
@app_commands.describe(match="The number of the match (default: your latest)")
async def record(interaction: Interaction, match: int | None = None) -> None:
    """Get the record of a finished match, to verify its dice."""

    async def work(answer: Answer) -> None:
        number = match if match is not None else await latest(interaction)
        await answer.tell(await _record(answer, await _known(answer, number)))

    await answered(interaction, work)


async def latest(interaction: Interaction) -> int:
    """Return the number of somebody's latest finished match.

    Raises Declined where they have none.
    """
    ended = await interaction.client.app.store.matches.ended_of(interaction.user.id, 1)
    if not ended:
        raise Declined(Why.NONE_FINISHED)
    return ended[0].id


async def _record(answer: Answer, sitting: Sitting) -> Card:
    require_over(sitting)
    happened = await play.history(answer.interaction.client.app, sitting.row)
    return record_card(answer.reader, sitting, happened)


async def _verified(answer: Answer, sitting: Sitting) -> Card:
    require_over(sitting)
    happened = await play.history(answer.interaction.client.app, sitting.row)
    found = await asyncio.to_thread(verify_match, sitting, happened)
    return said(verdict(answer.reader, found))


async def _dice(answer: Answer, sitting: Sitting) -> Card:
    return dice_card(answer.reader, sitting)


ASKED: Mapping[str, Callable[[Answer, Sitting], Awaitable[Card]]] = {
    "dice": _dice,
    "record": _record,
    "replay": _film,
    "verify": _verified,
}
"""What the buttons show that ask about a match."""


async def _ask(interaction: Interaction, rest: str) -> None:
    """Show the one who pressed what they ask about a match: `match:what`."""
    match, what = parts(rest, 2)

    async def work(answer: Answer) -> None:
        if what not in ASKED:
            raise Declined(Why.UNKNOWN_CONTROL)
        await answer.tell(await ASKED[what](answer, await _known(answer, number_of(match))))

    await answered(interaction, work)


COMMANDS: Commands = (board, replay, record)
PRESSES: Presses = {controls.ASK: _ask}
