"""Every list of plays: legal step by step, complete, without repeats, and readable again."""

from collections.abc import Iterator, Mapping
from functools import cache, partial
from random import Random

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from engine.ending import judge
from engine.games import GAMES
from engine.match import Match, Phase
from engine.moves import Duty, legal_plays, make, next_moves
from engine.notation import format_play, parse_play
from engine.position import Position, Side
from engine.position_text import format_position, parse_position
from engine.possible import may_stand
from engine.refusal import Refusal
from engine.rules import Bearing, Ending, Rules
from engine.throws import possible
from tests.conformance import rulebook
from tests.conformance.matches import EVERY, Setting, every_setting, name, stories

MOST = 12


def thrown(setting: Setting, most: int = MOST) -> Iterator[Match]:
    """Some moments of random matches in which a throw waits to be played."""
    waiting = [
        match
        for told in stories(setting)
        for match in told.moments
        if match.phase in (Phase.PLAY, Phase.OFFER)
    ]
    yield from Random(name(setting)).sample(waiting, min(most, len(waiting)))


def brute(
    rules: Rules, position: Position, slug: str, options: Mapping[str, str]
) -> set[rulebook.Ended]:
    """The ends that the rulebook allows."""
    return rulebook.ends(format_position(position, rules), slug, options)


def listed(rules: Rules, position: Position) -> set[rulebook.Ended]:
    """The ends that the engine lists."""
    return {rulebook.key(format_position(play.end, rules)) for play in legal_plays(rules, position)}


@every_setting
def test_every_listed_play_is_legal_step_by_step_and_nothing_is_left_to_play(
    setting: Setting,
) -> None:
    for match in thrown(setting, most=8):
        begins = cache(
            partial(next_moves, match.rules, duty=match.duty)
        )  # many plays share their first moves
        for play in match.plays:
            position = match.position
            for move in play.moves:
                assert move in begins(position)
                position = make(match.rules, position, move)
            assert position == play.end
            assert match.duty is Duty.MAY or begins(position) == []


@every_setting
def test_no_two_listed_plays_end_alike(setting: Setting) -> None:
    for match in thrown(setting):
        ends = [format_position(play.end, match.rules) for play in match.plays]
        assert len(set(ends)) == len(ends)


@every_setting
def test_equal_texts_have_equal_plays(setting: Setting) -> None:
    for match in thrown(setting):
        read = parse_position(format_position(match.position, match.rules), match.rules)
        assert read == match.position


@every_setting
def test_listed_plays_are_printed_and_read_again(setting: Setting) -> None:
    for match in thrown(setting, most=8):
        for play in Random(name(setting)).sample(match.plays, min(20, len(match.plays))):
            position = match.position
            printed = format_play(play.moves, match.rules, position)
            for move in parse_play(printed, match.rules, position, match.duty):
                position = make(match.rules, position, move)
            assert position == play.end


@every_setting
def test_the_plays_are_those_of_the_rulebook(setting: Setting) -> None:
    slug, options = setting
    for match in thrown(setting, most=5):
        text = format_position(match.position, match.rules)
        if "-hits=" in text:
            continue  # the rulebook's brute force does not count the hits of barata
        known = {**dict(options), **match.options}
        wanted = rulebook.offered_ends if match.phase is Phase.OFFER else rulebook.ends
        ends = {rulebook.key(format_position(play.end, match.rules)) for play in match.plays}
        assert ends == wanted(text, slug, known)


@st.composite
def arrangements(draw: st.DrawFn, slug: str, options: Mapping[str, str]) -> tuple[Rules, Position]:
    """Draw a small position with only a few groups of men on their way.

    All others are at the end of their way or beside the board.
    """
    rules = GAMES[slug].rules_with(options)
    board = rules.board
    rests = {side: _rest(rules, side) for side in Side}
    taken = set(rests.values())
    men = {}
    for side in Side:
        free = [point for point in rules.course(side) if point not in taken]
        chosen = draw(st.lists(st.sampled_from(free), unique=True, max_size=min(5, len(free))))
        taken.update(chosen)
        single = board.stretch(rules.way(side).single)
        counts = [0] * len(board.names)
        for point in chosen:
            counts[point] = draw(st.integers(1, 1 if point in single else 2))
        if may_stand(rules, side, board.bars[0]):
            counts[board.bars[0]] = draw(st.sampled_from([0, 0, 0, 1, 2]))
        assume(sum(counts) <= rules.men)
        counts[rests[side]] = rules.men - sum(counts)
        men[side] = bytes(counts)
    numbers = draw(st.sampled_from(sorted(_numbers(rules))))
    drawn = Position(men[Side.GOLD], men[Side.BLACK], draw(st.sampled_from(Side)), numbers)
    try:
        position = parse_position(format_position(drawn, rules), rules)
    except Refusal:
        assume(False)  # neither has a man in play
        raise
    assume(judge(rules, position) is None)
    return rules, position


SOMEWHERE = [each for each in EVERY if each[0] != "laquet"]
"""All settings but those of Laquet.

Where nothing is hit, men reach few points, and small positions reach none.
"""


@pytest.mark.parametrize("setting", SOMEWHERE, ids=name)
@settings(
    deadline=None,
    max_examples=8,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
@given(data=st.data())
def test_every_printed_play_leads_where_it_says(setting: Setting, data: st.DataObject) -> None:
    slug, options = setting
    rules, position = data.draw(arrangements(slug, dict(options)))
    plays = legal_plays(rules, position)
    for play in plays[:: 1 + len(plays) // 40]:
        at = position
        for move in parse_play(format_play(play.moves, rules, position), rules, position):
            at = make(rules, at, move)
        assert at == play.end


def _rest(rules: Rules, side: Side) -> int:
    """Where the men stand that a small position is not about."""
    if rules.ending is Ending.GOAL:
        return rules.course(side)[-1]
    return rules.board.hand if rules.bearing is Bearing.NONE else rules.board.off


def _numbers(rules: Rules) -> set[tuple[int, ...]]:
    return {numbers for numbers in possible(rules.dice) if numbers}


SMALL: list[Setting] = [
    ("zeno", ()),
    ("pyf", ()),
    ("pyf", (("doubles", "twice"), ("pairs", "any-pair"))),
    ("ludus-anglicorum", (("dice", "three-plain"),)),
    ("ludus-anglicorum", (("dice", "two-and-six"),)),
    ("twelve-dogs", (("table", "ns"),)),
    ("imperial", ()),
    ("tabula", (("sums", "bound"),)),
    ("tabula", (("bearing", "usual"),)),
    ("buffa-de-baldrac", ()),
    ("cab-e-quinal-fixed", (("third", "3"),)),
    ("emperador", ()),
    ("emperador", (("barata", "six"), ("reentry", "first"))),
    ("medio-emperador", (("dice", "three"),)),
    ("fallas", (("hit", "start-point"),)),
    ("quinze-tablas", (("limit", "two"),)),
    ("reencontrat", ()),
    ("ludus-lumbardorum", (("course", "literal"),)),
    ("paume-carie-one", (("bearing", "farthest"),)),
    ("paume-carie-two", ()),
    ("swedish-tables", (("jan", "waits"),)),
    ("swedish-tables", (("barrier", "stands"),)),
    ("backgammon", ()),
]


@pytest.mark.parametrize("setting", SMALL, ids=name)
@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_in_small_positions_the_plays_are_those_of_the_rulebook(
    setting: Setting, data: st.DataObject
) -> None:
    slug, options = setting
    rules, position = data.draw(arrangements(slug, dict(options)))
    assert listed(rules, position) == brute(rules, position, slug, dict(options))


@st.composite
def sieges(draw: st.DrawFn) -> str:
    """Draw a position of Ludus Anglicorum with black nearly caught.

    Gold's wall is on most of n to s, and black's men are singly on t to z.
    """
    wall = draw(st.sets(st.sampled_from("nopqrst"), min_size=5, max_size=6))
    inside = draw(st.sets(st.sampled_from(sorted(set("tuwxyz") - wall)), min_size=3))
    bar = draw(st.integers(0, 2))
    strays = draw(st.lists(st.sampled_from("bcdefg"), unique=True, max_size=2))
    most = 15 - 2 * len(wall)
    scouts = draw(st.lists(st.sampled_from("hiklm"), unique=True, min_size=most - 1, max_size=most))
    gold = {**dict.fromkeys(wall, 2), **dict.fromkeys(scouts, 1)}
    gold["off"] = 15 - sum(gold.values())
    black = {**dict.fromkeys(inside, 1), **dict.fromkeys(strays, 1), "bar": bar}
    black["a"] = 15 - sum(black.values())
    men = " ".join(",".join(f"{k}{v}" for k, v in side.items() if v) for side in (gold, black))
    side = draw(st.sampled_from(["gold", "black"]))
    dice = draw(st.sampled_from(["6-5-1", "6-2-1", "6-6-3", "5-2-1", "4-3-2", "6", "1"]))
    return f"{men} {side} {dice}"


@pytest.mark.parametrize("blockade", ["skip", "exact", "wins", "murray", "permanent", "shut-out"])
@settings(deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow])
@given(siege=sieges())
def test_a_side_nearly_caught_is_judged_and_moved_by_the_rulebook(
    blockade: str, siege: str
) -> None:
    options = {"blockade": blockade, "dice": "three-plain"}
    rules = GAMES["ludus-anglicorum"].rules_with(options)
    position = parse_position(siege, rules)
    game = rulebook.sheet("ludus-anglicorum", options)
    (gold, black), _, _ = rulebook.read(siege)
    assert rules.plight is not None
    assert rules.plight(rules, position, Side.BLACK) == rulebook.plight(game, "black", black, gold)
    outcome, winner = judge(rules, position), rulebook.winner(game, gold, black)
    assert (outcome.winner or "nobody" if outcome else None) == winner
    if outcome is None:
        assert listed(rules, position) == brute(rules, position, "ludus-anglicorum", options)


def mirrored(position: Position) -> Position:
    """The same position seen from the other side: points in reverse, the sides changed."""

    def turned(men: bytes) -> bytes:
        return men[:24][::-1] + men[24:]

    return Position(
        turned(position.black), turned(position.gold), position.turn.other, position.dice
    )


HEAD_ON = (
    "zeno",
    "ludus-anglicorum",
    "fallas",
    "imperial",
    "provincial",
    "quinze-tablas",
    "todas-tablas",
    "medio-emperador",
    "irish",
    "backgammon",
)
"""Games in which black's way is gold's backwards, and nothing is remembered."""

BACKWARDS = [
    each
    for each in EVERY
    if each[0] in HEAD_ON and not (each[0] == "zeno" and "setup" in dict(each[1]))
]


@pytest.mark.parametrize("setting", BACKWARDS, ids=name)
def test_the_mirrored_position_has_the_mirrored_plays(setting: Setting) -> None:
    for match in thrown(setting):
        theirs = legal_plays(match.rules, mirrored(match.position), match.duty)
        assert {mirrored(play.end) for play in match.plays} == {play.end for play in theirs}
