"""The kernel plays by the same rules as the engine: every play of every game and option, and every turn."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

pytest.importorskip("numba", reason="the extra `train` is not installed")

from engine.ending import judge
from engine.events import Battled, Chosen, Event, Left, Played, Thrown
from engine.games import GAMES
from engine.match import SIX, Match, Phase, automatic
from engine.moves import Duty, legal_plays
from engine.position import Position, Side
from engine.rules import Rules
from engine.training import layout as at
from engine.training.endings import points
from engine.training.layout import Book, Row
from engine.training.rows import read_row, write_row
from engine.training.search import search
from engine.training.tables import UnknownHookError, new_book, new_nodes, tables
from engine.training.turns import take_turn
from engine.training.workshop import Workshop
from tests.conformance.matches import EVERY, Setting, name, stories
from tests.engine.training.chance_positions import positions

SIDES = tuple(Side)
every_setting = pytest.mark.parametrize("setting", EVERY, ids=name)


@pytest.fixture(scope="module")
def scratch() -> tuple[Row, Book]:
    return new_nodes(), new_book()


def listed(rules: Rules, position: Position, duty: Duty, scratch: tuple[Row, Book]) -> set[Position]:
    """The ends of the plays as the kernel finds them."""
    nodes, book = scratch
    write_row(nodes, position)
    count = search(tables(rules), nodes, SIDES.index(position.turn), book, int(duty is Duty.MAY))
    assert book[at.OVERFLOWS] == 0
    return {read_row(rules, nodes, int(book[at.ENDS + end])) for end in range(count)}


def wanted(rules: Rules, position: Position, duty: Duty) -> set[Position]:
    """The same as the engine lists them."""
    return {play.end for play in legal_plays(rules, position, duty)}


@every_setting
def test_the_plays_of_random_matches_are_those_of_the_engine(setting: Setting, scratch: tuple[Row, Book]) -> None:
    waiting = [match for told in stories(setting) for match in told.moments if match.phase in (Phase.PLAY, Phase.OFFER)]
    for match in Random(name(setting)).sample(waiting, min(12, len(waiting))):
        ends = {play.end for play in match.plays}
        assert listed(match.rules, match.position, match.duty, scratch) == ends


@every_setting
def test_the_plays_of_random_positions_are_those_of_the_engine(setting: Setting, scratch: tuple[Row, Book]) -> None:
    slug, options = setting
    rules = GAMES[slug].rules_with(dict(options))
    for position in positions(rules, Random(name(setting)), 10):
        for duty in Duty if len(position.dice) < 3 else (Duty.MUST,):
            assert listed(rules, position, duty, scratch) == wanted(rules, position, duty)


Moment = tuple[bytes, bytes, Side | None, int, int, Side | None, int]


def moment(match: Match) -> Moment:
    """What a turn leads to: where the men stand, and either whose throw is next or how the game has ended."""
    gold, black, turn, _, memory = match.position
    if match.outcome is None:
        return gold, black, turn, memory, match.player, None, -1
    counts = match.outcome.points if match.outcome.winner else 0
    return gold, black, None, 0, 0, match.outcome.winner, counts


def kernels_moment(rules: Rules, nodes: Row) -> Moment:
    """The same as the kernel has it."""
    gold, black, turn, _, memory = read_row(rules, nodes, at.GAME // at.ROW)
    outcome = nodes[at.GAME + at.OUTCOME]
    if outcome == at.GOING_ON:
        return gold, black, turn, memory, int(nodes[at.GAME + at.PLAYER]), None, -1
    winner = None if outcome == at.DRAWN else SIDES[outcome - 1]
    return gold, black, None, 0, 0, winner, points(tables(rules), nodes, at.GAME)


def events(match: Match) -> Iterator[Event]:
    """Every event that may follow within a turn."""
    forced = automatic(match)
    match match.phase:
        case _ if forced:
            yield forced
        case Phase.CHOOSE:
            yield from (Chosen(SIX, str(number)) for number in sorted(set(match.thrown)))
        case Phase.OFFER:
            yield Left()
            yield from (Played(play.moves) for play in match.plays)
        case Phase.PLAY:
            yield from (Played(play.moves) for play in match.plays)
        case Phase.CONTEST:
            yield from (Battled((6,), (1,)), Battled((1,), (6,)))
        case Phase.BREAK if match.choice:
            yield from (Chosen(match.choice.name, value.name) for value in match.choice.values)


def after_turn(match: Match) -> set[Moment]:
    """Every moment to which the turn can lead."""
    found: set[Moment] = set()
    going_on = [match]
    while going_on:
        here = going_on.pop()
        for event in events(here):
            there = here.apply(event)
            # Offered numbers may also be played in part and then left: both are among the plays and leaving.
            if there.phase in (Phase.THROW, Phase.OVER):
                found.add(moment(there))
            else:
                going_on.append(there)
    return found


@every_setting
def test_a_turn_leads_where_a_match_can_go(setting: Setting) -> None:
    chance = Random(f"turn {name(setting)}")
    due = [match for told in stories(setting) for match in told.moments if match.phase is Phase.THROW]
    for match in chance.sample(due, min(6, len(due))):
        dice = tuple(chance.randint(1, 6) for _ in range(match.rules.dice.count))
        if automatic(match):
            reached = {moment(match.apply(automatic(match)))}  # type: ignore[arg-type]
        else:
            thrown = match.apply(Thrown(dice))
            reached = {moment(thrown)} if thrown.phase is Phase.OVER else after_turn(thrown)
        shop = _ready(match, dice)
        table, greedy, nets, floats = shop.table, shop.greedy, shop.nets, shop.floats
        take_turn(table, greedy, nets, shop.nodes, shop.book, shop.other, shop.other_book, True, floats)
        assert kernels_moment(match.rules, shop.nodes) in reached


SHOPS: dict[int, Workshop] = {}


def _ready(match: Match, dice: tuple[int, ...]) -> Workshop:
    """The kernel with this match's position before it, the dice thrown, and both sides choosing at random."""
    shop = SHOPS.setdefault(id(match.rules), Workshop(match.rules, 16, 1))
    write_row(shop.nodes, match.position)
    shop.nodes[at.GAME : at.GAME + at.ROW] = shop.nodes[: at.ROW]
    shop.nodes[at.GAME + at.PLAYER] = match.player
    shop.book[at.DICE_THROWN : at.DICE_THROWN + len(dice)] = dice
    shop.book[at.POLICY : at.POLICY + 2] = at.AT_RANDOM
    return shop


def test_a_hook_that_the_kernel_does_not_know_is_refused_in_a_sentence() -> None:
    rules = replace(GAMES["zeno"].rules, verdict=lambda _rules, _position: None)
    with pytest.raises(
        UnknownHookError, match=r"The kernel does not know the verdict .*, so it cannot play this game\."
    ):
        tables(rules)


def test_random_positions_are_what_they_should_be() -> None:
    rules = GAMES["emperador"].rules_with({})
    found = positions(rules, Random(1), 10)
    assert found
    assert all(judge(rules, position) is None for position in found)
