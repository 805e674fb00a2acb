"""A finished match as its last picture."""

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from bot.app.reports import Report
from bot.app.sitting import Happening, Sitting
from bot.views.card import Picture
from bot.views.scene import scene
from bot.words.advice import luck_in_points
from bot.words.reader import Reader
from engine.events import Thrown
from engine.luck import luck
from engine.position import Side
from render.describe import describe

HUNDREDTHS = 100
"""Of a point, in which the luck of a report is drawn and told."""


def result_picture(
    say: Reader, sitting: Sitting, happened: Iterable[Happening], report: Report | None = None
) -> Picture:
    """Return the picture of a finished match: its last board and each side's luck.

    Luck is in points by the report, where there is one, or else the pips thrown above the average.
    """
    # Whose turn it would be is of no more interest.
    last = replace(scene(say, sitting), dice=(), turn=None)
    if report is None:
        thrown = _throws(happened)
        gold, black = (luck(sitting.match.rules.dice, thrown[side]) for side in Side)
        last = replace(last, luck=(gold, black))
    else:
        gold, black = (HUNDREDTHS * report.luck(side) for side in Side)
        words = replace(last.words, luck=partial(luck_in_points, say))
        last = replace(last, luck=(gold, black), words=words)
    return Picture(last, describe(last))


def _throws(happened: Iterable[Happening]) -> dict[Side, list[tuple[int, ...]]]:
    thrown: dict[Side, list[tuple[int, ...]]] = {side: [] for side in Side}
    for each in happened:
        if isinstance(each.event, Thrown):
            thrown[each.before.turn].append(each.event.dice)
    return thrown
