"""Hints: the best plays or decisions, one of them drawn on the board.

The question whether hints are allowed is here too.
"""

from dataclasses import replace

from bot.features.hints import texts as words
from bot.features.hints.advice import Advice
from bot.features.hints.advice_texts import (
    format_advice_footer,
    format_explanation,
    format_ranking,
)
from bot.features.hints.controls import allow_hints_control, hint_controls
from bot.features.hints.service import Hint, HintRequest
from bot.features.matches.scene import build_scene, make_scene_moves
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Card, Picture, text_only_card
from render.describe import describe_scene
from render.scene import Scene, SceneMove


def hint_card(say: Reader, hint: Hint) -> Card:
    """Return the best things to do with the equity of each, and why for one of them.

    Where that is a play, it is drawn as arrows on the board.
    """
    shown = draw_advice(build_scene(say, hint.session), hint.advice)
    return Card(
        texts=(words.format_heading(say, hint.session), *format_ranking(say, hint.advice)),
        picture=Picture(shown, describe_scene(shown)),
        below=(format_explanation(say, hint.advice),),
        controls=tuple(hint_controls(say, hint)),
        small=format_advice_footer(say),
        seats=hint.session.sides_by_person,
    )


def draw_advice(scene: Scene, advice: Advice) -> Scene:
    """Return a board with the arrows of the play that is looked at."""
    play = advice.play
    # Its arrows have its number, as if those before it were drawn too.
    before: tuple[tuple[SceneMove, ...], ...] = ((),) * advice.shown
    # Without the last moves the board has only the arrows of the advice.
    return replace(
        scene,
        last=(),
        earlier=(),
        options=(),
        advice=(*before, make_scene_moves(play.moves)) if play else (),
    )


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
