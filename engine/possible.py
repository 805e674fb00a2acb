"""Which positions a game can reach, as far as its rules tell; texts with others are refused."""

from collections.abc import Iterator

from engine.ending import arrived
from engine.position import Position, Side
from engine.refusal import Reason, Refusal
from engine.routes import hit_on, route, waiting
from engine.rules import Bearing, Placing, Rules


def may_stand(rules: Rules, side: Side, place: int) -> bool:
    """Whether a man of that side can ever be at that place."""
    board = rules.board
    if place == board.off:
        return rules.bearing is not Bearing.NONE
    return place in rules.course(side) or place in waiting(rules, side)


def impossible(rules: Rules, position: Position) -> Iterator[Refusal]:
    """Yield why men cannot be where they are."""
    yield from _on_points(rules, position)
    for side in Side:
        men = position.men(side)
        yield from _doubled(rules, side, men)
        yield from _in_hand(rules, side, men)
        if not hit_on(rules, side):
            yield from _set_back(rules, side, men)
    if all(arrived(rules, side, position.men(side)) for side in Side):
        yield Refusal(Reason.BOTH_WON)


def _on_points(rules: Rules, position: Position) -> Iterator[Refusal]:
    gold, black = position.gold, position.black
    for point, name in enumerate(rules.board.points):
        if gold[point] and black[point]:
            yield Refusal(Reason.BOTH_HOLD, place=name)
        if rules.limit is not None and max(gold[point], black[point]) > rules.limit:
            yield Refusal(Reason.MEN_LIMIT, place=name, most=rules.limit)


def _doubled(rules: Rules, side: Side, men: bytes) -> Iterator[Refusal]:
    """Yield second men brought where a side may bring none; a pile from the start only shrinks."""
    for point in rules.board.stretch(rules.way(side).single):
        if men[point] > max(1, rules.start.men(side)[point]):
            yield Refusal(
                Reason.MEN_DOUBLED, side=side, place=rules.board.names[point], count=men[point]
            )


def _in_hand(rules: Rules, side: Side, men: bytes) -> Iterator[Refusal]:
    """Yield what is impossible while men have still to come in; none returns to the hand."""
    board = rules.board
    late = route(rules, side).late
    if not men[board.hand]:
        return
    if men[board.off] and rules.gate is None:
        yield Refusal(Reason.OFF_EARLY, side=side)
    if rules.piled and not all(men[point] for point in rules.course(side)):
        yield Refusal(Reason.PILED, side=side, count=men[board.hand])
    if rules.placing is Placing.ALL and any(men[point] for point in rules.course(side)[6:]):
        yield Refusal(Reason.BEYOND_ENTRY, side=side)
    if any(men[point] for point in range(board.size) if late[point]):
        yield Refusal(Reason.BEYOND_MIDDLE, side=side)


def _set_back(rules: Rules, side: Side, men: bytes) -> Iterator[Refusal]:
    """Men farther back than they began, or borne off too soon, where nothing can have been hit."""
    board = rules.board
    home = rules.home(side)
    began, now = (_progress(rules, side, each) for each in (rules.start.men(side), men))
    if any(here < there for here, there in zip(now, began, strict=True)):
        yield Refusal(Reason.SET_BACK, side=side)
    if men[board.off] and sum(men[point] for point in home) + men[board.off] < rules.men:
        yield Refusal(Reason.OFF_OUTSIDE, side=side)


def _progress(rules: Rules, side: Side, men: bytes) -> list[int]:
    """How far along its course each man of a side is, the last first."""
    way = (rules.board.hand, *rules.course(side), rules.board.off)
    return [step for step, place in enumerate(way) for _ in range(men[place])]
