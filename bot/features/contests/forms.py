"""Opening a league or tournament: the form in which its terms are chosen, two pages of menus."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum, auto
from typing import Any

import discord
from discord import ButtonStyle

from bot.features.challenges.commands import build_match_request
from bot.features.challenges.terms import choose_pace, is_rated
from bot.features.contests import drafts, service, texts
from bot.features.contests.cards import FORM
from bot.features.contests.competitions import require_organiser
from bot.features.contests.formats import (
    MAX_ENTRANTS,
    MIN_ENTRANTS,
    get_format,
    load_formats,
)
from bot.features.contests.tables import ContestFormat, UnfinishedRule
from bot.features.matches.interactions import build_pace_form
from bot.features.matches.texts import format_relative_time
from bot.features.preferences.service import DAYS_A_YEAR
from bot.platform.i18n import common
from bot.platform.i18n.reader import (
    DeclinedError,
    Reader,
    UnknownControlError,
    escape_text,
    mark_text,
)
from bot.platform.ui.answers import InteractionAnswer, log_answer_failures
from bot.platform.ui.app_client import Interaction
from bot.platform.ui.card import Card, Item, PanelRow, text_only_card
from bot.platform.ui.channels import require_permissions
from bot.platform.ui.controls import (
    build_button,
    build_choice_menu,
    build_text_form,
    get_selected_ids,
    get_selection,
    list_selection,
    parse_choice,
    parse_number,
    require_message,
)
from bot.platform.ui.declarations import press
from engine.clock import parse_pace

WEEK = 7
"""Days of a week."""
MAX_WEEKS = 26
MAX_DAYS = 60
"""Days for sign-up, or for a round of a tournament."""
EXAMPLE_PLAYERS = 6
"""For how many players the form says how many matches there would be."""


class FormField(StrEnum):
    """What a control of the form is for, by its part of the id."""

    NAMES = auto()
    FORMAT = auto()
    WEEKS = auto()
    DAYS = auto()
    SIGN_UP = auto()
    PACE = auto()
    SWITCHES = auto()
    UNFINISHED = auto()
    ROUNDS = auto()
    ROLE = auto()
    SIZE = auto()
    LIMIT = auto()
    VACATION = auto()
    MORE = auto()
    BACK = auto()
    CREATE = auto()


SWITCHES = {
    "rated": "rated",
    "late": "late_entry",
    "third": "third_place",
    "seasons": "repeats",
    "event": "has_event",
    "roles": "has_roles",
}
"""What is picked or not, and which of the terms each is."""


@dataclass(frozen=True, slots=True)
class NumberTerm:
    """A term that is a number: which are offered, and which can be typed.

    One that `may_be_open` can also be None.
    """

    name: str
    offered: Sequence[int]
    least: int
    most: int
    may_be_open: bool = False


_DAYS = (*range(1, 15), 21, 28, 42, MAX_DAYS)
NUMBERS = {
    FormField.WEEKS: NumberTerm("days", (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 26), 1, MAX_WEEKS),
    FormField.DAYS: NumberTerm("days", _DAYS, 1, MAX_DAYS),
    FormField.SIGN_UP: NumberTerm("sign_up_days", _DAYS, 1, MAX_DAYS),
    FormField.ROUNDS: NumberTerm("rounds", range(2, 13), 2, 12, may_be_open=True),
    FormField.SIZE: NumberTerm(
        "size",
        (4, 5, 6, 7, 8, 10, 12, 16, 20, 24, 32, 48, 64),
        MIN_ENTRANTS,
        MAX_ENTRANTS,
        may_be_open=True,
    ),
    FormField.LIMIT: NumberTerm("at_once", (*range(1, 11), 15, 20, 30, 50), 1, service.MAX_AT_ONCE),
    FormField.VACATION: NumberTerm(
        "away_days", (0, 1, 2, 3, 5, 7, 10, 14, 21, 28), 0, DAYS_A_YEAR, may_be_open=True
    ),
}
OPEN, OTHER = "open", "other"
"""The entries for no number, and for what is typed."""
PAGE_TWO = frozenset(
    {
        FormField.MORE,
        FormField.UNFINISHED,
        FormField.ROUNDS,
        FormField.ROLE,
        FormField.SIZE,
        FormField.LIMIT,
        FormField.VACATION,
    }
)
"""After these the second page is shown."""


class NumberRangeError(DeclinedError):
    least: int
    most: int
    sentence = mark_text("Type a number from {least} to {most}.")


async def open_contest_form(answer: InteractionAnswer, options: service.ContestOptions) -> None:
    """Show an organiser the form for a league or tournament of that name and game."""
    require_organiser(answer.interaction)
    require_permissions(answer.interaction)
    draft = replace(
        _settle_games(options),
        pace=(await choose_pace(answer.app, answer.guild, options.pace)).name,
        rated=await is_rated(answer.app, answer.guild, wished=options.rated),
    )
    await answer.send(build_form_card(answer.reader, draft))


def _build_modal(interaction: Interaction, field: FormField, piece: str) -> discord.ui.Modal | None:
    """Return the form for what is typed; None where something was picked or pressed."""
    say, custom_id = interaction.client.get_asker_reader(interaction), f"{FORM}:{field}:{piece}"
    if field is FormField.NAMES:
        return _build_names_form(say, custom_id, _read_draft(require_message(interaction)))
    if list_selection(interaction) != [OTHER]:
        return None
    if field is FormField.PACE:
        return build_pace_form(say, custom_id)
    term = NUMBERS[field]
    hint = say("Type a number from {least} to {most}.", least=term.least, most=term.most)
    return build_text_form(
        custom_id,
        title=say("Another number"),
        # Translators: label of a field in which a number is typed (noun).
        label=say("Number"),
        hint=hint,
        longest=len(str(term.most)),
    )


def _build_names_form(
    say: Reader, custom_id: str, draft: service.ContestOptions
) -> discord.ui.Modal:
    return drafts.build_names_form(
        say,
        custom_id,
        say("A new tournament") if draft.is_tournament else say("A new league"),
        name=draft.name,
        games="\n".join(filter(None, (draft.games.replace(",", ", "), draft.options))),
        hint=say("Names with commas. House rules go on a second line."),
    )


@press(FORM, modal=_build_modal)
async def change_contest_form(answer: InteractionAnswer, field: FormField, piece: str = "") -> None:
    """Show the form with what was chosen on it, or create what it says."""
    draft = _read_draft(require_message(answer.interaction))
    if field is FormField.CREATE:
        await _create(answer, draft)
        return
    draft = _settle_games(replace(draft, **_read_changes(answer.interaction, draft, field)))
    card = build_form_card(answer.reader, draft, is_second=field in PAGE_TWO)
    await answer.edit_message(card)


async def _create(answer: InteractionAnswer, draft: service.ContestOptions) -> None:
    """Open a contest, and tell its organiser in place of the form what they can do with it."""
    require_organiser(answer.interaction)
    require_permissions(answer.interaction)
    number = await service.organise_contest(answer.app, build_match_request(answer), draft)
    say, view = answer.reader, await service.load_contest(answer.app, number)
    text = say(
        "Sign-up for {contest} closes {when}. With `{command}` you can start it earlier, extend "
        "it, remove a player or call it off.",
        command=f"{texts.get_command(view.contest)} manage",
        contest=escape_text(texts.format_contest_name(say, view.contest)),
        when=format_relative_time(view.contest.starts),
    )
    with log_answer_failures(answer.interaction):
        await answer.edit_message(text_only_card(text, texts.format_size(say, view)))


def build_form_card(say: Reader, draft: service.ContestOptions, *, is_second: bool = False) -> Card:
    """Return a page of the form: what most people choose, or the rest of the terms."""
    terms, name = service.check_terms(draft), escape_text(draft.name)
    games = say.format_list([common.format_title(say, game) for game in terms.games])
    lines = [
        say.plural("Game: {games}", "Games: {games}", len(terms.games), games=games),
        *common.format_house_rules(say, terms.games[0], terms.options),
    ]
    if get_format(draft).meets_all:
        lines.append(_format_example(say, len(terms.games)))
    rows = tuple(_list_second_page(say, draft) if is_second else _list_first_page(say, draft))
    # Translators: button: opens the league or tournament of which the form says the terms (verb).
    create = build_button(say("Create"), FormField.CREATE, ButtonStyle.success)
    if is_second:
        # Translators: button: leads back to the first page of a form.
        turn = [build_button(say.in_context("to the first page of a form", "Back"), FormField.BACK)]
    else:
        turn = [
            # Translators: button: asks for the name and the games of a league or tournament.
            build_button(say("Name and games…"), FormField.NAMES),
            # Translators: button: shows the other terms of a league or tournament.
            build_button(say("More…"), FormField.MORE),
        ]
    controls = (create, *turn)
    drafts.carry_draft(FORM, draft, [*(row.control for row in rows), *controls])
    return Card(
        texts=(
            say("### A new tournament: {name}", name=name)
            if draft.is_tournament
            else say("### A new league: {name}", name=name),
            "\n".join(lines),
            say("Nothing is posted until you press **Create**."),
        ),
        panel=rows,
        controls=controls,
    )


def _format_example(say: Reader, games: int) -> str:
    """Tell for some number of players how many matches everyone plays against everyone."""
    each = games * (EXAMPLE_PLAYERS - 1)
    return say(
        "{players} players: {each} matches each, {n} in all.",
        players=EXAMPLE_PLAYERS,
        each=each,
        n=each * EXAMPLE_PLAYERS // 2,
    )


def _list_first_page(say: Reader, draft: service.ContestOptions) -> Iterator[PanelRow]:
    if draft.is_tournament:
        formats = [
            (_name_format(form.kind, best), label, "")
            for form in load_formats()
            for best, label in form.list_form_entries(say)
        ]
        chosen = _name_format(draft.format, draft.best_of)
        who = build_choice_menu(FormField.FORMAT, formats, chosen)
        yield PanelRow(say("**Who meets whom**"), who)
    field = FormField.DAYS if draft.is_tournament else FormField.WEEKS
    label = say("**Time for each round**")
    if not get_format(draft).has_rounds:
        label = say("**Time to play**")
    yield PanelRow(label, _build_number_menu(say, draft, field))
    yield PanelRow(say("**Time to join**"), _build_number_menu(say, draft, FormField.SIGN_UP))
    yield drafts.build_pace_row(say, FormField.PACE, draft.pace)
    switches = [
        (switch, label, bool(getattr(draft, SWITCHES[switch])))
        for switch, label in _list_switches(say, draft).items()
    ]
    yield drafts.build_switches_row(say, FormField.SWITCHES, switches)


def _list_second_page(say: Reader, draft: service.ContestOptions) -> Iterator[PanelRow]:
    rules = (
        (UnfinishedRule.EVALUATION, say("A clear lead wins, else a draw"), ""),
        (UnfinishedRule.CLOCK, say("Lost by the one whose turn it is"), ""),
        (UnfinishedRule.DRAW, say("A draw"), ""),
    )
    unfinished = build_choice_menu(FormField.UNFINISHED, rules, draft.unfinished)
    yield PanelRow(say("**Matches in progress at the deadline**"), unfinished)
    if draft.format is ContestFormat.SWISS:
        # Translators: label of a menu: how many rounds a tournament has (noun).
        yield PanelRow(say("**Rounds**"), _build_number_menu(say, draft, FormField.ROUNDS))
    yield PanelRow(say("**Who can join**"), _build_role_menu(say, draft.role))
    yield PanelRow(say("**Players at most**"), _build_number_menu(say, draft, FormField.SIZE))
    if get_format(draft).meets_all:
        label = say("**A player's matches side by side**")
        yield PanelRow(label, _build_number_menu(say, draft, FormField.LIMIT))
    label = say("**Vacation days that stop a clock in each match**")
    yield PanelRow(label, _build_number_menu(say, draft, FormField.VACATION))


def _name_format(kind: ContestFormat, best_of: int) -> str:
    return f"{kind} {best_of}" if best_of > 1 else kind


def _build_number_menu(say: Reader, draft: service.ContestOptions, field: FormField) -> Item:
    term, chosen = NUMBERS[field], _get_number(draft, field)
    numbers = sorted({*term.offered, *(() if chosen is None else (chosen,))})
    entries = [(str(n), _format_number(say, field, n), "") for n in numbers]
    if term.may_be_open:
        entries.insert(0, (OPEN, _format_open(say, field), ""))
    hint = say("Type a number from {least} to {most}.", least=term.least, most=term.most)
    entries.append((OTHER, say("Another number"), hint))
    return build_choice_menu(field, entries, OPEN if chosen is None else str(chosen))


def _format_number(say: Reader, field: FormField, n: int) -> str:
    match field:
        case FormField.WEEKS:
            return say.plural("{n} week", "{n} weeks", n)
        case FormField.ROUNDS:
            return say.plural("{n} round", "{n} rounds", n)
        case FormField.SIZE:
            return say.plural("{n} player", "{n} players", n)
        case FormField.LIMIT:
            return say.plural("{n} match", "{n} matches", n)
    return say.plural("{n} day", "{n} days", n)


def _format_open(say: Reader, field: FormField) -> str:
    match field:
        case FormField.ROUNDS:
            return say("As many as suit the players")
        case FormField.SIZE:
            return say("As many as there is room for")
    # Translators: menu entry: all days on vacation, however many.
    return say("All of them")


def _get_number(draft: service.ContestOptions, field: FormField) -> int | None:
    number: int | None = getattr(draft, NUMBERS[field].name)
    return number // WEEK if field is FormField.WEEKS and number is not None else number


def _build_role_menu(say: Reader, chosen: int | None) -> Item:
    return discord.ui.RoleSelect[Any](
        # Translators: in a menu of roles in which none is chosen: anyone can join.
        placeholder=say("Everyone"),
        custom_id=FormField.ROLE,
        min_values=0,
        default_values=[
            discord.SelectDefaultValue(id=each, type=discord.SelectDefaultValueType.role)
            for each in (() if chosen is None else (chosen,))
        ],
    )


def _list_switches(say: Reader, draft: service.ContestOptions) -> dict[str, str]:
    """Return what can be picked or not, with its label."""
    labels = {"rated": common.capitalise_first(common.format_matches_rated(say, rated=True))}
    if draft.format is ContestFormat.KNOCK_OUT:
        # Nobody can join a bracket late.
        labels["third"] = say("A match for third place")
    else:
        labels["late"] = say("People can join in its first half")
    if draft.format is ContestFormat.LEAGUE:
        labels["seasons"] = say("The next season opens automatically")
    labels["event"] = say("Show it among this server's events")
    labels["roles"] = say("Give roles to the best")
    return labels


def _read_changes(
    interaction: Interaction, draft: service.ContestOptions, field: FormField
) -> Mapping[str, Any]:
    """Return the terms of a draft that were picked or typed.

    Raises DeclinedError or Refusal for what can't be.
    """
    if field in NUMBERS:
        number = _read_number(interaction, NUMBERS[field])
        factor = WEEK if field is FormField.WEEKS else 1
        return {NUMBERS[field].name: None if number is None else number * factor}
    match field:
        case FormField.NAMES:
            name, games, house_rules = drafts.read_names(interaction)
            return {"name": name, "games": games, "options": house_rules}
        case FormField.FORMAT:
            kind, _, best_of = get_selection(interaction).partition(" ")
            return {
                "format": parse_choice(ContestFormat, kind),
                "best_of": parse_number(best_of or "1"),
            }
        case FormField.PACE:
            return {"pace": parse_pace(drafts.get_value(interaction)).name}
        case FormField.SWITCHES:
            picked = list_selection(interaction)
            offered = _list_switches(Reader.ENGLISH, draft)
            return {SWITCHES[each]: each in picked for each in offered}
        case FormField.UNFINISHED:
            return {"unfinished": parse_choice(UnfinishedRule, get_selection(interaction))}
        case FormField.ROLE:
            roles = get_selected_ids(interaction, "roles")
            # Discord gives the role of everyone the server's own id.
            chosen = [each for each in roles if each != interaction.guild_id]
            return {"role": next(iter(chosen), None)}
    return {}


def _read_number(interaction: Interaction, term: NumberTerm) -> int | None:
    value = drafts.get_value(interaction).strip()
    if term.may_be_open and value == OPEN:
        return None
    is_number = value.isascii() and value.isdigit() and len(value) <= len(str(term.most))
    if not is_number or not term.least <= int(value) <= term.most:
        raise NumberRangeError(term.least, term.most)
    return int(value)


def _settle_games(options: service.ContestOptions) -> service.ContestOptions:
    """Return options with the games by their slugs; raises Refusal or DeclinedError for others."""
    terms = service.check_terms(options)
    house_rules = " ".join(f"{name}={value}" for name, value in terms.options.items())
    games = ",".join(game.slug for game in terms.games)
    return replace(options, name=terms.name, games=games, options=house_rules)


def _read_draft(message: discord.Message) -> service.ContestOptions:
    """Return the draft that a form carries; raises DeclinedError for that of another version."""
    found = drafts.read_draft(FORM, service.ContestOptions, message)
    try:
        kinds = {
            "format": ContestFormat(found["format"]),
            "unfinished": UnfinishedRule(found["unfinished"]),
        }
        return service.ContestOptions(**{**found, **kinds})
    except ValueError:
        raise UnknownControlError from None
