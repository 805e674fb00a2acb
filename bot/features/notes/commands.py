"""Notes to oneself: /note."""

from discord import app_commands

from bot.features.notes import service as match_notes
from bot.features.notes.texts import format_note_change
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.card import text_only_card
from bot.platform.ui.declarations import command
from bot.platform.ui.groups import match_group


@command(group=match_group, everywhere=True)
@app_commands.describe(
    match="The number of the match", text="Your note, which only you see; leave it out to delete it"
)
async def note(
    answer: InteractionAnswer,
    match: int,
    text: app_commands.Range[str, 0, match_notes.LONGEST] = "",
) -> None:
    """Write a private note on a match."""
    app, person = answer.app, answer.person
    before = await match_notes.save_note(app, person, answer.guild, match, text)
    # Read back, since the note is shortened and set on one line before it is stored.
    kept = (await match_notes.load_notes(app, person.id, [match])).get(match, "")
    await answer.send(text_only_card(format_note_change(answer.reader, match, kept, before)))
