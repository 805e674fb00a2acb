"""Which plays lead to something else than the next throw: for them the turn machine is asked."""

from collections.abc import Iterator, Sequence

from engine.ending import arrived, dead, judge
from engine.match import Match, done_with
from engine.moves import Play
from engine.position import Position, Side
from engine.routes import route
from engine.rules import Ending, Placing, Rules, Unusable


def special(match: Match, plays: Sequence[Play]) -> Iterator[int]:
    """Yield the numbers of the plays after which the game is over, numbers may be offered or a point contested."""
    rules = match.rules
    if rules.contest:
        yield from range(len(plays))
        return
    offers = rules.unusable is Unusable.OPPONENT
    hooks = rules.verdict or rules.standstill or rules.memory or rules.ending is Ending.FULL
    side = match.turn
    freedom = open_to(rules, match.position, side.other)
    theirs = match.position.men(side.other)
    for at, play in enumerate(plays):
        end = play.end
        if (offers and end.dice) or (judge(rules, end) if hooks else arrived(rules, side, end.men(side))):
            yield at
        else:
            mine = end.men(side)
            free = end.men(side.other) == theirs and any(not mine[point] for point in freedom)
            if not free and dead(rules, done_with(rules, end)):
                yield at


def open_to(rules: Rules, position: Position, side: Side) -> frozenset[int]:
    """Return points to which a side could move a man if the other had none on the board.

    While one of them is empty, the side can move, so nobody is stuck for good.
    """
    board = rules.board
    way = route(rules, side)
    men = position.men(side)
    bars = [bar for bar in board.bars if men[bar]]
    waiting = bool(bars) or men[board.hand] > 0
    if bars:
        sources = bars
    elif men[board.hand] and rules.placing in (Placing.ALL, Placing.STILL):
        sources = [board.hand]
    else:
        sources = [place for place in range(board.off) if men[place]]
    targets = {row[source] for row in way.targets[1:7] for source in sources}
    held_back = rules.placing is not Placing.FREE and waiting
    return frozenset(
        target
        for target in targets
        if 0 <= target < board.size and men[target] <= way.room[target] and not (held_back and way.late[target])
    )
