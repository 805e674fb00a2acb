"""Looking at a match: /board, /replay, /record, and the buttons Dice, Verify, Replay and Record."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping

from discord import app_commands

from bot.app import looks, moderation, play, reports
from bot.app.errors import DeclinedError, DeclineReason
from bot.app.play import load_session
from bot.app.record import verify_match
from bot.app.session import MatchSession, require_over, require_visible
from bot.commands.asking import Commands, Presses, in_servers, respond
from bot.commands.bringing import bring_match
from bot.commands.choosing import MATCH_DESCRIPTION, find_session
from bot.commands.ids import parse_number, split_id
from bot.delivery.outlets import (
    Interaction,
    InteractionAnswer,
    list_missing_permissions,
    require_permissions,
)
from bot.delivery.reach import is_unshowable
from bot.views import controls
from bot.views.card import Card, text_only_card
from bot.views.replay import record_card, replay_card
from bot.views.turn import add_note_to_card, board_card, dice_card, end_card, text_board_card
from bot.words.record import format_record_check
from engine.match import Phase

SHARED = "share"
"""How a board is looked at that everyone is to see."""


@app_commands.command()
@in_servers
@app_commands.describe(
    match=MATCH_DESCRIPTION,
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

    async def work(answer: InteractionAnswer) -> None:
        how = SHARED if share else show
        if session := await find_session(answer, "board", how, match):
            await show_board(answer, session.id, how)

    await respond(interaction, work)


async def show_board(answer: InteractionAnswer, match: int, how: str) -> None:
    """Show a match to the one who asked; or, shared, bring its message here for everyone."""
    session = await _load_visible_session(answer, match)
    if how == SHARED:
        await _share_board(answer, session)
        return
    await _bring_if_unshowable(answer, session)
    person = answer.interaction.user.id
    memos = await answer.interaction.client.app.store.memos.load_for_matches(person, [match])
    await answer.send(
        add_note_to_card(
            answer.reader, await _prepare_board_card(answer, session, how), memos.get(match, "")
        )
    )


async def _load_visible_session(answer: InteractionAnswer, match: int) -> MatchSession:
    """Return a match that the one who asks may see; raises Declined otherwise."""
    interaction = answer.interaction
    session = await load_session(interaction.client.app, match)
    require_visible(session, interaction.guild_id or 0, interaction.user.id)
    return session


async def _prepare_board_card(answer: InteractionAnswer, session: MatchSession, how: str) -> Card:
    say = answer.reader
    if how == "text":
        return text_board_card(say, session)
    if session.match.phase is not Phase.OVER:
        return board_card(say, session, moves=how == "moves")
    app = answer.interaction.client.app
    changes = await app.store.ratings.load_changes(session.id)
    everything = await play.load_history(app, session.row)
    report = await reports.load_report(app, session)
    ruling = await moderation.find_latest_ruling(app, session)
    return await asyncio.to_thread(
        end_card, say, session, everything[-1:], everything, changes, report, ruling
    )


async def _share_board(answer: InteractionAnswer, session: MatchSession) -> None:
    interaction = answer.interaction
    if not session.find_sides(interaction.user.id):
        raise DeclinedError(DeclineReason.ONLY_PLAYERS_SHARE, match=session.id)
    if interaction.guild_id != session.row.guild:
        raise DeclinedError(DeclineReason.ELSEWHERE, match=session.id)
    require_permissions(interaction)
    await bring_match(interaction.client.app, session, interaction.channel_id or 0)
    await answer.finish()


async def _bring_if_unshowable(answer: InteractionAnswer, session: MatchSession) -> None:
    """Bring a match that can be shown nowhere to where one of its players looks at it."""
    interaction = answer.interaction
    app = interaction.client.app
    here = interaction.guild_id == session.row.guild
    may_post = not list_missing_permissions(interaction.channel, interaction.app_permissions)
    plays = session.find_sides(interaction.user.id)
    if here and may_post and plays and await is_unshowable(app, session):
        await bring_match(app, session, interaction.channel_id or 0)


@app_commands.command()
@in_servers
@app_commands.describe(
    match="The number of the match, in progress or over", share="Show it to everyone"
)
async def replay(interaction: Interaction, match: int, share: bool = False) -> None:
    """Replay a match as an animation."""

    async def work(answer: InteractionAnswer) -> None:
        await answer.send(
            await _prepare_replay_card(answer, await _load_visible_session(answer, match))
        )

    await respond(interaction, work, private=not share)


async def _prepare_replay_card(answer: InteractionAnswer, session: MatchSession) -> Card:
    interaction = answer.interaction
    app = interaction.client.app
    happened = await play.load_history(app, session.row)
    scope = looks.PERSON if answer.private else looks.SERVER
    owner = interaction.user.id if answer.private else interaction.guild_id or 0
    view = await looks.load_view(app, scope, owner, session.sides_by_person)
    start = play.build_initial_match(session.row)
    async with app.films:
        return await asyncio.to_thread(replay_card, answer.reader, session, start, happened, view)


@app_commands.command()
@in_servers
@app_commands.describe(match="The number of the match (default: your latest)")
async def record(interaction: Interaction, match: int | None = None) -> None:
    """Get the record of a finished match, to verify its dice."""

    async def work(answer: InteractionAnswer) -> None:
        number = match if match is not None else await find_latest_match(interaction)
        await answer.send(
            await _prepare_record_card(answer, await _load_visible_session(answer, number))
        )

    await respond(interaction, work)


async def find_latest_match(interaction: Interaction) -> int:
    """Return the number of somebody's latest finished match.

    Raises Declined where they have none.
    """
    ended = await interaction.client.app.store.matches.load_ended_by_person(interaction.user.id, 1)
    if not ended:
        raise DeclinedError(DeclineReason.NONE_FINISHED)
    return ended[0].id


async def _prepare_record_card(answer: InteractionAnswer, session: MatchSession) -> Card:
    require_over(session)
    happened = await play.load_history(answer.interaction.client.app, session.row)
    return record_card(answer.reader, session, happened)


async def _prepare_verdict_card(answer: InteractionAnswer, session: MatchSession) -> Card:
    require_over(session)
    happened = await play.load_history(answer.interaction.client.app, session.row)
    found = await asyncio.to_thread(verify_match, session, happened)
    return text_only_card(format_record_check(answer.reader, found))


async def _prepare_dice_card(answer: InteractionAnswer, session: MatchSession) -> Card:
    return dice_card(answer.reader, session)


CARD_BUILDERS: Mapping[str, Callable[[InteractionAnswer, MatchSession], Awaitable[Card]]] = {
    "dice": _prepare_dice_card,
    "record": _prepare_record_card,
    "replay": _prepare_replay_card,
    "verify": _prepare_verdict_card,
}
"""What the buttons show that ask about a match."""


async def _handle_ask(interaction: Interaction, rest: str) -> None:
    """Show the one who pressed what they ask about a match: `match:what`."""
    match, what = split_id(rest, 2)

    async def work(answer: InteractionAnswer) -> None:
        if what not in CARD_BUILDERS:
            raise DeclinedError(DeclineReason.UNKNOWN_CONTROL)
        await answer.send(
            await CARD_BUILDERS[what](
                answer, await _load_visible_session(answer, parse_number(match))
            )
        )

    await respond(interaction, work)


COMMANDS: Commands = (board, replay, record)
PRESSES: Presses = {controls.ASK: _handle_ask}
