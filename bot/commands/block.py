"""Whom one does not wish to meet: /block."""

import discord
from discord import app_commands

from bot.app import blocks
from bot.commands.declarations import command
from bot.delivery.outlets import InteractionAnswer, make_person
from bot.views.card import text_only_card
from bot.words import servers as words


@command(everywhere=True)
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
