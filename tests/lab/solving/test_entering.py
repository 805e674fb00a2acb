"""The plays of a throw in Paume carie on one table, held to the rules written out by hand."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice, product
from random import Random

import pytest

from engine.games import GAMES
from engine.rules import Rules, UnusableRule
from lab.solving.entering import (
    HIGH,
    LOW,
    SHUT,
    SPARE,
    Held,
    MenElsewhere,
    ThrowEnd,
    join,
    list_throw_plays,
    list_views,
    lower_content,
    split,
)
from tests.lab.solving.palm_by_hand import PalmTable, list_answers, list_plays

GAME = GAMES["paume-carie-one"]

BELOW, LOWER, BETWEEN, HIGHER, ABOVE = 0, 3, 4, 7, 8
"""Where points begin in a table by hand: below, the lower number's, and so on.

There are more than six, so that both sides may have men everywhere at once.
"""
POINTS = 10
DRAWN = 1500

Situation = tuple[tuple[Held, Held], tuple[int, int], tuple[MenElsewhere, MenElsewhere]]


def place_men(
    held: tuple[Held, Held], waiting: tuple[int, int], views: tuple[MenElsewhere, MenElsewhere]
) -> PalmTable:
    """Return a table with such men elsewhere; two of the first side stand on different points."""
    points = [[0, 0] for _ in range(POINTS)]
    points[HIGHER][:], points[LOWER][:] = held
    for side, view in enumerate(views):
        points[ABOVE + side][side] = view.above
        for begin, men in ((BETWEEN, view.between), (BELOW, view.below)):
            # Of three points the last one is for the other side.
            points[begin + 2 * side][side] += men
            if men == 2 and not side:
                points[begin][0] -= 1
                points[begin + 1][0] += 1
    return PalmTable(tuple((mine, theirs) for mine, theirs in points), waiting, SPARE)


def count_range(table: PalmTable, begin: int, end: int, side: int) -> int:
    """Count a side's men on some points in a row."""
    return sum(point[side] for point in table.points[begin:end])


def measure_end(before: PalmTable, end: PalmTable) -> ThrowEnd:
    """Return what has become of a table, as the engine's plays have it."""
    mine, theirs = (
        (
            count_range(before, BETWEEN, HIGHER, side) - count_range(end, BETWEEN, HIGHER, side),
            count_range(before, BELOW, LOWER, side) - count_range(end, BELOW, LOWER, side),
        )
        for side in (0, 1)
    )
    return ThrowEnd(
        (end.points[HIGHER], end.points[LOWER]),
        (end.waiting[0] - before.waiting[0], end.waiting[1] - before.waiting[1]),
        (before.count_left(0) - end.count_left(0), before.count_left(1) - end.count_left(1)),
        (mine, theirs),
    )


def lower_view(view: MenElsewhere, free: int, bearing: str) -> MenElsewhere:
    """Return what of a view makes a difference to so many numbers."""
    if bearing == "exact" or view.above or free <= 0:
        return SHUT
    return MenElsewhere(0, min(view.between, free), min(view.below, free))


def raise_end(
    rules: Rules, end: ThrowEnd, held: tuple[Held, Held], lowered: tuple[Held, Held]
) -> ThrowEnd:
    """Return an end with those men on its points who made no difference to it."""
    # By their contents, as the compiled code has it.
    high, low = (
        split(rules, join(rules, each) + join(rules, was) - join(rules, few))
        for each, was, few in zip(end.held, held, lowered, strict=True)
    )
    return replace(end, held=(high, low))


def hold_to_hand(
    rules: Rules, bearing: str, thrown: tuple[int, ...], situations: Iterable[Situation]
) -> None:
    """Hold what the tables have of some throws to what is played by hand."""
    most = len(thrown)
    by_hand_numbers = tuple(HIGHER + 1 if number == HIGH else LOWER + 1 for number in thrown)
    spare = replace(rules, men=SPARE)
    is_offered = rules.unusable is UnusableRule.OPPONENT
    for held, waiting, views in situations:
        before = place_men(held, waiting, views)
        by_hand = set()
        for left, end in list_plays(before, by_hand_numbers, bearing):
            answers = list_answers(end, left if is_offered else (), bearing)
            first, *others = (measure_end(before, answer) for answer in answers)
            by_hand.add((len(left), first, frozenset({first, *others})))
        # More men than a throw has numbers wait, or stand anywhere, as just as many do.
        few = min(waiting[0], most), min(waiting[1], most)
        high, low = (split(spare, lower_content(spare, join(spare, each), most)) for each in held)
        seen, seen_other = (
            lower_view(view, most - count, bearing) for view, count in zip(views, few, strict=True)
        )
        assert seen in list_views(rules, thrown, few[0])
        assert seen_other in list_views(rules, thrown, few[1])
        plays = list_throw_plays(rules, (high, low), few, thrown, (seen, seen_other))
        assert {
            (
                each.left,
                raise_end(spare, each.ends[0], held, (high, low)),
                frozenset(raise_end(spare, end, held, (high, low)) for end in each.ends),
            )
            for each in plays
        } == by_hand
        assert all(each.borne == each.ends[0].borne[0] for each in plays)


def resolve_throw(thrown: tuple[int, ...], unusable: str, bearing: str) -> Rules:
    """Return the rules by which such a throw is made."""
    doubles = "twice" if len(thrown) > 2 else "again"
    return GAME.resolve_rules({"doubles": doubles, "unusable": unusable, "bearing": bearing})


def list_held(thrown: tuple[int, ...], contents: Iterable[Held]) -> Iterator[tuple[Held, Held]]:
    """List all that can stand on the points of a throw."""
    held = [*contents]
    return product(held, held if LOW in thrown else [(0, 0)])


@pytest.mark.parametrize("unusable", ["lost", "opponent", "loses"])
@pytest.mark.parametrize(
    "thrown",
    [pytest.param((HIGH, LOW), marks=pytest.mark.sweep), (HIGH, HIGH), (HIGH,) * 4],
    ids=str,
)
def test_every_throw_with_all_men_is_played_as_by_hand(
    thrown: tuple[int, ...], unusable: str
) -> None:
    rules = resolve_throw(thrown, unusable, "exact")
    counts = range(len(thrown) + 2)
    contents = (split(rules, content) for content in range(2 * rules.men + 1))
    hold_to_hand(
        rules,
        "exact",
        thrown,
        (
            (held, waiting, (SHUT, SHUT))
            for held, waiting in product(list_held(thrown, contents), product(counts, counts))
        ),
    )


def draw_situations(rules: Rules, thrown: tuple[int, ...], bearing: str) -> Iterator[Situation]:
    """Yield some of all that may matter to a throw, and up to one man more of each kind.

    The other side's men elsewhere only matter where it may use the numbers.
    """
    chance = Random(3)
    most = len(thrown)
    counts = range(most + 2)
    contents = [
        (0, 0),
        *(split(rules, side * rules.men + men) for side in (0, 1) for men in range(1, most + 4)),
    ]
    # With exact bearing a man above only sees to it that his side isn't done.
    above = (0, 1) if bearing == "farthest" else (1,)
    views = [
        MenElsewhere(*each) for each in product(above, counts if LOW in thrown else [0], counts)
    ]
    while True:
        waiting = chance.choice(counts), chance.choice(counts)
        view, view_other = chance.choice(views), chance.choice(views)
        each = (
            (chance.choice(contents), chance.choice(contents) if LOW in thrown else (0, 0)),
            waiting,
            (view, view_other if rules.unusable is UnusableRule.OPPONENT else SHUT),
        )
        table = place_men(*each)
        if table.count_left(0) and table.count_left(1):
            yield each


@pytest.mark.parametrize("unusable", ["lost", "opponent", "loses"])
@pytest.mark.parametrize("thrown", [(HIGH, LOW), (HIGH, HIGH), (HIGH,) * 4], ids=str)
@pytest.mark.parametrize("bearing", ["exact", "farthest"])
@pytest.mark.parametrize("drawn", [DRAWN, pytest.param(8 * DRAWN, marks=pytest.mark.sweep)])
def test_men_elsewhere_are_borne_off_as_by_hand(
    drawn: int, bearing: str, thrown: tuple[int, ...], unusable: str
) -> None:
    rules = resolve_throw(thrown, unusable, bearing)
    hold_to_hand(rules, bearing, thrown, islice(draw_situations(rules, thrown, bearing), drawn))
