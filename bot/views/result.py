"""A finished match as its last picture."""

from collections.abc import Iterable
from dataclasses import replace

from bot.app.sitting import Happening, Sitting
from bot.views.card import Picture
from bot.views.scene import scene
from bot.words.reader import Reader
from engine.events import Thrown
from engine.luck import luck
from engine.position import Side
from render.describe import describe


def result_picture(say: Reader, sitting: Sitting, happened: Iterable[Happening]) -> Picture:
    """Return the picture of a finished match: its last board, and how kind the dice were to each side."""
    thrown = _throws(happened)
    gold, black = (luck(sitting.match.rules.dice, thrown[side]) for side in Side)
    # Whose turn it would be is of no more interest.
    last = replace(scene(say, sitting), dice=(), turn=None, luck=(gold, black))
    return Picture(last, describe(last))


def _throws(happened: Iterable[Happening]) -> dict[Side, list[tuple[int, ...]]]:
    thrown: dict[Side, list[tuple[int, ...]]] = {side: [] for side in Side}
    for each in happened:
        if isinstance(each.event, Thrown):
            thrown[each.before.turn].append(each.event.dice)
    return thrown
