"""Which net judges a game: each is read when it is first needed, and then kept.

A game has one net, and may have others made for a value of one option, where the game's own is not
good.
"""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from engine.players.files import WEIGHTS, file_name
from engine.players.inputs import lay_out_inputs
from engine.players.net import Net, load_net
from engine.players.variants import identify_setting
from engine.position import Side
from engine.rules import Rules


@lru_cache(maxsize=1024)
def get_net(rules: Rules) -> Net | None:
    """Return the net for these rules; None where the game has none, or none for such rules."""
    return find_net(rules, WEIGHTS, load_net_cached)


def load_net_if_present(path: Path) -> Net | None:
    """Read the net in a file, if there is one; raises what `load_net` does for an unusable net."""
    return load_net(path) if path.exists() else None


load_net_cached = lru_cache(maxsize=256)(load_net_if_present)
"""`load_net_if_present`, but each file is read once.

Those of the players do not change while they play.
"""


def find_net(
    rules: Rules, folder: Path, read: Callable[[Path], Net | None] = load_net_if_present
) -> Net | None:
    """Return a folder's net for these rules.

    A net made for an option chosen in them comes before the game's own.
    """
    game, chosen = identify_setting(rules)
    # Nets are made for one option at most, so the game's own is left for any other choice.
    for options in (*({name: value} for name, value in chosen.items()), {}):
        net = read(folder / file_name(game, options))
        if net and is_compatible(net, game.resolve_rules(options), rules):
            return net
    return None


def is_compatible(net: Net, made_for: Rules, rules: Rules) -> bool:
    """Whether a net made for some rules of a game is good for others of it.

    It is, as long as it sees the same places and the game is won in the same way.
    """
    if rules.ending is not made_for.ending:
        return False
    return all(lay_out_inputs(rules, side).count == len(net.first) for side in Side)
