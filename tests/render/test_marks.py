"""Which places of a board are marked: where men came from and rest, and where they may go."""

import io

from PIL import Image, ImageChops

from render.board import draw_board, list_numbers_by_target, mark_moves
from render.scene import Scene, SceneMove, SceneOption, sample_scene


def draw(scene: Scene) -> Image.Image:
    """A scene's picture in full colours."""
    return Image.open(io.BytesIO(draw_board(scene))).convert("RGB")


def test_a_man_who_moves_on_rests_only_where_he_ends() -> None:
    marks = mark_moves((SceneMove(0, 4), SceneMove(4, 9, hit=True)))
    assert dict(+marks.came) == {9: 1}  # type: ignore[operator]
    assert marks.left == {0}
    assert marks.hit == {9}


def test_two_men_who_come_to_one_place_are_two() -> None:
    marks = mark_moves((SceneMove(0, 4), SceneMove(1, 4), SceneMove(4, 6)))
    assert (marks.came[4], marks.came[6]) == (1, 1)
    assert marks.left == {0, 1}


def test_a_place_says_each_number_that_leads_there_once() -> None:
    options = (SceneOption(0, 4, 4), SceneOption(2, 4, 2), SceneOption(3, 7, 4))
    assert list_numbers_by_target((*options, options[0])) == {4: (4, 2), 7: (4,)}


def test_each_number_is_drawn_where_it_leads() -> None:
    scene = sample_scene()
    board = scene.rules.board
    source, target, other = (board.find_place(name) for name in "icp")
    pictures = [
        draw(replaced)
        for replaced in (
            _with_options(scene),
            _with_options(scene, SceneOption(source, target, 3)),
            _with_options(scene, SceneOption(source, target, 5)),
            _with_options(scene, SceneOption(source, other, 3)),
        )
    ]
    for at, one in enumerate(pictures):
        for another in pictures[at + 1 :]:
            assert ImageChops.difference(one, another).getbbox()


def _with_options(scene: Scene, *options: SceneOption) -> Scene:
    return Scene(scene.rules, scene.position, scene.names, "", "", options=options)
