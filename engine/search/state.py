"""The men of both sides as one number.

A move is then an addition, and a question to all places is one operation.

A *state* counts in bytes: the mover's men by place, the other side's by place, how many of each
number from 1 to 6 are left of the throw; and above them, without a limit, what is remembered. A
*bitboard* marks some of the mover's places, each by the highest bit of its byte: what is added to a
count to see whether it reaches some number carries into that bit and no farther, as long as nobody
has more than 127 men.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import TypeAlias

from engine.position import Position, Side, build_position
from engine.search.routes import NUMBERS

State: TypeAlias = int
"""A position as its mover sees it, packed as above."""

Bitboard: TypeAlias = int
"""Some places, each marked by the highest bit of its byte."""

BYTE = 8
MARK = 0x80


def mark_places(places: Iterable[int]) -> Bitboard:
    """Return the bitboard of some places."""
    return sum(MARK << BYTE * place for place in places)


def build_thresholds(counts: Iterable[tuple[int, int]]) -> int:
    """Return what to add to counts of men to mark the places that hold as many as given."""
    # A count that reaches the given one carries into the highest bit of its byte, a lower one
    # doesn't.
    return sum((MARK - count) << BYTE * place for place, count in counts)


def fill_bytes(board: Bitboard) -> int:
    """Return the bytes of the places of a bitboard, every bit of them."""
    # Division turns every mark into the lowest bit of its byte, and that bit times 255 fills it.
    return board // MARK * 0xFF


def count_men_on(state: State, places: int) -> int:
    """Count the mover's men on some places, given as whole bytes."""
    # As a number's digits add up to it modulo nine, so do its bytes modulo 255.
    # A side has far fewer men than that, so the remainder is the sum itself.
    return (state & places) % 0xFF


def encode_man(place: int) -> int:
    """Return one man of the mover's on a place."""
    return 1 << BYTE * place


def encode_opposing_man(place: int, size: int) -> int:
    """Return one man of the other side's on a place, of so many."""
    return 1 << BYTE * (size + place)


def encode_number(number: int, size: int) -> int:
    """Return that a number is left once, on a board of so many places."""
    return 1 << BYTE * (2 * size + number - NUMBERS[0])


def pack_position(position: Position, side: Side) -> State:
    """Return a position as that side sees it when it is to move."""
    gold, black, _, numbers, memory = position
    mine, theirs = (gold, black) if side is Side.GOLD else (black, gold)
    # Little-endian, so that the byte of a place is at its number and the mover's men come lowest.
    state = int.from_bytes(mine + theirs + _count_numbers(numbers), "little")
    return replace_memory(state, memory, len(mine)) if memory else state


def unpack_memory(state: State, size: int) -> int:
    """Return what is remembered in a state, on a board of so many places."""
    return state >> _find_memory_bit(size)


def unpack_position(state: State, side: Side, size: int) -> Position:
    """Return the position that a side to move sees so, on a board of so many places."""
    at = _find_memory_bit(size)
    memory = state >> at
    # Most states remember nothing, and masking a number of this length makes a copy of it.
    counts = (state & (1 << at) - 1 if memory else state).to_bytes(at // BYTE, "little")
    return build_position(
        side, counts[:size], counts[size : 2 * size], _list_numbers(counts[2 * size :]), memory
    )


def replace_memory(state: State, memory: int, size: int) -> State:
    """Return a state in which something else is remembered."""
    at = _find_memory_bit(size)
    # Memory is topmost and has no limit, so everything below it is kept and the rest put in again.
    return state & (1 << at) - 1 | memory << at


def clear_numbers(state: State, size: int) -> State:
    """Return a state in which no number is left."""
    # Subtraction binds tighter than the shifts: six full bytes, moved to where numbers are counted.
    return state & ~((1 << BYTE * len(NUMBERS)) - 1 << BYTE * 2 * size)


def _find_memory_bit(size: int) -> int:
    """Return from which bit on a state is what is remembered."""
    return BYTE * (2 * size + len(NUMBERS))


@lru_cache(maxsize=4096)
def _count_numbers(numbers: tuple[int, ...]) -> bytes:
    return bytes(map(numbers.count, NUMBERS))


@lru_cache(maxsize=4096)
def _list_numbers(counts: bytes) -> tuple[int, ...]:
    """Return the numbers of which so many are left, highest first."""
    each = zip(NUMBERS, counts, strict=True)
    return tuple(sorted((number for number, count in each for _ in range(count)), reverse=True))
