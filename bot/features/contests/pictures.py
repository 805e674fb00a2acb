"""The tables of contests as they are drawn."""

from collections.abc import Iterable, Mapping, Sequence

from bot.features.contests import texts as words
from bot.features.contests.divisions import count_exchanged
from bot.features.contests.results import Tables
from bot.features.contests.rows import ContestState, ContestView
from bot.features.contests.swiss_standings import SwissStanding
from bot.features.matches.name_texts import name_people
from bot.features.matches.scene import picture_names
from bot.platform.i18n.reader import Reader
from bot.store import PersonNames
from render.table import RowMark, Table, TableRow, TableSection

MOST_ROWS = 16
"""Rows of a Swiss table in a picture: Discord makes a higher one too small to be read."""


def build_table(
    say: Reader,
    view: ContestView,
    tables: Tables,
    people: Mapping[int, PersonNames],
    shown: Iterable[int],
) -> Table:
    """Return the tables of some divisions, to be drawn."""
    names, drawn = name_people(say, people), picture_names(say, people, {})
    left = {each.person for each in view.entrants if each.left is not None}
    sections = []
    for number in shown:
        rows = [
            TableRow(
                rank=str(each.rank),
                name=names[each.person],
                cells=(str(each.played), words.format_number(each.points)),
                mark=_find_mark(view, tables, number, at),
                is_out=each.person in left,
                drawn_name=drawn[each.person],
            )
            for at, each in enumerate(tables[number])
        ]
        heading = words.format_division(say, number) if len(tables) > 1 else ""
        sections.append(TableSection(heading, tuple(rows)))
    legends = {
        RowMark.CHAMPION: say("has won"),
        RowMark.UP: say("moves up"),
        RowMark.DOWN: say("moves down"),
    }
    marks = {row.mark for section in sections for row in section.rows}
    return Table(
        title=words.format_contest_name(say, view.contest),
        columns=(
            # Translators: heading of a narrow column of numbers: matches that somebody has played.
            say("Played"),
            # Translators: heading of a narrow column of numbers: what somebody's results are worth.
            say("Points"),
        ),
        sections=tuple(sections),
        legend=tuple((mark, text) for mark, text in legends.items() if mark in marks),
        out_legend=say("has left") if left else "",
    )


def _find_mark(view: ContestView, tables: Tables, number: int, at: int) -> RowMark:
    """Return what the end of the season means, or would mean now, for a place in a division."""
    is_over = view.contest.state is ContestState.OVER
    if is_over and number == 0 and tables[0][at].rank == 1:
        return RowMark.CHAMPION
    # Before anything is played the order is that of the seeds.
    if not view.contest.repeats or not any(each.played for each in tables[number]):
        return RowMark.NONE
    size = len(tables[number])
    if number > 0 and at < count_exchanged(len(tables[number - 1]), size):
        return RowMark.UP
    is_lowest = number + 1 == len(tables)
    if not is_lowest and at >= size - count_exchanged(size, len(tables[number + 1])):
        return RowMark.DOWN
    return RowMark.NONE


def build_swiss_table(
    say: Reader,
    view: ContestView,
    standings: Sequence[SwissStanding],
    people: Mapping[int, PersonNames],
) -> Table:
    """Return the table of a Swiss, or as much from its top as can be read."""
    names, drawn = name_people(say, people), picture_names(say, people, {})
    left = {each.person for each in view.entrants if each.left is not None}
    is_over = view.contest.state is ContestState.OVER
    rows = tuple(
        TableRow(
            rank=str(each.rank),
            name=names[each.person],
            cells=(words.format_number(each.points), words.format_number(each.buchholz_cut)),
            mark=RowMark.CHAMPION if is_over and each.rank == 1 else RowMark.NONE,
            is_out=each.person in left,
            drawn_name=drawn[each.person],
        )
        for each in standings[:MOST_ROWS]
    )
    return Table(
        title=words.format_contest_name(say, view.contest),
        columns=(
            # Translators: heading of a narrow column of numbers: what somebody's results are worth.
            say("Points"),
            # Translators: heading of a narrow column of numbers: the sum of the points of those
            # whom somebody has played, as chess tournaments call it.
            say("Buchholz"),
        ),
        sections=(TableSection("", rows),),
        legend=((RowMark.CHAMPION, say("has won")),) if is_over else (),
        out_legend=say("has left") if any(row.is_out for row in rows) else "",
    )
