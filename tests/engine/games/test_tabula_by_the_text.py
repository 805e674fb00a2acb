"""Tabula under every agreement of its options, against a plain reading of its rules page.

The reader below moves men one by one over lists and knows nothing of the search: a play that the
text allows must be accepted, and no other.
"""

from collections.abc import Iterator, Mapping
from itertools import combinations, product
from random import Random
from typing import NamedTuple

import pytest

from engine.games import GAMES
from engine.plays import list_legal_plays
from engine.position import Position, Side, build_position
from engine.rules import Rules

POINTS, MIDDLE, HOME, MEN = 24, 12, 18, 15
POSITIONS = 60
AGREEMENTS = [
    dict(zip(("sums", "bearing", "home", "placing"), values, strict=True))
    for values in product(
        ("steps", "bound"), ("past", "usual"), ("all", "any"), ("free", "still", "anywhere")
    )
]


class TextPosition(NamedTuple):
    """The men of the side to move and of the other: by point, then in hand, on the bar and off."""

    mine: tuple[int, ...]
    hand: int
    bar: int
    off: int
    theirs: tuple[int, ...]
    struck: int
    left: tuple[int, ...]
    placed: int | None


def list_sums(left: tuple[int, ...], agreed: Mapping[str, str]) -> set[tuple[int, ...]]:
    """The numbers that may be used at once: one, or several where they are added up."""
    most = len(left) if agreed["sums"] == "bound" else 1
    return {added for size in range(1, most + 1) for added in combinations(left, size)}


def list_steps(at: TextPosition, agreed: Mapping[str, str]) -> Iterator[TextPosition]:
    """Every single move that the text allows."""
    if at.off == MEN:
        return
    if at.bar:
        sources = {"bar", at.placed}
    elif at.hand and agreed["placing"] == "still":
        sources = {"hand", at.placed}
    else:
        sources = {"hand", *(point for point in range(POINTS) if at.mine[point])}
    for added in list_sums(at.left, agreed):
        number = sum(added)
        for source in sources - {None}:
            yield from take_step(at, source, number, added, agreed)


def take_step(
    at: TextPosition,
    source: str | int | None,
    number: int,
    added: tuple[int, ...],
    agreed: Mapping[str, str],
) -> Iterator[TextPosition]:
    """The position after one man's move, if the text allows it."""
    mine = list(at.mine)
    beside = {"hand": at.hand, "bar": at.bar}
    if isinstance(source, str):
        if not beside[source]:
            return
        target = number - 1
    else:
        assert source is not None
        if not mine[source]:
            return
        target = source + number
    waiting = at.hand + at.bar
    if waiting and agreed["placing"] != "anywhere" and target >= MIDDLE:
        return
    off = at.off
    theirs, struck = list(at.theirs), at.struck
    if target >= POINTS:
        assert isinstance(source, int)
        outside = waiting + sum(mine[:HOME])
        if agreed["home"] == "all" and outside:
            return
        behind = waiting + sum(mine[:source])
        if agreed["bearing"] == "usual" and target > POINTS and behind:
            return
        off += 1
    else:
        if theirs[target] > 1:
            return
        struck += theirs[target]
        theirs[target] = 0
        mine[target] += 1
    if isinstance(source, str):
        beside[source] -= 1
    else:
        mine[source] -= 1
    left = list(at.left)
    for each in added:
        left.remove(each)
    goes_on = isinstance(source, str) or source == at.placed
    yield TextPosition(
        tuple(mine),
        beside["hand"],
        beside["bar"],
        off,
        tuple(theirs),
        struck,
        tuple(left),
        target if goes_on and target < POINTS else None,
    )


def list_text_ends(at: TextPosition, agreed: Mapping[str, str]) -> set[TextPosition]:
    """Where the plays end that use as many numbers as can be, the higher if there is a choice."""
    seen, waiting, ends = {at}, [at], set[TextPosition]()
    while waiting:
        here = waiting.pop()
        onward = set(list_steps(here, agreed))
        if not onward and here != at:
            # Whoever has won stops, and owes no number.
            ends.add(here._replace(left=()) if here.off == MEN else here)
        waiting += onward - seen
        seen |= onward

    def rank(end: TextPosition) -> tuple[int, tuple[int, ...]]:
        used = list(at.left)
        for each in end.left:
            used.remove(each)
        return len(used), tuple(sorted(used, reverse=True))

    best = max(map(rank, ends), default=None)
    return {end._replace(placed=None) for end in ends if rank(end) == best}


def read_position(rules: Rules, position: Position) -> TextPosition:
    """The men of a position as the text counts them."""
    board, side = rules.board, position.turn
    mine, theirs = position.men(side), position.men(side.other)
    return TextPosition(
        tuple(mine[:POINTS]),
        mine[board.hand],
        mine[board.bars[0]],
        mine[board.off],
        tuple(theirs[:POINTS]),
        theirs[board.bars[0]],
        position.dice,
        None,
    )


def draw_position(rules: Rules, random: Random, agreed: Mapping[str, str]) -> Position:
    """A position of any stage of a game: men entering, men hit, men on their last points."""
    board = rules.board
    bound = agreed["placing"] != "anywhere"
    hand = random.choice((0, 0, 0, 1, 2, 9))
    bar = random.choice((0, 0, 0, 1, 2))
    first = random.choice((0, 6, MIDDLE, HOME - 3, HOME))
    last = MIDDLE if hand and bound else POINTS
    low = min(first, last - 1)
    alone = random.choice((1, 2, 3, MEN))
    mine, theirs = bytearray(board.no_men), bytearray(board.no_men)
    mine[board.hand], mine[board.bars[0]] = hand, bar
    for _ in range(min(alone, MEN - hand - bar)):
        mine[random.randrange(low, last)] += 1
    rest = MEN - sum(mine)
    if hand and (bound or agreed["home"] == "all"):
        mine[low] += rest
    else:
        mine[board.off] = rest
    free = [point for point in range(POINTS) if not mine[point]]
    for _ in range(MEN):
        theirs[random.choice(free)] += 1
    dice = tuple(sorted((random.randint(1, 6) for _ in range(3)), reverse=True))
    return build_position(Side.GOLD, bytes(mine), bytes(theirs), dice, 0)


@pytest.mark.parametrize("agreed", AGREEMENTS, ids=lambda agreed: "-".join(agreed.values()))
def test_the_text_and_the_engine_allow_the_same_plays(agreed: dict[str, str]) -> None:
    rules = GAMES["tabula"].resolve_rules(agreed)
    random = Random("-".join(agreed.values()))
    for _ in range(POSITIONS):
        position = draw_position(rules, random, agreed)
        ends = {
            read_position(rules, end)._replace(placed=None)
            for end in list_legal_plays(rules, position).ends
        }
        assert ends == list_text_ends(read_position(rules, position), agreed), position
