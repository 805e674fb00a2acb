"""A board to choose one's look by."""

from dataclasses import replace

from bot.features.matches.board_texts import translate_board_words
from bot.platform.i18n import common
from bot.platform.i18n.endings import format_game_text
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Card, Picture
from engine.games import GAMES
from engine.games.picks import SHOWN_GAME
from engine.position import Side
from render.describe import describe_scene
from render.sample import sample_scene


def sample_card(say: Reader, text: str, person: int) -> Card:
    """Return a board in the middle of a game, at which that person sits as black."""
    shown = sample_scene()
    game = GAMES[SHOWN_GAME]
    gold, _ = shown.names
    shown = replace(
        shown,
        title=common.format_title(say, game),
        status=say("{who} to play", who=gold),
        note=format_game_text(
            say, game, "lympolded", side=common.format_side_title(say, Side.BLACK)
        ),
        words=translate_board_words(say),
    )
    return Card(
        texts=(text,), picture=Picture(shown, describe_scene(shown)), seats={person: Side.BLACK}
    )
