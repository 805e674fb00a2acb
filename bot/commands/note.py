"""Notes to oneself: /note."""

from discord import app_commands

from bot.app import memos
from bot.commands.asking import Commands, answered, anywhere, person_of
from bot.delivery.outlets import Answer, Interaction
from bot.views.card import said
from bot.words.memos import noted


@app_commands.command()
@anywhere
@app_commands.describe(
    match="The number of the match", text="Your note, which only you see; leave it out to delete it"
)
async def note(
    interaction: Interaction, match: int, text: app_commands.Range[str, 0, memos.LONGEST] = ""
) -> None:
    """Write a private note on a match."""

    async def work(answer: Answer) -> None:
        app = interaction.client.app
        before = await memos.note(
            app, person_of(interaction), interaction.guild_id or 0, match, text
        )
        kept = await app.store.memos.of(interaction.user.id, [match])
        await answer.tell(said(noted(answer.reader, match, kept.get(match, ""), before)))

    await answered(interaction, work, everywhere=True)


COMMANDS: Commands = (note,)
