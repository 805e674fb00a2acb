"""/block: people whom one does not want to meet."""

import discord
from discord import app_commands

from bot.features.blocks import service as blocks
from bot.features.servers import texts as words
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.app_client import make_person
from bot.platform.ui.card import text_only_card
from bot.platform.ui.declarations import command
from bot.platform.ui.groups import me_group


@command(group=me_group, everywhere=True)
@app_commands.describe(
    person="The person to block; they aren't notified",
    lift="True to unblock them",
)
async def block(
    answer: InteractionAnswer, person: discord.User | None = None, lift: bool = False
) -> None:
    """Block somebody's challenges, or see whom you've blocked."""
    app, oneself = answer.app, answer.person
    if person and lift:
        await blocks.unblock_person(app, oneself, person.id)
    elif person:
        await blocks.block_person(app, oneself, make_person(person))
    blocked = await blocks.load_blocked(app, oneself)
    await answer.send(text_only_card(words.format_blocks(answer.reader, blocked)))
