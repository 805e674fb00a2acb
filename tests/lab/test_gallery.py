"""The pictures that are drawn to be looked at."""

import io
from pathlib import Path

import pytest
from PIL import Image

from engine.games import GAMES
from lab.gallery import (
    COLUMNS,
    GAP,
    PHONE_WIDTH,
    build_midgame_scene,
    build_start_scene,
    draw_replay,
    draw_sheet,
)
from render.layout import lay_out_board
from render.scene import View


@pytest.mark.parametrize("slug", GAMES)
def test_every_game_is_shown_under_way(slug: str) -> None:
    scene = build_midgame_scene(GAMES[slug])
    assert scene.last
    assert scene.position != GAMES[slug].rules.start_position


@pytest.mark.sweep
def test_a_contact_sheet_shows_every_picture_as_wide_as_a_phone_does() -> None:
    scenes = [build_start_scene(game) for game in list(GAMES.values())[: COLUMNS + 1]]
    page = draw_sheet(scenes, View())
    assert page.width == GAP + COLUMNS * (PHONE_WIDTH + GAP)
    heights = [lay_out_board(scene.rules, View().below).height for scene in scenes]
    rows = (max(heights[:COLUMNS]), heights[COLUMNS])
    assert page.height == GAP + sum(height * PHONE_WIDTH // 1080 + GAP for height in rows)


def test_the_replay_of_the_readme_plays_over_and_over() -> None:
    replay = draw_replay()
    with Image.open(io.BytesIO(replay)) as image:
        assert image.info["loop"] == 0
        assert getattr(image, "n_frames", 1) > 100
    committed = Path(__file__).parents[2] / "docs" / "pictures" / "replay.gif"
    assert len(committed.read_bytes()) < 1_000_000
