"""What is said of hints: what may be done, and what that is worth, in words first and in numbers after."""

from collections.abc import Iterator

from bot.app.hints import Hint, Wanted
from bot.app.sitting import Sitting
from bot.words.common import dice, mention, mentions, side_name, title
from bot.words.reader import Reader
from engine.events import Chosen, Event, Left, Played
from engine.match import SIDE, SIX, Match
from engine.notation import format_play

AS_GOOD, HARDLY, LITTLE, WORSE = 0.005, 0.02, 0.08, 0.2
"""Points below which one thing is as good as another, hardly worse, a little worse, and worse; beyond, far worse."""


def hint_title(say: Reader, sitting: Sitting) -> str:
    """Name what is told."""
    return say(
        "### A hint for match {match}, {game}",
        match=sitting.id,
        game=title(say, sitting.match.game),
    )


def hints(say: Reader, hint: Hint) -> Iterator[str]:
    """Tell what may be done, the best first."""
    for number, each in enumerate(hint.best, 1):
        done = deed(say, hint.sitting.match, each.event)
        worth = numbers(say, each.worth.win, each.worth.points)
        how = say("the best there is")
        if number > 1:
            how = compared(say, hint.best[0].worth.points - each.worth.points)
        yield say(
            "**{number}.** {deed}: {how}. {worth}", number=number, deed=done, how=how, worth=worth
        )


def deed(say: Reader, match: Match, event: Event) -> str:
    """Tell what somebody may do, or did."""
    match event:
        case Played(moves):
            return f"`{format_play(moves, match.rules, match.position)}`"
        case Left():
            return say("leave {dice}", dice=dice(match.position.dice))
        case Chosen(what, value) if what == SIX:
            return say("turn the {number} into a six", number=value)
        case Chosen(what, value) if what == SIDE.name:
            return say("take {side}", side=side_name(say, value))
        case Chosen(what, value):
            return say("choose the {what} {value}", what=what, value=value)
    return say("resign")


def compared(say: Reader, loss: float) -> str:
    """Tell how much worse something is than the best, in words."""
    if loss < AS_GOOD:
        return say("as good")
    if loss < HARDLY:
        return say("hardly worse")
    if loss < LITTLE:
        return say("a little worse")
    return say("worse") if loss < WORSE else say("far worse")


def numbers(say: Reader, win: float, points: float) -> str:
    """Tell what something is worth, in numbers."""
    return say(
        "You win {win} of 100; {points} points.", win=round(100 * win), points=signed(points)
    )


def signed(points: float) -> str:
    """Write points with their sign."""
    return f"{points:+.2f}".replace("-", "−")


def luck_in_points(say: Reader, hundredths: int) -> str:
    """Tell in a picture how many hundredths of a point the dice gave a side."""
    return say("luck {points} pt", points=signed(hundredths / 100))


def judge(say: Reader) -> str:
    """Tell whose judgement it is."""
    return say(
        "As Tabula judges, looking one throw further where plays are close; the arrows have the plays' numbers."
    )


def allowing(say: Reader, wanted: Wanted, person: int) -> str:
    """Ask those who have not allowed hints."""
    return say(
        "{who} would like hints in match {match}; do you allow them, {others}? Then all who play can use `/hint`.",
        who=mention(person),
        match=wanted.sitting.id,
        others=mentions(say, wanted.missing),
    )


def waiting(say: Reader, wanted: Wanted) -> str:
    """Tell who has yet to allow hints."""
    return say(
        "Hints need everybody's leave here; {others} can give it by the button in the channel, or by `/hint`.",
        others=mentions(say, wanted.missing),
    )
