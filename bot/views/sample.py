"""A board to choose one's look by."""

from bot.views.card import Card, Picture
from engine.position import Side
from render.describe import describe
from render.sample import midgame


def sample_card(text: str, person: int) -> Card:
    """Return a board in the middle of a game, at which that person sits as black."""
    shown = midgame()
    return Card(texts=(text,), picture=Picture(shown, describe(shown)), seats={person: Side.BLACK})
