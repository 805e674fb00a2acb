"""What the kernel counts of its games is what happens in them when a match follows them."""

from collections import Counter
from dataclasses import replace
from datetime import date
from functools import reduce
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("numba", reason="the extra `train` is not installed")

from engine.events import Chosen, Passed, Played, Thrown
from engine.games import GAMES
from engine.games.house_rules import has_prime
from engine.match import BREAK, Match, Phase, apply_unchecked, find_forced_event
from engine.move import Move
from engine.players.files import WEIGHTS
from engine.players.midgame import build_match
from engine.players.net import load_net
from engine.players.nets import find_net
from engine.plays import make_move
from engine.position import Side
from engine.rules import BearingRule, Game
from lab.data_package import build_csv
from lab.studies import study as studied
from lab.studies.data import list_tables
from lab.studies.study import BROKEN_OFF, End, HeadToHead, Run, Study
from lab.training import layout as at
from lab.training import studies as training_studies
from lab.training.endings import find_outcome
from lab.training.games import start_game
from lab.training.matches import Bound
from lab.training.records import RECORD, count_plights, write_record
from lab.training.rows import write_row
from lab.training.studies import (
    COUNTED_EACH,
    SLUGS,
    Records,
    StudyPlan,
    StudyTask,
    decode_end,
    describe_commit,
    get_study_rules,
    hash_weights,
    iter_study_names,
    list_missing_tasks,
    list_players,
    play_studies,
    play_task,
    record_games,
    repeat_studies,
    summarise_records,
)
from lab.training.turns import take_turn
from lab.training.workshop import Workshop
from tests.engine.build import ROYAL, build_position
from tests.lab.training.followed import Step, extract_kernel_turn_end, find_way
from tests.lab.training.laid_out import lay_out
from tests.lab.training.test_strength import save_untrained_net

SIDES = tuple(Side)


@pytest.mark.parametrize("slug", GAMES)
def test_every_figure_kept_is_of_players_that_are_there(slug: str) -> None:
    """Check that every game that docs/generated/studies.md reports can be played again.

    `make studies` begins the others again.
    """
    for name, kept in studied.load_game_studies(slug).items():
        net = find_net(get_study_rules(GAMES[slug], name), WEIGHTS)
        by = " against ".join(player.name for player in list_players(name, net))
        assert (name, kept.by, kept.edition) == (name, by, GAMES[slug].edition)


OPEN = "h1,i1,k1,l1,m1,n2,o2,p2,q2,r2 a8,u1,w1,x1,y1,z1,bar2 black -"
DRAWN_UP = "h1,i1,k1,n2,o2,p2,q2,r2,s2 a9,t1,u1,w1,x1,y1,z1 black -"
NO_ENTRY = "barata-no-entry"
BOTH_CAUGHT = "a1,b1,c1,d1,e1,f1,n8,bar1 t1,u1,w1,x1,y1,z9,bar1 gold -"
CAUGHT = "a9,b1,c1,d1,e1,f1,bar1 n15 gold -"
"""Positions from the tests of the games: three of Ludus Anglicorum, and a jan."""

FOLLOWED = [
    ("zeno", {}, at.GREEDILY, 1),
    ("ludus-anglicorum", {}, at.GREEDILY, 2),
    ("ludus-anglicorum", {"dice": "three-plain", "blockade": "permanent"}, at.AT_RANDOM, 1),
    ("pyf", {"players": "2", "doubles": "twice-again"}, at.GREEDILY, 1),
    ("twelve-dogs", {}, at.AT_RANDOM, 6),
    ("twelve-dogs", {"unusable": "opponent"}, at.AT_RANDOM, 6),
    ("buffa-cortesa", {}, at.GREEDILY, 1),
    ("doblet", {}, at.AT_RANDOM, 4),
    ("medio-emperador", {}, at.AT_RANDOM, 2),
    ("fallas", {}, at.GREEDILY, 2),
    ("fallas", {"hit": "start-point", "unusable": "lost"}, at.GREEDILY, 2),
    ("laquet", {}, at.GREEDILY, 2),
    ("quinze-tablas", {"limit": "two"}, at.GREEDILY, 1),
    ("seis-dos-e-as", {}, at.GREEDILY, 2),
    ("paume-carie-one", {}, at.GREEDILY, 2),
    ("verquere", {}, at.AT_RANDOM, 2),
    ("swedish-tables", {}, at.AT_RANDOM, 1),
    ("irish", {"binding": "on"}, at.GREEDILY, 1),
    ("backgammon", {}, at.GREEDILY, 8),
]
"""Games of very different kinds, how they are played, and how many of them are followed."""

BEFORE = {"irish": 65, "fallas": 8}
"""How many games are skipped before those that are followed.

In the next game the tables are bound, or a side falls.
"""


def make_workshop(slug: str, options: dict[str, str], policy: int) -> Workshop:
    """The kernel set up for a game, both sides playing alike."""
    shop = Workshop(GAMES[slug].resolve_rules(options), 16, 5)
    shop.desk.book[at.POLICY : at.POLICY + at.SIDES] = policy
    record_games(shop, BEFORE.get(slug, 0))
    return shop


def name_counts(counts: Counter[str]) -> dict[str, int]:
    """The counts of a game under the names by which studies keep them."""
    return {
        name: counts[name]
        for name in ("throws", *(name for name in COUNTED_EACH if name != "choices"))
    }


def count_records(line: Records) -> dict[str, int]:
    """The same as the kernel has recorded them."""
    study = summarise_records(line[np.newaxis], "", 1, 1)
    return {
        "throws": next(iter(study.lengths)),
        **{name: each.total for name, each in study.sums.items() if name != "choices"},
    }


def count_before_throw(match: Match) -> Counter[str]:
    """What can be seen of a match before a throw."""
    counts: Counter[str] = Counter()
    counts["walls"] += any(has_prime(match.rules, match.position, side) for side in Side)
    if plight := match.find_plight():
        counts[plight] += 1
    return counts


def count_turn_events(way: tuple[Step, ...], after: Match) -> Counter[str]:
    """What happens in a turn, event by event."""
    counts: Counter[str] = Counter()
    moved = False
    for match, event in way:
        match event:
            case Thrown():
                counts["throws"] += 1
            case Passed() if match.phase is Phase.THROW:
                counts["passed"] += 1
            case Chosen(what) if what == BREAK:
                counts["contests"] += 1
            case Played(moves):
                moved = moved or match.phase is Phase.PLAY
                counts += count_moves(match, moves)
    offers = [(match, event) for match, event in way if match.phase is Phase.OFFER]
    counts["offers"] += bool(offers)
    counts["used"] += any(isinstance(event, Played) for _, event in offers)
    counts["idle"] += counts["throws"] > 0 and not moved and not has_ended_before_moving(after)
    return counts


def has_ended_before_moving(after: Match) -> bool:
    """Whether the throw has ended the game before anybody could move: ad fallum."""
    return after.outcome is not None and after.outcome.how == "ad-fallum"


def count_moves(match: Match, moves: tuple[Move, ...]) -> Counter[str]:
    """The men hit and those entered again, move by move."""
    counts: Counter[str] = Counter()
    position = match.position
    for move in moves:
        theirs = position.men(position.turn.other)
        counts["hits"] += theirs[move.target] if move.hit else 0
        counts["entered"] += move.source in match.rules.board.bars
        position = make_move(match.rules, position, move)
    return counts


@pytest.mark.parametrize(
    ("slug", "options", "policy", "games"), FOLLOWED, ids=lambda each: str(each)
)
def test_what_is_counted_is_what_happens(
    slug: str, options: dict[str, str], policy: int, games: int
) -> None:
    game, shop = GAMES[slug], make_workshop(slug, options, policy)
    rules = game.resolve_rules(options)
    for _ in range(games):
        shop.reset_choices()
        thrown = start_game(shop.known.table, shop.start, shop.desk)
        began = int(shop.desk.nodes[at.GAME + at.TURN])
        match = build_match(game, rules, rules.start_position._replace(turn=SIDES[began]))
        counts: Counter[str] = Counter()
        goes_on = True
        while goes_on:
            count_plights(shop.known.table, shop.desk.nodes, shop.desk.book)
            counts += count_before_throw(match)
            goes_on = take_turn(shop.known, shop.desk, thrown)
            thrown = False
            dice = tuple(
                map(int, shop.desk.book[at.DICE_THROWN : at.DICE_THROWN + rules.dice.count])
            )
            event = find_forced_event(match) or Thrown(dice)
            way = find_way(
                apply_unchecked(match, event), extract_kernel_turn_end(rules, shop.desk.nodes)
            )
            assert way is not None
            way = ((match, event), *way)
            for _, each in way:
                match = apply_unchecked(match, each)
            counts += count_turn_events(way, match)
        line: Records = np.zeros(RECORD, np.int32)
        write_record(shop.known.table, shop.desk.nodes, shop.desk.book, began, line, 0)
        assert count_records(line) == name_counts(counts)
        outcome = match.outcome
        assert outcome is not None
        points = outcome.points if outcome.winner else 0
        assert decode_end(line) == End(
            outcome.how, points, SIDES[began], outcome.winner or studied.NOBODY
        )


def test_what_is_compared_does_happen() -> None:
    total: Counter[str] = Counter()
    ends: set[tuple[str, int]] = set()
    for slug, options, policy, games in FOLLOWED:
        for line in record_games(make_workshop(slug, options, policy), games):
            total += Counter(count_records(line))
            ends.add(decode_end(line)[:2])
    assert set(COUNTED_EACH) - set(total) == {"choices", "lurched"}
    assert ends >= {
        ("off", 1),
        ("off", 2),
        ("goal", 1),
        ("full", 1),
        ("even", 0),
        ("jan", 2),
        ("ad-fallum", 1),
    }


@pytest.mark.parametrize(
    ("slug", "options", "text", "how"),
    [
        ("zeno", {}, "z15 k14,l1 gold -", "goal"),
        ("zeno", {"goal": "off"}, "off15 a14,b1 gold -", "off"),
        ("backgammon", {}, "a15 off15 gold -", "off"),
        ("twelve-dogs", {}, "a2,b2,c2,hand6 d2,e2,f2,hand6 gold -", "even"),
        ("twelve-dogs", {}, "a2,b2,c2,d2,hand4 e2,f2,hand8 gold -", "full"),
        ("ludus-anglicorum", {"blockade": "exact"}, ROYAL, "lympolded"),
        ("ludus-anglicorum", {"blockade": "wins"}, ROYAL, "lympolded"),
        ("ludus-anglicorum", {"blockade": "wins"}, BOTH_CAUGHT, "both-caught"),
        ("ludus-anglicorum", {"blockade": "permanent"}, BOTH_CAUGHT, "both-caught"),
        ("ludus-anglicorum", {"blockade": "murray"}, ROYAL, "lympolded"),
        ("ludus-anglicorum", {"blockade": "murray"}, ROYAL.replace("a8", "a7,b1"), "lurched"),
        ("twelve-dogs", {"win": "all-six"}, "a2,b2,c2,d2,e2,f2 hand12 gold -", "all-six"),
        (
            "twelve-dogs",
            {"win": "all-six"},
            "a2,b2,c2,hand6 d2,e2,f2,hand6 gold -",
            "not-all-six",
        ),
        ("emperador", {"barata": "no-entry"}, "n15 a8,t1,u1,w1,x1,y1,z1,bar1 gold -", NO_ENTRY),
        (
            "emperador",
            {"barata": "no-entry"},
            "a1,b1,c1,d1,e1,f1,n8,bar1 g8,t1,u1,w1,x1,y1,z1,bar1 gold -",
            "tie",
        ),
        ("ludus-anglicorum", {"blockade": "permanent"}, ROYAL, "lympolded"),
        ("ludus-anglicorum", {"blockade": "permanent"}, OPEN, "lympolded-for-ever"),
        ("ludus-anglicorum", {"blockade": "exact"}, DRAWN_UP, "lurched"),
        ("ludus-anglicorum", {"blockade": "wins"}, DRAWN_UP, "lurched"),
        (
            "ludus-anglicorum",
            {"blockade": "shut-out"},
            "s2,t2,u2,w2,x2,y2,z3 a14,bar1 gold -",
            "lurched",
        ),
        ("emperador", {}, "m1,n2,o2,p2,q2,r2,s3,t1 z14,bar1 gold - gold-hits=4", "barata"),
        ("emperador", {"barata": "six"}, "h1,i1,l1,n2,o2,p2,q2,r2,s2 z15 gold -", "barata-at-once"),
        ("verquere", {}, CAUGHT, "jan"),
        ("swedish-tables", {}, CAUGHT, "jan"),
        ("swedish-tables", {}, "z15 n15 gold -", "fifteen"),
        ("swedish-tables", {}, "x3,y5,z7 n15 gold -", "seven-five-three"),
        ("swedish-tables", {}, "x5,y5,z5 n15 gold -", "three-fives"),
        ("swedish-tables", {}, "u3,w3,x3,y3,z3 n15 gold -", "five-threes"),
    ],
)
def test_how_a_game_has_ended_is_told_apart(
    slug: str, options: dict[str, str], text: str, how: str
) -> None:
    rules, position = build_position(text.removesuffix(" gold-hits=4"), slug, **options)
    shop = Workshop(rules, 16, 1)
    write_row(shop.desk.nodes, position)
    if text.endswith("gold-hits=4"):
        shop.desk.nodes[at.MEMORY] = 4 * 8
    assert (
        find_outcome(shop.known.table, shop.desk.nodes, 0, SIDES.index(position.turn))
        != at.GOING_ON
    )
    assert SLUGS[int(shop.desk.nodes[at.HOW])] == how


def find_ending(slug: str, options: dict[str, str], text: str, dice: tuple[int, ...]) -> str:
    """How a game ends with that throw."""
    rules, position = build_position(text, slug, **options)
    shop = make_workshop(slug, options, at.AT_RANDOM)
    lay_out(shop, build_match(GAMES[slug], rules, position), dice)
    assert not take_turn(shop.known, shop.desk, True)
    return SLUGS[int(shop.desk.nodes[at.GAME + at.HOW])]


def test_ends_that_only_a_turn_brings_are_told_apart() -> None:
    assert find_ending("fallas", {}, "a2,t13 z2,f13 gold -", (5, 5, 5)) == "ad-fallum"
    shut = "a1,b1,c1,d1,u2,x2,y2,z3,bar2 e2,g2,h2,i2,k2,m2,t1,w1,bar1 gold -"
    assert find_ending("emperador", {}, shut, (6, 6, 6)) == "tie"


def test_a_position_in_which_nobody_can_ever_move_is_told_apart() -> None:
    # No throw moves men that rest in the last table and are never borne off.
    rules = replace(GAMES["pyf"].rules, bearing=BearingRule.NONE)
    shop = Workshop(rules, 16, 1)
    lay_out(
        shop,
        build_match(GAMES["pyf"], GAMES["pyf"].rules, build_position("z15 y15 gold -", "pyf")[1]),
    )
    assert not take_turn(shop.known, shop.desk, False)
    assert SLUGS[int(shop.desk.nodes[at.GAME + at.HOW])] == "stuck"
    assert shop.desk.book[at.PASSED] == 1


def test_a_game_without_end_is_broken_off() -> None:
    line = np.zeros(RECORD, np.int32)
    shop = make_workshop("zeno", {}, at.AT_RANDOM)
    start_game(shop.known.table, shop.start, shop.desk)
    write_record(shop.known.table, shop.desk.nodes, shop.desk.book, 0, line, 0)
    assert decode_end(line) == End(BROKEN_OFF, 0, "gold")


@pytest.mark.parametrize(
    ("text", "plight"), [(ROYAL, at.BEGUN_LYMPOLDED), (DRAWN_UP, at.BEGUN_LURCHED)]
)
def test_plights_are_counted_when_a_turn_begins(text: str, plight: int) -> None:
    rules, position = build_position(text, "ludus-anglicorum")
    shop = Workshop(rules, 16, 1)
    lay_out(shop, build_match(GAMES["ludus-anglicorum"], rules, position))
    count_plights(shop.known.table, shop.desk.nodes, shop.desk.book)
    plights = (at.BEGUN_LYMPOLDED, at.BEGUN_LURCHED)
    assert [int(shop.desk.book[each]) for each in plights] == [
        int(each == plight) for each in plights
    ]


def test_games_are_recorded_one_behind_the_other() -> None:
    one, other = (make_workshop("fallas", {}, at.GREEDILY) for _ in range(2))
    together = record_games(one, 5)
    apart = np.concatenate([record_games(other, games) for games in (2, 3)])
    assert np.array_equal(together, apart)
    study = summarise_records(together, "greedy", 1, 5)
    assert study.games == 5
    assert sum(study.lengths.values()) == 5
    assert study.runs == (Run(5, 5),)


def build_plan(folder: Path, games: int) -> StudyPlan:
    return StudyPlan(folder, folder / "kept", Bound(games, 20.0))


def test_studies_are_added_to_until_there_are_enough(tmp_path: Path) -> None:
    save_untrained_net("twelve-dogs", tmp_path)
    games = [GAMES["twelve-dogs"]]
    first = {name: kept.games for _, name, kept in play_studies(games, build_plan(tmp_path, 40), 1)}
    itself = {"usual", "unusable=opponent", "unusable=loses", "win=all-six"}
    assert first == {
        name: 40 if name in itself else 4 for name in iter_study_names(games[0], tmp_path)
    }
    again = {name: kept for _, name, kept in play_studies(games, build_plan(tmp_path, 60), 1)}
    assert again["usual"].games == 60
    assert [run[:2] for run in again["usual"].runs] == [(1, 40), (41, 20)]
    assert again["net:random"].games == 6
    assert list_missing_tasks(games, build_plan(tmp_path, 60)) == []
    assert list(studied.load_game_studies("twelve-dogs", tmp_path / "kept")) == list(
        iter_study_names(games[0], tmp_path)
    )


def test_a_net_meets_greedy_with_every_option_that_it_plays(tmp_path: Path) -> None:
    save_untrained_net("zeno", tmp_path)
    zeno = GAMES["zeno"]
    net = find_net(zeno.resolve_rules({}), tmp_path)
    # Where the men are borne off, the game is won in another way than the net has learnt.
    assert {name for name in iter_study_names(zeno, tmp_path) if "=" in name and ":" in name} == {
        "unusable=opponent:greedy",
        "unusable=loses:greedy",
        "setup=same-way:greedy",
        "setup=same-side:greedy",
    }
    assert [player.policy for player in list_players("unusable=loses:greedy", net)] == [
        at.BY_NET,
        at.GREEDILY,
    ]
    met = play_task(StudyTask("zeno", "unusable=loses:greedy", Bound(4, 20.0), 1), tmp_path)
    assert isinstance(met, HeadToHead)
    assert met.games == 4
    assert get_study_rules(zeno, "unusable=loses:greedy") == zeno.resolve_rules(
        {"unusable": "loses"}
    )


def test_nothing_is_begun_when_the_time_is_over(tmp_path: Path) -> None:
    over = replace(build_plan(tmp_path, 40), seconds=0)
    assert not list(play_studies([GAMES["doblet"]], over, 1))
    assert [task.name for task in list_missing_tasks([GAMES["doblet"]], over)] == list(
        iter_study_names(GAMES["doblet"], tmp_path)
    )
    assert studied.load_game_studies("doblet", over.kept) == {}


def test_studies_of_another_net_are_begun_anew(tmp_path: Path) -> None:
    save_untrained_net("doblet", tmp_path)
    games = [GAMES["doblet"]]
    list(play_studies(games, build_plan(tmp_path, 40), 1))
    (tmp_path / "doblet.npz").unlink()
    again = {name: kept for _, name, kept in play_studies(games, build_plan(tmp_path, 50), 1)}
    assert again["usual"].by == "greedy"
    assert again["usual"].games == 50
    # Random players are the same without a net; they had four games before.
    assert [run[:2] for run in again["random"].runs] == [(1, 4), (5, 1)]
    assert set(studied.load_game_studies("doblet", tmp_path / "kept")) == set(
        iter_study_names(games[0], tmp_path)
    )


def test_the_same_seed_plays_the_same_games(tmp_path: Path) -> None:
    task = StudyTask("laquet", "random", Bound(20, 60.0), 3)
    assert play_task(task, tmp_path) == play_task(task, tmp_path)


def test_options_that_a_net_does_not_see_are_played_by_greedy(tmp_path: Path) -> None:
    save_untrained_net("zeno", tmp_path)
    bound = Bound(2, 5.0)
    other = play_task(StudyTask("zeno", "goal=off", bound, 1), tmp_path)
    assert isinstance(other, Study)
    assert other.by == "greedy"
    assert {end.how for end in other.ends} <= {"off", BROKEN_OFF}
    met = play_task(StudyTask("zeno", "net:greedy", bound, 1), tmp_path)
    assert isinstance(met, HeadToHead)
    net = load_net(tmp_path / "zeno.npz")
    assert met.by == f"net {hash_weights(net)} (trained on 0 games) against greedy"
    assert (
        hash_weights(replace(net, facts={}))
        == hash_weights(net)
        != hash_weights(replace(net, bias=net.bias + 1))
    )


def test_a_run_says_when_and_by_what_it_was_played(tmp_path: Path) -> None:
    list(play_studies([GAMES["doblet"]], build_plan(tmp_path, 10), 1))
    for study in studied.load_game_studies("doblet", tmp_path / "kept").values():
        for run in study.runs:
            assert date.fromisoformat(run.day) <= date.today()  # noqa: DTZ011 - as it is played
            assert run.commit == describe_commit()
            assert not run.stored


def test_games_played_again_with_their_seeds_give_the_same_rows(tmp_path: Path) -> None:
    save_untrained_net("imperial", tmp_path)
    games = [GAMES["imperial"]]
    for wanted in (20, 30):
        list(play_studies(games, build_plan(tmp_path, wanted), 1))
    plan = build_plan(tmp_path, 0)
    before = studied.load_game_studies("imperial", plan.kept)
    assert len(before["usual"].runs) == 2
    repeated = list(repeat_studies(games, (), plan, 2, renew=False))
    assert {name for _, name, _ in repeated} == before.keys()
    assert all(is_same for _, _, is_same in repeated)
    again = {
        name: play_task(StudyTask("imperial", name, Bound(20, 99.0), 1), tmp_path)
        for name in ("usual", "random")
    }
    once_more = {
        name: play_task(StudyTask("imperial", name, Bound(20, 99.0), 1), tmp_path) for name in again
    }
    for one, other in zip(
        list_tables({"imperial": again}), list_tables({"imperial": once_more}), strict=True
    ):
        assert build_csv(one) == build_csv(other)


def store_doblet(tmp_path: Path) -> tuple[list[Game], StudyPlan]:
    """Play ten games of each of Doblet's studies, and return a plan that adds none."""
    games = [GAMES["doblet"]]
    list(play_studies(games, build_plan(tmp_path, 10), 1))
    return games, build_plan(tmp_path, 0)


def test_counts_that_do_not_come_out_again_are_told_and_renewed_when_asked(tmp_path: Path) -> None:
    games, plan = store_doblet(tmp_path)
    kept = studied.load_game_studies("doblet", plan.kept)
    usual = kept["usual"]
    assert isinstance(usual, Study)
    stale = replace(usual, lengths={99: usual.games}, runs=(Run(*usual.runs[0][:2]),))
    studied.save_game_studies("doblet", {**kept, "usual": stale}, plan.kept)
    assert list(repeat_studies(games, ("usual",), plan, 1, renew=False)) == [
        ("doblet", "usual", False)
    ]
    assert studied.load_game_studies("doblet", plan.kept)["usual"] == stale
    assert not next(repeat_studies(games, ("usual",), plan, 1, renew=True))[2]
    renewed = studied.load_game_studies("doblet", plan.kept)
    assert list(renewed) == list(kept)
    assert studied.has_same_counts(renewed["usual"], usual)
    assert renewed["usual"].runs[0].commit == describe_commit()
    assert not renewed["usual"].runs[0].repeated


@pytest.mark.parametrize("commit", ["0123456789ab", "0123456789ab-dirty"])
def test_the_commit_that_repeats_a_study_is_noted_unless_files_have_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, commit: str
) -> None:
    games, plan = store_doblet(tmp_path)
    before = studied.load_game_studies("doblet", plan.kept)
    # The checkout of those who test may be changed or not.
    monkeypatch.setattr(training_studies, "describe_commit", lambda: commit)
    assert all(same for *_, same in repeat_studies(games, ("usual",), plan, 1, renew=False))
    after = studied.load_game_studies("doblet", plan.kept)
    noted = "" if "dirty" in commit else commit
    (run,) = after["usual"].runs
    assert run == before["usual"].runs[0]._replace(repeated=noted)
    assert {**after, "usual": None} == {**before, "usual": None}
    (table,) = (each for each in list_tables({"doblet": after}) if each.name == "study-runs")
    assert {row[-1] for row in table.list_rows() if row[1] == "usual"} == {noted or None}


def test_a_commit_that_nobody_knows_takes_the_place_of_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games, plan = store_doblet(tmp_path)
    # The second is as in a checkout's archive.
    for commit in ("0123456789ab", ""):
        monkeypatch.setattr(training_studies, "describe_commit", lambda name=commit: name)
        assert all(same for *_, same in repeat_studies(games, ("usual",), plan, 1, renew=False))
        (run,) = studied.load_game_studies("doblet", plan.kept)["usual"].runs
        assert run.repeated == "0123456789ab"


def test_nobody_knows_the_commit_without_git(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    assert describe_commit() == ""


def test_what_another_run_stores_meanwhile_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games, plan = store_doblet(tmp_path)
    commits = iter(("0123456789ab", "ba9876543210"))
    monkeypatch.setattr(training_studies, "describe_commit", lambda: next(commits))
    repeated = repeat_studies(games, ("usual", "random", "dice=majoret"), plan, 1, renew=False)
    assert next(repeated) == ("doblet", "usual", True)
    # In other windows: one repeats another study, then one adds games.
    name = "moving=own-table"
    assert list(repeat_studies(games, (name,), plan, 1, renew=False)) == [("doblet", name, True)]
    assert next(repeated) == ("doblet", "random", True)
    monkeypatch.setattr(training_studies, "describe_commit", lambda: "c0ffee")
    list(play_studies(games, build_plan(tmp_path, 20), 1))
    assert list(repeated) == [("doblet", "dice=majoret", True)]
    after = studied.load_game_studies("doblet", plan.kept)
    noted = {each: study.runs[0].repeated for each, study in after.items()}
    assert {each: commit for each, commit in noted.items() if commit} == {
        "usual": "0123456789ab",
        "random": "0123456789ab",
        name: "ba9876543210",
    }
    assert {study.runs[1].commit for study in after.values()} == {"c0ffee"}


def test_two_runs_do_not_count_the_same_dice_twice(tmp_path: Path) -> None:
    games = [GAMES["doblet"]]
    plan = build_plan(tmp_path, 10)
    runs = [play_studies(games, plan, 1) for _ in range(2)]
    # Both have begun, and neither knows what the other plays from here on.
    for run in runs:
        next(run)
    for run in reversed(runs):
        list(run)
    for name, study in studied.load_game_studies("doblet", plan.kept).items():
        assert (name, len(study.runs)) == (name, 1)
    assert not list_missing_tasks(games, plan)


def test_a_seed_that_comes_upon_one_of_before_is_passed_over(tmp_path: Path) -> None:
    games = [GAMES["doblet"]]
    list(play_studies(games, replace(build_plan(tmp_path, 10), seed=11), 1))
    plan = replace(build_plan(tmp_path, 20), seed=1)
    (usual,) = (task for task in list_missing_tasks(games, plan) if task.name == "usual")
    assert usual.seed == 12


@pytest.mark.parametrize("slug", ["zeno", "fallas", "imperial"])
def test_what_is_stored_of_greedy_comes_out_again(slug: str) -> None:
    # Greedy's name says nothing of how it evaluates, so nothing else would find it changed.
    kept = studied.load_game_studies(slug)["greedy"]
    again = [
        play_task(StudyTask(slug, "greedy", Bound(run.games, 999.0), run.seed), WEIGHTS)
        for run in kept.runs
    ]
    assert studied.has_same_counts(reduce(studied.merge_studies, again), kept)
