"""Finished matches, and a contest's results, as files for programs (JSON) or spreadsheets (CSV).

`docs/record.md` describes them. Nothing of a contest's dice is in them but the commitment.
"""

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from enum import StrEnum, auto
from typing import Any

from bot.features.contests.formats import get_format
from bot.features.contests.standings import Bye
from bot.features.contests.tables import Contest, ContestView, Entrant, Pairing
from bot.features.history.past_matches import Competitions, PastMatch, PastResult
from bot.features.ladders.tables import Ladder
from bot.features.matches.rows import DRAW, Seat
from bot.platform.context import NO_SERVER
from bot.platform.db.rows import PersonNames
from bot.platform.people import (
    clean_name,
    clean_text,
    get_computer_level,
    get_computer_name,
    is_pseudonym,
)
from engine.clock import SECOND
from engine.position import Side
from engine.strict_json import write_json

CONTEST_FORMAT = 1
"""The format of the JSON file; it rises when what a field means changes."""

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


class MatchFile:
    """A file that matches are added to, some at a time."""

    def __init__(self, kind: ExportFormat, now: int, *, is_complete: bool) -> None:
        self._kind = kind
        self._head = {"format": FORMAT, "exported": format_instant(now), "complete": is_complete}
        self._matches: list[str] = []

    def add(
        self,
        batch: Sequence[PastMatch],
        people: Mapping[int, PersonNames],
        competitions: Competitions,
    ) -> None:
        """Add matches, given the names of the people and what they were played in."""
        for each in batch:
            said = describe_match(each, people, competitions)
            self._matches.append(
                write_row(list_cells(said).values())
                if self._kind is ExportFormat.CSV
                else write_json(said, ascii_only=False)
            )

    def finish(self) -> bytes:
        """Return the whole file: a table, or an object with a list of matches, each on a line."""
        if self._kind is ExportFormat.CSV:
            return encode_table([write_row(COLUMNS), *self._matches])
        head = write_json(self._head).removesuffix("}")
        text = ",\n".join(self._matches)
        # Half a character, of which some names consist, has no UTF-8.
        return f'{head}, "matches": [\n{text}\n]}}\n'.encode(errors="replace")


def write_row(cells: Iterable[str]) -> str:
    """Return a row of a table, safe to open in a spreadsheet."""
    text = io.StringIO(newline="")
    csv.writer(text).writerow(map(neutralise_cell, cells))
    return text.getvalue()


def encode_table(rows: Iterable[str]) -> bytes:
    """Return a table in UTF-8, with the mark by which spreadsheets know it."""
    return "".join(rows).encode("utf-8-sig", errors="replace")


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


_PAIRING_COLUMNS = (
    "number",
    "round",
    "board",
    "first",
    "first_id",
    "second",
    "second_id",
    "winner",
    "how",
    "match",
)
_STANDING_COLUMNS = (
    "rank",
    "played",
    "won",
    "drawn",
    "lost",
    "forfeited",
    "byes",
    "points",
    "direct_encounter",
    "buchholz_cut",
    "sonneborn_berger",
)
CONTEST_COLUMNS = (
    "row",
    "division",
    "seed",
    "name",
    "id",
    "joined",
    "left",
    *_STANDING_COLUMNS,
    *_PAIRING_COLUMNS,
)
"""The columns of the CSV file, whose rows are entrants, then pairings and byes."""
ENTRANT_ROW, PAIRING_ROW, BYE_ROW = "entrant", "pairing", "bye"


def write_contest_file(
    view: ContestView, people: Mapping[int, PersonNames], kind: ExportFormat, now: int
) -> bytes:
    """Return a contest in a file, given the names of those in it."""
    payload = describe_contest(view, people, now)
    if kind is ExportFormat.CSV:
        return _write_table(payload)
    # Half a character, of which some names consist, has no UTF-8.
    return f"{write_json(payload, ascii_only=False)}\n".encode(errors="replace")


def describe_contest(
    view: ContestView, people: Mapping[int, PersonNames], now: int
) -> dict[str, Any]:
    """Return what is exported of a contest, as JSON has it."""
    standings = get_format(view.contest).describe_standings(view)
    return {
        "format": CONTEST_FORMAT,
        "exported": format_instant(now),
        "contest": _describe_terms(view.contest),
        "entrants": [
            _describe_entrant(each, standings.get(each.person), people) for each in view.entrants
        ],
        "pairings": [_describe_pairing(each) for each in view.pairings],
        "byes": [_describe_bye(each) for each in view.byes],
    }


def _describe_terms(contest: Contest) -> dict[str, Any]:
    # Field by field: the secret of a contest that goes on would tell every throw to come.
    return {
        "number": contest.id,
        "name": clean_text(contest.name),
        "season": contest.season,
        "server": str(contest.guild),
        "state": contest.state.value,
        "format": contest.format.value,
        "games": list(contest.games),
        "options": dict(contest.options),
        "rated": contest.rated,
        "pace": contest.pace,
        "days": contest.days,
        "rounds": contest.rounds,
        "best_of": contest.best_of,
        "third_place": contest.third_place,
        "side_by_side": contest.at_once,
        "unfinished": contest.unfinished.value,
        "created": format_instant(contest.created),
        "starts": format_instant(contest.starts),
        "began": _format_optional(contest.began),
        "ends": _format_optional(contest.ends),
        "commitment": contest.commitment,
        "posted": contest.posted_digits,
    }


def _describe_entrant(
    entrant: Entrant, standing: dict[str, Any] | None, people: Mapping[int, PersonNames]
) -> dict[str, Any]:
    return {
        "id": str(entrant.person),
        "name": get_exported_name(entrant.person, people),
        "joined": format_instant(entrant.joined),
        "left": _format_optional(entrant.left),
        "division": _count_from_one(entrant.division),
        "seed": _count_from_one(entrant.seed),
        "standing": standing,
    }


def _describe_bye(bye: Bye) -> dict[str, Any]:
    return {"round": bye.round, "id": str(bye.person), "points": float(bye.points)}


def _describe_pairing(pairing: Pairing) -> dict[str, Any]:
    return {
        "number": pairing.number,
        "division": _count_from_one(pairing.division),
        "round": pairing.round,
        "board": pairing.board,
        "first": str(pairing.first),
        "second": str(pairing.second),
        "winner": _find_pairing_winner(pairing),
        "how": pairing.how,
        "match": pairing.match,
    }


def _find_pairing_winner(pairing: Pairing) -> str | None:
    result = pairing.result
    if not result.is_over:
        return None
    if result.is_draw:
        return DRAW
    if not result.is_win:
        return NOBODY
    return "first" if result.winner == pairing.first else "second"


def _count_from_one(number: int | None) -> int | None:
    return None if number is None else number + 1


def _format_optional(instant: int | None) -> str | None:
    return None if instant is None else format_instant(instant)


def _write_table(said: Mapping[str, Any]) -> bytes:
    rows = [write_row(CONTEST_COLUMNS)]
    names = {each["id"]: each["name"] for each in said["entrants"]}
    for each in said["entrants"]:
        cells = {**each, **(each["standing"] or {}), "row": ENTRANT_ROW, "id": f"<@{each['id']}>"}
        rows.append(_write_cells(cells))
    for each in said["byes"]:
        cells = {**each, "row": BYE_ROW, "name": names[each["id"]], "id": f"<@{each['id']}>"}
        rows.append(_write_cells(cells))
    for each in said["pairings"]:
        sides = {
            column: value
            for side in ("first", "second")
            # As Discord's mention: of a bare number a spreadsheet would keep fifteen digits.
            for column, value in (
                (side, names[each[side]]),
                (f"{side}_id", f"<@{each[side]}>"),
            )
        }
        rows.append(_write_cells({**each, **sides, "row": PAIRING_ROW}))
    return encode_table(rows)


def _write_cells(cells: Mapping[str, Any]) -> str:
    return write_row(_format_contest_cell(cells.get(column)) for column in CONTEST_COLUMNS)


def _format_contest_cell(value: object) -> str:
    if value is None:
        return ""
    return f"{value:g}" if isinstance(value, float) else str(value)
