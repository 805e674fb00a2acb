"""A game's rules as the kernel's flat tables, which hold all that the kernel knows of a game."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from engine.games.backgammon import gammon
from engine.games.emperador import (
    barata_at_once,
    barata_without_entry,
    hits_behind_walls,
    tie,
)
from engine.games.irish import bound_tables
from engine.games.ludus_anglicorum import LUDUS_ANGLICORUM, plight
from engine.games.paume_carie import palms
from engine.games.swedish_tables import breaks_barrier, figure, figure_or_jan
from engine.games.tabula import being_placed
from engine.games.twelve_dogs import all_six
from engine.games.verquere import jan
from engine.players.inputs import layout as input_layout
from engine.players.reach import grasp, track
from engine.position import Side
from engine.routes import NOWHERE, NUMBERS, route
from engine.rules import Bearing, Ending, Placing, Reentry, Rules, Third, Unusable
from engine.training import layout as at
from engine.training.layout import Book, Desk, Ints, Row

Hook = Callable[..., Any] | None

SIDES = tuple(Side)
_PLACING = tuple(Placing)
_REENTRY = tuple(Reentry)
_BEARING = tuple(Bearing)
_UNUSABLE = tuple(Unusable)
_ENDING = tuple(Ending)
_THIRD = (None, *Third)


def _blockade(value: str) -> Hook:
    verdict: Hook = LUDUS_ANGLICORUM.option("blockade").value(value).changes["verdict"]
    return verdict


VERDICTS: Mapping[Hook, int] = {
    None: at.NO_HOOK,
    jan: at.JAN,
    figure_or_jan: at.FIGURE_OR_JAN,
    figure: at.FIGURE,
    barata_at_once: at.BARATA_AT_ONCE,
    _blockade("exact"): at.AS_IN_ROYAL,
    _blockade("wins"): at.CAUGHT,
    _blockade("permanent"): at.FOR_EVER,
    _blockade("shut-out"): at.SHUT_OUT,
    _blockade("murray"): at.AS_IN_MURRAY,
    barata_without_entry: at.NO_ENTRY,
    all_six: at.ALL_SIX,
}
STANDSTILLS: Mapping[Hook, int] = {None: at.NO_HOOK, tie: at.TIE}
WORTHS: Mapping[Hook, int] = {None: at.NO_HOOK, gammon: at.GAMMON, palms: at.PALMS}
MEMORIES: Mapping[Hook, int] = {
    None: at.NO_HOOK,
    hits_behind_walls: at.HITS,
    being_placed: at.PLACED,
}
BREACHES: Mapping[Hook, int] = {None: at.NO_HOOK, breaks_barrier: at.BREAKS_BARRIER}
PLIGHTS: Mapping[Hook, int] = {None: at.NO_HOOK, plight: at.LYMPOLDING}
CONTESTS: Mapping[Hook, int] = {None: at.NO_HOOK, bound_tables: at.BOUND_TABLES}


class UnknownHookError(ValueError):
    """A game has a rule of its own that the kernel does not know."""


def _code(kind: str, hook: Hook, known: Mapping[Hook, int]) -> int:
    if hook not in known:
        name = getattr(hook, "__qualname__", repr(hook))
        raise UnknownHookError(
            f"The kernel does not know the {kind} {name}, so it cannot play this game."
        )
    return known[hook]


def most_extra(rules: Rules) -> int:
    """The most points beyond one that a game can count."""
    code = _code("worth", rules.worth, WORTHS)
    if code == at.GAMMON:
        return 2
    if code == at.PALMS:
        return rules.men - 1
    return int(_code("verdict", rules.verdict, VERDICTS) in (at.JAN, at.FIGURE_OR_JAN))


def tables(rules: Rules, hidden: int = 64) -> Ints:
    """Lay out a game's rules, and a net of so many hidden units for it; raises UnknownHookError."""
    _refuse_unknown(rules)
    table = np.full(at.TABLES, NOWHERE, np.int32)
    for where, what in {**_scalars(rules), **_dice(rules), **_net(rules, hidden)}.items():
        table[where] = what
    fixed = rules.dice.fixed
    table[at.FIXED : at.FIXED + len(fixed)] = fixed
    for number, side in enumerate(SIDES):
        _way(table, rules, side, number)
        _inputs(table, rules, side, number)
        _track(table, rules, side, number)
    table[at.THROW_COUNT] = 0
    if rules.moving:
        _grasp(table, rules)
    return table


def _refuse_unknown(rules: Rules) -> None:
    if len(rules.board.names) > at.PLACES:
        raise UnknownHookError(
            f"The kernel has room for {at.PLACES} places, and this board has more."
        )
    if rules.sums and (rules.dice.third or rules.dice.doubles.played_twice):
        raise UnknownHookError("The kernel does not know sums of more numbers than there are dice.")
    if rules.battle.played and (rules.battle.dice != 1 or rules.dice.count != len(SIDES)):
        raise UnknownHookError(
            "The kernel knows a roll battle that is played only with one die a side."
        )
    if any(len(rules.home(side)) != len(NUMBERS) for side in Side):
        raise UnknownHookError("The kernel knows only bearing tables of six points.")


def _scalars(rules: Rules) -> dict[int, int]:
    board = rules.board
    return {
        at.WIDTH: len(board.names),
        at.SIZE: board.size,
        at.HAND: board.hand,
        at.OFF: board.off,
        at.MEN: rules.men,
        at.CLOSED: rules.closed,
        at.SUMS: int(rules.sums),
        at.HIGHEST: len(route(rules, Side.GOLD).targets) - 1,
        at.PLACING: _PLACING.index(rules.placing),
        at.REENTRY: _REENTRY.index(rules.reentry),
        at.BEARING: _BEARING.index(rules.bearing),
        at.GATE: rules.men if rules.gate is None else rules.gate,
        at.UNUSABLE: _UNUSABLE.index(rules.unusable),
        at.FALLS_WHOLE: int(rules.falls_whole),
        at.ENDING: _ENDING.index(rules.ending),
        at.PLAYERS: rules.players,
        at.VERDICT: _code("verdict", rules.verdict, VERDICTS),
        at.STANDSTILL: _code("standstill", rules.standstill, STANDSTILLS),
        at.WORTH: _code("worth", rules.worth, WORTHS),
        at.REMEMBERS: _code("memory", rules.memory.after if rules.memory else None, MEMORIES),
        at.BREACH: _code("breach", rules.breach, BREACHES),
        at.CONTEST: _code("contest", rules.contest, CONTESTS),
        at.PLIGHT: _code("plight", rules.plight, PLIGHTS),
        at.BEGINS: SIDES.index(rules.battle.first) if rules.battle.first else NOWHERE,
        at.BATTLE_PLAYED: int(rules.battle.played),
    }


def _dice(rules: Rules) -> dict[int, int]:
    dice = rules.dice
    return {
        at.DICE: dice.count,
        at.FIXED_COUNT: len(dice.fixed),
        at.THIRD: _THIRD.index(dice.third),
        at.PRESUMED: dice.presumed or 0,
        at.NAMED: int(dice.named),
        at.TWICE: int(dice.doubles.played_twice),
        at.AGAIN: int(dice.doubles.throws_again),
        at.ANY_PAIR: int(dice.pairs == "any-pair"),
    }


def _net(rules: Rules, hidden: int) -> dict[int, int]:
    found = input_layout(rules, Side.GOLD)
    return {
        at.HIDDEN: hidden,
        at.INPUTS: found.count,
        at.NET_SIZE: (found.count + 1 + at.OUTPUTS) * hidden + at.OUTPUTS,
        at.EXTRA: most_extra(rules),
        at.WEIGHED_INPUT: found.weighed,
        at.MEMORY_INPUT: found.memory,
    }


def _way(table: Ints, rules: Rules, side: Side, number: int) -> None:
    way = route(rules, side)
    course = rules.course(side)
    width = len(rules.board.names)
    line = number * at.PLACES
    for use, targets in enumerate(way.targets):
        start = at.TARGETS + (number * at.NUMBERS + use) * at.PLACES
        table[start : start + len(targets)] = targets
    table[at.ROOM + line : at.ROOM + line + width] = way.room
    table[at.LATE + line : at.LATE + line + width] = way.late
    table[at.SENT + line : at.SENT + line + rules.board.size] = way.sent
    table[at.HOME + line : at.HOME + line + len(way.home)] = way.home
    table[at.COURSE + line : at.COURSE + line + len(course)] = course
    table[at.COURSE_LENGTH + number] = len(course)
    for step, point in enumerate(way.home):
        table[at.HOME_AT + line + point] = step
    for step, point in enumerate(course):
        table[at.COURSE_AT + line + point] = step
        table[at.PIPS + line + point] = len(course) - step
    for place in (rules.board.hand, *rules.board.bars):
        first = way.targets[1][place]
        table[at.PIPS + line + place] = (
            len(course) + 1 if first < 0 else table[at.PIPS + line + first] + 1
        )
    table[at.PIPS + line + rules.board.off] = 0


def _inputs(table: Ints, rules: Rules, side: Side, number: int) -> None:
    found = input_layout(rules, side)
    for whose, firsts in ((number, found.mine), (1 - number, found.theirs)):
        start = at.FIRST_INPUT + (number * at.SIDES + whose) * at.PLACES
        table[start : start + len(firsts)] = firsts


def _track(table: Ints, rules: Rules, side: Side, number: int) -> None:
    found = track(rules, side)
    line = number * at.PLACES
    table[at.STAND + line : at.STAND + line + len(found.stand)] = found.stand
    for place in found.barred:
        table[at.WAITS + line + place] = 1
    table[at.DOOR + number] = found.door


def _grasp(table: Ints, rules: Rules) -> None:
    found = grasp(rules.dice)
    table[at.THROW_COUNT] = len(found.shares)
    for start, sets in ((at.HIT_BY, found.hits), (at.LATER, found.later.ravel())):
        table[start : start + len(sets)] = sets & ((1 << at.HALF_THROWS) - 1)
        table[start + len(sets) : start + 2 * len(sets)] = sets >> at.HALF_THROWS


def new_desk() -> Desk:
    """Memory in which turns are played."""
    return Desk(
        _new_nodes(), _new_book(), _new_nodes(), _new_book(), np.zeros(at.FLOATS, np.float32)
    )


def _new_book(seed: int = 1) -> Book:
    """Scratch memory for one search, with the random keys by which it knows positions again."""
    book = np.zeros(at.BOOK, np.int64)
    chance = np.random.default_rng(seed)
    book[: at.KEY_OF_MEMORY + 1] = chance.integers(-(2**62), 2**62, at.KEY_OF_MEMORY + 1) | 1
    return book


def _new_nodes() -> Row:
    """Rows for the positions of one search."""
    return np.zeros(at.ROWS, np.int8)
