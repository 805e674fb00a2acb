"""The worker processes in which the computer thinks, and what they do.

They start when needed, and are replaced when one dies or takes too long. A worker receives the
state of a match; it knows no store and no dice to come.
"""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, fields
from importlib import import_module
from multiprocessing.process import BaseProcess
from typing import Any, NamedTuple

from bot.platform.lines import NOBODY, Asker, FairLine
from bot.platform.workers import (
    COSTLY_NICENESS,
    IDLE_NICENESS,
    WORKER_NICENESS,
    Worker,
    WorkerGroup,
    WorkerTimeoutError,
)
from engine.events import Event
from engine.games import find_game
from engine.match import DECISION_PHASES, Match
from engine.players.evaluation import Evaluation, ExplainedProspect, Prospect, StepAnalysis
from engine.players.level import Level
from engine.position import Side

_LEFT_OUT = ("game", "rules", "before", "starts")
"""What of a match is known by its game's name, or is past."""


@dataclass(frozen=True, slots=True)
class MatchPayload:
    """A match as a worker receives it: its game by name and edition, and the rest of its state."""

    game: str
    edition: int
    table: Mapping[str, Any]


def pack_match(match: Match) -> MatchPayload:
    """Return a match in the form that a worker receives."""
    table = {
        field.name: getattr(match, field.name)
        for field in fields(match)
        if field.name not in _LEFT_OUT
    }
    return MatchPayload(match.game.slug, match.game.edition, table)


def unpack_match(message: MatchPayload) -> Match:
    """Return the match that a worker received."""
    game = find_game(message.game, message.edition)
    return Match(game=game, rules=game.resolve_rules(message.table["options"]), **message.table)


def preload_engine() -> None:
    """Load what thinking needs, so that the first answer does not wait for it."""
    import_module("engine.players.decide")


def choose_event(message: MatchPayload, level: Level, seed: int) -> Event | None:
    """Return what the computer does now; None if it asks for the throw."""
    # Load the nets and their library here, where they are needed first, and never in the program.
    from engine.players.decide import decide_event

    return decide_event(unpack_match(message), level, seed)


def accepts_draw(message: MatchPayload, side: Side) -> bool:
    """Return whether the computer takes a draw that its side is offered."""
    from engine.players.decide import is_draw_acceptable

    return is_draw_acceptable(unpack_match(message), side)


class Assessment(NamedTuple):
    """The best things that may be done, best first, and the evaluation for the one who acts.

    Where nothing is to be decided there are none, and the evaluation is the mean over all throws.
    It is `solved` where nothing that may be done is estimated, or the best wins for certain.
    """

    best: Sequence[ExplainedProspect]
    evaluation: Evaluation
    solved: bool


def assess_match(message: MatchPayload, most: int) -> Assessment:
    """Return the best things that may be done now, and why; at most so many."""
    from engine.players import comparison
    from engine.players.one_ply import evaluate_one_ply
    from engine.players.prospects import find_best

    match = unpack_match(message)
    best: Sequence[ExplainedProspect] = ()
    if match.phase in DECISION_PHASES:
        best = comparison.explain_decisions(match, most)
    if not best:
        evaluation = evaluate_one_ply(match, match.turn)
        return Assessment(best, evaluation, evaluation.exact)
    evaluation = best[0].evaluation
    # Hardly ever is it exact, and only then all are looked at once more.
    return Assessment(best, evaluation, evaluation.exact and find_best(match).evaluation.exact)


def evaluate_match(message: MatchPayload) -> Evaluation:
    """Return the 1-ply evaluation of a match for the side that acts."""
    from engine.players.one_ply import evaluate_one_ply

    match = unpack_match(message)
    return evaluate_one_ply(match, match.turn)


def evaluate_events(message: MatchPayload, events: Sequence[Event]) -> Sequence[Evaluation]:
    """Return the 1-ply evaluation of things that may be done now for the side that acts."""
    from engine.players import comparison

    return comparison.evaluate_events(unpack_match(message), events)


def rank_plays(message: MatchPayload) -> Sequence[Prospect]:
    """Return everything that may be played now, best first, as far as 1-ply looks."""
    from engine.players.decide import rank_decisions

    match = unpack_match(message)
    return rank_decisions(match, len(match.plays))


_analyses: dict[int, Iterator[StepAnalysis]] = {}
"""The matches that this worker judges, by number."""


def start_analysis(
    match: int,
    game: str,
    edition: int,
    options: Mapping[str, str],
    events: Sequence[Event],
    known: Sequence[StepAnalysis],
) -> None:
    """Begin to judge a match; what is known of it is not judged again."""
    from engine.players.analysis import analyse_steps

    # One at a time: what was begun of another is continued by nobody.
    _analyses.clear()
    _analyses[match] = analyse_steps(find_game(game, edition), options, events, known)


def continue_analysis(match: int, seconds: float) -> list[StepAnalysis]:
    """Go on judging a match for about so long, and return what that came to; nothing at its end."""
    ends = time.monotonic() + seconds
    some = []
    for each in _analyses[match]:
        # An empty answer means the end, so at least one step is judged, however long it takes.
        some.append(each)
        if time.monotonic() > ends:
            break
    return some


MAX_WORKERS = 4
BUDGET_S = 60.0
"""The longest that anything may take, from when a worker begins with it."""
LEISURE_S = 3600.0
"""The same of what nobody waits for: on a busy machine hardly any time may be left for it."""
PROGRESS_S = 0.5
"""How often a long piece of work says how far it is."""


class PlayerPool:
    """The workers. Nothing runs before something is asked, nor after `close`.

    Those that play do nothing else: what one person asks about a position is costly work.
    """

    def __init__(self, workers: int | None = None, budget_s: float = BUDGET_S) -> None:
        self._budget_s = budget_s
        size = workers or min(os.cpu_count() or 1, MAX_WORKERS)
        self._players = WorkerGroup(size, budget_s, WORKER_NICENESS)
        self._judge: Worker | None = None
        self._idle: Worker | None = None
        # A report keeps a core busy for a long time; a second one beside it would slow the play.
        self._judging = FairLine(1)

    async def decide(
        self, match: Match, level: Level, seed: int, asker: Asker = NOBODY
    ) -> Event | None:
        """Return what the computer does at a level; None if it asks for the throw.

        Raises WorkerTimeoutError.
        """
        return await self._players.run(asker, choose_event, pack_match(match), level, seed)

    async def accepts_draw(self, match: Match, side: Side, asker: Asker = NOBODY) -> bool:
        """Return whether the computer takes a draw that its side is offered.

        Raises WorkerTimeoutError.
        """
        return await self._players.run(asker, accepts_draw, pack_match(match), side)

    async def analyse_match(
        self,
        match: int,
        start: Match,
        events: Sequence[Event],
        known: Sequence[StepAnalysis] = (),
        asker: Asker = NOBODY,
    ) -> AsyncIterator[Sequence[StepAnalysis]]:
        """Yield the judgement of each throw and decision of a finished match, some at a time.

        What is `known` is not judged again. One match is judged after another, in a worker of its
        own, since others wait for those that play. Raises WorkerTimeoutError, or BrokenProcessPool
        if the worker dies.
        """
        async with self._judging.hold(asker):
            judge = self._judge = Worker(COSTLY_NICENESS)
            try:
                async for some in self._analyse_in(
                    judge, self._budget_s, match, start, events, known
                ):
                    yield some
            finally:
                self._judge = None
                # Also when the caller stops listening: the worker would judge on for nobody.
                judge.kill()

    async def analyse_at_leisure(
        self,
        match: int,
        start: Match,
        events: Sequence[Event],
        known: Sequence[StepAnalysis],
    ) -> AsyncIterator[Sequence[StepAnalysis]]:
        """Yield the same of a match that nobody waits for, which may be going on.

        A worker does it that has what time all others leave, and stays for the next; only one may
        be asked for at a time. Raises what `analyse_match` does.
        """
        idle = self._idle = self._idle or Worker(IDLE_NICENESS)
        try:
            async for some in self._analyse_in(idle, LEISURE_S, match, start, events, known):
                yield some
        except (BrokenProcessPool, WorkerTimeoutError, asyncio.CancelledError):
            self.end_idle_worker()
            raise

    def end_idle_worker(self) -> None:
        """End the worker of `analyse_at_leisure`; another begins when it is needed."""
        if self._idle is not None:
            self._idle.kill()
            self._idle = None

    async def _analyse_in(
        self,
        worker: Worker,
        budget_s: float,
        match: int,
        start: Match,
        events: Sequence[Event],
        known: Sequence[StepAnalysis],
    ) -> AsyncIterator[Sequence[StepAnalysis]]:
        game, options = start.game, dict(start.options)
        begun = match, game.slug, game.edition, options, list(events), list(known)
        await worker.run(budget_s, start_analysis, *begun)
        # Some at a time: each request has the full budget, and the person sees the progress.
        while some := await worker.run(budget_s, continue_analysis, match, PROGRESS_S):
            yield some

    def start_workers(self) -> None:
        """Start the workers because there will soon be something to think about."""
        self._players.start(preload_engine)

    @property
    def processes(self) -> list[BaseProcess]:
        """The workers that there are."""
        others = (self._judge, self._idle)
        return [
            *self._players.processes,
            *(process for worker in others if worker for process in worker.list_processes()),
        ]

    def close(self) -> None:
        """End every worker."""
        self._players.close()
        if self._judge is not None:
            self._judge.kill()
        self.end_idle_worker()
