"""Who won a finished match: on sides that were swapped or kept, and what a win counts."""

from dataclasses import fields, replace
from typing import Any

import pytest

from bot.features.history.export import format_instant, neutralise_cell
from bot.features.history.past_matches import PastMatch, PastResult, count_points
from bot.features.matches.rows import MatchRow, Seat
from engine.ending import find_outcome, score_outcome
from engine.position import Side
from tests.engine.build import build_position

ANA, BEN, CYN, DAN = 11, 12, 13, 14


def build_row(game: str, **options: Any) -> MatchRow:
    """A finished match of Ana, who sat down as gold, and Ben."""
    usual: dict[str, Any] = {field.name: None for field in fields(MatchRow)}
    usual |= {"id": 1, "game": game, "edition": 1, "options": {}, "parts": {}, "former": ()}
    usual |= {"seats": (Seat("gold", 0, ANA, ""), Seat("black", 0, BEN, "")), "version": 99}
    return MatchRow(**usual | options)


@pytest.mark.parametrize(
    ("winner", "how", "gold", "black"),
    [
        ("gold", "off", PastResult.WON, PastResult.LOST),
        ("black", "resigned", PastResult.LOST, PastResult.WON),
        ("draw", "agreed", PastResult.DRAWN, PastResult.DRAWN),
        ("draw", "deadline", PastResult.DRAWN, PastResult.DRAWN),
        ("gold", "forfeited", PastResult.WON_BY_FORFEIT, PastResult.FORFEITED),
        ("draw", "forfeited", PastResult.FORFEITED, PastResult.FORFEITED),
        ("draw", "annulled", PastResult.VOID, PastResult.VOID),
        ("draw", "abandoned", PastResult.VOID, PastResult.VOID),
        ("draw", "aborted", PastResult.VOID, PastResult.VOID),
    ],
)
def test_each_side_has_its_result(
    winner: str, how: str, gold: PastResult, black: PastResult
) -> None:
    match = PastMatch(build_row("zeno", winner=winner, how=how))
    assert match.find_result(Side.GOLD) is gold
    assert match.find_result(Side.BLACK) is black


def test_teams_swap_sides_as_a_whole_and_keep_the_order_of_their_turns() -> None:
    seats = (
        Seat("gold", 1, BEN, ""),
        Seat("gold", 0, ANA, ""),
        Seat("black", 0, CYN, ""),
        Seat("black", 1, DAN, ""),
    )
    row = build_row("baralie", seats=seats)
    assert PastMatch(row).list_players(Side.GOLD) == (ANA, BEN)
    swapped = PastMatch(replace(row, swapped=True))
    assert swapped.list_players(Side.GOLD) == (CYN, DAN)
    assert swapped.find_side(BEN) is Side.BLACK
    assert swapped.find_side(99) is None


@pytest.mark.parametrize(
    ("game", "position", "points"),
    [
        # A man borne off: a single game; none: a gammon; one behind in gold's home: a backgammon.
        ("backgammon", "off15 a14,off1 black -", 1),
        ("backgammon", "off15 m15 black -", 2),
        ("backgammon", "off15 z1,m14 black -", 3),
        # Each man that is left is a slap.
        ("paume-carie-one", "off15 a4,off11 black -", 4),
        ("todas-tablas", "off15 a4,off11 black -", 1),
    ],
)
def test_a_win_counts_what_the_rules_say(game: str, position: str, points: int) -> None:
    rules, there = build_position(position, game)
    outcome = find_outcome(rules, there)
    assert outcome is not None
    scored = score_outcome(rules, there, outcome)
    # Through JSON, as the row has it.
    assert count_points(scored.how, dict(scored.parts)) == points == scored.points


def test_a_jan_counts_twice() -> None:
    # Verquere: "a double game" (Cotton), as engine/games/verquere.py has it.
    assert count_points("jan", {"side": "gold"}) == 2


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("Ana", "Ana"),
        ("", ""),
        ("a=b", "a=b"),
        ("x-y", "x-y"),
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@SUM(1)", "'@SUM(1)"),
        ("  =1", "  '=1"),
        ("\uff1d1", "'\uff1d1"),
        ("Ana; =1", "Ana; '=1"),
        ("Ana,-1", "Ana,'-1"),
        ("Ana|@x", "Ana|'@x"),
    ],
)
def test_no_cell_is_a_formula(typed: str, written: str) -> None:
    assert neutralise_cell(typed) == written


def test_instants_are_in_utc() -> None:
    assert format_instant(0) == "1970-01-01T00:00:00.000Z"
    # 2026-03-02 at midnight UTC is 1,772,409,600 seconds after that.
    assert format_instant(1_772_409_600_000 + 9 * 3_600_000 + 5) == "2026-03-02T09:00:00.005Z"
