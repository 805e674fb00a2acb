"""The kernel plays by the engine's rules: every play of every game and option, and every turn."""

from dataclasses import replace
from functools import cache
from random import Random

import pytest

pytest.importorskip("numba", reason="the extra `train` is not installed")

from engine.ending import find_outcome
from engine.events import Thrown
from engine.games import GAMES
from engine.match import Match, apply_unchecked, find_forced_event
from engine.players.midgame import build_match
from engine.plays import Duty, list_legal_plays
from engine.position import Position, Side
from engine.rules import Rules
from engine.throws import list_possible_numbers
from lab.training import layout as at
from lab.training.games import start_game
from lab.training.rows import read_row, write_row
from lab.training.search import search_plays
from lab.training.tables import UnknownRuleError, build_tables
from lab.training.turns import take_turn
from lab.training.workshop import MAX_TURNS, Workshop
from tests.conformance.chance_positions import generate_positions
from tests.conformance.matches import EVERY, Setting, format_setting
from tests.lab.training.followed import extract_kernel_turn_end, find_way
from tests.lab.training.laid_out import lay_out, mark_settings

SIDES = tuple(Side)
every_setting = mark_settings(EVERY)

GAMES_PLAYED = 3
"""The random games of each setting from which positions are taken."""

POSITIONS = 10
"""How many positions of each setting are looked at, of either kind."""


@cache
def make_workshop(setting: Setting) -> Workshop:
    """The kernel set up for a game with some options."""
    slug, options = setting
    shop = Workshop(GAMES[slug].resolve_rules(dict(options)), 16, 1)
    shop.desk.book[at.POLICY : at.POLICY + 2] = at.AT_RANDOM
    return shop


@cache
def collect_waiting_matches(setting: Setting) -> list[Match]:
    """Return matches in which a throw is due, some of them the last.

    They come from random games of the kernel that are soon done.
    """
    slug, options = setting
    shop, game = make_workshop(setting), GAMES[slug]
    rules = game.resolve_rules(dict(options))
    met: list[tuple[Position, int]] = []
    last: list[tuple[Position, int]] = []
    for _ in range(GAMES_PLAYED):
        thrown = start_game(shop.known.table, shop.start, shop.desk)
        for _ in range(MAX_TURNS):
            position = read_row(rules, shop.desk.nodes, at.GAME // at.ROW)
            met.append((position, int(shop.desk.nodes[at.GAME + at.PLAYER])))
            if not take_turn(shop.known, shop.desk, thrown):
                break
            thrown = False
        last.append(met.pop())
    some = Random(f"{slug} {options}").sample(met, min(POSITIONS - GAMES_PLAYED, len(met)))
    return [
        replace(build_match(game, rules, position), player=player)
        for position, player in (*some, *last)
    ]


def list_kernel_ends(shop: Workshop, rules: Rules, position: Position, duty: Duty) -> set[Position]:
    """The ends of the plays as the kernel finds them."""
    write_row(shop.desk.nodes, position)
    count = search_plays(
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


def list_engine_ends(rules: Rules, position: Position, duty: Duty) -> set[Position]:
    """The same as the engine lists them."""
    return {play.end for play in list_legal_plays(rules, position, duty)}


@every_setting
def test_the_plays_of_random_games_are_those_of_the_engine(setting: Setting) -> None:
    chance = Random(f"plays {format_setting(setting)}")
    for match in collect_waiting_matches(setting):
        rules = match.rules
        numbers = chance.choice([each for each in list_possible_numbers(rules.dice) if each])
        position = match.position._replace(dice=numbers)
        assert list_kernel_ends(
            make_workshop(setting), rules, position, Duty.MUST
        ) == list_engine_ends(rules, position, Duty.MUST)


@every_setting
def test_the_plays_of_random_positions_are_those_of_the_engine(setting: Setting) -> None:
    slug, options = setting
    rules = GAMES[slug].resolve_rules(dict(options))
    for position in generate_positions(rules, Random(format_setting(setting)), POSITIONS):
        for duty in Duty if len(position.dice) < 3 else (Duty.MUST,):
            assert list_kernel_ends(
                make_workshop(setting), rules, position, duty
            ) == list_engine_ends(rules, position, duty)


@every_setting
def test_a_turn_leads_where_a_match_can_go(setting: Setting) -> None:
    chance = Random(f"turn {format_setting(setting)}")
    shop = make_workshop(setting)
    for match in collect_waiting_matches(setting):
        dice = tuple(chance.randint(1, 6) for _ in range(match.rules.dice.count))
        lay_out(shop, match, dice)
        take_turn(shop.known, shop.desk, True)
        event = find_forced_event(match) or Thrown(dice)
        after = apply_unchecked(match, event)
        reached = extract_kernel_turn_end(match.rules, shop.desk.nodes)
        assert find_way(after, reached) is not None


def test_a_hook_that_the_kernel_does_not_know_is_refused_in_a_sentence() -> None:
    rules = replace(GAMES["zeno"].rules, ending_after_move=lambda _rules, _position: None)
    with pytest.raises(
        UnknownRuleError,
        match=r"The kernel does not know the ending_after_move .*, so it cannot play this game\.",
    ):
        build_tables(rules)


def test_random_positions_are_what_they_should_be() -> None:
    rules = GAMES["emperador"].resolve_rules({})
    found = generate_positions(rules, Random(1), 10)
    assert found
    assert all(find_outcome(rules, position) is None for position in found)
