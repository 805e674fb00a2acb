"""What is stored of Paume carie on one table: its readings with few men, and more men in turn."""

from dataclasses import replace

from engine.games import GAMES
from engine.players.variants import format_options
from engine.rules import Rules
from lab.solving.figures import PALM, PALM_MEN, Figures, list_readings
from lab.solving.palm import SolvedPalm, play_games, solve_palm

GAMES_PLAYED = 1_000_000
SEED = 1


def measure_palm(*, every_man: bool = False) -> Figures:
    """Return the figures of all readings with few men, and of the usual one with more.

    To solve it with every man takes ten minutes and 3 GB.
    """
    game = GAMES[PALM]
    counts = (*PALM_MEN, game.rules.men) if every_man else PALM_MEN
    return {
        "usual": {
            # Games are played with as many men as there are: they take longer than to solve it.
            str(men): _measure_reading(deal_few(game.rules, men), played=men == counts[-1])
            for men in counts
        },
        "readings": {
            format_options(options): _measure_reading(
                deal_few(game.resolve_rules(options), PALM_MEN[0]), played=False
            )
            for options in list_readings(game)
        },
    }


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
