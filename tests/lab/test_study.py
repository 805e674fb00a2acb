"""Figures of many games: shares, means and quantiles with intervals, and their storage."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from engine.games import GAMES
from engine.players.statistics import STATISTICS, load_statistics
from engine.position import Side
from lab.studies.statistics import build_statistics
from lab.studies.study import (
    BROKEN_OFF,
    End,
    HeadToHead,
    Mean,
    Quantile,
    Run,
    Share,
    Study,
    Sum,
    load_game_studies,
    merge_studies,
    save_game_studies,
)
from lab.studies.study_files import get_study, load_all_studies

ENDS = {
    End("off", 1, "gold", "gold"): 5,
    End("off", 2, "gold", "black"): 2,
    End("jan", 2, "black", "gold"): 1,
    End("stuck", 0, "black"): 1,
    End(BROKEN_OFF, 0, "gold"): 1,
}
STUDY = Study("greedy", 1, (Run(1, 10),), ENDS, {10: 4, 12: 5, 1500: 1}, {"hits": Sum(20, 60, 8)})
MEETING = HeadToHead("net against greedy", 1, (Run(1, 10),), won=6, lost=2, drawn=1, broken_off=1)


def test_a_share_has_the_interval_of_wilson() -> None:
    # Half of a hundred: (0.5 + 3.8416/200 ± 1.96 √(0.25/100 + 3.8416/40000)) / 1.038416.
    assert Share(50, 100).interval == pytest.approx((0.40383, 0.59617), abs=1e-5)
    # None of ten may still be up to 3.8416/13.8416, and all of ten no less than the rest.
    assert Share(0, 10).interval == pytest.approx((0, 0.27754), abs=1e-5)
    assert Share(10, 10).interval == pytest.approx((0.72246, 1), abs=1e-5)
    assert Share(1, 4).value == 0.25


def test_a_study_tells_who_won_and_how() -> None:
    assert STUDY.games == 10
    # Of the eight that somebody won the side that began won five; gold won six of them.
    assert STUDY.starter_share == Share(5, 8)
    assert (STUDY.win_share(Side.GOLD), STUDY.win_share(Side.BLACK)) == (Share(6, 8), Share(2, 8))
    assert (STUDY.end_share(BROKEN_OFF), STUDY.end_share("jan", "off")) == (
        Share(1, 10),
        Share(8, 10),
    )
    assert STUDY.throws == 4 * 10 + 5 * 12 + 1500
    assert list(STUDY.end_shares) == ["off", "jan", "stuck", BROKEN_OFF]
    assert STUDY.end_shares["off"] == Share(7, 10)
    assert (STUDY.points_share(1), STUDY.points_share(2)) == (Share(5, 8), Share(3, 8))


def test_a_study_tells_how_often_each_side_won_that_began() -> None:
    ends = {
        End("off", 1, "gold", "gold"): 30,
        End("off", 1, "gold", "black"): 70,
        End("off", 1, "black", "black"): 90,
    }
    study = replace(STUDY, ends={**ends, End("stuck", 1, "gold"): 5})
    assert (study.starting_win_share(Side.GOLD), study.starting_win_share(Side.BLACK)) == (
        Share(30, 100),
        Share(90, 90),
    )


def test_a_study_tells_how_often_something_happens() -> None:
    # Twenty in ten games; the mean of the squares is six, so the variance two.
    assert STUDY.mean_count("hits") == pytest.approx(Mean(2.0, 1.96 * (2 / 10) ** 0.5))
    assert STUDY.occurrence_share("hits") == Share(8, 10)


def test_a_quantile_lies_between_order_statistics() -> None:
    lengths = dict.fromkeys(range(1, 101), 1)
    study = Study("greedy", 1, (), {End("off", 1, "gold", "gold"): 100}, lengths, {})
    # The median's ranks are 50 and 50 ± 1.96 √25 = 40.2 and 59.8, outwards.
    assert study.length_quantile(0.5) == Quantile(50, 40, 60)
    # 95 ± 1.96 √4.75 = 90.73 and 99.27; 5 ± 4.27.
    assert study.length_quantile(0.95) == Quantile(95, 90, 100)
    assert study.length_quantile(0.05) == Quantile(5, 1, 10)
    # Of four games the ranks are 4, 2 and 5, and 1, -1 and 2:
    # some reach beyond the first and the last.
    assert Study("", 1, (), {End("off", 1, "gold", "gold"): 4}, {7: 2, 9: 2}, {}).length_quantile(
        0.95
    ) == Quantile(9, 7, 9)
    assert Study("", 1, (), {End("off", 1, "gold", "gold"): 4}, {7: 2, 9: 2}, {}).length_quantile(
        0.05
    ) == Quantile(7, 7, 7)


def test_games_of_the_same_player_and_rules_are_added_up() -> None:
    both = merge_studies(STUDY, STUDY)
    assert isinstance(both, Study)
    assert both.games == 20
    assert both.runs == (Run(1, 10), Run(1, 10))
    assert both.lengths == {10: 8, 12: 10, 1500: 2}
    assert both.sums == {"hits": Sum(40, 120, 16)}
    twice = merge_studies(MEETING, MEETING)
    assert isinstance(twice, HeadToHead)
    assert (twice.games, twice.share) == (20, Share(12, 16))
    assert (twice.drawn, twice.broken_off) == (2, 2)


def test_games_of_others_are_begun_anew() -> None:
    other = Study("net", 1, (), ENDS, {10: 10}, {})
    assert merge_studies(None, other) is other
    assert merge_studies(STUDY, other) is other
    assert merge_studies(MEETING, HeadToHead("net against greedy", 2, (), 1, 0, 0, 0)).games == 1


def test_a_share_of_throws_has_an_interval_that_is_wide_enough() -> None:
    # Ten games of ten throws each, of which four and six are counted by turns: the lengths do not
    # vary, so that only the counts' deviation of one is left.
    ends = {End("off", 1, "gold", "gold"): 10}
    alike = Study("", 1, (), ends, {10: 10}, {"idle": Sum(50, 260, 10)})
    assert alike.throw_share("idle") == pytest.approx(Mean(0.5, 1.96 * 1 / 10**0.5 / 10))
    # Of eight and twelve throws by turns it may be that the longer have fewer.
    apart = replace(alike, lengths={8: 5, 12: 5})
    assert apart.throw_share("idle") == pytest.approx(Mean(0.5, 1.96 * (1 + 1) / 10**0.5 / 10))


def test_a_study_tells_what_a_game_counts() -> None:
    # Five ones, three twos and two noughts: eleven, and squares of seventeen.
    assert STUDY.mean_points == pytest.approx(Mean(1.1, 1.96 * ((1.7 - 1.21) / 10) ** 0.5))


def test_studies_are_kept_and_read_again(tmp_path: Path) -> None:
    save_game_studies("zeno", {"usual": STUDY, "net:greedy": MEETING}, tmp_path / "kept")
    assert load_game_studies("zeno", tmp_path / "kept") == {"usual": STUDY, "net:greedy": MEETING}
    assert load_game_studies("pyf", tmp_path / "kept") == {}
    assert [path.name for path in (tmp_path / "kept").iterdir()] == ["zeno.json"]
    repeated = replace(STUDY, runs=(Run(1, 10, repeated="0123456789ab"), Run(11, 10)))
    save_game_studies("zeno", {"usual": repeated}, tmp_path)
    assert load_game_studies("zeno", tmp_path) == {"usual": repeated}


def test_studies_of_another_version_are_not_read(tmp_path: Path) -> None:
    save_game_studies("zeno", {"usual": STUDY}, tmp_path)
    path = tmp_path / "zeno.json"
    every = json.loads(path.read_text())
    every["usual"]["version"] = 0
    path.write_text(json.dumps(every))
    assert load_game_studies("zeno", tmp_path) == {}


@pytest.mark.parametrize("slug", load_all_studies())
def test_a_studied_game_counts_every_game_once(slug: str) -> None:
    study = get_study(load_game_studies(slug), "usual")
    assert study.edition == GAMES[slug].edition
    assert study.games == sum(study.lengths.values()) == sum(run.games for run in study.runs) > 0


def test_the_rules_pages_show_what_was_counted() -> None:
    assert STATISTICS.read_text("utf-8") == build_statistics(), "`make studies` updates it"
    zeno = get_study(load_game_studies("zeno"), "usual")
    figures = load_statistics("zeno", zeno.edition)
    assert figures is not None
    assert figures.games == zeno.games
    within = [zeno.lengths[length] for length in zeno.lengths if length <= figures.throws[1]]
    assert sum(within) >= zeno.games / 2
    assert abs(figures.starter_wins - 100 * zeno.starter_share.value) <= 0.5
    assert load_statistics("zeno", 99) is None
    assert load_statistics("no-such-game", 1) is None
