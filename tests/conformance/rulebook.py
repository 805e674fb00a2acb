"""The games once more, straight from the rulebook's sentences, to judge the engine by.

Slow and plain on purpose: it reads position texts, tries every number in every order with every
man, and only then compares which sets of numbers were used. It shares no code with the engine. What
needs the memory of earlier turns (the hits of Emperador's barata) is left to the tests of that
game.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import TypeAlias

from tests.conformance.sheets import ALL, BARS, Names, Sheet, find_sheet

Men: TypeAlias = dict[str, int]
MenPair: TypeAlias = tuple[Men, Men]
EndKey: TypeAlias = tuple[tuple[tuple[str, int], ...], tuple[tuple[str, int], ...], tuple[int, ...]]
Step: TypeAlias = tuple[str, str]

ONWARD_PLACINGS = ("half", "still", "anywhere")
"""Ways of placing in which a man that has just entered may move on while others wait.

It moves on by another number.
"""

__all__ = [
    "build_key",
    "find_plight",
    "find_sheet",
    "find_winner",
    "list_ends",
    "list_moves",
    "list_offered_ends",
    "parse_position",
]


def parse_position(text: str) -> tuple[MenPair, str, tuple[int, ...]]:
    """Read a position's text: the men of gold and black, the side to move and the numbers."""
    gold, black, side, dice = text.split()[:4]
    numbers = () if dice == "-" else tuple(map(int, dice.split("-")))
    return (_parse_men(gold), _parse_men(black)), side, numbers


def _parse_men(text: str) -> Men:
    men = dict.fromkeys((*ALL, *map(str, range(1, 37)), "hand", *BARS, "off"), 0)
    for number, name, count in re.findall(r"(?:(\d+):|(bar-[a-z]+|[a-z]+))(\d+)", text):
        men[number or name] = int(count)
    return men


def build_key(text: str) -> EndKey:
    """What a position's text says, for comparison."""
    (gold, black), _, numbers = parse_position(text)
    return _build_key(gold, black, numbers)


def _build_key(gold: Men, black: Men, numbers: tuple[int, ...]) -> EndKey:
    stand = [tuple(sorted(pair for pair in men.items() if pair[1])) for men in (gold, black)]
    return stand[0], stand[1], tuple(sorted(numbers))


def count_waiting(men: Men) -> int:
    """How many men wait on any bar."""
    return sum(men[bar] for bar in BARS)


def list_moves(
    game: Sheet,
    side: str,
    mine: Men,
    theirs: Men,
    number: int,
    left: tuple[int, ...] = (),
    placed: str = "",
) -> Iterator[Step]:
    """Yield every move that one number allows, with these numbers left and that man just placed."""
    for source in _list_sources(game, side, mine, theirs, left or (number,), placed):
        target = _find_target(game, side, mine, source, number)
        if target == "off" or (
            target and _may_land(game, side, mine, theirs, source, target, number)
        ):
            yield source, target


def _list_sources(
    game: Sheet, side: str, mine: Men, theirs: Men, left: tuple[int, ...], placed: str
) -> list[str]:
    bars = [bar for bar in BARS if mine[bar]]
    board = [name for name in game.course(side) if mine[name]]
    hand = ["hand"] if mine["hand"] else []
    if bars and game.reentry == "first":
        # "while a side has men on the bar it moves nothing else";
        # of tabula, "one man with a total while others wait"
        return [*bars, *([placed] if placed else [])]
    if bars and game.reentry == "soft":
        entering = (
            (bar, _find_target(game, side, mine, bar, number), number)
            for bar in bars
            for number in left
        )
        if any(
            to and _may_land(game, side, mine, theirs, bar, to, number)
            for bar, to, number in entering
        ):
            return bars  # "re-entry binds only if some number enters"
    if hand and game.placing == "all":
        return hand  # "no man moves before all of the side's men have entered"
    if hand and game.placing == "still":
        return [*hand, *([placed] if placed else [])]
    return [*bars, *hand, *board]


def _find_target(game: Sheet, side: str, mine: Men, source: str, number: int) -> str:
    course, last = game.course(side), game.last_table(side)
    if source in BARS or source == "hand":
        entry = game.entries.get(source) or game.entries.get(f"{side} {source}", course)
        return "" if entry[number - 1] in game.barred else entry[number - 1]
    if game.moves and course.index(source) + number < len(course):
        return "" if game.rests and source in last else course[course.index(source) + number]
    return "off" if _may_bear(game, mine, course, last, source, number) else ""


def _may_bear(game: Sheet, mine: Men, course: Names, last: Names, source: str, number: int) -> bool:
    left = sum(mine.values()) - mine["off"]
    standing = sum(mine[name] for name in last)
    if (
        game.ends != "off"
        or (source not in last and not game.anybody)
        or standing < (0 if game.anybody else min(12, left) if game.twelve else left)
    ):
        return False
    if game.placing in ("half", "still") and (mine["hand"] or count_waiting(mine)):
        return False  # "none may go past m", and over the edge is past it
    inside = source in last
    needs = len(last) - last.index(source) if inside else len(course) - course.index(source)
    if game.bearing == "past":
        return number >= needs
    # "a number bears a man that needs exactly it;
    # a higher number bears only from the farthest occupied point"
    behind = (
        sum(mine[name] for name in last[: last.index(source)]) + left - standing
        if inside
        else sum(mine[name] for name in ("hand", *BARS, *course[: course.index(source)]))
    )
    farther = behind > 0
    return number == needs or (game.bearing == "usual" and number > needs and not farther)


def _may_land(
    game: Sheet, side: str, mine: Men, theirs: Men, source: str, target: str, number: int
) -> bool:
    unplaced = mine["hand"] + count_waiting(mine)
    if game.placing in ("half", "still") and unplaced and target in game.course(side)[12:]:
        return False  # "until all of a side's men are on the board none of them goes past m"
    if theirs[target] >= game.closed:
        return game.breaks and _may_break(game, side, mine, theirs, source, target, number)
    if mine[target] >= game.most or (target in game.own[side] and mine[target]):
        return False
    back = game.back.get("black" if side == "gold" else "gold", "")
    return not (theirs[target] and back and (mine[back] or target == back))


def _may_break(
    game: Sheet, side: str, mine: Men, theirs: Men, source: str, target: str, number: int
) -> bool:
    # "a side wholly shut in by six or more points in a row, with a man against it,
    # may by a six land"
    course = game.course(side)
    if number != 6 or source not in course or (target in game.own[side] and mine[target]):
        return False
    at = course.index(source)
    wall = course[at + 1 : at + 7]
    shut_in = sum(mine[name] for name in course[: at + 1]) + count_waiting(mine) == sum(
        mine.values()
    )
    return len(wall) == 6 and all(theirs[name] >= 2 for name in wall) and shut_in


def _has_move(game: Sheet, side: str, mine: Men, theirs: Men, left: tuple[int, ...]) -> bool:
    return game.tie and any(
        True for number in left for _ in list_moves(game, side, mine, theirs, number, left)
    )


def find_winner(game: Sheet, gold: Men, black: Men, *, played_out: bool = True) -> str | None:
    """Who has won, `nobody` for a draw, or None while the game goes on.

    A tie, "no number could enter either's", is one only when the throw is played out: what is left
    may open a point.
    """
    loser = _find_loser(game, gold, black)
    if loser is not None:
        return {"gold": "black", "black": "gold", "both": "nobody"}[loser]
    for side, mine, theirs in (("gold", gold, black), ("black", black, gold)):
        if game.figures and _has_figure(game.course(side), mine):
            return side
        if game.six_win and _has_wall(game, side, mine, theirs):
            return side
    for side, mine in (("gold", gold), ("black", black)):
        everybody = sum(mine.values())
        if game.ends == "off" and mine["off"] == everybody:
            return side
        if game.ends == "goal" and sum(mine[name] for name in game.course(side)[-6:]) == everybody:
            return side
    if (
        game.tie
        and played_out
        and _has_no_entry(game, "gold", gold, black)
        and _has_no_entry(game, "black", black, gold)
    ):
        return "nobody"
    return _find_full_table_winner(game, gold, black)


def _find_loser(game: Sheet, gold: Men, black: Men) -> str | None:
    """Who has lost at once: "a move that lympolds both sides draws the game, whoever moved"."""
    lost = [
        _is_caught(game, side, mine, theirs)
        or (game.jan and _is_placed_for_ever(game, side, mine))
        # "he then does not have points upon which to enter them and he therefore loses"
        or (game.no_entry and _has_no_entry(game, side, mine, theirs))
        for side, mine, theirs in (("gold", gold, black), ("black", black, gold))
    ]
    return "both" if all(lost) else "gold" if lost[0] else "black" if lost[1] else None


def _find_full_table_winner(game: Sheet, gold: Men, black: Men) -> str | None:
    """Who has won a table that is full."""
    if game.ends not in ("full", "all-six"):
        return None
    if not all(2 in (gold[name], black[name]) for name in game.gold):
        return None
    lead = sum(gold[name] for name in game.gold) - sum(black[name] for name in game.gold)
    if game.ends == "all-six" and abs(lead) < 2 * len(game.gold):
        return "nobody"
    return "gold" if lead > 0 else "black" if lead < 0 else "nobody"


def _is_placed_for_ever(game: Sheet, side: str, mine: Men) -> bool:
    return count_waiting(mine) + sum(mine[name] > 0 for name in game.course(side)[:6]) >= 7


def _has_figure(course: Names, mine: Men) -> bool:
    figures = ((15,), (7, 5, 3), (5, 5, 5), (3, 3, 3, 3, 3))
    return any(
        [mine[name] for name in course[::-1][: len(figure)]] == list(figure) for figure in figures
    )


def _has_wall(game: Sheet, side: str, mine: Men, theirs: Men) -> bool:
    course = game.course("black" if side == "gold" else "gold")
    walls = (
        at for at in range(len(course) - 5) if all(mine[name] >= 2 for name in course[at : at + 6])
    )
    return any(count_waiting(theirs) + sum(theirs[name] for name in course[:at]) for at in walls)


def _has_no_entry(game: Sheet, side: str, mine: Men, theirs: Men) -> bool:
    ways = (step for number in range(1, 7) for step in list_moves(game, side, mine, theirs, number))
    return count_waiting(mine) > 0 and not any(source in BARS for source, _ in ways)


def find_plight(game: Sheet, side: str, mine: Men, theirs: Men) -> str | None:
    """Whether a side is lympolded or lurched."""
    course = game.course(side)
    entry, last = course[:6], course[-1]
    if any(True for number in range(1, 7) for _ in list_moves(game, side, mine, theirs, number)):
        return None
    if mine["bar"]:
        return "lympolded"
    # "not all in its bearing table ... all its men being in its own entry table or on the last
    # point of its course, shut in by six points in a row held by the other"
    inside = sum(mine[name] for name in entry) + mine[last] + mine["off"] == sum(mine.values())
    wall = any(
        all(theirs[name] >= 2 for name in course[at : at + 6]) for at in range(len(course) - 5)
    )
    away = any(mine[name] for name in entry)
    return "lurched" if inside and wall and away else None


def _is_caught(game: Sheet, side: str, mine: Men, theirs: Men) -> bool:
    course = game.course(side)
    entry, last = course[:6], course[-1]
    if game.blockade == "permanent":
        return _is_placed_for_ever(game, side, mine)
    if game.blockade == "shut-out":
        return count_waiting(mine) > 0 and all(theirs[name] >= 2 for name in course[:7])
    if game.blockade == "murray":
        # "as in limpolding, but the loser has fewer than 8 men
        # on the ace-point of his bearing table"
        return mine["bar"] == 1 and all(mine[name] == 1 for name in entry)
    if game.blockade == "skip" or find_plight(game, side, mine, theirs) is None:
        return False
    drawn = all(mine[name] == 1 for name in entry) and mine["bar"] <= 1
    rest = sum(mine.values()) - 6 - mine["bar"]
    return game.blockade == "wins" or (drawn and mine[last] == rest)


def _list_uses(game: Sheet, left: tuple[int, ...]) -> set[tuple[int, ...]]:
    """The numbers that may be used next: one, or in a game of sums several added up."""
    sizes = range(1, len(left) + 1) if game.sums else (1,)
    return {use for size in sizes for use in combinations(sorted(left), size)}


def _apply_step(game: Sheet, side: str, mine: Men, theirs: Men, step: Step) -> MenPair:
    source, target = step
    after, struck = {**mine, source: mine[source] - 1}, dict(theirs)
    after[target] += 1
    if target != "off" and struck[target]:
        other = "black" if side == "gold" else "gold"
        sent = game.back.get(other) or game.waits.get(target, "bar")
        men, struck[target] = struck[target], 0
        struck[sent] += men
    return after, struck


def list_ends(text: str, slug: str, options: Mapping[str, str]) -> set[EndKey]:
    """Return every end of a legal play.

    All orders are tried; then as many numbers as possible are used, and of those the highest set.
    """
    found = _search_ends(text, slug, options)
    return found[max(found)] if found else set()


def list_offered_ends(text: str, slug: str, options: Mapping[str, str]) -> set[EndKey]:
    """Return every end of a play of offered numbers, "any or none".

    That is all that any of them can bring about, in any order.
    """
    return set().union(*_search_ends(text, slug, options).values())


def _search_ends(
    text: str, slug: str, options: Mapping[str, str]
) -> dict[tuple[int, tuple[int, ...]], set[EndKey]]:
    """Every end by the numbers used on the way there."""
    game = find_sheet(slug, options)
    (gold, black), side, numbers = parse_position(text)
    just_placed = text.partition(" placed=")[2]
    mine, theirs = (gold, black) if side == "gold" else (black, gold)
    found: dict[tuple[int, tuple[int, ...]], set[EndKey]] = {}
    seen: set[tuple[EndKey, str]] = set()

    def explore(
        mine: Men, theirs: Men, left: tuple[int, ...], used: tuple[int, ...], placed: str
    ) -> None:
        for use in _list_uses(game, left):
            rest = list(left)
            for number in use:
                rest.remove(number)
            for step in list_moves(game, side, mine, theirs, sum(use), left, placed):
                after, struck = _apply_step(game, side, mine, theirs, step)
                stand = (after, struck) if side == "gold" else (struck, after)
                onward = _has_move(game, side, after, struck, tuple(rest))
                won = find_winner(game, *stand, played_out=not onward)
                # "a side that has won stops; leftover numbers don't matter"
                counted = numbers if won == side else (*used, *use)
                end = _build_key(*stand, () if won else tuple(rest))
                rank = tuple(sorted(counted, reverse=True))
                found.setdefault((len(rank), rank), set()).add(end)
                entered = step[0] in ("hand", *BARS) or step[0] == placed
                onboard = entered and step[1] != "off"
                now = step[1] if game.placing in ONWARD_PLACINGS and onboard else ""
                if not won and (end, now) not in seen:
                    seen.add((end, now))
                    explore(after, struck, tuple(rest), (*used, *use), now)

    explore(mine, theirs, numbers, (), just_placed)
    return found
