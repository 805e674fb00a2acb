"""Which positions a game can reach, as far as its rules tell; texts with others are refused."""

from collections.abc import Iterator

from engine.ending import has_arrived
from engine.position import Position, Side
from engine.refusal import Reason, Refusal
from engine.rules import BearingRule, PlacingRule, Rules
from engine.search.routes import build_route, find_hit_points, find_waiting_places


def may_stand(rules: Rules, side: Side, place: int) -> bool:
    """Whether a man of that side can ever be at that place."""
    board = rules.board
    if place == board.off:
        return rules.bearing is not BearingRule.NONE
    return place in rules.course(side) or place in find_waiting_places(rules, side)


def find_impossibilities(rules: Rules, position: Position) -> Iterator[Refusal]:
    """Yield why men cannot be where they are."""
    yield from _check_points(rules, position)
    for side in Side:
        men = position.men(side)
        yield from _check_single_points(rules, side, men)
        yield from _check_hand(rules, side, men)
        if not find_hit_points(rules, side):
            yield from _check_progress(rules, side, men)
    if all(has_arrived(rules, side, position.men(side)) for side in Side):
        yield Refusal(Reason.BOTH_WON)


def _check_points(rules: Rules, position: Position) -> Iterator[Refusal]:
    gold, black = position.gold, position.black
    for point, name in enumerate(rules.board.points):
        if gold[point] and black[point]:
            yield Refusal(Reason.BOTH_HOLD, place=name)
        if rules.ban_full is not None and max(gold[point], black[point]) > rules.ban_full:
            yield Refusal(Reason.MEN_LIMIT, place=name, most=rules.ban_full)


def _check_single_points(rules: Rules, side: Side, men: bytes) -> Iterator[Refusal]:
    """Yield second men brought where a side may bring none; a pile from the start only shrinks."""
    for point in rules.board.parse_points(rules.side_rules(side).ban_second):
        if men[point] > max(1, rules.start_position.men(side)[point]):
            yield Refusal(
                Reason.MEN_DOUBLED,
                side=side,
                place=rules.board.place_names[point],
                count=men[point],
            )


def _check_hand(rules: Rules, side: Side, men: bytes) -> Iterator[Refusal]:
    """Yield what is impossible while men have still to come in; none returns to the hand."""
    board = rules.board
    late = build_route(rules, side).late
    if not men[board.hand]:
        return
    # With a gate, men may be borne off while others wait, unless those keep them from the middle.
    if men[board.off] and (rules.gate is None or (any(late) and not rules.early_edge)):
        yield Refusal(Reason.OFF_EARLY, side=side)
    if rules.piled and not all(men[point] for point in rules.course(side)):
        yield Refusal(Reason.PILED, side=side, count=men[board.hand])
    # Men enter on the first six points, and none goes on before all are in.
    if rules.placing is PlacingRule.ALL and any(men[point] for point in rules.course(side)[6:]):
        yield Refusal(Reason.BEYOND_ENTRY, side=side)
    if any(men[point] for point in range(board.size) if late[point]):
        yield Refusal(Reason.BEYOND_MIDDLE, side=side)


def _check_progress(rules: Rules, side: Side, men: bytes) -> Iterator[Refusal]:
    """Men farther back than they began, or borne off too soon, where nothing can have been hit."""
    board = rules.board
    home = rules.home(side)
    began, now = (
        _measure_progress(rules, side, each) for each in (rules.start_position.men(side), men)
    )
    if any(here < there for here, there in zip(now, began, strict=True)):
        yield Refusal(Reason.SET_BACK, side=side)
    if men[board.off] and sum(men[point] for point in home) + men[board.off] < rules.men:
        yield Refusal(Reason.OFF_OUTSIDE, side=side)


def _measure_progress(rules: Rules, side: Side, men: bytes) -> list[int]:
    """How far along its course each man of a side is, the last first."""
    way = (rules.board.hand, *rules.course(side), rules.board.off)
    return [step for step, place in enumerate(way) for _ in range(men[place])]
