"""What is stored of Paume carie on one table: all readings, with few men and with every man."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from engine.games import GAMES
from engine.rules import Rules
from lab.solving.figures import (
    GAMES_PLAYED,
    PALM,
    PALM_MEN,
    SEED,
    Figures,
    Reading,
    list_palm_readings,
    measure_seconds,
    name_reading,
)
from lab.solving.palm import PalmTally, SolvedPalm, play_games, solve_palm
from lab.solving.tables import name_large_table, write_large_table

FEW_GAMES = 100_000
"""How many games the solved player plays by those readings of which there are many."""


def iter_palm() -> Iterator[Reading]:
    """Yield the readings of Paume carie, each by how many men a side has.

    With every man a reading takes from ten minutes to an hour of processor time, and 3 GB for each
    player of a side; the usual one is solved for slaps as well, takes 6 GB, and has its table
    written.
    """
    game = GAMES[PALM]
    for men in PALM_MEN:
        for options in list_palm_readings(men):
            rules = game.resolve_rules(options)
            yield (str(men), name_reading(game, options)), partial(measure_reading, rules, men)


def measure_reading(rules: Rules, men: int) -> Figures:
    """Return what a reading is worth with so many men a side."""
    few, usual = deal_few(rules, men), GAMES[PALM].rules
    is_usual, is_few = rules == usual, few != rules
    has_usual_sides = (rules.players, rules.bearing) == (usual.players, usual.bearing)
    games = FEW_GAMES if is_few and not has_usual_sides else GAMES_PLAYED
    # Slaps take twice the memory, so with every man only the reading is solved that has a table.
    figures = _measure_wins(few, games, is_whole=is_usual and not is_few)
    if is_few or is_usual:
        figures |= _measure_points(few, games, is_whole=not is_few)
    return figures


def deal_few(rules: Rules, men: int) -> Rules:
    """Return the rules with so many men a side, all in hand at first."""
    gold, black = (replace(side, start=f"hand{men}") for side in (rules.gold, rules.black))
    return replace(rules, men=men, gold=gold, black=black)


def _measure_wins(rules: Rules, games: int, *, is_whole: bool) -> Figures:
    """Solve the game for sides that play to win, and play games by that."""
    solved, seconds = measure_seconds(lambda: solve_palm(rules))
    itself = play_games(solved.problem, solved.values, games, SEED, True, True)
    return {
        "states": len(solved.values),
        "seconds": seconds,
        "win": solved.win(rules.start_position),
        "seed": SEED,
        "games": itself.games,
        "won": int(itself.wins),
        "throws": int(itself.throws),
        "choices": int(itself.choices),
        **(_meet_chance(solved, itself) if is_whole else {}),
    }


def _meet_chance(solved: SolvedPalm, itself: PalmTally) -> Figures:
    """Return how the best player does against any plays by chance, and its hardest choice."""
    problem, values = solved.problem, solved.values
    each = itself.games // 4
    begun = play_games(problem, values, each, SEED + 1, True, False)
    other = play_games(problem, values, each, SEED + 2, False, True)
    return {
        "against_random": (begun.wins + each - other.wins) / (2 * each),
        "gap": {
            "loses": itself.gap / 2,
            "numbers": [int(itself.high), int(itself.low)],
            "points": [_name_content(solved.rules, int(content)) for content in itself.contents],
            "waiting": [int(men) for men in itself.men[:2]],
        },
    }


def _measure_points(rules: Rules, games: int, *, is_whole: bool) -> Figures:
    """Solve the game for sides that play for slaps; the whole game's table is written."""
    solved = solve_palm(rules, counts_men=True)
    written = {}
    if is_whole:
        path = name_large_table(rules)
        write_large_table(path, rules.men, solved.values)
        written["bytes"] = path.stat().st_size
    # The same dice as where both play to win, so that the two aims can be compared.
    itself = play_games(solved.problem, solved.values, games, SEED, True, True)
    return {
        "points": solved.evaluate(rules.start_position),
        "win_for_points": solved.win(rules.start_position),
        "gained": int(itself.points),
        "gained_squares": int(itself.squares),
        "won_for_points": int(itself.wins),
        **written,
    }


def _name_content(rules: Rules, content: int) -> list[int]:
    return [content, 0] if content <= rules.men else [0, content - rules.men]
