"""The four games once more, straight from the rulebook's sentences, to judge the engine by.

Slow and plain on purpose: it reads position texts, tries every number in every order with every man, and only then
compares which sets of numbers were used. It shares no code with the engine.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

ALL = "abcdefghiklmnopqrstuwxyz"
BESIDE = ("hand", "bar", "off")
Men: TypeAlias = dict[str, int]
Table: TypeAlias = tuple[Men, Men]
Ended: TypeAlias = tuple[tuple[tuple[str, int], ...], tuple[tuple[str, int], ...], tuple[int, ...]]


@dataclass(frozen=True)
class Sheet:
    """A game in the rulebook's words: each side's course and own side, how men leave or win, how they may stand."""

    gold: str
    black: str
    own: Mapping[str, str]
    ends: str = "off"
    rests: bool = False
    moves: bool = True
    two_a_point: bool = False
    blockade: str = "skip"

    def course(self, side: str) -> str:
        """The points a side travels, in order."""
        return self.gold if side == "gold" else self.black


def sheet(slug: str, options: Mapping[str, str]) -> Sheet:
    """The sheet of a game with these options."""
    nobody = {"gold": "", "black": ""}
    if slug == "zeno":
        return Sheet(ALL, ALL[::-1], nobody, ends="goal")
    if slug == "pyf":
        return Sheet(ALL, ALL, nobody, rests=True)
    if slug == "ludus-anglicorum":
        sides = {"gold": "abcdefghiklm", "black": "nopqrstuwxyz"}
        return Sheet(ALL, ALL[::-1], sides, blockade=options.get("blockade", "skip"))
    tables = {"af": "abcdef", "gm": "ghiklm", "ns": "nopqrs", "tz": "tuwxyz"}
    table = tables[options.get("table", "af")]
    return Sheet(table, table, nobody, ends="full", moves=False, two_a_point=True)


def read(text: str) -> tuple[Table, str, tuple[int, ...]]:
    """Read a position's text: the men of gold and black, the side to move and the numbers."""
    gold, black, side, dice = text.split()
    numbers = () if dice == "-" else tuple(map(int, dice.split("-")))
    return (_men(gold), _men(black)), side, numbers


def _men(text: str) -> Men:
    men = dict.fromkeys((*ALL, *BESIDE), 0)
    for name, count in re.findall(r"([a-z]+)(\d+)", text):
        men[name] = int(count)
    return men


def key(text: str) -> Ended:
    """What a position's text says, for comparison."""
    (gold, black), _, numbers = read(text)
    return _key(gold, black, numbers)


def _key(gold: Men, black: Men, numbers: tuple[int, ...]) -> Ended:
    stand = [tuple(sorted(pair for pair in men.items() if pair[1])) for men in (gold, black)]
    return stand[0], stand[1], tuple(sorted(numbers))


def moves(game: Sheet, side: str, mine: Men, theirs: Men, number: int) -> Iterator[tuple[str, str]]:
    """Every move that one number allows."""
    course = game.course(side)
    # "while a side has men on the bar it moves nothing else"
    sources = ["bar"] if mine["bar"] else [name for name in (*ALL, "hand") if mine[name]]
    for source in sources:
        # "number n on the n-th point"
        entering = source in ("bar", "hand")
        target = course[number - 1] if entering else _onward(game, course, mine, source, number)
        if target == "off" or (target and _may_land(game, side, mine, theirs, target)):
            yield source, target


def _onward(game: Sheet, course: str, mine: Men, source: str, number: int) -> str:
    at, last = course.index(source), course[-6:]
    if not game.moves:
        return ""
    if at + number < len(course):
        return "" if game.rests and source in last else course[at + number]
    if game.ends != "off" or mine["hand"] or mine["bar"] or any(mine[name] for name in ALL if name not in last):
        return ""
    # "a number bears a man that needs exactly it; a higher number only from the farthest occupied point"
    exact = at + number == len(course)
    farther = any(mine[name] for name in last[: last.index(source)])
    return "off" if exact or not farther else ""


def _may_land(game: Sheet, side: str, mine: Men, theirs: Men, target: str) -> bool:
    if theirs[target] >= 2:
        return False
    if game.two_a_point and mine[target] >= 2:
        return False
    return not (target in game.own[side] and mine[target])


def winner(game: Sheet, gold: Men, black: Men) -> str | None:
    """Who has won, `nobody` for a draw, or None while the game goes on."""
    for side, other, mine, theirs in (("gold", "black", gold, black), ("black", "gold", black, gold)):
        if _caught(game, side, mine, theirs):
            return other
        if game.ends == "off" and mine["off"] == sum(mine.values()):
            return side
        if game.ends == "goal" and sum(mine[name] for name in game.course(side)[-6:]) == sum(mine.values()):
            return side
    if game.ends == "full" and all(gold[name] == 2 or black[name] == 2 for name in game.gold):
        lead = sum(gold[name] for name in game.gold) - sum(black[name] for name in game.gold)
        return "gold" if lead > 0 else "black" if lead < 0 else "nobody"
    return None


def plight(game: Sheet, side: str, mine: Men, theirs: Men) -> str | None:
    """Whether a side is lympolded or lurched."""
    course = game.course(side)
    entry, last = course[:6], course[-1]
    if any(True for number in range(1, 7) for _ in moves(game, side, mine, theirs, number)):
        return None
    if mine["bar"]:
        return "lympolded"
    # "not all in its bearing table ... all its men being in its own entry table or on the last point of its course,
    # shut in by six points in a row held by the other"
    inside = sum(mine[name] for name in entry) + mine[last] + mine["off"] == sum(mine.values())
    wall = any(all(theirs[name] >= 2 for name in course[at : at + 6]) for at in range(len(course) - 5))
    away = any(mine[name] for name in entry)
    return "lurched" if inside and wall and away else None


def _caught(game: Sheet, side: str, mine: Men, theirs: Men) -> bool:
    course = game.course(side)
    entry, last = course[:6], course[-1]
    if game.blockade == "permanent":
        return mine["bar"] + sum(mine[name] > 0 for name in entry) >= 7
    if game.blockade == "skip" or plight(game, side, mine, theirs) is None:
        return False
    drawn = all(mine[name] == 1 for name in entry) and mine["bar"] <= 1
    rest = sum(mine.values()) - 6 - mine["bar"]
    return game.blockade == "wins" or (drawn and mine[last] == rest)


def ends(text: str, slug: str, options: Mapping[str, str]) -> set[Ended]:
    """Every end of a legal play: all orders tried, then as many numbers as can be, and of those the highest set."""
    game = sheet(slug, options)
    (gold, black), side, numbers = read(text)
    mine, theirs = (gold, black) if side == "gold" else (black, gold)
    found: dict[tuple[int, tuple[int, ...]], set[Ended]] = {}
    seen: set[Ended] = set()

    def explore(mine: Men, theirs: Men, left: tuple[int, ...], used: tuple[int, ...]) -> None:
        for number in set(left):
            rest = list(left)
            rest.remove(number)
            for source, target in moves(game, side, mine, theirs, number):
                after, struck = {**mine, source: mine[source] - 1}, dict(theirs)
                after[target] += 1
                if target != "off" and struck[target]:
                    struck[target], struck["bar"] = 0, struck["bar"] + 1
                stand = (after, struck) if side == "gold" else (struck, after)
                won = winner(game, *stand)
                # "a side that has won stops; leftover numbers don't matter"
                counted = numbers if won == side else (*used, number)
                end = _key(*stand, () if won else tuple(rest))
                rank = tuple(sorted(counted, reverse=True))
                found.setdefault((len(rank), rank), set()).add(end)
                if not won and end not in seen:
                    seen.add(end)
                    explore(after, struck, tuple(rest), (*used, number))

    explore(mine, theirs, numbers, ())
    return found[max(found)] if found else set()
