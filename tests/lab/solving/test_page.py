"""The page of solved games says what the solver finds."""

import pytest

from engine.games import GAMES
from engine.players.exact import get_ending_table
from engine.players.variants import format_options
from engine.position import Side
from lab.solving.apart import solve_pairs
from lab.solving.data import build_table, list_rows
from lab.solving.figures import (
    APART,
    BEAR_OFF,
    PALM,
    PALM_MEN,
    PALM_READINGS,
    SOLVED_OPTIONS,
    list_readings,
    load_figures,
)
from lab.solving.page import build_page


def test_every_reading_of_the_solved_games_is_on_the_page() -> None:
    figures, page = load_figures(), build_page()
    stored = {**figures, PALM: figures[PALM][str(PALM_MEN[0])]}
    for slug in SOLVED_OPTIONS:
        names = [format_options(options) for options in list_readings(GAMES[slug])]
        assert list(stored[slug]) == names
        assert all(f"| `{name}` |" in page for name in names)
    every_man = figures[PALM][str(GAMES[PALM].rules.men)]
    assert tuple(every_man) == PALM_READINGS
    assert list(figures["states"]) == list(GAMES)


def test_the_table_has_every_reading_once_and_games_agree_with_their_values() -> None:
    columns = [column.name for column in build_table().columns]
    rows = [dict(zip(columns, row, strict=True)) for row in list_rows()]
    keys = {(row["game"], row["reading"], row["men"]) for row in rows}
    assert len(keys) == len(rows) > 30
    assert {row["game"] for row in rows} == {*SOLVED_OPTIONS}
    checked = [row for row in rows if row["games"]]
    assert len(checked) == 3
    for row in checked:
        won, win, low, high = (
            float(row[name] or 0)
            for name in ("won_percent", "win_percent", "won_percent_low", "won_percent_high")
        )
        # The interval is not quite two deviations to each side; four are hardly ever passed.
        assert abs(won - win) < high - low


def test_the_tables_of_the_last_throws_are_as_stored() -> None:
    for kind, each in load_figures()[BEAR_OFF].items():
        table = get_ending_table(GAMES[kind].rules)
        assert table
        assert each["states"] == (len(table.file.states) - 1) ** 2
        games = [slug for slug, game in GAMES.items() if get_ending_table(game.rules)]
        assert set(each["games"]) <= set(games)


@pytest.mark.sweep
@pytest.mark.parametrize("options", [*list_readings(GAMES[APART])], ids=format_options)
def test_doblet_is_worth_what_is_stored(options: dict[str, str]) -> None:
    rules = GAMES[APART].resolve_rules(options)
    solved = solve_pairs(rules)
    start = solved.states.men.index(rules.start_position.men(Side.GOLD))
    stored = load_figures()[APART][format_options(options)]
    assert stored["win"] == pytest.approx(solved.wins[start, start], abs=1e-9)
    if "games" in stored:
        # Of so many games the share is hardly ever four deviations off.
        spread = (stored["win"] * (1 - stored["win"]) / stored["games"]) ** 0.5
        assert abs(stored["won"] / stored["games"] - stored["win"]) < 4 * spread
