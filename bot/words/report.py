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
"""Points lost a decision below which somebody plays strongly, well and fairly; beyond, loosely."""


def title(say: Reader, sitting: Sitting) -> str:
    """Name the report."""
    return say(
        "### How match {match} was played: {game}",
        match=sitting.id,
        game=common.title(say, sitting.match.game),
    )


def figures(say: Reader, sitting: Sitting, report: Report) -> Iterator[str]:
    """Tell luck and skill apart, a line a side, and what neither explains."""
    for side in Side:
        made = len(report.decisions(side))
        who = {
            "who": mentions(say, sitting.seated(side)),
            "side": side_name(say, side),
            "luck": signed(report.luck(side)),
        }
        if not made:
            yield say("**{who}** ({side}): luck {luck}; had nothing to decide.", **who)
            continue
        each = report.lost(side) / made
        yield say(
            "**{who}** ({side}): luck {luck}; played {how}, {lost} points lost in {decisions}, {each} in each.",
            **who,
            how=manner(say, each),
            lost=f"{report.lost(side):.2f}",
            decisions=say.many("{n} decision", "{n} decisions", made),
            each=f"{each:.3f}",
        )
    points = f"{abs(report.unexplained):.2f}"
    if sitting.cut_short:
        yield say(
            "The match was not played to its end: {points} points of the result are due to that.",
            points=points,
        )
    else:
        yield say("Neither explains {points} points of the result.", points=points)


def manner(say: Reader, each: float) -> str:
    """Tell how well somebody played, by the points lost in each decision."""
    if each < STRONG:
        return say("strongly")
    if each < FAIR:
        return say("well")
    return say("fairly") if each < LOOSE else say("loosely")


def explanation(say: Reader) -> str:
    """Tell what the figures are."""
    return say(
        "Points as Tabula judges positions: luck is what each throw's best play was worth more than the average throw, "
        "what is lost is how much better the best would have been. What neither explains is how far the judge errs."
    )


def side_named(say: Reader, sitting: Sitting, side: Side) -> str:
    """Name who plays a side."""
    return common.names(say, sitting, side)


def course(say: Reader, name: str) -> str:
    """Name the curve."""
    return say("{who}'s chances, of 100", who=name)


def span(say: Reader, count: int) -> str:
    """Tell how long the curve is."""
    return say.many("{n} throw or decision", "{n} throws and decisions", count)


def progress(say: Reader, sitting: Sitting, share: float) -> str:
    """Tell how far a report is."""
    return say(
        "Match {match} is being judged: {percent} %.", match=sitting.id, percent=round(100 * share)
    )


def not_made(say: Reader, sitting: Sitting) -> str:
    """Tell that a report is not there yet."""
    return say(
        "The report of match {match} is not ready yet; ask again in a while.", match=sitting.id
    )


def error(say: Reader, then: Sitting, number: int, found: Judged, done: Event) -> tuple[str, ...]:
    """Tell an error: whose, what was done, what would have been better, and by how much."""
    match = then.match
    who = mentions(say, then.seated(found.side))
    heading = say("### Error {number} of match {match}", number=number, match=then.id)
    thrown = (
        say("{who} had {dice} to play.", who=who, dice=dice(match.position.dice))
        if match.position.dice
        else who
    )
    told = say(
        "Done: {done}. Better: {better}. What was done is {how}: {points} points are lost.",
        done=deed(say, match, done),
        better=deed(say, match, found.best) if found.best else say("play on"),
        how=compared(say, found.error),
        points=f"{found.error:.2f}",
    )
    return heading, thrown, told


def arrows(say: Reader) -> str:
    """Tell which arrows are which."""
    return say("Arrows 1: better. Arrows 2: what was done instead.")
