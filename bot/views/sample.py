"""A board to choose one's look by."""

from dataclasses import replace

from bot.views.card import Card, Picture
from bot.words import common
from bot.words.board import board_words
from bot.words.endings import own
from bot.words.reader import Reader
from engine.games import GAMES
from engine.position import Side
from render.describe import describe
from render.sample import midgame


def sample_card(say: Reader, text: str, person: int) -> Card:
    """Return a board in the middle of a game, at which that person sits as black."""
    shown = midgame()
    game = GAMES["ludus-anglicorum"]
    gold, _ = shown.names
    shown = replace(
        shown,
        title=common.title(say, game),
        status=say("{who} to play", who=gold),
        note=own(say, game, "lympolded", side=common.side_title(say, Side.BLACK)),
        words=board_words(say),
    )
    return Card(texts=(text,), picture=Picture(shown, describe(shown)), seats={person: Side.BLACK})
