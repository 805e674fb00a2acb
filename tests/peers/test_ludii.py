"""Our legal plays are those of the descriptions in docs/ludii, as Ludii carries them out.

Ludii needs no installation: `LUDII_JAR` is the path of its jar.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Iterable
from itertools import combinations_with_replacement
from pathlib import Path

import pytest

from engine.ending import find_outcome
from engine.games import GAMES
from engine.plays import list_legal_plays
from engine.position import Position, Side
from engine.rules import Rules

DESCRIPTIONS = Path(__file__).parents[2] / "docs" / "ludii"
PAGE = DESCRIPTIONS / "README.md"
DRIVER = Path(__file__).with_name("ListPlays.java")

WALKED_TURNS = 100

TABLES = (*"abcdefghiklm", *"zyxwutsrqpon", "bar", "bar")
"""What Ludii's sites are to us where the whole board is played: both its rows, and the hands."""
SITES: dict[str, tuple[str, ...]] = {
    "zeno": TABLES,
    "todas-tablas": TABLES,
    "ludus-lumbardorum": (*"abcdef", *"zyxwut", "bar", "bar"),
    "duodecim-scripta": (
        *map(str, range(25, 37)),
        *map(str, range(1, 13)),
        *map(str, range(24, 12, -1)),
        *("hand", "bar", "hand", "bar"),
    ),
    "twelve-dogs": (*"abcdef", "hand", "hand"),
}
"""The places that the sites of each description are, in Ludii's order."""

LATE: dict[str, tuple[str, str]] = {
    "zeno": ("22:2 18:1 14:6 12:6", "8:1 5:3 3:6 0:5"),
    "todas-tablas": ("18:1 17:2 15:2 12:1", "6:1 4:2 1:2 0:1"),
    "ludus-lumbardorum": ("5:1 11:2 9:2 7:1", "6:1 4:2 1:2 0:1"),
    "duodecim-scripta": ("5:2 6:2 9:2 11:1", "4:1 7:2 8:2 10:2"),
}
"""Where both sides stand near the end of a game, by Ludii's sites, and how many men on each."""

Placement = tuple[bytes, bytes]
"""The men of both sides by place; those that were hit are in the hand where it makes no odds."""
Count = tuple[int, int]
"""How many plays there are, and how many positions they lead to."""

LUDII = os.environ.get("LUDII_JAR", "")

needs_ludii = pytest.mark.skipif(
    not (LUDII and shutil.which("java")), reason="LUDII_JAR is not set, or there is no Java"
)
every_description = pytest.mark.parametrize("slug", SITES)


def run_ludii(file: Path, *arguments: object) -> list[str]:
    """Return the lines that the driver prints of a described game."""
    given = map(str, (DRIVER, file, *arguments))
    command = ["java", "-cp", LUDII, *given]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def parse_placement(slug: str, rows: Iterable[str]) -> Placement:
    """Read where the men of both sides stand; those that Ludii no longer has are borne off."""
    rules = GAMES[slug].rules
    sides = []
    for row in rows:
        men = bytearray(rules.board.no_men)
        for name, count in zip(SITES[slug], map(int, row.split(",")), strict=True):
            men[rules.board.find_place(name)] += count
        men[rules.board.off] = rules.men - sum(men)
        sides.append(bytes(men))
    return sides[0], sides[1]


def parse_end(slug: str, text: str) -> tuple[Placement, int | None]:
    """Read where a play ends, and who has won by it: 1, 2 or, for a draw, 0."""
    gold, black, *winner = text.split("/")
    return parse_placement(slug, (gold, black)), int(winner[0]) if winner else None


def place_men(slug: str, position: Position) -> Placement:
    """Return where the men of both sides stand, as far as Ludii's sites tell."""
    board = GAMES[slug].rules.board
    sides = []
    for men in (position.gold, position.black):
        placed = bytearray(men)
        if "bar" not in SITES[slug]:
            placed[board.hand] += placed[board.bars[0]]
            placed[board.bars[0]] = 0
        sides.append(bytes(placed))
    return sides[0], sides[1]


def find_winner(rules: Rules, position: Position) -> int | None:
    """Return who has won here, by Ludii's numbers."""
    outcome = find_outcome(rules, position)
    if outcome is None:
        return None
    return 0 if outcome.winner is None else 1 + (outcome.winner is Side.BLACK)


def list_ends(rules: Rules, position: Position) -> list[Position]:
    """Return where the plays of a throw end: where it began if there is none."""
    return list(list_legal_plays(rules, position).ends) or [position]


def count_plays(slug: str, depth: int) -> list[Count]:
    """Count the plays of all throws at each depth, and the positions they lead to."""
    rules = GAMES[slug].rules
    thrown = [
        tuple(sorted(numbers, reverse=True))
        for numbers in combinations_with_replacement(range(1, 7), rules.dice.count)
    ]
    counts, side = [], Side.GOLD
    positions = {place_men(slug, rules.start_position)}
    for _ in range(depth):
        ends = [
            end
            for gold, black in positions
            for dice in thrown
            for end in list_ends(rules, Position(gold, black, side, dice))
        ]
        placed = {end: place_men(slug, end) for end in set(ends)}
        counts.append((len(ends), len(set(placed.values()))))
        positions = {men for end, men in placed.items() if not find_outcome(rules, end)}
        side = side.other
    return counts


def read_counts(slug: str) -> list[Count]:
    """Return what the page has of a game, for each depth."""
    row = re.search(rf"^\| {slug} \| (.+) \|$", PAGE.read_text("utf-8"), re.MULTILINE)
    assert row is not None
    numbers = [int(each.replace(",", "")) for each in row[1].split(" | ")]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def test_every_description_has_its_counts() -> None:
    assert {file.stem for file in DESCRIPTIONS.glob("*.lud")} == set(SITES)


@every_description
def test_our_counts_are_those_of_the_page(slug: str) -> None:
    assert count_plays(slug, depth=2) == read_counts(slug)


def describe_file(slug: str) -> Path:
    """Return the path of a game's description."""
    return DESCRIPTIONS / f"{slug}.lud"


def write_late_game(slug: str, folder: Path) -> Path:
    """Write the description of a game that starts near its end."""
    placed = [
        f'(place Stack "Man{player}" {site} count:{count})'
        for player, men in enumerate(LATE[slug], start=1)
        for site, count in (each.split(":") for each in men.split())
    ]
    late, replaced = re.subn(
        r"\(start \{.*?\n        \}\)",
        f"(start {{ {' '.join(placed)} }})",
        describe_file(slug).read_text("utf-8"),
        flags=re.DOTALL,
    )
    assert replaced == 1
    file = folder / f"{slug}.lud"
    file.write_text(late, "utf-8")
    return file


def list_differing(slug: str, lines: Iterable[str]) -> list[str]:
    """Return those lines of a walk that don't have the plays that our engine finds."""
    rules = GAMES[slug].rules
    differing = []
    for line in lines:
        mover, numbers, rows, ends = line.split("|")
        side = (Side.GOLD, Side.BLACK)[int(mover) - 1]
        gold, black = parse_placement(slug, rows.split("/"))
        position = Position(gold, black, side, tuple(map(int, numbers.split(","))))
        ours = {
            (place_men(slug, end), find_winner(rules, end)) for end in list_ends(rules, position)
        }
        if ours != {parse_end(slug, end) for end in ends.split(";")}:
            differing.append(line)
    return differing


@pytest.mark.peers
@needs_ludii
@every_description
def test_ludii_counts_are_those_of_the_page(slug: str) -> None:
    # With three dice, Ludii would take an hour for the second throw.
    depth = 2 if GAMES[slug].rules.dice.count == 2 else 1
    lines = run_ludii(describe_file(slug), "count", depth)
    theirs = [tuple(map(int, line.split()[1:])) for line in lines]
    assert theirs == read_counts(slug)[:depth]


@pytest.mark.peers
@needs_ludii
@every_description
def test_ludii_has_the_same_plays_in_games_at_random(slug: str) -> None:
    lines = run_ludii(describe_file(slug), "walk", 1283, WALKED_TURNS)
    assert list_differing(slug, lines) == []


@pytest.mark.peers
@needs_ludii
@pytest.mark.parametrize("slug", LATE)
def test_ludii_has_the_same_plays_near_the_end(slug: str, tmp_path: Path) -> None:
    lines = run_ludii(write_late_game(slug, tmp_path), "walk", 1283, WALKED_TURNS)
    assert sum(bool(re.search(r"/[12](;|$)", line)) for line in lines) > 1
    assert list_differing(slug, lines) == []
