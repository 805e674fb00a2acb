"""Buttons that turn the pages of finished matches, and that put them into a file."""

from bot.features.history.export import ExportFormat
from bot.features.history.service import HistoryPage, HistoryView
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Item
from bot.platform.ui.choices import make_button
from bot.platform.ui.controls import VerbScope, declare_verb

HISTORY = declare_verb("history", VerbScope.NUMBER)
"""Turn the pages; their ids say what is looked for, and name a league or ladder by its number."""
EXPORT = declare_verb("historyfile", VerbScope.NUMBER)
LADDER = "ladder"
"""What stands before a ladder's number in ids.

Before a league's there is nothing, as in messages from the time before ladders were looked for.
"""


def history_controls(say: Reader, view: HistoryView, page: HistoryPage) -> tuple[Item, ...]:
    """Return the buttons below a list of finished matches; none below an empty one."""
    if not page.matches:
        return ()
    sought = _format_search(view)
    turns = (
        # Translators: button: shows the page of matches that ended later.
        (say("Newer"), page.number - 1),
        # Translators: button: shows the page of matches that ended earlier.
        (say("Older"), page.number + 1),
    )
    pages = [
        make_button(label, f"{HISTORY}:{sought}:{number}")
        for label, number in turns
        if 0 <= number < page.pages
    ]
    files = {
        # Translators: button: saves the list as a file of this format.
        ExportFormat.CSV: say("CSV"),
        # Translators: button: saves the list as a file of this format.
        ExportFormat.JSON: say("JSON"),
    }
    saved = [make_button(label, f"{EXPORT}:{sought}:{kind}") for kind, label in files.items()]
    return (*pages, *saved)


def _format_search(view: HistoryView) -> str:
    return f"{view.person or 0}:{view.game}:{_format_competition(view)}"


def _format_competition(view: HistoryView) -> str:
    if view.ladder:
        return f"{LADDER}{view.ladder.id}"
    return str(view.league.id if view.league else 0)
