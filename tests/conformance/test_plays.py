"""Every list of plays: legal step by step, complete, without repeats, and readable again."""

import operator
from collections.abc import Iterator, Mapping
from functools import cache, partial
from itertools import islice
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from engine.board import TABLES
from engine.ending import find_outcome
from engine.games import GAMES
from engine.match import Match, Phase
from engine.notation import format_play, parse_play
from engine.plays import Duty, list_legal_plays, list_next_moves, make_move
from engine.position import Position, Side
from engine.position_text import format_position, parse_position
from engine.possible import may_stand
from engine.refusal import Refusal
from engine.rules import BearingRule, Ending, Rules
from engine.search.routes import NOWHERE, build_route
from engine.throws import list_possible_numbers
from tests.conformance import rulebook
from tests.conformance.chance_positions import generate_positions
from tests.conformance.matches import (
    EVERY,
    SETTINGS,
    Options,
    Setting,
    every_setting,
    format_setting,
    mark_odd_settings,
    play_random_matches,
)
from tests.support.sweeps import mark_sweeps

MAX_THROWS = 12


def sample_throws(setting: Setting, most: int = MAX_THROWS) -> Iterator[Match]:
    """Some moments of random matches in which a throw waits to be played."""
    waiting = [
        match
        for history in play_random_matches(setting)
        for match in history.moments
        if match.phase in (Phase.PLAY, Phase.OFFER)
    ]
    yield from Random(format_setting(setting)).sample(waiting, min(most, len(waiting)))


def list_rulebook_ends(
    rules: Rules, position: Position, slug: str, options: Mapping[str, str]
) -> set[rulebook.EndKey]:
    """The ends that the rulebook allows."""
    return rulebook.list_ends(format_position(position, rules), slug, options)


def list_engine_ends(rules: Rules, position: Position) -> set[rulebook.EndKey]:
    """The ends that the engine lists."""
    return {
        rulebook.build_key(format_position(play.end, rules))
        for play in list_legal_plays(rules, position)
    }


@every_setting
def test_every_listed_play_is_legal_step_by_step_and_nothing_is_left_to_play(
    setting: Setting,
) -> None:
    for match in sample_throws(setting, most=8):
        begins = cache(
            partial(list_next_moves, match.rules, duty=match.duty)
        )  # many plays share their first moves
        for play in match.plays:
            position = match.position
            for move in play.moves:
                assert move in begins(position)
                position = make_move(match.rules, position, move)
            assert position == play.end
            assert match.duty is Duty.MAY or begins(position) == []


@every_setting
def test_no_two_listed_plays_end_alike(setting: Setting) -> None:
    for match in sample_throws(setting):
        ends = [format_position(play.end, match.rules) for play in match.plays]
        assert len(set(ends)) == len(ends)


@every_setting
def test_equal_texts_have_equal_plays(setting: Setting) -> None:
    for match in sample_throws(setting):
        read = parse_position(format_position(match.position, match.rules), match.rules)
        assert read == match.position


@every_setting
def test_listed_plays_are_printed_and_read_again(setting: Setting) -> None:
    for match in sample_throws(setting, most=8):
        for play in Random(format_setting(setting)).sample(match.plays, min(20, len(match.plays))):
            position = match.position
            printed = format_play(play.moves, match.rules, position)
            for move in parse_play(printed, match.rules, position, match.duty):
                position = make_move(match.rules, position, move)
            assert position == play.end


class OpenThrow(NamedTuple):
    """A throw to be played: the options and rules, the position, and how much must be used."""

    options: Options
    rules: Rules
    position: Position
    duty: Duty

    def list_ends(self, rules: Rules) -> set[tuple[bytes, bytes]]:
        """Where the men can come to stand by these rules."""
        return {end[:2] for end in list_legal_plays(rules, self.position, self.duty).ends}


def list_other_rules(setting: Setting) -> list[Rules]:
    """A game's rules if one option is another: each in turn, of those that are not as usual."""
    slug, options = setting
    others = (
        [options[:at] + options[at + 1 :] for at in range(len(options))]
        if options
        else [each for other, each in SETTINGS if other == slug and each]
    )
    return [GAMES[slug].resolve_rules(dict(each)) for each in others]


def pick_distinguishing_throws(setting: Setting) -> list[OpenThrow]:
    """Pick a few throws: for each option, some by which one sees how it is chosen.

    They come from random matches, and from men in piles, walls and strays.
    """
    slug, options = setting
    rules = GAMES[slug].resolve_rules(dict(options))
    chance = Random(f"rulebook {format_setting(setting)}")
    throws = [
        *(
            OpenThrow(tuple(match.options.items()), match.rules, match.position, match.duty)
            for match in sample_throws(setting, most=30)
        ),
        *(
            OpenThrow(options, rules, position, Duty.MUST)
            for position in generate_positions(rules, chance, 20)
        ),
    ]
    ends = [(throw, throw.list_ends(throw.rules)) for throw in throws]
    telling = (
        throw
        for other in list_other_rules(setting)
        for throw in islice((each for each, own in ends if each.list_ends(other) != own), 2)
    )
    return list(dict.fromkeys((*telling, *throws[:2], *throws[-2:])))


@every_setting
def test_the_plays_are_those_of_the_rulebook_where_options_matter(setting: Setting) -> None:
    slug = setting[0]
    for options, rules, position, duty in pick_distinguishing_throws(setting):
        text = format_position(position, rules)
        if "-hits=" in text:
            continue  # the rulebook's brute force does not count the hits of barata
        wanted = rulebook.list_offered_ends if duty is Duty.MAY else rulebook.list_ends
        ends = {
            rulebook.build_key(format_position(end, rules))
            for end in list_legal_plays(rules, position, duty).ends
        }
        assert ends == wanted(text, slug, dict(options)), text


@st.composite
def small_positions(
    draw: st.DrawFn, slug: str, options: Mapping[str, str]
) -> tuple[Rules, Position]:
    """Draw a small position with only a few groups of men on their way.

    All others are at the end of their way or beside the board.
    """
    rules = GAMES[slug].resolve_rules(options)
    board = rules.board
    rests = {side: _resting_place(rules, side) for side in Side}
    taken = set(rests.values())
    men = {}
    for side in Side:
        free = [point for point in rules.course(side) if point not in taken]
        chosen = draw(st.lists(st.sampled_from(free), unique=True, max_size=min(5, len(free))))
        taken.update(chosen)
        single = board.parse_points(rules.side_rules(side).ban_second)
        counts = [0] * len(board.place_names)
        for point in chosen:
            counts[point] = draw(st.integers(1, 1 if point in single else 2))
        if may_stand(rules, side, board.bars[0]):
            counts[board.bars[0]] = draw(st.sampled_from([0, 0, 0, 1, 2]))
        assume(sum(counts) <= rules.men)
        counts[rests[side]] = rules.men - sum(counts)
        men[side] = bytes(counts)
    numbers = draw(st.sampled_from(sorted(_list_numbers(rules))))
    drawn = Position(men[Side.GOLD], men[Side.BLACK], draw(st.sampled_from(Side)), numbers)
    try:
        position = parse_position(format_position(drawn, rules), rules)
    except Refusal:
        assume(False)  # neither has a man in play
        raise
    assume(find_outcome(rules, position) is None)
    return rules, position


def get_rules(setting: Setting) -> Rules:
    """The rules of a setting."""
    slug, options = setting
    return GAMES[slug].resolve_rules(dict(options))


SOMEWHERE = [each for each in EVERY if get_rules(each).ban_closed > 1]
"""All settings but those in which a single man closes a point.

There men reach few points, and small positions reach none.
"""


@pytest.mark.parametrize(
    "setting", mark_odd_settings(SOMEWHERE), ids=map(format_setting, SOMEWHERE)
)
@settings(
    deadline=None,
    max_examples=8,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
@given(data=st.data())
def test_every_printed_play_leads_where_it_says(setting: Setting, data: st.DataObject) -> None:
    slug, options = setting
    rules, position = data.draw(small_positions(slug, dict(options)))
    plays = list_legal_plays(rules, position)
    for play in plays[:: 1 + len(plays) // 40]:
        at = position
        for move in parse_play(format_play(play.moves, rules, position), rules, position):
            at = make_move(rules, at, move)
        assert at == play.end


def _resting_place(rules: Rules, side: Side) -> int:
    """Where the men stand that a small position is not about."""
    if rules.ending is Ending.GOAL:
        return rules.course(side)[-1]
    return rules.board.hand if rules.bearing is BearingRule.NONE else rules.board.off


def _list_numbers(rules: Rules) -> set[tuple[int, ...]]:
    return {numbers for numbers in list_possible_numbers(rules.dice) if numbers}


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


@pytest.mark.parametrize("setting", mark_odd_settings(SMALL), ids=map(format_setting, SMALL))
@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_in_small_positions_the_plays_are_those_of_the_rulebook(
    setting: Setting, data: st.DataObject
) -> None:
    slug, options = setting
    rules, position = data.draw(small_positions(slug, dict(options)))
    assert list_engine_ends(rules, position) == list_rulebook_ends(
        rules, position, slug, dict(options)
    )


@st.composite
def siege_positions(draw: st.DrawFn) -> str:
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


@pytest.mark.parametrize(
    "blockade",
    mark_sweeps(
        ["skip", "exact", "wins", "murray", "permanent", "shut-out"], {"exact", "wins"}.__contains__
    ),
)
@settings(deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow])
@given(siege=siege_positions())
@pytest.mark.sweep
def test_a_side_nearly_caught_is_judged_and_moved_by_the_rulebook(
    blockade: str, siege: str
) -> None:
    options = {"blockade": blockade, "dice": "three-plain"}
    rules = GAMES["ludus-anglicorum"].resolve_rules(options)
    position = parse_position(siege, rules)
    game = rulebook.find_sheet("ludus-anglicorum", options)
    (gold, black), _, _ = rulebook.parse_position(siege)
    assert rules.plight is not None
    assert rules.plight(rules, position, Side.BLACK) == rulebook.find_plight(
        game, "black", black, gold
    )
    outcome, winner = find_outcome(rules, position), rulebook.find_winner(game, gold, black)
    assert (outcome.winner or "nobody" if outcome else None) == winner
    if outcome is None:
        assert list_engine_ends(rules, position) == list_rulebook_ends(
            rules, position, "ludus-anglicorum", options
        )


def mirror_position(position: Position) -> Position:
    """The same position seen from the other side: points in reverse, the sides changed."""

    def turned(men: bytes) -> bytes:
        return men[:24][::-1] + men[24:]

    return Position(
        turned(position.black), turned(position.gold), position.turn.other, position.dice
    )


def is_mirrored(rules: Rules) -> bool:
    """Whether black's way is gold's from the other end of the board, and nothing is remembered."""
    if rules.memory or rules.board.points != TABLES.points:
        return False
    size = rules.board.size
    gold, black = (build_route(rules, side) for side in Side)
    # Beside the board nothing is mirrored.
    ends = [*reversed(range(size)), *range(size, len(rules.board.place_names))]

    def mirrored(targets: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(
            target if target == NOWHERE else ends[target]
            for target in (targets[place] for place in ends[: len(targets)])
        )

    return (
        all(map(operator.eq, gold.targets[1:], map(mirrored, black.targets[1:])))
        and gold.sent == mirrored(black.sent)
        and all(gold.room[place] == black.room[end] for place, end in enumerate(ends))
        and all(gold.late[place] == black.late[end] for place, end in enumerate(ends))
    )


BACKWARDS = [each for each in EVERY if is_mirrored(get_rules(each))]
"""All settings in which it makes no difference from which side one looks."""


@pytest.mark.parametrize(
    "setting", mark_odd_settings(BACKWARDS), ids=map(format_setting, BACKWARDS)
)
def test_the_mirrored_position_has_the_mirrored_plays(setting: Setting) -> None:
    for match in sample_throws(setting):
        theirs = list_legal_plays(match.rules, mirror_position(match.position), match.duty)
        assert {mirror_position(play.end) for play in match.plays} == {play.end for play in theirs}
