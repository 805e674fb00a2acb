"""How many states a game can have: a bound from its rules, to see what could be solved at all.

A state is a position before a throw: how many men of each side stand on each point and beside the
board, and who throws. Counted are all ways to share out the men in which each stands where one of
its side may ever be, no point holds men of both sides, and none holds more than the rules let it.
Whether play can bring each of them about is not asked, so it is a bound. What a game remembers
besides is left out.
"""

from collections.abc import Iterator

from engine.position import Side
from engine.possible import may_stand
from engine.rules import Game, Rules


def count_states(rules: Rules) -> int:
    """Return a bound of the states of a game by these rules."""
    board = rules.board
    # By how many men of gold and of black have been placed: in how many ways.
    counts = {(0, 0): 1}
    for place in range(len(board.place_names)):
        gold, black = (may_stand(rules, side, place) for side in Side)
        room = (rules.ban_full or rules.men) if place < board.size else rules.men
        held = [(0, 0)]
        held += [(men, 0) for men in range(1, room + 1) if gold]
        held += [(0, men) for men in range(1, room + 1) if black]
        if place >= board.size and gold and black:
            # Beside the board the men of one side are not in the other's way.
            held = [(one, two) for one in range(room + 1) for two in range(room + 1)]
        after: dict[tuple[int, int], int] = {}
        for (one, two), ways in counts.items():
            for more, others in held:
                if one + more <= rules.men and two + others <= rules.men:
                    placed = one + more, two + others
                    after[placed] = after.get(placed, 0) + ways
        counts = after
    return counts[rules.men, rules.men] * len(Side)


def list_smallest(game: Game) -> Iterator[tuple[str, int]]:
    """Yield the value of each option, if any, with which a game has the fewest states by far."""
    usual = count_states(game.rules)
    for option in game.options:
        counts = {
            value.name: count_states(game.resolve_rules({option.name: value.name}))
            for value in option.values
        }
        name = min(counts, key=counts.__getitem__)
        if counts[name] * 2 < usual:
            yield f"{option.name}={name}", counts[name]
