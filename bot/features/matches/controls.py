"""Buttons and menus of a match."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, TypeAlias

import discord
from discord import ButtonStyle, SelectOption

from bot.features.matches import name_texts
from bot.features.matches.action_buttons import make_action_button
from bot.features.matches.play_controls import build_play_controls
from bot.features.matches.session import MatchSession
from bot.platform.computers import COMPUTERS
from bot.platform.features import ExtensionPoint
from bot.platform.i18n import common
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Item
from bot.platform.ui.controls import (
    LONGEST_ENTRY,
    LONGEST_LABEL,
    MOST_CHOICES,
    VerbScope,
    declare_verb,
)
from engine.match import SIDE, SIX, Phase
from engine.position import Side
from engine.rules import Option, OptionValue
from render.characters import shorten_text

ASK = declare_verb("ask", VerbScope.NUMBER)
"""Ask about a match."""
ROUNDS = "rounds"
"""Go through the matches that wait for somebody."""
BRING = "bring"
"""Bring a match that can be shown nowhere to a channel."""
CHOOSE_MATCH = "which"
"""Say which match is meant."""


class CardPart(StrEnum):
    """The messages of a match under which features put their buttons: `MORE` is private."""

    TURN = "turn"
    END = "end"
    MORE = "more"


BuildControls: TypeAlias = Callable[[Reader, MatchSession], Iterable[Item]]

CARD_CONTROLS: Mapping[CardPart, ExtensionPoint[BuildControls]] = {
    part: ExtensionPoint() for part in CardPart
}
"""The buttons and menus that features put under the messages of a match."""


def card_controls(part: CardPart, order: int) -> Callable[[BuildControls], BuildControls]:
    """Declare what a feature puts under a message of a match; those of a low `order` come first."""
    return CARD_CONTROLS[part].add(order)


def build_card_controls(part: CardPart, say: Reader, session: MatchSession) -> tuple[Item, ...]:
    """Return the buttons and menus under a message of a match."""
    return tuple(
        item for build in CARD_CONTROLS[part].list_functions() for item in build(say, session)
    )


def timeout_controls(say: Reader, session: MatchSession) -> tuple[Item, ...]:
    """Return the buttons for those who wait for a side that is out of time."""
    return (
        make_action_button(session, "claim", say("Claim the win"), ButtonStyle.danger),
        make_action_button(session, "grant", say("Give more time"), ButtonStyle.secondary),
    )


def bring_control(say: Reader, session: MatchSession, channel: int, name: str) -> Item:
    """Return the button by which a match is brought to a channel."""
    return discord.ui.Button(
        label=shorten_text(say("Continue in #{channel}", channel=name), LONGEST_LABEL),
        style=ButtonStyle.primary,
        custom_id=f"{BRING}:{session.id}:{channel}",
    )


@card_controls(CardPart.TURN, 20)
def _draw_offer_controls(say: Reader, session: MatchSession) -> Iterator[Item]:
    if session.match.drawing is not None and not session.is_computer_acting:
        yield make_action_button(session, "agree", say("Accept the draw"), ButtonStyle.success)
        yield make_action_button(session, "decline", say("Decline the draw"), ButtonStyle.secondary)


def build_decision_controls(
    say: Reader, session: MatchSession, man: int | None = None
) -> Iterator[Item]:
    """Yield the controls for what is to be decided: to play it, the moves of all men or of one."""
    if session.is_computer_acting:
        return
    match = session.match
    match match.phase:
        case Phase.BATTLE | Phase.CONTEST | Phase.THROW:
            # Translators: button: throws the dice (verb).
            yield make_action_button(session, "roll", say("Roll"), ButtonStyle.primary)
        case Phase.OPENING | Phase.BREAK:
            assert match.choice is not None
            for value in match.choice.values:
                label = _format_choice(say, match.choice, value)
                yield make_action_button(
                    session, match.choice.name, label, ButtonStyle.primary, value.name
                )
        case Phase.CHOOSE:
            for number in sorted(set(match.thrown)):
                label = say("Turn the {number} into a six", number=number)
                if number == match.rules.dice.presumed:
                    label = say("Keep the six")
                yield make_action_button(session, SIX, label, ButtonStyle.primary, str(number))
        case Phase.PLAY | Phase.OFFER:
            yield from build_play_controls(say, session, man)
            if match.phase is Phase.OFFER:
                yield make_action_button(session, "leave", say("Leave it"), ButtonStyle.secondary)


def _format_choice(say: Reader, choice: Option, value: OptionValue) -> str:
    """Write a choice's value: a side by its name, anything else as it is typed."""
    return common.format_side(say, value.name) if choice is SIDE else value.name


@card_controls(CardPart.TURN, 40)
def _take_back_controls(say: Reader, session: MatchSession) -> Iterator[Item]:
    if session.person_to_take_back is not None and session.person_to_take_back not in COMPUTERS:
        yield make_action_button(session, "back", say("Take back"), ButtonStyle.secondary)
    elif session.is_solo and session.find_turn_to_take_back(session.human_players[0]) is not None:
        yield make_action_button(session, "back", say("Take back my turn"), ButtonStyle.secondary)


@card_controls(CardPart.TURN, 30)
def _late_controls(say: Reader, session: MatchSession) -> Iterator[Item]:
    if session.late:
        yield from timeout_controls(say, session)


@card_controls(CardPart.TURN, 60)
def _more_control(say: Reader, session: MatchSession) -> Iterator[Item]:
    # Translators: button: shows what else can be done in a match.
    yield make_ask_button(session, "more", say("More…"))


@card_controls(CardPart.MORE, 20)
def _board_controls(say: Reader, session: MatchSession) -> Iterator[Item]:
    """Yield the buttons that show a match in other ways, and how its dice fall."""
    yield make_ask_button(session, "text", say("Board as text"))
    yield make_ask_button(session, "flip", say("From the other side"))
    yield make_ask_button(session, "numbers", say("With numbers"))
    yield make_ask_button(session, "dice", say("Fair dice"))


@card_controls(CardPart.END, 20)
def _end_controls(say: Reader, session: MatchSession) -> Iterator[Item]:
    """Yield the buttons that ask what happened in a finished match, and how its dice fell."""
    # Translators: button: shows a finished match as a moving picture (noun).
    yield make_ask_button(session, "replay", say("Replay"))
    # Translators: button: checks that the dice of a match were fair (verb).
    yield make_ask_button(session, "verify", say("Verify"))
    yield make_ask_button(session, "dice", say("Fair dice"))
    # Translators: button: gives a file in which a finished match is written down (noun).
    yield make_ask_button(session, "record", say("Record"))


def make_ask_button(session: MatchSession, what: str, label: str) -> Item:
    """Return the button that asks about a match."""
    return discord.ui.Button(
        label=label, style=ButtonStyle.secondary, custom_id=f"{ASK}:{session.id}:{what}"
    )


def start_rounds_controls(say: Reader) -> tuple[Item, ...]:
    """Return the button that leads to the first match that waits for somebody."""
    return (_make_rounds_button(say("Next match waiting for me"), "next", 0, ButtonStyle.primary),)


def match_link_control(say: Reader, link: str) -> Item:
    """Return the button that leads to a match's message."""
    return discord.ui.Button(label=say("Go to match"), url=link)


def round_controls(say: Reader, session: MatchSession, link: str | None) -> tuple[Item, ...]:
    """Return the buttons that lead from a match that waits to its message and to its neighbours.

    Without a `link` there is no message, since the match can be shown nowhere.
    """
    return (
        *([match_link_control(say, link)] if link else []),
        # Translators: button: shows the previous one of the matches that wait for the reader.
        _make_rounds_button(say("Back"), "back", session.id, ButtonStyle.secondary),
        # Translators: button: shows the next one of the matches that wait for the reader.
        _make_rounds_button(say("Next"), "next", session.id, ButtonStyle.primary),
    )


def _make_rounds_button(label: str, way: str, match: int, style: ButtonStyle) -> Item:
    return discord.ui.Button(label=label, style=style, custom_id=f"{ROUNDS}:{way}:{match}")


def match_choice_menus(
    say: Reader, command: str, text: str, sessions: Sequence[MatchSession]
) -> tuple[Item, ...]:
    """Return the menus that ask which match a command was meant for.

    There are as many as all the matches need.
    """
    entries = [_match_option(say, session) for session in sessions]
    shelves = [entries[at : at + MOST_CHOICES] for at in range(0, len(entries), MOST_CHOICES)]
    return tuple(
        discord.ui.Select[Any](
            placeholder=say("Which match?"),
            options=shelf,
            # Numbered, as no two controls of a message may have the same id. What was typed comes
            # last, since it may have colons in it.
            custom_id=f"{CHOOSE_MATCH}:{number}:{command}:{text}",
        )
        for number, shelf in enumerate(shelves)
    )


def _match_option(say: Reader, session: MatchSession) -> SelectOption:
    game = common.format_title(say, session.match.game)
    gold, black = (name_texts.format_names(say, session, side) for side in Side)
    return SelectOption(
        label=shorten_text(
            say("Match {number}, {game}", number=session.id, game=game), LONGEST_ENTRY
        ),
        value=str(session.id),
        description=shorten_text(
            say("{gold} against {black}", gold=gold, black=black), LONGEST_ENTRY
        ),
    )
