"""The card with a calendar."""

from bot.features.deadlines import texts as words
from bot.features.deadlines.service import DeadlineList
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Card, CardFile

CALENDAR_FILE = "tabula.ics"


def calendar_card(say: Reader, deadlines: DeadlineList, content: bytes) -> Card:
    """Return a file with somebody's deadlines; none where they have none."""
    file = CardFile(CALENDAR_FILE, content) if deadlines.count else None
    return Card(texts=(words.format_calendar_reply(say, deadlines),), file=file)
