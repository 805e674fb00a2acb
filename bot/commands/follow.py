"""Watching: /follow."""

from discord import app_commands

from bot.app import following
from bot.commands.asking import Commands, answered, in_servers, person_of
from bot.delivery.following import greet
from bot.delivery.outlets import Answer, Interaction
from bot.store import Often
from bot.views.card import said
from bot.words.following import followed, unreachable


@app_commands.command()
@in_servers
@app_commands.describe(match="The number of the match", how="When you get a message")
@app_commands.choices(
    how=[
        app_commands.Choice(name="at the end", value=Often.END.value),
        app_commands.Choice(name="every turn", value=Often.TURN.value),
    ]
)
async def follow(interaction: Interaction, match: int, how: str | None = None) -> None:
    """Get direct messages about a match; use it again to stop."""

    async def work(answer: Answer) -> None:
        client = interaction.client
        person = person_of(interaction)
        often = Often(how) if how else None
        sitting, wanted = await following.follow(
            client.app, person, interaction.guild_id or 0, match, often
        )
        if wanted is None or await greet(client, answer.reader, sitting, person.id, wanted):
            await answer.tell(said(followed(answer.reader, sitting, wanted)))
        else:
            await answer.tell(said(unreachable(answer.reader)))

    await answered(interaction, work)


COMMANDS: Commands = (follow,)
