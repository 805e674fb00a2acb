"""Playing and looking at a match: its slash commands, buttons and menus."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

import discord
from discord import app_commands

from bot.features.matches import cards, delivery, interactions, loading, places, service
from bot.features.matches import texts as words
from bot.features.matches.controls import ACT, ASK, MAN, PLAY
from bot.features.matches.event_texts import describe_transitions
from bot.features.matches.jobs import ShowMatch
from bot.features.matches.proof import load_dice_lines, load_secret_origin
from bot.features.matches.record import format_record_check, verify_match
from bot.features.matches.replay import build_replay_card, record_card
from bot.features.matches.session import (
    MatchElsewhereError,
    MatchSession,
    list_shown_transitions,
    require_over,
    require_player,
    require_running,
    require_turn,
)
from bot.platform.context import NO_SERVER, App
from bot.platform.db.preferences import PERSON_STYLE, SERVER_STYLE
from bot.platform.features import ExtensionPoint
from bot.platform.i18n.reader import StaleMatchError, UnknownControlError
from bot.platform.ui import channels
from bot.platform.ui.access import NotSeenHereError, Where, is_bot_member, require_place
from bot.platform.ui.answers import InteractionAnswer, log_answer_failures
from bot.platform.ui.app_client import Interaction
from bot.platform.ui.card import Card, text_only_card
from bot.platform.ui.controls import MAX_ENTRY_LENGTH, get_selection
from bot.platform.ui.declarations import command, match_group, message_menu, press
from bot.platform.ui.layout import load_view
from engine.games import GAMES
from engine.match import BREAK, SIDE, SIX, Phase
from render.characters import utf16_length
from render.scene import View

DECLINE = "decline"
"""What is typed to decline a draw."""
PrepareConfirmation: TypeAlias = Callable[
    [InteractionAnswer, service.Action, str], Awaitable[Card | None]
]
PLAY_CONFIRMATIONS: ExtensionPoint[PrepareConfirmation] = ExtensionPoint()
"""Questions that come before a play, for those who want to be asked."""
MAX_PLAY_LENGTH = 200
"""Characters that a typed play may have; the longest that a throw allows has about half as many."""


@interactions.match_command()
async def roll(answer: InteractionAnswer, match: int) -> None:
    """Roll the dice in your match in this channel."""
    await finish_action(answer, await service.roll(answer.app, service.build_action(answer, match)))


@command(everywhere=True)
@app_commands.rename(text="play")
@app_commands.describe(
    text="Moves, such as a-g b-f; bar-c enters a man, t-off bears one off",
    match=interactions.MATCH_DESCRIPTION,
)
async def move(
    answer: InteractionAnswer,
    text: app_commands.Range[str, 1, MAX_PLAY_LENGTH],
    match: int | None = None,
) -> None:
    """Play your throw, or answer the puzzle you opened here."""
    interaction = answer.interaction
    target = interactions.find_typed_play_target(answer.app, answer.channel, answer.person.id)
    if target is None or match is not None:
        # The command works everywhere for the sake of other targets; a match needs its place.
        require_place(interaction, Where.DIRECT)
        await interactions.run_in_chosen_match(answer, "move", text, match)
    elif _may_have_match(interaction) and await interactions.find_waiting_sessions(
        interaction, "move"
    ):
        await _play_waiting_match(answer, target, text)
    else:
        await answer.send(await target.play(answer, text))


def _may_have_match(interaction: Interaction) -> bool:
    """Whether matches are played where something is asked for."""
    return is_bot_member(interaction) or channels.is_direct(interaction)


@interactions.match_action("move")
async def _play_in_match(answer: InteractionAnswer, match: int, text: str) -> None:
    await _play_moves(answer, service.build_action(answer, match), text)


async def _play_moves(answer: InteractionAnswer, action: service.Action, text: str) -> None:
    if report := await _play_or_confirm(answer, action, text):
        await finish_action(answer, report)


async def _play_or_confirm(
    answer: InteractionAnswer, action: service.Action, text: str
) -> service.ActionResult | None:
    """Play moves, or ask first whether they end the turn, where the player prefers that."""
    # Asked first, since most people do not confirm.
    if await service.wants_confirmation(answer.app, action.person.id):
        for prepare in PLAY_CONFIRMATIONS.list_functions():
            if question := await prepare(answer, action, text):
                await answer.send(question)
                return None
    return await service.play_moves(answer.app, action, text)


async def _play_waiting_match(
    answer: InteractionAnswer, target: interactions.TypedPlayTarget, text: str
) -> None:
    """Play in the match that waits for the move, and say that it was not played elsewhere."""
    session = await interactions.find_session(answer, "move", text)
    if session and await _play_or_confirm(answer, service.build_action(answer, session.id), text):
        note = target.explain_priority(answer.reader, session.id)
        await answer.confirm(note)


@interactions.match_command()
@app_commands.describe(what="Your last move, or all your moves since the throw")
@app_commands.choices(
    what=[
        app_commands.Choice(name="the last move", value="move"),
        app_commands.Choice(name="the whole turn", value="turn"),
    ]
)
async def undo(answer: InteractionAnswer, match: int, what: str = "move") -> None:
    """Take back a move until the next throw; alone, unrated, your last turn."""
    action = service.build_action(answer, match)
    await finish_action(answer, await service.take_back(answer.app, action, whole=what == "turn"))


@interactions.match_command(group=match_group, order=60)
@app_commands.describe(what="Offer a draw (or accept one offered to you), or decline one")
@app_commands.choices(
    what=[
        app_commands.Choice(name="offer or accept a draw", value="offer"),
        app_commands.Choice(name="decline a draw", value=DECLINE),
    ]
)
async def draw(answer: InteractionAnswer, match: int, what: str = "offer") -> None:
    """Offer a draw in your match in this channel, or answer one."""
    deed = service.decline_draw if what == DECLINE else service.offer_draw
    await finish_action(answer, await deed(answer.app, service.build_action(answer, match)))


@interactions.match_command(group=match_group, order=70)
async def resign(answer: InteractionAnswer, match: int) -> None:
    """Resign your match in this channel; you're asked first."""
    session = await loading.load_visible_session(answer.app, match, answer.guild, answer.person.id)
    require_running(session)
    require_player(session, answer.person.id)
    await answer.send(cards.resign_card(answer.reader, session))


async def finish_action(answer: InteractionAnswer, report: service.ActionResult) -> None:
    """End the answer to an action that is saved.

    A press is answered by what becomes of its message, a command in a line for the one who typed
    it. The match's own channel shows what has changed; elsewhere a link leads there.
    """
    session = report.session
    if delivery.is_live_message_pressed(answer, session):
        await _answer_by_change(answer, session)
        return
    if await places.finish_elsewhere(answer, session):
        return
    say = answer.reader
    if answer.channel != session.row.channel:
        there = places.build_match_link(session.row)
        text = say("Done. [Match {match} continues here]({link}).", match=session.id, link=there)
    elif answer.is_component and not answer.is_private_message:
        await answer.finish()
        return
    else:
        happened = describe_transitions(say, session, report.transitions)
        # Translators: what the reader asked for has happened.
        text = happened or words.format_result(say, session) or say("Done.")
    with log_answer_failures(answer.interaction):
        # A private message whose button was pressed has done its part, and says the result itself.
        if answer.is_private_message:
            await answer.edit_message(text_only_card(text))
        else:
            await answer.send(text_only_card(text))


async def _answer_by_change(answer: InteractionAnswer, session: MatchSession) -> None:
    """End the answer to a press by what becomes of its message."""
    channel = channels.ServerChannel(answer.client, session.row.guild, session.row.channel)
    with log_answer_failures(answer.interaction):
        if session.is_computer_acting and not (await channel.load_server()).single:
            # The next message comes when the computer has acted; this one needs not wait for it.
            await delivery.close_pressed_message(answer, session)
        else:
            await delivery.wait_for_board(answer, session)
    await answer.finish()


async def offer_plays(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Offer the legal continuations of what was typed, in the match it is meant for."""
    return await _list_continuations(await _find_own_turns(interaction), typed)


async def _find_own_turns(interaction: Interaction) -> list[MatchSession]:
    """Return the matches of this channel in which it is the person's turn.

    Where one of them was chosen, return that one.
    """
    chosen = interaction.namespace.match
    return [
        each
        for each in await interactions.find_waiting_sessions(interaction, "move")
        if chosen in (None, each.id)
    ]


async def _list_continuations(
    mine: Sequence[MatchSession], typed: str
) -> list[app_commands.Choice[str]]:
    # With several matches nobody knows yet which of them the moves are for.
    return _build_choices(
        await asyncio.to_thread(service.suggest_plays, mine[0].match, typed)
        if len(mine) == 1
        else []
    )


def _build_choices(texts: Iterable[str]) -> list[app_commands.Choice[str]]:
    return [
        app_commands.Choice(name=text, value=text)
        for text in texts
        # One choice that is too long makes Discord refuse them all, and half a play is no use.
        if utf16_length(text) <= MAX_ENTRY_LENGTH
    ]


@move.autocomplete("text")
async def _plays_like(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Offer the legal continuations in the person's match.

    Where no match waits, they are those of what else the person may mean.
    """
    target = interactions.find_typed_play_target(
        interaction.client.app, interaction.channel_id or 0, interaction.user.id
    )
    mine = await _find_own_turns(interaction)
    if target is None or interaction.namespace.match is not None or mine:
        return await _list_continuations(mine, typed)
    return _build_choices(await asyncio.to_thread(target.suggest, typed))


CHOICES = {
    SIX,
    SIDE.name,
    BREAK,
    *(option.name for game in GAMES.values() for option in game.options),
}
"""What a button can settle."""


UNVERSIONED: Mapping[str, Callable[[App, service.Action], Awaitable[service.ActionResult]]] = {
    "resign": service.resign_match,
    "abort": service.abort_match,
    "offer": service.offer_draw,
}
"""What a button does in the match as it stands, whatever has happened since it was shown."""


@press(ACT, direct=True, edits_public=True)
async def act_in_match(
    answer: InteractionAnswer, match: int, version: int, act: str, value: str = ""
) -> None:
    """Carry out a button of a match for the state in which it was shown."""
    app, action = answer.app, service.build_action(answer, match, version)
    match act:
        case "roll":
            report = await service.roll(app, action)
        case "move":
            await _play_moves(answer, action, value)
            return
        case "back":
            report = await service.take_back(app, action)
        case anytime if anytime in UNVERSIONED:
            anyhow = service.build_action(answer, match, seen=version)
            report = await UNVERSIONED[anytime](app, anyhow)
        case "leave":
            report = await service.leave_numbers(app, action)
        case "claim":
            report = await service.claim_match(app, action)
        case "grant":
            report = await service.grant_time(app, action)
        case "agree":
            report = await service.accept_draw(app, action)
        case "decline":
            report = await service.decline_draw(app, action)
        case choice if choice in CHOICES:
            report = await service.make_choice(app, action, choice, value)
        case _:
            # Messages outlive the program that posted them, so a button may be of another version.
            raise UnknownControlError
    await finish_action(answer, report)


@press(PLAY, direct=True, edits_public=True)
async def play_from_menu(answer: InteractionAnswer, match: int, version: int, _: str) -> None:
    """Play what was picked from a menu of plays, or of next moves."""
    selected = get_selection(answer.interaction)
    await _play_moves(answer, service.build_action(answer, match, version), selected)


@press(MAN, direct=True, edits_public=True)
async def choose_man(answer: InteractionAnswer, match: int, version: int, place: str) -> None:
    """Offer the moves of one man, or, without a place, all men again."""
    app = answer.app
    session = await loading.load_visible_session(app, match, answer.guild, answer.person.id)
    require_turn(session, answer.person.id)
    message = session.row.message
    if not delivery.is_live_message_pressed(answer, session) or version != session.match.version:
        raise StaleMatchError(match)
    assert message is not None
    man = session.match.rules.board.places_by_name.get(place)
    card = cards.turn_card(answer.public_reader, session, list_shown_transitions(session), man)
    assert card.picture is not None
    kept = replace(card, picture=replace(card.picture, shows=None), ping=None)
    channel = channels.ServerChannel(answer.client, session.row.guild, session.row.channel)
    if not await delivery.respond_by_card(answer, kept):
        with log_answer_failures(answer.interaction):
            await channel.edit(message, kept)
    await _uncover_change(channel, session)


async def _uncover_change(channel: channels.ServerChannel, session: MatchSession) -> None:
    """Show anew what happened while a message was made to show a match as it was before.

    No lock is held while Discord is waited for, so the later of two changes may arrive first.
    """
    app = channel.client.app
    after = await loading.load_session(app, session.id)
    if after.row.message != session.row.message:
        await app.enqueue(
            session.row.guild,
            await delivery.build_close_jobs(channel, session.row, after.row.since),
        )
    elif after.match.version != session.match.version:
        job = ShowMatch(session.id, again=True).build_job(app.clock())
        await app.enqueue(session.row.guild, [job])


SHARED = "share"
"""How a board is looked at that everyone is to see."""


@command(group=match_group, order=30, direct=True)
@app_commands.describe(
    match=interactions.MATCH_DESCRIPTION,
    share="Move the match's message with its buttons here, for everyone",
    show="The picture, the picture with legal moves, or text",
)
@app_commands.choices(
    show=[
        app_commands.Choice(name="the picture", value="picture"),
        app_commands.Choice(name="the picture with legal moves", value="moves"),
        app_commands.Choice(name="text", value="text"),
    ]
)
async def board(
    answer: InteractionAnswer, match: int | None = None, share: bool = False, show: str = "picture"
) -> None:
    """Show the board again."""
    await interactions.run_in_chosen_match(answer, "board", SHARED if share else show, match)


@interactions.match_action("board")
async def show_board(answer: InteractionAnswer, match: int, how: str) -> None:
    """Show a match to the one who asked; or, shared, bring its message here for everyone."""
    session = await loading.load_visible_session(answer.app, match, answer.guild, answer.person.id)
    if how == SHARED:
        await _share_board(answer, session)
        return
    await _bring_if_unshowable(answer, session)
    # The card is for the person who asked alone, so it may show what is theirs.
    lines = await interactions.load_private_lines(answer, session)
    card = await _build_board_card(answer, session, how)
    await answer.send(replace(card, below=(*card.below, *lines)))


async def _build_board_card(answer: InteractionAnswer, session: MatchSession, how: str) -> Card:
    say = answer.reader
    if how == "text":
        return cards.text_board_card(say, session)
    if session.match.phase is not Phase.OVER:
        return cards.board_card(say, session, moves=how == "moves")
    # The last event is enough: the messages of the turns have session the rest.
    return await delivery.build_end_card(answer.app, say, session)


async def _share_board(answer: InteractionAnswer, session: MatchSession) -> None:
    if not session.find_sides(answer.person.id):
        raise places.OnlyPlayersShareError(session.id)
    if answer.guild != session.row.guild:
        raise MatchElsewhereError(session.id)
    channels.require_permissions(answer.interaction)
    await places.require_seen_by_players(answer, session, answer.channel)
    await loading.bring_match(answer.app, session, answer.channel)
    await answer.finish()


async def _bring_if_unshowable(answer: InteractionAnswer, session: MatchSession) -> None:
    """Bring a match that can be session nowhere to where one of its players looks at it."""
    app = answer.app
    here = answer.guild == session.row.guild
    may_post = not channels.list_missing_here(answer.interaction) and channels.may_write(
        answer.interaction
    )
    plays = session.find_sides(answer.person.id)
    if not (here and may_post and plays and await places.is_unshowable(app, session)):
        return
    if await places.is_seen_by_players(answer, session, answer.channel):
        await loading.bring_match(app, session, answer.channel)


@command(group=match_group, order=40, public_option="share", direct=True)
@app_commands.describe(
    match="The number of the match, in progress or over", share="Show it to everyone"
)
async def replay(answer: InteractionAnswer, match: int, share: bool = False) -> None:
    """Replay a match as an animation."""
    session = await loading.load_visible_session(answer.app, match, answer.guild, answer.person.id)
    if not answer.private:
        await _require_open_to_readers(answer, session)
    await answer.send(await _build_replay_card(answer, session))


async def _require_open_to_readers(answer: InteractionAnswer, session: MatchSession) -> None:
    """Raise DeclinedError unless all who read an answer in a channel could see its match."""
    row = session.row
    readers = answer.channel if answer.guild == row.guild else None
    # A match from direct messages is its player's to show.
    if row.guild != NO_SERVER and not await loading.is_match_open(answer.app, row, readers):
        raise NotSeenHereError(row.channel)


async def _build_replay_card(answer: InteractionAnswer, session: MatchSession) -> Card:
    app = answer.app
    happened = await loading.load_history(app, session.row)
    scope = PERSON_STYLE if answer.private else SERVER_STYLE
    owner = answer.person.id if answer.private else answer.guild
    view = await load_view(app, scope, owner, session.sides_by_person)
    return await build_replay_card(app, answer.asker, answer.reader, session, happened, view)


@command(group=match_group, order=50, direct=True)
@app_commands.describe(match="The number of the match (default: your latest)")
async def record(answer: InteractionAnswer, match: int | None = None) -> None:
    """Get the record of a finished match, to verify its dice."""
    number = (
        await loading.find_finished_match(answer.app, answer.person.id) if match is None else match
    )
    session = await loading.load_visible_session(answer.app, number, answer.guild, answer.person.id)
    await answer.send(await _build_record_card(answer, session))


async def _build_record_card(answer: InteractionAnswer, session: MatchSession) -> Card:
    require_over(session)
    happened = await loading.load_history(answer.app, session.row)
    origin = await load_secret_origin(answer.app, session)
    return record_card(answer.reader, session, happened, origin)


async def _build_verdict_card(answer: InteractionAnswer, session: MatchSession) -> Card:
    require_over(session)
    happened = await loading.load_history(answer.app, session.row)
    origin = await load_secret_origin(answer.app, session)
    found = await asyncio.to_thread(verify_match, session, happened, origin)
    return text_only_card(format_record_check(answer.reader, found))


@message_menu(name="Board from my side")
async def show_own_side(answer: InteractionAnswer, message: discord.Message) -> None:
    """See the board of a message from your own side, as it was then, in your own style."""
    session = await interactions.load_shown_session(answer, message)
    say, sides = answer.reader, session.find_sides(answer.person.id)
    if session.match.version == session.row.version:
        card = cards.board_card(say, session, moves=True)
    else:
        link = await places.find_match_link(answer.client, session.row)
        card = cards.past_board_card(say, session, link)
    if sides:
        card = _restyle_card(card, lambda view: replace(view, below=sides[0]))
    await answer.send(card)


async def _build_text_board(answer: InteractionAnswer, session: MatchSession) -> Card:
    return cards.text_board_card(answer.reader, session)


async def _build_flipped_board(answer: InteractionAnswer, session: MatchSession) -> Card:
    say = answer.reader
    card = cards.board_card(say, session, moves=True)
    flipped = _restyle_card(card, lambda view: replace(view, below=view.below.other))
    return replace(flipped, small=say("`/me settings` keeps your own boards so."))


def _restyle_card(card: Card, restyle: Callable[[View], View]) -> Card:
    assert card.picture is not None
    return replace(card, picture=replace(card.picture, restyle=restyle))


async def _build_more_card(answer: InteractionAnswer, session: MatchSession) -> Card:
    return cards.more_card(answer.reader, session, answer.person.id)


async def _build_resign_card(answer: InteractionAnswer, session: MatchSession) -> Card:
    require_running(session)
    require_player(session, answer.person.id)
    return cards.resign_card(answer.reader, session)


async def _build_stay_card(answer: InteractionAnswer, session: MatchSession) -> Card:
    return cards.stay_card(answer.reader, session)


async def _build_dice_card(answer: InteractionAnswer, session: MatchSession) -> Card:
    lines = await load_dice_lines(answer.app, answer.reader, session)
    return cards.dice_card(answer.reader, session, lines)


CARD_BUILDERS: Mapping[str, Callable[[InteractionAnswer, MatchSession], Awaitable[Card]]] = {
    "dice": _build_dice_card,
    "flip": _build_flipped_board,
    "more": _build_more_card,
    "record": _build_record_card,
    "replay": _build_replay_card,
    "resign": _build_resign_card,
    "stay": _build_stay_card,
    "text": _build_text_board,
    "verify": _build_verdict_card,
}
"""What the buttons show that ask about a match."""
IN_PLACE = frozenset({"flip", "resign", "stay", "text"})
"""What takes the place of the private message on which it was asked for."""


@press(ASK, direct=True)
async def show_detail(answer: InteractionAnswer, match: int, what: str) -> None:
    """Show the one who pressed what they ask about a match."""
    if what not in CARD_BUILDERS:
        raise UnknownControlError
    session = await loading.load_visible_session(answer.app, match, answer.guild, answer.person.id)
    card = await CARD_BUILDERS[what](answer, session)
    if what in IN_PLACE and answer.is_private_message:
        await answer.edit_message(card)
    else:
        await answer.send(card)
