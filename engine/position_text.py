"""A position as text and back: the canonical text, and what is wrong with another."""

import re
from collections.abc import Iterator

from engine.position import Position, Side, format_men
from engine.possible import find_impossibilities, may_stand
from engine.refusal import Reason, Refusal
from engine.rules import Rules
from engine.throws import list_possible_numbers

# Roman points are numbers, so a colon parts them from the count of men, as in `36:2`.
_GROUP = re.compile(r"(?:([1-9][0-9]?):|(hand|off|bar-[a-z]+|[a-z]+))([1-9][0-9]?)")


def parse_position(text: str, rules: Rules) -> Position:
    """Read `GOLD BLACK TURN DICE [MEMORY]`.

    Raises Refusal, which names the field that is wrong and what was expected.
    """
    fields = text.split()
    if len(fields) not in (4, 5):
        raise Refusal(Reason.FIELDS)
    gold, black = (
        _parse_men(field, side, rules) for field, side in zip(fields, Side, strict=False)
    )
    if fields[2] not in list(Side):
        raise Refusal(Reason.TURN, typed=fields[2])
    position = Position(gold, black, Side(fields[2]))
    # The first one is enough, and a generator doesn't look for others.
    for refusal in find_impossibilities(rules, position):
        raise refusal
    # What may be remembered depends on the men and the numbers, so memory is read after both.
    position = position._replace(dice=_parse_dice(fields[3], rules))
    return (
        position._replace(memory=_parse_memory(fields[4], position, rules))
        if len(fields) == 5
        else position
    )


def format_position(position: Position, rules: Rules) -> str:
    """A position's canonical text: `GOLD BLACK TURN DICE [MEMORY]`, as in `a15 z15 gold -`."""
    board = rules.board
    dice = "-".join(map(str, position.dice)) or "-"
    gold = format_men(position.gold, board)
    black = format_men(position.black, board)
    text = f"{gold} {black} {position.turn} {dice}"
    return (
        f"{text} {rules.memory.text(rules, position.memory)}"
        if rules.memory and position.memory
        else text
    )


def _parse_men(text: str, side: Side, rules: Rules) -> bytes:
    board = rules.board
    men = bytearray(rules.board.no_men)
    for name, count in _split_groups(text, side):
        place = board.places_by_name.get(name)
        if place is None:
            raise Refusal(Reason.MEN_PLACE, side=side, name=name)
        if not may_stand(rules, side, place):
            raise Refusal(Reason.MEN_NEVER, side=side, place=name)
        if men[place]:
            raise Refusal(Reason.MEN_TWICE, side=side, place=name)
        men[place] = count
    if sum(men) != rules.men:
        raise Refusal(Reason.MEN_COUNT, side=side, count=sum(men), men=rules.men)
    return bytes(men)


def _split_groups(text: str, side: Side) -> Iterator[tuple[str, int]]:
    for group in text.split(",") if text != "-" else ():
        read = _GROUP.fullmatch(group)
        if read is None:
            raise Refusal(Reason.MEN, side=side, typed=group)
        yield read[1] or read[2], int(read[3])


def _parse_dice(text: str, rules: Rules) -> tuple[int, ...]:
    if text == "-":
        return ()
    if not re.fullmatch(r"[1-6](-[1-6])*", text):
        raise Refusal(Reason.DICE, typed=text)
    dice = tuple(sorted(map(int, text.split("-")), reverse=True))
    if dice not in list_possible_numbers(rules.dice):
        raise Refusal(Reason.DICE_NEVER, typed=text)
    return dice


def _parse_memory(text: str, position: Position, rules: Rules) -> int:
    if rules.memory is None:
        raise Refusal(Reason.NO_MEMORY, typed=text)
    known = {
        rules.memory.text(rules, number): number
        for number in rules.memory.possible(rules, position)
    }
    if text not in known:
        raise Refusal(
            Reason.MEMORY if known else Reason.MEMORY_EMPTY, typed=text, known=tuple(known)
        )
    return known[text]
