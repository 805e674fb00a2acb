"""Our legal plays of backgammon are those of GNU Backgammon, on thousands of random positions."""

import re
from collections.abc import Iterator
from itertools import pairwise

from engine.match import Match
from engine.position import Side
from tests.peers.gnubg import GNUBG_MARKS, run_gnubg
from tests.peers.positions import Placement, count_men, generate_matches, list_ends

pytestmark = GNUBG_MARKS

POSITIONS = 5000
MARK = "The dice have been set to"
PREPARE = """
set player 0 human
set player 1 human
set automatic roll off
set automatic game off
set automatic bearoff off
set automatic move off
set evaluation chequerplay evaluation plies 0
set evaluation chequerplay evaluation cubeful off
set confirm new off
"""
LISTED = re.compile(r"^ *\d+\. Cubeless 0-ply +(.+?) +(?:MWC|Eq\.):", re.MULTILINE)

MoverView = tuple[list[int], list[int]]
"""The mover's men and the other's, by pips to go: 25 for the bar, 0 for men borne off."""


def view_from_mover(match: Match) -> MoverView:
    """The match's position as GNU Backgammon counts points: from the mover's end."""
    mine, theirs = (
        count_men(match.position.men(match.turn)),
        count_men(match.position.men(match.turn.other)),
    )
    up = match.turn is Side.GOLD

    def far(side: tuple[int, ...]) -> list[int]:
        board = side[:24][::-1] if up else side[:24]
        return [side[25], *board, side[24]]

    return far(mine), far(theirs)


def to_placement(seen: MoverView, match: Match) -> Placement:
    """The same as our men by place."""
    up = match.turn is Side.GOLD
    mine, theirs = ((*(side[1:25][::-1] if up else side[1:25]), side[25], side[0]) for side in seen)
    return (mine, theirs) if up else (theirs, mine)


def format_commands(match: Match) -> str:
    """The commands that list every play of a position."""
    mine, theirs = view_from_mover(match)
    points = [mine[point] - theirs[point] for point in range(1, 25)]
    board = " ".join(map(str, (mine[25], *points, -theirs[25])))
    return (
        f"new game\nset turn 0\nset board simple {board}\n"
        f"set dice {match.thrown[0]} {match.thrown[1]}\nhint 4000\n"
    )


def apply_printed_play(seen: MoverView, text: str) -> MoverView:
    """What a play printed by GNU Backgammon comes to."""
    mine, theirs = list(seen[0]), list(seen[1])
    for word in text.split():
        steps, _, times = word.removesuffix(")").partition("(")
        stops = steps.split("/")
        for _ in range(int(times or 1)):
            for source, target in pairwise(stops):
                mine[_parse_point(source)] -= 1
                mine[_parse_point(target)] += 1
                if target.endswith("*") and theirs[_parse_point(target)]:
                    theirs[_parse_point(target)] -= 1
                    theirs[25] += 1
    return mine, theirs


def _parse_point(point: str) -> int:
    named = point.rstrip("*")
    return {"bar": 25, "off": 0}[named] if named in ("bar", "off") else int(named)


def ask_gnubg(matches: list[Match]) -> Iterator[str]:
    """What GNU Backgammon says of each."""
    text = run_gnubg(PREPARE + "".join(map(format_commands, matches)))
    yield from text.split(MARK)[1:]


def test_the_same_plays_on_thousands_of_positions() -> None:
    matches = list(generate_matches(POSITIONS, seed=1283))
    differing = []
    for match, answer in zip(matches, ask_gnubg(matches), strict=False):
        seen = view_from_mover(match)
        listed = [apply_printed_play(seen, text) for text in LISTED.findall(answer)] or [seen]
        if {to_placement(each, match) for each in listed} != list_ends(match):
            differing.append((str(match.position), answer))
    assert differing == []
