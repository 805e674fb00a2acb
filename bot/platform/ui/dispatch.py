"""What every command and button does around its own work.

It saves, acknowledges, then answers or refuses. Those whose change takes long read that it is on
its way.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import ExitStack, asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

import discord

from bot.platform.context import RequestOutcome
from bot.platform.db.errors import SaveOutcome, StoreError
from bot.platform.db.rows import QueuedJob
from bot.platform.features import ExtensionPoint
from bot.platform.i18n.common import join_sentences
from bot.platform.i18n.reader import DeclinedError, Reader, StaleMatchError
from bot.platform.i18n.refusals import format_refusal
from bot.platform.jobs.interruptions import InterruptionNotes, NotifyInterrupted
from bot.platform.lines import HELD_SLOT, NOBODY, Asker, FairLine
from bot.platform.ui import app_client as failures
from bot.platform.ui.access import PersonAbsentError, Where, note_visit, require_place
from bot.platform.ui.answers import (
    RECEIVED_AT_KEY,
    EphemeralMessage,
    InteractionAnswer,
    log_answer_failures,
)
from bot.platform.ui.app_client import Interaction, build_person
from bot.platform.ui.card import Card, Item, text_only_card
from bot.platform.ui.controls import is_action_verb
from engine.refusal import Refusal

log = logging.getLogger(__name__)

REFERENCE = "reference"
"""The log field that holds the reference which people are asked to report."""

VERB_KEY = "verb"
"""The name under which an interaction keeps the verb of ours with which its id begins."""
UNKNOWN_VERB = "unknown"
"""How the verbs are called with which no id of ours begins."""

Work: TypeAlias = Callable[[InteractionAnswer], Awaitable[None]]

_COMMANDS_BY_CAUSE = {"/roll", "/move", "/undo", "/match draw", "/match resign"}
"""What is saved with the interaction as its cause, or not at all."""

_REFUSALS = (Refusal, DeclinedError, discord.app_commands.TransformerError, discord.Forbidden)
"""What is no failure of ours."""
ACKNOWLEDGE_AFTER_S = 1.4
"""Seconds to save a change before the interaction is acknowledged; Discord waits three."""
MIN_ACKNOWLEDGE_AFTER_S = 0.2
"""The same where the event loop is late by much, so that an acknowledgement would be, too."""
WORK_S = 0.4
"""Seconds that an answer takes on a busy machine once its turn has come."""
LATENESS_FACTOR = 4
"""Turns of the event loop that an acknowledgement takes, each as late as the loop is."""
NOTE_TIMEOUT_S = 0.25
"""Seconds that the note of what takes longer is waited for; it is written all the same."""
SLOT_HOLD_S = 2.0
"""Seconds after which an answer that is still being worked out no longer counts among them."""


MessageRepair: TypeAlias = Callable[[InteractionAnswer, int], Awaitable[bool]]
"""Repairs a message that shows a match as it was; returns whether the message now says so."""
RefusalControls: TypeAlias = Callable[[InteractionAnswer], Awaitable[tuple[Item, ...]]]
"""Returns the buttons and menus that help somebody who was refused."""

MESSAGE_REPAIRS: ExtensionPoint[MessageRepair] = ExtensionPoint()
"""What is done with a message whose pressed button belongs to an earlier moment."""
_refusal_controls: dict[type[DeclinedError], RefusalControls] = {}


def helps_refused(*kinds: type[DeclinedError]) -> Callable[[RefusalControls], RefusalControls]:
    """Declare which buttons and menus come with these refusals."""

    def declare(build: RefusalControls) -> RefusalControls:
        _refusal_controls.update(dict.fromkeys(kinds, build))
        return build

    return declare


async def respond(
    interaction: Interaction,
    work: Work,
    *,
    private: bool = True,
    edits_public: bool = False,
    where: Where = Where.SERVERS,
) -> None:
    """Work, acknowledge what is saved, and tell the person what was refused or went wrong.

    What does not work `where` it is asked for is refused. Only what `edits_public` messages may
    change a pressed message that everyone sees.

    What takes longer than ACKNOWLEDGE_AFTER_S is acknowledged while it waits or goes on, in the
    order of arrival; a job then notifies the person if the program dies before it is done. What
    Discord may have sent long ago is acknowledged first. What Discord takes no answer to is dropped
    unless it is begun.
    """
    interaction.extras[RECEIVED_AT_KEY] = time.monotonic()
    answer = InteractionAnswer(interaction, private, edits_public)
    task = asyncio.current_task()
    assert task is not None
    client = interaction.client
    measures, name = client.app.measures, _name_interaction(interaction)
    if _is_repeat(interaction):
        log.debug("interaction %s was delivered twice and is answered once", interaction.id)
        return
    if client.ending:
        # Acknowledged now, it might be cut off before it is done, and nobody would be notified.
        log.info("interaction %s arrived during the shutdown and was ignored", interaction.id)
        measures.record_answer(name, RequestOutcome.UNACKNOWLEDGED)
        return
    client.under_way.add(task)
    task.add_done_callback(client.under_way.discard)
    client.answering.add(interaction.id)
    try:
        outcome = await _run_and_acknowledge(answer, work, where=where)
    except failures.AnsweredElsewhereError:
        log.error(
            "another program with this token answered interaction %s; stop one of them",
            interaction.id,
        )
        outcome = RequestOutcome.UNACKNOWLEDGED
    except failures.UnansweredError as error:
        log.warning("interaction %s could not be answered: %s", interaction.id, error)
        outcome = RequestOutcome.UNACKNOWLEDGED
    finally:
        client.answering.discard(interaction.id)
    measures.record_answer(name, outcome)


def _is_repeat(interaction: Interaction) -> bool:
    """Note that an interaction has come; True where it has before."""
    received = interaction.client.received
    before = interaction.id in received
    received[interaction.id] = None
    return before


async def _run_and_acknowledge(
    answer: InteractionAnswer, work: Work, *, where: Where
) -> RequestOutcome:
    """Work, acknowledge once it is saved or takes long, and return the outcome.

    Raises UnansweredError.
    """
    interaction = answer.interaction
    app = interaction.client.app
    timeout_s = app.get_part(Lateness).choose_timeout(app.answers.estimate_wait())
    if app.shards.get_shard(interaction.guild_id or 0) not in app.reached:
        # After a broken connection Discord sends what came meanwhile; it may be too old to answer.
        timeout_s = 0.0
    elif not timeout_s:
        # Before it is noted and stands in line: in a crowd all that would take the time for it.
        await answer.acknowledge()
    working: asyncio.Task[RequestOutcome] | None = None
    if timeout_s:
        working = asyncio.create_task(_run_work(answer, work, where=where))
        done, _ = await asyncio.wait((working,), timeout=timeout_s)
        if done:
            outcome = await working
            await answer.acknowledge()
            return outcome
    async with _guard_interruption(interaction):
        if working is None:
            await answer.acknowledge()
            working = asyncio.create_task(_run_work(answer, work, where=where))
        try:
            await answer.acknowledge()
            # Of what else takes long, such as a replay, its own message tells.
            if is_action_verb(_name_interaction(interaction)):
                await show_delay_until(answer, working)
        finally:
            # Even unacknowledged it is under way, and its message shows what came of it.
            outcome = await working
    return outcome


class Lateness:
    """How late the event loop is: what a turn of it takes, by those who come meanwhile."""

    def __init__(self) -> None:
        self._late_s = 0.0

    def choose_timeout(self, wait_s: float) -> float:
        """Return how long to wait before an acknowledgement, and find out how late that is.

        It is 0 for those who would be acknowledged anyway, as they wait in line for longer.
        """
        timeout = ACKNOWLEDGE_AFTER_S - LATENESS_FACTOR * self._late_s
        timeout = max(timeout, MIN_ACKNOWLEDGE_AFTER_S)
        if wait_s + WORK_S > timeout:
            return 0.0
        loop = asyncio.get_running_loop()
        asked = loop.time()
        loop.call_soon(lambda: self._note(loop.time() - asked))
        return timeout

    def _note(self, late_s: float) -> None:
        # Rises at once and falls slowly: a late acknowledgement is worse than an early one.
        self._late_s = max(late_s, 0.95 * self._late_s)


async def _run_work(answer: InteractionAnswer, work: Work, *, where: Where) -> RequestOutcome:
    """Do what was asked, or tell the person why not, and return the outcome.

    Raises UnansweredError.
    """
    try:
        require_place(answer.interaction, where)
        note_visit(answer.interaction)
        async with hold_slot(answer.app.answers, answer.asker):
            await answer.require_accepted()
            await _refresh_person(answer.interaction)
            await work(answer)
    # A person who cannot be answered cannot be shown an error, either.
    except failures.UnansweredError:
        raise
    except Exception as error:  # noqa: BLE001 - nothing that is asked may stay without an answer
        await _send_refusal(answer, error)
        return RequestOutcome.REFUSED if isinstance(error, _REFUSALS) else RequestOutcome.FAILED
    return RequestOutcome.DONE


@asynccontextmanager
async def _guard_interruption(interaction: Interaction) -> AsyncIterator[None]:
    """Notify somebody if the program dies before what they asked is done."""
    # Before the acknowledgement: from that on Discord itself no longer reports a failure.
    note = await _enqueue_interruption(interaction)
    try:
        yield
    finally:
        await _delete_interruption(interaction, note)


async def _enqueue_interruption(interaction: Interaction) -> QueuedJob | None:
    """Save that somebody is to be notified if the program dies before it is done.

    Return None where saving takes too long or fails.
    """
    app = interaction.client.app
    interrupted = NotifyInterrupted(
        interaction=interaction.id,
        run=app.run,
        at=app.clock(),
        person=interaction.user.id,
        token=interaction.token,
        locale=interaction.client.get_locale(interaction),
        by_cause=_is_saved_by_cause(_name_interaction(interaction)),
    )
    try:
        async with asyncio.timeout(NOTE_TIMEOUT_S):
            notes = app.get_part(InterruptionNotes)
            return await notes.add(app, interaction.guild_id or 0, interrupted)
    except (TimeoutError, StoreError) as error:
        log.info(
            "interaction %s is acknowledged, but its interruption note could not be saved: %s",
            interaction.id,
            failures.describe_error(error),
        )
        return None


async def _delete_interruption(interaction: Interaction, note: QueuedJob | None) -> None:
    """Delete the note of an interaction that was answered.

    One that could not be deleted is dropped by this run when it is due.
    """
    if note is None:
        return
    try:
        app = interaction.client.app
        await app.get_part(InterruptionNotes).delete(app, note)
    except StoreError as error:
        log.info(
            "could not delete the interruption note of interaction %s: %s", interaction.id, error
        )


async def _refresh_person(interaction: Interaction) -> None:
    """Save the present name and language of the person who asked.

    A database that can't store it doesn't keep anyone from reading.
    """
    person = build_person(interaction.user)
    try:
        await interaction.client.app.refresh_person(person, str(interaction.locale))
    except StoreError as error:
        log.info("could not refresh the name of %s: %s", interaction.user.id, error)


def _is_saved_by_cause(name: str) -> bool:
    return name in _COMMANDS_BY_CAUSE or is_action_verb(name)


def _name_interaction(interaction: Interaction) -> str:
    """Name what was asked: the command with its slash, or the verb of a button, menu or modal.

    Verbs that nothing of ours has are one, since a modified client can make up any number of them.
    """
    if interaction.command is not None:
        return f"/{interaction.command.qualified_name}"
    verb: str = interaction.extras.get(VERB_KEY, UNKNOWN_VERB)
    return verb


async def refuse(interaction: Interaction, error: DeclinedError) -> None:
    """Tell somebody why nothing is done, where it is known before there is anything to do."""
    await respond(interaction, partial(_decline, error), where=Where.EVERYWHERE)


async def _decline(error: DeclinedError, _: InteractionAnswer) -> None:
    raise error


@asynccontextmanager
async def hold_slot(answers: FairLine, asker: Asker = NOBODY) -> AsyncIterator[None]:
    """Wait, in the order of arrival, while too many answers are being worked out at once.

    New interactions are acknowledged first that way, and of a crowd the first is served first;
    many requests of one person wait for each other. A slot that is held for long goes to
    the next in line, so that nothing slow holds up the others.
    """
    await answers.acquire(asker)
    with ExitStack() as held:
        held.callback(answers.release)
        passing_on = asyncio.get_running_loop().call_later(SLOT_HOLD_S, held.close)
        held.callback(passing_on.cancel)
        before = HELD_SLOT.set(held.close)
        try:
            yield
        finally:
            HELD_SLOT.reset(before)


async def _send_refusal(answer: InteractionAnswer, error: Exception) -> None:
    """Tell the person why nothing happened.

    After a change was saved nothing raises that leads here.
    """
    if isinstance(error, StaleMatchError) and answer.is_component:
        for repair in MESSAGE_REPAIRS.list_functions():
            if await repair(answer, error.match):
                return
        if error.is_done and answer.is_private_message:
            # Its buttons have done their part.
            # Translators: what the reader asked for has happened.
            await answer.edit_message(text_only_card(answer.reader("Done.")))
            return
        if error.is_done:
            await answer.finish()
            return
    # Private, even if the answer was meant for everyone.
    alone = InteractionAnswer(answer.interaction)
    await alone.send(await _build_refusal_card(alone, error))


async def _build_refusal_card(answer: InteractionAnswer, error: Exception) -> Card:
    """Return a card that says why nothing happened, with what a feature adds for that reason."""
    card = text_only_card(explain_error(answer.reader, error))
    if not isinstance(error, DeclinedError) or type(error) not in _refusal_controls:
        return card
    try:
        return replace(card, controls=await _refusal_controls[type(error)](answer))
    except StoreError:
        # The sentence alone is answer enough.
        return card


def explain_error(say: Reader, error: Exception) -> str:
    """Put an error into one sentence; one of ours goes to the log under a short reference."""
    # discord.py wraps what a command raises.
    error = getattr(error, "original", error)
    match error:
        case Refusal():
            return format_refusal(say, error)
        case DeclinedError():
            return error.format(say)
        case discord.app_commands.TransformerError():
            return PersonAbsentError(str(error.value)).format(say)
        case discord.Forbidden():
            return explain_forbidden(say)
    reference = secrets.token_hex(3)
    noted = {REFERENCE: reference}
    if isinstance(error, failures.FAILURES):
        # Discord's doing, which a traceback would say nothing about.
        log.warning("error %s: %s", reference, failures.describe_error(error), extra=noted)
        return format_failure(say, reference)
    if isinstance(error, StoreError):
        # It is a sentence already.
        log.error("error %s: %s", reference, error, extra=noted)
        return format_store_failure(say, error.saved, reference)
    log.error("error %s", reference, exc_info=error, extra=noted)
    return format_failure(say, reference)


def format_failure(say: Reader, reference: str) -> str:
    """Describe an error of ours by which nothing was saved."""
    return say(
        "Something went wrong on my side, and nothing has changed. If this keeps happening, please "
        "report the reference {reference}.",
        reference=reference,
    )


def format_store_failure(say: Reader, saved: SaveOutcome, reference: str) -> str:
    """Say that the database did not take a change, or could not be read."""
    text = say("I can't read the database right now. Please try again in a minute.")
    if saved is SaveOutcome.NOTHING:
        text = say("I couldn't save that, so nothing has changed. Please try again in a minute.")
    if saved is SaveOutcome.UNKNOWN:
        text = say(
            "The database connection was lost, so I don't know whether that was saved. Check with "
            "`/match board`."
        )
    cause = say("The reference for the bot's operator is {reference}.", reference=reference)
    return join_sentences(say, text, cause)


def explain_forbidden(say: Reader) -> str:
    """Say that Discord does not let the bot do something in a channel."""
    return say(
        "Discord doesn't let me do that in this channel. Ask a moderator to check my permissions "
        "here."
    )


# An acknowledged button looks as if nothing had happened. Where that lasts, a private line says
# that the turn is on its way; it goes when the turn has come. The line and its deletion are two
# requests, which make a crowd wait longer: few are shown at a time, to those who wait longest.
NOTICE_AFTER_S = 3.0
"""Seconds after its acknowledgement at which a press is answered with a note to wait."""
MAX_NOTICES = 8
"""Lines that are shown at the same time."""
MAX_NOTICE_S = 60.0
"""Seconds after which the line goes in any case: a failed post is tried again for much longer."""
_NOTICE_KEY = "delay notice"
"""The name under which an interaction keeps what was said of its delay."""
_WAITING_KEY = "delays"
"""The name under which it keeps how many things are waited for."""


class Notices:
    """How many lines are shown now, and what waits to show one."""

    def __init__(self) -> None:
        self.shown = 0
        self._tasks: set[asyncio.Task[None]] = set()

    def run(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Do something beside what is going on."""
        task = asyncio.create_task(work, name="show delay")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


def announce_delay(answer: InteractionAnswer, showing: asyncio.Task[Any]) -> None:
    """Say to somebody, while something is being shown that they asked for, that it takes long."""
    answer.app.get_part(Notices).run(show_delay_until(answer, showing))


def announce_retry(answer: InteractionAnswer, showing: asyncio.Future[Any]) -> None:
    """Say the same at once of what could not be shown at first, until it is shown after all.

    Where the first try was slow, its line stays.
    """
    notices = answer.app.get_part(Notices)
    if notices.shown >= MAX_NOTICES and _NOTICE_KEY not in answer.interaction.extras:
        return
    notices.shown += 1
    _begin_wait(answer)
    announcing = notices.run(_show_delay(answer))

    def end(_: object = None) -> None:
        notices.shown -= 1
        ending.cancel()
        showing.remove_done_callback(end)
        announcing.add_done_callback(lambda _: notices.run(_end_wait(answer)))

    ending = asyncio.get_running_loop().call_later(MAX_NOTICE_S, end)
    showing.add_done_callback(end)


async def show_delay_until(answer: InteractionAnswer, showing: asyncio.Task[Any]) -> None:
    """Wait until something is done; where that takes long, say so for as long as it does.

    Of several that wait for one press, the last removes the line.
    """
    _begin_wait(answer)
    if not await is_done_within(showing, NOTICE_AFTER_S):
        notices = answer.app.get_part(Notices)
        if notices.shown < MAX_NOTICES:
            notices.shown += 1
            try:
                await _show_delay(answer)
                await asyncio.wait((showing,), timeout=MAX_NOTICE_S)
            finally:
                notices.shown -= 1
    await _end_wait(answer)


def _begin_wait(answer: InteractionAnswer) -> None:
    extras = answer.interaction.extras
    extras[_WAITING_KEY] = extras.get(_WAITING_KEY, 0) + 1


async def _end_wait(answer: InteractionAnswer) -> None:
    """Remove the line where nothing else is waited for."""
    extras = answer.interaction.extras
    extras[_WAITING_KEY] -= 1
    if not extras[_WAITING_KEY]:
        await _clear_delay(answer)


async def is_done_within(task: asyncio.Task[Any], seconds: float) -> bool:
    """Wait for something, and return whether it is done within a time."""
    if seconds > 0:
        await asyncio.wait((task,), timeout=seconds)
    return task.done()


async def _show_delay(answer: InteractionAnswer) -> None:
    extras = answer.interaction.extras
    # Of a command Discord itself says that it is being thought about.
    if not answer.is_component or _NOTICE_KEY in extras:
        return
    extras[_NOTICE_KEY] = None
    alone = InteractionAnswer(answer.interaction)
    say = alone.reader
    text = say("Your request is on its way; there's a lot to do just now.")
    with log_answer_failures(answer.interaction):
        extras[_NOTICE_KEY] = await alone.send_editable(text_only_card(text))


async def _clear_delay(answer: InteractionAnswer) -> None:
    notice: EphemeralMessage | None = answer.interaction.extras.pop(_NOTICE_KEY, None)
    if notice is not None:
        with log_answer_failures(answer.interaction):
            await notice.delete()
