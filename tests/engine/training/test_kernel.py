"""The kernel plays by the engine's rules: every play of every game and option, and every turn."""

from dataclasses import replace
from functools import cache
from random import Random

import pytest

pytest.importorskip("numba", reason="the extra `train` is not installed")

from engine.ending import judge
from engine.events import Thrown
from engine.games import GAMES
from engine.match import Match, automatic, follow
from engine.moves import Duty, legal_plays
from engine.players.value import match_at
from engine.position import Position, Side
from engine.rules import Rules
from engine.throws import possible
from engine.training import layout as at
from engine.training.games import begin
from engine.training.rows import read_row, write_row
from engine.training.search import search
from engine.training.tables import UnknownHookError, tables
from engine.training.turns import take_turn
from engine.training.workshop import MOST_TURNS, Workshop
from tests.conformance.matches import EVERY, Setting, name
from tests.engine.training.chance_positions import positions
from tests.engine.training.followed import kernels_moment, way_to
from tests.engine.training.laid_out import lay_out

SIDES = tuple(Side)
every_setting = pytest.mark.parametrize("setting", EVERY, ids=name)

GAMES_PLAYED = 3
"""The random games of each setting from which positions are taken."""

POSITIONS = 10
"""How many positions of each setting are looked at, of either kind."""


@cache
def shop_of(setting: Setting) -> Workshop:
    """The kernel set up for a game with some options."""
    slug, options = setting
    shop = Workshop(GAMES[slug].rules_with(dict(options)), 16, 1)
    shop.desk.book[at.POLICY : at.POLICY + 2] = at.AT_RANDOM
    return shop


@cache
def waiting(setting: Setting) -> list[Match]:
    """Return matches in which a throw is due, some of them the last.

    They come from random games of the kernel that are soon done.
    """
    slug, options = setting
    shop, game = shop_of(setting), GAMES[slug]
    rules = game.rules_with(dict(options))
    met: list[tuple[Position, int]] = []
    last: list[tuple[Position, int]] = []
    for _ in range(GAMES_PLAYED):
        thrown = begin(shop.known.table, shop.start, shop.desk)
        for _ in range(MOST_TURNS):
            position = read_row(rules, shop.desk.nodes, at.GAME // at.ROW)
            met.append((position, int(shop.desk.nodes[at.GAME + at.PLAYER])))
            if not take_turn(shop.known, shop.desk, thrown):
                break
            thrown = False
        last.append(met.pop())
    some = Random(f"{slug} {options}").sample(met, min(POSITIONS - GAMES_PLAYED, len(met)))
    return [
        replace(match_at(game, rules, position), player=player)
        for position, player in (*some, *last)
    ]


def listed(shop: Workshop, rules: Rules, position: Position, duty: Duty) -> set[Position]:
    """The ends of the plays as the kernel finds them."""
    write_row(shop.desk.nodes, position)
    count = search(
        shop.known.table,
        shop.desk.nodes,
        SIDES.index(position.turn),
        shop.desk.book,
        int(duty is Duty.MAY),
    )
    assert shop.overflows == 0
    return {
        read_row(rules, shop.desk.nodes, int(shop.desk.book[at.ENDS + end])) for end in range(count)
    }


def wanted(rules: Rules, position: Position, duty: Duty) -> set[Position]:
    """The same as the engine lists them."""
    return {play.end for play in legal_plays(rules, position, duty)}


@every_setting
def test_the_plays_of_random_games_are_those_of_the_engine(setting: Setting) -> None:
    chance = Random(f"plays {name(setting)}")
    for match in waiting(setting):
        rules = match.rules
        numbers = chance.choice([each for each in possible(rules.dice) if each])
        position = match.position._replace(dice=numbers)
        assert listed(shop_of(setting), rules, position, Duty.MUST) == wanted(
            rules, position, Duty.MUST
        )


@every_setting
def test_the_plays_of_random_positions_are_those_of_the_engine(setting: Setting) -> None:
    slug, options = setting
    rules = GAMES[slug].rules_with(dict(options))
    for position in positions(rules, Random(name(setting)), POSITIONS):
        for duty in Duty if len(position.dice) < 3 else (Duty.MUST,):
            assert listed(shop_of(setting), rules, position, duty) == wanted(rules, position, duty)


@every_setting
def test_a_turn_leads_where_a_match_can_go(setting: Setting) -> None:
    chance = Random(f"turn {name(setting)}")
    shop = shop_of(setting)
    for match in waiting(setting):
        dice = tuple(chance.randint(1, 6) for _ in range(match.rules.dice.count))
        lay_out(shop, match, dice)
        take_turn(shop.known, shop.desk, True)
        event = automatic(match) or Thrown(dice)
        after = follow(match, event)
        reached = kernels_moment(match.rules, shop.desk.nodes)
        assert way_to(after, reached) is not None


def test_a_hook_that_the_kernel_does_not_know_is_refused_in_a_sentence() -> None:
    rules = replace(GAMES["zeno"].rules, verdict=lambda _rules, _position: None)
    with pytest.raises(
        UnknownHookError,
        match=r"The kernel does not know the verdict .*, so it cannot play this game\.",
    ):
        tables(rules)


def test_random_positions_are_what_they_should_be() -> None:
    rules = GAMES["emperador"].rules_with({})
    found = positions(rules, Random(1), 10)
    assert found
    assert all(judge(rules, position) is None for position in found)
