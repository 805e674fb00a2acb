"""Whole games go as they were read and kept."""

import pytest

from engine.games import GAMES
from tests.conformance.golden import FOLDER, format_transcript


@pytest.mark.parametrize("slug", GAMES)
def test_the_kept_game_goes_the_same_way(slug: str) -> None:
    assert format_transcript(slug) == (FOLDER / f"{slug}.txt").read_text("utf-8")


def test_no_game_is_kept_that_is_not_there() -> None:
    assert {file.stem for file in FOLDER.iterdir()} == set(GAMES)
