"""The report of a finished match: its figures, its course as a curve, and its errors."""

from dataclasses import replace

from bot.app.reports import Report
from bot.app.sitting import Happening, Sitting
from bot.views.card import CURVE, Card, Picture, said
from bot.views.controls import error_controls
from bot.views.scene import scene, with_drawn_names
from bot.words import report as words
from bot.words.reader import Reader
from engine.events import Event, Played
from engine.players.worth import Judged
from engine.position import Side
from render.curve import Curve, describe_curve
from render.describe import describe
from render.scene import Moved

CHANCES = (0, 100)
"""The scale on which the course of a game is drawn."""


def report_card(say: Reader, sitting: Sitting, report: Report) -> Card:
    """Return how a match was played, luck and skill apart.

    Each of the worst errors has a button.
    """
    drawing = _course(say, sitting, report) if report.judged else None
    return Card(
        texts=(words.title(say, sitting), *words.figures(say, sitting, report)),
        picture=Picture(drawing, describe_curve(drawing), CURVE) if drawing else None,
        controls=error_controls(say, sitting, len(report.worst)),
        small=words.explanation(say),
    )


def _course(say: Reader, sitting: Sitting, report: Report) -> Curve:
    """Return one side's win chances after each throw and decision.

    It is the side of the person who plays the computer, else gold.
    """
    side = sitting.sides_of(sitting.people[0])[0] if sitting.alone else Side.GOLD
    marks = tuple(report.judged.index(each) for each in report.worst)
    wins = (each.worth.win if side is Side.GOLD else 1 - each.worth.win for each in report.judged)
    chances = tuple(round(100 * win) for win in wins)
    name = words.side_named(say, sitting, side)
    drawn = words.side_named(say, with_drawn_names(say, sitting), side)
    return Curve(
        name,
        words.course(say, name),
        words.span(say, len(chances)),
        chances,
        CHANCES,
        marks,
        words.course(say, drawn),
    )


def progress_card(say: Reader, sitting: Sitting, share: float) -> Card:
    """Return how far a report is that is being made."""
    return said(words.progress(say, sitting, share))


def failed_card(say: Reader, sitting: Sitting) -> Card:
    """Return that a report could not be made yet."""
    return said(words.not_made(say, sitting))


def error_card(
    say: Reader, sitting: Sitting, number: int, error: Judged, happening: Happening
) -> Card:
    """Return one error: what was done and what would have been better.

    Both are drawn as arrows on the board before it.
    """
    then = replace(sitting, match=happening.before)
    better = _arrows(error.best)
    shown = replace(
        scene(say, then), last=(), advice=(better, _arrows(happening.event)) if better else ()
    )
    return Card(
        texts=words.error(say, then, number, error, happening.event),
        picture=Picture(shown, describe(shown)),
        small=words.arrows(say) if better else "",
        seats=sitting.seats,
    )


def _arrows(event: Event | None) -> tuple[Moved, ...]:
    moves = event.moves if isinstance(event, Played) else ()
    return tuple(Moved(move.source, move.target, move.hit) for move in moves)
