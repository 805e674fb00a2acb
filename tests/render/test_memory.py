"""What pictures keep in memory."""

import gc
from collections.abc import Iterator
from random import Random

import pytest
from PIL import Image

from engine.games import GAMES
from engine.match import follow, new_match
from engine.playout import next_event
from render.board import draw
from render.ground import Ground
from render.replay import DETAILS, Moment, encoded, frames
from render.scene import Scene, View
from render.theme import themes

MOST = 64 * 1024 * 1024
FRAMES = 40


def kept() -> int:
    """Bytes of pixels that grounds and their patches hold."""
    gc.collect()
    found = [each for each in gc.get_objects() if isinstance(each, Ground)]
    return sum(each.size for each in found)


@pytest.mark.sweep
def test_many_games_in_every_theme_stay_within_their_memory() -> None:
    chance = Random(5)
    for slug in ("zeno", "duodecim-scripta", "backgammon", "seis-dos-e-as"):
        for theme in themes().values():
            match = new_match(GAMES[slug], {})
            for number in range(60):
                match = follow(match, next_event(match, chance))
                draw(
                    Scene(match.rules, match.position, ("Ana", "Ben"), slug, f"throw {number}"),
                    View(theme),
                )
    assert 1_000_000 < kept() < MOST


def frames_alive(size: tuple[int, int]) -> int:
    """How many pictures of that size, whole frames of a film, are in memory."""
    return sum(isinstance(each, Image.Image) and each.size == size for each in gc.get_objects())


@pytest.mark.sweep
def test_the_frames_of_a_film_are_let_go_as_they_are_written() -> None:
    chance = Random(5)
    match = new_match(GAMES["zeno"], {})
    moments = []
    for number in range(FRAMES):
        match = follow(match, next_event(match, chance))
        moments.append(
            Moment(Scene(match.rules, match.position, ("Ana", "Ben"), "Zeno", f"throw {number}"))
        )
    alive = []

    def counted() -> Iterator[Image.Image]:
        for frame in frames(moments, View(titled=True), DETAILS[0]):
            yield frame
            alive.append(frames_alive(frame.size))

    assert encoded(counted()).startswith(b"GIF89a")
    assert len(alive) == FRAMES
    assert max(alive) <= 6
