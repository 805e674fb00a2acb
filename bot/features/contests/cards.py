"""The cards of a league: its message for everyone, and what one person asks for."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TypeAlias

from bot.features.contests import texts as words
from bot.features.contests.controls import (
    list_contest_buttons,
    list_ruling_controls,
    make_division_menu,
)
from bot.features.contests.divisions import count_exchanged
from bot.features.contests.rows import ContestState, ContestView
from bot.features.contests.service import LEAST_ENTRANTS, MOST_ENTRANTS
from bot.features.contests.standings import Standing
from bot.features.matches.scene import picture_names
from bot.features.matches.session import MatchSession
from bot.platform.i18n.common import format_remainder
from bot.platform.i18n.reader import Reader
from bot.platform.people import distinguish_names
from bot.platform.ui.card import TABLE_FILE, Card, Listing, Picture
from bot.store import PersonNames
from render.table import RowMark, Table, TableRow, TableSection, describe_table

Tables: TypeAlias = Sequence[Sequence[Standing]]
"""The standings of each division, the first division first."""
MOST_DRAWN = 2
"""Divisions in the picture for everyone: Discord makes a higher one too small to be read."""


def contest_card(
    say: Reader,
    view: ContestView,
    tables: Tables,
    people: Mapping[int, PersonNames],
    now: int,
    following: int | None = None,
) -> Card:
    """Return a league's message: sign-up, then its tables, then who has won."""
    contest = view.contest
    heading = words.format_contest_heading(say, contest)
    controls = list_contest_buttons(say, view, now)
    if contest.state is ContestState.OPEN:
        return Card(
            texts=(
                heading,
                words.format_contest_terms(say, contest),
                words.format_entrants(say, view, MOST_ENTRANTS),
            ),
            controls=controls,
            small=words.format_sign_up_end(say, contest, LEAST_ENTRANTS),
        )
    if contest.state is ContestState.CANCELLED:
        # Without matches there is nothing to check.
        is_public = bool(view.pairings) and view.is_secret_public
        return Card(
            texts=(heading, words.format_cancellation(say, view, LEAST_ENTRANTS)),
            small=words.format_dice_line(say, contest) if is_public else "",
        )
    table = _build_table(say, view, tables, people, range(min(len(tables), MOST_DRAWN)))
    told = words.format_game_line(say, contest)
    if contest.state is ContestState.OVER:
        told = words.format_champions(say, tables)
    return Card(
        texts=(heading, told),
        picture=Picture(table, describe_table(table), TABLE_FILE),
        below=(
            *(
                words.format_leaders(say, number, standings)
                for number, standings in enumerate(tables[MOST_DRAWN:], MOST_DRAWN)
            ),
            words.format_progress(say, view),
            words.format_next_season(say, following),
        ),
        controls=controls,
        small=words.format_dice_line(say, contest),
    )


def _build_table(
    say: Reader,
    view: ContestView,
    tables: Tables,
    people: Mapping[int, PersonNames],
    shown: Iterable[int],
) -> Table:
    """Return the tables of some divisions, to be drawn."""
    names, drawn = distinguish_names(people), picture_names(say, people, {})
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
        columns=(say("Played"), say("Points")),
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


def explanation_card(
    say: Reader,
    view: ContestView,
    tables: Tables,
    people: Mapping[int, PersonNames],
    number: int,
) -> Card:
    """Return the table of a division, drawn and in words, with the sums by which it is ordered."""
    table = _build_table(say, view, tables, people, [number])
    labels = [words.format_division(say, at) for at in range(len(tables))]
    heading = words.format_contest_heading(say, view.contest)
    return Card(
        texts=(
            f"{heading}: {labels[number]}" if len(tables) > 1 else heading,
            Listing(
                tuple(words.format_standing_line(say, each) for each in tables[number]),
                more=partial(format_remainder, say),
                joined=True,
            ),
        ),
        picture=Picture(table, describe_table(table), TABLE_FILE),
        below=(words.explain_order(say),),
        controls=make_division_menu(view.contest.id, number, labels),
    )


def own_matches_card(
    say: Reader,
    view: ContestView,
    person: int,
    links: Mapping[int, str],
    sessions: Mapping[int, MatchSession],
) -> Card:
    """Return somebody's matches in a league, with who plays them and links."""
    lines = tuple(words.format_own_matches(say, view, person, links, sessions))
    return Card(
        texts=(
            words.format_contest_heading(say, view.contest),
            Listing(lines, more=partial(format_remainder, say), joined=True),
        ),
        below=(words.format_progress(say, view),),
    )


def manage_card(say: Reader, view: ContestView, people: Mapping[int, PersonNames]) -> Card:
    """Return what organisers see of a league: how it stands, what they can do and what was done."""
    names = distinguish_names(people)
    lines = tuple(words.format_ruling_line(say, each) for each in reversed(view.rulings))
    return Card(
        texts=(
            words.format_contest_heading(say, view.contest),
            words.format_state(say, view, LEAST_ENTRANTS),
            Listing(lines, more=partial(format_remainder, say), joined=True),
        ),
        controls=list_ruling_controls(say, view, names),
        small=words.explain_rulings(say) if view.contest.is_unfinished else "",
    )
