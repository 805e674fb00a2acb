"""Whom one does not wish to meet: /block."""

import discord
from discord import app_commands

from bot.app import blocks
from bot.commands.asking import Commands, get_person, in_all_contexts, make_person, respond
from bot.delivery.outlets import Interaction, InteractionAnswer
from bot.views.card import text_only_card
from bot.words import servers as words


@app_commands.command()
@in_all_contexts
@app_commands.describe(
    person="The person to block; they aren't notified",
    lift="True to unblock them",
)
async def block(
    interaction: Interaction, person: discord.User | None = None, lift: bool = False
) -> None:
    """Block somebody's challenges, or see whom you've blocked."""

    async def work(answer: InteractionAnswer) -> None:
        app = interaction.client.app
        oneself = get_person(interaction)
        if person and lift:
            await app.store.blocks.remove(oneself.id, person.id)
        elif person:
            await blocks.block_person(app, oneself, make_person(person))
        await answer.send(
            text_only_card(
                words.format_blocks(answer.reader, await app.store.blocks.load_blocked(oneself.id))
            )
        )

    await respond(interaction, work, everywhere=True)


COMMANDS: Commands = (block,)
