"""Pictures held against kept ones, in every theme and from both seats.

Machines may differ in a shade here and there, so a picture passes while few of its pixels differ by
much. Where one fails, the difference is written beside the kept picture's name in the test's
folder. `python -m tests.render.test_kept` keeps the pictures as they are now; look at every one
before you commit it.
"""

import io
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from engine.games import GAMES
from engine.position import Side
from engine.position_text import parse_position
from render.board import draw_board
from render.scene import Die, Scene, SceneMove, View, sample_scene
from render.theme import load_themes

PICTURES_FOLDER = Path(__file__).with_name("kept")
WIDE = 540
"""Kept pictures are half as large as drawn ones."""
NOTABLE = 40
"""Of 255: how much a channel must differ to count."""
MAX_DIFFERENT = 0.004
"""The share of pixels that may differ notably."""


def _build_scene(slug: str, text: str, *dice: Die, last: tuple[SceneMove, ...] = ()) -> Scene:
    rules = GAMES[slug].rules
    position = parse_position(text, rules)
    names = "Ana with a name that is much too long for its place", "Ben"
    return Scene(
        rules, position, names, GAMES[slug].title, "Ben to play", dice, last, Side.BLACK, Side.BLACK
    )


def _bear_men_off(scene: Scene, count: int) -> Scene:
    """Return the scene with some of gold's men in hand borne off.

    No game comes to that, but one picture shows both.
    """
    board, men = scene.rules.board, bytearray(scene.position.gold)
    men[board.hand] -= count
    men[board.off] += count
    return replace(scene, position=scene.position.with_men(Side.GOLD, men))


SCENES = {
    "midgame": sample_scene(),
    "crowd": _build_scene("zeno", "a15 z9,bar6 black 6-5-4", Die(6), Die(5), Die(4)),
    "roman": _bear_men_off(
        _build_scene(
            "duodecim-scripta",
            "1:3,17:2,30:1,hand9 12:6,24:2,hand7 black 6-1-1",
            Die(6),
            Die(1, used=True),
        ),
        4,
    ),
    "one-table": _build_scene(
        "paume-carie-one", "a2,c7,hand6 d3,f2,hand10 black 5-2", Die(5), Die(2)
    ),
    "two-tables": _build_scene(
        "medio-emperador",
        "a9,c1,e1,t3,bar1 z10,u1,x1,b2,bar1 black 6-3",
        Die(6),
        Die(3),
        last=(SceneMove(0, 3, hit=True),),
    ),
    "corners": _build_scene(
        "seis-dos-e-as",
        "f15 d6,e6,bar-af1,bar-tz2 black 4-1",
        Die(4),
        Die(1),
        last=(SceneMove(3, 8, hit=True),),
    ),
}
CASES = [(name, theme, below) for name in SCENES for theme in load_themes() for below in Side]


def _render_case(name: str, theme: str, below: Side) -> Image.Image:
    with Image.open(
        io.BytesIO(
            draw_board(
                SCENES[name], View(load_themes()[theme], below, numbered=below is Side.BLACK)
            )
        )
    ) as image:
        size = WIDE, image.height * WIDE // image.width
        return image.convert("RGB").resize(size, Image.Resampling.BOX)


def _picture_path(name: str, theme: str, below: Side) -> Path:
    return PICTURES_FOLDER / f"{name}-{theme}-{below}.png"


@pytest.mark.parametrize(("name", "theme", "below"), CASES)
def test_a_picture_is_as_it_was(name: str, theme: str, below: Side, tmp_path: Path) -> None:
    with Image.open(_picture_path(name, theme, below)) as image:
        picture = image.convert("RGB")
    difference = ImageChops.difference(_render_case(name, theme, below), picture)
    strong = [
        band.point(lambda value: 255 if value > NOTABLE else 0) for band in difference.split()
    ]
    either = ImageChops.lighter(ImageChops.lighter(strong[0], strong[1]), strong[2])
    share = either.histogram()[255] / (difference.width * difference.height)
    if share > MAX_DIFFERENT:
        file = tmp_path / f"{name}-{theme}-{below}-difference.png"
        difference.save(file)
        pytest.fail(f"{share:.1%} of the pixels differ; see {file}")


def test_a_man_who_moved_is_noticed() -> None:
    now = _render_case("midgame", "gloucester", Side.GOLD)
    other = _render_case("crowd", "gloucester", Side.GOLD)
    strong = (
        ImageChops.difference(now, other)
        .convert("L")
        .point(lambda value: 255 if value > NOTABLE else 0)
    )
    assert strong.histogram()[255] / (strong.width * strong.height) > MAX_DIFFERENT


if __name__ == "__main__":
    PICTURES_FOLDER.mkdir(exist_ok=True)
    for case in CASES:
        _render_case(*case).quantize(96, dither=Image.Dither.NONE).save(
            _picture_path(*case), optimize=True
        )
