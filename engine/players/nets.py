"""Which net judges a game: each is read when it is first needed, and then kept.

A game has one net, and may have others made for a value of one option, where the game's own is not
good.
"""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from engine.players.files import WEIGHTS, file_name
from engine.players.inputs import layout
from engine.players.known import setting_of
from engine.players.net import Net, load
from engine.position import Side
from engine.rules import Rules


@lru_cache(maxsize=1024)
def net_for(rules: Rules) -> Net | None:
    """Return the net for these rules; None where the game has none, or none for such rules."""
    return find_net(rules, WEIGHTS, net_in)


def read_net(path: Path) -> Net | None:
    """Read the net in a file, if there is one; raises what `load` does for an unusable net."""
    return load(path) if path.exists() else None


net_in = lru_cache(maxsize=256)(read_net)
"""`read_net`, but each file is read once: those of the players do not change while they play."""


def find_net(
    rules: Rules, folder: Path, read: Callable[[Path], Net | None] = read_net
) -> Net | None:
    """Return a folder's net for these rules.

    A net made for an option chosen in them comes before the game's own.
    """
    game, chosen = setting_of(rules)
    for options in (*({name: value} for name, value in chosen.items()), {}):
        net = read(folder / file_name(game, options))
        if net and fits(net, game.rules_with(options), rules):
            return net
    return None


def fits(net: Net, made_for: Rules, rules: Rules) -> bool:
    """Whether a net made for some rules of a game is good for others of it.

    It is, as long as it sees the same places and the game is won in the same way.
    """
    if rules.ending is not made_for.ending:
        return False
    return all(layout(rules, side).count == len(net.first) for side in Side)
