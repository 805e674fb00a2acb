"""A game's rules as the kernel's flat tables, which hold all that the kernel knows of a game."""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.games.backgammon import score_gammon
from engine.games.emperador import (
    count_prime_hits,
    find_entry_barata,
    find_instant_barata,
    find_tie,
)
from engine.games.irish import find_bound_table
from engine.games.ludus_anglicorum import LUDUS_ANGLICORUM, find_plight
from engine.games.paume_carie import count_slaps
from engine.games.swedish_tables import can_break_barrier, find_figure, find_figure_or_jan
from engine.games.tabula import track_placed_man
from engine.games.twelve_dogs import find_all_six
from engine.games.verquere import find_jan
from engine.players.inputs import lay_out_inputs as input_layout
from engine.players.shots import build_track, compute_throw_reach
from engine.position import Side
from engine.rules import (
    BearingRule,
    Ending,
    PlacingRule,
    ReentryRule,
    Rules,
    ThirdDie,
    UnusableRule,
)
from engine.search.routes import NOWHERE, NUMBERS, build_route
from lab.training import layout as at
from lab.training.layout import Book, Ints, Row, TurnMemory

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Hook = Callable[..., Any] | None

SIDES = tuple(Side)
_PLACING = tuple(PlacingRule)
_REENTRY = tuple(ReentryRule)
_BEARING = tuple(BearingRule)
_UNUSABLE = tuple(UnusableRule)
_ENDING = tuple(Ending)
_THIRD = (None, *ThirdDie)


def _get_blockade_verdict(value: str) -> Hook:
    verdict: Hook = (
        LUDUS_ANGLICORUM.find_option("blockade").find_value(value).changes["ending_after_move"]
    )
    return verdict


ENDINGS_AFTER_MOVE: Mapping[Hook, int] = {
    None: at.NO_HOOK,
    find_jan: at.JAN,
    find_figure_or_jan: at.FIGURE_OR_JAN,
    find_figure: at.FIGURE,
    find_instant_barata: at.BARATA_AT_ONCE,
    _get_blockade_verdict("exact"): at.AS_IN_ROYAL,
    _get_blockade_verdict("wins"): at.CAUGHT,
    _get_blockade_verdict("permanent"): at.FOR_EVER,
    _get_blockade_verdict("shut-out"): at.SHUT_OUT,
    _get_blockade_verdict("murray"): at.AS_IN_MURRAY,
    find_entry_barata: at.NO_ENTRY,
    find_all_six: at.ALL_SIX,
}
ENDINGS_AT_STANDSTILL: Mapping[Hook, int] = {None: at.NO_HOOK, find_tie: at.TIE}
SCORES: Mapping[Hook, int] = {None: at.NO_HOOK, score_gammon: at.GAMMON, count_slaps: at.PALMS}
MEMORIES: Mapping[Hook, int] = {
    None: at.NO_HOOK,
    count_prime_hits: at.HITS,
    track_placed_man: at.PLACED,
}
BREACHES: Mapping[Hook, int] = {None: at.NO_HOOK, can_break_barrier: at.BREAKS_BARRIER}
PLIGHTS: Mapping[Hook, int] = {None: at.NO_HOOK, find_plight: at.LYMPOLDING}
BANS: Mapping[Hook, int] = {None: at.NO_HOOK}
BOUND_POINT_FINDERS: Mapping[Hook, int] = {None: at.NO_HOOK, find_bound_table: at.BOUND_TABLES}


KNOWN_FIELDS: Mapping[str, frozenset[str]] = {
    "rules": frozenset(
        {
            *("gold", "black", "men", "board", "dice", "battle", "moving", "home_rests"),
            *("ban_full", "ban_closed", "sums", "placing", "reentry", "bearing", "gate"),
            *("early_edge", "unusable", "falls_whole", "ending", "players", "plight", "memory"),
            *("ending_after_move", "ending_at_standstill", "score", "ban", "breach"),
            "bound_points",
            # What only texts and position texts go by.
            *("ending_texts", "piled"),
        }
    ),
    "side": frozenset(
        {"start", "apart", "course", "ban_second", "home", "ban_entry", "hit", "entries"}
    ),
    "dice": frozenset({"count", "fixed", "third", "presumed", "named", "doubles", "pairs"}),
    # Neither which throw wins nor who chooses a side matters to games that either side may begin.
    "battle": frozenset({"dice", "lower", "played", "sides", "begins"}),
    "board": frozenset({"name", "points", "tables", "rows", "bars_named"}),
}
"""The fields that the kernel reads or refuses, or knows not to matter, by what has them."""


class UnknownRuleError(ValueError):
    """A game has a rule that the kernel does not know."""


def _find_hook_code(kind: str, hook: Hook, known: Mapping[Hook, int]) -> int:
    if hook not in known:
        name = getattr(hook, "__qualname__", repr(hook))
        raise UnknownRuleError(
            f"The kernel does not know the {kind} {name}, so it cannot play this game."
        )
    return known[hook]


def max_extra_points(rules: Rules) -> int:
    """The most points beyond one that a game can count."""
    code = _find_hook_code("score", rules.score, SCORES)
    if code == at.GAMMON:
        return 2
    if code == at.PALMS:
        return rules.men - 1
    return int(
        _find_hook_code("ending_after_move", rules.ending_after_move, ENDINGS_AFTER_MOVE)
        in (at.JAN, at.FIGURE_OR_JAN)
    )


def build_tables(rules: Rules, hidden: int = 64) -> Ints:
    """Lay out a game's rules, and a net of so many hidden units for it; raises UnknownRuleError."""
    _refuse_unknown_rules(rules)
    _find_hook_code("ban", rules.ban.find if rules.ban else None, BANS)
    table = np.full(at.TABLES, NOWHERE, np.int32)
    for where, what in {
        **_collect_scalars(rules),
        **_collect_dice(rules),
        **_collect_net(rules, hidden),
    }.items():
        table[where] = what
    fixed = rules.dice.fixed
    table[at.FIXED : at.FIXED + len(fixed)] = fixed
    for number, side in enumerate(SIDES):
        _write_route(table, rules, side, number)
        _write_inputs(table, rules, side, number)
        _write_track(table, rules, side, number)
    # The kernel counts up to this, so where men do not move it is zero, not NOWHERE.
    table[at.THROW_COUNT] = 0
    if rules.moving:
        _write_throw_reach(table, rules)
    return table


def _refuse_unknown_fields(kind: str, part: "DataclassInstance") -> None:
    """Refuse a field that is new, where it is not at its default and so changes something."""
    for each in fields(part):
        default = each.default if each.default_factory is MISSING else each.default_factory()
        if each.name not in KNOWN_FIELDS[kind] and getattr(part, each.name) != default:
            raise UnknownRuleError(
                f"The kernel does not know the field {each.name} of {type(part).__name__}; "
                "KNOWN_FIELDS in lab/training/tables.py lists those it knows."
            )


def _refuse_unknown_rules(rules: Rules) -> None:
    _refuse_unknown_fields("rules", rules)
    for kind, part in (
        ("side", rules.gold),
        ("side", rules.black),
        ("dice", rules.dice),
        ("battle", rules.battle),
        ("board", rules.board),
    ):
        _refuse_unknown_fields(kind, part)
    # A game that the kernel plays only nearly right would teach a net another game.
    if len(rules.board.place_names) > at.PLACES:
        raise UnknownRuleError(
            f"The kernel has room for {at.PLACES} places, and this board has more."
        )
    if rules.sums and (rules.dice.third or rules.dice.doubles.is_played_twice):
        raise UnknownRuleError("The kernel does not know sums of more numbers than there are dice.")
    if rules.early_edge:
        raise UnknownRuleError("The kernel bears men off as today's rules do.")
    if rules.battle.played and (rules.battle.dice != 1 or rules.dice.count != len(SIDES)):
        raise UnknownRuleError(
            "The kernel knows a roll battle that is played only with one die a side."
        )
    if any(len(rules.home(side)) != len(NUMBERS) for side in Side):
        raise UnknownRuleError("The kernel knows only bearing tables of six points.")


def _collect_scalars(rules: Rules) -> dict[int, int]:
    board = rules.board
    return {
        at.WIDTH: len(board.place_names),
        at.SIZE: board.size,
        at.HAND: board.hand,
        at.OFF: board.off,
        at.MEN: rules.men,
        at.BAN_CLOSED: rules.ban_closed,
        at.SUMS: int(rules.sums),
        at.HIGHEST: len(build_route(rules, Side.GOLD).targets) - 1,
        at.PLACING: _PLACING.index(rules.placing),
        at.REENTRY: _REENTRY.index(rules.reentry),
        at.BEARING: _BEARING.index(rules.bearing),
        at.GATE: rules.men if rules.gate is None else rules.gate,
        at.UNUSABLE: _UNUSABLE.index(rules.unusable),
        at.FALLS_WHOLE: int(rules.falls_whole),
        at.ENDING: _ENDING.index(rules.ending),
        at.PLAYERS: rules.players,
        at.ENDING_AFTER_MOVE: _find_hook_code(
            "ending_after_move", rules.ending_after_move, ENDINGS_AFTER_MOVE
        ),
        at.ENDING_AT_STANDSTILL: _find_hook_code(
            "ending_at_standstill", rules.ending_at_standstill, ENDINGS_AT_STANDSTILL
        ),
        at.SCORE: _find_hook_code("score", rules.score, SCORES),
        at.REMEMBERS: _find_hook_code(
            "memory", rules.memory.after if rules.memory else None, MEMORIES
        ),
        at.BREACH: _find_hook_code("breach", rules.breach, BREACHES),
        at.BOUND_POINTS: _find_hook_code("bound_points", rules.bound_points, BOUND_POINT_FINDERS),
        at.PLIGHT: _find_hook_code("plight", rules.plight, PLIGHTS),
        at.BEGINS: SIDES.index(rules.battle.first_side) if rules.battle.first_side else NOWHERE,
        at.BATTLE_PLAYED: int(rules.battle.played),
    }


def _collect_dice(rules: Rules) -> dict[int, int]:
    dice = rules.dice
    return {
        at.DICE: dice.count,
        at.FIXED_COUNT: len(dice.fixed),
        at.THIRD: _THIRD.index(dice.third),
        at.PRESUMED: dice.presumed or 0,
        at.NAMED: int(dice.named),
        at.TWICE: int(dice.doubles.is_played_twice),
        at.AGAIN: int(dice.doubles.has_extra_throw),
        at.ANY_PAIR: int(dice.pairs == "any-pair"),
    }


def _collect_net(rules: Rules, hidden: int) -> dict[int, int]:
    found = input_layout(rules, Side.GOLD)
    return {
        at.HIDDEN: hidden,
        at.INPUTS: found.count,
        at.NET_SIZE: (found.count + 1 + at.OUTPUTS) * hidden + at.OUTPUTS,
        at.EXTRA: max_extra_points(rules),
        at.FEATURE_INPUT: found.weighed,
        at.MEMORY_INPUT: found.memory,
    }


def _write_route(table: Ints, rules: Rules, side: Side, number: int) -> None:
    route = build_route(rules, side)
    course = rules.course(side)
    width = len(rules.board.place_names)
    line = number * at.PLACES
    for use, targets in enumerate(route.targets):
        start = at.TARGETS + (number * at.NUMBERS + use) * at.PLACES
        table[start : start + len(targets)] = targets
    table[at.ROOM + line : at.ROOM + line + width] = route.room
    table[at.LATE + line : at.LATE + line + width] = route.late
    table[at.SENT + line : at.SENT + line + rules.board.size] = route.sent
    table[at.HOME + line : at.HOME + line + len(route.home)] = route.home
    table[at.COURSE + line : at.COURSE + line + len(course)] = course
    table[at.COURSE_LENGTH + number] = len(course)
    for step, point in enumerate(route.home):
        table[at.HOME_AT + line + point] = step
    for step, point in enumerate(course):
        table[at.COURSE_AT + line + point] = step
        table[at.PIPS + line + point] = len(course) - step
    for place in (rules.board.hand, *rules.board.bars):
        first = route.targets[1][place]
        table[at.PIPS + line + place] = (
            len(course) + 1 if first < 0 else table[at.PIPS + line + first] + 1
        )
    table[at.PIPS + line + rules.board.off] = 0


def _write_inputs(table: Ints, rules: Rules, side: Side, number: int) -> None:
    found = input_layout(rules, side)
    for whose, firsts in ((number, found.mine), (1 - number, found.theirs)):
        start = at.FIRST_INPUT + (number * at.SIDES + whose) * at.PLACES
        table[start : start + len(firsts)] = firsts


def _write_track(table: Ints, rules: Rules, side: Side, number: int) -> None:
    found = build_track(rules, side)
    line = number * at.PLACES
    table[at.STAND + line : at.STAND + line + len(found.stand)] = found.stand
    for place in found.barred:
        table[at.WAITS + line + place] = 1
    table[at.DOOR + number] = found.door


def _write_throw_reach(table: Ints, rules: Rules) -> None:
    found = compute_throw_reach(rules.dice)
    table[at.THROW_COUNT] = len(found.shares)
    # Three dice fall in 56 ways, and the table has 32 bits a number: 28 of them hold half a set.
    for start, sets in ((at.HIT_BY, found.hits), (at.LATER, found.later.ravel())):
        table[start : start + len(sets)] = sets & ((1 << at.HALF_THROWS) - 1)
        table[start + len(sets) : start + 2 * len(sets)] = sets >> at.HALF_THROWS


def new_turn_memory() -> TurnMemory:
    """Memory in which turns are played."""
    return TurnMemory(
        _new_nodes(), _new_book(), _new_nodes(), _new_book(), np.zeros(at.FLOATS, np.float32)
    )


def _new_book(seed: int = 1) -> Book:
    """Scratch memory for one search, with the random keys by which it knows positions again."""
    book = np.zeros(at.BOOK, np.int64)
    # Odd keys: no count of men times such a key is zero modulo 2 ** 64, so no man goes unseen.
    chance = np.random.default_rng(seed)
    book[: at.KEY_OF_MEMORY + 1] = chance.integers(-(2**62), 2**62, at.KEY_OF_MEMORY + 1) | 1
    return book


def _new_nodes() -> Row:
    """Rows for the positions of one search."""
    return np.zeros(at.ROWS, np.int8)
