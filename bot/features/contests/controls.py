"""The buttons and menus of contests."""

from typing import Any

import discord
from discord import ButtonStyle, SelectOption

from bot.features.contests.planning import is_open_late, may_replace
from bot.features.contests.rows import ContestFormat, ContestState, ContestView, RulingAction
from bot.platform.i18n.reader import Reader
from bot.platform.people import clean_text
from bot.platform.ui.card import Item
from bot.platform.ui.choices import make_button, make_choice_menu
from bot.platform.ui.controls import MOST_CHOICES, VerbScope, declare_verb

JOIN = declare_verb("leaguejoin", VerbScope.NUMBER)
LEAVE = declare_verb("leagueleave", VerbScope.NUMBER)
MINE = declare_verb("leaguemine", VerbScope.NUMBER)
TABLE = declare_verb("leaguetable", VerbScope.NUMBER)
RULE = declare_verb("leaguerule", VerbScope.NUMBER)
REMOVE = declare_verb("leagueremove", VerbScope.NUMBER)
FORM = "leagueform"
"""The id of the form in which the terms of a new one are chosen; it carries the other terms."""
OUT = declare_verb("leagueout", VerbScope.NUMBER)
"""The id of the form in which the reason for removing or replacing somebody is typed."""


def list_contest_buttons(say: Reader, view: ContestView, now: int) -> tuple[Item, ...]:
    """Return the buttons below a contest's message, for everyone, at an instant."""
    number, state = view.contest.id, view.contest.state
    if state is ContestState.OPEN:
        return (
            # Translators: button: the reader joins the league, tournament or ladder (verb).
            make_button(say("Join"), f"{JOIN}:{number}", ButtonStyle.success),
            # Translators: button: the reader, who had joined, leaves before the start (verb).
            make_button(
                say.in_context("from a league or tournament", "Withdraw"), f"{LEAVE}:{number}"
            ),
        )
    if state is ContestState.CANCELLED:
        return ()
    shown = (
        make_button(say("My matches"), f"{MINE}:{number}", ButtonStyle.primary),
        make_button(_label_table(say, view), f"{TABLE}:{number}"),
    )
    if is_open_late(view, now):
        return (*shown, make_button(say("Join late"), f"{JOIN}:{number}"))
    return shown


def _label_table(say: Reader, view: ContestView) -> str:
    if view.contest.format is ContestFormat.KNOCK_OUT:
        return say("All rounds")
    return say("How the table is made")


def make_division_menu(number: int, chosen: int, labels: list[str]) -> tuple[Item, ...]:
    """Return the menu by which another division's table is explained; none for a single one."""
    if len(labels) < 2:
        return ()
    entries = [(str(at), label, "") for at, label in enumerate(labels)]
    return (make_choice_menu(f"{TABLE}:{number}", entries, str(chosen)),)


def label_ruling(say: Reader, action: RulingAction) -> str:
    """Return what an organiser presses for a ruling."""
    return {
        RulingAction.START: say("Start now"),
        RulingAction.EXTEND: say("A week more"),
        RulingAction.REMOVE: say("Remove a player"),
        # Translators: button: stops a league or tournament for a while (verb).
        RulingAction.PAUSE: say("Pause"),
        RulingAction.RESUME: say("Go on"),
        RulingAction.REPLACE: say("Let another play for them"),
        RulingAction.CANCEL: say("Call it off"),
    }[action]


def list_ruling_controls(say: Reader, view: ContestView, names: dict[int, str]) -> tuple[Item, ...]:
    """Return what an organiser can do to a contest: buttons, and menus of those who take part."""
    number = view.contest.id
    if not view.contest.is_unfinished:
        return ()
    actions = [RulingAction.START, RulingAction.EXTEND, RulingAction.CANCEL]
    if view.contest.is_running:
        actions[0] = RulingAction.RESUME if view.contest.paused else RulingAction.PAUSE
    buttons = [
        make_button(
            label_ruling(say, action),
            f"{RULE}:{number}:{action}",
            ButtonStyle.danger if action is RulingAction.CANCEL else ButtonStyle.secondary,
        )
        for action in actions
    ]
    people = [each.person for each in view.present]
    about = [RulingAction.REMOVE]
    if may_replace(view):
        about.append(RulingAction.REPLACE)
    menus = [
        discord.ui.Select[Any](
            placeholder=label_ruling(say, action),
            options=[
                SelectOption(label=clean_text(names[person]), value=str(person))
                for person in people[at : at + MOST_CHOICES]
            ],
            custom_id=f"{REMOVE}:{number}:{action}:{at}",
        )
        for action in about
        for at in range(0, len(people), MOST_CHOICES)
    ]
    return (*buttons, *menus)


def make_leave_button(say: Reader, view: ContestView) -> Item:
    """Return the button by which somebody confirms that they withdraw."""
    return make_button(say("Leave and forfeit"), f"{LEAVE}:{view.contest.id}", ButtonStyle.danger)
