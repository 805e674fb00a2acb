"""Notes that people make to themselves about matches; nobody else is ever shown one."""

from bot.app import play
from bot.app.context import App
from bot.app.people import Person
from bot.app.sitting import require_known

LONGEST = 200
"""Characters of a note."""


async def note(app: App, person: Person, guild: int, match: int, text: str) -> str:
    """Keep somebody's note on a match and return the one before; an empty text removes it.

    Raises Declined for a match that they may not see.
    """
    require_known(await play.load(app, match), guild, person.id)
    before = await app.store.memos.of(person.id, [match])
    line = " ".join(text.split())[:LONGEST]
    if line:
        await app.remember(person)
        await app.store.memos.set(person.id, match, line)
    else:
        await app.store.memos.remove(person.id, match)
    return before.get(match, "")
