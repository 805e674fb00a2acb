"""The cards of a shared position: the question, what one person proposes, and the answer."""

from dataclasses import replace
from functools import partial

from discord import ButtonStyle

from bot.features.analysis import share_texts
from bot.features.analysis import texts as words
from bot.features.analysis.cards import build_position_scene, draw_scene
from bot.features.analysis.controls import PLAY, PROPOSE, REVEAL, make_button, make_id
from bot.features.analysis.service import Analysis
from bot.features.analysis.sharing import Answer, ProposalAttempt
from bot.features.hints.advice_texts import (
    format_advice_footer,
    format_explanation,
    format_ranking,
)
from bot.features.hints.cards import draw_advice
from bot.features.matches.play_controls import FIRST_MENU_ID, MENUS_PER_VERSION, play_menus
from bot.platform.i18n import common
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Card, Item, Listing
from bot.platform.ui.controls import MenuId


def shared_card(say: Reader, analysis: Analysis, person: int, count: int = 0) -> Card:
    """Return a position for everyone, with the buttons by which plays are proposed."""
    match = analysis.match
    return Card(
        texts=(
            words.format_heading(say, match),
            words.format_turn(say, match),
            *words.format_options(say, analysis),
            share_texts.format_question(say, person),
        ),
        picture=draw_scene(build_position_scene(say, match)),
        below=(share_texts.format_count(say, count),),
        controls=(
            make_button(analysis, PROPOSE, say("Propose a play"), ButtonStyle.primary),
            make_button(analysis, REVEAL, say("Show the answer"), ButtonStyle.secondary),
        ),
        small=words.format_copy_line(say, match),
    )


def keep_picture(card: Card) -> Card:
    """Return a card that leaves the picture of its message as it is."""
    return replace(card, picture=card.picture and replace(card.picture, shows=None))


def proposal_card(say: Reader, attempt: ProposalAttempt, person: int) -> Card:
    """Return what somebody proposes so far, with menus for the rest; it may take a while."""
    analysis = attempt.analysis
    controls: tuple[Item, ...] = ()
    if not attempt.is_whole:
        done = len(attempt.match.moves)
        controls = tuple(play_menus(say, attempt.match, partial(_make_menu_id, attempt, done)))
    if attempt.play:
        again = make_button(analysis, PROPOSE, say("Choose another"), ButtonStyle.secondary)
        controls = (*controls, again)
    return Card(
        texts=(
            words.format_heading(say, analysis.match),
            share_texts.format_attempt(say, attempt),
        ),
        picture=draw_scene(build_position_scene(say, attempt.match)),
        controls=controls,
        seats={person: analysis.match.turn},
    )


def _make_menu_id(attempt: ProposalAttempt, done: int, number: int) -> MenuId:
    """Name a menu: the moves made so far are in its id."""
    return MenuId(
        make_id(attempt.analysis, PLAY, f"{number}:{attempt.play}"),
        # Each step has numbers of its own: under the same number a Discord client would keep
        # showing what was picked before.
        FIRST_MENU_ID + done * MENUS_PER_VERSION + number,
    )


def answer_card(say: Reader, answer: Answer) -> Card:
    """Return the best plays of a shared position, and what people have proposed."""
    match = answer.found.analysis.match
    advice = answer.found.advice
    assert advice is not None
    return Card(
        texts=(
            words.format_heading(say, match),
            words.format_turn(say, match),
            *words.format_options(say, answer.found.analysis),
            *format_ranking(say, advice),
        ),
        picture=draw_scene(draw_advice(build_position_scene(say, match), advice)),
        below=(
            format_explanation(say, advice),
            Listing(
                tuple(share_texts.format_proposals(say, answer)),
                more=partial(common.format_remainder, say),
                joined=True,
            ),
        ),
        small="\n".join((words.format_copy_line(say, match), format_advice_footer(say))),
    )
