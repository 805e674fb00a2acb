"""A position as text and back: the canonical text, and in one sentence what is wrong with another."""

import re
from collections.abc import Iterator

from engine.position import Position, Side, format_men
from engine.possible import impossible, may_stand
from engine.refusal import Refusal, Rule
from engine.rules import Rules
from engine.throws import possible

_GROUP = re.compile(r"(?:([1-9]\d?):|(hand|off|bar-[a-z]+|[a-z]+))([1-9]\d?)")


def parse_position(text: str, rules: Rules) -> Position:
    """Read `GOLD BLACK TURN DICE [MEMORY]`; raises Refusal naming the field that is wrong and what was expected."""
    fields = text.split()
    if len(fields) not in (4, 5):
        raise _wrong(
            "a position",
            "has four fields, gold's men, black's men, the turn and the dice, and a fifth where a game remembers more",
        )
    gold, black = (_men(field, side, rules) for field, side in zip(fields, Side, strict=False))
    if fields[2] not in list(Side):
        raise _wrong("turn", f"is gold or black, not {fields[2]}")
    position = Position(gold, black, Side(fields[2]))
    for field, expected in impossible(rules, position):
        raise _wrong(field, expected)
    position = position._replace(dice=_dice(fields[3], rules))
    return position._replace(memory=_memory(fields[4], position, rules)) if len(fields) == 5 else position


def format_position(position: Position, rules: Rules) -> str:
    """A position's canonical text: `GOLD BLACK TURN DICE [MEMORY]`, as in `a15 z15 gold -`."""
    board = rules.board
    dice = "-".join(map(str, position.dice)) or "-"
    text = f"{format_men(position.gold, board)} {format_men(position.black, board)} {position.turn} {dice}"
    return f"{text} {rules.memory.text(rules, position.memory)}" if rules.memory and position.memory else text


def _wrong(field: str, expected: str) -> Refusal:
    return Refusal(Rule.POSITION, f"{field} {expected}")


def _men(text: str, side: Side, rules: Rules) -> bytes:
    board = rules.board
    men = bytearray(rules.board.nobody)
    for name, count in _groups(text, side):
        place = board.places.get(name)
        if place is None:
            raise _wrong(side, f"names {name}, which this board lacks")
        if not may_stand(rules, side, place):
            raise _wrong(side, f"has men on {name}, where in this game none of its men can be")
        if men[place]:
            raise _wrong(side, f"names {name} twice")
        men[place] = count
    if sum(men) != rules.men:
        raise _wrong(side, f"has {sum(men)} men, but this game is played with {rules.men} a side")
    return bytes(men)


def _groups(text: str, side: Side) -> Iterator[tuple[str, int]]:
    for group in text.split(",") if text != "-" else ():
        read = _GROUP.fullmatch(group)
        if read is None:
            raise _wrong(
                side,
                f"lists men as a15 or hand3, with commas between; {group} is neither",
            )
        yield read[1] or read[2], int(read[3])


def _dice(text: str, rules: Rules) -> tuple[int, ...]:
    if text == "-":
        return ()
    if not re.fullmatch(r"[1-6](-[1-6])*", text):
        raise _wrong(
            "dice",
            f"are numbers from 1 to 6 joined by -, or - alone; {text} is neither",
        )
    dice = tuple(sorted(map(int, text.split("-")), reverse=True))
    if dice not in possible(rules.dice):
        raise _wrong("dice", f"show {text}, which this game cannot throw")
    return dice


def _memory(text: str, position: Position, rules: Rules) -> int:
    if rules.memory is None:
        raise _wrong("memory", f"is {text}, but this game remembers no more than where men stand")
    known = {rules.memory.text(rules, number): number for number in rules.memory.possible(rules, position)}
    if text not in known:
        expected = f"is one of {', '.join(known)}" if known else "is empty"
        raise _wrong("memory", f"{expected} in this position, not {text}")
    return known[text]
