"""Counts of the positions one and two plies from the start, by the rulebook's own brute force.

`python -m tests.conformance.counts` writes counts.json anew, which takes some minutes; the tests
hold the engine against it. The first ply takes every throw, the second as many as keep the brute
force bearable.
"""

import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

from engine import throws
from engine.games import GAMES
from engine.position import Position
from engine.position_text import format_position
from engine.rules import Rules
from tests.conformance import rulebook

FILE = Path(__file__).with_name("counts.json")
MOST = 1200
"""Positions that the brute force looks at for the second ply of one game, at most."""


def numbers(rules: Rules) -> list[tuple[int, ...]]:
    """Everything that a throw can give to play, a presumed six chosen in every way."""
    found = set()
    for thrown in product(range(1, 7), repeat=rules.dice.count):
        choose = throws.must_choose(rules.dice, thrown)
        turned = (
            {throws.turned(rules.dice, thrown, number) for number in thrown} if choose else {thrown}
        )
        found |= {throws.numbers(rules.dice, each) for each in turned}
    return sorted(found, reverse=True)


def second(rules: Rules, ends: int) -> list[tuple[int, ...]]:
    """The throws of the second ply: evenly taken from all, so many that the work stays bearable."""
    every = numbers(rules)
    step = max(1, -(-len(every) * ends // MOST))
    return every[::step]


def _texts(rules: Rules, start: str, given: list[tuple[int, ...]], slug: str) -> Iterator[str]:
    men = start.rsplit(" ", 1)[0]
    for each in given:
        yield from (
            _text(end, rules, start)
            for end in rulebook.ends(f"{men} {'-'.join(map(str, each))}", slug, {})
        )


def _text(end: rulebook.Ended, rules: Rules, start: str) -> str:
    turn = "black" if start.split()[2] == "gold" else "gold"
    gold, black = (bytes(dict(side).get(name, 0) for name in rules.board.names) for side in end[:2])
    return (
        format_position(Position(gold, black, rules.start.turn), rules).rsplit(" ", 2)[0]
        + f" {turn} -"
    )


def counted(slug: str) -> dict[str, Any]:
    """Count the distinct positions after one ply and after two, by the brute force."""
    rules = GAMES[slug].rules_with({})
    start = format_position(rules.start, rules)
    one = set(_texts(rules, start, numbers(rules), slug))
    later = second(rules, len(one))
    every = max(1, len(one) * len(later) // MOST)
    two = {text for each in sorted(one)[::every] for text in _texts(rules, each, later, slug)}
    return {
        "one": len(one),
        "two": len(two),
        "every": every,
        "throws": ["-".join(map(str, each)) for each in later],
    }


if __name__ == "__main__":
    FILE.write_text(json.dumps({slug: counted(slug) for slug in GAMES}, indent=1) + "\n")
