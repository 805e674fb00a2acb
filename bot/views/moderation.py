"""The cards of seats that change hands, and of a server's log."""

from collections.abc import Mapping

from bot.app.moderation import Page
from bot.app.sitting import Sitting
from bot.app.substitution import Offer
from bot.views.card import Card, Listing
from bot.views.controls import log_controls, seat_controls
from bot.words import common
from bot.words import moderation as words
from bot.words.reader import Reader


def seat_card(say: Reader, sitting: Sitting, offer: Offer) -> Card:
    """Return what asks somebody whether they take a seat."""
    return Card(
        texts=words.seat_offered(say, sitting, offer),
        controls=seat_controls(say, offer),
        small=words.seat_terms(say, sitting),
        ping=offer.taker,
    )


def log_card(say: Reader, page: Page, links: Mapping[int, str]) -> Card:
    """Return a page of a server's log.

    `links` lead to the messages of its matches that have one.
    """
    heading = words.log_title(say)
    if not page.rulings:
        return Card(texts=(heading, say("No moderator has acted on a match here yet.")))
    lines = [words.log_line(say, ruling, page, links.get(ruling.match)) for ruling in page.rulings]
    return Card(
        texts=(heading, Listing(tuple(lines), lambda n: common.more(say, n))),
        controls=log_controls(say, page.number, page.pages),
        small=words.log_footer(say, page) if page.pages > 1 else "",
    )
