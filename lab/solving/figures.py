"""Solve the games that are small enough, and store what the page says of them."""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import numpy as np

from engine.games import GAMES
from engine.players.exact import has_plain_bear_off, name_ending_table
from engine.players.variants import format_options
from engine.position import Side, format_men
from engine.rules import Game, Rules, UnusableRule
from lab.command_line import write_beside
from lab.solving.apart import SideStates, SolvedPairs, solve_pairs
from lab.solving.bearing_off import (
    KINDS,
    compare_sides,
    find_harm,
    list_steps,
    solve_one_side,
    solve_two_sides,
)
from lab.solving.counts import count_states, find_smallest
from lab.solving.one_table import HELD, solve_table
from lab.solving.playing import Chooser, Policy, estimate_greedily, play_games, play_table_games
from lab.solving.tables import (
    build_homes_table,
    build_pairs_table,
    build_points_table,
    write_ending_table,
    write_one_sided,
    write_table,
)
from lab.studies.study import CONFIDENCE_Z, Mean

FIGURES = Path(__file__).with_name("figures.json")
GAMES_PLAYED = 1_000_000
"""How many games the solved player plays against itself, to check what it is said to win."""
GREEDY_GAMES = 500_000
"""How many games it plays against greedy."""

NEXT_TO_NOTHING = 1e-9
"""A difference between two values that may be an error of the sums."""

SEED = 1
GREEDY_SEED = 2

SHARES = (("won", "win"), ("lost", "loss"), ("won_for_points", "win_for_points"))
"""Under which names the games with a result are stored, and the chance that they should show."""

Figures: TypeAlias = dict[str, Any]
Reading: TypeAlias = tuple[tuple[str, ...], Callable[[], Figures]]
"""Under which names figures are stored within their part, and what works them out."""
Solved = TypeVar("Solved")

VALUE_BYTES = 8
MEMORY_BYTES = 24 * 10**9
"""What a value takes while a game is solved, and what all of them may take."""

APART = "doblet"
TABLE = "twelve-dogs"
PALM = "paume-carie-one"
BEAR_OFF = "bear-off"
PALM_MEN = (6, 15)
"""With how many men a side Paume carie is solved."""

SOLVED_OPTIONS: Mapping[str, tuple[str, ...]] = {
    APART: ("moving", "dice", "unusable"),
    TABLE: ("win", "unusable"),
    PALM: ("players", "bearing", "doubles", "unusable"),
}
"""The games that are solved, with the options that make a difference."""

UNNAMED = {PALM: ("players", "bearing")}
"""Options that aren't named where they are usual: most readings have them so."""


def list_readings(game: Game) -> Iterator[dict[str, str]]:
    """Yield every way to choose the options of a solved game that make a difference."""
    options = [game.find_option(name) for name in SOLVED_OPTIONS[game.slug]]
    for values in product(*(option.values for option in options)):
        yield {option.name: value.name for option, value in zip(options, values, strict=True)}


def name_reading(game: Game, chosen: Mapping[str, str]) -> str:
    """Return the name of a reading of a solved game, whose other options are the usual ones."""
    usual = {name: game.find_option(name).default_value.name for name in SOLVED_OPTIONS[game.slug]}
    unnamed = UNNAMED.get(game.slug, ())
    options = {name: chosen.get(name, value) for name, value in usual.items()}
    return format_options(
        {
            name: value
            for name, value in options.items()
            if name not in unnamed or value != usual[name]
        }
    )


def list_palm_readings(men: int) -> Iterator[dict[str, str]]:
    """Yield the readings of Paume carie that are solved with so many men a side.

    With every man all of them would take days, so of those with teams or with another way to bear
    off only those are solved that are usual otherwise.
    """
    game = GAMES[PALM]
    for options in list_readings(game):
        changed = [
            name
            for name, value in options.items()
            if value != game.find_option(name).default_value.name
        ]
        if men < game.rules.men or len(changed) < 2 or not {*changed} & {*UNNAMED[PALM]}:
            yield options


def count_all_states() -> Figures:
    """Return how many states each game has at most, and with the options that leave it fewest."""
    return {slug: _count_game_states(game) for slug, game in GAMES.items()}


def _count_game_states(game: Game) -> Figures:
    usual = count_states(game.rules)
    name, smallest = find_smallest(game)
    # What is no less by half is of the same size.
    return {"usual": usual, **({name: smallest} if 2 * smallest < usual else {})}


def iter_apart() -> Iterator[Reading]:
    """Yield every reading of Doblet."""
    for options in list_readings(GAMES[APART]):
        rules = GAMES[APART].resolve_rules(options)
        yield (name_reading(GAMES[APART], options),), partial(_measure_pairs, rules)


def iter_tables() -> Iterator[Reading]:
    """Yield every reading of Twelve Dogs."""
    for options in list_readings(GAMES[TABLE]):
        rules = GAMES[TABLE].resolve_rules(options)
        yield (name_reading(GAMES[TABLE], options),), partial(_measure_table, rules)


def iter_bearing_off() -> Iterator[Reading]:
    """Yield each way to throw in bearing off, whose tables are written too."""
    for kind, men in KINDS.items():
        yield (kind,), partial(_measure_bear_off, GAMES[kind].rules, men)


def _measure_bear_off(rules: Rules, men: int) -> Figures:
    steps = list_steps(rules, men)
    one = solve_one_side(rules, steps)
    two, seconds = measure_seconds(lambda: solve_two_sides(rules, steps))
    path = write_ending_table(rules, build_homes_table(two))
    every = list_steps(rules, rules.men)
    whole, one_sided_seconds = measure_seconds(lambda: solve_one_side(rules, every))
    one_sided_path = write_one_sided(rules, whole)
    harm, more, less = find_harm(every, whole)
    stack = two.men.index((men, 0, 0, 0, 0, 0))
    return {
        "games": [
            slug
            for slug, game in GAMES.items()
            if has_plain_bear_off(game.resolve_rules({}))
            and name_ending_table(game.resolve_rules({})) == name_ending_table(rules)
        ],
        "men": men,
        "states": (len(two.men) - 1) ** 2,
        "stack_wins": float(two.wins[stack, stack]),
        "one_sided_off": float(compare_sides(one, two).max()),
        "one_sided_states": len(whole.men) - 1,
        "mean_throws": float(whole.means[whole.men.index((0, 0, 0, 5, 5, 5))]),
        "harm": harm,
        "harmed": [list(more), list(less)],
        "seconds": seconds,
        "bytes": path.stat().st_size,
        "one_sided_seconds": one_sided_seconds,
        "one_sided_bytes": one_sided_path.stat().st_size,
    }


def measure_seconds(solve: Callable[[], Solved]) -> tuple[Solved, float]:
    """Return what a function returns, and the seconds of processor time that it took."""
    begun = time.process_time()
    solved = solve()
    return solved, round(time.process_time() - begun, 1)


def save_figures(figures: Figures) -> None:
    """Store the figures for the page."""
    write_beside(FIGURES, json.dumps(figures, indent=1) + "\n")


def load_figures() -> Figures:
    """Load the figures that were stored."""
    figures: Figures = json.loads(FIGURES.read_text("utf-8"))
    return figures


def list_reading_figures(figures: Figures) -> Iterator[tuple[str, str, int, Figures]]:
    """Yield the game, the reading, the men a side and what is stored of all that was solved."""
    for slug in (APART, TABLE):
        for name, each in figures[slug].items():
            yield slug, name, GAMES[slug].rules.men, each
    for men, readings in figures[PALM].items():
        for name, each in sort_palm_readings(readings):
            yield PALM, name, int(men), each


def estimate_points(each: Figures) -> Mean:
    """Return how many points the side that began gained a game, where both played for points."""
    games = each["games"]
    mean = each["gained"] / games
    # Points are whole numbers of slaps, so their sums are stored without loss.
    return Mean(mean, CONFIDENCE_Z * ((each["gained_squares"] / games - mean**2) / games) ** 0.5)


def sort_palm_readings(readings: Figures) -> Iterator[tuple[str, Figures]]:
    """Yield those readings of Paume carie that are stored, the usual one first."""
    for options in list_readings(GAMES[PALM]):
        name = name_reading(GAMES[PALM], options)
        if name in readings:
            yield name, readings[name]


def _measure_table(rules: Rules) -> Figures:
    solved, seconds = measure_seconds(lambda: solve_table(rules))
    path = write_table(rules, build_points_table(solved))
    at = solved.tables.index((HELD[0],) * 6)
    tally = play_table_games(solved, at, GAMES_PLAYED, SEED)
    return {
        "states": len(solved.tables),
        "win": float(solved.wins[at]),
        "loss": float(solved.losses[at]),
        "seed": SEED,
        "games": tally.games,
        "won": tally.first_wins,
        "lost": tally.first_losses,
        "throws": tally.throws,
        "seconds": seconds,
        "bytes": path.stat().st_size,
    }


def _measure_pairs(rules: Rules) -> Figures:
    solved, seconds = measure_seconds(lambda: solve_pairs(rules))
    path = write_table(rules, build_pairs_table(solved))
    states, wins = solved.states, solved.wins
    start = states.men.index(rules.start_position.men(Side.GOLD))
    return {
        "states": 2 * (len(states.men) - 1) ** 2,
        "win": float(wins[start, start]),
        **(_find_strangest(rules, solved) if rules.unusable is UnusableRule.OPPONENT else {}),
        **_find_harmed(solved),
        **_play_pairs(rules, solved, start),
        "seconds": seconds,
        "bytes": path.stat().st_size,
    }


def has_choice(states: SideStates) -> bool:
    """Whether any throw, or numbers that the other side leaves, can be played in several ways."""
    # What is left to a side it may always leave alone.
    return states.rules.unusable is UnusableRule.OPPONENT or any(
        len(plays) > 1 for throws in states.plays for plays in throws
    )


def _play_pairs(rules: Rules, solved: SolvedPairs, start: int) -> Figures:
    """Return what comes of games of the best player against itself, and of others with greedy.

    Greedy is met where there is a choice; elsewhere it plays as the best player does.
    """
    states = solved.states
    choosers = {side: Chooser(rules, states, side) for side in Side}
    best = {side: choosers[side].build_policy(solved.wins) for side in Side}
    tally = play_games(states, start, best[Side.GOLD], best[Side.BLACK], GAMES_PLAYED, SEED)
    found: Figures = {
        "seed": SEED,
        "games": tally.games,
        "won": tally.first_wins,
        "throws": tally.throws,
        "offers": tally.offers,
        "declined": tally.declined,
    }
    if has_choice(states):
        guesses = estimate_greedily(rules, states)
        greedy = {side: choosers[side].build_policy(guesses) for side in Side}
        found["greedy_seed"] = GREEDY_SEED
        found["greedy_games"] = GREEDY_GAMES
        found["greedy_won"] = _meet(states, start, best, greedy)
    return found


def _meet(
    states: SideStates, start: int, best: Mapping[Side, Policy], greedy: Mapping[Side, Policy]
) -> int:
    """Return how many games the best player wins: a quarter each with either side, or second."""
    chance = np.random.default_rng(GREEDY_SEED)
    each = GREEDY_GAMES // 4
    won = 0
    for side in Side:
        begun = play_games(states, start, best[side], greedy[side.other], each, chance)
        other = play_games(states, start, greedy[side.other], best[side], each, chance)
        won += begun.first_wins + each - other.first_wins
    return won


def _find_harmed(solved: SolvedPairs) -> Figures:
    """Return how often, and by how much at most, it harms a side that one man is further on.

    Compared are all states, with either side to throw next, and every single number.
    """
    states, wins = solved.states, solved.wins
    going_on = np.arange(len(wins)) != states.done
    steps = harmful = 0
    harm = 0.0
    for ends in (column for each in states.steps for column in each.T):
        usable = ends < len(wins)
        for view in (wins, 1 - wins.T):
            lost = (view[usable] - view[ends[usable]])[:, going_on]
            steps += lost.size
            harmful += int((lost > NEXT_TO_NOTHING).sum())
            harm = max(harm, float(lost.max(initial=0.0)))
    return {"steps": steps, "harmful": harmful, "harm": harm}


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
        better += int((gain > NEXT_TO_NOTHING).sum())
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
