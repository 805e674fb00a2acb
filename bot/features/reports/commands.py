"""Reports: /match report, its card, the button under a finished match, and those within it."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import discord
from discord import ButtonStyle, app_commands

from bot.features.analysis.guard import PositionInPlayError, require_free_position
from bot.features.challenges.play_commands import start_in_position
from bot.features.challenges.terms import MatchTerms
from bot.features.matches import loading
from bot.features.matches.cards import END_SECTIONS, EndSection
from bot.features.matches.controls import CardPart, card_controls
from bot.features.matches.interactions import load_shown_session
from bot.features.matches.loading import find_finished_match, load_visible_session
from bot.features.matches.scene import build_scene, build_scene_moves, with_picture_names
from bot.features.matches.session import MatchSession, require_over
from bot.features.reports import service as reports
from bot.features.reports import texts as words
from bot.features.reports.service import MatchReport, ReviewedTurn, load_report, review_turn
from bot.platform.context import App
from bot.platform.i18n.common import format_course, translate_joints
from bot.platform.i18n.reader import Reader
from bot.platform.people import DEFAULT_LEVEL, get_computer_level
from bot.platform.ui.answers import EphemeralMessage, InteractionAnswer, log_answer_failures
from bot.platform.ui.card import CURVE_FILE, Card, Item, Picture, text_only_card
from bot.platform.ui.controls import VerbScope, declare_verb
from bot.platform.ui.declarations import command, match_group, message_menu, press
from engine.events import Event, Played
from engine.players.level import Level
from engine.position import Side
from render.curve import MIN_VALUES, Curve, describe_curve
from render.describe import describe_scene
from render.scene import Scene, SceneMove

REPORT = declare_verb("report", VerbScope.NUMBER)
"""Ask how a match was played."""
REVIEW = declare_verb("review", VerbScope.NUMBER)
"""Look at one turn of a reported match."""
PLAY_ON = declare_verb("playon", VerbScope.NUMBER)
"""Play on from one turn of a reported match, against the computer."""
OPEN, STEPS, BACK, NEXT, ERROR = "open", "steps", "back", "next", "error"
"""How somebody comes to a turn."""
OPENING = (OPEN, STEPS)
"""The ways that show it in a message of its own."""


def report_controls(
    say: Reader, session: MatchSession, report: MatchReport, sides: Sequence[Side]
) -> tuple[Item, ...]:
    """Return the buttons of a report: through all turns, and to some sides' worst errors."""
    worst = (
        _build_review_button(
            session,
            say("Error {number}", number=number),
            report.find_turn(error),
            OPEN,
            ButtonStyle.secondary,
        )
        for number, error in enumerate(report.list_worst_errors(sides), 1)
    )
    if not report.turns:
        return ()
    steps = _build_review_button(session, say("Step through"), 1, STEPS, ButtonStyle.primary)
    return (steps, *worst)


def turn_controls(
    say: Reader, session: MatchSession, report: MatchReport, turn: ReviewedTurn
) -> tuple[Item, ...]:
    """Return the buttons that lead from one turn to others; those that lead nowhere are off.

    Where something was to be decided, another plays on from there.
    """
    number = turn.number
    play_on = discord.ui.Button[Any](
        label=say("Play from here"),
        style=ButtonStyle.secondary,
        custom_id=f"{PLAY_ON}:{session.id}:{number}",
    )
    back = number - 1 if number > 1 else None
    onward = number + 1 if number < len(report.turns) else None
    return (
        # Translators: button: shows the previous turn of a match.
        _build_review_button(session, say("Back"), back, BACK, ButtonStyle.secondary),
        # Translators: button: shows the next turn of a match.
        _build_review_button(session, say("Next"), onward, NEXT, ButtonStyle.primary),
        _build_review_button(
            session,
            say("Next error"),
            report.find_next_error(number),
            ERROR,
            ButtonStyle.secondary,
        ),
        *((play_on,) if turn.opening else ()),
    )


@card_controls(CardPart.END, 20)
def _report_control(say: Reader, session: MatchSession) -> Iterator[Item]:
    yield discord.ui.Button(
        # Translators: button: shows the worst moments of a finished match, and how it was played.
        label=say("What went wrong?"),
        style=ButtonStyle.secondary,
        custom_id=f"{REPORT}:{session.id}",
    )


def _build_review_button(
    session: MatchSession, label: str, turn: int | None, how: str, style: ButtonStyle
) -> Item:
    # Ids differ also where two buttons lead to the same turn, or nowhere.
    custom_id = f"{REVIEW}:{session.id}:{turn or 0}:{how}"
    return discord.ui.Button(label=label, style=style, custom_id=custom_id, disabled=turn is None)


CHANCE_SCALE = (0, 100)
"""The scale on which the course of a game is drawn."""


@dataclass(frozen=True, slots=True)
class ReaderReport:
    """A report as somebody sees it: the worst moments are those of the `sides` that they played.

    Onlookers see those of both, and nobody those in `moments` that they may not be advised on.
    """

    report: MatchReport
    sides: Sequence[Side]
    moments: Mapping[int, ReviewedTurn]


def report_card(say: Reader, session: MatchSession, seen: ReaderReport) -> Card:
    """Return how a match was played: its worst moments, then luck and skill apart.

    Buttons lead through its turns, and to the worst errors.
    """
    report = seen.report
    figures = [*words.format_figures(say, session, report)]
    picture = None
    drawing = _build_chance_curve(say, session, seen) if report.judged else None
    if drawing and len(drawing.values) < MIN_VALUES:
        (only,) = report.list_evaluations(seen.sides[0])
        figures.append(words.format_only_chance(say, drawing.name, only))
    elif drawing:
        described = describe_curve(drawing, translate_joints(say))
        picture = Picture(drawing, described, CURVE_FILE)
    has_decided = any(map(report.list_decisions, seen.sides))
    has_erred = bool(report.list_worst_errors(seen.sides))
    return Card(
        texts=(
            words.format_heading(say, session),
            words.format_no_errors(say) if has_decided and not has_erred else "",
        ),
        illustrated=tuple(
            _illustrate_moment(say, session, number, turn) for number, turn in seen.moments.items()
        ),
        picture=picture,
        below=tuple(figures),
        controls=report_controls(say, session, report, seen.sides),
        small=words.explain_figures(say, session, report),
        seats=session.sides_by_person,
    )


def _illustrate_moment(
    say: Reader, session: MatchSession, number: int, turn: ReviewedTurn
) -> tuple[str, Picture]:
    then = replace(session, match=turn.before)
    scene = _build_turn_scene(say, then, turn)
    text = words.format_moment(say, then, number, turn)
    return text, Picture(scene, describe_scene(scene), f"moment{number}.png")


def _build_chance_curve(say: Reader, session: MatchSession, seen: ReaderReport) -> Curve:
    """Return one side's win chances after each throw and decision.

    It is the side of the person who sees it, or gold.
    """
    report, side = seen.report, seen.sides[0]
    worst = report.list_worst_errors(seen.sides)
    marks = tuple(report.judged.index(each) for each in worst)
    chances = tuple(round(100 * each.win) for each in report.list_evaluations(side))
    name = words.format_players(say, session, side)
    drawn = words.format_players(say, with_picture_names(say, session), side)
    return Curve(
        name,
        words.format_curve_title(say, name),
        words.format_curve_span(say, len(chances)),
        chances,
        CHANCE_SCALE,
        marks,
        words.format_curve_title(say, drawn),
        format_course(say, chances),
    )


def report_progress_card(say: Reader, session: MatchSession, share: float) -> Card:
    """Return how far a report is that is being made."""
    return text_only_card(words.format_progress(say, session, share))


def report_failure_card(say: Reader, session: MatchSession) -> Card:
    """Return that a report could not be made yet."""
    return text_only_card(words.format_not_ready(say, session))


def turn_review_card(
    say: Reader, session: MatchSession, report: MatchReport, turn: ReviewedTurn
) -> Card:
    """Return one turn of a match: what was played, what would have been better, and by how much.

    Both are drawn as arrows on the board before it; buttons lead to the other turns.
    """
    then = replace(session, match=turn.before)
    scene = _build_turn_scene(say, then, turn)
    return Card(
        texts=tuple(words.format_turn(say, then, report, turn)),
        picture=Picture(scene, describe_scene(scene)),
        controls=turn_controls(say, session, report, turn),
        small=words.explain_turn(say, turn, has_better=len(scene.advice) > 1),
        seats=session.sides_by_person,
    )


def _build_turn_scene(say: Reader, then: MatchSession, turn: ReviewedTurn) -> Scene:
    """Return the board before a turn with the arrows of what was better, and of what was done."""
    done = _build_arrows(turn.done)
    better = _build_arrows(turn.best) if turn.is_error else ()
    return replace(
        build_scene(say, then),
        # Without the last moves the board has only the arrows of this turn.
        last=(),
        earlier=(),
        advice=(better, done) if better else (done,) if done else (),
    )


def _build_arrows(events: tuple[Event, ...]) -> tuple[SceneMove, ...]:
    moves = [move for event in events if isinstance(event, Played) for move in event.moves]
    return build_scene_moves(moves)


@END_SECTIONS.add(order=30)
async def load_luck_section(app: App, say: Reader, session: MatchSession) -> EndSection:
    """Return each side's luck by the report of a match, if it has one."""
    report = await load_report(app, session)
    if report is None:
        return EndSection()
    return EndSection(luck=(report.sum_luck(Side.GOLD), report.sum_luck(Side.BLACK)))


PROGRESS_INTERVAL_S = 1.0
"""How often somebody who waits for a report is shown its progress."""
MAX_SILENT_CHECKS = 20
"""How many times they are shown nothing where a failed one is to be retried."""
PROGRESS_TIMEOUT_S = 600
"""How long progress is shown; an answer can be changed for a quarter of an hour."""

_progress_tasks: set[asyncio.Task[Any]] = set()
"""Those who tell somebody how far a report is."""


@command(group=match_group, order=90, direct=True)
@app_commands.describe(match="The number of the match (default: your latest)")
async def report(answer: InteractionAnswer, match: int | None = None) -> None:
    """Analyse a finished match and its worst errors."""
    number = await find_finished_match(answer.app, answer.person.id) if match is None else match
    await _show_report(answer, number)


@message_menu(name="What went wrong?")
async def report_shown(answer: InteractionAnswer, message: discord.Message) -> None:
    """See the report of the finished match that a message shows."""
    session = await load_shown_session(answer, message)
    await _show_report(answer, session.id)


async def _show_report(answer: InteractionAnswer, match: int) -> None:
    """Show a report, or have it made and tell how far it is."""
    session = await _load_finished_session(answer, match)
    app = answer.app
    found = await reports.load_report(app, session)
    if found is not None:
        await answer.send(await _build_report_card(answer, session, found))
        return
    await reports.enqueue_report(app, session, answer.asker)
    message = await answer.send_editable(
        report_progress_card(answer.reader, session, app.progress.get(match, 0.0))
    )
    # Nobody else's answer waits for it.
    task = asyncio.create_task(_show_progress(answer, message, session), name=f"report {match}")
    # The event loop holds tasks weakly: without this one could be collected while it waits.
    _progress_tasks.add(task)
    task.add_done_callback(_progress_tasks.discard)


async def _load_finished_session(answer: InteractionAnswer, match: int) -> MatchSession:
    session = await load_visible_session(answer.app, match, answer.guild, answer.person.id)
    require_over(session)
    return session


async def _show_progress(
    answer: InteractionAnswer, message: EphemeralMessage, session: MatchSession
) -> None:
    """Say how far a report is until it is there."""
    app = answer.app
    say = answer.reader
    shown = 0.0
    with log_answer_failures(answer.interaction):
        gone = 0
        for _ in range(round(PROGRESS_TIMEOUT_S / PROGRESS_INTERVAL_S)):
            await asyncio.sleep(PROGRESS_INTERVAL_S)
            share = app.progress.get(session.id)
            if share is None:
                # Between two tries of a failed job nothing says how far it is, so silence is no end
                # yet.
                gone += 1
                if gone > MAX_SILENT_CHECKS or await reports.load_report(app, session):
                    break
            elif share > shown:
                shown = share
                await message.edit(report_progress_card(say, session, share))
        found = await reports.load_report(app, session)
        await message.edit(
            report_failure_card(say, session)
            if found is None
            else await _build_report_card(answer, session, found)
        )


async def _build_report_card(
    answer: InteractionAnswer, session: MatchSession, found: MatchReport
) -> Card:
    sides = session.find_sides(answer.person.id) or tuple(Side)
    happened = await loading.load_history(answer.app, session.row)
    moments = {}
    for number, error in enumerate(found.list_worst_errors(sides), 1):
        turn = review_turn(found, happened, found.find_turn(error))
        assert turn is not None
        # The button under the report says why a moment is not shown.
        with suppress(PositionInPlayError):
            await require_free_position(answer.app, answer.person.id, turn.before, exact=True)
            moments[number] = turn
    return report_card(answer.reader, session, ReaderReport(found, sides, moments))


@press(REPORT, direct=True)
async def show_report(answer: InteractionAnswer, match: int) -> None:
    """Show a report."""
    await _show_report(answer, match)


@press(REVIEW, direct=True)
async def show_turn(answer: InteractionAnswer, match: int, turn: int, how: str) -> None:
    """Show one turn of a reported match; the turn that somebody looked at before gives way."""
    session = await _load_finished_session(answer, match)
    found, reviewed = await _review(answer, session, turn)
    # A report that was made again by a later version may list fewer turns than its buttons.
    if found is None or reviewed is None:
        await answer.send(report_failure_card(answer.reader, session))
        return
    await require_free_position(answer.app, answer.person.id, reviewed.before, exact=True)
    card = turn_review_card(answer.reader, session, found, reviewed)
    if how in OPENING:
        await answer.send(card)
    else:
        await answer.edit_message(card)


async def _review(
    answer: InteractionAnswer, session: MatchSession, turn: int
) -> tuple[MatchReport | None, ReviewedTurn | None]:
    found = await reports.load_report(answer.app, session)
    happened = await loading.load_history(answer.app, session.row)
    return found, review_turn(found, happened, turn) if found else None


@press(PLAY_ON, direct=True)
async def play_from_turn(answer: InteractionAnswer, match: int, turn: int) -> None:
    """Begin a match against the computer where a turn of a reported match began."""
    session = await _load_finished_session(answer, match)
    _, reviewed = await _review(answer, session, turn)
    if reviewed is None or reviewed.opening is None:
        await answer.send(report_failure_card(answer.reader, session))
        return
    before = reviewed.before
    terms = MatchTerms(before.game, before.options, reviewed.side, rated=False)
    await start_in_position(answer, terms, _find_level(session), reviewed.opening)


def _find_level(session: MatchSession) -> Level:
    """Return the level at which the computer played in a match, or else the default one."""
    levels = (get_computer_level(seat.person) for seat in session.row.seats)
    return next(filter(None, levels), DEFAULT_LEVEL)
