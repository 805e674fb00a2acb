"""Reports: /match report, the button under a finished match, and those that lead through it."""

import asyncio
from typing import Any

from discord import app_commands

from bot.features.challenges.terms import MatchTerms
from bot.features.computer.commands import start_in_position
from bot.features.hints.guard import require_free_position
from bot.features.matches import loading
from bot.features.matches.loading import load_visible_session
from bot.features.matches.lookup import find_finished_match
from bot.features.matches.session import MatchSession, require_over
from bot.features.reports import service as reports
from bot.features.reports.cards import (
    report_card,
    report_failure_card,
    report_progress_card,
    turn_review_card,
)
from bot.features.reports.controls import OPENING, PLAY_ON, REPORT, REVIEW
from bot.features.reports.review import ReviewedTurn, review_turn
from bot.features.reports.service import MatchReport
from bot.platform.computers import DEFAULT_LEVEL, get_computer_level
from bot.platform.ui.answers import EphemeralMessage, InteractionAnswer, log_answer_failures
from bot.platform.ui.card import Card
from bot.platform.ui.declarations import command, press
from bot.platform.ui.groups import match_group
from engine.players.level import Level

PROGRESS_INTERVAL_S = 1.0
"""How often somebody who waits for a report is shown its progress."""
MAX_SILENT_CHECKS = 20
"""How many times they are shown nothing where a failed one is to be retried."""
PROGRESS_TIMEOUT_S = 600
"""How long progress is shown; an answer can be changed for a quarter of an hour."""

_progress_tasks: set[asyncio.Task[Any]] = set()
"""Those who tell somebody how far a report is."""


@command(group=match_group, direct=True)
@app_commands.describe(match="The number of the match (default: your latest)")
async def report(answer: InteractionAnswer, match: int | None = None) -> None:
    """Analyse a finished match and its worst errors."""
    number = await find_finished_match(answer.app, answer.person.id) if match is None else match
    await _show_report(answer, number)


async def _show_report(answer: InteractionAnswer, match: int) -> None:
    """Show a report, or have it made and tell how far it is."""
    session = await _load_finished_session(answer, match)
    app = answer.app
    found = await reports.load_report(app, session)
    if found is not None:
        await answer.send(report_card(answer.reader, session, found))
        return
    await reports.enqueue_report(app, session, answer.asker)
    told = await answer.send_editable(
        report_progress_card(answer.reader, session, app.progress.get(match, 0.0))
    )
    # Nobody else's answer waits for it.
    task = asyncio.create_task(_show_progress(answer, told, session), name=f"report {match}")
    # The event loop holds tasks weakly: without this one could be collected while it waits.
    _progress_tasks.add(task)
    task.add_done_callback(_progress_tasks.discard)


async def _load_finished_session(answer: InteractionAnswer, match: int) -> MatchSession:
    session = await load_visible_session(answer.app, match, answer.guild, answer.person.id)
    require_over(session)
    return session


async def _show_progress(
    answer: InteractionAnswer, told: EphemeralMessage, session: MatchSession
) -> None:
    """Tell how far a report is until it is there."""
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
                await told.edit(report_progress_card(say, session, share))
        await told.edit(
            _choose_report_card(answer, session, await reports.load_report(app, session))
        )


def _choose_report_card(
    answer: InteractionAnswer, session: MatchSession, found: MatchReport | None
) -> Card:
    if found is None:
        return report_failure_card(answer.reader, session)
    return report_card(answer.reader, session, found)


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
