"""What is solved of Twelve Dogs, held to the rules written out by hand."""

from itertools import combinations_with_replacement, product
from random import Random

import numpy as np
import pytest

from engine.games import GAMES
from engine.players.variants import format_options
from engine.rules import Rules
from lab.solving.figures import list_readings, load_figures
from lab.solving.one_table import HELD, SolvedTable, solve_table, sort_table
from tests.lab.solving.by_hand import Table, average_dogs, judge_dogs

EQUAL = 1e-9
DOGS = GAMES["twelve-dogs"]


def resolve_reading(win: str, unusable: str) -> Rules:
    """Return the engine's rules for a reading."""
    return DOGS.resolve_rules({"win": win, "unusable": unusable})


def find_equity(solved: SolvedTable, table: Table) -> float:
    """Return what the side that is to throw can expect, a win counting 1."""
    at = solved.tables.index(table)
    return float(solved.wins[at] - solved.losses[at])


@pytest.mark.parametrize("options", [*list_readings(DOGS)], ids=format_options)
def test_a_table_is_worth_what_a_throw_by_hand_makes_of_it_and_is_stored(
    options: dict[str, str],
) -> None:
    win, unusable = options["win"], options["unusable"]
    solved = solve_table(resolve_reading(win, unusable))
    start = solved.tables.index((HELD[0],) * 6)
    stored = load_figures()[DOGS.slug][format_options(options)]
    assert stored["win"] == pytest.approx(solved.wins[start], abs=EQUAL)
    assert stored["loss"] == pytest.approx(solved.losses[start], abs=EQUAL)
    # The games end, so only one value of all tables is worth what the throws make of it.
    worth = {table: find_equity(solved, table) for table in solved.tables}
    shuffled = Random(1283).sample([*product(HELD, repeat=6)], 1000)
    for table in (*combinations_with_replacement(HELD, 6), *shuffled):
        if judge_dogs(table, win) is None:
            average = average_dogs(table, win, unusable, lambda each: worth[sort_table(each)])
            assert worth[sort_table(table)] == pytest.approx(average, abs=EQUAL)
        else:
            assert sort_table(table) not in worth


@pytest.mark.sweep
@pytest.mark.parametrize(("win", "unusable"), [("most", "lost"), ("all-six", "loses")])
def test_points_may_change_places(win: str, unusable: str) -> None:
    rules = resolve_reading(win, unusable)
    by_kind, each = solve_table(rules), solve_table(rules, whole=True)
    known = {table: at for at, table in enumerate(by_kind.tables)}
    alike = [known[sort_table(table)] for table in each.tables]
    np.testing.assert_allclose(each.wins, by_kind.wins[alike], rtol=0, atol=EQUAL)
    np.testing.assert_allclose(each.losses, by_kind.losses[alike], rtol=0, atol=EQUAL)


def test_numbers_of_no_use_are_of_none_to_the_other_side_either() -> None:
    lost, opponent = (solve_table(resolve_reading("most", each)) for each in ("lost", "opponent"))
    assert lost.wins.tolist() == opponent.wins.tolist()


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
