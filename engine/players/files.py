"""Where the nets lie, and what their files are called; needs no numpy."""

from pathlib import Path

from engine.players.variants import Options, format_options
from engine.rules import Game

WEIGHTS = Path(__file__).with_name("weights")
"""The folder of the nets, one file each.

A file is named after its game and the option that it is made for, if any.
"""


def file_name(game: Game, options: Options) -> str:
    """Return what the file of a net is called that is made for a game with these options."""
    stem = f"{game.slug}.{format_options(options)}" if options else game.slug
    return f"{stem}.npz"
