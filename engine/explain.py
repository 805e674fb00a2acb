"""Why a move is refused: the reason with its parts, and what would be legal."""

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from engine.move import Move
from engine.plays import Duty, list_next_moves, make_move
from engine.position import Position, Side
from engine.refusal import Reason, Refusal
from engine.rules import BearingRule, ReentryRule, Rules
from engine.search.bitboards import build_bitboards
from engine.search.moves import (
    count_due_home,
    find_free_places,
    find_possible_moves,
    has_room,
    is_closed,
    list_moves,
)
from engine.search.routes import Route, build_route

_ReasonParts: TypeAlias = tuple[Reason, Mapping[str, Any]]
"""A reason and the parts that its sentence names, besides the move."""


_CLOSED_REASONS = (Reason.BLOCKED, Reason.SINGLE, Reason.FULL)
"""Why a point on the way is closed to a man."""


def build_refusal(
    text: str,
    source: int,
    target: str | None,
    number: int | None,
    rules: Rules,
    position: Position,
    duty: Duty = Duty.MUST,
) -> Refusal:
    """Return the refusal of a move that is not legal now.

    `source` is a place, `target` the name of one (or None where only the number was typed).
    """
    reason, parts = _find_reason(source, target, number, rules, position)
    return Refusal(reason, list_legal_moves(rules, position, duty), move=text, **parts)


def list_legal_moves(
    rules: Rules, position: Position, duty: Duty = Duty.MUST, most: int = 8
) -> tuple[str, ...]:
    """Return the first few moves that are legal now, as they are typed."""
    names = rules.board.place_names
    found = (
        f"{names[move.source]}-{names[move.target]}"
        for move in list_next_moves(rules, position, duty)
    )
    # Several numbers may bear off the same man, which is one move as it is typed.
    return tuple(dict.fromkeys(found))[:most]


def _find_reason(
    source: int,
    target: str | None,
    number: int | None,
    rules: Rules,
    position: Position,
) -> _ReasonParts:
    board = rules.board
    side = position.turn
    mine = position.men(side)
    # From what holds for the whole turn to what concerns this one move: the first that applies is
    # what a player has to mend first.
    if not position.dice:
        return Reason.NOTHING_LEFT, {}
    bound = rules.reentry is ReentryRule.FIRST and board.count_waiting(mine) > 0
    if bound and source not in (*board.bars, *find_free_places(rules, position)):
        return Reason.BAR_FIRST, {"side": side, "count": board.count_waiting(mine)}
    if not mine[source]:
        # Beside the board both sides' men share a place number, but not the place.
        if position.men(side.other)[source] and source < board.size:
            return Reason.THEIRS, {"side": side.other, "place": board.place_names[source]}
        return Reason.NO_MAN, {"side": side, "place": board.place_names[source]}
    if not rules.moving and source < board.size:
        return Reason.ONLY_ENTERING, {}
    numbers = [number] if number else _find_numbers(source, target, rules, position)
    if number and target and number not in _find_numbers(source, target, rules, position):
        return Reason.NOT_THERE, {"number": number}
    left = [each for each in numbers if each in _list_available_numbers(rules, position)]
    if not left:
        return _explain_no_number(source, target, numbers, rules, position)
    return _explain_forbidden(source, left[0], rules, position)


def _list_available_numbers(rules: Rules, position: Position) -> tuple[int, ...]:
    """Return the numbers left and, where the rules have them, their sums."""
    uses = build_bitboards(rules, position.turn).uses[position.dice]
    return tuple(use.number for use, _ in uses)


def _find_numbers(source: int, target: str | None, rules: Rules, position: Position) -> list[int]:
    """Every number that leads from the source to the target, whatever stands there."""
    place = rules.board.places_by_name[target or "off"]
    targets = build_route(rules, position.turn).targets
    return [number for number in range(1, len(targets)) if targets[number][source] == place]


def _explain_no_number(
    source: int,
    target: str | None,
    numbers: list[int],
    rules: Rules,
    position: Position,
) -> _ReasonParts:
    board = rules.board
    side = position.turn
    if target and _can_add_up(
        source, board.places_by_name[target], position.dice, build_route(rules, side)
    ):
        # The man could get there, so it is only the must-use rule that forbids it.
        if _can_walk(source, board.places_by_name[target], rules, position):
            return Reason.WASTES, {}
        met = _find_obstacles(source, board.places_by_name[target], rules, position)
        closed = Reason.WAYS_CLOSED, {"side": side, "dice": position.dice}
        # A duty or a rule is a better answer than one of several closed points.
        return next((why for why in met if why[0] not in _CLOSED_REASONS), closed)
    if target == board.place_names[board.off]:
        if rules.bearing is BearingRule.NONE:
            return Reason.NEVER_OFF, {}
        if _has_men_outside(rules, side, position.men(side)):
            return _explain_not_home(rules, side, position.men(side))
    if numbers:
        return Reason.TAKES, {"number": numbers[0], "dice": position.dice}
    course = rules.course(side)
    if (
        target
        and board.places_by_name[target]
        # From beside the board, nothing lies behind.
        in course[: course.index(source) if source in course else 0]
    ):
        first, last = board.place_names[course[0]], board.place_names[course[-1]]
        return Reason.BACKWARDS, {"first": first, "last": last}
    if target in board.points and source in rules.home(side) and rules.home_rests:
        return Reason.ONLY_BEARING, {}
    return Reason.NO_WAY, {"side": side, "dice": position.dice}


def _can_add_up(source: int, target: int, dice: tuple[int, ...], route: Route) -> bool:
    """Return whether several numbers lead from source to target, whatever stands between."""
    nexts = (
        (route.targets[number][source], dice[:at] + dice[at + 1 :])
        for at, number in enumerate(dice)
    )
    return any(
        place == target or (place >= 0 and _can_add_up(place, target, rest, route))
        for place, rest in nexts
    )


def _find_obstacles(
    source: int, target: int, rules: Rules, position: Position
) -> Iterator[_ReasonParts]:
    """Yield why a man can't go from source to target: the first step refused on each way."""
    route = build_route(rules, position.turn)
    for at, number in enumerate(position.dice):
        place = route.targets[number][source]
        rest = position.dice[:at] + position.dice[at + 1 :]
        if place != target and (place < 0 or not _can_add_up(place, target, rest, route)):
            continue
        if begun := [move for move in list_moves(rules, position, number) if move.source == source]:
            yield from _find_obstacles(place, target, rules, make_move(rules, position, begun[0]))
            continue
        closed = _explain_forbidden(source, number, rules, position)
        yield (
            closed
            if closed[0] in _CLOSED_REASONS
            else _find_reason(source, None, number, rules, position)
        )


def _can_walk(source: int, target: int, rules: Rules, position: Position) -> bool:
    """Whether one man can go from the source to the target by legal moves of several numbers."""
    return any(
        move.target == target
        or _can_walk(move.target, target, rules, make_move(rules, position, move))
        for move in find_possible_moves(rules, position)
        if move.source == source
    )


def _explain_forbidden(source: int, number: int, rules: Rules, position: Position) -> _ReasonParts:
    board = rules.board
    side = position.turn
    mine, theirs = position.men(side), position.men(side.other)
    target = build_route(rules, side).targets[number][source]
    # The number can move this man, so what is wrong with the move is what it wastes.
    if any(
        (move.source, move.number) == (source, number)
        for move in find_possible_moves(rules, position)
    ):
        return Reason.WASTES, {}
    if target == board.off:
        return _explain_not_borne(source, number, rules, position)
    if target < 0:
        resting = rules.home_rests and source in rules.home(side)
        if resting:
            return Reason.ONLY_BEARING, {}
        return Reason.PAST_END, {"number": number}
    place = board.place_names[target]
    if is_closed(rules, position, target):
        return Reason.BLOCKED, {"side": side.other, "place": place, "count": theirs[target]}
    if rules.ban_full is not None and mine[target] >= rules.ban_full:
        return Reason.FULL, {"place": place, "count": mine[target]}
    if not has_room(rules, position, target):
        return Reason.SINGLE, {"side": side, "place": place}
    return _explain_duty(source, target, number, rules, position)


def _explain_duty(
    source: int, target: int, number: int, rules: Rules, position: Position
) -> _ReasonParts:
    """Return the duty in the way: to men beside the board, the game's ban, or a man who is hit."""
    board = rules.board
    side = position.turn
    if duty := _find_duty_to_enter(source, target, rules, position):
        return duty
    if ban := _find_ban(source, target, number, rules, position):
        return ban
    sent = build_route(rules, side.other).sent[target]
    if sent == target:
        return Reason.OWN_START, {"place": board.place_names[sent]}
    return Reason.RETURN, {"side": side, "place": board.place_names[sent]}


def _find_duty_to_enter(
    source: int, target: int, rules: Rules, position: Position
) -> _ReasonParts | None:
    """Return what men beside the board forbid to a man who would go from source to target."""
    board = rules.board
    side = position.turn
    mine = position.men(side)
    waiting = board.count_waiting(mine)
    if source not in find_free_places(rules, position):
        if waiting:
            return Reason.BAR_IF_ABLE, {"side": side, "count": waiting}
        return Reason.PLACING, {"side": side}
    late = build_route(rules, side).late
    # The edge is past the middle, too.
    past_middle = late[target] or (target == board.off and any(late))
    return (
        (Reason.PLACING_HALF, {"side": side})
        if past_middle and (waiting or mine[board.hand])
        else None
    )


def _find_ban(
    source: int, target: int, number: int, rules: Rules, position: Position
) -> _ReasonParts | None:
    """Return the game's own ban that forbids a move."""
    hits = target < rules.board.size and position.men(position.turn.other)[target] > 0
    move = Move(source, target, number, hits)
    if rules.ban is None or (why := rules.ban.find(rules, position, move)) is None:
        return None
    word, parts = why
    return Reason.BANNED, {"game": rules.ban.game, "word": word, "parts": parts}


def _explain_not_borne(source: int, number: int, rules: Rules, position: Position) -> _ReasonParts:
    board = rules.board
    side = position.turn
    mine = position.men(side)
    if _has_men_outside(rules, side, mine):
        return _explain_not_home(rules, side, mine)
    if not rules.early_edge and (duty := _find_duty_to_enter(source, board.off, rules, position)):
        return duty
    if ban := _find_ban(source, board.off, number, rules, position):
        return ban
    typed = {"number": number, "place": board.place_names[source]}
    if board.count_waiting(mine) or mine[board.hand]:
        return Reason.TO_ENTER, typed
    back = next(point for point in rules.course(side) if mine[point])
    if back == source:
        # Tabula's first editions let nobody go off from there by an exact number.
        return Reason.OUTSIDE, {"side": side, "count": mine[source]}
    return Reason.FARTHER_BACK, {**typed, "back": board.place_names[back]}


def _count_home(rules: Rules, side: Side, mine: bytes) -> int:
    return sum(mine[point] for point in rules.home(side))


def _has_men_outside(rules: Rules, side: Side, mine: bytes) -> bool:
    """Whether too many men are outside the bearing table for any to be borne off."""
    return _count_home(rules, side, mine) < count_due_home(rules, mine)


def _explain_not_home(rules: Rules, side: Side, mine: bytes) -> _ReasonParts:
    home = _count_home(rules, side, mine)
    due = count_due_home(rules, mine)
    if due < rules.men - mine[rules.board.off]:
        return Reason.GATE, {"side": side, "due": due, "home": home}
    return Reason.OUTSIDE, {"side": side, "count": due - home}
