"""Which game some rules belong to: players are asked about rules, and a net is made for a game."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import product

from engine.games import EDITIONS
from engine.rules import Game, Rules
from engine.throws import is_rule_change

Options = Mapping[str, str]
"""The values chosen for a game's options by their names, where they are not the defaults."""


def format_options(options: Options) -> str:
    """Return options as they are written: `goal=off`, with a full stop between two."""
    return ".".join(f"{name}={value}" for name, value in options.items())


def parse_option(text: str) -> Options:
    """Read one option as it is written."""
    name, _, value = text.partition("=")
    return {name: value}


def iter_variants(game: Game) -> Iterator[Options]:
    """Yield every non-default value of one option that by itself makes a game a different game."""
    usual = game.resolve_rules({})
    for option in game.options:
        # Which table the starter chooses only gives the points other letters.
        if not option.starter_chooses:
            every = ({option.name: value.name} for value in option.values[1:])
            yield from (
                options for options in every if is_rule_change(game.resolve_rules(options), usual)
            )


def identify_game(rules: Rules) -> Game:
    """Return the game that has these rules with some of its options.

    Raises ValueError for rules of no game.
    """
    return identify_setting(rules)[0]


def identify_setting(rules: Rules) -> tuple[Game, Options]:
    """Return the game that has these rules, and with which options.

    Raises ValueError for rules of no game.
    """
    try:
        return _index_settings()[rules]
    except KeyError:
        raise ValueError("rules of no game that is here") from None


@lru_cache(maxsize=1)
def _index_settings() -> dict[Rules, tuple[Game, Options]]:
    settings = [(game, options) for game in EDITIONS.values() for options in iter_choices(game)]
    known: dict[Rules, tuple[Game, Options]] = {}
    # Options can make one game's rules the same as another's: they are those of the game that needs
    # fewer of them.
    for game, options in sorted(settings, key=lambda setting: len(setting[1])):
        known.setdefault(game.resolve_rules(options), (game, options))
    return known


def iter_choices(game: Game) -> Iterator[Options]:
    """Yield every way to choose a game's options, without those that are left at their default."""
    for values in product(*(option.values for option in game.options)):
        chosen = zip(game.options, values, strict=True)
        yield {
            option.name: value.name for option, value in chosen if value is not option.default_value
        }
