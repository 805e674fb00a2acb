"""GNU Backgammon reads our `.mat` files, and writes them again with the same turns."""

import re
from collections.abc import Iterable
from pathlib import Path
from random import Random

from bot.features.matches.replay import write_mat
from engine.events import Event, Resigned
from engine.games.backgammon import BACKGAMMON
from engine.match import Phase, apply_unchecked, find_forced_event, new_match
from engine.playout import choose_event
from engine.position import Side
from tests.bot.test_scores import play_match
from tests.peers.gnubg import GNUBG_MARKS, run_gnubg

pytestmark = GNUBG_MARKS

MATCHES = 40
ROW = re.compile(r" *\d+\) ")
TURN = re.compile(r"(\d\d):((?: [\d/*]+)*)")
WINS = "Wins "
RIGHT_COLUMN = 27
"""Where it begins, or after that."""

MatTurns = list[tuple[str, list[str]]]
"""The throw of each turn, and its moves in no order: GNU Backgammon sorts them its own way."""


def generate_match(seed: int) -> list[Event]:
    """Return the events of a random match; every fourth is resigned on the way."""
    chance = Random(seed)
    longest = chance.randrange(1, 80) if seed % 4 == 0 else 10_000
    match = new_match(BACKGAMMON, {})
    events: list[Event] = []
    while match.phase is not Phase.OVER and len(events) < longest:
        events.append(find_forced_event(match) or choose_event(match, chance))
        match = apply_unchecked(match, events[-1])
    if match.phase is not Phase.OVER:
        events.append(Resigned(chance.choice(list(Side))))
    return events


def read_turns(mat: str) -> MatTurns:
    rows = [line for line in mat.splitlines() if ROW.match(line)]
    turns = [turn for row in rows for turn in TURN.findall(row)]
    return [(dice, sorted(moves.split())) for dice, moves in turns]


def read_result(mat: str) -> tuple[bool, str]:
    """Whether the left column won, and how many points."""
    (line,) = [line for line in mat.splitlines() if WINS in line]
    # It may stand beside the last turn, in the column of the winner.
    before, _, points = line.partition(WINS)
    return len(before) < RIGHT_COLUMN, points.split()[0]


def write_again(files: Iterable[Path]) -> str:
    """Let GNU Backgammon import every file and export it beside it; returns what it prints."""
    script = "".join(
        f'import mat "{file}"\nexport match mat "{file.with_suffix(".out")}"\n' for file in files
    )
    return run_gnubg(f"set confirm new off\n{script}")


def test_gnubg_reads_and_writes_every_turn_and_result(tmp_path: Path) -> None:
    files: dict[Path, str] = {}
    for seed in range(MATCHES):
        mat = write_mat(*play_match("backgammon", generate_match(seed)))
        assert mat is not None
        file = tmp_path / f"{seed}.mat"
        file.write_text(mat)
        files[file] = mat
    printed = write_again(files)
    assert "llegal" not in printed
    for file, mat in files.items():
        again = file.with_suffix(".out").read_text()
        assert read_turns(again) == read_turns(mat)
        assert read_result(again) == read_result(mat)
