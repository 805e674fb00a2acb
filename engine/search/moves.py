"""What one number moves: which men may go, where to, and who may land or be borne off there."""

from collections.abc import Iterable, Iterator
from itertools import chain, compress

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
"""How many of them a side keeps before it starts over."""


def find_opposition(bitboards: SideBitboards, state: State) -> Opposition:
    """Return what the other side's men mean to the mover in a state."""
    theirs = state >> BYTE * bitboards.size & bitboards.theirs
    opposition = bitboards.oppositions.get(theirs)
    if opposition is None:
        # A throw's plays are listed right after it was asked whether its side can move at all.
        if len(bitboards.oppositions) == MAX_OPPOSITIONS:
            bitboards.oppositions.clear()
        opposition = bitboards.oppositions[theirs] = Opposition(bitboards, theirs)
    return opposition


def find_movable(opposition: Opposition, state: State, left: Numbers, use: DiceUse) -> Bitboard:
    """Return the places from which one use of the numbers left may move a man now."""
    bitboards = opposition.bitboards
    standing = (state + bitboards.standing) & bitboards.places
    led = (
        opposition[use.number][0]
        if bitboards.clear
        else _find_landing_sources(opposition, state, left, use, standing)
    )
    # One man away from home is enough to keep all others on the board, which is mostly so and quick
    # to see.
    if not standing & bitboards.away:
        led |= _find_bearing_points(bitboards, state, standing, use)
    if standing & bitboards.beside:
        standing &= _find_free_places(opposition, state, left, standing)
    movable = standing & led
    if bitboards.rules.ban is None:
        return movable
    return _drop_banned(opposition, state, left, use, movable)


def can_move_freely(bitboards: SideBitboards, state: State, left: Numbers) -> bool:
    """Return whether each man may go wherever no point is closed, for as long as the numbers last.

    What the others do makes no difference.
    """
    waiting = (state + bitboards.standing) & bitboards.beside
    # Each number brings at most one man home: with more men abroad than numbers, none is borne off.
    return bitboards.clear and not waiting and count_men_on(state, bitboards.abroad) > len(left)


def _find_landing_sources(
    opposition: Opposition, state: State, left: Numbers, use: DiceUse, standing: Bitboard
) -> Bitboard:
    """Return the places from which a use of the dice leads to a point where the mover may land."""
    led, _ = opposition[use.number]
    if barred := _find_barred_points(opposition, state, standing):
        led &= ~use.find_sources(barred)
    if opposition.bitboards.rules.breach:
        led |= _find_breaches(opposition, state, left, use, standing)
    return led


def _find_barred_points(opposition: Opposition, state: State, standing: Bitboard) -> Bitboard:
    """Return the points where the mover may not land now for reasons other than closed points."""
    bitboards = opposition.bitboards
    barred = (state + bitboards.filling) & bitboards.points
    if standing & bitboards.beside:
        barred |= bitboards.late
    for point, hit in bitboards.returns:
        # A man who is sent to a point goes there at once, so neither he nor the side that hits him
        # may be on it.
        barred |= opposition.struck & (hit if standing & point else point & hit)
    return barred


def _find_bearing_points(
    bitboards: SideBitboards, state: State, standing: Bitboard, use: DiceUse
) -> Bitboard:
    """Return the points from which a number bears men off [S1].

    It does by exactly that number, or where no man stands farther back.
    """
    if bitboards.rules.gate is not None:
        # A man borne off has passed the middle, which is as closed as the points beyond it.
        if standing & bitboards.beside and bitboards.late and not bitboards.rules.early_edge:
            return 0
        home = count_men_on(state, fill_bytes(bitboards.home))
        if home < count_due_home(
            bitboards.rules,
            unpack_position(state, bitboards.side, bitboards.size).men(bitboards.side),
        ):
            return 0
        if standing & ~bitboards.home:
            return use.freely | use.off & _find_farthest_outside(bitboards, standing)
    return use.freely | use.off & bitboards.farthest[standing & bitboards.home]


def _find_farthest_outside(bitboards: SideBitboards, standing: Bitboard) -> Bitboard:
    """Return the point of the man farthest back, where some are outside the bearing table."""
    # Who is to enter stands behind all others.
    if standing & bitboards.beside or bitboards.rules.early_edge:
        return 0
    outside = standing & ~bitboards.home
    course = map(mark_places, zip(bitboards.rules.course(bitboards.side)))
    return next(point for point in course if point & outside)


def count_due_home(rules: Rules, mine: bytes) -> int:
    """How many of a side's men must stand in its bearing table before one is borne off."""
    left = rules.men - mine[rules.board.off]
    return left if rules.gate is None else min(rules.gate, left)


def _find_free_places(
    opposition: Opposition, state: State, left: Numbers, standing: Bitboard
) -> Bitboard:
    """Return the places from which men may move of a side that has some beside the board."""
    bitboards = opposition.bitboards
    rules = bitboards.rules
    going_on = rules.memory.going_on(unpack_memory(state, bitboards.size)) if rules.memory else ()
    if standing & bitboards.bars and _is_bound_to_enter(opposition, state, left, standing):
        return bitboards.bars | mark_places(going_on)
    if standing & bitboards.hand and rules.placing in (PlacingRule.ALL, PlacingRule.STILL):
        return bitboards.hand | mark_places(going_on)
    return bitboards.places


def _drop_banned(
    opposition: Opposition, state: State, left: Numbers, use: DiceUse, sources: Bitboard
) -> Bitboard:
    """Return those of some places from which the game's own ban lets men move."""
    bitboards = opposition.bitboards
    ban = bitboards.rules.ban
    if ban is None:
        return sources
    position = unpack_position(state, bitboards.side, bitboards.size)._replace(dice=left)
    return mark_places(
        move.source
        for move, _ in order_moves(opposition, use, sources)
        if ban.find(bitboards.rules, position, move) is None
    )


def _is_bound_to_enter(
    opposition: Opposition, state: State, left: Numbers, standing: Bitboard
) -> bool:
    """Whether a side with men on the bar is bound to enter them."""
    bitboards = opposition.bitboards
    if bitboards.rules.reentry is not ReentryRule.SOFT:
        return bitboards.rules.reentry is ReentryRule.FIRST
    return _can_enter(
        opposition, state, standing, [each for each, _ in bitboards.uses[left] if not each.added]
    )


def _can_enter(
    opposition: Opposition, state: State, standing: Bitboard, uses: Iterable[DiceUse]
) -> bool:
    waiting = standing & opposition.bitboards.bars
    barred = _find_barred_points(opposition, state, standing)
    entering = (
        (each, opposition[each.number][0] & waiting & ~each.find_sources(barred)) for each in uses
    )
    return any(
        _drop_banned(opposition, state, each.added or (each.number,), each, sources)
        for each, sources in entering
        if sources
    )


def _find_breaches(
    opposition: Opposition, state: State, left: Numbers, use: DiceUse, standing: Bitboard
) -> Bitboard:
    """Return the places from which a game lets a man land on a closed point after all."""
    bitboards = opposition.bitboards
    breach = bitboards.rules.breach
    assert breach is not None
    against = standing & use.find_sources(opposition.closed & ~(state + bitboards.filling))
    # The state may count other numbers: a question about a single one passes only that.
    position = unpack_position(state, bitboards.side, bitboards.size)._replace(dice=left)
    return mark_places(
        move.source
        for move, _ in order_moves(opposition, use, against)
        if breach(bitboards.rules, position, move)
    )


def order_moves(opposition: Opposition, use: DiceUse, sources: Bitboard) -> Iterator[MoveDelta]:
    """Yield the moves of a use of the dice from these places, in their order."""
    bitboards = opposition.bitboards
    first = sources & bitboards.first
    # In neither half are the two kinds mixed, so the recursion ends after one step.
    if first and first != sources:
        return chain(
            order_moves(opposition, use, first), order_moves(opposition, use, sources ^ first)
        )
    return opposition.iter_moves(use, sources)


def list_moves(rules: Rules, position: Position, number: int, added: Numbers = ()) -> list[Move]:
    """List the moves that a number, or a sum, allows now, whatever the must-use rule says."""
    opposition, state = _pack_for_side(rules, position, position.turn)
    wanted = opposition.bitboards.uses.get_use(number, added)
    sources = find_movable(opposition, state, position.dice or (number,), wanted)
    return [move for move, _ in order_moves(opposition, wanted, sources)]


def find_possible_moves(rules: Rules, position: Position) -> Iterator[Move]:
    """Yield the moves that the numbers left allow now, whatever the must-use rule says."""
    opposition, state = _pack_for_side(rules, position, position.turn)
    for each, _ in opposition.bitboards.uses[position.dice]:
        for move, _ in order_moves(
            opposition, each, find_movable(opposition, state, position.dice, each)
        ):
            yield move


def can_move(rules: Rules, position: Position) -> bool:
    """Whether any of the numbers left, or a sum of them where the rules have sums, can be used."""
    if not position.dice:
        return False
    opposition, state = _pack_for_side(rules, position, position.turn)
    return any(
        find_movable(opposition, state, position.dice, each)
        for each, _ in opposition.bitboards.uses[position.dice]
    )


def find_free_places(rules: Rules, position: Position) -> tuple[int, ...]:
    """Return the places from which men of the side to move may move now, if any stand there.

    These are all of them, unless others of its side wait beside the board and must come first.
    """
    opposition, state = _pack_for_side(rules, position, position.turn)
    bitboards = opposition.bitboards
    standing = (state + bitboards.standing) & bitboards.places
    free = (
        _find_free_places(opposition, state, position.dice, standing)
        if standing & bitboards.beside
        else bitboards.places
    )
    return tuple(compress(bitboards.all, free.to_bytes(bitboards.size, "little")))


def can_enter(rules: Rules, position: Position, side: Side) -> bool:
    """Whether some number enters a man of that side's from the bar."""
    opposition, state = _pack_for_side(rules, position, side)
    standing = (state + opposition.bitboards.standing) & opposition.bitboards.places
    return _can_enter(opposition, state, standing, opposition.bitboards.every)


def is_stuck(rules: Rules, position: Position, side: Side) -> bool:
    """Return whether no number, nor a sum where the rules have them, could move that side's men."""
    opposition, state = _pack_for_side(rules, position, side)
    # Each number is asked as if it were the whole throw, since any of them may come up next.
    return not any(
        find_movable(opposition, state, (each.number,), each) for each in opposition.bitboards.every
    )


def is_closed(rules: Rules, position: Position, point: int) -> bool:
    """Whether the other side's men close a point to the side to move."""
    opposition, _ = _pack_for_side(rules, position, position.turn)
    return bool(opposition.closed & mark_places([point]))


def has_room(rules: Rules, position: Position, point: int) -> bool:
    """Return whether the mover's own men leave room for one more on a point."""
    opposition, state = _pack_for_side(rules, position, position.turn)
    return not (state + opposition.bitboards.filling) & mark_places([point])


def _pack_for_side(rules: Rules, position: Position, side: Side) -> tuple[Opposition, State]:
    """Return what the other side means to a side that is to move, and the state."""
    bitboards = build_bitboards(rules, side)
    state = pack_position(position, side)
    return find_opposition(bitboards, state), state
