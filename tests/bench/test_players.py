"""What a computer player's evaluation costs.

It is compared with the bare arithmetic of its net and with listing the plays.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from engine.events import Event, Thrown
from engine.games import GAMES
from engine.match import Match, Phase, apply_unchecked, new_match
from engine.players import nets
from engine.players.analysis import analyse_steps
from engine.players.boards import stack_ends
from engine.players.chances import list_throws
from engine.players.decide import decide_event
from engine.players.input_arrays import build_inputs
from engine.players.level import Level
from engine.players.net import Net, save_net
from engine.players.one_ply import evaluate_one_ply
from engine.players.prospects import find_best
from engine.playout import choose_event
from engine.plays import list_legal_plays
from engine.position import Side
from engine.rules import Game
from tests.engine.players.drive import make_random_net

pytestmark = pytest.mark.bench

DICE = {"two dice": "backgammon", "three dice": "zeno"}
"""A game with so many dice."""

HIDDEN = 64
"""Hidden units of the net: what it has learnt makes no difference to what it costs."""

JUDGED = 30
"""Events of a recorded match."""


@dataclass(frozen=True)
class RecordedGame:
    """What happened in a match."""

    game: Game
    events: Sequence[Event]

    def iterate_throws(self) -> Iterator[Match]:
        """Yield the match after each throw that might have come, wherever one came."""
        match = new_match(self.game, {})
        for event in self.events:
            if match.phase is Phase.THROW:
                yield from (
                    apply_unchecked(match, Thrown(thrown))
                    for thrown, _ in list_throws(match.rules.dice)
                )
            match = apply_unchecked(match, event)


@pytest.fixture(params=DICE)
def moments(
    request: pytest.FixtureRequest,
    benchmark: BenchmarkFixture,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> list[Match]:
    """Forty throws of companions' games with something to decide, their plays listed beforehand."""
    slug = DICE[request.param]
    benchmark.group = f"forty throws, {request.param}"
    install_net(slug, tmp_path, monkeypatch)
    chance = Random(7)
    match = new_match(GAMES[slug], {})
    found: list[Match] = []
    while len(found) < 40:
        match = match if match.outcome is None else new_match(GAMES[slug], {})
        if match.phase is Phase.PLAY and len(match.plays) > 1:
            found.append(match)
        match = match.apply(decide_event(match, Level.COMPANION, 1) or choose_event(match, chance))
    return found


def install_net(slug: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a game be judged by a net of the usual size."""
    monkeypatch.setattr(nets, "WEIGHTS", folder)
    save_net(build_net(slug), folder / f"{slug}.npz")
    nets.get_net.cache_clear()
    nets.load_net_cached.cache_clear()


def build_net(slug: str) -> Net:
    """A net of the usual size."""
    return make_random_net(GAMES[slug].rules, hidden=HIDDEN)


def test_choices_among_listed_plays(benchmark: BenchmarkFixture, moments: list[Match]) -> None:
    benchmark(lambda: [find_best(match) for match in moments])


def test_reference_the_bare_net_over_the_same_plays(
    benchmark: BenchmarkFixture, moments: list[Match]
) -> None:
    net = build_net(moments[0].game.slug)
    rules = moments[0].rules
    rows = [build_inputs(rules, stack_ends(match), Side.GOLD) for match in moments]
    judged = benchmark(lambda: [net.evaluate(each).win for each in rows])
    assert sum(map(len, judged)) == sum(len(match.plays) for match in moments)


def test_reference_listing_the_same_plays(
    benchmark: BenchmarkFixture, moments: list[Match]
) -> None:
    listed = benchmark(lambda: [list_legal_plays(match.rules, match.position) for match in moments])
    assert sum(map(len, listed)) == sum(len(match.plays) for match in moments)


def test_the_luck_of_one_throw(benchmark: BenchmarkFixture, moments: list[Match]) -> None:
    before = [match.apply(find_best(match).event) for match in moments[:5]]
    waiting = [match for match in before if match.phase is Phase.THROW]
    benchmark.pedantic(
        lambda: [evaluate_one_ply(match, match.turn) for match in waiting],
        rounds=3,
        warmup_rounds=1,
    )  # type: ignore[no-untyped-call]
    benchmark.extra_info["throws"] = len(waiting)


@pytest.fixture(params=DICE)
def recorded(
    request: pytest.FixtureRequest,
    benchmark: BenchmarkFixture,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> RecordedGame:
    """The beginning of a companions' game, as it was recorded."""
    slug = DICE[request.param]
    benchmark.group = f"a match's report, {request.param}"
    install_net(slug, tmp_path, monkeypatch)
    chance = Random(7)
    match = new_match(GAMES[slug], {})
    events: list[Event] = []
    while len(events) < JUDGED and match.outcome is None:
        events.append(decide_event(match, Level.COMPANION, 1) or choose_event(match, chance))
        match = apply_unchecked(match, events[-1])
    return RecordedGame(GAMES[slug], events)


def test_judging_a_recorded_match(benchmark: BenchmarkFixture, recorded: RecordedGame) -> None:
    judged = benchmark.pedantic(  # type: ignore[no-untyped-call]
        lambda: list(analyse_steps(recorded.game, {}, recorded.events)), rounds=3, warmup_rounds=1
    )
    assert judged


def test_reference_listing_the_plays_of_every_throw_that_might_have_come(
    benchmark: BenchmarkFixture, recorded: RecordedGame
) -> None:
    benchmark.pedantic(
        lambda: [len(match.plays) for match in recorded.iterate_throws()], rounds=3, warmup_rounds=1
    )  # type: ignore[no-untyped-call]
    assert all(match.phase is not Phase.THROW for match in recorded.iterate_throws())


def test_a_master_s_decision(benchmark: BenchmarkFixture, moments: list[Match]) -> None:
    benchmark.pedantic(
        lambda: [decide_event(match, Level.MASTER, 1) for match in moments[:5]],
        rounds=3,
        warmup_rounds=1,
    )  # type: ignore[no-untyped-call]
    assert np.isfinite(find_best(moments[0]).evaluation.points)
