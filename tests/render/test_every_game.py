"""Pictures of every game under way, from both seats and in every theme."""

import io
from random import Random

import pytest
from PIL import Image

from engine.games import GAMES
from engine.match import Match, Phase, follow, new_match
from engine.playout import next_event
from engine.position import Side
from render.board import draw
from render.describe import LONGEST, describe, text_board
from render.geometry import WIDTH
from render.layout import lay_out
from render.scene import Die, Moved, Scene, View
from render.theme import themes


def shown(match: Match) -> Scene:
    """What there is to see of a match, places to go included."""
    last = tuple(Moved(move.source, move.target, move.hit) for move in match.moves)
    dice = tuple(Die(number) for number in match.position.dice)
    reach = frozenset(move.target for move in match.next_moves())
    names = "Ana", "Ben"
    return Scene(
        match.rules,
        match.position,
        names,
        match.game.title,
        "to play",
        dice,
        last,
        match.turn,
        reach=reach,
    )


@pytest.mark.sweep
@pytest.mark.parametrize("slug", GAMES)
def test_a_game_under_way_can_be_drawn_and_told(slug: str) -> None:
    chance = Random(17)
    match = new_match(GAMES[slug], {})
    for at in range(160):
        if match.phase is Phase.OVER:
            break
        match = follow(match, next_event(match, chance))
        if at % 20 != 19:
            continue
        scene = shown(match)
        for theme in themes().values():
            view = View(theme, chance.choice(list(Side)), chance.random() < 0.5)
            with Image.open(io.BytesIO(draw(scene, view))) as image:
                assert image.size == (WIDTH, lay_out(match.rules, view.below).height)
        assert describe(scene).endswith("to play.")
        assert len(describe(scene)) <= LONGEST
        # The bot leaves a board in plain lines this much of a message.
        assert len(text_board(scene)) <= 1500
