"""Moving pictures of matches."""

import io
from dataclasses import replace

import pytest
from PIL import Image

from engine.board import TABLES
from engine.games import GAMES
from engine.position import Side
from render.layout import lay_out_board
from render.replay import (
    DETAILS,
    GLIDE_MS,
    LAST_MS,
    REST_MS,
    THROW_MS,
    ReplayMoment,
    count_frames,
    render_film,
)
from render.scene import Die, SceneMove, View
from tests.render.build import build_scene, pack_men

START = build_scene(pack_men(a=15), pack_men(z=15))
THROWN = replace(START, dice=(Die(6), Die(2)), thrower=Side.GOLD)
PLAYED = build_scene(
    pack_men(a=14, g=1), pack_men(z=15), dice=(Die(6, used=True), Die(2)), thrower=Side.GOLD
)
MATCH = [
    ReplayMoment(START),
    ReplayMoment(THROWN),
    ReplayMoment(PLAYED, SceneMove(0, 6), Side.GOLD),
    ReplayMoment(replace(PLAYED, dice=())),
]
LAID = lay_out_board(START.rules, Side.GOLD, titled=True)
ROOMY = 8_000_000


def extract_frames(film: bytes) -> list[tuple[Image.Image, int]]:
    """The pictures of a film, each with the milliseconds that it stands."""
    with Image.open(io.BytesIO(film)) as image:
        found = []
        for at in range(getattr(image, "n_frames", 1)):
            image.seek(at)
            found.append((image.convert("RGB"), image.info["duration"]))
        return found


def test_a_throw_is_shown_before_its_play_and_the_man_glides() -> None:
    shown = extract_frames(render_film(MATCH, View(), ROOMY))
    assert [lasts for _, lasts in shown] == [
        THROW_MS,
        THROW_MS,
        GLIDE_MS,
        GLIDE_MS,
        GLIDE_MS,
        REST_MS,
        LAST_MS,
    ]
    assert shown[0][0].size == (540, LAID.height // 2)


def test_the_film_is_played_once_and_its_last_picture_is_held() -> None:
    with Image.open(io.BytesIO(render_film(MATCH, View(), ROOMY))) as image:
        assert "loop" not in image.info


def test_a_man_on_his_way_is_neither_where_he_was_nor_where_he_goes() -> None:
    shown = [image for image, _ in extract_frames(render_film(MATCH, View(), ROOMY))]
    thrown, under_way, picture = shown[1], shown[3], shown[5]
    for point, same in ((0, picture), (6, thrown)):
        box = LAID.points[point]
        area = (box.left // 2 + 2, box.top // 2, box.right // 2 - 2, box.bottom // 2)
        # Only the base of the point is told apart: he passes over its round end.
        area = (*area[:2], area[2], area[1] + 26) if point else area
        assert under_way.crop(area).tobytes() == same.crop(area).tobytes()


@pytest.mark.parametrize("place", ["a", "hand", "bar", "off"])
def test_men_glide_from_and_to_every_place(place: str) -> None:
    source, target = (place, "g") if place != "off" else ("g", "off")
    before = build_scene(pack_men(**{source: 2}), pack_men(z=15))
    after = build_scene(pack_men(**{source: 1, target: 1}), pack_men(z=15))
    moved = SceneMove(TABLES.find_place(source), TABLES.find_place(target))
    for below in Side:
        shown = extract_frames(
            render_film(
                [ReplayMoment(before), ReplayMoment(after, moved, Side.GOLD)],
                View(below=below),
                ROOMY,
            )
        )
        assert len(shown) == 1 + DETAILS[0].glides + 1


def test_a_man_who_only_comes_down_from_his_pile_does_not_fly_in() -> None:
    rules = GAMES["doblet"].rules
    before = build_scene(rules=rules, position=rules.start_position)
    men_down = bytearray(rules.start_position.gold)
    men_down[0] += 1
    men_down[TABLES.hand] -= 1
    after = replace(before, position=rules.start_position._replace(gold=bytes(men_down)))
    shown = extract_frames(
        render_film(
            [ReplayMoment(before), ReplayMoment(after, SceneMove(TABLES.hand, 0), Side.GOLD)],
            View(),
            ROOMY,
        )
    )
    assert len(shown) == 2


def test_a_film_keeps_its_size_while_a_table_is_chosen() -> None:
    game = GAMES["twelve-dogs"]
    first, then = game.rules, game.resolve_rules({"table": "ns"})
    begun = ReplayMoment(build_scene(rules=first, position=first.start_position))
    choosing = ReplayMoment(build_scene(rules=first, position=first.start_position, whole=True))
    chosen = ReplayMoment(
        build_scene(
            rules=then, position=then.start_position, dice=(Die(3), Die(1)), thrower=Side.GOLD
        )
    )
    shown = extract_frames(render_film([begun, choosing, chosen], View(), ROOMY))
    assert {image.size for image, _ in shown} == {
        (540, -(-lay_out_board(then, Side.GOLD, titled=True).height // 2))
    }


@pytest.mark.sweep
def test_detail_is_given_up_before_the_film_is_too_large() -> None:
    long = [MATCH[0], *(MATCH[1:3] * 30), MATCH[3]]
    whole = render_film(long, View(), ROOMY)
    less = render_film(long, View(), len(whole) - 1)
    assert len(less) < len(whole)
    assert len(extract_frames(less)) < len(extract_frames(whole))
    assert extract_frames(less)[-1][0].tobytes() == extract_frames(whole)[-1][0].tobytes()


def test_the_longest_match_is_shown_in_few_enough_frames() -> None:
    long = [MATCH[0], *(MATCH[1:3] * 3000)]
    detail = next(detail for detail in DETAILS if count_frames(long, detail) <= 1000)
    assert not detail.throws
    assert len(extract_frames(render_film(long, View(), ROOMY))) <= 1000
