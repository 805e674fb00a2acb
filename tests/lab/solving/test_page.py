"""The page of solved games says what the solver finds."""

import re

from engine.games import GAMES
from engine.players.exact import get_ending_table
from lab.solving.data import build_table, list_rows
from lab.solving.figures import (
    APART,
    BEAR_OFF,
    MEMORY_BYTES,
    PALM,
    PALM_MEN,
    SHARES,
    SOLVED_OPTIONS,
    TABLE,
    UNNAMED,
    VALUE_BYTES,
    estimate_points,
    list_palm_readings,
    list_reading_figures,
    list_readings,
    load_figures,
    name_reading,
)
from lab.solving.page import build_page
from lab.studies.study import CONFIDENCE_Z


def test_every_reading_of_the_solved_games_is_on_the_page() -> None:
    figures, page = load_figures(), build_page()
    few, every_man = (figures[PALM][str(men)] for men in PALM_MEN)
    stored = {**figures, PALM: few}
    for slug in SOLVED_OPTIONS:
        game = GAMES[slug]
        names = [name_reading(game, options) for options in list_readings(game)]
        assert list(stored[slug]) == names
        assert len({*names}) == len(names)
        # Those of many options are in a table together.
        rows = [name for name in names if not name.startswith(UNNAMED.get(slug, ()))]
        assert all(f"| `{name}` |" in page for name in rows)
    solved = {name_reading(GAMES[PALM], options) for options in list_palm_readings(PALM_MEN[1])}
    assert len(solved) == 15
    assert {*every_man} <= solved
    assert next(iter(every_man)) == next(iter(few))
    assert list(figures["states"]) == list(GAMES)


def test_teams_and_ways_to_bear_off_stand_side_by_side() -> None:
    lines = build_page().splitlines()
    head = lines.index(
        "| reading | exact, 1 | exact, 2 | exact, 3 | farthest, 1 | farthest, 2 | farthest, 3 |"
    )
    few = load_figures()[PALM][str(PALM_MEN[0])]
    shown = [cell for line in lines[head + 2 : head + 14] for cell in line.split(" | ")[1:]]
    assert sorted(cell.removesuffix(" |") for cell in shown) == sorted(
        f"{100 * each['win']:.4f}" for each in few.values()
    )
    first, *_, last = lines[head + 2].removesuffix(" |").split(" | ")[1:]
    assert first == f"{100 * few['doubles=again.unusable=lost']['win']:.4f}"
    name = "players=3.bearing=farthest.doubles=again.unusable=lost"
    assert last == f"{100 * few[name]['win']:.4f}"


def test_no_other_game_is_within_reach_with_any_options() -> None:
    for slug, counts in load_figures()["states"].items():
        if slug not in SOLVED_OPTIONS:
            assert min(counts.values()) * VALUE_BYTES > MEMORY_BYTES
    assert (
        "The smallest is Quinze tablas with `men=6.limit=two`: 2.8 × 10^11 states" in build_page()
    )


def test_every_game_without_a_table_of_the_last_throws_is_told_why() -> None:
    page = build_page()
    reasons = page.partition("have no table of the last throws")[2].partition("\n## ")[0]
    known = {slug for each in load_figures()[BEAR_OFF].values() for slug in each["games"]}
    others = {game.title for slug, game in GAMES.items() if slug not in {*known, *SOLVED_OPTIONS}}
    assert {game.title for game in GAMES.values() if game.title in reasons} == others


def test_the_table_has_every_reading_once_and_games_agree_with_their_values() -> None:
    columns = [column.name for column in build_table().columns]
    rows = [dict(zip(columns, row, strict=True)) for row in list_rows()]
    keys = {(row["game"], row["reading"], row["men"]) for row in rows}
    assert len(keys) == len(rows) > 30
    assert {row["game"] for row in rows} == {*SOLVED_OPTIONS}
    assert all(row["games"] for row in rows if row["game"] != PALM)
    for row in rows:
        if row["games"]:
            low, won, high = (float(row[f"won_percent{end}"] or 0) for end in ("_low", "", "_high"))
            assert row["seed"]
            assert low <= won <= high
    for *_, each in list_reading_figures(load_figures()):
        for part, value in SHARES:
            if part in each:
                # Of so many games the share is hardly ever four standard errors off.
                error = (each[value] * (1 - each[value]) / each["games"]) ** 0.5
                assert abs(each[part] / each["games"] - each[value]) <= 4 * error
        if "gained" in each:
            gained = estimate_points(each)
            assert abs(gained.value - each["points"]) <= 4 * gained.within / CONFIDENCE_Z


def test_the_page_counts_every_interval_that_misses_its_value() -> None:
    columns = [column.name for column in build_table().columns]
    misses = [
        not float(row[f"{found}_low"] or 0)
        <= float(row[value] or 0)
        <= float(row[f"{found}_high"] or 0)
        for row in (dict(zip(columns, cells, strict=True)) for cells in list_rows())
        for found, value in (
            ("won_percent", "win_percent"),
            ("lost_percent", "loss_percent"),
            ("won_for_points_percent", "win_for_points_percent"),
            ("points_mean", "points"),
        )
        if row[found] is not None
    ]
    told = re.sub(r"\s+", " ", build_page())
    assert f"of the {len(misses)} below and in solved.csv {sum(misses)} do." in told


def test_a_commit_that_nobody_knows_has_no_empty_name() -> None:
    figures = load_figures()
    each, *_ = figures[TABLE].values()
    each["commit"] = ""
    figures["runs"][TABLE]["commit"] = ""
    assert "| an unknown commit" in build_page(figures)
    assert "``" not in build_page(figures)


def test_greedy_is_met_wherever_doblet_leaves_a_choice() -> None:
    for name, each in load_figures()[APART].items():
        no_choice = name.startswith("moving=none") and not name.endswith("opponent")
        assert ("greedy_won" in each) is not no_choice
        # The best player is no worse than the other.
        error = 0.5 / each.get("greedy_games", 1) ** 0.5
        assert no_choice or each["greedy_won"] / each["greedy_games"] > 0.5 - 4 * error


def test_slaps_and_games_are_shown_where_they_are_stored() -> None:
    figures = load_figures()
    usual, other, *_ = figures[PALM]["6"].values()
    for each in (usual, other):
        for name in (
            "points",
            "gained",
            "win_for_points",
            "won_for_points",
            "won",
            "games",
            "seed",
        ):
            each.pop(name, None)
    usual |= {"games": 10_000, "seed": 3, "won": 5350}
    usual |= {"points": 0.236, "gained": 2400, "gained_squares": 40_000}
    usual |= {"win_for_points": 0.534, "won_for_points": 5400}
    page = build_page(figures)
    assert (
        "| 6 | 53.4012 | 53.50 (52.52-54.48), 10,000 games, seed 3 | 0.2360 | 0.24 ± 0.04 "
        "| 53.4000 | 54.00 (53.02-54.98), 10,000 games, seed 3 |"
    ) in page
    assert "| 6 | 53.4925 | – | – | – | – | – |" in page


def test_the_tables_of_the_last_throws_are_as_stored() -> None:
    stored = load_figures()[BEAR_OFF]
    for kind, each in stored.items():
        table = get_ending_table(GAMES[kind].rules)
        assert table
        assert each["states"] == (len(table.file.states) - 1) ** 2
    games = {slug for slug, game in GAMES.items() if get_ending_table(game.resolve_rules({}))}
    assert {slug for each in stored.values() for slug in each["games"]} == games
