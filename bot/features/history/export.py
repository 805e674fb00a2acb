"""Finished matches as a file for programs (JSON) or for a spreadsheet (CSV).

`docs/record.md` describes both.
"""

import csv
import io
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from enum import StrEnum, auto
from typing import Any

from bot.features.contests.rows import Contest
from bot.features.history.competitions import Competitions
from bot.features.history.results import PastMatch, PastResult
from bot.features.ladders.rows import Ladder
from bot.platform.computers import get_computer_level, get_computer_name
from bot.platform.direct import NO_SERVER
from bot.platform.people import clean_name, clean_text, is_pseudonym
from bot.store import DRAW, PersonNames, Seat
from engine.clock import SECOND
from engine.position import Side
from engine.strict_json import write_json

FORMAT = 1
"""The format of the JSON file; it rises when what a field means changes."""
COLUMNS = (
    "number",
    "server",
    "game",
    "rules",
    "options",
    "rated",
    "pace",
    "began",
    "ended",
    "gold",
    "gold_ids",
    "black",
    "black_ids",
    "winner",
    "how",
    "points",
    "league",
    "league_name",
    "league_season",
    "ladder",
    "ladder_name",
)
"""The columns of the CSV file."""
NOBODY = "none"
"""The winner of a match that counts for nothing, or that neither side played."""
DELETED = "deleted"
"""The id of everyone who has had their data deleted."""

_FORMULA = re.compile(r"(^|[;,|])(\s*)(?=[=+\-@＝＋－＠])")  # noqa: RUF001 - wide signs count too
"""Where a spreadsheet could take what follows for a formula.

That is at the beginning of a cell, or after a sign at which some read a file as columns.
"""


class ExportFormat(StrEnum):
    """The formats of the file."""

    CSV = auto()
    JSON = auto()


class MatchFile(ABC):
    """A file that matches are added to, some at a time."""

    @abstractmethod
    def add(
        self,
        batch: Sequence[PastMatch],
        people: Mapping[int, PersonNames],
        competitions: Competitions,
    ) -> None:
        """Add matches, given the names of the people and what they were played in."""

    @abstractmethod
    def finish(self) -> bytes:
        """Return the whole file."""


def make_match_file(kind: ExportFormat, now: int, *, is_complete: bool) -> MatchFile:
    """Return a file without any match yet."""
    return CsvMatchFile() if kind is ExportFormat.CSV else JsonMatchFile(now, is_complete)


class JsonMatchFile(MatchFile):
    """An object with a list of matches, each on a line."""

    def __init__(self, now: int, is_complete: bool) -> None:
        self._head = {"format": FORMAT, "exported": format_instant(now), "complete": is_complete}
        self._lines: list[str] = []

    def add(
        self,
        batch: Sequence[PastMatch],
        people: Mapping[int, PersonNames],
        competitions: Competitions,
    ) -> None:
        """Add matches as objects."""
        for each in batch:
            said = describe_match(each, people, competitions)
            self._lines.append(write_json(said, ascii_only=False))

    def finish(self) -> bytes:
        """Return the file, in UTF-8."""
        head = write_json(self._head).removesuffix("}")
        listed = ",\n".join(self._lines)
        # Half a character, of which some names consist, has no UTF-8.
        return f'{head}, "matches": [\n{listed}\n]}}\n'.encode(errors="replace")


class CsvMatchFile(MatchFile):
    """A table with a head and a row for each match, safe to open in a spreadsheet."""

    def __init__(self) -> None:
        self._text = io.StringIO(newline="")
        self._rows = csv.writer(self._text)
        self._rows.writerow(COLUMNS)

    def add(
        self,
        batch: Sequence[PastMatch],
        people: Mapping[int, PersonNames],
        competitions: Competitions,
    ) -> None:
        """Add matches as rows."""
        for each in batch:
            said = list_cells(describe_match(each, people, competitions))
            self._rows.writerow([neutralise_cell(said[column]) for column in COLUMNS])

    def finish(self) -> bytes:
        """Return the file in UTF-8, with the mark by which spreadsheets know it."""
        return self._text.getvalue().encode("utf-8-sig", errors="replace")


def describe_match(
    match: PastMatch, people: Mapping[int, PersonNames], competitions: Competitions
) -> dict[str, Any]:
    """Return what is exported of a match, as JSON has it."""
    row, outcome = match.row, match.outcome
    league, ladder = competitions.find_league(match), competitions.find_ladder(match)
    return {
        "number": row.id,
        "server": None if row.guild == NO_SERVER else str(row.guild),
        "game": row.game,
        "rules": row.edition,
        "options": dict(row.options),
        "rated": row.rated,
        "pace": row.pace,
        "began": format_instant(row.created),
        "ended": format_instant(row.ended or row.touched),
        "players": [
            _describe_player(side, seat, began, people)
            for side in Side
            for seat, began in zip(match.list_seats(side), match.list_beginners(side), strict=True)
        ],
        "winner": _find_winner(match),
        "how": outcome.how,
        "points": outcome.points,
        "league": league and _describe_contest(league),
        "ladder": ladder and _describe_ladder(ladder),
    }


def _describe_player(
    side: Side, seat: Seat, began: int, people: Mapping[int, PersonNames]
) -> dict[str, Any]:
    level = get_computer_level(seat.person)
    return {
        "side": side.value,
        "name": get_exported_name(seat.person, people),
        # A text: most programs read JSON's numbers with fewer digits than Discord's ids have.
        "id": None if level else _format_id(seat.person),
        "computer": level and level.value,
        "replaced": None if began == seat.person else _format_id(began),
    }


def _format_id(person: int) -> str:
    return DELETED if is_pseudonym(person) else str(person)


def get_exported_name(person: int, people: Mapping[int, PersonNames]) -> str:
    """Return the name by which the bot last met somebody, or that of a computer player."""
    if name := get_computer_name(person):
        return name
    known = people.get(person, PersonNames(""))
    return clean_name(known.name, known.account, person)


def _describe_contest(league: Contest) -> dict[str, Any]:
    return {"number": league.id, "name": clean_text(league.name), "season": league.season}


def _describe_ladder(ladder: Ladder) -> dict[str, Any]:
    return {"number": ladder.id, "name": clean_text(ladder.name)}


def _find_winner(match: PastMatch) -> str:
    result = match.find_result(Side.GOLD)
    if result is PastResult.DRAWN:
        return DRAW
    winner = match.outcome.winner
    return NOBODY if winner is None or result is PastResult.VOID else winner.value


def list_cells(said: Mapping[str, Any]) -> dict[str, str]:
    """Return the cells of a match's row, from what JSON has of it."""
    league = said["league"] or {"number": None, "name": None, "season": None}
    ladder = said["ladder"] or {"number": None, "name": None}
    cells = {
        **said,
        "options": " ".join(f"{name}={value}" for name, value in said["options"].items()),
        "rated": "yes" if said["rated"] else "no",
        "league": league["number"],
        "league_name": league["name"],
        "league_season": league["season"],
        "ladder": ladder["number"],
        "ladder_name": ladder["name"],
    }
    for side in Side:
        sat = [each for each in said["players"] if each["side"] == side]
        cells[side.value] = "; ".join(each["name"] for each in sat)
        cells[f"{side}_ids"] = " ".join(map(_format_id_cell, sat))
    return {column: _format_cell(column, cells[column]) for column in COLUMNS}


def _format_id_cell(player: Mapping[str, Any]) -> str:
    # As Discord's mention: of a bare number a spreadsheet would keep fifteen digits.
    if player["computer"]:
        return f"computer:{player['computer']}"
    return DELETED if player["id"] == DELETED else f"<@{player['id']}>"


def _format_cell(column: str, value: object) -> str:
    if value is None:
        return ""
    return f"server:{value}" if column == "server" else str(value)


def neutralise_cell(text: str) -> str:
    """Return the text of a cell so that no spreadsheet takes it, or a part of it, for a formula."""
    return _FORMULA.sub(r"\1\2'", text)


def format_instant(milliseconds: int) -> str:
    """Write an instant in the form of ISO 8601, in UTC: `2026-03-02T09:30:00.250Z`."""
    seconds, rest = divmod(milliseconds, SECOND)
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}.{rest:03}Z"
