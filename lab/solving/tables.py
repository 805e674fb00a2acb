"""Write what was solved as the tables by which the computer's players know it."""

from pathlib import Path

import numpy as np
import numpy.typing as npt

from engine.players.exact import (
    TableFile,
    name_ending_table,
    round_chances,
    save_table,
)
from engine.players.files import SHIPPED_TABLES, STEPS, TABLES, file_name
from engine.players.large_tables import LARGE_SUFFIX, create_large_table, round_rows
from engine.players.variants import identify_setting
from engine.rules import Rules
from lab.solving.apart import SolvedPairs
from lab.solving.bearing_off import OneSided, TwoSided
from lab.solving.one_table import SolvedTable

OTHERS = Path("build/tables")
"""Where the tables lie that don't come with the program: they may be moved anywhere."""

AT_ONCE = 10_000_000
"""How many states of a large table are written at once."""

THROWS = Path("build/throws")
"""Where the one-sided tables of bearing off lie, which the program doesn't use."""


def build_pairs_table(solved: SolvedPairs) -> TableFile:
    """Return the table of a game whose sides never meet; nobody draws in it."""
    men = solved.states.men
    wins = round_chances(solved.wins).ravel()
    states = np.frombuffer(b"".join(men), np.uint8).reshape(len(men), -1)
    return TableFile("pairs", states, wins, STEPS - wins)


def build_points_table(solved: SolvedTable) -> TableFile:
    """Return the table of a game that goes by what stands on each point, in any order."""
    codes = [sorted(mine + 3 * theirs for mine, theirs in table) for table in solved.tables]
    return TableFile(
        "points",
        np.array(codes, np.uint8),
        round_chances(solved.wins),
        round_chances(solved.losses),
    )


def build_homes_table(solved: TwoSided) -> TableFile:
    """Return the table of the last throws of both sides; nobody draws there."""
    wins = round_chances(solved.wins).ravel()
    return TableFile("homes", np.array(solved.men, np.uint8), wins, STEPS - wins)


def write_ending_table(rules: Rules, table: TableFile) -> Path:
    """Write the table of the last throws by such rules, among those that come with the program."""
    path = TABLES / name_ending_table(rules)
    save_table(table, path)
    return path


def write_table(rules: Rules, table: TableFile) -> Path:
    """Write a reading's table: among those that come with the program, or to a folder beside."""
    name = file_name(*identify_setting(rules))
    path = (TABLES if name in SHIPPED_TABLES else OTHERS) / name
    path.parent.mkdir(parents=True, exist_ok=True)
    save_table(table, path)
    return path


def name_large_table(rules: Rules) -> Path:
    """Return where the table of a reading lies that is too large to come with the program."""
    return (OTHERS / file_name(*identify_setting(rules))).with_suffix(LARGE_SUFFIX)


def write_large_table(path: Path, men: int, values: npt.NDArray[np.float64]) -> None:
    """Write what states are worth, points and then the win, with so many men a side."""
    path.parent.mkdir(parents=True, exist_ok=True)
    # The bot may have the old file open, and must not see half of a new one.
    beside = path.with_suffix(f".part{LARGE_SUFFIX}")
    rows = create_large_table(beside, men)
    for first in range(0, len(values), AT_ONCE):
        # Where a side is done nobody throws, so nothing is known and nothing asked.
        points, wins = np.nan_to_num(values[first : first + AT_ONCE]).T
        rows[first : first + AT_ONCE] = round_rows((1 + wins) / 2, points, men)
    rows.flush()
    beside.replace(path)


def write_one_sided(rules: Rules, solved: OneSided) -> Path:
    """Write how likely a side is to need so many throws, by its men, for whoever wants to know."""
    path = THROWS / name_ending_table(rules)
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(
        path, men=np.array(solved.men, np.uint8), throws=round_chances(solved.throws)
    )
    return path
