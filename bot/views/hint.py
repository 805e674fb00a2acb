"""Hints: the best plays or decisions, drawn on the board.

The question whether hints are allowed is here too.
"""

from dataclasses import replace

from bot.app.hints import Hint, Wanted
from bot.views.card import Card, Picture, said
from bot.views.controls import allow_control
from bot.views.scene import scene
from bot.words import advice as words
from bot.words.reader import Reader
from engine.events import Played
from engine.players.worth import Prospect
from render.describe import describe
from render.scene import Moved


def hint_card(say: Reader, hint: Hint) -> Card:
    """Return the best things to do with the equity of each.

    Where they are plays, they are drawn as arrows on the board.
    """
    shown = replace(
        scene(say, hint.sitting), last=(), advice=tuple(_arrows(each) for each in hint.best)
    )
    return Card(
        texts=(words.hint_title(say, hint.sitting), *words.hints(say, hint)),
        picture=Picture(shown, describe(shown)),
        small=words.judge(say),
        seats=hint.sitting.seats,
    )


def _arrows(prospect: Prospect) -> tuple[Moved, ...]:
    moves = prospect.event.moves if isinstance(prospect.event, Played) else ()
    return tuple(Moved(move.source, move.target, move.hit) for move in moves)


def allowing_card(say: Reader, wanted: Wanted, person: int) -> Card:
    """Return the question to those who have not allowed hints."""
    return Card(
        texts=(words.allowing(say, wanted, person),),
        controls=(allow_control(say, wanted.sitting),),
        ping=wanted.missing[0] if len(wanted.missing) == 1 else None,
    )


def waiting_card(say: Reader, wanted: Wanted) -> Card:
    """Return for one who wants hints who has yet to allow them."""
    return said(words.waiting(say, wanted))
