"""Solve the games that are small enough, and store what the page says of them."""

import json
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from engine.games import GAMES
from engine.players.exact import has_plain_bear_off, name_ending_table
from engine.players.variants import format_options
from engine.position import Side, format_men
from engine.rules import Game, Rules, UnusableRule
from lab.solving.apart import SideStates, SolvedPairs, solve_pairs
from lab.solving.bearing_off import (
    KINDS,
    compare_sides,
    find_harm,
    list_steps,
    solve_one_side,
    solve_two_sides,
)
from lab.solving.counts import count_states, list_smallest
from lab.solving.one_table import HELD, solve_table
from lab.solving.playing import Chooser, estimate_greedily, play_games
from lab.solving.tables import (
    build_homes_table,
    build_pairs_table,
    build_points_table,
    write_ending_table,
    write_one_sided,
    write_table,
)

FIGURES = Path(__file__).with_name("figures.json")
GAMES_PLAYED = 1_000_000
"""How many games the solved player plays against itself, to check what it is said to win."""

Figures: TypeAlias = dict[str, Any]

VALUE_BYTES = 8
MEMORY_BYTES = 24 * 10**9
"""What a value takes while a game is solved, and what all of them may take."""

APART = "doblet"
TABLE = "twelve-dogs"
PALM = "paume-carie-one"
BEAR_OFF = "bear-off"
PALM_MEN = (6, 8, 15)
"""With how many men a side Paume carie is solved: every reading with the fewest."""

SOLVED_OPTIONS: Mapping[str, tuple[str, ...]] = {
    APART: ("moving", "dice", "unusable"),
    TABLE: ("win", "unusable"),
    PALM: ("doubles", "unusable"),
}
"""The games that are solved, with the options that make a difference."""


def list_readings(game: Game) -> Iterator[dict[str, str]]:
    """Yield every way to choose the options of a solved game that make a difference."""
    options = [game.find_option(name) for name in SOLVED_OPTIONS[game.slug]]
    for values in product(*(option.values for option in options)):
        yield {option.name: value.name for option, value in zip(options, values, strict=True)}


PALM_READINGS = tuple(
    format_options(options)
    for options in list_readings(GAMES[PALM])
    if options["unusable"] != "opponent"
)
"""The readings of Paume carie that are solved with every man, the usual one first.

Where the other side may use the numbers, a reading takes four times as long.
"""


def count_all_states() -> Figures:
    """Return how many states each game has at most."""
    return {
        slug: {"usual": count_states(game.rules), **dict(list_smallest(game))}
        for slug, game in GAMES.items()
    }


def measure_apart() -> Figures:
    """Return what every reading of Doblet is worth."""
    return {
        format_options(options): _measure_pairs(GAMES[APART].resolve_rules(options))
        for options in list_readings(GAMES[APART])
    }


def measure_tables() -> Figures:
    """Return what every reading of Twelve Dogs is worth."""
    return {
        format_options(options): _measure_table(GAMES[TABLE].resolve_rules(options))
        for options in list_readings(GAMES[TABLE])
    }


def measure_bearing_off() -> Figures:
    """Return what is known of bearing off by each way to throw, and write its tables."""
    return {kind: _measure_bear_off(GAMES[kind].rules, men) for kind, men in KINDS.items()}


def _measure_bear_off(rules: Rules, men: int) -> Figures:
    steps = list_steps(rules, men)
    one, two = solve_one_side(rules, steps), solve_two_sides(rules, steps)
    write_ending_table(rules, build_homes_table(two))
    every = list_steps(rules, rules.men)
    whole = solve_one_side(rules, every)
    write_one_sided(rules, whole)
    harm, more, less = find_harm(every, whole)
    stack = two.men.index((men, 0, 0, 0, 0, 0))
    return {
        "games": [
            slug
            for slug, game in GAMES.items()
            if has_plain_bear_off(game.rules)
            and name_ending_table(game.rules) == name_ending_table(rules)
        ],
        "men": men,
        "states": (len(two.men) - 1) ** 2,
        "stack_wins": float(two.wins[stack, stack]),
        "one_sided_off": float(compare_sides(one, two).max()),
        "one_sided_states": len(whole.men) - 1,
        "mean_throws": float(whole.means[whole.men.index((0, 0, 0, 5, 5, 5))]),
        "harm": harm,
        "harmed": [list(more), list(less)],
    }


def save_figures(figures: Figures) -> None:
    """Store the figures for the page."""
    FIGURES.write_text(json.dumps(figures, indent=1) + "\n", "utf-8")


def load_figures() -> Figures:
    """Load the figures that were stored."""
    figures: Figures = json.loads(FIGURES.read_text("utf-8"))
    return figures


def _measure_table(rules: Rules) -> Figures:
    solved = solve_table(rules)
    write_table(rules, build_points_table(solved))
    at = solved.tables.index((HELD[0],) * 6)
    return {"win": float(solved.wins[at]), "loss": float(solved.losses[at])}


def _measure_pairs(rules: Rules) -> Figures:
    solved = solve_pairs(rules)
    write_table(rules, build_pairs_table(solved))
    states, wins = solved.states, solved.wins
    start = states.men.index(rules.start_position.men(Side.GOLD))
    return {
        "states": 2 * (len(states.men) - 1) ** 2,
        "win": float(wins[start, start]),
        **(_find_strangest(rules, solved) if rules.unusable is UnusableRule.OPPONENT else {}),
        # To play takes far longer than to solve, so it is done by the usual rules, and with moves.
        **(_play_pairs(rules, solved, start) if _is_played(rules) else {}),
    }


def _is_played(rules: Rules) -> bool:
    usual = GAMES[APART].rules
    return (rules.dice, rules.unusable) == (usual.dice, usual.unusable)


def _play_pairs(rules: Rules, solved: SolvedPairs, start: int) -> Figures:
    """Return what comes of games of the best player against itself, and of others with greedy."""
    states = solved.states
    guesses = estimate_greedily(rules, states)
    choosers = {side: Chooser(rules, states, side) for side in Side}
    best = {side: choosers[side].build_policy(solved.wins) for side in Side}
    greedy = {side: choosers[side].build_policy(guesses) for side in Side}
    itself = play_games(states, start, best[Side.GOLD], best[Side.BLACK], GAMES_PLAYED, seed=1)
    won = 0
    each = GAMES_PLAYED // 4
    for seed, side in enumerate(Side, 2):
        begun = play_games(states, start, best[side], greedy[side.other], each, seed)
        other = play_games(states, start, greedy[side.other], best[side], each, 10 * seed)
        won += begun.first_wins + each - other.first_wins
    return {
        "games": itself.games,
        "won": itself.first_wins,
        "throws": itself.throws,
        "offers": itself.offers,
        "declined": itself.declined,
        "against_greedy": won / (4 * each),
    }


def _find_strangest(rules: Rules, solved: SolvedPairs) -> Figures:
    """Return where a number that the other side leaves is left alone at the greatest gain.

    With it comes the share of all states in which one such number is better left than used.
    """
    states = solved.states
    after = 1 - solved.wins.T
    after[:, states.done] = 0.0
    after[states.done] = np.nan
    most, better, every = (-1.0, 0, 0, 0), 0, 0
    for number, ends in enumerate(states.steps, 1):
        padded = np.hstack((after, np.full((len(after), 1), np.inf)))
        gain = padded[:, ends].min(axis=2) - after
        useless = ends[:, 0] == len(after)
        # Only what is of no use to the thrower, and is of some to the other side, is offered.
        gain[~useless] = np.nan
        gain[:, useless] = np.nan
        every += int(np.isfinite(gain).sum())
        better += int((gain > 1e-9).sum())
        at = np.unravel_index(int(np.nanargmax(gain)), gain.shape)
        most = max(most, (float(gain[at]), number, int(at[0]), int(at[1])))
    gained, number, thrower, answerer = most
    left = 1 - float(after[thrower, answerer])
    return {
        "left_better": better / every,
        "number": number,
        "thrower": _format_side(rules, states, thrower),
        "answerer": _format_side(rules, states, answerer),
        "left": left,
        "used": left - gained,
    }


def _format_side(rules: Rules, states: SideStates, at: int) -> str:
    return format_men(states.men[at], rules.board)
