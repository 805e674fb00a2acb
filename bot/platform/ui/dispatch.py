"""What every command and button does around its own work.

It saves, acknowledges, then answers or refuses.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import ExitStack, asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import TypeAlias

import discord

from bot.platform.errors import DeclinedError, DeclineReason, StaleMatchError
from bot.platform.features import ExtensionPoint
from bot.platform.i18n import refusals
from bot.platform.i18n.reader import Reader
from bot.platform.jobs.interruption_notes import enqueue_interruption, finish_interruption
from bot.platform.jobs.kinds import NotifyInterrupted
from bot.platform.lines import HELD_SLOT, NOBODY, Asker, FairLine
from bot.platform.measures import RequestOutcome
from bot.platform.ui.answers import RECEIVED_AT_KEY, InteractionAnswer
from bot.platform.ui.app_client import Interaction, make_person
from bot.platform.ui.card import Card, Item, text_only_card
from bot.platform.ui.controls import is_action_verb
from bot.platform.ui.delays import show_delay_until
from bot.platform.ui.failures import (
    FAILURES,
    AnsweredElsewhereError,
    UnansweredError,
    describe_error,
)
from bot.platform.ui.membership import Where, require_place
from bot.store import QueuedJob, StoreError
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
ACKNOWLEDGE_AFTER_S = 1.0
"""Seconds within which what is asked is saved before it is acknowledged; Discord waits three."""
NOTE_TIMEOUT_S = 1.0
"""Seconds that the note of what takes longer may take."""
MAX_RECEIVED = 4096
"""Interactions that are remembered, so that one that comes again is answered once."""
SLOT_HOLD_S = 2.0
"""Seconds after which an answer that is still being worked out no longer counts among them."""


MessageRepair: TypeAlias = Callable[[InteractionAnswer, int], Awaitable[bool]]
"""Repairs a message that shows a match as it was; returns whether the message now says so."""
RefusalControls: TypeAlias = Callable[[InteractionAnswer], Awaitable[tuple[Item, ...]]]
"""Returns the buttons and menus that help somebody who was refused."""

MESSAGE_REPAIRS: ExtensionPoint[MessageRepair] = ExtensionPoint()
"""What is done with a message whose pressed button belongs to an earlier moment."""
_refusal_controls: dict[DeclineReason, RefusalControls] = {}


def helps_refused(*reasons: DeclineReason) -> Callable[[RefusalControls], RefusalControls]:
    """Declare which buttons and menus come with refusals for these reasons."""

    def declare(build: RefusalControls) -> RefusalControls:
        _refusal_controls.update(dict.fromkeys(reasons, build))
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

    What takes longer than QUICK_S is acknowledged while it goes on; a job then notifies the person
    if the program dies before it is done. What Discord may have sent long ago is acknowledged
    first, and not done where that fails.
    """
    interaction.extras[RECEIVED_AT_KEY] = time.monotonic()
    answer = InteractionAnswer(interaction, private, edits_public)
    task = asyncio.current_task()
    assert task is not None
    client = interaction.client
    measures, asked = client.app.measures, _name_interaction(interaction)
    if _is_repeat(interaction):
        log.debug("interaction %s was delivered twice and is answered once", interaction.id)
        return
    if client.ending:
        # Acknowledged now, it might be cut off before it is done, and nobody would be notified.
        log.info("interaction %s arrived during the shutdown and was ignored", interaction.id)
        measures.record_answer(asked, RequestOutcome.UNACKNOWLEDGED)
        return
    client.under_way.add(task)
    task.add_done_callback(client.under_way.discard)
    client.answering.add(interaction.id)
    try:
        outcome = await _run_and_acknowledge(answer, work, where=where)
    except AnsweredElsewhereError:
        log.error(
            "another program with this token answered interaction %s; stop one of them",
            interaction.id,
        )
        outcome = RequestOutcome.UNACKNOWLEDGED
    except UnansweredError as error:
        log.warning("interaction %s could not be answered: %s", interaction.id, error)
        outcome = RequestOutcome.UNACKNOWLEDGED
    finally:
        client.answering.discard(interaction.id)
    measures.record_answer(asked, outcome)


def _is_repeat(interaction: Interaction) -> bool:
    """Note that an interaction has come; True where it has before."""
    received = interaction.client.received
    before = interaction.id in received
    received[interaction.id] = None
    while len(received) > MAX_RECEIVED:
        received.popitem(last=False)
    return before


async def _run_and_acknowledge(
    answer: InteractionAnswer, work: Work, *, where: Where
) -> RequestOutcome:
    """Work, acknowledge once it is saved or takes long, and return the outcome.

    Raises UnansweredError.
    """
    interaction = answer.interaction
    app = interaction.client.app
    if app.shards.get_shard(interaction.guild_id or 0) not in app.reached:
        # After a broken connection Discord sends what came meanwhile; it may be too old to answer.
        async with _guard_interruption(interaction):
            await answer.acknowledge()
            return await _run_work(answer, work, where=where)
    working = asyncio.create_task(_run_work(answer, work, where=where))
    done, _ = await asyncio.wait((working,), timeout=ACKNOWLEDGE_AFTER_S)
    if done:
        outcome = await working
        await answer.acknowledge()
        return outcome
    async with _guard_interruption(interaction):
        settled = asyncio.Event()
        working.add_done_callback(lambda _: settled.set())
        try:
            await answer.acknowledge()
            # Of what else takes long, such as a replay, its own message tells.
            if is_action_verb(_name_interaction(interaction)):
                await show_delay_until(answer, settled)
        finally:
            # Even unacknowledged it is under way, and its message shows what came of it.
            outcome = await working
    return outcome


async def _run_work(answer: InteractionAnswer, work: Work, *, where: Where) -> RequestOutcome:
    """Do what was asked, or tell the person why not, and return the outcome.

    Raises UnansweredError.
    """
    try:
        require_place(answer.interaction, where)
        async with hold_slot(answer.app.answers, answer.asker):
            await _refresh_person(answer.interaction)
            await work(answer)
    # A person who cannot be answered cannot be shown an error, either.
    except UnansweredError:
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
            return await enqueue_interruption(app, interaction.guild_id or 0, interrupted)
    except (TimeoutError, StoreError) as error:
        log.info(
            "interaction %s is acknowledged, but its interruption note could not be saved: %s",
            interaction.id,
            describe_error(error),
        )
        return None


async def _delete_interruption(interaction: Interaction, note: QueuedJob | None) -> None:
    """Delete the note of an interaction that was answered.

    One that could not be deleted is dropped by this run when it is due.
    """
    if note is None:
        return
    try:
        await finish_interruption(interaction.client.app, note)
    except StoreError as error:
        log.info(
            "could not delete the interruption note of interaction %s: %s", interaction.id, error
        )


async def _refresh_person(interaction: Interaction) -> None:
    """Save the present name and language of the person who asked.

    A database that can't store it doesn't keep anyone from reading.
    """
    person = make_person(interaction.user)
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
    whoever asks for many things has them wait for each other. A slot that is held for long goes to
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
            if await repair(answer, error.parts["match"]):
                return
    # Private, even if the answer was meant for everyone.
    alone = InteractionAnswer(answer.interaction)
    await alone.send(await _prepare_refusal(alone, error))


async def _prepare_refusal(answer: InteractionAnswer, error: Exception) -> Card:
    """Return a card that says why nothing happened, with what a feature adds for that reason."""
    told = text_only_card(explain_error(answer.reader, error))
    if not isinstance(error, DeclinedError) or error.why not in _refusal_controls:
        return told
    try:
        return replace(told, controls=await _refusal_controls[error.why](answer))
    except StoreError:
        # The sentence alone is answer enough.
        return told


def explain_error(say: Reader, error: Exception) -> str:
    """Put an error into one sentence; one of ours goes to the log under a short reference."""
    # discord.py wraps what a command raises.
    error = getattr(error, "original", error)
    match error:
        case Refusal():
            return refusals.format_refusal(say, error)
        case DeclinedError():
            return refusals.format_decline(say, error)
        case discord.app_commands.TransformerError():
            return refusals.format_decline(
                say, DeclinedError(DeclineReason.ABSENT, person=str(error.value))
            )
        case discord.Forbidden():
            return refusals.explain_forbidden(say)
    reference = secrets.token_hex(3)
    noted = {REFERENCE: reference}
    if isinstance(error, FAILURES):
        # Discord's doing, which a traceback would say nothing about.
        log.warning("error %s: %s", reference, describe_error(error), extra=noted)
        return refusals.format_failure(say, reference)
    if isinstance(error, StoreError):
        # It is a sentence already.
        log.error("error %s: %s", reference, error, extra=noted)
        return refusals.format_store_failure(say, error.saved, reference)
    log.error("error %s", reference, exc_info=error, extra=noted)
    return refusals.format_failure(say, reference)
