"""Notes to oneself: /note."""

from discord import app_commands

from bot.app import memos
from bot.commands.asking import Commands, get_person, in_all_contexts, respond
from bot.delivery.outlets import Interaction, InteractionAnswer
from bot.views.card import text_only_card
from bot.words.memos import format_note_change


@app_commands.command()
@in_all_contexts
@app_commands.describe(
    match="The number of the match", text="Your note, which only you see; leave it out to delete it"
)
async def note(
    interaction: Interaction, match: int, text: app_commands.Range[str, 0, memos.LONGEST] = ""
) -> None:
    """Write a private note on a match."""

    async def work(answer: InteractionAnswer) -> None:
        app = interaction.client.app
        before = await memos.save_note(
            app, get_person(interaction), interaction.guild_id or 0, match, text
        )
        kept = await app.store.memos.load_for_matches(interaction.user.id, [match])
        await answer.send(
            text_only_card(format_note_change(answer.reader, match, kept.get(match, ""), before))
        )

    await respond(interaction, work, everywhere=True)


COMMANDS: Commands = (note,)
