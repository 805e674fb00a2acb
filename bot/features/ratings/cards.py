"""What ratings add to the last message of a match, and the card that explains a change."""

from bot.features.matches.extensions import END_SECTIONS, EndSection
from bot.features.matches.session import MatchSession
from bot.features.ratings import texts
from bot.features.ratings.explanation import RatingExplanation
from bot.platform.context import App
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Card


@END_SECTIONS.add(order=20)
async def load_rating_section(app: App, say: Reader, session: MatchSession) -> EndSection:
    """Return how a match has changed the ratings of its players."""
    changes = await app.store.ratings.load_changes(session.id)
    return EndSection(news=texts.format_rating_changes(say, session, changes))


def explanation_card(say: Reader, found: RatingExplanation, asker: int, link: str | None) -> Card:
    """Return why a match changed somebody's rating; `link` leads to the match."""
    lines = (
        texts.format_explained_match(say, found, link),
        texts.format_win_chance(say, found),
        texts.format_explained_change(say, found.change),
        texts.format_season_so_far(say, found.season),
    )
    return Card(
        texts=(texts.format_explanation_heading(say, found, asker), "\n".join(filter(None, lines))),
        small=texts.format_explanation_footer(say),
    )
