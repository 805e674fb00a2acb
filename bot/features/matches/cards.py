"""The cards of a match: the turn that is on or over, the end, and what somebody asks to see."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import discord
from discord import ButtonStyle

from bot.features.matches import texts as words
from bot.features.matches.controls import (
    CardPart,
    bring_control,
    build_action_button,
    build_ask_button,
    build_card_controls,
    build_decision_controls,
    match_link_control,
)
from bot.features.matches.event_texts import describe_transitions
from bot.features.matches.scene import build_scene
from bot.features.matches.session import MatchSession, Transition
from bot.features.matches.texts import explain_hidden_match, format_time_left, format_turn_notice
from bot.platform.context import App
from bot.platform.features import ExtensionPoint
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Card, Item, MatchMoment, Picture
from bot.platform.ui.layout import fit_first_lines, fit_last_lines
from engine import throws
from engine.events import DrawOffered, Thrown
from engine.match import Match, Phase
from render.describe import describe_scene, format_board

MAX_TEXT_LENGTH = 3000
"""Characters of a board in plain lines that leave room for what is said around it."""
MAX_STORY_LENGTH = 2500
"""Characters of what happened, which leave room for what else a turn's message says."""


@dataclass(frozen=True, slots=True)
class EndSection:
    """What a feature says on the last message of a match: beside its result, or below it.

    `luck` is what the throws of gold and black gave them, in points, where a feature knows it.
    """

    result: str = ""
    news: str = ""
    luck: tuple[float, float] | None = None


FormatOpeningLine: TypeAlias = Callable[[Reader, MatchSession], str]
LoadEndSection: TypeAlias = Callable[[App, Reader, MatchSession], Awaitable[EndSection]]
OPENING_LINES: ExtensionPoint[FormatOpeningLine] = ExtensionPoint()
"""Lines under the heading of a turn's message while the match is young."""
END_SECTIONS: ExtensionPoint[LoadEndSection] = ExtensionPoint()
"""What features say on a match's last message."""


def format_opening_lines(say: Reader, session: MatchSession) -> str:
    """Return what all features say under the heading of a turn's message in a young match."""
    if not session.match.may_abort():
        return ""
    return "\n".join(format_line(say, session) for format_line in OPENING_LINES.list_functions())


async def load_end_sections(app: App, say: Reader, session: MatchSession) -> list[EndSection]:
    """Return what all features say on a match's last message, in order."""
    return [await load(app, say, session) for load in END_SECTIONS.list_functions()]


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
            format_opening_lines(say, session),
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
        seats=session.sides_by_person,
        viewer=session.sole_player,
        moment=build_moment(session),
    )


def _format_story(say: Reader, session: MatchSession, happened: Sequence[Transition]) -> str:
    texts = describe_transitions(say, session, happened).splitlines()
    lines = fit_last_lines(texts, MAX_STORY_LENGTH)
    if len(lines) < len(texts):
        # Against the computer many turns can go by in which nothing was to be decided.
        lines.insert(
            0, say("`/match replay match:{match}` shows what happened before.", match=session.id)
        )
    return "\n".join(lines)


def _format_draw_offer(say: Reader, session: MatchSession) -> str:
    """Describe a draw that somebody is to answer; the computer is about to."""
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
    lines = [format_time_left(say, session)]
    if session.row.message is None:
        lines += words.describe_computer_play(say, session)
    return "\n".join(filter(None, lines))


def _build_picture(say: Reader, session: MatchSession) -> Picture:
    scene = build_scene(say, session, moves=not session.is_computer_acting)
    return Picture(scene, describe_scene(scene))


def build_moment(session: MatchSession) -> MatchMoment:
    """Return what a message shows of a match, as the session has it."""
    return MatchMoment(session.id, session.match.version)


def mention_card(say: Reader, session: MatchSession, link: str) -> Card:
    """Return what calls the one to act where a match's message is changed, which calls nobody."""
    return Card(texts=(format_turn_notice(say, session, link),), ping=session.person_to_call)


def past_turn_card(
    say: Reader, session: MatchSession, happened: Sequence[Transition], match: Match
) -> Card:
    """Return what a finished turn leaves behind: its picture, and what was played.

    `match` is the one of the picture.
    """
    then = replace(session, match=match)
    # The message keeps its file; only the description is sent again.
    kept = Picture(None, describe_scene(build_scene(say, then)))
    return Card(
        texts=(words.format_heading(say, session), _format_story(say, session, happened)),
        picture=kept,
        moment=build_moment(then),
    )


def end_card(
    say: Reader,
    session: MatchSession,
    happened: Sequence[Transition],
    sections: Sequence[EndSection],
) -> Card:
    """Return the last message of a match: how it ended, and what features say of it."""
    story = _format_story(say, session, happened)
    lines = (words.format_result(say, session), *(each.result for each in sections))
    result = "\n".join(filter(None, lines))
    news = filter(None, (each.news for each in sections))
    luck = next(filter(None, (each.luck for each in sections)), None)
    return Card(
        texts=(words.format_heading(say, session), story, result, *news),
        picture=result_picture(say, session, luck),
        controls=build_card_controls(CardPart.END, say, session),
        seats=session.sides_by_person,
        viewer=session.sole_player,
        moment=build_moment(session),
    )


def past_board_card(say: Reader, session: MatchSession, link: str | None) -> Card:
    """Return a board as it was, for one person's eyes; `link` leads to where the match is now."""
    scene = build_scene(say, session)
    return Card(
        texts=(words.format_heading(say, session),),
        picture=Picture(scene, describe_scene(scene)),
        controls=(match_link_control(say, link),) if link else (),
        seats=session.sides_by_person,
    )


def board_card(say: Reader, session: MatchSession, *, moves: bool = False) -> Card:
    """Return the present board, without buttons, for one person's eyes.

    With `moves`, it shows where men may go now.
    """
    scene = build_scene(say, session, moves=moves)
    return Card(
        texts=(
            words.format_heading(say, session),
            _format_draw_offer(say, session),
            words.format_prompt(say, session),
        ),
        picture=Picture(scene, describe_scene(scene)),
        seats=session.sides_by_person,
    )


def text_board_card(say: Reader, session: MatchSession) -> Card:
    """Return the board as it stands in plain lines."""
    # Three backticks in somebody's name would end the code block.
    lines = format_board(build_scene(say, session)).replace("```", "` ` `").splitlines()
    text = "\n".join(fit_first_lines(lines, MAX_TEXT_LENGTH))
    board = f"```\n{text}\n```"
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


def result_picture(
    say: Reader, session: MatchSession, luck: tuple[float, float] | None = None
) -> Picture:
    """Return the picture of a finished match: its last board and each side's luck, if known."""
    # Whose turn it would be no longer matters.
    last = replace(build_scene(say, session), dice=(), turn=None, luck=luck)
    return Picture(last, describe_scene(last))


def more_card(say: Reader, session: MatchSession, person: int) -> Card:
    """Return what else somebody can look at or do in a match, for them alone."""
    part = CardPart.PAST if session.match.phase is Phase.OVER else CardPart.MORE
    return Card(
        texts=(say("What would you like to see or do in match {number}?", number=session.id),),
        controls=(
            *build_card_controls(part, say, session),
            *_build_player_controls(say, session, person),
        ),
    )


def _build_player_controls(say: Reader, session: MatchSession, person: int) -> tuple[Item, ...]:
    """Return the buttons of those who play, but those that would be refused."""
    match = session.match
    sides = session.find_sides(person)
    if not sides or match.phase is Phase.OVER:
        return ()
    controls: list[Item] = []
    if match.thrower is not None and match.drawing is None and sides[0] not in match.offered:
        controls.append(
            build_action_button(session, "offer", say("Offer a draw"), ButtonStyle.secondary)
        )
    label = say("Leave the match…")
    if not session.may_be_left:
        # Translators: button: asks whether the reader wants to give the match up (verb).
        label = say("Resign…")
    controls.append(build_ask_button(session, "resign", label))
    return tuple(controls)


def resign_card(say: Reader, session: MatchSession) -> Card:
    """Return the question whether somebody gives a match up, or leaves it while it is young."""
    if session.may_be_left:
        text = say(
            "Leave match {number}? It's within its first two turns, so it won't count.",
            number=session.id,
        )
        button = build_action_button(session, "abort", say("Leave the match"), ButtonStyle.danger)
    else:
        text = say("Resign match {number}? Your opponent wins it.", number=session.id)
        # Translators: button: gives the match up, which the opponent then wins (verb).
        button = build_action_button(session, "resign", say("Resign"), ButtonStyle.danger)
    return Card(texts=(text,), controls=(button, build_ask_button(session, "stay", say("Play on"))))


def stay_card(say: Reader, session: MatchSession) -> Card:
    """Return what is said to somebody who plays on after all."""
    return Card(texts=(say("Match {number} goes on.", number=session.id),))


def unreachable_card(
    say: Reader,
    session: MatchSession,
    missing: Sequence[str],
    *,
    gone: bool,
    refuge: discord.TextChannel | None,
) -> Card:
    """Return what tells a player why their match is not shown; a button brings it to the refuge."""
    text = explain_hidden_match(say, session, missing, gone=gone)
    if refuge is None:
        return Card(texts=(text,))
    return Card(texts=(text,), controls=(bring_control(say, session, refuge.id, refuge.name),))
