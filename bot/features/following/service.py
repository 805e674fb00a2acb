"""Following a match: notifications by direct message, at its end or at every turn."""

from bot.features.matches import loading
from bot.features.matches.session import MatchSession, require_running
from bot.platform.context import App
from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.people import DiscordPerson
from bot.store import NotifyWhen

MOST = 20
"""Running matches that a person may follow."""


async def follow_match(
    app: App, person: DiscordPerson, guild: int, match: int, often: NotifyWhen | None
) -> tuple[MatchSession, NotifyWhen | None]:
    """Notify somebody of a match, or change how often; the same request again stops it.

    Returns the match and how often they are notified now, None for never. Raises DeclinedError for
    a match that they may not see or that is over, and if they follow too many.
    """
    session = await loading.load_visible_session(app, match, guild, person.id)
    require_running(session)
    before = await app.store.follows.get(match, person.id)
    if before is not None and often in (None, before):
        await app.store.follows.remove(match, person.id)
        return session, None
    wanted = often or NotifyWhen.END
    # A follower may never have played here, and only a person who is known can be stored.
    await app.save_people(person)
    if not await app.store.follows.save(match, person.id, wanted, MOST):
        raise DeclinedError(DeclineReason.FOLLOWS_TOO_MANY, most=MOST)
    return session, wanted
