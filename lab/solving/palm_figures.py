"""What is stored of Paume carie on one table: all readings with few men, some with every man."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from engine.games import GAMES
from engine.players.variants import format_options
from engine.rules import Rules
from lab.solving.figures import PALM, PALM_MEN, PALM_READINGS, Figures, Reading, list_readings
from lab.solving.palm import SolvedPalm, play_games, solve_palm

GAMES_PLAYED = 1_000_000
"""How many games are played by the usual rules with every man."""

SEED = 1


def measure_palm() -> Figures:
    """Return what the readings of Paume carie are worth, by how many men a side has.

    With every man a reading takes minutes and 3 GB.
    """
    return {str(men): dict(_measure_readings(men)) for men in PALM_MEN}


def _measure_readings(men: int) -> Iterator[tuple[str, Figures]]:
    game = GAMES[PALM]
    for options in list_readings(game):
        name = format_options(options)
        if men == PALM_MEN[0] or name in PALM_READINGS:
            rules = deal_few(game.resolve_rules(options), men)
            yield name, _measure_reading(rules, played=rules == game.rules)


def deal_few(rules: Rules, men: int) -> Rules:
    """Return the rules with so many men a side, all in hand at first."""
    gold, black = (replace(side, start=f"hand{men}") for side in (rules.gold, rules.black))
    return replace(rules, men=men, gold=gold, black=black)


def _measure_reading(rules: Rules, *, played: bool) -> Figures:
    solved = solve_palm(rules)
    return {
        "states": len(solved.values),
        "win": (1 + solved.evaluate(rules.start_position)) / 2,
        **(_play_games(solved) if played else {}),
    }


def _play_games(solved: SolvedPalm) -> Figures:
    """Return what comes of games of the best player against itself, and of others with chance."""
    problem, values = solved.problem, solved.values
    itself = play_games(problem, values, GAMES_PLAYED, SEED, True, True)
    each = GAMES_PLAYED // 4
    begun = play_games(problem, values, each, SEED + 1, True, False)
    other = play_games(problem, values, each, SEED + 2, False, True)
    return {
        "seed": SEED,
        "games": itself.games,
        "won": int(itself.wins),
        "throws": int(itself.throws),
        "choices": int(itself.choices),
        "against_random": (begun.wins + each - other.wins) / (2 * each),
        "gap": {
            "loses": itself.gap / 2,
            "numbers": [int(itself.high), int(itself.low)],
            "points": [_name_content(solved.rules, int(content)) for content in itself.contents],
            "waiting": [int(men) for men in itself.men[:2]],
        },
    }


def _name_content(rules: Rules, content: int) -> list[int]:
    return [content, 0] if content <= rules.men else [0, content - rules.men]


def iter_palm() -> Iterator[Reading]:
    """Yield every reading by how many men a side has, to be stored when it is solved."""
    game = GAMES[PALM]
    for men in PALM_MEN:
        for options in list_readings(game):
            name = format_options(options)
            if men == PALM_MEN[0] or name in PALM_READINGS:
                rules = deal_few(game.resolve_rules(options), men)
                yield (str(men), name), partial(_measure_reading, rules, played=rules == game.rules)
