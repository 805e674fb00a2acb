"""Looking at a match: its board, replay and record, and the buttons that ask about one."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace

from discord import app_commands

from bot.features.matches import loading
from bot.features.matches.cards import (
    board_card,
    dice_card,
    text_board_card,
)
from bot.features.matches.controls import ASK
from bot.features.matches.delivery import prepare_end_card
from bot.features.matches.extensions import (
    load_dice_lines,
    load_private_lines,
    load_secret_origin,
)
from bot.features.matches.loading import load_visible_session
from bot.features.matches.lookup import bring_match, find_finished_match
from bot.features.matches.match_choice import MATCH_DESCRIPTION, match_action, run_in_chosen_match
from bot.features.matches.more import more_card, resign_card, stay_card
from bot.features.matches.moving import is_seen_by_players, require_seen_by_players
from bot.features.matches.reach import is_unshowable
from bot.features.matches.record import verify_match
from bot.features.matches.record_texts import format_record_check
from bot.features.matches.replay import prepare_replay_card, record_card
from bot.features.matches.session import (
    MatchSession,
    require_over,
    require_player,
    require_running,
)
from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.ui import views
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.card import Card, text_only_card
from bot.platform.ui.declarations import command, press
from bot.platform.ui.groups import match_group
from bot.platform.ui.places import list_missing_here, may_write, require_permissions
from engine.match import Phase
from render.scene import View

SHARED = "share"
"""How a board is looked at that everyone is to see."""


@command(group=match_group, direct=True)
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
    answer: InteractionAnswer, match: int | None = None, share: bool = False, show: str = "picture"
) -> None:
    """Show the board again."""
    await run_in_chosen_match(answer, "board", SHARED if share else show, match)


@match_action("board")
async def show_board(answer: InteractionAnswer, match: int, how: str) -> None:
    """Show a match to the one who asked; or, shared, bring its message here for everyone."""
    session = await load_visible_session(answer.app, match, answer.guild, answer.person.id)
    if how == SHARED:
        await _share_board(answer, session)
        return
    await _bring_if_unshowable(answer, session)
    # The card is for the person who asked alone, so it may show what is theirs.
    lines = await load_private_lines(answer, session)
    card = await _prepare_board_card(answer, session, how)
    await answer.send(replace(card, below=(*card.below, *lines)))


async def _prepare_board_card(answer: InteractionAnswer, session: MatchSession, how: str) -> Card:
    say = answer.reader
    if how == "text":
        return text_board_card(say, session)
    if session.match.phase is not Phase.OVER:
        return board_card(say, session, moves=how == "moves")
    # The last event is enough: the messages of the turns have shown the rest.
    return await prepare_end_card(answer.app, say, session)


async def _share_board(answer: InteractionAnswer, session: MatchSession) -> None:
    if not session.find_sides(answer.person.id):
        raise DeclinedError(DeclineReason.ONLY_PLAYERS_SHARE, match=session.id)
    if answer.guild != session.row.guild:
        raise DeclinedError(DeclineReason.ELSEWHERE, match=session.id)
    require_permissions(answer.interaction)
    await require_seen_by_players(answer, session, answer.channel)
    await bring_match(answer.app, session, answer.channel)
    await answer.finish()


async def _bring_if_unshowable(answer: InteractionAnswer, session: MatchSession) -> None:
    """Bring a match that can be shown nowhere to where one of its players looks at it."""
    app = answer.app
    here = answer.guild == session.row.guild
    may_post = not list_missing_here(answer.interaction) and may_write(answer.interaction)
    plays = session.find_sides(answer.person.id)
    if not (here and may_post and plays and await is_unshowable(app, session)):
        return
    if await is_seen_by_players(answer, session, answer.channel):
        await bring_match(app, session, answer.channel)


@command(group=match_group, public_option="share", direct=True)
@app_commands.describe(
    match="The number of the match, in progress or over", share="Show it to everyone"
)
async def replay(answer: InteractionAnswer, match: int, share: bool = False) -> None:
    """Replay a match as an animation."""
    session = await load_visible_session(answer.app, match, answer.guild, answer.person.id)
    await answer.send(await _prepare_replay_card(answer, session))


async def _prepare_replay_card(answer: InteractionAnswer, session: MatchSession) -> Card:
    app = answer.app
    happened = await loading.load_history(app, session.row)
    scope = views.PERSON if answer.private else views.SERVER
    owner = answer.person.id if answer.private else answer.guild
    view = await views.load_view(app, scope, owner, session.sides_by_person)
    return await prepare_replay_card(app, answer.asker, answer.reader, session, happened, view)


@command(group=match_group, direct=True)
@app_commands.describe(match="The number of the match (default: your latest)")
async def record(answer: InteractionAnswer, match: int | None = None) -> None:
    """Get the record of a finished match, to verify its dice."""
    number = await find_finished_match(answer.app, answer.person.id) if match is None else match
    session = await load_visible_session(answer.app, number, answer.guild, answer.person.id)
    await answer.send(await _prepare_record_card(answer, session))


async def _prepare_record_card(answer: InteractionAnswer, session: MatchSession) -> Card:
    require_over(session)
    happened = await loading.load_history(answer.app, session.row)
    origin = await load_secret_origin(answer.app, session)
    return record_card(answer.reader, session, happened, origin)


async def _prepare_verdict_card(answer: InteractionAnswer, session: MatchSession) -> Card:
    require_over(session)
    happened = await loading.load_history(answer.app, session.row)
    origin = await load_secret_origin(answer.app, session)
    found = await asyncio.to_thread(verify_match, session, happened, origin)
    return text_only_card(format_record_check(answer.reader, found))


async def _prepare_text_board(answer: InteractionAnswer, session: MatchSession) -> Card:
    return text_board_card(answer.reader, session)


async def _prepare_flipped_board(answer: InteractionAnswer, session: MatchSession) -> Card:
    return _restyle_board(answer, session, lambda view: replace(view, below=view.below.other))


async def _prepare_numbered_board(answer: InteractionAnswer, session: MatchSession) -> Card:
    return _restyle_board(answer, session, lambda view: replace(view, numbered=not view.numbered))


def _restyle_board(
    answer: InteractionAnswer, session: MatchSession, restyle: Callable[[View], View]
) -> Card:
    say = answer.reader
    card = board_card(say, session, moves=True)
    assert card.picture is not None
    hint = say("`/me settings` keeps your own boards so.")
    return replace(card, picture=replace(card.picture, restyle=restyle), small=hint)


async def _prepare_more_card(answer: InteractionAnswer, session: MatchSession) -> Card:
    return more_card(answer.reader, session, answer.person.id)


async def _prepare_resign_card(answer: InteractionAnswer, session: MatchSession) -> Card:
    require_running(session)
    require_player(session, answer.person.id)
    return resign_card(answer.reader, session)


async def _prepare_stay_card(answer: InteractionAnswer, session: MatchSession) -> Card:
    return stay_card(answer.reader, session)


async def _prepare_dice_card(answer: InteractionAnswer, session: MatchSession) -> Card:
    lines = await load_dice_lines(answer.app, answer.reader, session)
    return dice_card(answer.reader, session, lines)


CARD_BUILDERS: Mapping[str, Callable[[InteractionAnswer, MatchSession], Awaitable[Card]]] = {
    "dice": _prepare_dice_card,
    "flip": _prepare_flipped_board,
    "more": _prepare_more_card,
    "numbers": _prepare_numbered_board,
    "record": _prepare_record_card,
    "replay": _prepare_replay_card,
    "resign": _prepare_resign_card,
    "stay": _prepare_stay_card,
    "text": _prepare_text_board,
    "verify": _prepare_verdict_card,
}
"""What the buttons show that ask about a match."""
IN_PLACE = frozenset({"flip", "numbers", "resign", "stay", "text"})
"""What takes the place of the private message on which it was asked for."""


@press(ASK, direct=True)
async def show_detail(answer: InteractionAnswer, match: int, what: str) -> None:
    """Show the one who pressed what they ask about a match."""
    if what not in CARD_BUILDERS:
        raise DeclinedError(DeclineReason.UNKNOWN_CONTROL)
    session = await load_visible_session(answer.app, match, answer.guild, answer.person.id)
    card = await CARD_BUILDERS[what](answer, session)
    if what in IN_PLACE and answer.is_private_message:
        await answer.edit_message(card)
    else:
        await answer.send(card)
