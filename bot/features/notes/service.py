"""Notes that people make to themselves about matches; nobody else is ever shown one."""

from collections.abc import Collection, Mapping

from bot.features.matches import loading
from bot.platform.context import App
from bot.platform.people import DiscordPerson

LONGEST = 200
"""Characters of a note."""


async def load_notes(app: App, person: int, matches: Collection[int]) -> Mapping[int, str]:
    """Return somebody's notes on those of the matches that they have one on."""
    return await app.store.notes.load_for_matches(person, matches)


async def save_note(app: App, person: DiscordPerson, guild: int, match: int, text: str) -> str:
    """Keep somebody's note on a match and return the one before; an empty text removes it.

    Raises DeclinedError for a match that they may not see.
    """
    await loading.load_visible_session(app, match, guild, person.id)
    before = await load_notes(app, person.id, [match])
    # On one line, as it stands below a card and in the list of matches.
    line = " ".join(text.split())[:LONGEST]
    if line:
        await app.save_people(person)
        await app.store.notes.save(person.id, match, line)
    else:
        await app.store.notes.remove(person.id, match)
    return before.get(match, "")
