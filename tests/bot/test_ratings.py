"""What a result makes of the rows that the leaderboards show."""

import pytest

from bot.features.ratings.service import rate_result, require_pool
from bot.platform.db.rows import Result
from bot.platform.errors import DeclinedError
from bot.store import Leaderboard

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
    with pytest.raises(DeclinedError):
        require_pool(text)


@pytest.mark.parametrize("text", ["all", "zeno", "zeno@master", "all@beginner"])
def test_a_leaderboard_of_a_game_or_of_all_is_found(text: str) -> None:
    assert require_pool(text) == text
