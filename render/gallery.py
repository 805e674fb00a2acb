"""Contact sheets of every game in every theme, to be looked at: `python -m render.gallery FOLDER`."""

import sys
from pathlib import Path

from PIL import Image

from engine.games import GAMES
from engine.position import Side
from engine.rules import Game
from render import geometry
from render.board import compose
from render.scene import Die, Moved, Scene, View
from render.theme import Theme, themes

COLUMNS = 5
SMALL = geometry.WIDTH // 3, geometry.HEIGHT // 3


def sheet(theme: Theme) -> Image.Image:
    """Return the start of every game in one theme, side by side."""
    rows = -(-len(GAMES) // COLUMNS)
    page = Image.new("RGB", (SMALL[0] * COLUMNS, SMALL[1] * rows), theme.page)
    for at, game in enumerate(GAMES.values()):
        small = compose(started(game), View(theme)).convert("RGB").resize(SMALL, Image.Resampling.LANCZOS)
        page.paste(small, (SMALL[0] * (at % COLUMNS), SMALL[1] * (at // COLUMNS)))
    return page


def started(game: Game) -> Scene:
    """Return a game before its first throw, with each side's way round."""
    return Scene(game.rules, game.rules.start, ("Gold", "Black"), game.title, "how the men start", ways=True)


def midgame() -> Scene:
    """Return a scene with something of everything: dice, a hit, the bar, places to go, a word for the position."""
    rules = GAMES["ludus-anglicorum"].rules
    men = {
        Side.GOLD: {"a": 1, "b": 1, "d": 2, "i": 2, "l": 1, "bar": 1, "off": 7},
        Side.BLACK: {"z": 7, "t": 2, "q": 2, "f": 2, "h": 1, "bar": 1},
    }
    board = rules.board
    gold, black = (bytes(men[side].get(name, 0) for name in board.names) for side in Side)
    return Scene(
        rules,
        rules.start._replace(gold=gold, black=black),
        ("Alfonso", "Ferdinand"),
        "Ludus Anglicorum",
        "Alfonso plays the 3",
        dice=(Die(6, presumed=True), Die(5, used=True), Die(3)),
        last=(Moved(board.place("g"), board.place("l"), hit=True),),
        turn=Side.GOLD,
        thrower=Side.GOLD,
        reach=frozenset(board.place(name) for name in "cpy"),
        note="black is lympolded",
    )


def four() -> Image.Image:
    """Return the same moment in every theme."""
    wide, high = geometry.WIDTH // 2, geometry.HEIGHT // 2
    page = Image.new("RGB", (2 * wide, 2 * high))
    for at, theme in enumerate(themes().values()):
        small = compose(midgame(), View(theme)).convert("RGB").resize((wide, high), Image.Resampling.LANCZOS)
        page.paste(small, (wide * (at % 2), high * (at // 2)))
    return page


def main(folder: Path) -> None:
    """Write the sheets into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for theme in themes().values():
        sheet(theme).save(folder / f"{theme.name}.png")
    four().quantize(256).save(folder / "themes.png", optimize=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
