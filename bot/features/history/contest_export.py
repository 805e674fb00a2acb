"""The results of a league or tournament as a file for programs (JSON) or a spreadsheet (CSV).

`docs/record.md` describes both. Nothing of the dice is in them but the commitment.
"""

import csv
import io
from collections.abc import Mapping
from typing import Any

from bot.features.contests.bracket import rank_bracket
from bot.features.contests.results import compute_knock_out, compute_swiss, list_tables
from bot.features.contests.rows import Contest, ContestFormat, ContestView, Entrant, Pairing
from bot.features.contests.standings import Bye, Standing
from bot.features.contests.swiss_standings import SwissStanding
from bot.features.history.export import (
    NOBODY,
    ExportFormat,
    format_instant,
    get_exported_name,
    neutralise_cell,
)
from bot.platform.people import clean_text
from bot.store import DRAW, PersonNames
from engine.strict_json import write_json

CONTEST_FORMAT = 1
"""The format of the JSON file; it rises when what a field means changes."""
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
    said = describe_contest(view, people, now)
    if kind is ExportFormat.CSV:
        return _write_table(said)
    # Half a character, of which some names consist, has no UTF-8.
    return f"{write_json(said, ascii_only=False)}\n".encode(errors="replace")


def describe_contest(
    view: ContestView, people: Mapping[int, PersonNames], now: int
) -> dict[str, Any]:
    """Return what is exported of a contest, as JSON has it."""
    standings = _describe_standings(view)
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


def _describe_standings(view: ContestView) -> dict[int, dict[str, Any]]:
    """Return where people stand who have a place: in a knock-out once they are out, or have won."""
    match view.contest.format:
        case ContestFormat.KNOCK_OUT if not view.contest.began:
            return {}
        case ContestFormat.KNOCK_OUT:
            ranks = rank_bracket(compute_knock_out(view))
            return {person: {"rank": rank} for rank, people in ranks for person in people}
        case ContestFormat.SWISS:
            return {each.person: _describe_swiss_standing(each) for each in compute_swiss(view)}
    return {each.person: _describe_standing(each) for table in list_tables(view) for each in table}


def _describe_standing(standing: Standing) -> dict[str, Any]:
    direct = standing.direct
    return {
        **_describe_score(standing),
        "points": float(standing.points),
        "direct_encounter": None if direct is None else float(direct),
        "sonneborn_berger": float(standing.sonneborn_berger),
    }


def _describe_swiss_standing(standing: SwissStanding) -> dict[str, Any]:
    return {
        **_describe_score(standing),
        "byes": standing.byes,
        "points": float(standing.points),
        "buchholz_cut": float(standing.buchholz_cut),
        "sonneborn_berger": float(standing.sonneborn_berger),
    }


def _describe_score(standing: Standing | SwissStanding) -> dict[str, Any]:
    return {
        "rank": standing.rank,
        "played": standing.played,
        "won": standing.won,
        "drawn": standing.drawn,
        "lost": standing.lost,
        "forfeited": standing.forfeited,
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
        "winner": _find_winner(pairing),
        "how": pairing.how,
        "match": pairing.match,
    }


def _find_winner(pairing: Pairing) -> str | None:
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
    """Return a table in UTF-8, with the mark by which spreadsheets know it, safe to open in one."""
    text = io.StringIO(newline="")
    rows = csv.writer(text)
    rows.writerow(CONTEST_COLUMNS)
    names = {each["id"]: each["name"] for each in said["entrants"]}
    for each in said["entrants"]:
        cells = {**each, **(each["standing"] or {}), "row": ENTRANT_ROW, "id": f"<@{each['id']}>"}
        rows.writerow(_list_cells(cells))
    for each in said["byes"]:
        cells = {**each, "row": BYE_ROW, "name": names[each["id"]], "id": f"<@{each['id']}>"}
        rows.writerow(_list_cells(cells))
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
        rows.writerow(_list_cells({**each, **sides, "row": PAIRING_ROW}))
    return text.getvalue().encode("utf-8-sig", errors="replace")


def _list_cells(cells: Mapping[str, Any]) -> list[str]:
    return [_format_cell(cells.get(column)) for column in CONTEST_COLUMNS]


def _format_cell(value: object) -> str:
    if value is None:
        return ""
    return neutralise_cell(f"{value:g}" if isinstance(value, float) else str(value))
