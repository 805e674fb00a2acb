"""What every command and button does around its own work.

It saves, acknowledges, then answers or refuses.
"""

import asyncio
import logging
import re
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
from bot.delivery.outlets import (
    FAILURES,
    RECEIVED,
    Answer,
    Elsewhere,
    Interaction,
    Unanswered,
    told,
)
from bot.delivery.reach import link_of
from bot.store import QueuedJob, StoreError
from bot.views import controls
from bot.views.card import Card, said
from bot.views.controls import OF_STATE, read_id, withdrawal_menu
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

_BY_CAUSE = {
    *(controls.ACT, controls.PLAY, controls.TRIED),
    *("/roll", "/move", "/undo", "/draw", "/resign"),
}
"""What is saved with the interaction as its cause, or not at all."""

_REFUSALS = (Refusal, Declined, discord.app_commands.TransformerError, discord.Forbidden)
"""What is no failure of ours."""
IN_THE_WAY = (Why.TOO_MANY_CHALLENGES, Why.REMATCH_OFFERED)
"""What is refused because of challenges that the person can withdraw."""
QUICK_S = 1.0
"""Seconds within which what is asked is saved before it is acknowledged; Discord waits three."""
NOTED_S = 1.0
"""Seconds that the note of what takes longer may take."""
MOST_RECEIVED = 4096
"""Interactions that are remembered, so that one that comes again is answered once."""
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
    """Offer a command that needs no server also in direct messages.

    Those who installed the bot for themselves have it too. Its `answered` says so as well.
    """
    installed = app_commands.allowed_installs(guilds=True, users=True)(command)
    return app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)(installed)


def is_member(interaction: Interaction) -> bool:
    """Return whether something is asked for in a server of which the bot is a member.

    The permissions that come with an interaction don't show it: where the bot was authorised
    without its own account, or installed by a person for themselves, Discord sends those that it
    would have.
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
    """Return a person as Discord knows them.

    Their roles are included where they are a member of the server.
    """
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
    """Work, acknowledge what is saved, and tell the person what was refused or went wrong.

    What does not work `everywhere` is refused outside servers, and in those of which the bot is no
    member.

    What takes longer than QUICK_S is acknowledged while it goes on; a job then notifies the person
    if the program dies before it is done. What Discord may have sent long ago is acknowledged
    first, and not done where that fails.
    """
    interaction.extras[RECEIVED] = time.monotonic()
    answer = Answer(interaction, private)
    task = asyncio.current_task()
    assert task is not None
    client = interaction.client
    measures, asked = client.app.measures, _named(interaction)
    if _came_before(interaction):
        log.debug("interaction %s came once more, and is answered once", interaction.id)
        return
    if client.ending:
        # Acknowledged now, it might be cut off before it is done, and nobody would be told.
        log.info(
            "interaction %s came as the program was ending, so nothing was done", interaction.id
        )
        measures.answered(asked, Outcome.UNACKNOWLEDGED)
        return
    client.under_way.add(task)
    task.add_done_callback(client.under_way.discard)
    client.answering.add(interaction.id)
    try:
        outcome = await _outcome(answer, work, everywhere=everywhere)
    except Elsewhere:
        log.error(
            "another program that has this token has answered interaction %s; stop one of them",
            interaction.id,
        )
        outcome = Outcome.UNACKNOWLEDGED
    except Unanswered as error:
        log.warning("interaction %s could not be answered: %s", interaction.id, error)
        outcome = Outcome.UNACKNOWLEDGED
    finally:
        client.answering.discard(interaction.id)
    measures.answered(asked, outcome)


def _came_before(interaction: Interaction) -> bool:
    """Note that an interaction has come; True where it has before."""
    received = interaction.client.received
    before = interaction.id in received
    received[interaction.id] = None
    while len(received) > MOST_RECEIVED:
        received.popitem(last=False)
    return before


async def _outcome(answer: Answer, work: Work, *, everywhere: bool) -> Outcome:
    """Work, acknowledge once it is saved or takes long, and return the outcome.

    Raises Unanswered.
    """
    interaction = answer.interaction
    app = interaction.client.app
    if app.shards.of(interaction.guild_id or 0) not in app.reached:
        # After a broken connection Discord sends what came meanwhile; it may be too old to answer.
        async with _keep_note(interaction):
            await answer.acknowledge()
            return await _work(answer, work, everywhere=everywhere)
    working = asyncio.create_task(_work(answer, work, everywhere=everywhere))
    done, _ = await asyncio.wait((working,), timeout=QUICK_S)
    if done:
        outcome = await working
        await answer.acknowledge()
        return outcome
    async with _keep_note(interaction):
        try:
            await answer.acknowledge()
        finally:
            # Even unacknowledged it is under way, and its message shows what came of it.
            outcome = await working
    return outcome


async def _work(answer: Answer, work: Work, *, everywhere: bool) -> Outcome:
    """Do what was asked, or tell the person why not, and return the outcome.

    Raises Unanswered.
    """
    try:
        if not everywhere:
            require_server(answer.interaction)
        async with _room(answer.interaction.client.app.answers):
            await _refresh_name(answer.interaction)
            await work(answer)
    except Unanswered:
        raise
    except Exception as error:  # noqa: BLE001 - nothing that is asked may stay without an answer
        await _refuse(answer, error)
        return Outcome.REFUSED if isinstance(error, _REFUSALS) else Outcome.FAILED
    return Outcome.DONE


@asynccontextmanager
async def _keep_note(interaction: Interaction) -> AsyncIterator[None]:
    """Have somebody told if the program dies before what they asked is done."""
    note = await _note(interaction)
    try:
        yield
    finally:
        await _forget(interaction, note)


async def _note(interaction: Interaction) -> QueuedJob | None:
    """Save that somebody is to be notified if the program dies before it is done.

    Return None where saving takes too long or fails.
    """
    app = interaction.client.app
    interrupted = tasks.Interrupted(
        run=app.run,
        at=app.clock(),
        person=interaction.user.id,
        token=interaction.token,
        locale=str(interaction.locale),
        by_cause=_named(interaction) in _BY_CAUSE,
    )
    job = tasks.tell_interrupted(interaction.id, interrupted, app.clock() + tasks.ANSWERED_MS)
    try:
        async with asyncio.timeout(NOTED_S):
            (added,) = await app.store.jobs.add(interaction.guild_id or 0, [job])
    except (TimeoutError, StoreError) as error:
        log.info("interaction %s is acknowledged without a note: %s", interaction.id, told(error))
        return None
    return added


async def _forget(interaction: Interaction, note: QueuedJob | None) -> None:
    """Delete the note of an interaction that was answered.

    One that could not be deleted is dropped by this run when it is due.
    """
    if note is None:
        return
    try:
        await interaction.client.app.store.jobs.done(note)
    except StoreError as error:
        log.info("the note of interaction %s stays for now: %s", interaction.id, error)


async def _refresh_name(interaction: Interaction) -> None:
    """Save the present name of the person who asked.

    A database that can't store it doesn't keep anyone from reading.
    """
    try:
        await interaction.client.app.refresh_name(person_of(interaction))
    except StoreError as error:
        log.info("the name of %s is not refreshed: %s", interaction.user.id, error)


def _named(interaction: Interaction) -> str:
    """Name what was asked: the command with its slash, or the verb of a button, menu or modal."""
    if interaction.command is not None:
        return f"/{interaction.command.qualified_name}"
    data: Any = interaction.data
    return read_id(data.get("custom_id", "")).verb


def refusing(error: Declined) -> Work:
    """Return the work of refusing, for what is refused before there is anything to do."""

    async def work(_: Answer) -> None:
        raise error

    return work


@asynccontextmanager
async def _room(answers: asyncio.Semaphore) -> AsyncIterator[None]:
    """Wait while too many answers are being worked out at once.

    New interactions are acknowledged first that way. Nobody waits for longer than a moment,
    whatever holds up the others.
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
    """Tell the person why nothing happened.

    After a change was saved nothing raises that leads here.
    """
    if isinstance(error, MovedOn) and answer.pressed and await _renew(answer, error.parts["match"]):
        return
    alone = Answer(answer.interaction)
    await alone.tell(await _refusal(alone, error))


async def _refusal(answer: Answer, error: Exception) -> Card:
    """Return a card that says why nothing happened.

    Where open challenges are in the way, it has the menu that withdraws them.
    """
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


def _shown_version(interaction: Interaction) -> int:
    """Return the version of a match that a pressed control names, 0 where it names none."""
    data: Any = interaction.data
    verb, _, rest = read_id(data["custom_id"])
    found = re.match("[0-9]+:([0-9]+)", rest) if verb in OF_STATE else None
    return int(found[1]) if found else 0


async def _renew(answer: Answer, match: int) -> bool:
    """Repair a message whose pressed button belongs to an earlier moment.

    Return True where the message itself now says that it is out of date.
    """
    interaction = answer.interaction
    app = interaction.client.app
    message = interaction.message
    if message is None or message.flags.ephemeral:
        return False
    try:
        sitting = await play.load(app, match)
        # A message newer than the live one is about to become it: posted, but not yet recorded. If
        # it shows what has not happened, an older database was restored, which nothing else says.
        is_coming = message.id >= (sitting.row.message or 0)
        if is_coming and _shown_version(interaction) <= sitting.match.version:
            app.take(
                await app.store.jobs.add(sitting.row.guild, [tasks.show_match(match, app.clock())])
            )
            return False
        # What was pressed may have lost its controls since, as every turn does when it is over.
        current = await answer.load_pressed()
        if not ids(current):
            return False
        there = await link_of(interaction.client, sitting.row)
        await answer.replace(stripped(current, refusals.old_message(answer.reader, match, there)))
    except (Declined, StoreError, Unanswered, *FAILURES) as failure:
        log.info("could not renew message %s: %s", message.id, told(failure))
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
    if isinstance(error, FAILURES):
        # Discord's doing, which a traceback would say nothing about.
        log.warning("error %s: %s", reference, told(error), extra=noted)
        return refusals.failed(say, reference)
    if isinstance(error, StoreError):
        # It is a sentence already.
        log.error("error %s: %s", reference, error, extra=noted)
        return refusals.not_stored(say, error.saved, reference)
    log.error("error %s", reference, exc_info=error, extra=noted)
    return refusals.failed(say, reference)
