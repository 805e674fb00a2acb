"""Games of the solved player come out as it is said to win."""

from functools import cache

import pytest

from engine.games import GAMES
from engine.position import Side
from lab.solving.apart import SolvedPairs, list_side_states, solve_pairs
from lab.solving.figures import has_choice
from lab.solving.one_table import HELD, solve_table
from lab.solving.playing import Chooser, play_games, play_table_games

RULES = GAMES["doblet"].rules
GAMES_PLAYED = 100_000


@cache
def solve_doblet() -> SolvedPairs:
    """Solve the game once for all tests."""
    return solve_pairs(RULES)


@pytest.mark.sweep
def test_the_best_player_wins_as_often_as_it_is_said_to() -> None:
    solved = solve_doblet()
    start = solved.states.men.index(RULES.start_position.men(Side.GOLD))
    best = Chooser(RULES, solved.states, Side.GOLD).build_policy(solved.wins)
    tally = play_games(solved.states, start, best, best, GAMES_PLAYED, seed=1)
    win = solved.wins[start, start]
    # Of so many games the share is hardly ever four deviations off.
    assert abs(tally.first_wins / tally.games - win) < 4 * (win * (1 - win) / tally.games) ** 0.5
    assert 0 <= tally.declined < tally.offers < tally.throws


def test_a_few_men_left() -> None:
    men = bytearray(RULES.board.no_men)
    men[0], men[RULES.board.off] = 1, 11
    solved = solve_pairs(RULES, bytes(men))
    start = solved.states.men.index(bytes(men))
    best = Chooser(RULES, solved.states, Side.BLACK).build_policy(solved.wins)
    tally = play_games(solved.states, start, best, best, GAMES_PLAYED, seed=1)
    # One of three dice has to show a 1; no other number is of use to anybody.
    once = 1 - (5 / 6) ** 3
    win = once / (1 - (1 - once) ** 2)
    assert solved.wins[start, start] == pytest.approx(win)
    assert tally.first_wins / tally.games == pytest.approx(win, abs=0.01)
    assert tally.offers == 0


def test_games_without_a_choice_come_out_as_they_are_said_to() -> None:
    solved = solve_table(GAMES["twelve-dogs"].rules)
    start = solved.tables.index((HELD[0],) * 6)
    tally = play_table_games(solved, start, GAMES_PLAYED, seed=1)
    for count, value in (
        (tally.first_wins, solved.wins[start]),
        (tally.first_losses, solved.losses[start]),
    ):
        error = (value * (1 - value) / tally.games) ** 0.5
        assert abs(count / tally.games - value) < 4 * error


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"unusable": "lost"}, False),
        ({"unusable": "loses"}, False),
        ({"unusable": "opponent"}, True),
        ({"unusable": "lost", "moving": "own-table"}, True),
    ],
)
def test_where_there_is_a_choice(options: dict[str, str], expected: bool) -> None:
    men = bytearray(RULES.board.no_men)
    men[:6], men[RULES.board.off] = (1, 1, 1, 0, 0, 1), 8
    states = list_side_states(GAMES["doblet"].resolve_rules(options), bytes(men))
    assert has_choice(states) is expected
