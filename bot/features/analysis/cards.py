"""The cards of an analysis."""

from bot.features.analysis import texts as words
from bot.features.analysis.controls import analysis_controls
from bot.features.analysis.service import Findings
from bot.features.hints.advice_texts import (
    format_advice_footer,
    format_explanation,
    format_ranking,
)
from bot.features.hints.cards import draw_advice
from bot.features.matches.board_texts import translate_board_words
from bot.features.matches.scene import list_dice, make_scene_moves
from bot.platform.i18n.common import format_title
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Card, Picture
from engine.match import Match
from engine.position import Side
from render.describe import describe_scene
from render.scene import Scene


def analysis_card(
    say: Reader, found: Findings, person: int, *, shareable: bool, remark: str = ""
) -> Card:
    """Return what is best in a position, for the person who analyses it, with a remark."""
    match = found.analysis.match
    shown = build_position_scene(say, match)
    below: tuple[str, ...] = ()
    if found.advice:
        told = tuple(format_ranking(say, found.advice))
        below = (format_explanation(say, found.advice),)
        shown = draw_advice(shown, found.advice)
        judge = format_advice_footer(say)
    else:
        told = (words.format_worth(say, found),)
        judge = words.explain_evaluation(say)
    return Card(
        texts=(
            words.format_heading(say, match),
            words.format_turn(say, match),
            *words.format_options(say, found.analysis),
            *told,
            remark,
        ),
        picture=draw_scene(shown),
        below=below,
        controls=tuple(analysis_controls(say, found, shareable=shareable)),
        small="\n".join((words.format_position_line(say, match), judge)),
        seats={person: match.turn},
    )


def build_position_scene(say: Reader, match: Match) -> Scene:
    """Return the picture of a position, seen as the one who is to play."""
    # Translators: a name in the picture of a board: the reader, who is to play.
    player = say("you")
    # Translators: a name in the picture of a board: the player of the other side.
    opponent = say("opponent")
    return Scene(
        rules=match.rules,
        position=match.position,
        names=(player, opponent) if match.turn is Side.GOLD else (opponent, player),
        title=format_title(say, match.game),
        status=words.format_status(say, match),
        dice=list_dice(match),
        last=make_scene_moves(match.moves),
        turn=match.turn,
        thrower=match.thrower,
        words=translate_board_words(say),
    )


def draw_scene(shown: Scene) -> Picture:
    """Return a picture with what it says to those who cannot see it."""
    return Picture(shown, describe_scene(shown))
