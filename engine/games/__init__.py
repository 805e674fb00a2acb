"""One file a game. The registry finds a game by its slug, its title or an alias.

Every Game that a module of this folder defines is in the registry: a new game is one new file.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from pkgutil import iter_modules

from engine.refusal import Refusal, Rule
from engine.rules import Family, Game


def _found() -> Iterator[Game]:
    for module in iter_modules(__path__):
        yield from (
            each for each in vars(import_module(f"{__name__}.{module.name}")).values() if isinstance(each, Game)
        )


def _order(game: Game) -> tuple[int, int, str]:
    return list(Family).index(game.family), game.rank, game.title


GAMES: Mapping[str, Game] = {game.slug: game for game in sorted(_found(), key=_order)}
"""Every game by its slug, in the order in which they are shown."""


def find_game(name: str) -> Game:
    """Return the game of that slug, title or alias, in any case; raises Refusal naming the games there are."""
    wanted = name.casefold().strip()
    for game in GAMES.values():
        if wanted in (known.casefold() for known in (game.slug, game.title, *game.aliases)):
            return game
    raise Refusal(
        Rule.OPTION,
        f"{name} is not a game here; there are {', '.join(GAMES)}",
        tuple(GAMES),
    )
