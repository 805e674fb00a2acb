"""What leagues, tournaments and ladders have in common: how one is found, and their commands."""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Generic, Protocol, TypeAlias, TypeVar

import discord
from discord import ButtonStyle, app_commands

from bot.features.moderation.service import MAX_REASON_LENGTH
from bot.platform.context import App
from bot.platform.i18n.reader import DeclinedError, Reader, mark_text
from bot.platform.people import clean_text
from bot.platform.ui import controls
from bot.platform.ui.access import get_server_permissions, keep_shown
from bot.platform.ui.answers import InteractionAnswer, log_answer_failures
from bot.platform.ui.app_client import Interaction
from bot.platform.ui.card import Card, Item, text_only_card
from bot.platform.ui.declarations import command
from engine.folding import fold_text
from render.characters import shorten_text

MAX_COMPETITION_NAME_LENGTH = 60
"""Characters of the name of a league, tournament or ladder."""
MAX_NUMBER_LENGTH = 12
"""Digits of a number that is looked up."""
MAX_LISTED = 25
"""A server's latest of a kind, among which one is looked for and which are offered."""
CompetitionName: TypeAlias = app_commands.Range[str, 0, MAX_COMPETITION_NAME_LENGTH]


class NotAnOrganiserError(DeclinedError):
    sentence = mark_text(
        "Only people with the permission Manage Events or Manage Server can do that."
    )


class Competition(Protocol):
    """A league, tournament or ladder as a list has it."""

    @property
    def id(self) -> int:
        """Its number."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def channel(self) -> int:
        """Where it is shown."""


_Row = TypeVar("_Row", bound=Competition)
_View = TypeVar("_View")
Action: TypeAlias = Callable[[InteractionAnswer, _View], Awaitable[None]]
"""Does what a command is for with the one that is meant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompetitionKind(Generic[_Row, _View]):
    """How one of a kind is found in a server, and what is said where none or several are.

    `load` raises the error `unknown` for what is not of this kind, or of another server.
    """

    load_latest: Callable[[App, int, int], Awaitable[Sequence[_Row]]]
    load: Callable[[App, int, int], Awaitable[_View]]
    list_own: Callable[[App, Sequence[_Row], int], Awaitable[Collection[int]]]
    is_going_on: Callable[[_Row], bool]
    format_name: Callable[[Reader, _Row], str]
    unknown: type[DeclinedError]
    none: Callable[[], DeclinedError]
    several: Callable[[], DeclinedError]

    async def find(self, app: App, guild: int, typed: str, person: int | None = None) -> _View:
        """Return the one that somebody means by its name or number, or by neither.

        By neither it is the only one that goes on, or of several the only one in which the `person`
        takes part; where none goes on it is the latest. Raises DeclinedError if that is none, or
        several.
        """
        latest = await self.load_latest(app, guild, MAX_LISTED)
        if typed:
            return await self._find_named(app, guild, typed, latest)
        going_on = [each for each in latest if self.is_going_on(each)]
        if len(going_on) > 1 and person is not None:
            own = await self.list_own(app, going_on, person)
            going_on = [each for each in going_on if each.id in own] or going_on
        if len(going_on) > 1:
            raise self.several()
        meant = going_on or latest[:1]
        if not meant:
            raise self.none()
        return await self.load(app, meant[0].id, guild)

    async def _find_named(self, app: App, guild: int, typed: str, latest: Sequence[_Row]) -> _View:
        if typed.isascii() and typed.isdigit() and len(typed) < MAX_NUMBER_LENGTH:
            with suppress(self.unknown):
                return await self.load(app, int(typed), guild)
        named = [each for each in latest if fold_text(each.name) == fold_text(typed)]
        if not named:
            raise self.unknown
        # Of a league's seasons the latest.
        return await self.load(app, named[0].id, guild)

    async def offer(self, interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Offer those of a server whose names hold what was typed."""
        app, guild = interaction.client.app, interaction.guild_id or 0
        found = await keep_shown(interaction, await self.load_latest(app, guild, MAX_LISTED))
        wanted = fold_text(typed)
        say = interaction.client.get_asker_reader(interaction)
        return [
            app_commands.Choice(
                name=shorten_text(self.format_name(say, each), controls.MAX_ENTRY_LENGTH),
                value=str(each.id),
            )
            for each in found
            if wanted in fold_text(each.name)
        ][: controls.MAX_CHOICES]


def describe_choice(group: app_commands.Group) -> str:
    """Return what the option is for by which one of several is meant."""
    return f"The {group.name}; needed only where there are several"


@dataclass(frozen=True, slots=True)
class CompetitionCommands(Generic[_Row, _View]):
    """The commands of a group that are about one of a kind, which its option names."""

    group: app_commands.Group
    kind: CompetitionKind[_Row, _View]

    def add(
        self, name: str, description: str, act: Action[_View], *, organisers: bool = False
    ) -> None:
        """Declare a command; of several one's own is meant, except to `organisers`."""

        @command(group=self.group, name=name, description=description)
        @app_commands.rename(named=self.group.name)
        @app_commands.describe(named=describe_choice(self.group))
        async def act_on_one(answer: InteractionAnswer, named: CompetitionName = "") -> None:
            if organisers:
                require_organiser(answer.interaction)
            person = None if organisers else answer.person.id
            await act(answer, await self.kind.find(answer.app, answer.guild, named, person))

        act_on_one.autocomplete("named")(self.kind.offer)

    def add_standings(self, act: Action[_View]) -> None:
        """Declare the command that shows how one stands, alone or to everyone."""

        @command(
            group=self.group,
            name="standings",
            description=f"See how a {self.group.name} stands.",
            public_option="share",
        )
        @app_commands.rename(named=self.group.name)
        @app_commands.describe(
            named=describe_choice(self.group),
            share="Show it to everyone in this channel (default: only you)",
        )
        async def show_one(
            answer: InteractionAnswer, named: CompetitionName = "", share: bool = False
        ) -> None:
            await act(
                answer, await self.kind.find(answer.app, answer.guild, named, answer.person.id)
            )

        show_one.autocomplete("named")(self.kind.offer)


def require_organiser(interaction: Interaction) -> None:
    """Raise DeclinedError unless whoever asks may organise the server's events at this moment."""
    may = get_server_permissions(interaction)
    if not (may.manage_events or may.manage_guild):
        raise NotAnOrganiserError


def build_reason_form(
    interaction: Interaction, custom_id: str, title: str, *, public: bool
) -> discord.ui.Modal:
    """Return the form that asks an organiser for the reason of a ruling, and says who reads it."""
    say = interaction.client.get_asker_reader(interaction)
    return controls.build_text_form(
        custom_id,
        title=title,
        # Translators: label in a form: why an organiser decides so (noun).
        label=say("Reason"),
        hint=say("It's shown to everyone and kept")
        if public
        else say("It's shown to the organisers and kept"),
        longest=MAX_REASON_LENGTH,
    )


def build_people_menu(
    custom_id: str, placeholder: str, people: Sequence[int], names: Mapping[int, str]
) -> Item:
    """Return a menu of people, by the names as which they are shown."""
    entries = [(str(person), clean_text(names[person]), "") for person in people]
    return controls.build_choice_menu(custom_id, entries, "", placeholder)


def list_people_menus(
    custom_id: str, placeholder: str, people: Sequence[int], names: Mapping[int, str]
) -> list[Item]:
    """Return menus of as many people as Discord allows; their ids end in where each begins."""
    return [
        build_people_menu(
            f"{custom_id}:{at}", placeholder, people[at : at + controls.MAX_CHOICES], names
        )
        for at in range(0, len(people), controls.MAX_CHOICES)
    ]


async def ask_before_forfeiting(answer: InteractionAnswer, question: str, custom_id: str) -> None:
    """Ask somebody to confirm that they leave what goes on, by a button with `sure` in its id."""
    say = answer.reader
    button = controls.build_button(
        say("Leave and forfeit"), f"{custom_id}:sure", ButtonStyle.danger
    )
    await answer.send(Card(texts=(question,), controls=(button,)))


async def confirm_leaving(answer: InteractionAnswer, text: str, *, was_asked: bool) -> None:
    """Tell somebody that they have left, in place of the question if they were asked."""
    with log_answer_failures(answer.interaction):
        card = text_only_card(text)
        if was_asked:
            await answer.edit_message(card)
        else:
            await answer.send(card)
