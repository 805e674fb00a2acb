"""The plays of a throw in Paume carie on one table, held to the rules written out by hand."""

from itertools import product

import pytest

from engine.games import GAMES
from engine.rules import Rules
from lab.solving.entering import HIGH, LOW, SPARE, Held, ThrowEnd, list_throw_plays, split
from tests.lab.solving.palm_by_hand import PalmTable, list_answers, list_plays

GAME = GAMES["paume-carie-one"]


def place_men(high: Held, low: Held, waiting: tuple[int, int]) -> PalmTable:
    """Return a table with such points, and on two others a man of each side, so nobody is done."""
    points = [(1, 0), (0, 1), *[(0, 0)] * 4]
    points[LOW - 1], points[HIGH - 1] = low, high
    return PalmTable(tuple(points), waiting, SPARE)


def measure_end(before: PalmTable, end: PalmTable) -> ThrowEnd:
    """Return what has become of a table, as the engine's plays have it."""
    return ThrowEnd(
        (end.points[HIGH - 1], end.points[LOW - 1]),
        (end.waiting[0] - before.waiting[0], end.waiting[1] - before.waiting[1]),
        (before.count_left(0) - end.count_left(0), before.count_left(1) - end.count_left(1)),
    )


def list_situations(rules: Rules, thrown: tuple[int, ...]) -> list[tuple[Held, Held]]:
    """List all that can stand on the points of a throw."""
    held = [split(rules, content) for content in range(2 * rules.men + 1)]
    return [*product(held, held if LOW in thrown else [(0, 0)])]


@pytest.mark.parametrize("unusable", ["lost", "opponent", "loses"])
@pytest.mark.parametrize(
    "thrown",
    [pytest.param((HIGH, LOW), marks=pytest.mark.sweep), (HIGH, HIGH), (HIGH,) * 4],
    ids=str,
)
def test_every_throw_with_all_men_is_played_as_by_hand(
    thrown: tuple[int, ...], unusable: str
) -> None:
    doubles = "twice" if len(thrown) > 2 else "again"
    rules = GAME.resolve_rules({"doubles": doubles, "unusable": unusable})
    # More men than a throw has numbers wait as just as many do.
    most = len(thrown)
    counts = range(most + 2)
    for (high, low), waiting in product(list_situations(rules, thrown), product(counts, counts)):
        before = place_men(high, low, waiting)
        by_hand = set()
        for left, end in list_plays(before, thrown):
            answers = list_answers(end, left if unusable == "opponent" else ())
            first, *others = (measure_end(before, answer) for answer in answers)
            by_hand.add((len(left), first, frozenset({first, *others})))
        few = min(waiting[0], most), min(waiting[1], most)
        plays = list_throw_plays(rules, (high, low), few, thrown)
        assert {(each.left, each.ends[0], frozenset(each.ends)) for each in plays} == by_hand
        assert all(each.borne == each.ends[0].borne[0] for each in plays)
