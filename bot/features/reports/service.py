"""Reports of how a finished match was played: luck and skill apart, worst errors, its course.

A report is made by a job when somebody first asks for it, and kept.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from bot.features.computer.pool import PlayerPool
from bot.features.matches import loading
from bot.features.matches.jobs import ShowMatch
from bot.features.matches.session import MatchSession, Transition, require_over
from bot.features.reports.idle_analysis import LeisureAnalysis
from bot.features.reports.store import Blunder, Reports
from bot.platform.context import App
from bot.platform.costly import RequestUnderWayError
from bot.platform.db.jobs import JobPayload, Subject
from bot.platform.db.rows import QueuedJob
from bot.platform.i18n.reader import DeclinedError, mark_text
from bot.platform.lines import Asker
from bot.platform.people import COMPUTERS
from engine.board import GameBoard
from engine.events import Event, Played, Resigned, SetUp, Thrown, from_record, to_record
from engine.games import has_newest_rules
from engine.match import Match, Phase
from engine.move import Move
from engine.notation import format_play
from engine.players.evaluation import Aspect, Evaluation, PlayReason, StepAnalysis
from engine.position import Side
from engine.position_text import format_position


class MakeReport(JobPayload, kind="report", about=Subject.MATCH):
    """Judge a finished match, and keep the report."""

    match: int


FORMAT = 3
WORST = 3
"""Errors that a report shows."""
MIN_ERROR = 0.02
"""Points below which a decision was barely worse than the best, and counts as no error."""
MIN_OPEN_CHANCE = 0.05
"""The chance to win that each side has while a game is open."""
BLUNDER = 0.08
"""Points from which on a play was so bad that its position becomes a puzzle."""
MAX_WAITING = 8
"""Reports that may wait: they are made one at a time, and each holds a place among the jobs."""
MAX_WAITING_HERE = 4
"""The same of one server, so that others have places too."""


class ReportsBusyError(DeclinedError):
    sentence = mark_text("I'm working on many reports right now. Please ask again in a minute.")


@dataclass(frozen=True, slots=True)
class TurnAnalysis:
    """A throw and what was decided with it; one of the two may be missing.

    A forced play decides nothing, and a choice or a resignation may come without a throw.
    """

    throw: StepAnalysis | None
    decision: StepAnalysis | None

    @property
    def last(self) -> StepAnalysis:
        """The later of the two, after which the turn is over."""
        found = self.decision or self.throw
        assert found is not None
        return found

    @property
    def is_error(self) -> bool:
        """Whether something was given away by it."""
        return self.decision is not None and is_error(self.decision)


@dataclass(frozen=True)
class MatchReport:
    """How a match was played: every throw and decision judged, in order, and gold's points."""

    judged: Sequence[StepAnalysis]
    result: float

    def sum_luck(self, side: Side) -> float:
        """Return what the throws of a side gave it, in points."""
        return sum(each.luck for each in self.judged if each.side is side)

    def list_decisions(self, side: Side) -> Sequence[StepAnalysis]:
        """Return what a side decided, but for giving up: a turn's whole play is one decision."""
        return [each for each in self.judged if _is_decision(each, side)]

    def list_open_decisions(self, side: Side) -> Sequence[StepAnalysis]:
        """Return what a side decided while neither was nearly certain to win."""
        return [
            each
            for each, before in self._iter_before()
            if _is_decision(each, side) and MIN_OPEN_CHANCE <= before.win <= 1 - MIN_OPEN_CHANCE
        ]

    def find_resignation(self, side: Side) -> StepAnalysis | None:
        """Return how a side gave the match up, if it did and gave something away by that."""
        return next(
            (
                each
                for each in self.judged
                if each.side is side and is_resignation(each) and is_error(each)
            ),
            None,
        )

    def find_evaluation_before(self, decision: StepAnalysis) -> Evaluation:
        """Return what the match was worth to a side before it decided."""
        return next(before for each, before in self._iter_before() if each is decision)

    def _iter_before(self) -> Iterator[tuple[StepAnalysis, Evaluation]]:
        """Yield what was judged, with what the match was worth to its side before."""
        # What a throw is worth is what the best play makes of it; at first both sides are equal.
        before = Evaluation(0.5, 0.0)
        for each in self.judged:
            yield each, before if each.side is Side.GOLD else before.opposite
            before = each.evaluation

    def list_evaluations(self, side: Side) -> Sequence[Evaluation]:
        """Return what the match was worth to a side after each throw and decision."""
        # Evaluations are gold's.
        gold = side is Side.GOLD
        return [each.evaluation if gold else each.evaluation.opposite for each in self.judged]

    @property
    def is_exact(self) -> bool:
        """Whether none of it is estimated."""
        return bool(self.judged) and all(each.exact for each in self.judged)

    @property
    def residual_points(self) -> float:
        """The part of gold's result that neither luck nor errors explain, in points.

        It is how far the judge errs.
        """
        # An error counts against its side.
        moved = sum(
            (each.luck - each.error) * (1 if each.side is Side.GOLD else -1) for each in self.judged
        )
        return self.result - (self._initial_equity + moved)

    @property
    def _initial_equity(self) -> float:
        """What the match was worth to gold before the first throw that was judged."""
        if not self.judged:
            return self.result
        first = self.judged[0]
        change = first.luck - first.error
        # An evaluation is gold's, while luck and error are those of the side that acted.
        return first.evaluation.points - (change if first.side is Side.GOLD else -change)

    @cached_property
    def turns(self) -> Sequence[TurnAnalysis]:
        """The turns of both sides in order."""
        found: list[TurnAnalysis] = []
        for each in self.judged:
            last = found[-1] if found else None
            if each.thrown:
                found.append(TurnAnalysis(each, None))
            elif last and last.decision is None and last.last.side is each.side:
                found[-1] = TurnAnalysis(last.throw, each)
            else:
                found.append(TurnAnalysis(None, each))
        return found

    def find_turn(self, decision: StepAnalysis) -> int:
        """Return the number of the turn of a decision, from 1."""
        return next(at for at, turn in enumerate(self.turns, 1) if turn.decision is decision)

    def find_next_error(self, number: int) -> int | None:
        """Return the number of the next turn after that one in which somebody erred, if any."""
        return next(
            (at for at, turn in enumerate(self.turns, 1) if at > number and turn.is_error), None
        )

    def list_worst_errors(self, sides: Sequence[Side]) -> Sequence[StepAnalysis]:
        """Return the worst errors of some sides, the worst first."""
        erred = [each for side in sides for each in self.list_decisions(side) if is_error(each)]
        return sorted(erred, key=lambda each: -each.error)[:WORST]


def _is_decision(each: StepAnalysis, side: Side) -> bool:
    return each.side is side and not each.thrown and not is_resignation(each)


def is_resignation(each: StepAnalysis) -> bool:
    """Whether a side gave the match up by a decision."""
    return any(isinstance(event, Resigned) for event in each.done)


def is_error(each: StepAnalysis) -> bool:
    """Whether something was given away by a decision."""
    return each.error >= MIN_ERROR


async def load_report(app: App, session: MatchSession) -> MatchReport | None:
    """Return a match's report; None if nobody has asked for it, or it is still being made."""
    document = await app.store.get(Reports).load_report(session.id)
    # One of a later program is made again.
    if document is None or document["format"] != FORMAT:
        return None
    return _decode_report(session, document)


class ReportRequests:
    """The reports that are being made here, and who has asked for each."""

    def __init__(self) -> None:
        self.askers: dict[int, Asker] = {}


async def enqueue_report(app: App, session: MatchSession, asker: Asker) -> None:
    """Enqueue a report of a finished match for the server where it is asked for.

    So the people who wait for it see its progress, wherever the match was played. Raises
    DeclinedError while the match goes on, for somebody who waits for another report, and if many
    others wait for reports.
    """
    require_over(session)
    # Requests for a report that is being made wait for the same one.
    if session.id not in app.progress:
        askers = app.get_part(ReportRequests).askers
        if any(each.person == asker.person for each in askers.values()):
            raise RequestUnderWayError
        here = sum(each.party == asker.party for each in askers.values())
        if len(app.progress) >= MAX_WAITING or here >= MAX_WAITING_HERE:
            raise ReportsBusyError
        # Set before the first await, so that a second request does not enqueue it again.
        app.progress[session.id] = 0.0
        askers[session.id] = asker
        try:
            job = MakeReport(session.id).build_job(app.clock())
            added = await app.store.jobs.enqueue(asker.guild, [job])
        except BaseException:
            # It is not under way, then, and may be asked for again.
            _forget_request(app, session.id)
            raise
        app.take(added)


def _forget_request(app: App, match: int) -> None:
    app.progress.pop(match, None)
    app.get_part(ReportRequests).askers.pop(match, None)


async def create_report(app: App, match: int, job: QueuedJob) -> None:
    """Judge a finished match and keep its report, the job done; `progress` says how far it is."""
    # Again here: after a restart the job goes on without anybody having asked.
    app.progress[match] = 0.0
    try:
        session = await loading.load_session(app, match)
        found = await _analyse_match(app, session, Asker(job.guild, match))
        now = app.clock()
        shown = ShowMatch(session.id, luck=True).build_job(now)
        document = _build_document(session, found)
        happened = await loading.load_history(app, session.row)
        bad = list_blunders(session, happened, found)
        app.take(
            await app.store.get(Reports).save(
                session.id, document, now, job, session.row.guild, [shown], bad
            )
        )
        app.get_part(LeisureAnalysis).forget(match)
    finally:
        # Also after a failure: a retry sets it again, and meanwhile others may ask.
        _forget_request(app, match)


def list_blunders(
    session: MatchSession, happened: Sequence[Transition], found: Sequence[StepAnalysis]
) -> list[Blunder]:
    """Return the plays by which people gave much away, as puzzles for those who made them.

    A match that was played by other rules than its game has now gives none, as its positions could
    not be played now.
    """
    blunders: list[Blunder] = []
    if not has_newest_rules(session.match.game, session.match.options):
        return blunders
    for each in found:
        before = happened[each.first].before
        done, best = each.done[:1], each.best[:1]
        if each.error < BLUNDER or not _are_plays(*done, *best):
            continue
        person = session.list_players_at(each.side, before.version)[before.acting_player[1]]
        if person not in COMPUTERS and isinstance(done[0], Played):
            play = format_play(done[0].moves, before.rules, before.position)
            blunders.append(Blunder(person, session.id, each.first, play, each.error))
    return blunders


def _are_plays(*events: Event) -> bool:
    return len(events) == 2 and all(isinstance(event, Played) for event in events)


async def _analyse_match(app: App, session: MatchSession, asker: Asker) -> Sequence[StepAnalysis]:
    """Judge what was not judged while the match was played."""
    known = app.get_part(LeisureAnalysis).get(session.id)
    if known.version == session.match.version:
        return known.found
    found: list[StepAnalysis] = []
    events = await loading.load_events(app, session.row)
    async for some in app.get_part(PlayerPool).analyse_match(
        session.id, loading.build_initial_match(session.row), events, known.found, asker
    ):
        found += some
        app.progress[session.id] = found[-1].version / session.match.version
    return found


def _build_document(session: MatchSession, found: Sequence[StepAnalysis]) -> dict[str, Any]:
    board = session.match.rules.board
    return {"format": FORMAT, "judged": [_encode_row(each, board) for each in found]}


def _encode_row(each: StepAnalysis, board: GameBoard) -> dict[str, Any]:
    return {
        "first": each.first,
        "version": each.version,
        "side": each.side.value,
        "thrown": each.thrown,
        "luck": each.luck,
        "error": each.error,
        "done": [to_record(event, board) for event in each.done],
        "best": [to_record(event, board) for event in each.best],
        "win": each.evaluation.win,
        "points": each.evaluation.points,
        "reasons": [asdict(reason) for reason in each.reasons],
        **({"exact": True} if each.exact else {}),
        **({"exact_after": True} if each.evaluation.exact else {}),
    }


def _decode_report(session: MatchSession, document: Mapping[str, Any]) -> MatchReport:
    board = session.match.rules.board
    judged = [_decode_row(row, board) for row in document["judged"]]
    outcome = session.match.outcome
    assert outcome is not None
    if outcome.winner is None:
        return MatchReport(judged, 0.0)
    return MatchReport(
        judged, float(outcome.points if outcome.winner is Side.GOLD else -outcome.points)
    )


def _decode_row(row: Mapping[str, Any], board: GameBoard) -> StepAnalysis:
    return StepAnalysis(
        first=row["first"],
        version=row["version"],
        side=Side(row["side"]),
        thrown=row["thrown"],
        luck=row["luck"],
        error=row["error"],
        done=tuple(from_record(event, board) for event in row["done"]),
        best=tuple(from_record(event, board) for event in row["best"]),
        # Reports of earlier programs say it of a whole step alone.
        evaluation=Evaluation(
            row["win"], row["points"], row.get("exact_after", row.get("exact", False))
        ),
        reasons=tuple(
            PlayReason(**{**reason, "aspect": Aspect(reason["aspect"])})
            for reason in row["reasons"]
        ),
        exact=row.get("exact", False),
    )


@dataclass(frozen=True, slots=True)
class ReviewedTurn:
    """A turn by its number, from 1: the match before its play, and what was done.

    `opening` begins another match where this turn does; it is None where nothing was to be decided.
    `luck` is None where nothing was thrown, `error` where nothing was to be decided. `best` is the
    best alternative, `reasons` say in what that differs, and `evaluation` is that of the match for
    the side after the turn. All of it is `exact` where nothing of the turn is estimated.
    """

    number: int
    side: Side
    before: Match
    done: tuple[Event, ...]
    best: tuple[Event, ...]
    luck: float | None
    error: float | None
    evaluation: Evaluation
    is_error: bool
    opening: SetUp | None
    reasons: tuple[PlayReason, ...] = ()
    exact: bool = False


def review_turn(
    report: MatchReport, happened: Sequence[Transition], number: int
) -> ReviewedTurn | None:
    """Return a turn of a match; None if it has no turn of that number."""
    if not 0 < number <= len(report.turns):
        return None
    turn = report.turns[number - 1]
    throw, decision = turn.throw, turn.decision
    side = turn.last.side
    evaluation = turn.last.evaluation
    if decision:
        before, done, best = happened[decision.first].before, decision.done, decision.best
    else:
        before = happened[turn.last.version - 1].after
        done, best = _find_forced_play(before, happened[turn.last.version :]), ()
    return ReviewedTurn(
        number=number,
        side=side,
        before=before,
        done=done,
        best=best,
        luck=throw.luck if throw else None,
        error=decision.error if decision else None,
        # Evaluations are gold's.
        evaluation=evaluation if side is Side.GOLD else evaluation.opposite,
        is_error=decision is not None and is_error(decision),
        opening=_find_opening(happened, decision.first) if decision else None,
        reasons=decision.reasons if decision else (),
        exact=all(each.exact for each in (throw, decision) if each),
    )


def _find_opening(happened: Sequence[Transition], first: int) -> SetUp | None:
    """Return how a match begins with the throw of a decision; None where others threw it."""
    before = happened[first].before
    if before.rules.players > 1 or before.phase not in (Phase.CHOOSE, Phase.PLAY):
        return None
    for each in reversed(happened[:first]):
        if isinstance(each.event, SetUp | Thrown):
            at = each.after if isinstance(each.event, SetUp) else each.before
            position = at.position._replace(dice=())
            return SetUp(format_position(position, at.rules), each.event.dice)
    return None


def _find_forced_play(before: Match, later: Sequence[Transition]) -> tuple[Event, ...]:
    """Return the play that a throw forced, if anything could be played."""
    moves: list[Move] = []
    for each in later:
        # What cannot be played may be offered to the other side, which is a turn of its own.
        if (each.before.turn, each.before.drawn) != (before.turn, before.drawn):
            break
        if isinstance(each.event, Played):
            moves += each.event.moves
    return (Played(tuple(moves)),) if moves else ()
