"""The cards of seats that change hands, and of a server's log."""

from collections.abc import Mapping

from bot.features.matches.extensions import END_SECTIONS, EndSection
from bot.features.matches.session import MatchSession
from bot.features.moderation import texts as words
from bot.features.moderation.controls import log_controls
from bot.features.moderation.service import RulingPage, find_latest_ruling
from bot.features.substitution.controls import seat_controls
from bot.features.substitution.service import SeatOffer
from bot.platform.context import App
from bot.platform.i18n import common
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Card, Listing


def seat_offer_card(say: Reader, session: MatchSession, offer: SeatOffer) -> Card:
    """Return what asks somebody whether they take a seat."""
    return Card(
        texts=words.format_seat_offer(say, session, offer),
        controls=seat_controls(say, offer),
        small=words.format_seat_terms(say, session),
        ping=offer.taker,
    )


def log_card(say: Reader, page: RulingPage, links: Mapping[int, str]) -> Card:
    """Return a page of a server's log.

    `links` lead to the messages of its matches that have one.
    """
    heading = words.format_log_heading(say)
    if not page.rulings:
        return Card(texts=(heading, say("No moderator has acted on a match here yet.")))
    lines = [
        words.format_log_line(say, ruling, page, links.get(ruling.match)) for ruling in page.rulings
    ]
    return Card(
        texts=(heading, Listing(tuple(lines), lambda n: common.format_remainder(say, n))),
        controls=log_controls(say, page.number, page.pages),
        small=words.format_log_footer(say, page) if page.pages > 1 else "",
    )


@END_SECTIONS.add(order=10)
async def load_ruling_section(app: App, say: Reader, session: MatchSession) -> EndSection:
    """Return which moderator ended a match, and why."""
    return EndSection(result=words.format_ruling(say, await find_latest_ruling(app, session)))
