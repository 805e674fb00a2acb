"""Games without a choice: every throw has at most one end, in any position of the men."""

from itertools import combinations_with_replacement, product

import pytest

from engine.games import GAMES
from engine.plays import list_legal_plays
from engine.position import Position, Side

HELD = [(0, 0), (1, 0), (2, 0), (0, 1), (0, 2)]
"""What may stand on a point of Twelve Dogs: the mover's men and the other's."""


@pytest.mark.sweep
def test_twelve_dogs() -> None:
    # A number enters a man on its point, and nothing moves: of the points only those that were
    # thrown count, besides that the game ends when the last of the six is full.
    rules = GAMES["twelve-dogs"].resolve_rules({})
    board, course = rules.board, rules.course(Side.GOLD)
    bar = board.bars[0]
    ends = set()
    for high, low in combinations_with_replacement(range(6, 0, -1), 2):
        thrown = {course[high - 1], course[low - 1]}
        for held, rest in product(product(HELD, repeat=len(thrown)), HELD):
            mine, theirs = bytearray(board.no_men), bytearray(board.no_men)
            for point, (own, others) in {
                **dict.fromkeys(course, rest),
                **dict(zip(thrown, held, strict=True)),
            }.items():
                mine[point], theirs[point] = own, others
            waiting = rules.men - sum(mine)
            theirs[board.hand] = rules.men - sum(theirs)
            for hit in {0, min(1, waiting), waiting}:
                mine[bar], mine[board.hand] = hit, waiting - hit
                position = Position(bytes(mine), bytes(theirs), Side.GOLD, (high, low))
                ends.add(len(list(list_legal_plays(rules, position))))
    assert ends == {0, 1}


@pytest.mark.sweep
def test_doblet_but_for_what_is_offered() -> None:
    # The sides' men never stand in each other's way, so one side's are enough, and all are tried.
    rules = GAMES["doblet"].resolve_rules({})
    board, course = rules.board, rules.course(Side.GOLD)
    black = rules.start_position.men(Side.BLACK)
    ends = set()
    taken_down = ((*counts, 6 - counts.count(2)) for counts in product((1, 2), repeat=6))
    borne_off = ((*counts, 0) for counts in product((0, 1, 2), repeat=6) if sum(counts))
    for *counts, hand in {*taken_down, *borne_off}:
        men = bytearray(board.no_men)
        for point, count in zip(course, counts, strict=True):
            men[point] = count
        men[board.hand] = hand
        men[board.off] = rules.men - sum(counts) - hand
        for dice in combinations_with_replacement(range(6, 0, -1), 3):
            ends.add(
                len(list(list_legal_plays(rules, Position(bytes(men), black, Side.GOLD, dice))))
            )
    assert ends == {0, 1}
