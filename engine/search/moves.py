"""What one number moves: which men may go, where to, and who may land or be borne off there."""

from collections.abc import Iterable, Iterator
from itertools import chain

from engine.move import Move
from engine.position import Position, Side
from engine.rules import PlacingRule, ReentryRule, Rules
from engine.search.bitboards import Opposition, SideBitboards, build_bitboards
from engine.search.dice_uses import DiceUse, MoveDelta, Numbers
from engine.search.state import (
    BYTE,
    Bitboard,
    State,
    count_men_on,
    fill_bytes,
    mark_places,
    pack_position,
    unpack_memory,
    unpack_position,
)

MAX_OPPOSITIONS = 32
"""How many sights a lane keeps before it starts over."""


def find_opposition(lane: SideBitboards, state: State) -> Opposition:
    """Return what the mover sees in a state."""
    theirs = state >> BYTE * lane.size & lane.theirs
    sight = lane.sights.get(theirs)
    if sight is None:
        # A throw's plays are listed right after it was asked whether its side can move at all.
        if len(lane.sights) == MAX_OPPOSITIONS:
            lane.sights.clear()
        sight = lane.sights[theirs] = Opposition(lane, theirs)
    return sight


def find_movable(sight: Opposition, state: State, left: Numbers, use: DiceUse) -> Bitboard:
    """Return the places from which one use of the numbers left may move a man now."""
    lane = sight.lane
    standing = (state + lane.standing) & lane.places
    led = (
        sight[use.number][0]
        if lane.clear
        else _find_landing_sources(sight, state, left, use, standing)
    )
    # One man away from home is enough to keep all others on the board, which is mostly so and quick
    # to see.
    if not standing & lane.away:
        led |= _find_bearing_points(lane, state, standing, use)
    if standing & lane.beside:
        standing = _find_free_men(sight, state, left, standing)
    return standing & led


def can_move_freely(lane: SideBitboards, state: State, left: Numbers) -> bool:
    """Return whether each man may go wherever no point is closed, for as long as the numbers last.

    What the others do makes no difference.
    """
    waiting = (state + lane.standing) & lane.beside
    # Each number brings at most one man home: with more men abroad than numbers, none is borne off.
    return lane.clear and not waiting and count_men_on(state, lane.abroad) > len(left)


def _find_landing_sources(
    sight: Opposition, state: State, left: Numbers, use: DiceUse, standing: Bitboard
) -> Bitboard:
    """Return the places from which a use of the dice leads to a point where the mover may land."""
    led, _ = sight[use.number]
    if barred := _find_barred_points(sight, state, standing):
        led &= ~use.find_sources(barred)
    if sight.lane.rules.breach:
        led |= _find_breaches(sight, state, left, use, standing)
    return led


def _find_barred_points(sight: Opposition, state: State, standing: Bitboard) -> Bitboard:
    """Return the points where the mover may not land now for reasons other than closed points."""
    lane = sight.lane
    barred = (state + lane.filling) & lane.points
    if standing & lane.beside:
        barred |= lane.late
    for point, hit in lane.returns:
        # A man who is sent to a point goes there at once, so neither he nor the side that hits him
        # may be on it.
        barred |= sight.struck & (hit if standing & point else point & hit)
    return barred


def _find_bearing_points(
    lane: SideBitboards, state: State, standing: Bitboard, use: DiceUse
) -> Bitboard:
    """Return the points from which a number bears men off [S1].

    It does by exactly that number, or where no man stands farther back.
    """
    if lane.rules.gate is not None:
        home = count_men_on(state, fill_bytes(lane.home))
        if home < count_due_home(
            lane.rules, unpack_position(state, lane.side, lane.size).men(lane.side)
        ):
            return 0
        if standing & ~lane.home:
            return use.freely  # somebody stands farther back
    return use.freely | use.off & lane.farthest[standing & lane.home]


def count_due_home(rules: Rules, mine: bytes) -> int:
    """How many of a side's men must stand in its bearing table before one is borne off."""
    left = rules.men - mine[rules.board.off]
    return left if rules.gate is None else min(rules.gate, left)


def _find_free_men(sight: Opposition, state: State, left: Numbers, standing: Bitboard) -> Bitboard:
    """Return the places from which men may move of a side that has some beside the board."""
    lane = sight.lane
    rules = lane.rules
    bars = standing & lane.bars
    going_on = rules.memory.going_on(unpack_memory(state, lane.size)) if rules.memory else ()
    if bars and _is_bound_to_enter(sight, state, left, standing):
        return standing & (lane.bars | mark_places(going_on))
    if standing & lane.hand and rules.placing in (PlacingRule.ALL, PlacingRule.STILL):
        return standing & (lane.hand | mark_places(going_on))
    return standing


def _is_bound_to_enter(sight: Opposition, state: State, left: Numbers, standing: Bitboard) -> bool:
    """Whether a side with men on the bar is bound to enter them."""
    lane = sight.lane
    if lane.rules.reentry is not ReentryRule.SOFT:
        return lane.rules.reentry is ReentryRule.FIRST
    return _can_enter(
        sight, state, standing, [each for each, _ in lane.uses[left] if not each.added]
    )


def _can_enter(
    sight: Opposition, state: State, standing: Bitboard, uses: Iterable[DiceUse]
) -> bool:
    waiting = standing & sight.lane.bars
    barred = _find_barred_points(sight, state, standing)
    return any(sight[each.number][0] & waiting & ~each.find_sources(barred) for each in uses)


def _find_breaches(
    sight: Opposition, state: State, left: Numbers, use: DiceUse, standing: Bitboard
) -> Bitboard:
    """Return the places from which a game lets a man land on a closed point after all."""
    lane = sight.lane
    breach = lane.rules.breach
    assert breach is not None
    against = standing & use.find_sources(sight.closed & ~(state + lane.filling))
    # The state may count other numbers: whoever asks about a single one passes only that.
    here = unpack_position(state, lane.side, lane.size)._replace(dice=left)
    return mark_places(
        move.source
        for move, _ in order_moves(sight, use, against)
        if breach(lane.rules, here, move)
    )


def order_moves(sight: Opposition, use: DiceUse, sources: Bitboard) -> Iterator[MoveDelta]:
    """Yield the moves of a use of the dice from these places, in their order."""
    lane = sight.lane
    first = sources & lane.first
    # In neither half are the two kinds mixed, so the recursion ends after one step.
    if first and first != sources:
        return chain(order_moves(sight, use, first), order_moves(sight, use, sources ^ first))
    return sight.iter_moves(use, sources)


def list_moves(rules: Rules, position: Position, number: int, added: Numbers = ()) -> list[Move]:
    """List the moves that a number, or a sum, allows now, whatever the must-use rule says."""
    sight, state = _pack_for_side(rules, position, position.turn)
    wanted = sight.lane.uses.get_use(number, added)
    sources = find_movable(sight, state, position.dice or (number,), wanted)
    return [move for move, _ in order_moves(sight, wanted, sources)]


def find_possible_moves(rules: Rules, position: Position) -> Iterator[Move]:
    """Yield the moves that the numbers left allow now, whatever the must-use rule says."""
    sight, state = _pack_for_side(rules, position, position.turn)
    for each, _ in sight.lane.uses[position.dice]:
        for move, _ in order_moves(sight, each, find_movable(sight, state, position.dice, each)):
            yield move


def can_move(rules: Rules, position: Position) -> bool:
    """Whether any of the numbers left, or a sum of them where the rules have sums, can be used."""
    if not position.dice:
        return False
    sight, state = _pack_for_side(rules, position, position.turn)
    return any(
        find_movable(sight, state, position.dice, each)
        for each, _ in sight.lane.uses[position.dice]
    )


def can_enter(rules: Rules, position: Position, side: Side) -> bool:
    """Whether some number enters a man of that side's from the bar."""
    sight, state = _pack_for_side(rules, position, side)
    standing = (state + sight.lane.standing) & sight.lane.places
    return _can_enter(sight, state, standing, sight.lane.every)


def is_stuck(rules: Rules, position: Position, side: Side) -> bool:
    """Return whether no number, nor a sum where the rules have them, could move that side's men."""
    sight, state = _pack_for_side(rules, position, side)
    # Each number is asked as if it were the whole throw, since any of them may come up next.
    return not any(find_movable(sight, state, (each.number,), each) for each in sight.lane.every)


def is_closed(rules: Rules, position: Position, point: int) -> bool:
    """Whether the other side's men close a point to the side to move."""
    sight, _ = _pack_for_side(rules, position, position.turn)
    return bool(sight.closed & mark_places([point]))


def has_room(rules: Rules, position: Position, point: int) -> bool:
    """Return whether the mover's own men leave room for one more on a point."""
    sight, state = _pack_for_side(rules, position, position.turn)
    return not (state + sight.lane.filling) & mark_places([point])


def _pack_for_side(rules: Rules, position: Position, side: Side) -> tuple[Opposition, State]:
    """Return what a side sees when it is to move, and its state."""
    here = build_bitboards(rules, side)
    state = pack_position(position, side)
    return find_opposition(here, state), state
