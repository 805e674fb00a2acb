"""What ratings add to the last message of a match."""

from bot.features.matches.extensions import END_SECTIONS, EndSection
from bot.features.matches.session import MatchSession
from bot.features.ratings.texts import format_rating_changes
from bot.platform.context import App
from bot.platform.i18n.reader import Reader


@END_SECTIONS.add(order=20)
async def load_rating_section(app: App, say: Reader, session: MatchSession) -> EndSection:
    """Return how a match has changed the ratings of its players."""
    changes = await app.store.ratings.load_changes(session.id)
    return EndSection(news=format_rating_changes(say, session, changes))
