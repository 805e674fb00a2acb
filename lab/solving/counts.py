"""How many states a game can have: a bound from its rules, to see what could be solved at all.

A state is a position before a throw: how many men of each side stand on each point and beside the
board, and who throws. Counted are all ways to share out the men in which each stands where one of
its side may ever be, no point holds men of both sides, and none holds more than the rules let it.
Whether play can bring each of them about is not asked, so it is a bound. What a game remembers
besides is left out.
"""

from functools import lru_cache
from itertools import product

from engine.players.variants import format_options
from engine.position import Side
from engine.possible import may_stand
from engine.rules import Game, Rules


def count_states(rules: Rules) -> int:
    """Return a bound of the states of a game by these rules."""
    board = rules.board
    places = tuple(
        (
            may_stand(rules, Side.GOLD, place),
            may_stand(rules, Side.BLACK, place),
            (rules.ban_full or rules.men) if place < board.size else rules.men,
            place >= board.size,
        )
        for place in range(len(board.place_names))
    )
    return _count_ways(rules.men, places) * len(Side)


@lru_cache(maxsize=64)  # most combinations of options leave the places as they are
def _count_ways(men: int, places: tuple[tuple[bool, bool, int, bool], ...]) -> int:
    """Return in how many ways both sides can place so many men.

    A place says whether gold's and black's men may be there, how many, and whether it is beside the
    board.
    """
    # By how many men of gold and of black have been placed: in how many ways.
    counts = {(0, 0): 1}
    for gold, black, room, beside in places:
        held = [(0, 0)]
        held += [(count, 0) for count in range(1, room + 1) if gold]
        held += [(0, count) for count in range(1, room + 1) if black]
        if beside and gold and black:
            # There the men of one side are not in the other's way.
            held = [(one, two) for one in range(room + 1) for two in range(room + 1)]
        after: dict[tuple[int, int], int] = {}
        for (one, two), ways in counts.items():
            for more, others in held:
                if one + more <= men and two + others <= men:
                    placed = one + more, two + others
                    after[placed] = after.get(placed, 0) + ways
        counts = after
    return counts[men, men]


def find_smallest(game: Game) -> tuple[str, int]:
    """Return the fewest options that together leave a game the fewest states, and how many."""
    found: list[tuple[int, int, str]] = []
    for values in product(*(option.values for option in game.options)):
        options = {
            option.name: value.name
            for option, value in zip(game.options, values, strict=True)
            if value != option.default_value
        }
        count = count_states(game.resolve_rules(options))
        found.append((count, len(options), format_options(options)))
    count, _, name = min(found)
    return name, count
