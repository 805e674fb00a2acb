"""Solved games: who knows them, that their values hold, and what a table may lack."""

import io
import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from engine.events import Left, Passed, Played, Thrown
from engine.games import EDITIONS, GAMES
from engine.match import DECISION_PHASES, Match, Phase, apply_unchecked, new_match
from engine.players import exact
from engine.players.analysis import analyse_steps
from engine.players.batch_evaluation import evaluate_by_net, evaluate_positions
from engine.players.boards import stack_positions
from engine.players.chances import list_throws
from engine.players.decide import decide_event, rank_decisions
from engine.players.evaluation import Evaluation
from engine.players.evaluation_rows import EXACT
from engine.players.exact import (
    ExactTable,
    TableFile,
    check_table,
    forget_tables,
    get_ending_table,
    get_table,
    is_solved,
    load_table,
    round_chances,
    save_table,
)
from engine.players.files import (
    SHIPPED_ENDINGS,
    SHIPPED_TABLES,
    STEPS,
    TABLES,
    WEIGHTS,
    DamagedTableError,
    use_folder,
)
from engine.players.level import Level
from engine.players.one_ply import evaluate_one_ply
from engine.players.prospects import (
    average_evaluations,
    evaluate_match,
    evaluate_matches,
    find_best,
    list_prospects,
)
from engine.playout import choose_event
from engine.position import Position, Side
from tests.engine.build import build_match, make_rules
from tests.engine.players.drive import play_match

GOLD, BLACK = Side.GOLD, Side.BLACK
READINGS = [
    (slug, dict(option.split("=") for option in options))
    for slug, *options in (name.removesuffix(".npz").split(".") for name in SHIPPED_TABLES)
]
MAX_BYTES = 3_000_000
"""What all tables of the package may take."""
FOUND = 2 / STEPS
"""Values are rounded to steps of chance, which are two of points."""


def iterate_moments(slug: str, options: dict[str, str], seed: int) -> Iterator[Match]:
    """The match before each event of a random game."""
    chance = Random(seed)
    match = new_match(GAMES[slug], options)
    while match.phase is not Phase.OVER:
        yield match
        match = apply_unchecked(match, choose_event(match, chance))


def test_only_what_is_solved_and_at_hand_has_a_table() -> None:
    shipped = {path.name: path.stat().st_size for path in TABLES.iterdir()}
    assert shipped.keys() == {*SHIPPED_TABLES, *SHIPPED_ENDINGS}
    assert sum(shipped.values()) < MAX_BYTES
    assert all(is_solved(make_rules(slug, **options)) for slug, options in READINGS)
    assert not is_solved(make_rules("doblet", unusable="lost"))
    assert not is_solved(make_rules("zeno"))
    assert not is_solved(EDITIONS["tabula", 1].rules)


def test_a_table_is_read_once() -> None:
    # On another table the points have other letters, and the values are the same.
    here, there = (get_table(make_rules("twelve-dogs", table=name)) for name in ("af", "tz"))
    assert isinstance(here, ExactTable)
    assert isinstance(there, ExactTable)
    assert here is not there
    assert here.file is there.file
    assert get_table(make_rules("twelve-dogs")) is here


@pytest.mark.parametrize(("slug", "options"), READINGS)
def test_a_throw_on_average_is_worth_what_its_best_plays_are(
    slug: str, options: dict[str, str]
) -> None:
    seen = 0
    for match in iterate_moments(slug, options, 1):
        found = evaluate_match(match, match.turn)
        assert found.exact
        if match.phase is Phase.THROW and (seen := seen + 1) % 4 == 1:
            every = list_throws(match.rules.dice)
            after = [apply_unchecked(match, Thrown(thrown)) for thrown, _ in every]
            mean = average_evaluations(
                zip(evaluate_matches(after, match.turn), (count for _, count in every), strict=True)
            )
            assert mean.exact
            assert (mean.win, mean.points) == pytest.approx((found.win, found.points), abs=FOUND)
            assert evaluate_one_ply(match, match.turn) == found
    assert seen


def test_chances_are_half_a_step_off_at_most() -> None:
    chances = np.linspace(0, 1, 1001)
    assert abs(round_chances(chances) / STEPS - chances).max() <= 0.5 / STEPS


def test_a_man_each_on_the_first_point() -> None:
    # One of three dice has to show a 1, and no other number is of use to anybody.
    once = 1 - (5 / 6) ** 3
    win = once / (1 - (1 - once) ** 2)
    for side in Side:
        match = build_match(f"a1,off11 z1,off11 {side} -", "doblet")
        seen = evaluate_match(match, side)
        assert seen.exact
        assert (seen.win, seen.points) == pytest.approx((win, 2 * win - 1), abs=FOUND)


def test_the_sides_see_the_same() -> None:
    gold = build_match("a2,b2,c2,d1,e2,f2,hand1 z2,y2,x2,u2,t1,off3 gold -", "doblet")
    black = build_match("a2,b2,c2,e2,f1,off3 z2,y2,x2,w1,u2,t2,hand1 black -", "doblet")
    assert evaluate_match(gold, GOLD) == evaluate_match(black, BLACK)


def test_a_draw_is_half_a_win_and_no_points() -> None:
    won, lost = 0.342662, 0.211671
    seen = evaluate_match(build_match("hand12 hand12 gold -", "twelve-dogs"), GOLD)
    assert seen.exact
    assert seen.points == pytest.approx(won - lost, abs=FOUND)
    assert seen.win == pytest.approx(won + (1 - won - lost) / 2, abs=FOUND)
    other = seen.opposite
    assert other.exact
    assert other.win == pytest.approx(lost + (1 - won - lost) / 2, abs=FOUND)


def test_a_master_leaves_what_is_better_left_and_the_others_are_as_they_were() -> None:
    # A 5 would take the man to the first point, from which only a 1 leads off.
    before = build_match("d1,off11 t1,off11 gold -", "doblet", moving="own-table")
    match = before.apply(Thrown((5, 5, 5))).apply(Passed())
    assert match.phase is Phase.OFFER
    assert decide_event(match, Level.MASTER, 1) == Left()
    left, used = rank_decisions(match)
    assert left.evaluation.exact
    assert used.evaluation.exact
    assert (left.evaluation.win, used.evaluation.win) == pytest.approx((0.7883, 0.4777), abs=1e-4)
    for level in (Level.COMPANION, Level.BEGINNER):
        own = decide_event(match, level, 1)
        assert own == find_best(match, evaluate_by_net).event
    estimates = list_prospects(match, evaluate_by_net)
    assert not any(each.evaluation.exact for each in estimates)


def test_a_master_loses_nothing_in_a_solved_game() -> None:
    options = {"moving": "own-table"}
    lost = dict.fromkeys((Level.MASTER, Level.BEGINNER), 0.0)
    for seed, side in enumerate(Side):
        levels = {side: Level.MASTER, side.other: Level.BEGINNER}
        events, _ = play_match("doblet", options, seed, levels)
        for step in analyse_steps(GAMES["doblet"], options, events):
            assert step.exact
            lost[levels[step.side]] += step.error
    assert lost[Level.MASTER] == 0
    assert lost[Level.BEGINNER] > 0


def test_what_luck_and_errors_leave_unexplained_is_rounding() -> None:
    levels = {GOLD: Level.COMPANION, BLACK: Level.COMPANION}
    events, end = play_match("doblet", {"moving": "own-table"}, 3, levels)
    steps = list(analyse_steps(GAMES["doblet"], {"moving": "own-table"}, events))
    first = steps[0]
    sign = {GOLD: 1, BLACK: -1}
    before = first.evaluation.points - sign[first.side] * (first.luck - first.error)
    moved = sum(sign[step.side] * (step.luck - step.error) for step in steps)
    assert end.outcome
    assert end.outcome.winner
    assert before + moved == pytest.approx(sign[end.outcome.winner], abs=len(steps) * FOUND)


def test_a_position_that_the_table_does_not_have_is_estimated() -> None:
    rules = make_rules("doblet")
    start = rules.start_position
    elsewhere = start._replace(gold=start.black, black=start.gold)
    boards = stack_positions(rules, [elsewhere, start])
    rows = evaluate_positions(rules, boards, GOLD)
    assert rows[:, EXACT].tolist() == [0, 1]
    estimates = evaluate_by_net(rules, boards, GOLD)
    assert rows[0].tolist() == estimates[0].tolist()
    assert rows[1].tolist() != estimates[1].tolist()


def test_what_is_estimated_stays_so_among_what_is_known() -> None:
    assert average_evaluations([(Evaluation(1, 1, exact=True), 1)]).exact
    some = [(Evaluation(1, 1, exact=True), 1), (Evaluation(0.5, 0), 1)]
    assert not average_evaluations(some).exact
    assert not evaluate_match(build_match("a15 z15 gold -", "zeno"), GOLD).exact


def test_a_table_of_the_users_own_is_found(tables: Path) -> None:
    rules = make_rules("doblet", unusable="lost")
    assert not is_solved(rules)
    usual = load_table(TABLES / "doblet.npz")
    save_table(usual, tables / "doblet.unusable=lost.npz")
    forget_tables()
    assert is_solved(rules)


def test_a_damaged_table_gives_way_to_the_net_and_is_named_once(
    tables: Path, caplog: pytest.LogCaptureFixture
) -> None:
    data = bytearray((TABLES / "doblet.npz").read_bytes())
    # One wrong byte in the middle of the values.
    data[len(data) // 2] ^= 1
    (tables / "doblet.npz").write_bytes(data)
    match = build_match("a1,off11 z1,off11 gold -", "doblet")
    with caplog.at_level(logging.WARNING):
        seen = [evaluate_match(match, GOLD) for _ in range(3)]
    assert not seen[0].exact
    assert seen[0] == evaluate_match(match, GOLD, evaluate_by_net)
    (line,) = caplog.messages
    assert line.startswith("doblet.npz is damaged: ")
    assert line.endswith(": its game is judged by a net")


def test_a_missing_table_gives_way_to_the_net_and_is_named_once(
    tables: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exact, "TABLES", tables)
    with caplog.at_level(logging.WARNING):
        assert not any(is_solved(make_rules("doblet", moving=name)) for name in ("none", "none"))
        # What does not come with the program is missing nowhere.
        assert not is_solved(make_rules("zeno"))
    assert caplog.messages == ["doblet.npz is missing: its game is judged by a net"]


def test_what_is_damaged_is_named(tmp_path: Path) -> None:
    path = tmp_path / "doblet.npz"
    states = np.zeros((2, 3), np.uint8)
    values = np.zeros(3, np.uint16)
    save_table(TableFile("pairs", states, values, values), path)
    with pytest.raises(DamagedTableError, match=r"doblet\.npz is damaged: its parts"):
        load_table(path)
    values = np.zeros(4, np.uint16)
    save_table(TableFile("pairs", states, values, values), path)
    assert len(load_table(path).wins) == 4
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(DamagedTableError, match=r"doblet\.npz is damaged"):
        load_table(path)


def corrupt_zip_version(data: bytes) -> bytes:
    """One wrong byte in the archive's list of files: a version that no program can read."""
    at = data.rindex(b"PK\x01\x02") + len(b"PK\x01\x02") + len(b"by")
    return data[:at] + b"\xff" + data[at + 1 :]


def pack_arrays(**changed: npt.NDArray[Any]) -> bytes:
    """Doblet's table with other arrays."""
    with np.load(TABLES / "doblet.npz") as kept:
        arrays = {**{name: kept[name] for name in kept.files}, **changed}
    packed = io.BytesIO()
    np.savez_compressed(packed, allow_pickle=False, **arrays)
    return packed.getvalue()


def pack_single_array() -> bytes:
    """Return what `np.save` writes, which is no archive."""
    packed = io.BytesIO()
    np.save(packed, np.zeros(3))
    return packed.getvalue()


DAMAGED: Mapping[str, Callable[[], bytes]] = {
    "version": lambda: corrupt_zip_version((TABLES / "doblet.npz").read_bytes()),
    "array": pack_single_array,
    "net": lambda: (WEIGHTS / "doblet.npz").read_bytes(),
    "scalar": lambda: pack_arrays(states=np.array(1, np.uint8)),
    "row": lambda: pack_arrays(states=np.zeros(792, np.uint8)),
    "floats": lambda: pack_arrays(wins=np.zeros(792**2)),
    "words": lambda: pack_arrays(wins=np.full(792**2, "1")),
    "index": lambda: pack_arrays(index=np.array("homes")),
    "another": lambda: (TABLES / "twelve-dogs.npz").read_bytes(),
    "ending": lambda: (TABLES / "bear-off.two-dice.npz").read_bytes(),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_no_file_under_a_tables_name_stops_the_player(
    name: str, tables: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tables / "doblet.npz").write_bytes(DAMAGED[name]())
    match = build_match("a1,off11 z1,off11 gold -", "doblet")
    with caplog.at_level(logging.WARNING):
        assert not evaluate_match(match, GOLD).exact
    assert len(caplog.messages) == 1
    assert caplog.messages[0].startswith("doblet.npz is damaged: ")
    with pytest.raises(DamagedTableError, match=r"doblet\.npz is damaged: "):
        check_table(tables / "doblet.npz")


def test_a_table_of_no_game_is_told(tmp_path: Path) -> None:
    for name in (*SHIPPED_TABLES, *SHIPPED_ENDINGS):
        check_table(TABLES / name)
    # The options in another order, a game that isn't one, and what only a large table could be.
    for name in ("doblet.unusable=lost.moving=own-table", "nogame", "paume-carie-one"):
        path = tmp_path / f"{name}.npz"
        path.write_bytes((TABLES / "doblet.npz").read_bytes())
        with pytest.raises(DamagedTableError, match="no game has such a table"):
            check_table(path)


def test_an_ending_that_lacks_positions_knows_the_others(tables: Path) -> None:
    whole = load_table(TABLES / SHIPPED_ENDINGS[0])
    few = np.array([(1, 0, 0, 0, 0, 0), (2, 0, 0, 0, 0, 0)], np.uint8)
    values = np.full(len(few) ** 2, STEPS, np.uint16)
    save_table(TableFile(whole.index, few, values, STEPS - values), tables / SHIPPED_ENDINGS[0])
    known, unknown = (
        place_last_men("backgammon", counts, (2, 0, 0, 0, 0, 0))
        for counts in ((1, 0, 0, 0, 0, 0), (0, 1, 0, 0, 0, 0))
    )
    assert evaluate_match(known, GOLD).exact
    assert not evaluate_match(unknown, GOLD).exact


def test_a_folder_that_cannot_be_looked_into_is_named_once(
    tables: Path, caplog: pytest.LogCaptureFixture
) -> None:
    # Like one without permission, which nothing keeps an administrator from entering.
    use_folder(tables / ("x" * 300))
    forget_tables()
    with caplog.at_level(logging.WARNING):
        assert is_solved(make_rules("doblet"))
        assert not any(is_solved(make_rules(slug)) for slug in ("zeno", "paume-carie-one"))
    (line,) = caplog.messages
    assert line.startswith(f"the tables in {tables / ('x' * 300)} can't be used: ")


def test_every_decision_of_a_solved_game_is_ranked_by_its_exact_value() -> None:
    for match in iterate_moments("doblet", {"moving": "own-table"}, 5):
        if match.phase in DECISION_PHASES and len(every := list_prospects(match)) > 1:
            assert all(each.evaluation.exact for each in every)
            best = max(each.evaluation.points for each in every)
            done = decide_event(match, Level.MASTER, 1)
            (own,) = (each for each in every if each.event == done)
            assert own.evaluation.points == best
            assert isinstance(done, Played | Left)


ENDING_GAMES = [slug for slug, game in GAMES.items() if get_ending_table(game.rules)]


def place_last_men(slug: str, counts: tuple[int, ...], others: tuple[int, ...]) -> Match:
    """A match in which both sides bear off their last men: so many on each point of their homes."""
    rules = GAMES[slug].rules
    sides = []
    for side, men in ((GOLD, counts), (BLACK, others)):
        placed = bytearray(rules.board.no_men)
        for point, count in zip(reversed(rules.home(side)), men, strict=True):
            placed[point] = count
        placed[rules.board.off] = rules.men - sum(men)
        sides.append(bytes(placed))
    position = Position(sides[0], sides[1], GOLD)
    return Match(game=GAMES[slug], options={}, rules=rules, position=position, phase=Phase.THROW)


def test_the_last_throws_are_known_of_games_that_bear_off_plainly() -> None:
    assert {"backgammon", "irish", "todas-tablas", "quinze-tablas"} <= set(ENDING_GAMES)
    # Other numbers at the edge, figures, teams, hands left over, or homes that both sides share.
    assert not {"paume-carie-two", "pyf", "tabula", "verquere", "baralie"} & set(ENDING_GAMES)
    assert not any(is_solved(GAMES[slug].rules) for slug in ENDING_GAMES)


@pytest.mark.parametrize("slug", ENDING_GAMES)
def test_the_last_throws_are_exact_and_no_others(slug: str) -> None:
    match = place_last_men(slug, (0, 1, 0, 1, 0, 1), (1, 0, 0, 2, 0, 1))
    found = evaluate_match(match, GOLD)
    assert found.exact
    every = list_throws(match.rules.dice)
    after = [apply_unchecked(match, Thrown(thrown)) for thrown, _ in every]
    mean = average_evaluations(
        zip(evaluate_matches(after, GOLD), (count for _, count in every), strict=True)
    )
    assert mean.exact
    assert (mean.win, mean.points) == pytest.approx((found.win, found.points), abs=FOUND)
    assert evaluate_one_ply(match, GOLD) == found
    # One man more than the table has, and a man who isn't home yet.
    assert not evaluate_match(place_last_men(slug, (6, 0, 0, 0, 0, 0), (1,) * 5 + (0,)), GOLD).exact
    abroad = bytearray(match.position.gold)
    abroad[next(point for point in match.rules.course(GOLD))] += 1
    abroad[match.rules.board.off] -= 1
    position = match.position._replace(gold=bytes(abroad))
    assert not evaluate_match(replace(match, position=position), GOLD).exact


def test_the_master_bears_off_by_the_table() -> None:
    # With 2-1 a man on 1 goes off, and one on 5 moves to 3: worth more than any other play.
    match = place_last_men("backgammon", (1, 0, 0, 0, 2, 0), (2, 0, 0, 0, 0, 0))
    played = apply_unchecked(match, Thrown((2, 1)))
    best, second = rank_decisions(played)[:2]
    assert best.evaluation.exact
    assert second.evaluation.exact
    assert best.evaluation.win >= second.evaluation.win
    assert decide_event(played, Level.MASTER, 1) == best.event


def test_a_throw_is_exact_only_where_no_play_is_estimated() -> None:
    # With 2-1 of six men one goes off or none does; the table has up to five.
    match = place_last_men("backgammon", (1, 1, 1, 1, 1, 1), (2, 1, 1, 0, 0, 1))
    mixed = apply_unchecked(match, Thrown((2, 1)))
    best = find_best(mixed)
    plays = list_prospects(mixed)
    assert {each.evaluation.exact for each in plays} == {True, False}
    assert next(each for each in plays if each.event == best.event).evaluation.exact
    assert not best.evaluation.exact
    assert not evaluate_match(mixed, BLACK).exact
    assert not evaluate_matches([mixed], GOLD)[0].exact
    # With 6-5 two go off, whatever is played; and who bears off the last men has won.
    assert find_best(apply_unchecked(match, Thrown((6, 5)))).evaluation.exact
    last = place_last_men("backgammon", (2, 0, 0, 0, 0, 0), (6, 0, 0, 0, 0, 0))
    assert find_best(apply_unchecked(last, Thrown((2, 1)))).evaluation.exact


def test_without_its_table_bearing_off_is_judged_by_the_net(
    tables: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tables / SHIPPED_ENDINGS[0]).write_bytes(b"no table")
    match = place_last_men("backgammon", (2, 0, 0, 0, 0, 0), (2, 0, 0, 0, 0, 0))
    with caplog.at_level(logging.WARNING):
        assert not evaluate_match(match, GOLD).exact
        assert not evaluate_match(match, GOLD).exact
    assert len(caplog.records) == 1
