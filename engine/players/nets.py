"""Which net judges a game: each is read when it is first needed, and then kept."""

from functools import lru_cache
from pathlib import Path

from engine.players.inputs import layout
from engine.players.known import game_of
from engine.players.net import WEIGHTS, Net, load
from engine.position import Side
from engine.rules import Game, Rules


@lru_cache(maxsize=1024)
def net_for(rules: Rules) -> Net | None:
    """Return the net that judges these rules, or None where the game has none, or none for such rules."""
    game = game_of(rules)
    net = net_in(WEIGHTS / f"{game.slug}.npz")
    return net if net and fits(net, game, rules) else None


def fits(net: Net, game: Game, rules: Rules) -> bool:
    """Whether a game's net is good for these rules.

    A net made for a game's usual rules is good for its other options too, as long as it sees the same places and the
    game is won in the same way.
    """
    if rules.ending is not game.rules.ending:
        return False
    return all(layout(rules, side).count == len(net.first) for side in Side)


@lru_cache(maxsize=64)
def net_in(path: Path) -> Net | None:
    """Return the net kept in a file, or None where there is none."""
    return load(path) if path.exists() else None
