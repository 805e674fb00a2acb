"""The report of a finished match: its figures, its course as a curve, and its turns."""

from dataclasses import replace

from bot.features.matches.extensions import END_SECTIONS, EndSection
from bot.features.matches.scene import build_scene, make_scene_moves, with_picture_names
from bot.features.matches.session import MatchSession
from bot.features.reports import texts as words
from bot.features.reports.controls import report_controls, turn_controls
from bot.features.reports.review import ReviewedTurn
from bot.features.reports.service import MatchReport, load_report
from bot.platform.context import App
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import CURVE_FILE, Card, Picture, text_only_card
from engine.events import Event, Played
from engine.position import Side
from render.curve import LEAST_VALUES, Curve, describe_curve
from render.describe import describe_scene
from render.scene import SceneMove

CHANCE_SCALE = (0, 100)
"""The scale on which the course of a game is drawn."""


def report_card(say: Reader, session: MatchSession, report: MatchReport) -> Card:
    """Return how a match was played, luck and skill apart.

    Buttons lead through its turns, and to the worst errors.
    """
    told = [words.format_heading(say, session), *words.format_figures(say, session, report)]
    drawing = _build_chance_curve(say, session, report) if report.judged else None
    if drawing and len(drawing.values) < LEAST_VALUES:
        told.append(words.format_only_chance(say, drawing.name, drawing.values[0]))
        drawing = None
    return Card(
        texts=tuple(told),
        picture=Picture(drawing, describe_curve(drawing), CURVE_FILE) if drawing else None,
        controls=report_controls(say, session, report),
        small=words.explain_figures(say),
    )


def _build_chance_curve(say: Reader, session: MatchSession, report: MatchReport) -> Curve:
    """Return one side's win chances after each throw and decision.

    It is the side of the person who plays the computer, else gold.
    """
    side = session.find_sides(session.human_players[0])[0] if session.is_solo else Side.GOLD
    marks = tuple(report.judged.index(each) for each in report.worst_errors)
    # Evaluations are gold's, whichever side the curve is drawn for.
    wins = (each.worth.win if side is Side.GOLD else 1 - each.worth.win for each in report.judged)
    chances = tuple(round(100 * win) for win in wins)
    name = words.format_players(say, session, side)
    drawn = words.format_players(say, with_picture_names(say, session), side)
    return Curve(
        name,
        words.format_curve_title(say, name),
        words.format_curve_span(say, len(chances)),
        chances,
        CHANCE_SCALE,
        marks,
        words.format_curve_title(say, drawn),
    )


def report_progress_card(say: Reader, session: MatchSession, share: float) -> Card:
    """Return how far a report is that is being made."""
    return text_only_card(words.format_progress(say, session, share))


def report_failure_card(say: Reader, session: MatchSession) -> Card:
    """Return that a report could not be made yet."""
    return text_only_card(words.format_not_ready(say, session))


def turn_review_card(
    say: Reader, session: MatchSession, report: MatchReport, turn: ReviewedTurn
) -> Card:
    """Return one turn of a match: what was played, what would have been better, and by how much.

    Both are drawn as arrows on the board before it; buttons lead to the other turns.
    """
    then = replace(session, match=turn.before)
    done = _build_arrows(turn.done)
    better = _build_arrows(turn.best) if turn.is_error else ()
    shown = replace(
        build_scene(say, then),
        # Without the last moves the board has only the arrows of this turn.
        last=(),
        earlier=(),
        advice=(better, done) if better else (done,) if done else (),
    )
    return Card(
        texts=tuple(words.format_turn(say, then, report, turn)),
        picture=Picture(shown, describe_scene(shown)),
        controls=turn_controls(say, session, report, turn),
        small=words.explain_arrows(say) if better else "",
        seats=session.sides_by_person,
    )


def _build_arrows(events: tuple[Event, ...]) -> tuple[SceneMove, ...]:
    moves = [move for event in events if isinstance(event, Played) for move in event.moves]
    return make_scene_moves(moves)


@END_SECTIONS.add(order=30)
async def load_luck_section(app: App, say: Reader, session: MatchSession) -> EndSection:
    """Return each side's luck by the report of a match, if it has one."""
    report = await load_report(app, session)
    if report is None:
        return EndSection()
    return EndSection(luck=(report.sum_luck(Side.GOLD), report.sum_luck(Side.BLACK)))
