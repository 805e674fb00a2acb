"""What is said of how a match was played."""

from collections.abc import Iterator

from bot.features.hints.texts import describe_event, describe_loss
from bot.features.matches import name_texts
from bot.features.matches.name_texts import mention_people
from bot.features.matches.session import MatchSession
from bot.features.reports.service import MatchReport
from bot.platform.i18n import common
from bot.platform.i18n.common import format_dice, format_points, format_side
from bot.platform.i18n.reader import Reader
from engine.events import Event
from engine.players.worth import StepAnalysis
from engine.position import Side

STRONG_LOSS, GOOD_LOSS, REASONABLE_LOSS = 0.01, 0.03, 0.07
"""Points lost a decision below which play is strong, good and reasonable; beyond, loose."""


def format_heading(say: Reader, session: MatchSession) -> str:
    """Name the report."""
    return say(
        "### Report on match {match}: {game}",
        match=session.id,
        game=common.format_title(say, session.match.game),
    )


def format_figures(say: Reader, session: MatchSession, report: MatchReport) -> Iterator[str]:
    """Yield a line of luck and skill for each side, then what neither explains."""
    for side in Side:
        made = len(report.list_decisions(side))
        who = {
            "who": mention_people(say, session.list_players(side)),
            "side": format_side(say, side),
            "luck": format_points(report.sum_luck(side)),
        }
        if not made:
            yield say("**{who}** ({side}): luck {luck}; nothing to decide.", **who)
            continue
        each = report.sum_errors(side) / made
        yield say(
            "**{who}** ({side}): luck {luck}; played {how}, losing {lost} points in {decisions} "
            "({each} each).",
            **who,
            how=describe_skill(say, each),
            lost=f"{report.sum_errors(side):.2f}",
            decisions=say.plural("{n} decision", "{n} decisions", made),
            each=f"{each:.3f}",
        )
    points = f"{abs(report.residual_points):.2f}"
    if session.is_cut_short:
        yield say(
            "The match ended early, which accounts for {points} points of the result.",
            points=points,
        )
    else:
        yield say("{points} points of the result are unexplained.", points=points)


def describe_skill(say: Reader, each: float) -> str:
    """Say how well somebody played, by the points lost in each decision."""
    if each < STRONG_LOSS:
        # Translators: how somebody played, in "played strongly, losing 0.50 points".
        return say("strongly")
    if each < GOOD_LOSS:
        # Translators: how somebody played, in "played well, losing 0.50 points".
        return say("well")
    return say("reasonably") if each < REASONABLE_LOSS else say("loosely")


def explain_figures(say: Reader) -> str:
    """Tell what the figures are."""
    return say(
        "Points are Tabula's evaluation. Luck: equity gained over an average throw. Lost: how much "
        "better the best play was. Unexplained: the evaluation's own error."
    )


def format_players(say: Reader, session: MatchSession, side: Side) -> str:
    """Name who plays a side."""
    return name_texts.format_names(say, session, side)


def format_curve_title(say: Reader, name: str) -> str:
    """Name the curve."""
    return say("{who}'s win chance, %", who=name)


def format_curve_span(say: Reader, count: int) -> str:
    """Say how long the curve is."""
    return say.plural("{n} throw or decision", "{n} throws and decisions", count)


def format_progress(say: Reader, session: MatchSession, share: float) -> str:
    """Tell how far a report is."""
    return say(
        "Analysing match {match}: {percent} %.", match=session.id, percent=round(100 * share)
    )


def format_not_ready(say: Reader, session: MatchSession) -> str:
    """Tell that a report is not there yet."""
    return say(
        "The report on match {match} isn't ready yet. Try again in a while.", match=session.id
    )


def format_error(
    say: Reader, then: MatchSession, number: int, found: StepAnalysis, done: Event
) -> tuple[str, ...]:
    """Tell an error: whose, what was done, what would have been better, and by how much."""
    match = then.match
    who = mention_people(say, then.list_players(found.side))
    heading = say("### Error {number} in match {match}", number=number, match=then.id)
    thrown = (
        say("{who} had {dice} to play.", who=who, dice=format_dice(match.position.dice))
        if match.position.dice
        else who
    )
    told = say(
        "Chosen: {done}. Better: {better}. The choice was {how}: {points} points lost.",
        done=describe_event(say, match, done),
        better=describe_event(say, match, found.best) if found.best else say("play on"),
        how=describe_loss(say, found.error),
        points=f"{found.error:.2f}",
    )
    return heading, thrown, told


def explain_arrows(say: Reader) -> str:
    """Tell which arrows are which."""
    return say("Arrows 1: the better play. Arrows 2: the play made.")
