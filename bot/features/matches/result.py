"""A finished match as its last picture."""

from dataclasses import replace

from bot.features.matches.scene import build_scene
from bot.features.matches.session import MatchSession
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Picture
from render.describe import describe_scene


def result_picture(
    say: Reader, session: MatchSession, luck: tuple[float, float] | None = None
) -> Picture:
    """Return the picture of a finished match: its last board and each side's luck, if known."""
    # Whose turn it would be no longer matters.
    last = replace(build_scene(say, session), dice=(), turn=None, luck=luck)
    return Picture(last, describe_scene(last))
