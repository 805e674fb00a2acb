"""Every case that was kept, and some made up now, is read or refused."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.games import GAMES
from tests.fuzz.kept import load_cases
from tests.fuzz.targets import TARGETS

PIECES = [
    "a-g",
    "bar-c",
    "t-off",
    "24/18",
    "a6",
    "(2)",
    "*",
    "to",
    ",",
    "hand3",
    "gold",
    "-",
    "3-1",
    "=",
    ":",
    "٣",
]
"""What plays, positions and settings are made of, and a digit of another script."""


@pytest.mark.sweep
@pytest.mark.parametrize("name", TARGETS)
def test_what_was_kept(name: str) -> None:
    kept = load_cases(name)
    assert kept
    for case in kept:
        TARGETS[name](case)


@pytest.mark.sweep
@pytest.mark.parametrize("name", TARGETS)
@settings(max_examples=60, deadline=None)
@given(
    game=st.integers(0, len(GAMES) - 1),
    moment=st.integers(0, 255),
    text=st.one_of(
        st.text(max_size=60), st.lists(st.sampled_from(PIECES), max_size=12).map("".join)
    ),
)
def test_what_is_made_up(name: str, game: int, moment: int, text: str) -> None:
    TARGETS[name](bytes([game, moment]) + text.encode("utf-8", "surrogatepass"))
