"""House rules that several games take, and what several of them call by the same name."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from engine.position import Position, Side
from engine.rules import DoublesRule, Option, OptionValue, PairRule, Rules, ThirdDie, UnusableRule
from engine.search.state import BYTE, Bitboard, build_thresholds, mark_places

PRIME = bytes([1] * 6)
"""Six points held in a row: no man behind passes them, as no number jumps more than five."""

UNUSABLE = Option(
    name="unusable",
    asks="What happens to numbers that cannot be played?",
    values=(
        OptionValue("lost", "They are lost.", {"unusable": UnusableRule.LOST}),
        OptionValue(
            "opponent",
            (
                "The other side may play any or none of them at once, before its own throw; the "
                "rest are lost."
            ),
            {"unusable": UnusableRule.OPPONENT},
        ),
        OptionValue(
            "loses",
            "Ad fallum: a side that cannot play every number loses.",
            {"unusable": UnusableRule.LOSES},
        ),
    ),
    source=(
        "Lewins, Tabula at Rumwoldstow: the numbers go to the opponent; ad fallum is from the "
        "problems of Royal 13 A"
    ),
)

DOUBLES = Option(
    name="doubles",
    asks="What do doubles do?",
    values=(
        OptionValue("plain", "Nothing special.", {"dice.doubles": DoublesRule.PLAIN}),
        OptionValue(
            "twice",
            "Each die that matches another is played twice.",
            {"dice.doubles": DoublesRule.TWICE},
        ),
        OptionValue(
            "again",
            "The side throws again after playing.",
            {"dice.doubles": DoublesRule.AGAIN},
        ),
        OptionValue(
            "twice-again",
            "They are played twice, and the side throws again.",
            {"dice.doubles": DoublesRule.TWICE_AGAIN},
        ),
    ),
    source="Libro de los Juegos, pareia de entrada and buffa cortesa, after Lewins",
)

PAIRS = Option(
    name="pairs",
    asks="With three dice, what counts as doubles?",
    values=(
        OptionValue("all-alike", "Only three alike.", {"dice.pairs": PairRule.ALL_ALIKE}),
        OptionValue(
            "any-pair",
            "Any two alike; the third number is played once.",
            {"dice.pairs": PairRule.ANY_PAIR},
        ),
    ),
    source=(
        "Golladay's translation of the Libro de los Juegos has the same number on the three or two "
        "dice; any two alike is our addition"
    ),
)

THREE_DICE = Option(
    name="dice",
    asks="How many dice?",
    values=(
        OptionValue("two", "Two dice.", {"dice.count": 2}),
        OptionValue("three", "Three dice.", {"dice.count": 3}),
    ),
    source=(
        "Lewins tabulates two dice or three; for the buffa she has three in the Libro, two in "
        "Bonus Socius and Civis Bononiae"
    ),
)

MAJORET = OptionValue(
    "majoret",
    "Two dice; the higher number is played once more.",
    {"dice.count": 2, "dice.third": ThirdDie.MAJORET},
)
MINORET = OptionValue(
    "minoret",
    "Two dice; the lower number is played once more.",
    {"dice.count": 2, "dice.third": ThirdDie.MINORET},
)

THREE_OF_TWO = Option(
    name="dice",
    asks="How are the dice thrown?",
    values=(OptionValue("three", "Three dice."), MAJORET, MINORET),
    source=(
        "Lewins names majoret and minoret as ways to play with two dice; we offer them where three "
        "are thrown"
    ),
)

TEAMS = Option(
    name="players",
    asks="How many players are there on each side?",
    values=(
        OptionValue("1", "One against one."),
        OptionValue("2", "Two against two.", {"players": 2}),
        OptionValue("3", "Three against three.", {"players": 3}),
    ),
    source="Royal 13 A XVIII, after Lewins: all of one side play in turn, then all of the other",
)


def cite_source(option: Option, source: str) -> Option:
    """Return an option with another source: a game may take a house rule from elsewhere."""
    return replace(option, source=source)


def change_default(option: Option, name: str) -> Option:
    """Return an option with another of its values as the default."""
    first = option.find_value(name)
    return replace(
        option, values=(first, *(value for value in option.values if value is not first))
    )


def change_values(option: Option, changes: Mapping[str, Mapping[str, Any]]) -> Option:
    """Return an option whose named values change other rules, or more of them."""
    return replace(
        option,
        values=tuple(
            replace(value, changes={**value.changes, **changes.get(value.name, {})})
            for value in option.values
        ),
    )


def count_men_to_place(rules: Rules, position: Position, side: Side) -> int:
    """Count a side's men on the bar plus the points that it holds in its entry table.

    With seven or more, where no entry point takes a second man, the side can do nothing but enter
    for ever: R's lympolding for good, and the jan of Verquere.
    """
    men = position.men(side)
    return rules.board.count_waiting(men) + sum(
        men[point] > 0 for point in rules.entry_points(side)
    )


def mark_held_points(rules: Rules, men: bytes) -> bytes:
    """Return 1 for every point that a side closes to the other, 0 for all other points."""
    return men[: rules.board.size].translate(_build_held_table(rules.ban_closed))


def may_hold_prime(rules: Rules, men: bytes, moves: int) -> bool:
    """Whether a side may hold six neighbouring points of the board after so many moves.

    Each move brings one man to one point.
    """
    # One byte a point: six points lack at most twelve men, so no byte runs over.
    missing = int.from_bytes(
        men[: rules.board.size].translate(_build_missing_table(rules.ban_closed)), "little"
    )
    # For every point how many men are missing on it and the next; then on it and the five after it.
    of_two = missing + (missing >> BYTE)
    of_six = of_two + (of_two >> 2 * BYTE) + (of_two >> 4 * BYTE)
    too_many, points = _build_excess_mask(moves, rules.board.size - len(PRIME) + 1)
    # A stretch without a mark lacks no more men than there are moves; one such stretch is enough.
    return (of_six + too_many) & points != points


def has_prime(rules: Rules, position: Position, side: Side) -> bool:
    """Whether a side holds six points in a row along the other's course.

    The other side must still have a man behind them.
    """
    holder, other = position.men(side), position.men(side.other)
    held = mark_held_points(rules, holder)
    if held.count(1) < len(PRIME):
        return False
    course = rules.course(side.other)
    # The farthest six points have the most men behind them, so no nearer ones need be asked about.
    farthest = bytes(held[point] for point in course).rfind(PRIME)
    if farthest < 0:
        return False
    beside = rules.board.count_waiting(other) + other[rules.board.hand]
    return beside > 0 or any(other[point] for point in course[:farthest])


@lru_cache
def _build_held_table(closed: int) -> bytes:
    """A table that makes of each count of men 1 where so many close a point, else 0."""
    return bytes(count >= closed for count in range(256))


@lru_cache
def _build_missing_table(closed: int) -> bytes:
    """A table that makes of each count of men how many are missing to close a point."""
    return bytes(max(0, closed - count) for count in range(256))


@lru_cache
def _build_excess_mask(most: int, size: int) -> tuple[int, Bitboard]:
    """Return what to add to the counts of the first `size` points, and a mask of those points.

    The addition marks every count that is more than `most`.
    """
    return build_thresholds((point, most + 1) for point in range(size)), mark_places(range(size))
