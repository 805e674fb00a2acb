"""Pictures of every game under way, from both seats and in every theme."""

import io
from random import Random

import pytest
from PIL import Image

from engine.games import GAMES
from engine.match import Match, Phase, apply_unchecked, new_match
from engine.playout import choose_event
from engine.position import Side
from render.board import draw_board
from render.describe import MAX_ALT_TEXT, describe_scene, format_board
from render.geometry import WIDTH
from render.layout import lay_out_board
from render.scene import Die, Scene, SceneMove, SceneOption, View
from render.theme import load_themes


def build_scene(match: Match) -> Scene:
    """What there is to see of a match, places to go included."""
    last = tuple(SceneMove(move.source, move.target, move.hit) for move in match.moves)
    dice = tuple(Die(number) for number in match.position.dice)
    options = tuple(
        SceneOption(move.source, move.target, move.number) for move in match.list_next_moves()
    )
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
        options=options,
    )


@pytest.mark.sweep
@pytest.mark.parametrize("slug", GAMES)
def test_a_game_under_way_can_be_drawn_and_told(slug: str) -> None:
    chance = Random(17)
    match = new_match(GAMES[slug], {})
    for at in range(160):
        if match.phase is Phase.OVER:
            break
        match = apply_unchecked(match, choose_event(match, chance))
        if at % 20 != 19:
            continue
        scene = build_scene(match)
        for theme in load_themes().values():
            view = View(theme, chance.choice(list(Side)), chance.random() < 0.5)
            with Image.open(io.BytesIO(draw_board(scene, view))) as image:
                assert image.size == (WIDTH, lay_out_board(match.rules, view.below).height)
        assert describe_scene(scene).endswith("to play.")
        assert len(describe_scene(scene)) <= MAX_ALT_TEXT
        # The bot leaves a board in plain lines this much of a message.
        assert len(format_board(scene)) <= 1500
