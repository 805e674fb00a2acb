"""Which positions a game can come to, as far as its rules alone can tell: a text that shows another is refused."""

from collections.abc import Iterator

from engine.ending import arrived
from engine.position import Position, Side
from engine.routes import route
from engine.rules import Bearing, Placing, Rules


def may_stand(rules: Rules, side: Side, place: int) -> bool:
    """Whether a man of that side can ever be at that place."""
    board = rules.board
    if place == board.hand:
        return rules.start.men(side)[board.hand] > 0
    if place == board.off:
        return rules.bearing is not Bearing.NONE
    if place in board.bars:
        return place in {route(rules, side).sent[point] for point in _hit_on(rules, side)}
    return place in rules.course(side)


def impossible(rules: Rules, position: Position) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with the places of men, each as what is meant (a side, a point) and what is said of it."""
    yield from _on_points(rules, position)
    for side in Side:
        men = position.men(side)
        yield from ((side, wrong) for wrong in (*_doubled(rules, side, men), *_in_hand(rules, side, men)))
        if not _hit_on(rules, side):
            yield from ((side, wrong) for wrong in _set_back(rules, side, men))
    if all(arrived(rules, side, position.men(side)) for side in Side):
        yield "black", "has won, and so has gold"


def _hit_on(rules: Rules, side: Side) -> frozenset[int]:
    """The points on which a man of that side can be hit."""
    if rules.closed == 1:
        return frozenset()
    return frozenset(rules.course(side)) & frozenset(rules.course(side.other))


def _on_points(rules: Rules, position: Position) -> Iterator[tuple[str, str]]:
    gold, black = position.gold, position.black
    for point, name in enumerate(rules.board.points):
        if gold[point] and black[point]:
            yield "black", f"stands on {name}, which gold holds"
        if rules.limit is not None and max(gold[point], black[point]) > rules.limit:
            yield name, f"holds at most {rules.limit} men in this game"


def _doubled(rules: Rules, side: Side, men: bytes) -> Iterator[str]:
    """Men brought to where the side may bring no second one; a pile that it started with only shrinks."""
    for point in rules.board.stretch(rules.way(side).single):
        if men[point] > max(1, rules.start.men(side)[point]):
            yield f"has {men[point]} men on {rules.board.names[point]}, where it may bring no second one"


def _in_hand(rules: Rules, side: Side, men: bytes) -> Iterator[str]:
    """What cannot be while men have still to come in; none of these ever goes back into the hand."""
    board = rules.board
    late = route(rules, side).late
    if not men[board.hand]:
        return
    if men[board.off]:
        yield "has borne men off while others have not come in"
    if rules.piled and not all(men[point] for point in rules.course(side)):
        yield f"has {men[board.hand]} men on top of others, but not a lower one on each point"
    if rules.placing is Placing.ALL and any(men[point] for point in rules.course(side)[6:]):
        yield "has men beyond its entry table while others have not come in"
    if rules.placing in (Placing.HALF, Placing.STILL) and any(men[point] for point in range(board.size) if late[point]):
        yield "has men past the middle of the course while others have not come in"


def _set_back(rules: Rules, side: Side, men: bytes) -> Iterator[str]:
    """Men farther back than they began, or borne off too soon, where nothing can have been hit."""
    board = rules.board
    home = rules.home(side)
    began, now = (_progress(rules, side, each) for each in (rules.start.men(side), men))
    if any(here < there for here, there in zip(now, began, strict=True)):
        yield "has men farther back than they began, though nothing is hit in this game"
    if men[board.off] and sum(men[point] for point in home) + men[board.off] < rules.men:
        yield "has borne men off while others are outside its bearing table, though nothing is hit in this game"


def _progress(rules: Rules, side: Side, men: bytes) -> list[int]:
    """How far along its course each man of a side is, the last first."""
    way = (rules.board.hand, *rules.course(side), rules.board.off)
    return [step for step, place in enumerate(way) for _ in range(men[place])]
