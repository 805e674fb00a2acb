"""The cards of a match: the turn that is on, the turn that is over, and the end."""

from collections.abc import Sequence
from dataclasses import replace

from bot.features.matches import clock_texts, event_texts
from bot.features.matches import texts as words
from bot.features.matches.controls import (
    CardPart,
    build_card_controls,
    build_decision_controls,
)
from bot.features.matches.extensions import EndSection, format_turn_lines
from bot.features.matches.result import result_picture
from bot.features.matches.scene import build_scene
from bot.features.matches.session import MatchSession, Transition
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Card, Item, Picture
from bot.platform.ui.fitting import fit_first_lines, fit_last_lines
from engine import throws
from engine.events import DrawOffered, Thrown
from engine.match import Match, Phase
from render.describe import describe_scene, format_board

MOST_TEXT = 3000
"""Characters of a board in plain lines that leave room for what is said around it."""
MOST_STORY = 2500
"""Characters of what happened, which leave room for what else a turn's message says."""


def turn_card(
    say: Reader, session: MatchSession, happened: Sequence[Transition], man: int | None = None
) -> Card:
    """Return the message for the next player, after what happened since the message before.

    With `man` its buttons are for the moves of the man on that place alone.
    """
    story = _format_story(say, session, _omit_shown_events(session, happened))
    return Card(
        texts=(
            words.format_heading(say, session),
            format_turn_lines(say, session),
            story,
            _format_draw_offer(say, session),
            words.format_prompt(say, session, has_controls=True),
        ),
        picture=_build_picture(say, session),
        controls=(
            *build_decision_controls(say, session, man),
            *build_card_controls(CardPart.TURN, say, session),
        ),
        small=_format_small_print(say, session),
        # Who plays alone against the computer has just acted; who waits for others is called.
        ping=session.person_to_notify,
    )


def _format_story(say: Reader, session: MatchSession, happened: Sequence[Transition]) -> str:
    told = event_texts.describe_transitions(say, session, happened).splitlines()
    kept = fit_last_lines(told, MOST_STORY)
    if len(kept) < len(told):
        # Against the computer many turns can go by in which nothing was to be decided.
        kept.insert(
            0, say("`/match replay match:{match}` shows what happened before.", match=session.id)
        )
    return "\n".join(kept)


def _format_draw_offer(say: Reader, session: MatchSession) -> str:
    """Tell of a draw that somebody is to answer; the computer is about to."""
    return "" if session.is_computer_acting else words.format_draw_offer(say, session)


def _omit_shown_events(
    session: MatchSession, happened: Sequence[Transition]
) -> Sequence[Transition]:
    """Return what happened without what is shown elsewhere on the card.

    That is a draw offer that stands, and a throw that waits to be played: the menu of plays gives
    its numbers.
    """
    if session.match.drawing is not None:
        # The latest one only: an offer that lapsed before it remains part of the story.
        offer = next(
            (each for each in reversed(happened) if isinstance(each.event, DrawOffered)), None
        )
        happened = [each for each in happened if each is not offer]
    if not happened or session.match.phase is not Phase.PLAY:
        return happened
    # A number that a rule adds is not among the dice, so such a throw is written in words.
    last = happened[-1].event
    if isinstance(last, Thrown) and not throws.list_added_numbers(
        session.match.rules.dice, last.dice
    ):
        return happened[:-1]
    return happened


def _format_small_print(say: Reader, session: MatchSession) -> str:
    """Return how much time is left and, where the match begins, how the computer plays."""
    lines = [clock_texts.format_time_left(say, session)]
    if session.row.message is None:
        lines += words.describe_computer_play(say, session)
    return "\n".join(filter(None, lines))


def _build_picture(say: Reader, session: MatchSession) -> Picture:
    shown = build_scene(say, session, moves=not session.is_computer_acting)
    return Picture(shown, describe_scene(shown))


def mention_card(say: Reader, session: MatchSession, link: str) -> Card:
    """Return what calls the one to act where a match's message is changed, which calls nobody."""
    return Card(
        texts=(clock_texts.format_turn_notice(say, session, link),), ping=session.person_to_call
    )


def past_turn_card(
    say: Reader, session: MatchSession, happened: Sequence[Transition], shown: Match
) -> Card:
    """Return what a finished turn leaves behind: its picture, and what was played.

    `shown` is the match of the picture.
    """
    then = replace(session, match=shown)
    # The message keeps its file; only the description is sent again.
    kept = Picture(None, describe_scene(build_scene(say, then)))
    return Card(
        texts=(words.format_heading(say, session), _format_story(say, session, happened)),
        picture=kept,
    )


def end_card(
    say: Reader,
    session: MatchSession,
    happened: Sequence[Transition],
    sections: Sequence[EndSection],
) -> Card:
    """Return the last message of a match: how it ended, and what features say of it."""
    story = _format_story(say, session, happened)
    said = (words.format_result(say, session), *(each.result for each in sections))
    result = "\n".join(filter(None, said))
    news = filter(None, (each.news for each in sections))
    luck = next(filter(None, (each.luck for each in sections)), None)
    return Card(
        texts=(words.format_heading(say, session), story, result, *news),
        picture=result_picture(say, session, luck),
        controls=build_card_controls(CardPart.END, say, session),
        seats=session.sides_by_person,
    )


def board_card(say: Reader, session: MatchSession, *, moves: bool = False) -> Card:
    """Return the present board, without buttons, for one person's eyes.

    With `moves`, it shows where men may go now.
    """
    # At first the way round is drawn here too, also where it isn't shown who may move.
    shown = replace(build_scene(say, session, moves=moves), ways=session.match.may_abort())
    return Card(
        texts=(
            words.format_heading(say, session),
            _format_draw_offer(say, session),
            words.format_prompt(say, session),
        ),
        picture=Picture(shown, describe_scene(shown)),
        seats=session.sides_by_person,
    )


def text_board_card(say: Reader, session: MatchSession) -> Card:
    """Return the board as it stands in plain lines."""
    # Three backticks in somebody's name would end the code block.
    lines = format_board(build_scene(say, session)).replace("```", "` ` `").splitlines()
    shown = "\n".join(fit_first_lines(lines, MOST_TEXT))
    board = f"```\n{shown}\n```"
    return Card(
        texts=(
            words.format_heading(say, session),
            board,
            _format_draw_offer(say, session),
            words.format_prompt(say, session),
        )
    )


def dice_card(say: Reader, session: MatchSession, lines: Sequence[str] = ()) -> Card:
    """Return all about a match's dice; `lines` are what they prove, where a feature knows it."""
    proof = lines or (words.explain_dice_proof(say, session),)
    return Card(texts=(*words.format_dice_page(say, session), *proof))


def choice_card(say: Reader, text: str, menus: Sequence[Item]) -> Card:
    """Return a question with the menus that answer it."""
    return Card(texts=(text,), controls=tuple(menus))
