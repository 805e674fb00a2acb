"""What pictures keep in memory."""

import gc
from random import Random

from engine.games import GAMES
from engine.match import follow, new_match
from engine.playout import next_event
from render.board import draw
from render.ground import Ground
from render.scene import Scene, View
from render.theme import themes

MOST = 64 * 1024 * 1024


def kept() -> int:
    """Bytes of pixels that grounds and their patches hold."""
    gc.collect()
    found = [each for each in gc.get_objects() if isinstance(each, Ground)]
    return sum(each.size for each in found)


def test_many_games_in_every_theme_stay_within_their_memory() -> None:
    chance = Random(5)
    for slug in ("zeno", "duodecim-scripta", "backgammon", "seis-dos-e-as"):
        for theme in themes().values():
            match = new_match(GAMES[slug], {})
            for number in range(60):
                match = follow(match, next_event(match, chance))
                draw(Scene(match.rules, match.position, ("Ana", "Ben"), slug, f"throw {number}"), View(theme))
    assert 1_000_000 < kept() < MOST
