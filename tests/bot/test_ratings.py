"""What a result makes of the rows that the leaderboards show."""

from dataclasses import replace

import pytest

from bot.features.matches.rows import Leaderboard, RatingRow
from bot.features.ratings.cards import Ranking, leaderboard_controls
from bot.features.ratings.service import CERTAIN_BELOW, Season, rate_result, require_pool
from bot.features.ratings.tables import Result
from bot.features.ratings.texts import explain_question_mark
from bot.platform.i18n.common import Paging
from bot.platform.i18n.reader import Reader, UnknownControlError

ANA, BEN = 11, 12


def test_when_matches_end_at_once_and_the_later_is_stored_first_the_later_stays_the_last_played(
    # Both ends are given in milliseconds, a moment apart.
) -> None:
    boards = (Leaderboard("everywhere", "zeno"),)
    people = {"gold": (ANA,), "black": (BEN,)}
    later = rate_result(Result(2, 2000, "gold", boards, people), {})
    both = rate_result(Result(1, 1999, "black", boards, people), later)
    assert [row.games for row in both.values()] == [2, 2]
    assert [row.updated for row in both.values()] == [2000, 2000]


@pytest.mark.parametrize("text", ["aaa", "zzz", "", "zeno@nobody", "aaa@master"])
def test_a_leaderboard_of_no_game_is_refused(text: str) -> None:
    with pytest.raises(UnknownControlError):
        require_pool(text)


@pytest.mark.parametrize("text", ["all", "zeno", "zeno@master", "all@beginner"])
def test_a_leaderboard_of_a_game_or_of_all_is_found(text: str) -> None:
    assert require_pool(text) == text


@pytest.mark.parametrize(
    ("season", "turns"),
    [
        # As earlier versions wrote it, so that their messages go on turning pages.
        (None, ["ranks:server:all:0", "ranks:server:all:2"]),
        (Season(2026, 4), ["ranks:server:all:0:2026-Q4", "ranks:server:all:2:2026-Q4"]),
    ],
)
def test_the_buttons_of_a_leaderboard_stay_in_its_season(
    season: Season | None, turns: list[str]
) -> None:
    controls = leaderboard_controls(
        Reader.ENGLISH, Ranking("server", "all", season), Paging(1, 30, 10)
    )
    assert [getattr(each, "custom_id", None) for each in controls] == turns


def test_a_rating_that_is_certain_needs_no_word_of_question_marks() -> None:
    row = RatingRow(25.0, CERTAIN_BELOW - 0.1, 9, 5, 0, 4, 0)
    assert explain_question_mark(Reader.ENGLISH, [row, None]) == ""
    surer = replace(row, sigma=CERTAIN_BELOW)
    assert explain_question_mark(Reader.ENGLISH, [row, surer]) != ""
