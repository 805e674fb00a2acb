"""Every game in every theme, to be looked at: `python -m render.gallery FOLDER`.

Contact sheets show all the games side by side as wide as a phone shows them, at the start and under
way; single pictures show each game with the pixels that such a phone has, and as an exported
picture.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

from PIL import Image

from engine.games import GAMES
from engine.match import Match, Phase, follow, new_match
from engine.playout import next_event
from engine.position import Side
from engine.rules import Game
from render.board import compose
from render.curve import Curve, draw_curve
from render.geometry import WIDTH
from render.sample import midgame
from render.scene import Die, Moved, Scene, View
from render.theme import themes

PHONE = 265
"""The width of a picture inside a card, in a phone's points."""
SHARP = 3
"""Pixels that a phone has to a point."""
COLUMNS = 6
GAP = 12
EVENTS = 45
"""After so many events a game is well under way."""
CURVE = Curve(
    "Wynflæd",
    "Rating, all games",
    "8 rated matches",
    (1000, 1031, 1022, 1060, 1094, 1081, 1077, 1112),
)


def started(game: Game) -> Scene:
    """Return a game before its first throw, with each side's way round."""
    return Scene(
        game.rules, game.rules.start, ("Gold", "Black"), game.title, "how the men start", ways=True
    )


def under_way(game: Game) -> Scene:
    """Return a game some throws later, with what was thrown and done and where men may go."""
    chance = Random(17)  # noqa: S311 - a game to look at, no secret
    match = shown = new_match(game, {})
    for _ in range(EVENTS):
        match = follow(match, next_event(match, chance))
        if match.phase is Phase.OVER:
            break
        if match.moves:
            shown = match
    return _seen(shown)


def _seen(match: Match) -> Scene:
    return Scene(
        match.rules,
        match.position,
        ("Wynflæd of Shaftesbury", "Ælfric"),
        match.game.title,
        f"{match.turn} to play",
        dice=tuple(Die(number) for number in match.thrown),
        last=tuple(Moved(move.source, move.target, move.hit) for move in match.moves),
        turn=match.turn,
        thrower=match.thrower,
        reach=frozenset(move.target for move in match.next_moves()),
    )


def sheet(scenes: Sequence[Scene], view: View, width: int = PHONE) -> Image.Image:
    """Return pictures side by side, each so wide."""
    pictures = [resized(compose(scene, view).convert("RGB"), width) for scene in scenes]
    rows = [pictures[at : at + COLUMNS] for at in range(0, len(pictures), COLUMNS)]
    heights = [max(picture.height for picture in row) + GAP for row in rows]
    page = Image.new("RGB", ((width + GAP) * COLUMNS + GAP, sum(heights) + GAP), "#313338")
    top = GAP
    for row, height in zip(rows, heights, strict=True):
        for at, picture in enumerate(row):
            page.paste(picture, (GAP + (width + GAP) * at, top))
        top += height
    return page


def resized(picture: Image.Image, width: int) -> Image.Image:
    """Return a picture of that width."""
    return picture.resize(
        (width, picture.height * width // picture.width), Image.Resampling.LANCZOS
    )


def four() -> Image.Image:
    """Return the same moment in every theme."""
    pictures = [
        resized(compose(midgame(), View(theme)).convert("RGB"), WIDTH // 2)
        for theme in themes().values()
    ]
    wide, high = pictures[0].size
    page = Image.new("RGB", (2 * wide + GAP, 2 * high + GAP), "white")
    for at, picture in enumerate(pictures):
        page.paste(picture, ((wide + GAP) * (at % 2), (high + GAP) * (at // 2)))
    return page


def main(folder: Path) -> None:
    """Write the sheets and the single pictures into a folder."""
    singles = folder / "singles"
    singles.mkdir(parents=True, exist_ok=True)
    moments: dict[str, Callable[[Game], Scene]] = {"start": started, "play": under_way}
    for moment, seen in moments.items():
        scenes = [seen(game) for game in GAMES.values()]
        for theme in themes().values():
            sheet(scenes, View(theme)).save(folder / f"{theme.name}-{moment}.png")
        sheet(scenes, View(below=Side.BLACK, numbered=True)).save(
            folder / f"black-below-{moment}.png"
        )
        for slug, scene in zip(GAMES, scenes, strict=True):
            resized(compose(scene, View()).convert("RGB"), PHONE * SHARP).save(
                singles / f"{slug}-{moment}.png"
            )
            compose(scene, View(titled=True)).save(singles / f"{slug}-{moment}-titled.png")
    ended = replace(midgame(), dice=(), turn=None, note="", reach=frozenset(), luck=(12.4, -31.0))
    compose(ended, View()).save(singles / "result.png")
    (singles / "curve.png").write_bytes(draw_curve(CURVE, View()))
    four().quantize(256).save(folder / "themes.png", optimize=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
