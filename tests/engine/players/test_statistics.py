"""The figures that the rules' pages show."""

import pytest

from engine.games import GAMES
from engine.players.statistics import GameStatistics, LuckShare, load_statistics

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


@pytest.mark.parametrize(
    ("slug", "luck"),
    [
        # By docs/generated/studies.md the net wins 48.5% and 52.1% against random plays.
        ("twelve-dogs", LuckShare.ALL),
        ("paume-carie-one", LuckShare.ALL),
        # 62.1% against random plays and 46.5% against greedy; 68.6% and 82.8% against greedy.
        ("doblet", LuckShare.MOST),
        ("laquet", LuckShare.MOST),
        ("zeno", LuckShare.HALF),
        # 92.3% and 99.6% against greedy.
        ("todas-tablas", LuckShare.LITTLE),
        ("emperador", LuckShare.LITTLE),
    ],
)
def test_how_much_is_luck_follows_from_how_often_better_play_wins(
    slug: str, luck: LuckShare
) -> None:
    figures = load_statistics(slug, GAMES[slug].edition)
    assert figures is not None
    assert figures.luck is luck


@pytest.mark.parametrize(
    ("greedy", "random", "luck"),
    [
        (None, 99, None),
        (80, None, None),
        (95, 54, LuckShare.ALL),
        (69, 55, LuckShare.MOST),
        (70, 99, LuckShare.HALF),
        (89, 99, LuckShare.HALF),
        (90, 99, LuckShare.LITTLE),
    ],
)
def test_nothing_is_said_of_luck_that_was_not_measured(
    greedy: int | None, random: int | None, luck: LuckShare | None
) -> None:
    assert GameStatistics(1, 1000, (1, 2, 3), 50, {}, greedy, random).luck is luck
