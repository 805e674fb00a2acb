"""What is solved of Paume carie on one table, held to the turn machine and to the rules by hand."""

import os
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from importlib.util import find_spec
from itertools import permutations, product
from math import comb
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pytest

from engine.events import Left, Passed, Played, Thrown
from engine.games import GAMES
from engine.match import Match, Phase, apply_unchecked
from engine.players.evaluation_rows import POINTS, WIN
from engine.players.files import STEPS
from engine.players.large_tables import open_large_table
from engine.position import Position, Side
from engine.rules import Rules
from lab.solving.figures import PALM, PALM_MEN, load_figures, name_reading
from tests.lab.solving.palm_by_hand import PalmByHand, PalmReading, PalmTable, list_tables

if TYPE_CHECKING or find_spec("numba"):
    from lab.solving import palm, tables
    from lab.solving.palm import SolvedPalm

pytest.importorskip("numba", reason="the extra `train` is not installed")

EQUAL = 1e-9
FEW = 4
DRAWN = 100
MANY_DRAWN = 2000
"""How many tables are drawn where there are too many to go through."""

GAME = GAMES["paume-carie-one"]
READINGS = [
    PalmReading(*names)
    for names in product(*([value.name for value in option.values] for option in GAME.options))
]
SOLVES_ALL = "TABULA_SOLVE_ALL" in os.environ
"""Whether to take minutes of a processor more, and for every man 3 GB."""
AT_LENGTH = [
    reading
    for reading in READINGS
    if SOLVES_ALL
    or (reading.players, reading.bearing) == ("1", "exact")
    or (reading.doubles, reading.unusable) == ("again", "lost")
]
"""Readings that are gone through with more men: those that are usual in one respect."""


def resolve_reading(reading: PalmReading, men: int) -> Rules:
    """Return the engine's rules for a reading, with so many men a side."""
    rules = GAME.resolve_rules(vars(reading))
    sides = (replace(side, start=f"hand{men}") for side in (rules.gold, rules.black))
    gold, black = sides
    return replace(rules, men=men, gold=gold, black=black)


def place_table(rules: Rules, table: PalmTable) -> Position:
    """Return a table as a position with gold to throw."""
    sides = []
    for side in (0, 1):
        men = bytearray(rules.board.no_men)
        for place, point in zip(rules.course(Side.GOLD), table.points, strict=True):
            men[place] = point[side]
        men[rules.board.hand] = table.waiting[side]
        men[rules.board.off] = rules.men - sum(men)
        sides.append(bytes(men))
    return Position(sides[0], sides[1], Side.GOLD)


def draw_table(chance: Random, men: int) -> PalmTable:
    """Return some table on which neither side is done."""
    while True:
        held = [(0, 0), (0, 0), (1, 0), (0, 1), (1, 0), (0, 1), (2, 0), (0, 2), (3, 0), (0, 3)]
        if men > FEW:
            # More than the numbers of a throw can take away.
            held += [(men - 1, 0), (0, men - 1), (men, 0), (0, men)]
        points = tuple(chance.choice(held) for _ in range(6))
        stand = [sum(point[side] for point in points) for side in (0, 1)]
        if max(stand) <= men:
            first, second = (chance.randint(0, min(FEW, men - count)) for count in stand)
            table = PalmTable(points, (first, second), men)
            if table.count_left(0) and table.count_left(1):
                return table


@cache
def solve(reading: PalmReading, men: int = FEW, *, counts_men: bool = False) -> "SolvedPalm":
    """Solve a reading with so many men a side."""
    return palm.solve_palm(resolve_reading(reading, men), counts_men=counts_men)


def evaluate(solved: "SolvedPalm", table: PalmTable, player: int = 0) -> float:
    """Return the value of a table for the side that is to throw, by one of its players."""
    return solved.evaluate(place_table(solved.rules, table), player)


@cache
def list_by_hand(bearing: str, men: int) -> PalmByHand:
    """List all throws with so many men a side once for all tests."""
    return PalmByHand(list_tables(men), bearing)


@cache
def draw_by_hand(bearing: str, men: int, drawn: int = DRAWN) -> PalmByHand:
    """List all throws from some tables, no two alike, once for all tests."""
    chance = Random(1)
    tables = dict.fromkeys(draw_table(chance, men) for _ in range(drawn))
    return PalmByHand([*tables], bearing)


@cache
def find_places(by_hand: PalmByHand) -> npt.NDArray[np.int64]:
    """Return where the solver keeps the values of the tables by hand, of the first player."""
    solved = solve(READINGS[0], by_hand.tables[0].men)
    numbered = replace(solved, values=np.arange(len(solved.values), dtype=float)[:, None])
    return np.array([evaluate(numbered, table) for table in by_hand.tables], np.int64)


def find_values(solved: "SolvedPalm", by_hand: PalmByHand) -> npt.NDArray[np.float64]:
    """Return the values of the tables by hand, by player."""
    every = solved.values[:, 0].reshape(solved.rules.players, -1)
    return np.array(every[:, find_places(by_hand)])


@pytest.mark.parametrize(
    ("men", "reading"),
    [
        *product([2], READINGS),
        *(pytest.param(3, reading, marks=pytest.mark.sweep) for reading in AT_LENGTH),
    ],
    ids=str,
)
@pytest.mark.parametrize("counts_men", [False, True])
def test_every_table_is_solved_alike_by_hand(
    men: int, reading: PalmReading, counts_men: bool
) -> None:
    solved = solve(reading, men, counts_men=counts_men)
    by_hand = list_by_hand(reading.bearing, men)
    for player, values in enumerate(solved.values[:, 0].reshape(solved.rules.players, -1)):
        assert sorted(find_places(by_hand)) == np.flatnonzero(~np.isnan(values)).tolist(), player
    values = by_hand.solve(reading, counts_men=counts_men)
    np.testing.assert_allclose(find_values(solved, by_hand), values, rtol=0, atol=EQUAL)


def hold_to_throws(
    solved: "SolvedPalm", reading: PalmReading, by_hand: PalmByHand, *, counts_men: bool
) -> None:
    """Hold tables to what a throw by hand makes of them."""
    values = find_values(solved, by_hand)
    averages = by_hand.average_throws(reading, values, counts_men=counts_men)
    np.testing.assert_allclose(values[:, : averages.shape[1]], averages, rtol=0, atol=EQUAL)


@pytest.mark.parametrize(
    "build_by_hand",
    [
        draw_by_hand,
        pytest.param(
            # All of them are 40,016, and take two minutes of a processor.
            list_by_hand if SOLVES_ALL else partial(draw_by_hand, drawn=MANY_DRAWN),
            marks=pytest.mark.sweep,
        ),
    ],
    ids=["some", "many"],
)
@pytest.mark.parametrize("reading", AT_LENGTH, ids=str)
@pytest.mark.parametrize("counts_men", [False, True])
def test_a_table_with_more_men_is_worth_what_a_throw_by_hand_makes_of_it(
    build_by_hand: Callable[[str, int], PalmByHand], reading: PalmReading, counts_men: bool
) -> None:
    # With fewer men hardly a choice makes a difference.
    solved = solve(reading, counts_men=counts_men)
    hold_to_throws(solved, reading, build_by_hand(reading.bearing, FEW), counts_men=counts_men)


@pytest.mark.parametrize(
    ("reading", "men"),
    [
        (PalmReading(bearing="farthest", unusable="opponent"), 2 + 4),
        (PalmReading("2", "farthest", "twice"), 4 + 3),
    ],
    ids=str,
)
def test_more_men_on_a_point_than_numbers_can_take_are_counted(
    reading: PalmReading, men: int
) -> None:
    draw = draw_by_hand(reading.bearing, men)
    hold_to_throws(solve(reading, men), reading, draw, counts_men=False)


def follow(solved: "SolvedPalm", match: Match, side: Side) -> float:
    """Return what a match is worth to a side as the turn machine goes on to the next throw."""
    if match.outcome:
        return 1 if match.outcome.winner is side else -1
    if match.phase is Phase.THROW:
        value = solved.evaluate(match.position, match.player)
        return value if match.turn is side else -value
    ways = [Played(play.moves) for play in match.plays]
    after = [apply_unchecked(match, each) for each in ways]
    if match.phase is Phase.OFFER:
        after.append(apply_unchecked(match, Left()))
    elif not ways:
        after.append(apply_unchecked(match, Passed()))
    choose = max if match.turn is side else min
    return choose(follow(solved, each, side) for each in after)


@pytest.mark.parametrize("reading", AT_LENGTH, ids=str)
def test_a_table_is_worth_what_the_turn_machine_makes_of_it(reading: PalmReading) -> None:
    solved = solve(reading)
    rules = solved.rules
    chance = Random(2)
    for at in (1, 2):
        position = place_table(rules, draw_table(chance, FEW))
        # The last player, after whom the other side throws, and another where there is one.
        player = -at % rules.players
        match = Match(
            game=GAME,
            options={},
            rules=rules,
            position=position,
            phase=Phase.THROW,
            player=player,
        )
        average = np.mean(
            [
                follow(solved, apply_unchecked(match, Thrown(thrown)), Side.GOLD)
                for thrown in product(range(1, 7), repeat=2)
            ]
        )
        assert solved.evaluate(position, player) == pytest.approx(average, abs=EQUAL)


def test_points_may_change_places_only_ad_fallum() -> None:
    # The higher of two numbers comes first where only one can be played, so it matters on which
    # point a single man may be hit; ad fallum the game is then lost anyway.
    table = PalmTable(((0, 1), (2, 0), (0, 0), (0, 0), (0, 0), (0, 2)), (1, 1), FEW)
    orders = [PalmTable(points, table.waiting, FEW) for points in permutations(table.points)]
    for reading, alike in ((PalmReading(), False), (PalmReading(unusable="loses"), True)):
        values = [evaluate(solve(reading), each) for each in orders]
        assert (max(values) - min(values) < EQUAL) is alike


def test_a_man_who_waits_may_be_worth_more_than_one_borne_off() -> None:
    # He may still hit: four single men of the other side, and nothing but a stack of one's own.
    points = ((0, 1), (0, 0), (0, 1), (3, 0), (0, 1), (0, 1))
    waiting, done = (PalmTable(points, (men, 0), FEW) for men in (1, 0))
    solved = solve(PalmReading())
    assert evaluate(solved, waiting) > evaluate(solved, done) + 0.02


@pytest.mark.parametrize(
    "reading",
    [
        PalmReading(),
        PalmReading(unusable="loses"),
        PalmReading("3", unusable="loses"),
        PalmReading("2", "farthest", unusable="opponent"),
    ],
    ids=str,
)
@pytest.mark.parametrize("counts_men", [False, True])
def test_games_of_the_best_player_come_out_as_it_is_said_to_fare(
    reading: PalmReading, counts_men: bool
) -> None:
    solved = solve(reading, counts_men=counts_men)
    start = solved.rules.start_position
    games = 250_000
    tally = palm.play_games(solved.problem, solved.values, games, 5, True, True)
    win = solved.win(start)
    assert abs(tally.wins / games - win) < 4 * (win * (1 - win) / games) ** 0.5
    if counts_men:
        points = solved.evaluate(start)
        spread = (tally.squares / games - points**2) ** 0.5
        assert abs(tally.points / games - points) < 4 * spread / games**0.5
    else:
        assert win == (1 + solved.evaluate(start)) / 2


def test_who_plays_by_chance_wins_less_from_either_seat() -> None:
    solved = solve(PalmReading())
    first, best, second = (
        palm.play_games(solved.problem, solved.values, 1_000_000, 5, *skilled)
        for skilled in ((False, True), (True, True), (True, False))
    )
    assert first.wins < best.wins < second.wins


def test_a_table_that_is_written_has_every_value_to_half_a_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    solved = solve(PalmReading(), counts_men=True)
    monkeypatch.setattr(tables, "AT_ONCE", 1000)
    path = tmp_path / "few" / "few.npy"
    tables.write_large_table(path, FEW, solved.values)
    assert [*path.parent.iterdir()] == [path]
    table = open_large_table(solved.rules, path)
    chance = Random(4)
    for _ in range(200):
        position = place_table(solved.rules, draw_table(chance, FEW))
        mine, theirs = (np.array([list(men)], np.uint8) for men in (position.gold, position.black))
        (row,) = table.evaluate(Side.GOLD, mine, theirs)
        assert row[POINTS] == pytest.approx(solved.evaluate(position), abs=FEW / STEPS)
        assert row[WIN] == pytest.approx(solved.win(position), abs=0.5001 / STEPS)


def check_stored(reading: PalmReading, men: int) -> "SolvedPalm":
    """Solve a reading, hold it to the stored value, and return it."""
    stored = load_figures()[PALM][str(men)][name_reading(GAME, vars(reading))]
    solved = palm.solve_palm(resolve_reading(reading, men))
    assert stored["states"] == len(solved.values)
    win = (1 + solved.evaluate(solved.rules.start_position)) / 2
    assert stored["win"] == pytest.approx(win, abs=EQUAL)
    return solved


@pytest.mark.parametrize(
    "reading",
    [*READINGS[:3], PalmReading("2"), PalmReading("3"), PalmReading(bearing="farthest")],
    ids=str,
)
def test_readings_are_worth_what_is_stored(reading: PalmReading) -> None:
    check_stored(reading, PALM_MEN[0])


def test_all_is_solved_but_where_a_side_is_done() -> None:
    solved = check_stored(PalmReading(), PALM_MEN[0])
    # The other side's men are then anywhere: on six points, waiting, or borne off.
    done = 2 * comb(PALM_MEN[0] + 7, 7) - 1
    assert np.isnan(solved.values).sum() == done


@pytest.mark.skipif(
    not SOLVES_ALL,
    reason="takes ten minutes of a processor and 3 GB; TABULA_SOLVE_ALL=1 runs it",
)
def test_with_every_man_it_is_worth_what_is_stored_and_what_a_throw_by_hand_makes_of_it() -> None:
    men = GAME.rules.men
    reading = PalmReading()
    solved = check_stored(reading, men)
    hold_to_throws(solved, reading, draw_by_hand(reading.bearing, men), counts_men=False)


def test_three_dice_are_not_solved() -> None:
    with pytest.raises(ValueError, match="only two dice"):
        palm.build_problem(replace(GAME.rules, dice=replace(GAME.rules.dice, count=3)))
