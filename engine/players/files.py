"""Where nets and tables lie, and what their files are called; needs no numpy."""

from pathlib import Path

from engine.players.variants import Options, format_options
from engine.rules import Game

WEIGHTS = Path(__file__).with_name("weights")
"""The folder of the nets, one file each.

A file is named after its game and the option that it is made for, if any.
"""


TABLES = Path(__file__).with_name("solved")
"""The folder of the tables of solved games, one file each, named as the nets are."""

SMALL_SUFFIX = ".npz"

STEPS = 65535
"""How many steps a table's values are rounded to: a chance is at most 8 in a million off."""

SHIPPED_TABLES = (
    "doblet.npz",
    "doblet.moving=own-table.npz",
    "twelve-dogs.npz",
    "twelve-dogs.unusable=opponent.npz",
    "twelve-dogs.unusable=loses.npz",
    "twelve-dogs.win=all-six.npz",
    "twelve-dogs.win=all-six.unusable=opponent.npz",
    "twelve-dogs.win=all-six.unusable=loses.npz",
)
"""The tables of whole games that come with the program."""

SHIPPED_ENDINGS = (
    "bear-off.two-dice-twice.npz",
    "bear-off.two-dice.npz",
    "bear-off.three-dice.npz",
)
"""The tables of bearing off that come with the program, by what a throw gives."""


class DamagedTableError(ValueError):
    """A file that holds no table, or a part of one; the message names it."""


_folders: list[Path] = []


def use_folder(folder: Path | None) -> None:
    """Look for tables in this folder first, and then among those that come with the program."""
    _folders[:] = [folder] if folder else []


def get_folder() -> Path | None:
    """Return the folder of the user's tables, if there is one."""
    return _folders[0] if _folders else None


def file_name(game: Game, options: Options) -> str:
    """Return what the file is called that is made for a game with these options."""
    stem = f"{game.slug}.{format_options(options)}" if options else game.slug
    return f"{stem}{SMALL_SUFFIX}"
