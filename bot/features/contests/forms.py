"""The form in which an organiser chooses the terms of a league or tournament.

A form has room for five questions. What else the command was given travels in the form's id, so
that it is understood after a restart too.
"""

from dataclasses import replace
from enum import StrEnum, auto
from typing import Any

import discord
from discord import SelectOption

from bot.features.challenges.commands import LONGEST_OPTIONS, LONGEST_PACE
from bot.features.challenges.game_choice import list_paces
from bot.features.challenges.terms import choose_pace, is_rated, parse_offered_pace
from bot.features.contests.controls import FORM
from bot.features.contests.creating import LONGEST_GAMES, ContestWishes, create_and_tell
from bot.features.contests.presses import require_organiser
from bot.features.contests.rows import ContestFormat, UnfinishedRule
from bot.features.contests.service import LONGEST_CONTEST_NAME, MOST_ENTRANTS
from bot.features.matches.clock_texts import format_pace
from bot.features.preferences.service import DAYS_A_YEAR
from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.i18n.common import capitalise_first
from bot.platform.i18n.reader import Reader
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.app_client import Interaction
from bot.platform.ui.controls import LONGEST_ENTRY, MOST_CHOICES
from bot.platform.ui.declarations import press
from bot.platform.ui.forms import FORM_TIMEOUT_S, LONGEST_TITLE, read_fields
from bot.platform.ui.ids import parse_choice, parse_number
from bot.platform.ui.places import require_permissions
from engine.clock import parse_pace
from render.characters import shorten_text

WEEK = 7
"""Days of a week."""
OFFERED_WEEKS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 26)
MOST_WEEKS = OFFERED_WEEKS[-1]
MOST_DAYS = 60
"""Days for sign-up, or for a round of a tournament."""
LEAST_ROUNDS, MOST_ROUNDS = 2, 12
BEST_OF = (1, 3, 5)


class FormField(StrEnum):
    """The questions of the form, by the ids of their answers."""

    NAME = auto()
    GAMES = auto()
    FORMAT = auto()
    WEEKS = auto()
    PACE = auto()
    SWITCHES = auto()


class FormSwitch(StrEnum):
    """What is ticked or not."""

    RATED = auto()
    LATE = auto()
    THIRD = auto()
    SEASONS = auto()
    EVENT = auto()
    ROLES = auto()


def build_contest_form(say: Reader, wishes: ContestWishes) -> discord.ui.Modal:
    """Return the form for a league or tournament, filled in with what is known already."""
    is_league = wishes.format is ContestFormat.LEAGUE
    title = say("A new league") if is_league else say("A new tournament")
    form = discord.ui.Modal(title=title, custom_id=_build_id(wishes), timeout=FORM_TIMEOUT_S)
    for label, hint, field in (
        # Translators: label in a form: what the league or tournament is called (noun).
        (say("Name"), "", _ask_name(wishes)),
        (
            # Translators: label in a form: which games, such as backgammon, are played (noun).
            say("Games"),
            say("Names with commas. House rules go on a second line."),
            _ask_games(wishes),
        ),
        _ask_weeks(say, wishes) if is_league else _ask_format(say, wishes),
        # Translators: label in a form: how much time each player has in a match (noun).
        (say("Pace"), "", _ask_pace(say, wishes)),
        # Translators: label in a form, above boxes to tick, as in "it is also rated".
        (say("Also"), "", _ask_switches(say, wishes)),
    ):
        form.add_item(
            discord.ui.Label(
                text=shorten_text(label, LONGEST_TITLE),
                description=shorten_text(hint, LONGEST_ENTRY) or None,
                component=field,
            )
        )
    return form


def _build_id(wishes: ContestWishes) -> str:
    parts = (
        wishes.format,
        wishes.days,
        wishes.sign_up_days,
        wishes.rounds or 0,
        wishes.role or 0,
        wishes.size or 0,
        wishes.unfinished,
        "" if wishes.away_days is None else wishes.away_days,
    )
    return ":".join((FORM, *map(str, parts)))


def _ask_name(wishes: ContestWishes) -> discord.ui.TextInput[Any]:
    return discord.ui.TextInput(
        custom_id=FormField.NAME,
        default=wishes.name or None,
        max_length=LONGEST_CONTEST_NAME,
    )


def _ask_games(wishes: ContestWishes) -> discord.ui.TextInput[Any]:
    typed = "\n".join(filter(None, (wishes.games.strip(", "), wishes.options)))
    return discord.ui.TextInput(
        custom_id=FormField.GAMES,
        style=discord.TextStyle.paragraph,
        default=typed or None,
        placeholder="Zeno, Irish",
        max_length=LONGEST_GAMES + LONGEST_OPTIONS,
    )


def _ask_weeks(say: Reader, wishes: ContestWishes) -> tuple[str, str, discord.ui.Select[Any]]:
    chosen = wishes.days // WEEK
    weeks: discord.ui.Select[Any] = discord.ui.Select(
        custom_id=FormField.WEEKS,
        options=[
            SelectOption(
                label=say.plural("{n} week", "{n} weeks", n), value=str(n), default=n == chosen
            )
            for n in sorted({*OFFERED_WEEKS, chosen})
        ],
    )
    return say("Time to play"), "", weeks


def _ask_format(say: Reader, wishes: ContestWishes) -> tuple[str, str, discord.ui.RadioGroup[Any]]:
    chosen = _name_format(wishes.format, wishes.best_of)
    entries = (
        (ContestFormat.KNOCK_OUT, 1, say("Knock-out: who loses is out")),
        (ContestFormat.KNOCK_OUT, 3, say("Knock-out, best of 3 matches")),
        (ContestFormat.KNOCK_OUT, 5, say("Knock-out, best of 5 matches")),
        (ContestFormat.SWISS, 1, say("Swiss: everyone plays every round (from 8 players)")),
        (ContestFormat.ROUND_ROBIN, 1, say("Round robin: everyone meets everyone (up to 16)")),
    )
    group: discord.ui.RadioGroup[Any] = discord.ui.RadioGroup(
        custom_id=FormField.FORMAT,
        options=[
            discord.RadioGroupOption(
                label=shorten_text(label, LONGEST_ENTRY),
                value=_name_format(kind, best),
                default=_name_format(kind, best) == chosen,
            )
            for kind, best, label in entries
        ],
    )
    return say("Who meets whom"), "", group


def _name_format(kind: ContestFormat, best_of: int) -> str:
    return f"{kind} {best_of}" if kind is ContestFormat.KNOCK_OUT else kind


def _ask_pace(say: Reader, wishes: ContestWishes) -> discord.ui.Select[Any]:
    chosen = parse_pace(wishes.pace)
    paces = list(dict.fromkeys([*list_paces(), chosen]))[:MOST_CHOICES]
    return discord.ui.Select(
        custom_id=FormField.PACE,
        options=[
            SelectOption(
                label=shorten_text(capitalise_first(format_pace(say, pace)), LONGEST_ENTRY),
                value=pace.name,
                default=pace == chosen,
            )
            for pace in paces
        ],
    )


def _ask_switches(say: Reader, wishes: ContestWishes) -> discord.ui.CheckboxGroup[Any]:
    entries = [
        # Translators: box to tick in a form: the results of its matches change the ratings.
        (FormSwitch.RATED, say("Rated"), bool(wishes.rated)),
        (FormSwitch.LATE, say("People can join in its first half"), wishes.late_entry),
    ]
    if wishes.format is ContestFormat.LEAGUE:
        entries.append((FormSwitch.SEASONS, say("The next season opens by itself"), wishes.repeats))
    else:
        entries.append(
            (FormSwitch.THIRD, say("A knock-out has a match for third place"), wishes.third_place)
        )
    entries.append((FormSwitch.EVENT, say("Show it among this server's events"), wishes.has_event))
    entries.append((FormSwitch.ROLES, say("Give roles to the best"), wishes.has_roles))
    return discord.ui.CheckboxGroup(
        custom_id=FormField.SWITCHES,
        required=False,
        min_values=0,
        options=[
            discord.CheckboxGroupOption(
                label=shorten_text(label, LONGEST_ENTRY), value=switch, default=is_on
            )
            for switch, label, is_on in entries
        ],
    )


async def create_or_ask(answer: InteractionAnswer, wishes: ContestWishes) -> None:
    """Open a contest, or the form for its terms where it has no name or no game yet."""
    if wishes.name and wishes.games.strip(", "):
        await create_and_tell(answer, wishes)
        return
    require_organiser(answer.interaction)
    require_permissions(answer.interaction)
    pace = await choose_pace(answer.app, answer.guild, wishes.pace)
    rated = await is_rated(answer.app, answer.guild, wished=wishes.rated)
    filled = replace(wishes, pace=pace.name, rated=rated)
    await answer.open_form(build_contest_form(answer.reader, filled))


def read_contest_form(interaction: Interaction, wishes: ContestWishes) -> ContestWishes:
    """Return what a form asks for, whose id carried the other `wishes`.

    Raises DeclinedError for an answer that the form doesn't offer.
    """
    fields = read_fields(interaction)
    games, _, options = _get_one(fields, FormField.GAMES).partition("\n")
    switches = {parse_choice(FormSwitch, each) for each in fields.get(FormField.SWITCHES, ())}
    changed = replace(
        wishes,
        name=_get_one(fields, FormField.NAME),
        games=games,
        options=options,
        pace=parse_offered_pace(_get_one(fields, FormField.PACE)).name,
        rated=FormSwitch.RATED in switches,
        late_entry=FormSwitch.LATE in switches,
        third_place=FormSwitch.THIRD in switches,
        repeats=FormSwitch.SEASONS in switches,
        has_event=FormSwitch.EVENT in switches,
        has_roles=FormSwitch.ROLES in switches,
    )
    if wishes.format is ContestFormat.LEAGUE:
        days = parse_number(_get_one(fields, FormField.WEEKS)) * WEEK
        return _require_ranges(replace(changed, days=days))
    name, _, best_of = _get_one(fields, FormField.FORMAT).partition(" ")
    kind = parse_choice(ContestFormat, name)
    best = parse_number(best_of or "1")
    return _require_ranges(replace(changed, format=kind, best_of=best))


# A command opens the form, so no message shows it.
@press(FORM, shown=False)
async def create_from_form(
    answer: InteractionAnswer,
    kind: ContestFormat,
    days: int,
    sign_up: int,
    rounds: int,
    role: int,
    size: int,
    unfinished: UnfinishedRule,
    away: str = "",
) -> None:
    """Open the league or tournament of which a form says the terms."""
    carried = ContestWishes(
        format=kind,
        days=days,
        sign_up_days=sign_up,
        rounds=rounds or None,
        role=role or None,
        size=size or None,
        unfinished=unfinished,
        away_days=parse_number(away) if away else None,
    )
    await create_and_tell(answer, read_contest_form(answer.interaction, carried))


def _get_one(fields: dict[str, list[str]], field: FormField) -> str:
    values = fields.get(field, [])
    if len(values) != 1:
        raise DeclinedError(DeclineReason.UNKNOWN_CONTROL)
    return values[0]


def _require_ranges(wishes: ContestWishes) -> ContestWishes:
    """Return wishes as they are, unless a client sent numbers that no form of ours carries."""
    is_league = wishes.format is ContestFormat.LEAGUE
    in_range = (
        1 <= wishes.days <= (MOST_WEEKS * WEEK if is_league else MOST_DAYS),
        1 <= wishes.sign_up_days <= MOST_DAYS,
        wishes.rounds is None or LEAST_ROUNDS <= wishes.rounds <= MOST_ROUNDS,
        wishes.size is None or wishes.size <= MOST_ENTRANTS,
        wishes.best_of in BEST_OF,
        wishes.away_days is None or wishes.away_days <= DAYS_A_YEAR,
        len(wishes.name) <= LONGEST_CONTEST_NAME,
        len(wishes.pace) <= LONGEST_PACE,
    )
    if not all(in_range):
        raise DeclinedError(DeclineReason.UNKNOWN_CONTROL)
    return wishes
