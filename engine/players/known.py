"""Which game some rules belong to: players are asked about rules, and a net is made for a game."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import product

from engine.games import EDITIONS
from engine.rules import Game, Rules

Options = Mapping[str, str]
"""The values chosen for a game's options by their names, where they are not the defaults."""


def spelt(options: Options) -> str:
    """Return options as they are written: `goal=off`, with a full stop between two."""
    return ".".join(f"{name}={value}" for name, value in options.items())


def read_option(text: str) -> Options:
    """Read one option as it is written."""
    name, _, value = text.partition("=")
    return {name: value}


def game_of(rules: Rules) -> Game:
    """Return the game that has these rules with some of its options; raises ValueError for rules of none."""
    return setting_of(rules)[0]


def setting_of(rules: Rules) -> tuple[Game, Options]:
    """Return the game that has these rules, and with which options; raises ValueError for rules of none."""
    try:
        return _known()[rules]
    except KeyError:
        raise ValueError("rules of no game that is here") from None


@lru_cache(maxsize=1)
def _known() -> dict[Rules, tuple[Game, Options]]:
    known: dict[Rules, tuple[Game, Options]] = {}
    # With its defaults every game comes first: options can make one game's rules the same as another's.
    for game in EDITIONS.values():
        known.setdefault(game.rules_with({}), (game, {}))
    for game in EDITIONS.values():
        for options in _choices(game):
            known.setdefault(game.rules_with(options), (game, options))
    return known


def _choices(game: Game) -> Iterator[Options]:
    for values in product(*(option.values for option in game.options)):
        chosen = zip(game.options, values, strict=True)
        yield {option.name: value.name for option, value in chosen if value is not option.default}
