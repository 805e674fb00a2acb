"""How far evaluations err is measured, and measured right."""

from collections.abc import Sequence
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("numba", reason="the extra `train` is not installed")

from engine.games import GAMES
from engine.match import Phase
from engine.players.files import WEIGHTS
from engine.players.midgame import build_match
from engine.players.nets import find_net, get_net
from engine.players.one_ply import evaluate_one_ply
from engine.players.requests import evaluate_position
from lab.studies.errors import (
    ErrorMeasurement,
    EvaluationError,
    load_errors,
    save_errors,
    store_error,
)
from lab.training import errors as measuring
from lab.training import layout as at
from lab.training.errors import (
    SOLVERS,
    ErrorPlan,
    Evaluator,
    Values,
    estimate_error,
    list_positions,
    measure_errors,
    roll_out,
)
from lab.training.layout import Row
from lab.training.matches import Bound, LuckMeter
from lab.training.report import format_errors
from lab.training.rows import read_row
from lab.training.studies import hash_weights
from lab.training.workshop import MAX_TURNS, Workshop, assign_policy, build_workshop

PLAN = ErrorPlan(WEIGHTS, Bound(40, 600), 30)


def draw_positions(slug: str) -> tuple[Workshop, list[Row]]:
    rules = GAMES[slug].resolve_rules({})
    shop = build_workshop(rules, find_net(rules, WEIGHTS), 1)
    return shop, list(list_positions(shop, np.random.default_rng(1), 10))[:40]


def roll_out_all(
    shop: Workshop, rows: Sequence[Row], count: int, luck: LuckMeter | None = None
) -> Values:
    """Play so many rollouts from every position, to the end."""
    evaluator = Evaluator(shop)
    assign_policy(shop.desk.book, at.BY_NET)
    return np.array(
        [[roll_out(shop, row, evaluator, MAX_TURNS, luck) for _ in range(count)] for row in rows]
    )


def test_an_estimate_finds_the_errors_beneath_the_luck_of_rollouts() -> None:
    chance = np.random.default_rng(1)
    worth = chance.uniform(-1, 1, 1000)
    values = worth[:, None] + chance.normal(0, 1, (1000, 100))
    found = estimate_error(worth + 0.03 + chance.normal(0, 0.08, 1000), values)
    assert found.bias == pytest.approx(0.03, abs=4 * found.bias_error)
    assert found.low < 0.08 < found.high
    assert found.deviation == pytest.approx(0.08, abs=0.02)
    # Without an error of its own an evaluation is as far off as the luck of a hundred rollouts.
    exact = estimate_error(worth, values)
    assert exact.low == 0
    assert exact.deviation < 0.04
    assert np.std(worth - values.mean(axis=1)) > 0.09
    # Of a solved game there is one value a position.
    assert estimate_error(worth + 0.5, worth[:, None]).typical == pytest.approx(0.5, abs=1e-4)


@pytest.mark.parametrize("slug", ["backgammon", "paume-carie-two"])
def test_positions_are_evaluated_as_the_players_do(slug: str) -> None:
    game = GAMES[slug]
    rules = game.resolve_rules({})
    shop, rows = draw_positions(slug)
    evaluator = Evaluator(shop)
    for row in rows[:6]:
        position = read_row(rules, row, 0)
        match = build_match(game, rules, position)
        assert match.phase is Phase.THROW
        assert evaluator.evaluate(row) == pytest.approx(
            evaluate_position(rules, position).points, abs=1e-4
        )
        assert evaluator.evaluate_one_ply(row) == pytest.approx(
            evaluate_one_ply(match, position.turn).points, abs=1e-4
        )


@pytest.mark.parametrize("slug", SOLVERS)
def test_rollouts_find_what_the_solved_games_know(slug: str) -> None:
    shop, rows = draw_positions(slug)
    rules = GAMES[slug].resolve_rules({})
    find_value = SOLVERS[slug](rules)
    known = np.array([find_value(read_row(rules, row, 0)) for row in rows])
    found = roll_out_all(shop, rows, 200)
    own = found.std(axis=1, ddof=1) / 200**0.5
    assert np.all(np.abs(known - found.mean(axis=1)) < 4.5 * own + 0.01)
    error = estimate_error(known, found)
    assert abs(error.bias) < 4 * error.bias_error
    assert error.low < 0.02


def test_rollouts_without_luck_come_to_the_same() -> None:
    shop, rows = draw_positions("backgammon")
    plain = roll_out_all(shop, rows, 60)
    adjusted = roll_out_all(shop, rows, 10, LuckMeter())
    both = plain.std() / plain.size**0.5 + adjusted.std() / adjusted.size**0.5
    assert abs(plain.mean() - adjusted.mean()) < 4 * both


def test_a_rollout_that_is_stopped_is_worth_what_the_net_says_then() -> None:
    shop, rows = draw_positions("backgammon")
    evaluator = Evaluator(shop)
    assign_policy(shop.desk.book, at.BY_NET)
    for row in rows[:8]:
        assert roll_out(shop, row, evaluator, 0, None) == evaluator.evaluate(row)
        worth = roll_out(shop, row, evaluator, 1, None)
        end = shop.desk.nodes[at.GAME : at.GAME + at.ROW]
        # One turn has handed the dice on.
        assert end[at.TURN] != row[at.TURN]
        if end[at.OUTCOME] == at.GOING_ON:
            assert worth == -evaluator.evaluate(end)


def test_the_same_seed_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring, "GAMES_SAMPLED", 10)
    plan = replace(PLAN, bound=Bound(10, 600), rollouts=4)
    one, again = (measure_errors(GAMES["fallas"], plan) for _ in range(2))
    assert one is not None
    assert one == again
    assert (one.positions, one.rollouts, one.games, one.seconds) == (10, 4, 10, 600)
    # Fallas brings a point, won or lost.
    assert one.spread == pytest.approx(1, abs=0.01)
    # With less time the positions, and the spread, are the same.
    fewer = measure_errors(GAMES["fallas"], replace(plan, bound=Bound(10, 0)))
    assert fewer is not None
    assert (fewer.positions, fewer.spread) == (2, one.spread)
    assert one != measure_errors(GAMES["fallas"], replace(plan, seed=2))


def test_the_time_is_kept_and_a_game_without_a_net_has_no_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(measuring, "GAMES_SAMPLED", 10)
    found = measure_errors(GAMES["fallas"], replace(PLAN, bound=Bound(40, 0)))
    assert found is not None
    assert found.positions == 2
    assert measure_errors(GAMES["fallas"], replace(PLAN, nets=tmp_path)) is None


def test_what_is_measured_is_stored_and_told(tmp_path: Path) -> None:
    error = EvaluationError(-0.012, 0.003, 0.05, 0.04, 0.06)
    rolled = ErrorMeasurement(
        GAMES["zeno"].edition,
        "abc",
        1200,
        100,
        12,
        False,
        7,
        error,
        error,
        "2026-11-29",
        "c0ffee",
        games=50,
        seconds=60,
        spread=1.25,
    )
    exact = replace(rolled, edition=GAMES["doblet"].edition, rollouts=0, turns=0, seconds=0)
    other = replace(rolled, edition=99)
    path = tmp_path / "errors.json"
    save_errors({"zeno": rolled, "doblet": exact, "tabula": other}, path)
    # Figures of another edition hold no longer.
    assert load_errors(path) == {"zeno": rolled, "doblet": exact}
    assert rolled.zero_ply.typical == pytest.approx(0.0514, abs=1e-4)
    page = format_errors(load_errors(path))
    assert (
        "| Zeno | 1.25 | 100 rollouts of 12 turns | 1,200 | 0.050 (0.040-0.060) | -0.012 ± 0.003 | "
        "0.050 (0.040-0.060) | -0.012 ± 0.003 | "
        "2026-11-29 at `c0ffee`, seed 7, from 50 games, 60 s |"
    ) in page
    assert "| Doblet | 1.25 | the exact value | " in page
    assert "| 100 luck-adjusted rollouts of 12 turns |" in format_errors(
        {"zeno": replace(rolled, adjusted=True)}
    )
    assert format_errors({}) == ""


def store_some(slugs: Sequence[str], path: Path) -> None:
    error = EvaluationError(0.0, 0.1, 0.5, 0.4, 0.6)
    for slug in slugs:
        edition = GAMES[slug].edition
        measured = ErrorMeasurement(edition, "abc", 9, 9, 9, False, 7, error, error)
        store_error(slug, measured, path)


def test_what_another_run_measures_meanwhile_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "errors.json"
    runs = [
        get_context("fork").Process(target=store_some, args=([*GAMES][first::3], path))
        for first in range(3)
    ]
    for run in runs:
        run.start()
    for run in runs:
        run.join()
        assert run.exitcode == 0
    assert {*load_errors(path)} == {*GAMES}


def test_the_errors_are_of_the_nets_that_are_here() -> None:
    errors = load_errors()
    assert {*SOLVERS} < {*errors}
    for slug, each in errors.items():
        net = get_net(GAMES[slug].resolve_rules({}))
        assert net is not None
        assert each.net == hash_weights(net), f"`make errors ARGS='--only {slug}'` measures it anew"
