"""Counts of the positions one and two plies from the start, by the rulebook's own brute force.

`python -m tests.conformance.counts SLUG...` counts these games again and puts them into
counts.json, where the tests hold the engine against them; without a slug it counts all games, which
takes some minutes. The first ply takes every throw, the second as many as keep the brute
force bearable.
"""

import json
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

from engine import throws
from engine.games import GAMES, find_game
from engine.position import Position
from engine.position_text import format_position
from engine.rules import Rules
from tests.conformance import rulebook

FILE = Path(__file__).with_name("counts.json")
MAX_POSITIONS = 1200
"""Positions that the brute force looks at for the second ply of one game, at most."""


def list_numbers(rules: Rules) -> list[tuple[int, ...]]:
    """Everything that a throw can give to play, a presumed six chosen in every way."""
    found = set()
    for thrown in product(range(1, 7), repeat=rules.dice.count):
        choose = throws.must_choose(rules.dice, thrown)
        turned = (
            {throws.turn_die(rules.dice, thrown, number) for number in thrown}
            if choose
            else {thrown}
        )
        found |= {throws.list_numbers(rules.dice, each) for each in turned}
    return sorted(found, reverse=True)


def pick_second_throws(rules: Rules, ends: int) -> list[tuple[int, ...]]:
    """The throws of the second ply: evenly taken from all, so many that the work stays bearable."""
    every = list_numbers(rules)
    step = max(1, -(-len(every) * ends // MAX_POSITIONS))
    return every[::step]


def _list_end_texts(
    rules: Rules, start: str, given: list[tuple[int, ...]], slug: str
) -> Iterator[str]:
    men = start.rsplit(" ", 1)[0]
    for each in given:
        yield from (
            _format_end(end, rules, start)
            for end in rulebook.list_ends(f"{men} {'-'.join(map(str, each))}", slug, {})
        )


def _format_end(end: rulebook.EndKey, rules: Rules, start: str) -> str:
    turn = "black" if start.split()[2] == "gold" else "gold"
    gold, black = (
        bytes(dict(side).get(name, 0) for name in rules.board.place_names) for side in end[:2]
    )
    return (
        format_position(Position(gold, black, rules.start_position.turn), rules).rsplit(" ", 2)[0]
        + f" {turn} -"
    )


def count_positions(slug: str) -> dict[str, Any]:
    """Count the distinct positions after one ply and after two, by the brute force."""
    rules = GAMES[slug].resolve_rules({})
    start = format_position(rules.start_position, rules)
    one = set(_list_end_texts(rules, start, list_numbers(rules), slug))
    later = pick_second_throws(rules, len(one))
    every = max(1, len(one) * len(later) // MAX_POSITIONS)
    two = {
        text for each in sorted(one)[::every] for text in _list_end_texts(rules, each, later, slug)
    }
    return {
        "one": len(one),
        "two": len(two),
        "every": every,
        "throws": ["-".join(map(str, each)) for each in later],
    }


if __name__ == "__main__":
    chosen = [find_game(name).slug for name in sys.argv[1:]] or list(GAMES)
    counts = json.loads(FILE.read_text("utf-8"))
    counts.update((slug, count_positions(slug)) for slug in chosen)
    ordered = {slug: counts[slug] for slug in GAMES if slug in counts}
    FILE.write_text(json.dumps(ordered, indent=1) + "\n", "utf-8")
