"""The cards of a match: the turn that is on, the turn that is over, and the end."""

from collections.abc import Sequence
from dataclasses import replace

from bot.app.reports import Report
from bot.app.sitting import Happening, Sitting
from bot.store import RatingChange, Ruling
from bot.views.card import Card, Picture
from bot.views.controls import end_controls, turn_controls
from bot.views.fitting import first_that_fit, last_that_fit
from bot.views.result import result_picture
from bot.views.scene import scene
from bot.words import clock
from bot.words import match as words
from bot.words.memos import own_note
from bot.words.reader import Reader
from engine import throws
from engine.events import DrawOffered, Thrown
from engine.match import Match, Phase
from render.describe import describe, text_board

MOST_TEXT = 3000
"""Characters of a board in plain lines that leave room for what is said around it."""
MOST_STORY = 1500
"""Characters of what happened; more than a turn has, however it goes."""


def turn_card(say: Reader, sitting: Sitting, happened: Sequence[Happening]) -> Card:
    """Return the message for the next player, after what happened since the message before."""
    story = _story(say, sitting, _untold(sitting, happened))
    return Card(
        texts=(
            words.heading(say, sitting),
            story,
            _offer(say, sitting),
            words.prompt(say, sitting),
        ),
        picture=_picture(say, sitting),
        controls=turn_controls(say, sitting),
        small=_small_print(say, sitting),
        # Who plays alone against the computer has just acted; who waits for others is called.
        ping=None if sitting.alone or sitting.computer_acts else sitting.to_act,
    )


def _story(say: Reader, sitting: Sitting, happened: Sequence[Happening]) -> str:
    told = words.story(say, sitting, happened).splitlines()
    return "\n".join(last_that_fit(told, MOST_STORY))


def _offer(say: Reader, sitting: Sitting) -> str:
    """Tell of a draw that somebody is to answer; the computer is about to."""
    return "" if sitting.computer_acts else words.standing_offer(say, sitting)


def _untold(sitting: Sitting, happened: Sequence[Happening]) -> Sequence[Happening]:
    """Return what happened without what is shown elsewhere on the card.

    That is a draw offer that stands, and a throw that waits to be played: the menu of plays gives
    its numbers.
    """
    if sitting.match.drawing is not None:
        offer = next(
            (each for each in reversed(happened) if isinstance(each.event, DrawOffered)), None
        )
        happened = [each for each in happened if each is not offer]
    if not happened or sitting.match.phase is not Phase.PLAY:
        return happened
    last = happened[-1].event
    if isinstance(last, Thrown) and not throws.added(sitting.match.rules.dice, last.dice):
        return happened[:-1]
    return happened


def _small_print(say: Reader, sitting: Sitting) -> str:
    """Return how much time is left, and what commits the dice.

    Where the match begins, it also names what everyone contributed to them.
    """
    dice = words.settled(say, sitting.row.commitment)
    if sitting.row.message is None:
        dice = words.given(say, sitting)
    return "\n".join(filter(None, (clock.left(say, sitting), dice)))


def _picture(say: Reader, sitting: Sitting) -> Picture:
    shown = scene(say, sitting)
    return Picture(shown, describe(shown))


def closed_card(say: Reader, sitting: Sitting, happened: Sequence[Happening], shown: Match) -> Card:
    """Return what a finished turn leaves behind: its picture, and what was played.

    `shown` is the match of the picture.
    """
    then = replace(sitting, match=shown)
    kept = Picture(None, describe(scene(say, then)))
    return Card(texts=(words.heading(say, sitting), _story(say, sitting, happened)), picture=kept)


def end_card(
    say: Reader,
    sitting: Sitting,
    happened: Sequence[Happening],
    everything: Sequence[Happening],
    changes: Sequence[RatingChange],
    report: Report | None = None,
    ruling: Ruling | None = None,
) -> Card:
    """Return the last message of a match: how it ended, the ratings, a rematch and its dice.

    Its luck is that of the report where there is one, else of the pips. `ruling` is what a
    moderator decided.
    """
    story = _story(say, sitting, happened)
    result = "\n".join(filter(None, (words.result(say, sitting), words.ruling(say, ruling))))
    news = words.news(say, sitting, changes)
    return Card(
        texts=(words.heading(say, sitting), story, result, news),
        picture=result_picture(say, sitting, everything, report),
        controls=end_controls(say, sitting),
        seats=sitting.seats,
    )


def board_card(say: Reader, sitting: Sitting, *, moves: bool = False) -> Card:
    """Return the present board, without buttons, for one person's eyes.

    With `moves`, it shows where men may go now.
    """
    shown = scene(say, sitting, moves=moves)
    return Card(
        texts=(words.heading(say, sitting), _offer(say, sitting), words.prompt(say, sitting)),
        picture=Picture(shown, describe(shown)),
        seats=sitting.seats,
    )


def noted(say: Reader, card: Card, memo: str) -> Card:
    """Return a card of a match with what the one who sees it, alone, noted about the match."""
    return replace(card, below=(*card.below, own_note(say, memo)))


def text_card(say: Reader, sitting: Sitting) -> Card:
    """Return the board as it stands in plain lines."""
    lines = text_board(scene(say, sitting)).replace("```", "` ` `").splitlines()
    shown = "\n".join(first_that_fit(lines, MOST_TEXT))
    board = f"```\n{shown}\n```"
    return Card(
        texts=(words.heading(say, sitting), board, _offer(say, sitting), words.prompt(say, sitting))
    )


def dice_card(say: Reader, sitting: Sitting) -> Card:
    """Return all about a match's dice."""
    return Card(texts=words.dice_page(say, sitting))
