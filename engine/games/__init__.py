"""One file a game. The registry finds a game by its slug, its title or an alias."""

from collections.abc import Mapping

from engine.games.ludus_anglicorum import LUDUS_ANGLICORUM
from engine.games.pyf import PYF
from engine.games.twelve_dogs import TWELVE_DOGS
from engine.games.zeno import ZENO
from engine.refusal import Refusal, Rule
from engine.rules import Game

GAMES: Mapping[str, Game] = {game.slug: game for game in (ZENO, LUDUS_ANGLICORUM, PYF, TWELVE_DOGS)}
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
