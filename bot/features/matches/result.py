"""A finished match as its last picture."""

from collections.abc import Iterable
from dataclasses import replace

from bot.features.matches.extensions import LuckMeasure
from bot.features.matches.scene import build_scene
from bot.features.matches.session import MatchSession, Transition
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Picture
from engine.events import Thrown
from engine.luck import measure_luck
from engine.position import Side
from render.describe import describe_scene


def result_picture(
    say: Reader,
    session: MatchSession,
    happened: Iterable[Transition],
    measured: LuckMeasure | None = None,
) -> Picture:
    """Return the picture of a finished match: its last board and each side's luck.

    Luck is what was measured, or else the pips thrown above the average.
    """
    # Whose turn it would be no longer matters.
    last = replace(build_scene(say, session), dice=(), turn=None)
    if measured is None:
        thrown = _throws_by_side(happened)
        gold, black = (measure_luck(session.match.rules.dice, thrown[side]) for side in Side)
        last = replace(last, luck=(gold, black))
    else:
        words = replace(last.words, luck=measured.format)
        last = replace(last, luck=(measured.gold, measured.black), words=words)
    return Picture(last, describe_scene(last))


def _throws_by_side(happened: Iterable[Transition]) -> dict[Side, list[tuple[int, ...]]]:
    # By their numbers: a throw that came again after a turn was taken back counts once.
    throws = {each.before.drawn: each for each in happened if isinstance(each.event, Thrown)}
    thrown: dict[Side, list[tuple[int, ...]]] = {side: [] for side in Side}
    for each in throws.values():
        assert isinstance(each.event, Thrown)
        thrown[each.before.turn].append(each.event.dice)
    return thrown
