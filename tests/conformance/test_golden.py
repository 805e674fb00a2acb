"""Whole games go as they were read and kept."""

import pytest

from engine.games import GAMES
from tests.conformance.golden import FOLDER, format_transcript

KEPT = sorted(file.stem for file in FOLDER.iterdir())
"""Games of which a transcript is kept; a new one has none until somebody has read it."""


@pytest.mark.parametrize("slug", KEPT)
def test_the_kept_game_goes_the_same_way(slug: str) -> None:
    assert format_transcript(slug) == (FOLDER / f"{slug}.txt").read_text("utf-8")


def test_no_game_is_kept_that_is_not_there() -> None:
    assert set(KEPT) <= set(GAMES)
    assert len(KEPT) >= 30
