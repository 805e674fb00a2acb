"""The cards of finished matches: a page of them, and the file that they are taken along in."""

from collections.abc import Mapping
from functools import partial

from bot.features.history import texts as words
from bot.features.history.controls import history_controls
from bot.features.history.service import ContestExport, Export, HistoryPage, HistoryView
from bot.platform.i18n.common import format_remainder
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Card, CardFile, Listing


def history_card(
    say: Reader, view: HistoryView, page: HistoryPage, links: Mapping[int, str]
) -> Card:
    """Return a page of finished matches; `links` lead to the messages of those that have one."""
    heading = (words.format_history_heading(say, view), words.format_filters(say, view))
    if not page.matches:
        return Card(texts=(*heading, words.format_no_match(say, view)))
    # What all of them were played in is in the heading.
    names = {} if view.is_of_competition else words.name_competitions(say, page)
    lines = [
        words.format_past_match(
            say, each, view.person, links.get(each.row.id), names.get(each.row.id)
        )
        for each in page.matches
    ]
    return Card(
        texts=(*heading, Listing(tuple(lines), more=partial(format_remainder, say))),
        controls=history_controls(say, view, page),
        small=words.format_history_footer(say, page),
    )


def export_card(say: Reader, export: Export) -> Card:
    """Return a file of matches, with what is in it."""
    return Card(
        texts=(words.format_export_reply(say, export),),
        file=CardFile(export.name, export.content),
    )


def contest_export_card(say: Reader, export: ContestExport) -> Card:
    """Return a file of a league, with what is in it."""
    return Card(
        texts=(words.format_contest_export_reply(say, export),),
        file=CardFile(export.name, export.content),
    )
