"""Which game some rules belong to: players are asked about rules, and a net is made for a game."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import product

from engine.games import EDITIONS
from engine.rules import Game, Rules


def game_of(rules: Rules) -> Game:
    """Return the game that has these rules with some of its options; raises ValueError for rules of none."""
    try:
        return _known()[rules]
    except KeyError:
        raise ValueError("rules of no game that is here") from None


@lru_cache(maxsize=1)
def _known() -> dict[Rules, Game]:
    known: dict[Rules, Game] = {}
    # With its defaults every game comes first: options can make one game's rules the same as another's.
    for game in EDITIONS.values():
        known.setdefault(game.rules_with({}), game)
    for game in EDITIONS.values():
        for rules in _with_options(game):
            known.setdefault(rules, game)
    return known


def _with_options(game: Game) -> Iterator[Rules]:
    names = [option.name for option in game.options]
    for values in product(*([value.name for value in option.values] for option in game.options)):
        yield game.rules_with(dict(zip(names, values, strict=True)))
