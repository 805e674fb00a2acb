"""Reports of how a finished match was played: luck and skill apart, worst errors, its course.

A report is made by a job when somebody first asks for it, and kept.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from bot.app import play, tasks
from bot.app.context import App
from bot.app.errors import Declined, Why
from bot.app.sitting import Sitting, require_over
from bot.store import QueuedJob
from engine.board import Board
from engine.events import from_record, to_record
from engine.players.worth import Judged, Worth
from engine.position import Side

FORMAT = 1
WORST = 3
"""Errors that a report shows."""
LEAST_ERROR = 0.005
"""Points below which something was as good as the best."""
MOST_WAITING = 8
"""Reports that may wait: they are made one at a time, and each holds a place among the jobs."""


@dataclass(frozen=True)
class Report:
    """How a match was played: every throw and decision judged, in order, and gold's points."""

    judged: Sequence[Judged]
    result: float

    def luck(self, side: Side) -> float:
        """Return what the throws of a side gave it, in points."""
        return sum(each.luck for each in self.judged if each.side is side)

    def lost(self, side: Side) -> float:
        """Return what a side gave away, in points."""
        return sum(each.error for each in self.decisions(side))

    def decisions(self, side: Side) -> Sequence[Judged]:
        """Return what a side decided."""
        return [each for each in self.judged if each.side is side and not each.thrown]

    @property
    def unexplained(self) -> float:
        """The part of gold's result that neither luck nor errors explain, in points.

        It is how far the judge errs.
        """
        luck = self.luck(Side.GOLD) - self.luck(Side.BLACK)
        lost = self.lost(Side.GOLD) - self.lost(Side.BLACK)
        return self.result - (self._before + luck - lost)

    @property
    def _before(self) -> float:
        """What the match was worth to gold before the first throw that was judged."""
        if not self.judged:
            return self.result
        first = self.judged[0]
        change = first.luck - first.error
        return first.worth.points - (change if first.side is Side.GOLD else -change)

    @cached_property
    def worst(self) -> Sequence[Judged]:
        """The worst errors, the worst first."""
        erred = [each for each in self.judged if each.error >= LEAST_ERROR]
        return sorted(erred, key=lambda each: -each.error)[:WORST]


async def kept(app: App, sitting: Sitting) -> Report | None:
    """Return a match's report; None if nobody has asked for it, or it is still being made."""
    document = await app.store.reports.get(sitting.id)
    # One of a later program is made anew.
    if document is None or document["format"] != FORMAT:
        return None
    return _read(sitting, document)


async def wish(app: App, sitting: Sitting, guild: int) -> None:
    """Enqueue a report of a finished match for the server where it is asked for.

    So the people who wait for it see its progress, wherever the match was played. Raises Declined
    while the match goes on, and if many others wait for reports.
    """
    require_over(sitting)
    if sitting.id not in app.progress:
        if len(app.progress) >= MOST_WAITING:
            raise Declined(Why.REPORTS_BUSY)
        app.progress[sitting.id] = 0.0
        try:
            added = await app.store.jobs.add(guild, [tasks.make_report(sitting.id, app.clock())])
        except BaseException:
            # It is not under way, then, and may be asked for again.
            del app.progress[sitting.id]
            raise
        app.take(added)


async def make(app: App, job: QueuedJob) -> None:
    """Judge a finished match and keep its report; `progress` says how far it is."""
    match = int(job.key)
    found: list[Judged] = []
    app.progress[match] = 0.0
    try:
        sitting = await play.load(app, match)
        events = [each.event for each in await play.history(app, sitting.row)]
        async for some in app.minds.judge(sitting.id, play.first(sitting.row), events):
            found += some
            app.progress[match] = found[-1].version / sitting.match.version
        now = app.clock()
        shown = tasks.show_luck(sitting.id, now)
        document = _written(sitting, found)
        app.take(
            await app.store.reports.keep(sitting.id, document, now, job, sitting.row.guild, [shown])
        )
    finally:
        app.progress.pop(match, None)


def _written(sitting: Sitting, found: Sequence[Judged]) -> dict[str, Any]:
    board = sitting.match.rules.board
    return {"format": FORMAT, "judged": [_row(each, board) for each in found]}


def _row(each: Judged, board: Board) -> dict[str, Any]:
    return {
        "version": each.version,
        "side": each.side.value,
        "thrown": each.thrown,
        "luck": each.luck,
        "error": each.error,
        "best": to_record(each.best, board) if each.best else None,
        "win": each.worth.win,
        "points": each.worth.points,
    }


def _read(sitting: Sitting, document: Mapping[str, Any]) -> Report:
    board = sitting.match.rules.board
    judged = [_judged(row, board) for row in document["judged"]]
    outcome = sitting.match.outcome
    assert outcome is not None
    if outcome.winner is None:
        return Report(judged, 0.0)
    return Report(judged, float(outcome.points if outcome.winner is Side.GOLD else -outcome.points))


def _judged(row: Mapping[str, Any], board: Board) -> Judged:
    return Judged(
        version=row["version"],
        side=Side(row["side"]),
        thrown=row["thrown"],
        luck=row["luck"],
        error=row["error"],
        best=from_record(row["best"], board) if row["best"] else None,
        worth=Worth(row["win"], row["points"]),
    )
