"""Tables that are looked into where they lie: where positions stand, and what a file may lack."""

import logging
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from engine.events import Thrown
from engine.match import Match, apply_unchecked
from engine.players.batch_evaluation import evaluate_by_net
from engine.players.boards import Men
from engine.players.decide import decide_event
from engine.players.evaluation_rows import EXACT, POINTS, WIN
from engine.players.exact import check_table, forget_tables, get_table, is_solved
from engine.players.files import STEPS, TABLES, DamagedTableError
from engine.players.large_tables import (
    ROW,
    LargeTable,
    create_large_table,
    find_places,
    number_states,
    round_rows,
)
from engine.players.level import Level
from engine.players.prospects import evaluate_decisions, evaluate_match, event_at
from engine.position import Side
from engine.rules import Rules
from tests.engine.build import build_match, build_position, make_rules

PALM = "paume-carie-one"
CHOICE = "c7,e2,bar1,off5 a3,b1,d2,f2,hand7 gold -"


def place_men(rules: Rules, points: tuple[int, ...], waiting: int) -> bytes:
    """Return a side's men: on the six points, waiting, and borne off."""
    men = bytearray(rules.board.no_men)
    for place, count in zip(rules.course(Side.GOLD), points, strict=True):
        men[place] = count
    men[rules.board.hand] = waiting
    men[rules.board.off] = rules.men - sum(men)
    return bytes(men)


def list_states(rules: Rules) -> Iterator[tuple[bytes, bytes]]:
    """Yield every way to place both sides' men, counted out without the numbering."""
    held = range(-rules.men, rules.men + 1)
    for contents in product(held, repeat=6):
        mine = tuple(max(content, 0) for content in contents)
        theirs = tuple(max(-content, 0) for content in contents)
        if max(sum(mine), sum(theirs)) <= rules.men:
            for waiting in range(rules.men - sum(mine) + 1):
                for waiting_other in range(rules.men - sum(theirs) + 1):
                    yield place_men(rules, mine, waiting), place_men(rules, theirs, waiting_other)


def stack_men(sides: list[bytes]) -> Men:
    """Set one side's men of many positions side by side."""
    return np.array([list(men) for men in sides], np.uint8)


@pytest.mark.parametrize("men", [1, 2])
def test_every_state_has_a_place_of_its_own(men: int) -> None:
    rules = replace(make_rules(PALM), men=men)
    mine, theirs = zip(*list_states(rules), strict=True)
    places = find_places(rules, stack_men([*mine]), stack_men([*theirs]))
    assert sorted(places) == list(range(number_states(men).size))


def test_a_man_who_was_hit_waits_like_one_in_hand() -> None:
    rules = make_rules(PALM)
    hand, bar = (build_position(f"a12,{place}3 c15 gold -", PALM)[1] for place in ("hand", "bar"))
    places = [
        find_places(rules, stack_men([each.gold]), stack_men([each.black])) for each in (hand, bar)
    ]
    assert places[0] == places[1]


def fill_table(folder: Path, match: Match, points: list[float]) -> None:
    """Write a table that knows nothing but what the plays of a throw are worth to its side."""
    rules = match.rules
    path = folder / f"{PALM}.npy"
    rows = create_large_table(path, rules.men)
    for end, worth in zip(match.plays.ends, points, strict=True):
        # The other side throws next, and sees itself first.
        sides = (stack_men([men]) for men in (end.black, end.gold))
        worths = np.array([-worth])
        rows[find_places(rules, *sides)] = round_rows((1 + worths / 30) / 2, worths, rules.men)
    rows.flush()


def test_a_table_of_the_users_own_decides_and_is_exact(tables: Path) -> None:
    match = apply_unchecked(build_match(CHOICE, PALM), Thrown((5, 3)))
    assert not is_solved(match.rules)
    assert len(match.plays) == 2
    # Whichever play the table prefers is made, so nothing else judges them.
    for best in (0, 1):
        fill_table(tables, match, [2.5 if at == best else -1.25 for at in range(2)])
        forget_tables()
        assert is_solved(match.rules)
        rows = evaluate_decisions(match)
        assert rows[:, EXACT].all()
        assert rows[best, POINTS] == pytest.approx(2.5, abs=15 / STEPS)
        assert rows[best, WIN] == pytest.approx((1 + 2.5 / 30) / 2, abs=1 / STEPS)
        assert decide_event(match, Level.MASTER, 1) == event_at(match, best)
        assert evaluate_match(match, Side.GOLD).exact
    assert not is_solved(make_rules(PALM, unusable="lost", bearing="farthest"))
    assert not is_solved(make_rules(PALM, doubles="plain"))


def test_a_damaged_table_gives_way_to_the_net_and_is_named_once(
    tables: Path, caplog: pytest.LogCaptureFixture
) -> None:
    match = build_match(CHOICE, PALM)
    path = tables / f"{PALM}.npy"
    np.save(path, np.zeros(100, ROW))
    with caplog.at_level(logging.WARNING):
        seen = [evaluate_match(match, Side.GOLD) for _ in range(3)]
    assert seen[0] == evaluate_match(match, Side.GOLD, evaluate_by_net)
    assert not seen[0].exact
    assert caplog.messages == [
        f"{path.name} is damaged: it is no table of that game: its game is judged by a net"
    ]


def test_what_is_no_table_is_told(tmp_path: Path) -> None:
    # One that comes with the program is read whole.
    check_table(TABLES / "doblet.npz")
    path = tmp_path / f"{PALM}.npy"
    for data in (b"no table", b""):
        path.write_bytes(data)
        with pytest.raises(DamagedTableError, match=rf"{PALM}\.npy is damaged: "):
            check_table(path)
    create_large_table(path, make_rules(PALM).men)
    check_table(path)
    # A wrong byte in the header, which numpy reads as Python.
    with path.open("rb") as file:
        header = file.read(128)
    for wrong in (header.replace(b"<u2", b",u2"), header.replace(b"points'", b"points_")):
        with path.open("r+b") as file:
            file.write(wrong)
        with pytest.raises(DamagedTableError, match=rf"{PALM}\.npy is damaged: "):
            check_table(path)
    with path.open("r+b") as file:
        file.write(header)
    check_table(path)
    # Half of it isn't there.
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size // 2)
    with pytest.raises(DamagedTableError, match=rf"{PALM}\.npy is damaged: "):
        check_table(path)
    for name in ("zeno", "nogame", f"{PALM}.bearing=farthest", f"{PALM}.part"):
        other = tmp_path / f"{name}.npy"
        np.save(other, np.zeros(1, ROW))
        with pytest.raises(DamagedTableError, match="no game has such a table"):
            check_table(other)


def test_values_are_rounded_to_the_nearest_step() -> None:
    rules = replace(make_rules(PALM), men=1)
    size = number_states(1).size
    chance = np.random.default_rng(1)
    wins, points = chance.random(size), chance.uniform(-1, 1, size)
    table = LargeTable(rules, round_rows(wins, points, 1))
    mine, theirs = zip(*list_states(rules), strict=True)
    sides = stack_men([*mine]), stack_men([*theirs])
    rows = table.evaluate(Side.GOLD, *sides)
    at = find_places(rules, *sides)
    assert np.abs(rows[:, WIN] - wins[at]).max() <= 0.5001 / STEPS
    assert np.abs(rows[:, POINTS] - points[at]).max() <= 1.0001 / STEPS
    assert get_table(make_rules(PALM)) is None
