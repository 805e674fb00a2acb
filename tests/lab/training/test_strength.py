"""The players are measured, and the page keeps the figures of those who are not."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("numba", reason="the extra `train` is not installed")

from engine.games import GAMES
from engine.games.backgammon import BACKGAMMON
from engine.players.files import WEIGHTS
from engine.players.net import load_net, save_net
from engine.players.nets import find_net
from engine.plays import list_legal_plays
from lab.training import layout as at
from lab.training.matches import (
    AdjustedMean,
    AdjustedScore,
    Bound,
    PolicyPlayer,
    play_fast_match,
    play_match,
)
from lab.training.pairs import GREEDY, ONE_PLY, PAIRS, ZERO_PLY
from lab.training.peers import (
    BAR,
    IllegalPlayError,
    Men,
    PeerPlayer,
    apply_moves,
    build_gnubg_player,
    build_pubeval_player,
    import_gnubg,
    read_men,
    write_men,
)
from lab.training.practice import TrainingPlan as Training
from lab.training.practice import compute_schedule, min_hidden_units, resume_training, train_net
from lab.training.referee import (
    REFEREED,
    DecisionErrors,
    RefereedDecisions,
    place_men,
    referee_decisions,
)
from lab.training.report import COLUMNS, PAGE, RunStamp, build_page
from lab.training.rows import read_row, write_row
from lab.training.strength import (
    PeerResults,
    StrengthPlan,
    measure_game,
    measure_peers,
    store_strength,
)
from lab.training.workshop import ChoiceCounts, Score, Workshop, build_workshop, widen_net
from tests.engine.players.one_by_one import compute_position_inputs

STAMP = RunStamp(date(2026, 11, 21), "c0ffee", 1, 30)
LATER = replace(STAMP, day=date(2026, 12, 24), seed=7)
MEETING = AdjustedScore(
    # Six games won by two points each, two lost by one, one drawn and one broken off.
    Score(6, 2, 1, 1, 10, 26, 5, 3, 80, 740),
    AdjustedMean(0.525, 0.01),
    AdjustedMean(-0.0204, 0.0071),
)


def build_plan(folder: Path) -> StrengthPlan:
    return StrengthPlan(folder, Bound(60, 2.0), Bound(4, 1.0))


def save_untrained_net(slug: str, folder: Path) -> None:
    """Keep a net that has learnt nothing."""
    game = GAMES[slug]
    shop = Workshop(game.resolve_rules({}), min_hidden_units(game), 1)
    shop.initialise_net(1)
    save_net(shop.export_net({"game": slug, "games": 0}), folder / f"{slug}.npz")


def test_a_score_tells_shares_and_errors() -> None:
    # Of ten games six won by two points each, two lost by one, one drawn and one broken off;
    # eight turns a game.
    score = Score(6, 2, 1, 1, 10, 26, 5, 3, 80, 740)
    assert (score.games, score.share, score.starter_share, score.mean, score.length) == (
        10,
        0.7,
        0.6,
        1.0,
        8.0,
    )
    # With two more won and two more lost: 1 (eight), 1/2 (two) and 0 (four)
    # have the mean 9/14 and the squares 8.5/14.
    assert score.share_error == pytest.approx(((8.5 / 14 - (9 / 14) ** 2) / 14) ** 0.5)
    # The mean of the points' squares is 2.6, that of the turns' 74.
    assert score.mean_error == pytest.approx((1.6 / 10) ** 0.5)
    assert score.length_error == pytest.approx((10 / 10) ** 0.5)
    assert (score + score).games == 20


def test_greedy_beats_random_and_meets_itself_evenly() -> None:
    shop = Workshop(GAMES["todas-tablas"].resolve_rules({}), 16, 1)
    better = play_fast_match(shop, at.GREEDILY, at.AT_RANDOM, Bound(400, 20))
    assert better.share > 0.9
    even = play_fast_match(shop, at.GREEDILY, at.GREEDILY, Bound(400, 20))
    assert abs(even.share - 0.5) < 5 * even.share_error


def test_a_match_turn_by_turn_is_the_compiled_one() -> None:
    rules = GAMES["medio-emperador"].resolve_rules({})
    one, other = Workshop(rules, 16, 5), Workshop(rules, 16, 5)
    turn_by_turn = play_match(
        one, PolicyPlayer(at.GREEDILY), PolicyPlayer(at.AT_RANDOM), Bound(40, 60)
    )
    assert turn_by_turn.score == other.match_policies(40, at.AT_RANDOM, first=at.GREEDILY)


def test_a_match_without_the_luck_of_its_throws_tells_the_same_and_more() -> None:
    rules = GAMES["medio-emperador"].resolve_rules({})
    shop = build_workshop(rules, find_net(rules, WEIGHTS), 1)
    even = play_match(shop, PolicyPlayer(at.BY_NET), PolicyPlayer(at.BY_NET), Bound(200, 120))
    assert abs(even.share.mean - 0.5) < 4 * even.share.error
    assert abs(even.points.mean) < 4 * even.points.error
    assert 2 * even.share.error < even.score.share_error
    better = play_match(shop, PolicyPlayer(at.BY_NET), PolicyPlayer(at.GREEDILY), Bound(200, 120))
    longer = play_fast_match(shop, at.BY_NET, at.GREEDILY, Bound(2000, 60))
    assert abs(better.share.mean - longer.share) < 4 * (better.share.error + longer.share_error)


def test_a_match_ends_when_its_time_is_over() -> None:
    shop = Workshop(GAMES["backgammon"].resolve_rules({}), 16, 1)
    assert (
        play_match(
            shop, PolicyPlayer(at.AT_RANDOM), PolicyPlayer(at.AT_RANDOM), Bound(10**6, 0)
        ).score.games
        == 2
    )
    assert play_fast_match(shop, at.AT_RANDOM, at.AT_RANDOM, Bound(10**6, 0)).games == 2


def test_a_game_is_measured_with_its_net_and_without(tmp_path: Path) -> None:
    without = measure_game(GAMES["laquet"], build_plan(tmp_path))
    assert without.net is None
    assert without.greedy is None
    save_untrained_net("laquet", tmp_path)
    with_net = measure_game(GAMES["laquet"], build_plan(tmp_path))
    assert with_net.greedy is not None
    assert with_net.deeper is not None
    assert with_net.ahead is not None
    assert with_net.ahead.score.games > 1
    assert with_net.greedy.share < without.random.share
    assert with_net.itself.length > 10
    store_strength(with_net, tmp_path)
    noted = load_net(tmp_path / "laquet.npz").facts["strength"]["greedy"]
    assert noted["games"] == with_net.greedy.games
    assert noted["share"] == pytest.approx(with_net.greedy.share, abs=1e-4)


def test_pure_chance_is_told_from_games_with_choices(tmp_path: Path) -> None:
    assert not measure_game(GAMES["backgammon"], build_plan(tmp_path)).is_chance
    assert measure_game(GAMES["twelve-dogs"], build_plan(tmp_path)).is_chance
    # What the other side leaves may be used in Doblet, or left.
    doblet = measure_game(GAMES["doblet"], build_plan(tmp_path))
    assert not doblet.is_chance
    assert doblet.choices.with_choice == 0 < doblet.choices.offers


def test_the_page_is_what_its_figures_say() -> None:
    page = PAGE.read_text("utf-8")
    assert build_page([], None, STAMP, page) == page


def test_the_page_takes_other_figures(tmp_path: Path) -> None:
    strength = measure_game(GAMES["laquet"], build_plan(tmp_path))
    page = build_page([strength], None, STAMP)
    assert "| Laquet | no net: greedy |" in page
    assert "| 2026-11-21 at `c0ffee`, seed 1, 30 s |" in page
    assert "## Backgammon against others" not in page
    assert build_page([], None, LATER, page) == page


def test_the_page_says_where_nobody_knows_the_commit() -> None:
    meeting = PeerResults({("one", "another"): MEETING}, "gnubg-nn 1.1", 45)
    page = build_page([], meeting, replace(STAMP, commit=""))
    assert "2026-11-21 at an unknown commit, seed 1" in page
    assert "``" not in page


def test_games_that_are_not_measured_keep_their_figures(tmp_path: Path) -> None:
    laquet, backgammon = (
        measure_game(GAMES[slug], build_plan(tmp_path)) for slug in ("laquet", "backgammon")
    )
    before = build_page(
        [laquet, backgammon], PeerResults({("one", "another"): MEETING}, "gnubg-nn 1.1", 45), STAMP
    )
    save_untrained_net("backgammon", tmp_path)
    later = measure_game(GAMES["backgammon"], build_plan(tmp_path))
    after = build_page([later], None, LATER, before)
    # What their evaluations err by stands in a narrower table further down.
    kept, changed = (
        line
        for line in after.splitlines()
        if line.startswith(("| Laquet", "| Backgammon")) and line.count("|") == len(COLUMNS) + 1
    )
    assert kept in before.splitlines()
    assert changed.endswith("| 2026-12-24 at `c0ffee`, seed 7, 30 s |")
    assert "better: Laquet." in after
    assert "against greedy: Backgammon." in after
    assert "| one against another | 10 |" in after


def test_what_is_remarked_of_a_game_stays_until_it_is_measured_anew(tmp_path: Path) -> None:
    dogs, doblet, laquet = (
        measure_game(GAMES[slug], build_plan(tmp_path))
        for slug in ("twelve-dogs", "doblet", "laquet")
    )
    chance = replace(laquet, choices=ChoiceCounts(throws=1000, with_choice=0, ends=1000, offers=0))
    before = build_page([dogs, doblet, chance], None, STAMP)
    assert "Pure chance: Laquet. Of 1,000 throws in its games not one" in before
    after = build_page([laquet], None, STAMP, before)
    assert "Laquet. Of" not in after
    assert after.count("Pure chance: Twelve Dogs. Of ") == 1
    assert (
        "Nothing to choose but whether to use the numbers that the other side leaves: Doblet."
        in after
    )


def test_the_page_tells_what_luck_hides() -> None:
    page = build_page([], PeerResults({("one", "another"): MEETING}, "gnubg-nn 1.1", 45), STAMP)
    assert "| one against another | 10 | -0.020 ± 0.007 | +1.000 ± 0.400 | 70.0 ±" in page


def test_a_match_of_backgammon_that_is_not_played_keeps_its_figures() -> None:
    before = build_page(
        [], PeerResults(dict.fromkeys(PAIRS[:2], MEETING), "gnubg-nn 1.0", 45), STAMP
    )
    worse = replace(MEETING, points=AdjustedMean(-0.3, 0.0071))
    played = PeerResults({PAIRS[1]: worse, PAIRS[2]: MEETING}, "gnubg-nn 1.1", 45)
    page = build_page([], played, LATER, before)
    names = [f"{first} against {second}" for first, second in PAIRS[:3]]
    lines = [line for line in page.splitlines() if line.startswith("| the net (")]
    assert [line.split(" | ")[0] for line in lines] == [f"| {name}" for name in names]
    assert lines[0] in before.splitlines()
    assert "-0.300 ± 0.007" in lines[1]
    assert lines[1].endswith("| 2026-12-24 at `c0ffee`, seed 7, 45 s, gnubg-nn 1.1 |")


def test_refereed_decisions_stay_until_they_are_judged_anew() -> None:
    judged = DecisionErrors(200, 0.0123, 0.002, 30, -0.0011, 0.0003)
    found = RefereedDecisions({"somebody": judged, ZERO_PLY: judged}, ["bgsage 1", "gnubg-nn 2"])
    before = build_page([], None, LATER, decisions=found)
    interval = "15.0 (10.7-20.6)"
    assert f"| somebody | 200 | 0.0123 ± 0.0020 | -0.0011 ± 0.0003 | {interval} |" in before
    # It gives away no more than itself.
    assert f"| {ZERO_PLY} | 200 | 0.0123 ± 0.0020 | - | {interval} |" in before
    assert "seed 7" in before
    assert "Measured 2026-12-24 at `c0ffee` with bgsage 1 and gnubg-nn 2." in before
    assert build_page([], PeerResults({}, "gnubg-nn 1.1", 45), STAMP, before).endswith(
        before[before.index("## Backgammon decisions") :]
    )
    again = build_page([], None, STAMP, before, decisions=replace(found, given={}))
    assert "somebody" not in again


def test_backgammons_decisions_are_refereed() -> None:
    pytest.importorskip("gnubg_nn", reason="gnubg_nn is not installed")
    pytest.importorskip("bgsage", reason="bgsage is not installed")
    found = referee_decisions(build_plan(WEIGHTS), 6, lambda _: None)
    assert tuple(found.given) == REFEREED
    assert {each.decisions for each in found.given.values()} == {6}
    assert all(0 <= each.mean < 0.5 for each in found.given.values())
    assert found.given[ONE_PLY].mean <= found.given[GREEDY].mean
    zero = found.given[ZERO_PLY]
    assert (zero.more, zero.more_error) == (0, 0)
    # The same decisions, so the differences of the means are the means of the differences.
    for each in found.given.values():
        assert each.more == pytest.approx(each.mean - zero.mean)
    assert [package.split()[0] for package in found.packages] == ["bgsage", "gnubg-nn"]


def test_the_referee_sees_the_board_as_the_side_to_throw_does() -> None:
    bgsage = pytest.importorskip("bgsage", reason="bgsage is not installed")
    rules = BACKGAMMON.resolve_rules({})
    shop = build_workshop(rules, None, 1)
    for turn in range(2):
        row = shop.start.copy()
        row[at.TURN] = turn
        assert place_men(shop, row) == bgsage.STARTING_BOARD


def test_a_player_who_needs_to_look_further_to_reach_the_aim_is_told_apart(tmp_path: Path) -> None:
    save_untrained_net("laquet", tmp_path)
    found = measure_game(GAMES["laquet"], build_plan(tmp_path))
    assert found.ahead is not None
    page = build_page(
        [replace(found, ahead=replace(found.ahead, share=AdjustedMean(0.91, 0.01)))], None, STAMP
    )
    assert "against greedy: Laquet." in page
    assert "at 1-ply too" not in page
    page = build_page(
        [replace(found, ahead=replace(found.ahead, share=AdjustedMean(0.89, 0.01)))], None, STAMP
    )
    assert "at 1-ply too: Laquet." in page


def test_backgammons_net_meets_players_of_other_makes(tmp_path: Path) -> None:
    pytest.importorskip("gnubg_nn", reason="gnubg_nn is not installed")
    save_untrained_net("backgammon", tmp_path)
    every = list(measure_peers(build_plan(tmp_path), PAIRS, 2))
    assert {pair for peers in every for pair in peers.met} == {*PAIRS}
    assert all(peers.package.startswith("gnubg-nn ") for peers in every)
    assert all(meeting.score.games > 1 for peers in every for meeting in peers.met.values())


def test_training_goes_on_where_it_stopped(tmp_path: Path) -> None:
    texts: list[str] = []
    first = train_net(GAMES["laquet"], Training(2, 4, tmp_path, tmp_path), texts.append)
    second = train_net(GAMES["laquet"], Training(2, 4, tmp_path, tmp_path), texts.append)
    assert second.games > first.games
    assert second.seconds > first.seconds
    assert "against greedy" in texts[-1]
    # Of lessons that it has learnt from besides nothing is forgotten.
    kept = load_net(tmp_path / "laquet.npz")
    save_net(replace(kept, facts={**kept.facts, "lessons": 12}), tmp_path / "laquet.npz")
    train_net(GAMES["laquet"], Training(2, 4, tmp_path, tmp_path), texts.append)
    assert load_net(tmp_path / "laquet.npz").facts["lessons"] == 12


def test_a_net_whose_time_is_over_is_taken_up_with_a_plan_of_its_own() -> None:
    here = Path()
    assert compute_schedule(0, Training(10, 20, here, here)) == (0, 1 / 20)
    assert compute_schedule(10, Training(10, 20, here, here)) == (0.5, 1 / 20)
    begins, rises = compute_schedule(25, Training(10, 10, here, here))
    assert 0 < begins < 1
    assert begins + 10 * rises == pytest.approx(1)


def test_a_net_that_gets_more_hidden_units_says_the_same_until_it_learns() -> None:
    game = GAMES["laquet"]
    rules = game.resolve_rules({})
    narrow, wide = Workshop(rules, 16, 1), Workshop(rules, 24, 1)
    narrow.initialise_net(1)
    narrow.learn_from_games(5, 0.02, 0.5)
    learnt = narrow.export_net({})
    wide.install_net(widen_net(learnt, 24, 1))
    same = wide.export_net({})
    seen = compute_position_inputs(rules, rules.start_position)[None]
    assert same.unit_count == 24
    assert same.evaluate(seen).win == pytest.approx(learnt.evaluate(seen).win, rel=1e-6)
    wide.learn_from_games(5, 0.02, 0.5)
    assert wide.export_net({}).second[16:, 0].all()
    assert widen_net(learnt, 8, 1).unit_count == 16


def test_a_net_that_there_is_no_room_for_is_refused() -> None:
    rules = GAMES["laquet"].resolve_rules({})
    assert Workshop(rules, at.MAX_HIDDEN, 1).hidden == at.MAX_HIDDEN
    with pytest.raises(ValueError, match="a net of 513 hidden units, where there is room for 512"):
        Workshop(rules, at.MAX_HIDDEN + 1, 1)


def test_training_goes_on_with_a_net_of_fewer_hidden_units(tmp_path: Path) -> None:
    path = tmp_path / "laquet.npz"
    plan = Training(2, 4, tmp_path, tmp_path)
    shop = Workshop(GAMES["laquet"].resolve_rules({}), 16, 1)
    shop.initialise_net(1)
    save_net(
        shop.export_net(
            {"game": "laquet", "games": 500, "seconds": 3.0, "planned": 3.0, "strength": {}}
        ),
        path,
    )
    texts: list[str] = []
    assert train_net(GAMES["laquet"], plan, texts.append).games > 500
    assert load_net(path).unit_count == min_hidden_units(GAMES["laquet"]) > 16


def test_a_net_learns_with_other_options_too(tmp_path: Path) -> None:
    plan = Training(2, 4, tmp_path, tmp_path)
    practice = resume_training(GAMES["medio-emperador"], plan)
    assert practice.collect_facts(plan)["others"] == list(practice.others)
    assert "reentry=first" in practice.others
    before = practice.shop.export_net({})
    practice.others["reentry=first"].learn_from_games(5, 0.02, 0.5)
    assert not np.array_equal(practice.shop.export_net({}).first, before.first)


def test_a_net_is_made_for_an_option_and_begins_as_the_games(tmp_path: Path) -> None:
    game = GAMES["medio-emperador"]
    usual, first = (
        Training(2, 4, tmp_path, tmp_path, options=options)
        for options in ({}, {"reentry": "first"})
    )
    general = resume_training(game, usual)
    general.games = 500
    general.strength = {"greedy": {}}
    general.save(usual)
    assert resume_training(game, first).games == 500
    practice = train_net(game, first, lambda _: None)
    assert practice.games > 500
    assert "reentry=first" not in practice.others
    facts = load_net(tmp_path / "medio-emperador.reentry=first.npz").facts
    assert facts["options"]["reentry"] == "first"
    assert facts["games"] == practice.games
    # What has a net of its own the game's net no longer learns.
    assert "reentry=first" not in resume_training(game, usual).others
    assert resume_training(game, usual).games == 500


def test_a_net_for_an_option_that_the_games_net_does_not_fit_begins_anew(tmp_path: Path) -> None:
    game = GAMES["zeno"]
    general = Training(2, 4, tmp_path, tmp_path)
    practice = resume_training(game, general)
    practice.games = 500
    practice.save(general)
    assert resume_training(game, general).games == 500
    off = resume_training(game, replace(general, options={"goal": "off"}))
    assert off.games == 0
    unusable = {"unusable=opponent", "unusable=loses"}
    assert set(off.others) == {*unusable, "setup=same-way", "setup=same-side"}


def test_an_interrupted_training_keeps_what_it_has_learnt(tmp_path: Path) -> None:
    path = tmp_path / "laquet.npz"
    texts: list[str] = []

    def interrupt(line: str) -> None:
        texts.append(line)
        if len(texts) == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_net(GAMES["laquet"], Training(5, 5, tmp_path, tmp_path), interrupt)
    assert "stopped after" in texts[-1]
    kept = load_net(path).facts["games"]
    assert kept > 0
    assert train_net(GAMES["laquet"], Training(1, 5, tmp_path, tmp_path), texts.append).games > kept


def test_moves_of_another_make_hit_enter_and_bear_off() -> None:
    mine, theirs = [0] * 25, [0] * 25
    mine[BAR], mine[1], mine[2] = 1, 1, 1
    # From the bar to the mover's 20th point, where the other side has a blot on its fifth;
    # two men are borne off.
    theirs[4], theirs[23] = 1, 2
    after, others = apply_moves(mine, theirs, [BAR, 19, 1, -1, 2, -1])
    assert after == [0] * 19 + [1] + [0] * 5
    assert others == [0] * 23 + [2, 1]


def test_a_board_of_another_make_is_read_and_written_back() -> None:
    shop = Workshop(BACKGAMMON.resolve_rules({}), 16, 1)
    row = shop.start.copy()
    start = [0] * 25
    # The same for both sides: 24th point, midpoint, eight and six.
    start[23], start[12], start[7], start[5] = 2, 5, 3, 5
    assert [read_men(shop, row, side) for side in (0, 1)] == [start, start]
    before = row.copy()
    for side in (0, 1):
        write_men(shop, row, side, start)
    assert np.array_equal(row, before)


def test_a_player_of_another_make_has_to_play_by_the_rules() -> None:
    rules = BACKGAMMON.resolve_rules({})

    def stand_still(mine: Men, theirs: Men, high: int, low: int) -> tuple[Men, Men]:
        return mine, theirs

    def play_first(mine: Men, theirs: Men, high: int, low: int) -> tuple[Men, Men]:
        """Play as the first in the list of the rules' own search."""
        row = shop.desk.nodes[at.GAME : at.GAME + at.ROW].copy()
        numbers = (high, low) * (2 if high == low else 1)
        position = read_row(rules, row, 0)._replace(dice=numbers)
        plays = list_legal_plays(rules, position)
        end = row.copy()
        write_row(end, plays[0].end if plays else position)
        side = int(row[at.TURN])
        return read_men(shop, end, side), read_men(shop, end, 1 - side)

    shop = Workshop(rules, 16, 1)
    with pytest.raises(IllegalPlayError, match=r"a player of another make played [\d]-[\d] as"):
        play_match(shop, PeerPlayer(stand_still), PolicyPlayer(at.AT_RANDOM), Bound(2, 60))
    found = play_match(shop, PeerPlayer(play_first), PolicyPlayer(at.AT_RANDOM), Bound(6, 60))
    assert found.score.won + found.score.lost == found.score.games > 1


def test_players_of_another_make_play_the_same_game() -> None:
    pytest.importorskip("gnubg_nn", reason="gnubg_nn is not installed")
    package = import_gnubg()
    shop = Workshop(BACKGAMMON.resolve_rules({}), 16, 1)
    nets, public = (
        PeerPlayer(build_gnubg_player(package)),
        PeerPlayer(build_pubeval_player(package)),
    )
    assert play_match(shop, nets, PolicyPlayer(at.AT_RANDOM), Bound(20, 60)).score.share > 0.9
    assert play_match(shop, public, PolicyPlayer(at.AT_RANDOM), Bound(20, 60)).score.share > 0.9
    # Every position on the way has thirty men, and a side that has won has all of its own off.
    assert shop.desk.nodes[at.GAME : at.GAME + 2 * at.PLACES].sum() == 30
