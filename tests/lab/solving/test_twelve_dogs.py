"""What is solved of Twelve Dogs, held to the rules written out by hand."""

from functools import cache

import numpy as np
import pytest

from engine.games import GAMES
from engine.players.files import file_name
from engine.players.variants import format_options, identify_setting
from engine.rules import Rules
from lab.solving.figures import list_readings, load_figures
from lab.solving.one_table import SolvedTable, Table, solve_table, sort_table
from tests.lab.solving.by_hand import DogsByHand, enter_dogs
from tests.lab.solving.shipped import HALF_A_STEP, load_shipped

EQUAL = 1e-9
DOGS = GAMES["twelve-dogs"]


def resolve_reading(win: str, unusable: str) -> Rules:
    """Return the engine's rules for a reading."""
    return DOGS.resolve_rules({"win": win, "unusable": unusable})


def find_equity(solved: SolvedTable, table: Table) -> float:
    """Return what the side that is to throw can expect, a win counting 1."""
    at = solved.tables.index(table)
    return float(solved.wins[at] - solved.losses[at])


@cache
def list_by_hand() -> DogsByHand:
    """List all throws once for all tests."""
    return DogsByHand()


@pytest.mark.parametrize("options", [*list_readings(DOGS)], ids=format_options)
def test_every_table_is_worth_what_a_throw_by_hand_makes_of_it_and_is_stored(
    options: dict[str, str],
) -> None:
    win, unusable = options["win"], options["unusable"]
    rules = resolve_reading(win, unusable)
    solved = solve_table(rules)
    by_hand = list_by_hand()
    going_on = np.isnan(by_hand.judge(win))
    # A table is solved once for all orders of its points; by hand each order is a table of its own.
    tables = {table: number for number, table in enumerate(solved.tables)}
    alike = np.array([tables.get(sort_table(table), -1) for table in by_hand.tables])
    assert np.array_equal(alike >= 0, going_on)
    # The games end, so only one value of all tables is worth what the throws make of it.
    chances = solved.wins[alike], solved.losses[alike]
    averages = by_hand.average_throws(win, unusable, *chances)
    codes = [bytes(sorted(mine + 3 * other for mine, other in each)) for each in solved.tables]
    shipped = load_shipped(file_name(*identify_setting(rules)), codes)
    stored = load_figures()[DOGS.slug][format_options(options)]
    for name, found, average, rounded in zip(
        ("win", "loss"), chances, averages, shipped, strict=True
    ):
        np.testing.assert_allclose(found[going_on], average[going_on], rtol=0, atol=EQUAL)
        assert np.abs(rounded[alike] - found)[going_on].max() < HALF_A_STEP
        assert stored[name] == pytest.approx(found[0], abs=EQUAL)


def test_numbers_of_no_use_are_of_none_to_the_other_side_either() -> None:
    # So to lose them or to offer them is the same game.
    by_hand = list_by_hand()
    left = 0
    for row, ends in zip(by_hand.useless, by_hand.after, strict=True):
        for useless, end in zip(row, ends, strict=True):
            left += bool(useless)
            assert enter_dogs(by_hand.tables[end], useless) == (by_hand.tables[end], useless)
    assert left > 100_000


def test_another_man_never_harms() -> None:
    # On every point one man more of one's own, or one less of the other side's, is no worse.
    solved = solve_table(resolve_reading("most", "lost"))
    ranks = {(0, 2): 0, (0, 1): 1, (0, 0): 2, (1, 0): 3, (2, 0): 4}
    names = {rank: held for held, rank in ranks.items()}
    equity = {table: find_equity(solved, table) for table in solved.tables}
    compared = 0
    for table in solved.tables:
        for at, held in enumerate(table):
            better = names.get(ranks[held] + 1)
            if better is not None:
                other = sort_table((*table[:at], better, *table[at + 1 :]))
                if other in equity:
                    compared += 1
                    assert equity[other] >= equity[table] - EQUAL
    assert compared > 500
