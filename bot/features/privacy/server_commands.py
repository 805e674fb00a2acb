"""/server data: what is stored of a server, for its owner."""

from discord import app_commands
from discord.utils import escape_markdown

from bot.features.privacy import texts as words
from bot.features.privacy.cards import CONFIRM, SERVER_DELETION, server_deletion_card
from bot.features.privacy.server_service import request_server_deletion, request_server_export
from bot.features.servers.commands import server
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.card import Card, text_only_card
from bot.platform.ui.declarations import command, press

DELETE = "delete"


@command(group=server, name="data")
@app_commands.describe(action="Whether to get or delete it")
@app_commands.choices(
    action=[
        app_commands.Choice(name="export", value="export"),
        app_commands.Choice(name="delete", value=DELETE),
    ]
)
async def server_data(answer: InteractionAnswer, action: str) -> None:
    """Get or delete everything that is stored of this server (owner only)."""
    say = answer.reader
    found = answer.client.get_guild(answer.guild)
    if found is None or not _is_owner(answer):
        await answer.send(text_only_card(words.explain_owner_only(say)))
    elif action == DELETE:
        await answer.send(server_deletion_card(say, escape_markdown(found.name)))
    else:
        await request_server_export(answer.app, answer.guild, answer.person.id)
        await answer.send(text_only_card(words.format_server_export_begun(say)))


@press(SERVER_DELETION)
async def answer_server_deletion(answer: InteractionAnswer, choice: str) -> None:
    """Delete a server's data, or leave it."""
    await answer.edit_message(await _decide_deletion(answer, choice))


async def _decide_deletion(answer: InteractionAnswer, choice: str) -> Card:
    say = answer.reader
    if not _is_owner(answer):
        return text_only_card(words.explain_owner_only(say))
    if choice != CONFIRM:
        return text_only_card(words.format_deletion_declined(say))
    await request_server_deletion(answer.app, answer.guild)
    return text_only_card(words.format_server_deletion_begun(say))


def _is_owner(answer: InteractionAnswer) -> bool:
    found = answer.client.get_guild(answer.guild)
    return found is not None and found.owner_id == answer.person.id
