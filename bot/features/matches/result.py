"""A finished match as its last picture."""

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from bot.features.hints.texts import format_luck
from bot.features.matches.scene import build_scene
from bot.features.matches.session import MatchSession, Transition
from bot.features.reports.service import MatchReport
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Picture
from engine.events import Thrown
from engine.luck import measure_luck
from engine.position import Side
from render.describe import describe_scene

HUNDREDTHS = 100
"""Of a point, in which the luck of a report is drawn and told."""


def result_picture(
    say: Reader,
    session: MatchSession,
    happened: Iterable[Transition],
    report: MatchReport | None = None,
) -> Picture:
    """Return the picture of a finished match: its last board and each side's luck.

    Luck is in points by the report, where there is one, or else the pips thrown above the average.
    """
    # Whose turn it would be is of no more interest.
    last = replace(build_scene(say, session), dice=(), turn=None)
    # Without a report only the dice themselves can be measured, in pips.
    if report is None:
        thrown = _throws_by_side(happened)
        gold, black = (measure_luck(session.match.rules.dice, thrown[side]) for side in Side)
        last = replace(last, luck=(gold, black))
    else:
        gold, black = (HUNDREDTHS * report.sum_luck(side) for side in Side)
        words = replace(last.words, luck=partial(format_luck, say))
        last = replace(last, luck=(gold, black), words=words)
    return Picture(last, describe_scene(last))


def _throws_by_side(happened: Iterable[Transition]) -> dict[Side, list[tuple[int, ...]]]:
    thrown: dict[Side, list[tuple[int, ...]]] = {side: [] for side in Side}
    for each in happened:
        if isinstance(each.event, Thrown):
            thrown[each.before.turn].append(each.event.dice)
    return thrown
