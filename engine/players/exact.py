"""Solved positions: the chance to win in every state, exact but for rounding to 16 bits.

A table is a file, named like a net's; it says which of `INDEXES` finds a position in it. Those of
the usual rules come with the program, and `make solve` writes the others to a folder that
`use_folder` names. Without its table, or with a damaged one, a game is judged by its net. Tables
that are too large to load lie there as well, see `large_tables`.

Of games that nobody can solve the last throws are known: where both sides bear off their last men
and have passed each other, one table serves all games that throw alike.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from engine.games import GAMES
from engine.games.backgammon import score_gammon
from engine.players.boards import Men
from engine.players.evaluation_rows import EvaluationRows, build_rows
from engine.players.files import (
    SHIPPED_ENDINGS,
    SHIPPED_TABLES,
    SMALL_SUFFIX,
    STEPS,
    TABLES,
    DamagedTableError,
    file_name,
    get_folder,
)
from engine.players.large_tables import (
    LARGE_SUFFIX,
    LargeTable,
    has_shared_points,
    open_large_table,
)
from engine.players.variants import identify_setting, iter_choices
from engine.position import Side
from engine.rules import BearingRule, Ending, Rules

log = logging.getLogger(__name__)

Chances: TypeAlias = npt.NDArray[np.uint16]
Places: TypeAlias = npt.NDArray[np.intp]
"""Where positions stand in a table, and -1 for those that it does not have."""

Index: TypeAlias = Callable[[Side, Men, Men], Places]
"""Finds positions by the side that throws next, its men and the other side's, one row each."""


@dataclass(frozen=True, eq=False)
class TableFile:
    """What a file holds: which index finds a position, the states that it knows, and the chances.

    `wins` and `losses` are those of the side that throws next; what is missing of one is a draw.
    """

    index: str
    states: npt.NDArray[np.uint8]
    wins: Chances
    losses: Chances


@dataclass(frozen=True, eq=False)
class ExactTable:
    """The exact evaluation of some rules' positions before a throw."""

    file: TableFile
    find: Index

    def evaluate(self, thrower: Side, mine: Men, theirs: Men) -> EvaluationRows:
        """Return the evaluation of positions for the side that throws next, one row each.

        A game counts one point. Rows of positions that the table does not have are not exact, and
        mean nothing.
        """
        at = self.find(thrower, mine, theirs)
        wins, losses = (chances[at] / STEPS for chances in (self.file.wins, self.file.losses))
        return build_rows((1 + wins - losses) / 2, wins - losses, at >= 0)


def _index_pairs(rules: Rules, states: npt.NDArray[np.uint8]) -> Index:
    """Find positions of two sides that never meet: by the state of each, as gold's men by place."""
    numbers = {row.tobytes(): at for at, row in enumerate(states)}
    turned = turn_places(rules)

    def find_states(side: Side, men: Men) -> Places:
        own = men if side is Side.GOLD else men[:, turned]
        return np.array([numbers.get(row.tobytes(), -1) for row in own], np.intp)

    def find(thrower: Side, mine: Men, theirs: Men) -> Places:
        first, second = find_states(thrower, mine), find_states(thrower.other, theirs)
        return np.where((first < 0) | (second < 0), -1, first * len(states) + second)

    return find


def _index_points(rules: Rules, states: npt.NDArray[np.uint8]) -> Index:
    """Find positions by what stands on each point of a course, in any order.

    A state has a number for each point: the men of the side that throws next, and three times the
    other side's.
    """
    numbers = {row.tobytes(): at for at, row in enumerate(states)}

    def find(thrower: Side, mine: Men, theirs: Men) -> Places:
        points = list(rules.course(thrower))
        held = np.sort(mine[:, points] + 3 * theirs[:, points], axis=1).astype(np.uint8)
        return np.array([numbers.get(row.tobytes(), -1) for row in held], np.intp)

    return find


def _index_homes(rules: Rules, states: npt.NDArray[np.uint8]) -> Index:
    """Find positions in which both sides bear off their last men.

    A state is how many men stand on each point of a home, the nearest to the edge first.
    """
    numbers = {row.tobytes(): at for at, row in enumerate(states)}
    most = int(states.sum(axis=1).max())
    homes = {side: list(rules.home(side)[::-1]) for side in Side}

    def find(thrower: Side, mine: Men, theirs: Men) -> Places:
        own, other = mine[:, homes[thrower]], theirs[:, homes[thrower.other]]
        left = rules.men - mine[:, rules.board.off], rules.men - theirs[:, rules.board.off]
        due = (own.sum(axis=1) == left[0]) & (other.sum(axis=1) == left[1])
        found = np.full(len(mine), -1, np.intp)
        # Nearly always nothing is found, and all is over at once.
        for at in np.flatnonzero(due & (left[0] <= most) & (left[1] <= most)):
            first, second = (
                numbers.get(men[at].astype(np.uint8).tobytes(), -1) for men in (own, other)
            )
            found[at] = -1 if min(first, second) < 0 else first * len(states) + second
        return found

    return find


INDEXES: Mapping[str, Callable[[Rules, npt.NDArray[np.uint8]], Index]] = {
    "pairs": _index_pairs,
    "points": _index_points,
    "homes": _index_homes,
}
"""The ways to find a position in a table; a file says which is its own."""


@lru_cache(maxsize=1024)
def get_table(rules: Rules) -> ExactTable | LargeTable | None:
    """Return the table of these rules; None where they are not solved, or it is not at hand."""
    game, options = identify_setting(rules)
    # A table knows the newest rules only.
    if GAMES[game.slug] is not game:
        return None
    # Which table the starter chooses only gives the points other letters.
    agreed = {
        name: value for name, value in options.items() if not game.find_option(name).starter_chooses
    }
    name = file_name(game, agreed)
    return _open_large_table(rules, name) if has_shared_points(rules) else _open_table(rules, name)


def is_solved(rules: Rules) -> bool:
    """Whether all positions of these rules, or nearly all, have exact evaluations."""
    return get_table(rules) is not None


@lru_cache(maxsize=1024)
def get_ending_table(rules: Rules) -> ExactTable | None:
    """Return the table of the last throws by these rules; None where none holds or is at hand."""
    return _open_table(rules, name_ending_table(rules)) if has_plain_bear_off(rules) else None


def _open_table(rules: Rules, name: str) -> ExactTable | None:
    """Return the table of that name, by which these rules' positions are found in it."""
    found = _read_table(name)
    if found is None:
        return None
    try:
        _require_layout(rules, name, found)
    except DamagedTableError as error:
        _warn_of_table(error)
        return None
    return ExactTable(found, INDEXES[found.index](rules, found.states))


def _open_large_table(rules: Rules, name: str) -> LargeTable | None:
    """Return a table from the user's folder; none is so small as to come with the program."""
    folder = get_folder()
    path = (folder / name).with_suffix(LARGE_SUFFIX) if folder else None
    if path is None or not _is_there(path):
        return None
    try:
        return open_large_table(rules, path)
    except DamagedTableError as error:
        _warn_of_table(error)
        return None


def name_ending_table(rules: Rules) -> str:
    """Return what the file of the last throws is called, by what a throw gives."""
    dice = rules.dice
    count = {2: "two", 3: "three"}[dice.count]
    return f"bear-off.{count}-dice{'-twice' * dice.doubles.is_played_twice}.npz"


def has_plain_bear_off(rules: Rules) -> bool:
    """Whether a game ends, once the sides have passed each other, as a table of bearing off says.

    Men leave by the exact number, or a higher one from the farthest point, and move nearer to the
    edge by any; nothing but the last man borne off ends the game, for one point, and nothing is
    remembered. The sides have different homes. So every number can be used, and what becomes of
    those that cannot makes no difference.
    """
    dice = rules.dice
    return (
        rules.ending is Ending.OFF
        and rules.bearing is BearingRule.USUAL
        and rules.moving
        and not rules.home_rests
        and not rules.sums
        and all(rule is None for rule in (rules.ban_full, rules.memory, rules.ban))
        and rules.ending_after_move is None
        # A gammon needs a side that has borne off no man: those have borne off most of theirs.
        and rules.score in (None, score_gammon)
        and rules.players == 1
        and dice.count in (2, 3)
        and not (dice.fixed or dice.third or dice.presumed or dice.doubles.has_extra_throw)
        and not set(rules.home(Side.GOLD)) & set(rules.home(Side.BLACK))
    )


def check_table(path: Path) -> None:
    """Raise DamagedTableError where a file in a folder of tables can't be used.

    The values of a large table aren't read.
    """
    found = None if path.suffix == LARGE_SUFFIX else load_table(path)
    rules = _find_rules(path)
    if rules is None or has_shared_points(rules) is not (found is None):
        raise DamagedTableError(f"{path.name} is damaged: no game has such a table")
    if found is None:
        open_large_table(rules, path)
    else:
        _require_layout(rules, path.name, found)


def _require_layout(rules: Rules, name: str, table: TableFile) -> None:
    """Raise DamagedTableError where a table of that name can't have these rules' positions.

    Another game's would be taken for exact wherever its states look alike.
    """
    gold, black = (rules.course(side) for side in Side)
    if name in SHIPPED_ENDINGS:
        expected = "homes", len(rules.home(Side.GOLD))
    elif gold == black:
        expected = "points", len(gold)
    else:
        expected = "pairs", len(rules.board.place_names)
    if (table.index, table.states.shape[1]) != expected:
        raise DamagedTableError(f"{name} is damaged: it is no table of that game")


def _find_rules(path: Path) -> Rules | None:
    """Return rules that a table is named after, if there are such rules."""
    if path.name in SHIPPED_ENDINGS:
        every = (game.rules for game in GAMES.values() if has_plain_bear_off(game.rules))
        return next((rules for rules in every if name_ending_table(rules) == path.name), None)
    game = GAMES.get(path.name.partition(".")[0])
    if game is None:
        return None
    named = {file_name(game, options): options for options in iter_choices(game)}
    options = named.get(path.with_suffix(SMALL_SUFFIX).name)
    return None if options is None else game.resolve_rules(options)


@lru_cache(maxsize=256)
def _read_table(name: str) -> TableFile | None:
    """Read a table once, from the user's folder or the program's own; None without one.

    Says so in the log where a table should be and can't be used.
    """
    paths = [folder / name for folder in (get_folder(), TABLES) if folder]
    path = next((path for path in paths if _is_there(path)), None)
    if path is None:
        if name in (*SHIPPED_TABLES, *SHIPPED_ENDINGS):
            log.warning("%s is missing: its game is judged by a net", name)
        return None
    try:
        return load_table(path)
    except DamagedTableError as error:
        _warn_of_table(error)
        return None


def _warn_of_table(error: DamagedTableError) -> None:
    log.warning("%s: its game is judged by a net", error)


def _is_there(path: Path) -> bool:
    """Whether there is such a file; in a folder that may not be entered there is none."""
    try:
        return path.exists()
    except OSError as error:
        _warn_of_folder(path.parent, error.strerror)
        return False


@lru_cache(maxsize=1)
def _warn_of_folder(folder: Path, reason: str | None) -> None:
    # Asked for every game in turn, and said once.
    log.warning("the tables in %s can't be used: %s", folder, reason)


def forget_tables() -> None:
    """Forget the tables that were read, so that others can be."""
    get_table.cache_clear()
    get_ending_table.cache_clear()
    _read_table.cache_clear()
    _warn_of_folder.cache_clear()


def turn_places(rules: Rules) -> Places:
    """Return for each place of gold's the place of black's that is the same to it."""
    turned = np.arange(len(rules.board.place_names))
    gold, black = (list(rules.course(side)) for side in Side)
    turned[gold], turned[black] = black, gold
    return turned


def round_chances(chances: npt.NDArray[np.float64]) -> Chances:
    """Return chances as a table holds them."""
    return np.rint(chances * STEPS).astype(np.uint16)


def save_table(table: TableFile, path: Path) -> None:
    """Write a table; the old file stays whole until the new one is."""
    beside = path.with_suffix(".part.npz")
    # Where nobody draws, the losses follow from the wins.
    decided = np.array_equal(table.losses, STEPS - table.wins)
    np.savez_compressed(
        beside,
        allow_pickle=False,
        index=np.array(table.index),
        states=table.states,
        wins=table.wins,
        **({} if decided else {"losses": table.losses}),
    )
    beside.replace(path)


def load_table(path: Path) -> TableFile:
    """Read a table; raises DamagedTableError. The archive has a checksum of each array."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as kept:
            index, states, wins = str(kept["index"]), kept["states"], kept["wins"]
            losses = kept["losses"] if "losses" in kept.files else STEPS - wins
    # A wrong byte in a header can raise nearly anything.
    except Exception as error:
        raise DamagedTableError(f"{path.name} is damaged: {error}") from error
    if (
        index not in INDEXES
        or (states.dtype, wins.dtype, losses.dtype) != (np.uint8, np.uint16, np.uint16)
        or states.ndim != 2
        or not states.size
        or wins.shape != (len(states) if index == "points" else len(states) ** 2,)
        or losses.shape != wins.shape
    ):
        raise DamagedTableError(f"{path.name} is damaged: its parts do not fit each other")
    return TableFile(index, states, wins, losses)
