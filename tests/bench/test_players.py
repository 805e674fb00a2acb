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
from engine.match import Match, Phase, follow, new_match
from engine.moves import legal_plays
from engine.players import nets
from engine.players.ahead import ahead
from engine.players.analysis import analyse
from engine.players.boards import ends_of
from engine.players.chances import every_throw
from engine.players.decide import decide
from engine.players.level import Level
from engine.players.net import Net, save
from engine.players.prospects import best
from engine.players.seen import seen
from engine.playout import next_event
from engine.position import Side
from engine.rules import Game
from tests.engine.players.drive import some_net

pytestmark = pytest.mark.bench

DICE = {"two dice": "backgammon", "three dice": "zeno"}
"""A game with so many dice."""

HIDDEN = 64
"""Hidden units of the net: what it has learnt makes no difference to what it costs."""

JUDGED = 30
"""Events of a recorded match."""


@dataclass(frozen=True)
class Recorded:
    """What happened in a match."""

    game: Game
    events: Sequence[Event]

    def thrown(self) -> Iterator[Match]:
        """Yield the match after each throw that might have come, wherever one came."""
        match = new_match(self.game, {})
        for event in self.events:
            if match.phase is Phase.THROW:
                yield from (
                    follow(match, Thrown(thrown)) for thrown, _ in every_throw(match.rules.dice)
                )
            match = follow(match, event)


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
    with_some_net(slug, tmp_path, monkeypatch)
    chance = Random(7)
    match = new_match(GAMES[slug], {})
    found: list[Match] = []
    while len(found) < 40:
        match = match if match.outcome is None else new_match(GAMES[slug], {})
        if match.phase is Phase.PLAY and len(match.plays) > 1:
            found.append(match)
        match = match.apply(decide(match, Level.COMPANION, 1) or next_event(match, chance))
    return found


def with_some_net(slug: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a game be judged by a net of the usual size."""
    monkeypatch.setattr(nets, "WEIGHTS", folder)
    save(net_of(slug), folder / f"{slug}.npz")
    nets.net_for.cache_clear()
    nets.net_in.cache_clear()


def net_of(slug: str) -> Net:
    """A net of the usual size."""
    return some_net(GAMES[slug].rules, hidden=HIDDEN)


def test_choices_among_listed_plays(benchmark: BenchmarkFixture, moments: list[Match]) -> None:
    benchmark(lambda: [best(match) for match in moments])


def test_reference_the_bare_net_over_the_same_plays(
    benchmark: BenchmarkFixture, moments: list[Match]
) -> None:
    net = net_of(moments[0].game.slug)
    rules = moments[0].rules
    rows = [seen(rules, ends_of(match), Side.GOLD) for match in moments]
    judged = benchmark(lambda: [net.evaluate(each).win for each in rows])
    assert sum(map(len, judged)) == sum(len(match.plays) for match in moments)


def test_reference_listing_the_same_plays(
    benchmark: BenchmarkFixture, moments: list[Match]
) -> None:
    listed = benchmark(lambda: [legal_plays(match.rules, match.position) for match in moments])
    assert sum(map(len, listed)) == sum(len(match.plays) for match in moments)


def test_the_luck_of_one_throw(benchmark: BenchmarkFixture, moments: list[Match]) -> None:
    before = [match.apply(best(match).event) for match in moments[:5]]
    waiting = [match for match in before if match.phase is Phase.THROW]
    benchmark.pedantic(
        lambda: [ahead(match, match.turn) for match in waiting], rounds=3, warmup_rounds=1
    )  # type: ignore[no-untyped-call]
    benchmark.extra_info["throws"] = len(waiting)


@pytest.fixture(params=DICE)
def recorded(
    request: pytest.FixtureRequest,
    benchmark: BenchmarkFixture,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Recorded:
    """The beginning of a companions' game, as it was recorded."""
    slug = DICE[request.param]
    benchmark.group = f"a match's report, {request.param}"
    with_some_net(slug, tmp_path, monkeypatch)
    chance = Random(7)
    match = new_match(GAMES[slug], {})
    events: list[Event] = []
    while len(events) < JUDGED and match.outcome is None:
        events.append(decide(match, Level.COMPANION, 1) or next_event(match, chance))
        match = follow(match, events[-1])
    return Recorded(GAMES[slug], events)


def test_judging_a_recorded_match(benchmark: BenchmarkFixture, recorded: Recorded) -> None:
    judged = benchmark.pedantic(  # type: ignore[no-untyped-call]
        lambda: list(analyse(recorded.game, {}, recorded.events)), rounds=3, warmup_rounds=1
    )
    assert judged


def test_reference_listing_the_plays_of_every_throw_that_might_have_come(
    benchmark: BenchmarkFixture, recorded: Recorded
) -> None:
    benchmark.pedantic(
        lambda: [len(match.plays) for match in recorded.thrown()], rounds=3, warmup_rounds=1
    )  # type: ignore[no-untyped-call]
    assert all(match.phase is not Phase.THROW for match in recorded.thrown())


def test_a_master_s_decision(benchmark: BenchmarkFixture, moments: list[Match]) -> None:
    benchmark.pedantic(
        lambda: [decide(match, Level.MASTER, 1) for match in moments[:5]], rounds=3, warmup_rounds=1
    )  # type: ignore[no-untyped-call]
    assert np.isfinite(best(moments[0]).worth.points)
