"""Hints: the best plays or decisions, drawn on the board.

The question whether hints are allowed is here too.
"""

from dataclasses import replace

from bot.features.hints import texts as words
from bot.features.hints.controls import allow_hints_control
from bot.features.hints.service import Hint, HintRequest
from bot.features.matches.scene import build_scene, make_scene_moves
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Card, Picture, text_only_card
from engine.events import Played
from engine.players.worth import Prospect
from render.describe import describe_scene
from render.scene import SceneMove


def hint_card(say: Reader, hint: Hint) -> Card:
    """Return the best things to do with the equity of each.

    Where they are plays, they are drawn as arrows on the board.
    """
    shown = replace(
        build_scene(say, hint.session),
        # Without the last moves the board has only the arrows of the advice.
        last=(),
        advice=tuple(_build_arrows(each) for each in hint.best),
    )
    return Card(
        texts=(words.format_heading(say, hint.session), *words.format_hints(say, hint)),
        picture=Picture(shown, describe_scene(shown)),
        small=words.format_footer(say),
        seats=hint.session.sides_by_person,
    )


def _build_arrows(prospect: Prospect) -> tuple[SceneMove, ...]:
    moves = prospect.event.moves if isinstance(prospect.event, Played) else ()
    return make_scene_moves(moves)


def allow_hints_card(say: Reader, wanted: HintRequest, person: int) -> Card:
    """Return the question to those who have not allowed hints."""
    return Card(
        texts=(words.format_consent_request(say, wanted, person),),
        controls=(allow_hints_control(say, wanted.session),),
        # A card can alert one person only; if several are missing, the text names them.
        ping=wanted.missing[0] if len(wanted.missing) == 1 else None,
    )


def hint_waiting_card(say: Reader, wanted: HintRequest) -> Card:
    """Return for one who wants hints who has yet to allow them."""
    return text_only_card(words.format_missing_consent(say, wanted))
