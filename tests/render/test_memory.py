"""What pictures keep in memory."""

import gc
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from random import Random
from threading import Barrier

import pytest
from PIL import Image

from engine.games import GAMES
from engine.match import apply_unchecked, new_match
from engine.playout import choose_event
from render.board import draw_board
from render.ground import GROUNDS, MAX_GROUND_BYTES, Ground, GroundCache, build_stage
from render.replay import DETAILS, ReplayMoment, draw_frames, encode_gif
from render.scene import Scene, View
from render.theme import load_themes

MAX_BYTES = 64 * 1024 * 1024
FRAMES = 40


def count_ground_bytes() -> int:
    """Bytes of pixels that grounds and their patches hold."""
    gc.collect()
    found = [each for each in gc.get_objects() if isinstance(each, Ground)]
    return sum(each.kept_bytes for each in found)


@pytest.mark.sweep
def test_many_games_in_every_theme_stay_within_their_memory() -> None:
    chance = Random(5)
    for slug in ("zeno", "duodecim-scripta", "backgammon", "seis-dos-e-as"):
        for theme in load_themes().values():
            match = new_match(GAMES[slug], {})
            for number in range(60):
                match = apply_unchecked(match, choose_event(match, chance))
                draw_board(
                    Scene(match.rules, match.position, ("Ana", "Ben"), slug, f"throw {number}"),
                    View(theme),
                )
    assert 1_000_000 < count_ground_bytes() < MAX_BYTES


def _build_scene(slug: str, label: str = "throw") -> Scene:
    match = new_match(GAMES[slug], {})
    return Scene(match.rules, match.position, ("Ana", "Ben"), slug, label)


def test_ten_games_in_turn_are_drawn_on_grounds_that_are_drawn_once() -> None:
    GROUNDS.clear()
    slugs = sorted(GAMES)[:10]
    views = [View(), View(numbered=True)]
    for view in views:
        for slug in slugs:
            draw_board(_build_scene(slug), view)
    redrawn, drawn = GROUNDS.redrawn, GROUNDS.drawn

    for _ in range(3):
        for view in views:
            for slug in slugs:
                draw_board(_build_scene(slug), view)

    assert (GROUNDS.redrawn, GROUNDS.drawn) == (redrawn, drawn)
    assert GROUNDS.kept_bytes <= MAX_GROUND_BYTES


def test_threads_that_want_one_ground_at_once_have_it_drawn_once() -> None:
    cache, together = GroundCache(), Barrier(8)
    stage = build_stage(_build_scene("zeno"), View())

    def want(_: int) -> Ground:
        together.wait()
        return cache.get(stage)

    with ThreadPoolExecutor(8) as pool:
        grounds = list(pool.map(want, range(8)))

    assert len({id(each) for each in grounds}) == 1
    assert cache.drawn == 1


def test_a_ground_that_is_compressed_gives_the_same_picture() -> None:
    GROUNDS.clear()
    scene, view = _build_scene("duodecim-scripta"), View()
    before = draw_board(scene, view)
    ground = GROUNDS.get(build_stage(scene, view))
    drawn, open_bytes = GROUNDS.drawn, ground.kept_bytes

    ground.drop_true_colours()
    assert draw_board(scene, view) == before
    ground.drop_patches()

    assert ground.kept_bytes < open_bytes / 20
    assert draw_board(scene, view) == before
    assert GROUNDS.drawn == drawn


def test_grounds_that_are_given_up_for_others_are_counted_when_drawn_again() -> None:
    cache = GroundCache(max_bytes=1)
    stages = [build_stage(_build_scene(slug), View()) for slug in ("zeno", "duodecim-scripta")]

    for stage in (*stages, *stages):
        cache.get(stage)

    assert (cache.drawn, cache.redrawn) == (4, 2)


def test_a_ground_that_cannot_be_drawn_fails_each_time_it_is_wanted() -> None:
    cache = GroundCache()
    stage = build_stage(_build_scene("zeno"), View())
    strange = replace(stage, theme=replace(stage.theme, border="unheard-of"))

    for _ in range(2):
        with pytest.raises(KeyError):
            cache.get(strange)

    assert cache.drawn == 0


def count_live_frames(size: tuple[int, int]) -> int:
    """How many pictures of that size, whole frames of a film, are in memory."""
    return sum(isinstance(each, Image.Image) and each.size == size for each in gc.get_objects())


@pytest.mark.sweep
def test_the_frames_of_a_film_are_let_go_as_they_are_written() -> None:
    chance = Random(5)
    match = new_match(GAMES["zeno"], {})
    moments = []
    for number in range(FRAMES):
        match = apply_unchecked(match, choose_event(match, chance))
        moments.append(
            ReplayMoment(
                Scene(match.rules, match.position, ("Ana", "Ben"), "Zeno", f"throw {number}")
            )
        )
    alive = []

    def counted() -> Iterator[Image.Image]:
        for frame in draw_frames(moments, View(titled=True), DETAILS[0]):
            yield frame
            alive.append(count_live_frames(frame.size))

    assert encode_gif(counted()).startswith(b"GIF89a")
    assert len(alive) == FRAMES
    assert max(alive) <= 6
