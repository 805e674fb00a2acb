"""Random games of the compiled kernel.

Their group is that of the games of the engine and of engines in C and C++.
"""

from random import Random

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from engine.games import GAMES
from tests.bench.test_plays import RANDOM

pytestmark = pytest.mark.bench


@pytest.mark.parametrize("slug", GAMES)
def test_random_games_of_the_kernel(benchmark: BenchmarkFixture, slug: str) -> None:
    pytest.importorskip("numba", reason="the extra `train` is not installed")
    from lab.training.layout import AT_RANDOM
    from lab.training.workshop import Workshop

    benchmark.group = RANDOM
    shop = Workshop(GAMES[slug].resolve_rules({}), 16, 7)
    ended = benchmark.pedantic(
        lambda: shop.match_policies(10, AT_RANDOM, first=AT_RANDOM), rounds=20, warmup_rounds=1
    )  # type: ignore[no-untyped-call]
    benchmark.extra_info["throws"] = ended.turns
    assert ended.games == 10
    assert shop.overflows == 0


def test_reference_gnubg_s_backgammon(benchmark: BenchmarkFixture) -> None:
    benchmark.group = RANDOM
    gnubg = pytest.importorskip("gnubg_nn", reason="gnubg_nn is not installed")
    chance = Random(7)
    side = [0] * 25
    side[23], side[12], side[7], side[5] = 2, 5, 3, 5

    def play() -> None:
        for _ in range(10):
            board = side, side
            while any(board[0]):
                keys = gnubg.moves(board, chance.randint(1, 6), chance.randint(1, 6))
                # Positions after a play are seen by the side that has played it.
                other, mine = gnubg.board_from_position_key(chance.choice(keys)) if keys else board
                board = mine, other

    benchmark.pedantic(play, rounds=20, warmup_rounds=1)  # type: ignore[no-untyped-call]
