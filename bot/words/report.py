"""What is said of how a match was played."""

from collections.abc import Iterator

from bot.app.reports import Report
from bot.app.sitting import Sitting
from bot.words import common
from bot.words.advice import compared, deed, signed
from bot.words.common import dice, mentions, side_name
from bot.words.reader import Reader
from engine.events import Event
from engine.players.worth import Judged
from engine.position import Side

STRONG, FAIR, LOOSE = 0.01, 0.03, 0.07
"""Points lost a decision below which play is strong, good and reasonable; beyond, loose."""


def title(say: Reader, sitting: Sitting) -> str:
    """Name the report."""
    return say(
        "### Report on match {match}: {game}",
        match=sitting.id,
        game=common.title(say, sitting.match.game),
    )


def figures(say: Reader, sitting: Sitting, report: Report) -> Iterator[str]:
    """Yield a line of luck and skill for each side, then what neither explains."""
    for side in Side:
        made = len(report.decisions(side))
        who = {
            "who": mentions(say, sitting.seated(side)),
            "side": side_name(say, side),
            "luck": signed(report.luck(side)),
        }
        if not made:
            yield say("**{who}** ({side}): luck {luck}; nothing to decide.", **who)
            continue
        each = report.lost(side) / made
        yield say(
            "**{who}** ({side}): luck {luck}; played {how}, losing {lost} points in {decisions} "
            "({each} each).",
            **who,
            how=manner(say, each),
            lost=f"{report.lost(side):.2f}",
            decisions=say.many("{n} decision", "{n} decisions", made),
            each=f"{each:.3f}",
        )
    points = f"{abs(report.unexplained):.2f}"
    if sitting.cut_short:
        yield say(
            "The match ended early, which accounts for {points} points of the result.",
            points=points,
        )
    else:
        yield say("{points} points of the result are unexplained.", points=points)


def manner(say: Reader, each: float) -> str:
    """Say how well somebody played, by the points lost in each decision."""
    if each < STRONG:
        # Translators: how somebody played, in "played strongly, losing 0.50 points".
        return say("strongly")
    if each < FAIR:
        # Translators: how somebody played, in "played well, losing 0.50 points".
        return say("well")
    return say("reasonably") if each < LOOSE else say("loosely")


def explanation(say: Reader) -> str:
    """Tell what the figures are."""
    return say(
        "Points are Tabula's evaluation. Luck: equity gained over an average throw. Lost: how much "
        "better the best play was. Unexplained: the evaluation's own error."
    )


def side_named(say: Reader, sitting: Sitting, side: Side) -> str:
    """Name who plays a side."""
    return common.names(say, sitting, side)


def course(say: Reader, name: str) -> str:
    """Name the curve."""
    return say("{who}'s win chance, %", who=name)


def span(say: Reader, count: int) -> str:
    """Say how long the curve is."""
    return say.many("{n} throw or decision", "{n} throws and decisions", count)


def progress(say: Reader, sitting: Sitting, share: float) -> str:
    """Tell how far a report is."""
    return say(
        "Analysing match {match}: {percent} %.", match=sitting.id, percent=round(100 * share)
    )


def not_made(say: Reader, sitting: Sitting) -> str:
    """Tell that a report is not there yet."""
    return say(
        "The report on match {match} isn't ready yet. Try again in a while.", match=sitting.id
    )


def error(say: Reader, then: Sitting, number: int, found: Judged, done: Event) -> tuple[str, ...]:
    """Tell an error: whose, what was done, what would have been better, and by how much."""
    match = then.match
    who = mentions(say, then.seated(found.side))
    heading = say("### Error {number} in match {match}", number=number, match=then.id)
    thrown = (
        say("{who} had {dice} to play.", who=who, dice=dice(match.position.dice))
        if match.position.dice
        else who
    )
    told = say(
        "Chosen: {done}. Better: {better}. The choice was {how}: {points} points lost.",
        done=deed(say, match, done),
        better=deed(say, match, found.best) if found.best else say("play on"),
        how=compared(say, found.error),
        points=f"{found.error:.2f}",
    )
    return heading, thrown, told


def arrows(say: Reader) -> str:
    """Tell which arrows are which."""
    return say("Arrows 1: the better play. Arrows 2: the play made.")
