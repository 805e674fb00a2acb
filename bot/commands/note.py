"""Notes to oneself: /note."""

from discord import app_commands

from bot.app import memos
from bot.commands.declarations import command
from bot.delivery.outlets import InteractionAnswer
from bot.views.card import text_only_card
from bot.words.memos import format_note_change


@command(everywhere=True)
@app_commands.describe(
    match="The number of the match", text="Your note, which only you see; leave it out to delete it"
)
async def note(
    answer: InteractionAnswer, match: int, text: app_commands.Range[str, 0, memos.LONGEST] = ""
) -> None:
    """Write a private note on a match."""
    app, person = answer.app, answer.person
    before = await memos.save_note(app, person, answer.guild, match, text)
    kept = (await memos.load_notes(app, person.id, [match])).get(match, "")
    await answer.send(text_only_card(format_note_change(answer.reader, match, kept, before)))
