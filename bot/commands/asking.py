"""What every command and button does before and after its own work: acknowledge first, then answer or refuse."""

import asyncio
import logging
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, TypeAlias, TypeVar

import discord
from discord import app_commands

from bot.app import play, tasks
from bot.app.challenge import Asked
from bot.app.errors import Declined, MovedOn, Why
from bot.app.measures import Outcome
from bot.app.people import Person, legible, readable
from bot.app.play import Action
from bot.delivery.layout import ids, stripped
from bot.delivery.outlets import FAILURES, Answer, Elsewhere, Interaction, match_link, told
from bot.store import StoreError
from bot.views.card import Card, said
from bot.views.controls import withdrawal_menu
from bot.words import refusals
from bot.words.reader import Reader
from engine.refusal import Refusal

log = logging.getLogger(__name__)

UNKNOWN_MEMBER, UNKNOWN_USER = 10007, 10013
REFERENCE = "reference"
"""The name under which a line of the log keeps what people are told to report."""

Commands: TypeAlias = tuple[
    discord.app_commands.Command[Any, ..., None] | discord.app_commands.Group, ...
]
"""The slash commands of one module."""

Press: TypeAlias = Callable[[Interaction, str], Awaitable[None]]
"""Acts on a button, menu or modal, told what follows the verb in its id."""

Presses: TypeAlias = Mapping[str, Press]

Work: TypeAlias = Callable[[Answer], Awaitable[None]]

_REFUSALS = (Refusal, Declined, discord.app_commands.TransformerError, discord.Forbidden)
"""What is no failure of ours."""
IN_THE_WAY = (Why.TOO_MANY_CHALLENGES, Why.REMATCH_OFFERED)
"""What is refused because of challenges that the person can withdraw."""
LONGEST_WAIT_S = 2.0
"""Seconds that an answer waits at most until fewer others are being worked out."""


T = TypeVar("T")


def in_servers(command: T) -> T:
    """Offer a command only in servers that the bot has been invited to."""
    installed = app_commands.allowed_installs(guilds=True, users=False)(command)
    contexts = app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
    # Also in the older way, which sets one that Discord still takes.
    return app_commands.guild_only()(contexts(installed))


def anywhere(command: T) -> T:
    """Offer a command that needs no server also in direct messages, and to those who installed the bot for themselves.

    Its `answered` says so as well.
    """
    installed = app_commands.allowed_installs(guilds=True, users=True)(command)
    return app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)(installed)


def is_member(interaction: Interaction) -> bool:
    """Whether something is asked for in a server of which the bot is a member.

    The permissions that come with an interaction don't tell: where the bot was authorised without its own account, or
    installed by a person for themselves, Discord sends those that it would have.
    """
    guild = interaction.guild_id
    return guild is not None and interaction.client.get_guild(guild) is not None


def require_server(interaction: Interaction) -> None:
    """Raise Declined unless something is asked for in a server of which the bot is a member."""
    if interaction.guild_id is None:
        raise Declined(Why.NOT_IN_A_SERVER)
    if not is_member(interaction):
        raise Declined(Why.BOT_ABSENT)


def person_of(interaction: Interaction) -> Person:
    """Return who asked."""
    return known(interaction.user)


def known(user: discord.User | discord.Member) -> Person:
    """Return a person as Discord knows them, with their roles where they are members of the server."""
    roles = frozenset(role.id for role in user.roles) if isinstance(user, discord.Member) else None
    name = readable(user.display_name, user.name, user.id)
    return Person(user.id, name, user.bot, roles, legible(user.name))


def present(user: discord.User | discord.Member) -> Person:
    """Return who was named in a command; raises Declined for someone who has left the server."""
    if not isinstance(user, discord.Member):
        raise Declined(Why.ABSENT, person=known(user).name)
    return known(user)


async def still_present(interaction: Interaction, person: Person) -> Person:
    """Return a person as a member of the server; raises Declined for one who has left it since.

    Where Discord doesn't tell, they count as they were.
    """
    guild = interaction.client.get_guild(interaction.guild_id or 0)
    try:
        member = guild and await guild.fetch_member(person.id)
    except discord.NotFound as error:
        if error.code in (UNKNOWN_MEMBER, UNKNOWN_USER):
            raise Declined(Why.ABSENT, person=person.name) from None
        return person
    except FAILURES:
        return person
    return known(member) if member else person


def action_of(interaction: Interaction, match: int, version: int | None = None) -> Action:
    """Return what an action in a match needs to know; its cause is the interaction."""
    return Action(match, person_of(interaction), str(interaction.id), version)


def asked_of(interaction: Interaction, word: str = "") -> Asked:
    """Return who asks for a match, and where."""
    where = (interaction.guild_id or 0, interaction.channel_id or 0)
    parent = getattr(interaction.channel, "parent_id", None)
    return Asked(*where, person_of(interaction), str(interaction.id), word, parent)


async def answered(
    interaction: Interaction, work: Work, *, private: bool = True, everywhere: bool = False
) -> None:
    """Acknowledge, then work; whatever is refused or goes wrong is told to the one who asked.

    What does not work `everywhere` is refused outside servers, and in those of which the bot is no member.

    What cannot be acknowledged is not done: the one who asked reads that there was no answer, and nothing has changed.
    """
    answer = Answer(interaction, private)
    task = asyncio.current_task()
    assert task is not None
    measures, asked = interaction.client.app.measures, _named(interaction)
    if interaction.client.ending:
        # Acknowledged now, it might be cut off before it is done, and nobody would be told.
        log.info(
            "interaction %s came as the program was ending, so nothing was done", interaction.id
        )
        measures.answered(asked, Outcome.UNACKNOWLEDGED)
        return
    under_way = interaction.client.under_way
    under_way.add(task)
    task.add_done_callback(under_way.discard)
    began = time.monotonic()
    try:
        await answer.acknowledge()
    except FAILURES as error:
        log.warning(
            "interaction %s could not be acknowledged, so nothing was done: %s",
            interaction.id,
            told(error),
        )
        measures.answered(asked, Outcome.UNACKNOWLEDGED)
        return
    except Elsewhere:
        log.error(
            "another program that has this token has answered interaction %s; stop one of them",
            interaction.id,
        )
        measures.answered(asked, Outcome.UNACKNOWLEDGED)
        return
        return
    measures.acknowledged(time.monotonic() - began)
    outcome = Outcome.DONE
    try:
        if not everywhere:
            require_server(interaction)
        async with _room(interaction.client.app.answers):
            await _refresh_name(interaction)
            await work(answer)
    except Exception as error:  # noqa: BLE001 - nothing that is asked may stay without an answer
        outcome = Outcome.REFUSED if isinstance(error, _REFUSALS) else Outcome.FAILED
        await _refuse(answer, error)
    measures.answered(asked, outcome)


async def _refresh_name(interaction: Interaction) -> None:
    """Keep the present name of the one who asked; that nothing can be stored keeps nobody from reading."""
    try:
        await interaction.client.app.refresh_name(person_of(interaction))
    except StoreError as error:
        log.info("the name of %s is not refreshed: %s", interaction.user.id, error)


def _named(interaction: Interaction) -> str:
    """Name what was asked: the command with its slash, or the verb of a button, menu or modal."""
    if interaction.command is not None:
        return f"/{interaction.command.qualified_name}"
    data: Any = interaction.data
    verb: str = data.get("custom_id", "").partition(":")[0]
    return verb


def refusing(error: Declined) -> Work:
    """Return the work of refusing, for what is refused before there is anything to do."""

    async def work(_: Answer) -> None:
        raise error

    return work


@asynccontextmanager
async def _room(answers: asyncio.Semaphore) -> AsyncIterator[None]:
    """Wait while as many answers are being worked out as may be, so that those who come are acknowledged first.

    Nobody waits for longer than a moment, whatever holds up the others.
    """
    try:
        async with asyncio.timeout(LONGEST_WAIT_S):
            await answers.acquire()
    except TimeoutError:
        yield
        return
    try:
        yield
    finally:
        answers.release()


async def _refuse(answer: Answer, error: Exception) -> None:
    """Tell the one who asked why nothing happened. After a change was saved nothing raises that leads here."""
    if isinstance(error, MovedOn) and answer.pressed and await _renew(answer, error.parts["match"]):
        return
    try:
        alone = Answer(answer.interaction)
        await alone.tell(await _refusal(alone, error))
    except FAILURES as failure:
        log.warning(
            "could not tell %s why (%s): %s", answer.interaction.user.id, error, told(failure)
        )


async def _refusal(answer: Answer, error: Exception) -> Card:
    """Return why nothing happened; where open challenges are in the way, with the menu that withdraws them."""
    told = said(sentence(answer.reader, error))
    if not isinstance(error, Declined) or error.why not in IN_THE_WAY:
        return told
    app, person = answer.interaction.client.app, answer.interaction.user.id
    try:
        found = await app.store.challenges.open_of(person, app.clock())
    except StoreError:
        # The sentence alone is answer enough.
        return told
    return replace(told, controls=withdrawal_menu(answer.reader, found, person))


async def _renew(answer: Answer, match: int) -> bool:
    """Heal what showed a button of an earlier moment; True where the message itself now says that it is old."""
    interaction = answer.interaction
    app = interaction.client.app
    message = interaction.message
    if message is None or message.flags.ephemeral:
        return False
    try:
        sitting = await play.load(app, match)
        # One that is newer than the live one is about to be the live one: it is posted, and not yet remembered.
        if message.id >= (sitting.row.message or 0):
            app.take(
                await app.store.jobs.add(sitting.row.guild, [tasks.show_match(match, app.clock())])
            )
            return False
        # What was pressed may have lost its controls since, as every turn does when it is over.
        current = await interaction.original_response()
        if not ids(current):
            return False
        there = match_link(sitting.row)
        await answer.replace(stripped(current, refusals.old_message(answer.reader, match, there)))
    except (Declined, StoreError, *FAILURES):
        log.info("could not renew message %s", message.id, exc_info=True)
        return False
    return True


def sentence(say: Reader, error: Exception) -> str:
    """Put an error into one sentence; one of ours goes to the log under a short reference."""
    error = getattr(error, "original", error)
    match error:
        case Refusal():
            return refusals.refused(say, error)
        case Declined():
            return refusals.declined(say, error)
        case discord.app_commands.TransformerError():
            return refusals.declined(say, Declined(Why.ABSENT, person=str(error.value)))
        case discord.Forbidden():
            return refusals.forbidden(say)
    reference = secrets.token_hex(3)
    noted = {REFERENCE: reference}
    if isinstance(error, StoreError):
        # It is a sentence already.
        log.error("error %s: %s", reference, error, extra=noted)
        return refusals.not_stored(say, error.saved, reference)
    log.error("error %s", reference, exc_info=error, extra=noted)
    return refusals.failed(say, reference)
