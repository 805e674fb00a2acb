"""Positions of backgammon as other programs write them: XGID, and the IDs of GNU Backgammon.

Gold is the player at the bottom of eXtreme Gammon's board (upper case, turn 1) and GNU Backgammon's
player 1; both number the points from that player's home, so that their point 24 is a and 1 is z.
What these programs say of the cube, the score and the match is left out, as it isn't played here.

Sources: "A technical description of the Position ID" and "... of the Match ID" in the manual of GNU
Backgammon, with the order of the two players as its `positionid.c` has it (first the one who waits,
then the one on roll); the help of eXtreme Gammon, "XGID".
"""

import re
from collections.abc import Iterator, Mapping

from engine.games.backgammon import BACKGAMMON
from engine.position import Position, Side
from engine.possible import find_impossibilities
from engine.refusal import Reason, Refusal
from engine.throws import list_numbers

XGID_FIELDS = (9, 10)
"""Fields of an XGID; the last, the highest cube, may be missing."""
XGID_PLACES = 26
POSITION_ID_LENGTH, MATCH_ID_LENGTH = 14, 12

_RULES = BACKGAMMON.rules
_BOARD = _RULES.board
_BAR = _BOARD.bars[0]
_BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_SIX_BITS = 6
_BYTE = 8
_KEY_BITS = 80
_LETTERS = "ABCDEFGHIJKLMNO"
_TURNS: Mapping[str, Side] = {"1": Side.GOLD, "-1": Side.BLACK}
_CUBE_ACTIONS = ("D", "B", "R")
"""What stands in an XGID in place of dice while a double, a beaver or a raccoon is answered."""

_XGID = re.compile(r"xgid\s*=\s*(\S*)", re.IGNORECASE)
_BARE_XGID = re.compile(r"\S*(:\S*){3}")
_LABELLED = re.compile(r"position\s*id\s*:\s*(\S*)", re.IGNORECASE)
_LABELLED_MATCH = re.compile(r"match\s*id\s*:\s*(\S*)", re.IGNORECASE)
_BARE_ID = re.compile(r"([^\s:,]+)(?::([^\s,]*))?|([A-Za-z0-9+/]{14})\s+(\S+)")


def parse_position_id(text: str) -> Position | None:
    """Return the position of an XGID, or of a position ID with or without a match ID.

    Both may stand in what the programs print around them. Return None for text that has the form of
    neither. Without a match ID gold is on roll. Raises Refusal where something in it is wrong.
    """
    text = text.strip()
    if found := _XGID.search(text):
        return _parse_xgid(found[1])
    if _BARE_XGID.fullmatch(text):
        return _parse_xgid(text)
    if found := _LABELLED.search(text):
        match = _LABELLED_MATCH.search(text)
        return _parse_gnu_ids(found[1], match[1] if match else "")
    is_word = text.isalpha() and len(text) != POSITION_ID_LENGTH
    if not is_word and (found := _BARE_ID.fullmatch(text)):
        return _parse_gnu_ids(found[1] or found[3], found[2] or found[4] or "")
    return None


def format_xgid(position: Position) -> str:
    """Return a position of backgammon as an XGID, without cube and score."""
    men = [_format_places(position, place) for place in _list_xgid_places()]
    turn = next(name for name, side in _TURNS.items() if side is position.turn)
    # Of doubles four numbers are to be played.
    dice = "".join(map(str, position.dice[:2])) or "00"
    return f"XGID={''.join(men)}:0:0:{turn}:{dice}:0:0:0:0:10"


def format_position_id(position: Position) -> str:
    """Return a position of backgammon as GNU Backgammon's position ID, which has no dice."""
    bits: list[int] = []
    for side in (position.turn.other, position.turn):
        men = position.men(side)
        for place in _list_gnu_places(side):
            bits += (*[1] * men[place], 0)
    bits += [0] * (POSITION_ID_LENGTH * _SIX_BITS - len(bits))
    return _encode_bits(bits)


def _list_xgid_places() -> Iterator[tuple[int, Side | None]]:
    """Yield the places of an XGID in order: black's bar, the points from z to a, gold's bar."""
    yield _BAR, Side.BLACK
    for point in reversed(range(_BOARD.size)):
        yield point, None
    yield _BAR, Side.GOLD


def _format_places(position: Position, place: tuple[int, Side | None]) -> str:
    point, only = place
    for side in (only,) if only else Side:
        if count := position.men(side)[point]:
            letter = _LETTERS[count - 1]
            return letter if side is Side.GOLD else letter.lower()
    return "-"


def _parse_xgid(text: str) -> Position:
    fields = text.split(":")
    if len(fields) not in XGID_FIELDS:
        raise Refusal(Reason.XGID_FIELDS, count=len(fields))
    if len(fields[0]) != XGID_PLACES:
        raise Refusal(Reason.XGID_LENGTH, count=len(fields[0]))
    men = {side: bytearray(_BOARD.no_men) for side in Side}
    for letter, (place, only) in zip(fields[0], _list_xgid_places(), strict=True):
        if letter == "-":
            continue
        if letter.upper() not in _LETTERS:
            raise Refusal(Reason.XGID_MAN, typed=letter)
        side = Side.GOLD if letter in _LETTERS else Side.BLACK
        if only not in (side, None):
            raise Refusal(Reason.XGID_BAR, typed=letter)
        men[side][place] = _LETTERS.index(letter.upper()) + 1
    if fields[3] not in _TURNS:
        raise Refusal(Reason.XGID_TURN, typed=fields[3])
    thrown = _parse_xgid_dice(fields[4])
    return _build_position(men, _TURNS[fields[3]], thrown)


def _parse_xgid_dice(text: str) -> tuple[int, ...]:
    if text == "00":
        return ()
    if text in _CUBE_ACTIONS:
        raise Refusal(Reason.CUBE)
    if not re.fullmatch("[1-6]{2}", text):
        raise Refusal(Reason.XGID_DICE, typed=text)
    return tuple(map(int, text))


def _parse_gnu_ids(position: str, match: str) -> Position:
    bits = _decode_bits(position, POSITION_ID_LENGTH, Reason.POSITION_ID_LENGTH)
    mover, thrown = _parse_match_id(match) if match else (Side.GOLD, ())
    men = {side: bytearray(_BOARD.no_men) for side in Side}
    left = iter(bits)
    for side in (mover.other, mover):
        for place in _list_gnu_places(side):
            while next(left, 0):
                men[side][place] += 1
    # Two players with fifteen men fill the key; fewer leave noughts, and a broken ID anything.
    if any(left):
        raise Refusal(Reason.POSITION_ID_BITS)
    return _build_position(men, mover, thrown)


def _parse_match_id(text: str) -> tuple[Side, tuple[int, ...]]:
    """Return who is on roll, and the throw if there is one."""
    bits = _decode_bits(text, MATCH_ID_LENGTH, Reason.MATCH_ID_LENGTH)
    mover = Side.GOLD if bits[6] else Side.BLACK
    if bits[12]:
        raise Refusal(Reason.CUBE)
    # Numbers have their lowest bit first.
    thrown = tuple(
        sum(bit << at for at, bit in enumerate(bits[first : first + 3])) for first in (15, 18)
    )
    if thrown == (0, 0):
        return mover, ()
    if not all(1 <= die <= 6 for die in thrown):
        raise Refusal(Reason.MATCH_ID_DICE)
    return mover, thrown


def _list_gnu_places(side: Side) -> Iterator[int]:
    """Yield where a side's men can be, from its ace point on, and last its bar."""
    yield from reversed(_RULES.course(side))
    yield _BAR


def _decode_bits(text: str, length: int, wrong_length: Reason) -> list[int]:
    """Return the bits of an ID in Base64: bytes have their lowest bit first."""
    text = text.rstrip("=")
    for letter in text:
        if letter not in _BASE64:
            raise Refusal(Reason.ID_CHARACTER, typed=letter)
    if len(text) != length:
        raise Refusal(wrong_length, count=len(text))
    row = [(_BASE64.index(letter) >> at) & 1 for letter in text for at in reversed(range(6))]
    return [bit for first in range(0, len(row), _BYTE) for bit in row[first : first + _BYTE][::-1]]


def _encode_bits(bits: list[int]) -> str:
    row = [bit for first in range(0, _KEY_BITS, _BYTE) for bit in bits[first : first + _BYTE][::-1]]
    row += bits[_KEY_BITS:]
    return "".join(
        _BASE64[int("".join(map(str, row[first : first + _SIX_BITS])), 2)]
        for first in range(0, len(row), _SIX_BITS)
    )


def _build_position(men: Mapping[Side, bytearray], turn: Side, thrown: tuple[int, ...]) -> Position:
    """Return the position of these men; those that are nowhere are borne off."""
    for side, row in men.items():
        if sum(row) > _RULES.men:
            raise Refusal(Reason.MEN_COUNT, side=side, count=sum(row), men=_RULES.men)
        row[_BOARD.off] = _RULES.men - sum(row)
    dice = list_numbers(_RULES.dice, thrown) if thrown else ()
    position = Position(bytes(men[Side.GOLD]), bytes(men[Side.BLACK]), turn, dice)
    for refusal in find_impossibilities(_RULES, position):
        raise refusal
    return position
