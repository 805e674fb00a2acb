"""A game's own ban on moves, and what a rule that declares nothing does to the search."""

from dataclasses import dataclass, replace

import pytest

from engine.explain import build_refusal
from engine.games import GAMES
from engine.move import Move
from engine.notation import format_play, parse_play
from engine.players.special import list_open_points
from engine.plays import list_legal_plays
from engine.position import Position, Side
from engine.position_text import parse_position
from engine.refusal import Reason, Refusal
from engine.rules import NARROWS, ORDERS, WIDENS, Ban, Remark, Rules
from engine.search.bitboards import build_bitboards
from engine.search.moves import can_enter, is_stuck
from tests.engine.build import explain_in_english

WORDS = {"runner": "first bring one man past {point}"}
"""What a game says of its ban."""


def keep_runner(rules: Rules, position: Position, move: Move) -> Remark | None:
    """Let nobody but one man move until he is past the middle of the course."""
    course = rules.course(position.turn)
    men = position.men(position.turn)
    if any(men[point] for point in course[12:]) or men[rules.board.off]:
        return None
    start = max((point for point in course if men[point]), key=course.index, default=None)
    away = [point for point in course[1:] if men[point]]
    if move.source >= rules.board.size or not away or move.source == start:
        return None
    return "runner", {"point": rules.board.place_names[course[11]]}


def keep_off(rules: Rules, _: Position, move: Move) -> Remark | None:
    """Let nobody leave the board or enter it by a six."""
    beside = move.target == rules.board.off or move.source in rules.board.bars
    return ("runner", {"point": "m"}) if beside and move.number == 6 else None


@pytest.fixture
def runner(monkeypatch: pytest.MonkeyPatch) -> Rules:
    """The rules of backgammon with a ban, for which the game has words."""
    game = replace(GAMES["backgammon"], words={**GAMES["backgammon"].words, **WORDS})
    monkeypatch.setattr("bot.platform.i18n.refusals.GAMES", {"backgammon": game})
    return replace(game.rules, ban=Ban("backgammon", keep_runner))


def list_texts(rules: Rules, text: str) -> list[str]:
    """The plays in a position as they are printed."""
    position = parse_position(text, rules)
    return [format_play(play.moves, rules, position) for play in list_legal_plays(rules, position)]


def test_only_the_runner_goes_on_until_he_is_past_the_middle(runner: Rules) -> None:
    assert list_texts(runner, "a14,d1 z15 gold 6-5") == ["d-k-p"]
    # Once he is, the others may move with what is left of the throw.
    assert "l-r a-f" in list_texts(runner, "a14,l1 z15 gold 6-5")


def test_a_banned_move_is_refused_in_the_game_s_own_words(runner: Rules) -> None:
    position = parse_position("a14,d1 z15 gold 6-5", runner)
    with pytest.raises(Refusal) as refusal:
        parse_play("a-g", runner, position)
    assert refusal.value.reason is Reason.BANNED
    assert explain_in_english(refusal.value) == "a-g: first bring one man past m"


def test_other_rules_are_named_before_the_ban(runner: Rules) -> None:
    position = parse_position("a14,d1 g2,z13 gold 6-5", runner)
    refusal = build_refusal("a-g", 0, "g", None, runner, position)
    assert refusal.reason is Reason.BLOCKED


def test_bearing_off_can_be_banned() -> None:
    rules = replace(GAMES["backgammon"].rules, ban=Ban("backgammon", keep_off))
    home = parse_position("t5,u5,w5 a15 gold 6", rules)
    assert list(list_legal_plays(rules, home)) == []
    refusal = build_refusal("t-off", home.gold.index(5), "off", None, rules, home)
    assert refusal.reason is Reason.BANNED


@dataclass(frozen=True)
class MoreRules(Rules):
    """Rules with one that declares nothing about itself."""

    novel: int = 0


def test_a_rule_that_declares_nothing_takes_every_shortcut_from_the_search() -> None:
    usual = GAMES["zeno"].rules
    known = MoreRules(usual.gold, usual.black)
    assert known.effects == usual.effects == frozenset()
    strange = replace(known, novel=1)
    assert strange.effects == {NARROWS, WIDENS, ORDERS}
    bitboards = build_bitboards(strange, Side.GOLD)
    assert not bitboards.clear
    assert not bitboards.any_order
    # Nor does the sieve for deadlocks pass over any play.
    assert list(list_open_points(strange, Side.GOLD, strange.start_position.gold)) == []


def test_a_ban_may_leave_a_side_stuck() -> None:
    rules = replace(GAMES["backgammon"].rules, ban=Ban("backgammon", keep_off))
    position = parse_position("z13,bar2 a2,b2,c2,d2,e2,w5 gold -", rules)
    assert not can_enter(rules, position, Side.GOLD)
    assert is_stuck(rules, position, Side.GOLD)
    assert can_enter(replace(rules, ban=None), position, Side.GOLD)
