"""Formats in which people collect points: their tables, drawn and in words."""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby, pairwise
from typing import Any, ClassVar, Generic, TypeVar

from bot.features.contests.formats import Format, Names, StandingsDrawing
from bot.features.contests.results import list_winners
from bot.features.contests.standings import Standing, SwissStanding, TieBreak
from bot.features.contests.tables import ContestView
from bot.features.contests.texts import format_contest_name
from bot.features.matches.scene import picture_names
from bot.features.matches.texts import name_people
from bot.platform.i18n.common import translate_joints
from bot.platform.i18n.reader import Reader
from render.table import RowMark, Table, TableRow, TableSection, describe_table

_Line = TypeVar("_Line", Standing, SwissStanding)
_SCORE = ("rank", "played", "won", "drawn", "lost", "forfeited")
_COLUMNS = {"direct": "direct_encounter"}
"""What a sum is called in an export where it has another name."""


class PointFormat(Format, Generic[_Line]):
    """A format with tables of points, in which everybody has a line."""

    exported: ClassVar[tuple[str, ...]]
    """The sums that an export has beside what was won and lost."""

    @abstractmethod
    def list_point_tables(self, view: ContestView) -> Sequence[Sequence[_Line]]:
        """Return its tables, the first division first."""

    @abstractmethod
    def list_columns(self, say: Reader) -> tuple[str, ...]:
        """Return the headings of the columns that are drawn."""

    @abstractmethod
    def list_cells(self, line: _Line) -> tuple[str, ...]:
        """Return what is drawn in these columns."""

    @abstractmethod
    def format_line(self, say: Reader, line: _Line) -> str:
        """Tell somebody's place, and the sums by which it is decided."""

    @abstractmethod
    def find_tie_break(self, above: _Line, line: _Line) -> TieBreak | None:
        """Return what put somebody below the one before, who has as many points."""

    def _list_notes(self, say: Reader, lines: Sequence[_Line]) -> Iterator[str]:
        """Say what decided between those with equal points, who are told apart."""
        reasons = {
            # Translators: what decides between people with equal points: their matches among
            # themselves. It follows "Places 2–3:".
            TieBreak.HEAD_TO_HEAD: say("head-to-head"),
            # Translators: the tie-break of that name, as chess tournaments call it.
            TieBreak.BUCHHOLZ: say("Buchholz"),
            # Translators: the tie-break of that name, as chess tournaments call it.
            TieBreak.SONNEBORN_BERGER: say("Sonneborn-Berger"),
            # Translators: what decides between people with equal points: how often they have won.
            # It follows "Places 2–3:".
            TieBreak.WINS: say("wins"),
        }
        for _, level in groupby(lines, key=lambda each: each.points):
            group = tuple(level)
            found = dict.fromkeys(
                self.find_tie_break(above, each)
                for above, each in pairwise(group)
                if above.rank != each.rank
            )
            if decided := [reasons[each] for each in found if each]:
                # Translators: below a table: what decided between people with equal points, such
                # as "Places 2–4: head-to-head, wins".
                yield say(
                    "Places {first}–{last}: {tie_breaks}",
                    first=group[0].rank,
                    last=group[-1].rank,
                    tie_breaks=say.join_with_commas(decided),
                )

    def find_marks(self, view: ContestView) -> dict[int, RowMark]:
        """Return whose lines are marked, and how."""
        return dict.fromkeys(list_winners(view), RowMark.CHAMPION)

    def draw(
        self,
        say: Reader,
        view: ContestView,
        people: Names,
        shown: Iterable[tuple[str, Sequence[_Line]]],
    ) -> StandingsDrawing:
        """Return the drawing of tables, or parts of them, with their headings."""
        names, drawn = name_people(say, people), picture_names(say, people, {})
        left = {each.person for each in view.entrants if each.left is not None}
        marks = self.find_marks(view)
        sections = tuple(
            TableSection(
                heading,
                tuple(
                    TableRow(
                        rank=str(each.rank),
                        name=names[each.person],
                        cells=self.list_cells(each),
                        mark=marks.get(each.person, RowMark.NONE),
                        is_out=each.person in left,
                        drawn_name=drawn[each.person],
                    )
                    for each in lines
                ),
                tuple(self._list_notes(say, lines)),
            )
            for heading, lines in shown
        )
        rows = [row for section in sections for row in section.rows]
        legends = {
            # Translators: what a mark in the table means: this player has won the league.
            RowMark.CHAMPION: say("has won"),
            RowMark.UP: say("moves up"),
            RowMark.DOWN: say("moves down"),
        }
        found = {row.mark for row in rows}
        table = Table(
            title=format_contest_name(say, view.contest),
            columns=self.list_columns(say),
            sections=sections,
            legend=tuple((mark, text) for mark, text in legends.items() if mark in found),
            # Translators: what faint names in the table mean: these players have left the league.
            out_legend=say("has left") if any(row.is_out for row in rows) else "",
        )
        return StandingsDrawing(table, describe_table(table, translate_joints(say)))

    def list_own(self, say: Reader, view: ContestView, people: Names, person: int) -> list[str]:
        lines = [each for table in self.list_point_tables(view) for each in table]
        return [self.format_line(say, each) for each in lines if each.person == person]

    def describe_standings(self, view: ContestView) -> dict[int, dict[str, Any]]:
        return {
            each.person: {
                **{name: getattr(each, name) for name in _SCORE},
                **{_COLUMNS.get(n, n): _export(getattr(each, n)) for n in self.exported},
            }
            for table in self.list_point_tables(view)
            for each in table
        }


def _export(value: Fraction | int | None) -> float | int | None:
    return value if value is None or isinstance(value, int) else float(value)
