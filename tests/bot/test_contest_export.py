"""A league's entrants, standings and results as a file, in every state of the league."""

import csv
import io
import json
from fractions import Fraction
from typing import Any

import pytest
import simcord

from bot.features.contests import tables
from bot.features.history.export import ExportFormat, write_contest_file
from bot.platform.db.rows import PersonNames
from engine.outcome import ANNULLED, FORFEITED
from lab.fields_page import load_schema
from tests.bot.test_leagues import create_league, load_view, start_league
from tests.bot.test_record_page import load_validator
from tests.bot.test_tournaments import play_out, start_tournament
from tests.support.club import SimulatedClub
from tests.support.driver import get_ephemeral_text, get_response

NOW = 1_772_409_600_000
"""2 March 2026, at midnight UTC."""
AT_MIDNIGHT = "2026-03-02T00:00:00.000Z"
SECRET = bytes(range(32))
COMMITMENT = f"{0xC0FFEE:064x}"
ANA, BEN, CYN = 11, 12, 13
NAMES = {ANA: PersonNames("=Ana"), BEN: PersonNames("Ben"), CYN: PersonNames("Cyn")}


def build_league(*pairings: tables.Pairing) -> tables.ContestView:
    """A league that is played by Ana, Ben and Cyn, who has left."""
    contest = tables.Contest(
        id=3,
        guild=1 << 62,
        channel=2,
        message=None,
        name="Spring",
        organiser=ANA,
        game="zeno",
        options={"dice": "two"},
        rated=False,
        pace="day",
        days=28,
        unfinished=tables.UnfinishedRule.DRAW,
        repeats=False,
        secret=SECRET,
        commitment=COMMITMENT,
        posted_digits=64,
        created=NOW,
        starts=NOW,
        began=NOW,
        ends=NOW,
        closed_rounds=0,
        paused=None,
        event=None,
        event_problem=None,
        roles_problem=None,
        state=tables.ContestState.RUNNING,
    )
    entrants = (
        tables.Entrant(ANA, "gives 1", NOW, 0, 0),
        tables.Entrant(BEN, "gives 2", NOW, 0, 1),
        tables.Entrant(CYN, "gives 3", NOW, 0, 2, left=NOW),
    )
    return tables.ContestView(contest, entrants, pairings)


PLAYED = build_league(
    tables.Pairing(1, 0, 1, 1, ANA, BEN, 70, None, "agreed"),
    tables.Pairing(2, 0, 1, 1, CYN, ANA, 71, ANA, FORFEITED),
    tables.Pairing(3, 0, 1, 1, BEN, CYN, 72),
)


def read_rows(view: tables.ContestView) -> list[dict[str, str]]:
    """The lines of a league's CSV file."""
    content = write_contest_file(view, NAMES, ExportFormat.CSV, NOW)
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))


def read_document(view: tables.ContestView) -> dict[str, Any]:
    """A league's JSON file."""
    document: dict[str, Any] = json.loads(
        write_contest_file(view, NAMES, ExportFormat.JSON, NOW).decode()
    )
    check_contest(document)
    return document


def check_contest(document: dict[str, Any]) -> None:
    """Check a JSON file by its schema, and that its fields have the order of the schema."""
    load_validator("contest").validate(document)
    definitions = load_schema("contest")["$defs"]
    assert list(document["contest"]) == list(definitions["contest"]["properties"])
    for kind, part in (("entrant", "entrants"), ("pairing", "pairings"), ("bye", "byes")):
        for each in document[part]:
            assert list(each) == list(definitions[kind]["properties"])


def test_json_has_the_terms_the_standings_and_the_results() -> None:
    payload = read_document(PLAYED)
    assert (payload["format"], payload["exported"]) == (1, AT_MIDNIGHT)
    assert payload["contest"] == {
        "number": 3,
        "name": "Spring",
        "season": 1,
        "server": "4611686018427387904",
        "state": "running",
        "format": "league",
        "games": ["zeno"],
        "options": {"dice": "two"},
        "rated": False,
        "pace": "day",
        "days": 28,
        "rounds": None,
        "best_of": 1,
        "third_place": False,
        "side_by_side": 10,
        "unfinished": "draw",
        "created": AT_MIDNIGHT,
        "starts": AT_MIDNIGHT,
        "began": AT_MIDNIGHT,
        "ends": AT_MIDNIGHT,
        "commitment": COMMITMENT,
        "posted": 64,
    }
    ana, ben, cyn = payload["entrants"]
    # Ana drew with Ben, who has half a point, and beat Cyn, who has none: half of a half is hers.
    assert ana == {
        "id": "11",
        "name": "=Ana",
        "joined": AT_MIDNIGHT,
        "left": None,
        "division": 1,
        "seed": 1,
        "standing": {
            "rank": 1,
            "played": 2,
            "won": 1,
            "drawn": 1,
            "lost": 0,
            "forfeited": 0,
            "points": 1.5,
            "direct_encounter": None,
            "sonneborn_berger": 0.25,
        },
    }
    # Ben has half of Ana's one and a half.
    assert ben["standing"]["sonneborn_berger"] == float(Fraction(3, 4))
    assert (cyn["left"], cyn["seed"]) == (AT_MIDNIGHT, 3)
    assert (cyn["standing"]["lost"], cyn["standing"]["forfeited"]) == (1, 1)
    assert [(each["winner"], each["how"], each["match"]) for each in payload["pairings"]] == [
        ("draw", "agreed", 70),
        ("second", "forfeited", 71),
        (None, None, 72),
    ]
    assert payload["pairings"][1] | {"how": ""} == {
        "number": 2,
        "division": 1,
        "round": 1,
        "board": 1,
        "first": "13",
        "second": "11",
        "winner": "second",
        "how": "",
        "match": 71,
    }


def test_those_equal_on_points_have_a_direct_encounter() -> None:
    view = build_league(
        tables.Pairing(1, 0, 1, 1, ANA, BEN, 70, BEN, "off"),
        tables.Pairing(2, 0, 1, 1, ANA, CYN, 71, ANA, "off"),
        tables.Pairing(3, 0, 1, 1, BEN, CYN, 72, CYN, "off"),
    )
    direct = [each["standing"]["direct_encounter"] for each in read_document(view)["entrants"]]
    assert direct == [1, 1, 1]


@pytest.mark.parametrize(("how", "winner"), [(ANNULLED, "none"), (FORFEITED, "none")])
def test_a_match_that_nobody_has_won(how: str, winner: str) -> None:
    (pairing,) = read_document(build_league(tables.Pairing(1, 0, 1, 1, ANA, BEN, 70, None, how)))[
        "pairings"
    ]
    assert (pairing["winner"], pairing["how"]) == (winner, how)


def test_csv_has_entrants_and_then_pairings_and_no_formula() -> None:
    rows = read_rows(PLAYED)
    assert [row["row"] for row in rows] == ["entrant"] * 3 + ["pairing"] * 3
    ana, forfeit = rows[0], rows[4]
    assert (ana["name"], ana["id"], ana["division"], ana["seed"]) == ("'=Ana", "<@11>", "1", "1")
    assert (ana["rank"], ana["points"], ana["direct_encounter"]) == ("1", "1.5", "")
    assert (ana["sonneborn_berger"], ana["match"], ana["left"]) == ("0.25", "", "")
    assert (forfeit["first"], forfeit["first_id"]) == ("Cyn", "<@13>")
    assert (forfeit["second"], forfeit["second_id"]) == ("'=Ana", "<@11>")
    assert (forfeit["winner"], forfeit["how"], forfeit["match"]) == ("second", "forfeited", "71")
    assert (forfeit["name"], forfeit["points"]) == ("", "")


@pytest.mark.parametrize("kind", ExportFormat)
def test_nothing_of_the_dice_is_in_a_file(kind: ExportFormat) -> None:
    content = write_contest_file(PLAYED, NAMES, kind, NOW).decode("utf-8-sig")
    assert SECRET.hex() not in content
    assert "gives" not in content
    assert "secret" not in content


async def export(
    club: SimulatedClub, person: simcord.MemberActor, kind: str
) -> tuple[str, str, bytes]:
    """What somebody reads with a league's file, and the file's name and content."""
    listed = get_response(await person.slash(club.channel, "history", contest="1")).message
    answer = await person.click(listed, label=f"Standings ({kind.upper()})")
    (file,) = get_response(answer).attachments
    content = await file.read()
    if kind == "json":
        check_contest(json.loads(content))
    return get_ephemeral_text(answer), file.filename, content


@pytest.mark.asyncio
async def test_an_open_and_a_cancelled_league_have_no_standings(club: SimulatedClub) -> None:
    card = await create_league(club)
    await club.ana.click(card, label="Join")
    text, name, content = await export(club, club.cyn, "json")
    assert name == "league-1.json"
    assert text.startswith("The standings of Autumn league and its 0 matches are in this file.")
    said = json.loads(content)
    assert said["contest"]["state"] == "open"
    (ana,) = said["entrants"]
    assert (ana["id"], ana["division"], ana["standing"]) == (str(club.ana.id), None, None)
    await club.advance_clock(8 * 86_400_000)
    # Too few have joined, so it was cancelled.
    _, _, content = await export(club, club.cyn, "json")
    assert json.loads(content)["contest"]["state"] == "cancelled"


@pytest.mark.asyncio
async def test_a_league_is_saved_while_it_is_played_and_afterwards(club: SimulatedClub) -> None:
    await start_league(club)
    secret = (await load_view(club)).contest.secret.hex()
    _, name, content = await export(club, club.ben, "csv")
    assert name == "league-1.csv"
    rows = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))
    assert [row["row"] for row in rows] == ["entrant"] * 4 + ["pairing"] * 6
    assert sorted(row["match"] for row in rows[4:]) == list("123456")
    assert {row["winner"] for row in rows} == {""}
    assert secret not in content.decode()
    await club.advance_clock(120 * 86_400_000)
    _, _, content = await export(club, club.ben, "json")
    said = json.loads(content)
    assert said["contest"]["state"] == "over"
    assert {each["how"] for each in said["pairings"]} == {"forfeited"}
    assert [each["standing"]["played"] for each in said["entrants"]] == [3] * 4


@pytest.mark.asyncio
async def test_a_tournament_is_saved_in_the_same_way(club: SimulatedClub) -> None:
    people = await start_tournament(club, 5, third=True)
    await play_out(club, people)
    _, name, content = await export(club, club.cyn, "json")
    assert name == "tournament-1.json"
    said = json.loads(content)
    assert said["contest"]["format"] == "knock-out"
    ranks = {each["id"]: each["standing"]["rank"] for each in said["entrants"]}
    # The lower seed loses each match, the one for the third place too.
    assert ranks == {str(person): rank for rank, person in enumerate(people, 1)}
    assert [(each["round"], each["board"]) for each in said["pairings"]] == [
        (1, 2),
        (2, 2),
        (2, 1),
        (3, 1),
        (3, 2),
    ]


@pytest.mark.asyncio
async def test_a_swiss_has_its_byes_and_its_own_tie_breaks(club: SimulatedClub) -> None:
    people = await start_tournament(club, 9, format="swiss", rounds=2)
    await play_out(club, people)
    for kind in ("json", "csv"):
        _, _, content = await export(club, club.cyn, kind)
        if kind == "json":
            said = json.loads(content)
            assert [each["points"] for each in said["byes"]] == [1, 1]
            assert said["byes"][0]["id"] == str(people[8])
            assert {"byes", "buchholz_cut"} < said["entrants"][0]["standing"].keys()
        else:
            rows = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))
            kinds = [row["row"] for row in rows]
            assert kinds == ["entrant"] * 9 + ["bye"] * 2 + ["pairing"] * 8
