"""The figures that the rules' pages show."""

import pytest

from engine.games import GAMES
from engine.players.statistics import load_statistics

STUDIED = [slug for slug, game in GAMES.items() if load_statistics(slug, game.edition)]


@pytest.mark.parametrize("slug", STUDIED)
def test_the_figures_of_a_game_are_in_order(slug: str) -> None:
    figures = load_statistics(slug, GAMES[slug].edition)
    assert figures is not None
    shortest, middle, longest = figures.throws
    assert 1 < shortest <= middle <= longest
    assert 0 < figures.starter_wins < 100
    # What the side that begins wins lies between what it wins as either side.
    wins = figures.starter_wins_as.values()
    assert min(wins) <= figures.starter_wins <= max(wins)


def test_a_game_or_an_edition_that_nobody_has_studied_has_no_figures() -> None:
    assert "zeno" in STUDIED
    assert load_statistics("zeno", 99) is None
    assert load_statistics("no-such-game", 1) is None
