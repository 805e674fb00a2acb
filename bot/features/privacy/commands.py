"""/privacy, and /data export and delete."""

from discord import app_commands

from bot.features.privacy import texts as words
from bot.features.privacy.cards import CONFIRM, DELETION, deletion_card, privacy_card
from bot.features.privacy.delivery import announce_export
from bot.features.privacy.service import begin_export, request_deletion
from bot.platform.direct import NO_SERVER
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.card import text_only_card
from bot.platform.ui.declarations import command, in_all_contexts, press

data_group = in_all_contexts(
    app_commands.Group(name="data", description="Get or delete what is stored of you")
)


@command(everywhere=True)
async def privacy(answer: InteractionAnswer) -> None:
    """See what is stored of you, why, for how long, and who sees it."""
    await answer.send(privacy_card(answer.reader))


@command(group=data_group, everywhere=True)
async def export(answer: InteractionAnswer) -> None:
    """Get everything that is stored of you, by direct message."""
    app, say, person = answer.app, answer.reader, answer.person
    job = await begin_export(app, person.id)
    if job is None:
        told = words.explain_export_pause(say)
    elif await announce_export(answer.client, say, job):
        await app.enqueue(NO_SERVER, [job.make_job(app.clock())])
        told = words.format_export_begun(say)
    else:
        told = words.explain_closed_messages(say)
    await answer.send(text_only_card(told))


@command(group=data_group, everywhere=True)
async def delete(answer: InteractionAnswer) -> None:
    """Delete everything that is stored of you, after a question."""
    await answer.send(deletion_card(answer.reader))


@press(DELETION, everywhere=True)
async def answer_deletion(answer: InteractionAnswer, choice: str) -> None:
    """Delete somebody's data, or leave it."""
    say = answer.reader
    if choice == CONFIRM:
        await request_deletion(answer.app, answer.person.id)
        await answer.edit_message(text_only_card(words.format_deletion_begun(say)))
    else:
        await answer.edit_message(text_only_card(words.format_deletion_declined(say)))
