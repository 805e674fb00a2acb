"""What pictures keep in memory."""

import gc
from collections.abc import Iterator
from random import Random

import pytest
from PIL import Image

from engine.games import GAMES
from engine.match import apply_unchecked, new_match
from engine.playout import choose_event
from render.board import draw_board
from render.ground import Ground
from render.replay import DETAILS, ReplayMoment, draw_frames, encode_gif
from render.scene import Scene, View
from render.theme import load_themes

MAX_BYTES = 64 * 1024 * 1024
FRAMES = 40


def count_ground_bytes() -> int:
    """Bytes of pixels that grounds and their patches hold."""
    gc.collect()
    found = [each for each in gc.get_objects() if isinstance(each, Ground)]
    return sum(each.pixel_bytes for each in found)


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
