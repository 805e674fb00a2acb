"""/data: what is stored about oneself, and about a server for its owner."""

from collections.abc import Awaitable, Callable, Sequence

from discord import ButtonStyle

from bot.features.privacy import service
from bot.features.privacy.delivery import announce_export
from bot.features.privacy.texts import (
    explain_closed_messages,
    explain_export_pause,
    explain_owner_only,
    format_deletion_begun,
    format_deletion_declined,
    format_deletion_question,
    format_export_begun,
    format_privacy,
    format_server_deletion_begun,
    format_server_deletion_question,
    format_server_export_begun,
)
from bot.features.servers.cards import SECTION_ROWS, ServerPanel
from bot.platform.context import NO_SERVER
from bot.platform.features import ExtensionPoint
from bot.platform.i18n.reader import Reader, UnknownControlError, escape_text
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.card import Card, PanelRow, text_only_card
from bot.platform.ui.controls import build_button
from bot.platform.ui.declarations import command, press

DATA = "data"
"""Get what is stored about oneself, or ask whether it is to be deleted."""
DELETION = "delete-data"
"""Answer the question whether one's data is to be deleted."""
SERVER_DATA = "serverdata"
"""Get what is stored about a server, or ask whether it is to be deleted."""
SERVER_DELETION = "delete-server"
"""Answer the question whether a server's data is to be deleted."""
CONFIRM, DECLINE = "yes", "no"
EXPORT, DELETE = "export", "delete"

DATA_ROWS: ExtensionPoint[Callable[[InteractionAnswer], Awaitable[Sequence[PanelRow]]]] = (
    ExtensionPoint()
)
"""What else people choose about their data."""
DATA_QUESTIONS: ExtensionPoint[Callable[[InteractionAnswer], Awaitable[Card | None]]] = (
    ExtensionPoint()
)
"""What people are asked about their data until they have answered, each by itself."""


@command(everywhere=True)
async def data(answer: InteractionAnswer) -> None:
    """See what is stored about you, why and for how long; get or delete it."""
    rows = [row for load in DATA_ROWS.list_functions() for row in await load(answer)]
    await answer.send(data_card(answer.reader, rows))
    for ask in DATA_QUESTIONS.list_functions():
        if question := await ask(answer):
            await answer.send(question)


@press(DATA, everywhere=True)
async def use_data(answer: InteractionAnswer, act: str) -> None:
    """Send somebody what is stored about them, or ask whether to delete it."""
    if act == EXPORT:
        await answer.send(text_only_card(await _begin_export(answer)))
    elif act == DELETE:
        await answer.send(deletion_card(answer.reader))
    else:
        raise UnknownControlError


async def _begin_export(answer: InteractionAnswer) -> str:
    app, say = answer.app, answer.reader
    job = await service.begin_export(app, answer.person.id)
    if job is None:
        return explain_export_pause(say)
    if not await announce_export(answer.client, say, job):
        return explain_closed_messages(say)
    await app.enqueue(NO_SERVER, [job.build_job(app.clock())])
    return format_export_begun(say)


@press(DELETION, everywhere=True)
async def answer_deletion(answer: InteractionAnswer, choice: str) -> None:
    """Delete somebody's data, or leave it."""
    say = answer.reader
    if choice == CONFIRM:
        await service.request_deletion(answer.app, answer.person.id)
        await answer.edit_message(text_only_card(format_deletion_begun(say)))
    else:
        await answer.edit_message(text_only_card(format_deletion_declined(say)))


def data_card(say: Reader, rows: Sequence[PanelRow]) -> Card:
    """Return what is stored about people, with buttons to get and to delete it, and choices."""
    return Card(
        texts=(format_privacy(say),),
        panel=tuple(rows),
        controls=(
            # Translators: button: sends the reader a file of everything stored about them (verb).
            build_button(say("Export"), f"{DATA}:{EXPORT}", ButtonStyle.primary),
            # Translators: button: asks whether everything about the reader is to be deleted (verb).
            build_button(say("Delete…"), f"{DATA}:{DELETE}", ButtonStyle.danger),
        ),
    )


def deletion_card(say: Reader) -> Card:
    """Return the question whether somebody wants their data deleted."""
    delete = build_button(say("Delete my data"), f"{DELETION}:{CONFIRM}", ButtonStyle.danger)
    keep = build_button(say("Keep it"), f"{DELETION}:{DECLINE}")
    return Card(texts=format_deletion_question(say), controls=(delete, keep))


def server_deletion_card(say: Reader, server: str) -> Card:
    """Return the question whether a server's data is to be deleted."""
    delete = build_button(
        say("Delete this server's data"), f"{SERVER_DELETION}:{CONFIRM}", ButtonStyle.danger
    )
    keep = build_button(say("Keep it"), f"{SERVER_DELETION}:{DECLINE}")
    texts = format_server_deletion_question(say, server)
    return Card(texts=texts, controls=(delete, keep))


@SECTION_ROWS[ServerPanel.PUBLIC].add(30)
async def load_server_rows(answer: InteractionAnswer) -> Sequence[PanelRow]:
    """Return what the owner of a server can do with its data."""
    say = answer.reader
    return (
        PanelRow(
            say("**This server's data**\n-# For its owner, by direct message"),
            # Translators: button: sends a file of everything stored about the server (verb).
            build_button(say("Export"), f"{SERVER_DATA}:{EXPORT}"),
        ),
        PanelRow(
            say("**Delete this server's data**\n-# For its owner, after a question"),
            # Translators: button: asks whether everything about the server is to be deleted (verb).
            build_button(say("Delete…"), f"{SERVER_DATA}:{DELETE}", ButtonStyle.danger),
        ),
    )


@press(SERVER_DATA)
async def use_server_data(answer: InteractionAnswer, act: str) -> None:
    """Send the owner of a server what is stored about it, or ask whether to delete it."""
    say = answer.reader
    found = answer.client.get_guild(answer.guild)
    if found is None or not _is_owner(answer):
        await answer.send(text_only_card(explain_owner_only(say)))
    elif act == DELETE:
        await answer.send(server_deletion_card(say, escape_text(found.name)))
    elif act == EXPORT:
        await service.request_server_export(answer.app, answer.guild, answer.person.id)
        await answer.send(text_only_card(format_server_export_begun(say)))
    else:
        raise UnknownControlError


@press(SERVER_DELETION)
async def answer_server_deletion(answer: InteractionAnswer, choice: str) -> None:
    """Delete a server's data, or leave it."""
    await answer.edit_message(await _decide_deletion(answer, choice))


async def _decide_deletion(answer: InteractionAnswer, choice: str) -> Card:
    say = answer.reader
    if not _is_owner(answer):
        return text_only_card(explain_owner_only(say))
    if choice != CONFIRM:
        return text_only_card(format_deletion_declined(say))
    await service.request_server_deletion(answer.app, answer.guild)
    return text_only_card(format_server_deletion_begun(say))


def _is_owner(answer: InteractionAnswer) -> bool:
    found = answer.client.get_guild(answer.guild)
    return found is not None and found.owner_id == answer.person.id
