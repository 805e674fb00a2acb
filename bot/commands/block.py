"""Whom one does not wish to meet: /block."""

import discord
from discord import app_commands

from bot.app import blocks
from bot.commands.asking import Commands, answered, anywhere, known, person_of
from bot.delivery.outlets import Answer, Interaction
from bot.views.card import said
from bot.words import servers as words


@app_commands.command()
@anywhere
@app_commands.describe(
    person="The person to block; they aren't notified",
    lift="True to unblock them",
)
async def block(
    interaction: Interaction, person: discord.User | None = None, lift: bool = False
) -> None:
    """Block somebody's challenges, or see whom you've blocked."""

    async def work(answer: Answer) -> None:
        app = interaction.client.app
        oneself = person_of(interaction)
        if person and lift:
            await app.store.blocks.lift(oneself.id, person.id)
        elif person:
            await blocks.block(app, oneself, known(person))
        await answer.tell(said(words.blocked(answer.reader, await app.store.blocks.of(oneself.id))))

    await answered(interaction, work, everywhere=True)


COMMANDS: Commands = (block,)
