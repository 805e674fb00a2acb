"""The buttons and menus of ladders."""

from collections.abc import Mapping, Sequence
from typing import Any

import discord
from discord import ButtonStyle, SelectOption

from bot.features.ladders.rows import LadderView
from bot.features.ladders.texts import ask_whom_to_challenge
from bot.platform.i18n.reader import Reader
from bot.platform.people import clean_text
from bot.platform.ui.card import Item
from bot.platform.ui.choices import make_button
from bot.platform.ui.controls import MOST_CHOICES, VerbScope, declare_verb

JOIN = declare_verb("ladderjoin", VerbScope.NUMBER)
LEAVE = declare_verb("ladderleave", VerbScope.NUMBER)
NEXT = declare_verb("laddernext", VerbScope.NUMBER)
CHALLENGE = declare_verb("ladderchallenge", VerbScope.NUMBER)
MANAGE = declare_verb("laddermanage", VerbScope.NUMBER)
CLOSE = declare_verb("ladderclose", VerbScope.NUMBER)
REMOVE = declare_verb("ladderremove", VerbScope.NUMBER)
OUT = declare_verb("ladderout", VerbScope.NUMBER)
"""The id of the form in which the reason for removing somebody is typed."""


def list_ladder_buttons(say: Reader, view: LadderView) -> tuple[Item, ...]:
    """Return the buttons below a ladder's message, for everyone; none once it is closed."""
    number = view.ladder.id
    if not view.ladder.is_open:
        return ()
    return (
        # Translators: button: the reader joins the league, tournament or ladder (verb).
        make_button(say("Join"), f"{JOIN}:{number}", ButtonStyle.success),
        # Translators: button: challenges somebody who stands above the reader on the ladder (verb).
        make_button(say("Challenge"), f"{NEXT}:{number}", ButtonStyle.primary),
        # Translators: button: the reader leaves the ladder (verb).
        make_button(say("Leave"), f"{LEAVE}:{number}"),
        # Translators: button: shows what the organisers of a ladder can do (verb).
        make_button(say("Manage"), f"{MANAGE}:{number}"),
    )


def list_challenge_menus(
    say: Reader, number: int, people: Sequence[int], names: Mapping[int, str]
) -> tuple[Item, ...]:
    """Return the menu of those who can be challenged; none where nobody can."""
    if not people:
        return ()
    menu = _make_people_menu(f"{CHALLENGE}:{number}", ask_whom_to_challenge(say), people, names)
    return (menu,)


def list_manage_controls(
    say: Reader, view: LadderView, names: Mapping[int, str]
) -> tuple[Item, ...]:
    """Return what an organiser can do to a ladder: close it, and menus of those on it."""
    if not view.ladder.is_open:
        return ()
    number, rungs = view.ladder.id, view.rungs
    menus = (
        _make_people_menu(
            f"{REMOVE}:{number}:{at}", label_removal(say), rungs[at : at + MOST_CHOICES], names
        )
        for at in range(0, len(rungs), MOST_CHOICES)
    )
    return (make_button(label_closing(say), f"{CLOSE}:{number}", ButtonStyle.danger), *menus)


def label_removal(say: Reader) -> str:
    """Return what an organiser presses to remove somebody."""
    return say("Remove a player")


def label_closing(say: Reader) -> str:
    """Return what an organiser presses to close a ladder."""
    return say("Close the ladder")


def make_ladder_leave_button(say: Reader, number: int) -> Item:
    """Return the button by which somebody confirms that they leave."""
    return make_button(say("Leave and forfeit"), f"{LEAVE}:{number}", ButtonStyle.danger)


def _make_people_menu(
    custom_id: str, placeholder: str, people: Sequence[int], names: Mapping[int, str]
) -> Item:
    return discord.ui.Select[Any](
        placeholder=placeholder,
        options=[
            SelectOption(label=clean_text(names[person]), value=str(person)) for person in people
        ],
        custom_id=custom_id,
    )
