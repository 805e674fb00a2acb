"""Following a match: notifications by direct message, at its end or at every turn."""

from bot.app import play
from bot.app.context import App
from bot.app.errors import Declined, Why
from bot.app.people import Person
from bot.app.sitting import Sitting, require_known, require_running
from bot.store import Often

MOST = 20
"""Running matches that a person may follow."""


async def follow(
    app: App, person: Person, guild: int, match: int, often: Often | None
) -> tuple[Sitting, Often | None]:
    """Notify somebody of a match, or change how often; the same request again stops it.

    Returns the match and how often they are notified now, None for never. Raises Declined for a
    match that they may not see or that is over, and if they follow too many.
    """
    sitting = await play.load(app, match)
    require_known(sitting, guild, person.id)
    require_running(sitting)
    before = await app.store.follows.get(match, person.id)
    if before is not None and often in (None, before):
        await app.store.follows.remove(match, person.id)
        return sitting, None
    wanted = often or Often.END
    await app.remember(person)
    if not await app.store.follows.set(match, person.id, wanted, MOST):
        raise Declined(Why.FOLLOWS_TOO_MANY, most=MOST)
    return sitting, wanted
