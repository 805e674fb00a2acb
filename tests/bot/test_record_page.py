"""docs/record.md names exactly what is in a match's record and in the files of /history."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

import jsonschema  # type: ignore[import-untyped, unused-ignore]
import pytest

from bot.features.contests.rows import (
    Contest,
    ContestFormat,
    ContestState,
    ContestView,
    Entrant,
    Pairing,
    UnfinishedRule,
)
from bot.features.history.contest_export import CONTEST_COLUMNS, describe_contest
from bot.features.history.export import COLUMNS
from bot.features.history.service import MOST_EXPORTED
from bot.features.matches.record import verify_record
from engine.board import TABLES
from engine.events import (
    FORMAT,
    Abandoned,
    Aborted,
    Adjudicated,
    Annulled,
    Battled,
    Chosen,
    Concluded,
    DrawAgreed,
    DrawDeclined,
    DrawOffered,
    Event,
    Granted,
    Left,
    Passed,
    Played,
    Resigned,
    Seated,
    SetUp,
    TakenBack,
    Thrown,
    TimedOut,
    TurnTakenBack,
    to_record,
)
from engine.move import Move
from engine.position import Side
from tests.bot.conftest import SimulatedClub
from tests.bot.driver import get_response, give_up, start_match, take_next_action

PAGE = Path(__file__).parents[2] / "docs" / "record.md"
SCHEMA = PAGE.with_name("record.schema.json")


def read_section(heading: str) -> str:
    """The text below a heading, up to the next."""
    _, _, rest = PAGE.read_text(encoding="utf-8").partition(f"{heading}\n")
    assert rest, heading
    return re.split(r"\n#+ ", rest)[0]


def list_cells(section: str) -> Iterator[tuple[str, ...]]:
    """The rows of the table in a section, but for its head."""
    rows = [line for line in section.splitlines() if line.startswith("|")]
    for row in rows[2:]:
        yield tuple(cell.strip() for cell in row.strip("|").split("|"))


def list_named(cell: str) -> list[str]:
    """What a cell names in code."""
    return re.findall(r"`([^`]+)`", cell)


def read_fields(heading: str) -> list[str]:
    """The fields that a section's table names, in its order."""
    return [name for first, *_ in list_cells(read_section(heading)) for name in list_named(first)]


def read_events() -> dict[str, list[str]]:
    """The events that the page names, with the fields that each has besides the common ones."""
    rows = list_cells(read_section("### The events"))
    return {list_named(kind)[0]: list_named(further) for kind, further, *_ in rows}


def load_export_schema() -> Mapping[str, Any]:
    """The schema that the page gives for the JSON file."""
    block = re.search(r"```json\n(.*?)```", read_section("### The JSON file"), re.DOTALL)
    assert block is not None
    schema: Mapping[str, Any] = json.loads(block[1])
    jsonschema.Draft202012Validator.check_schema(schema)
    return schema


def check_export(content: bytes) -> None:
    """Check a JSON file by the schema of the page."""
    jsonschema.Draft202012Validator(load_export_schema()).validate(json.loads(content))


def load_record_validator() -> Any:
    """What checks a record by the schema beside the page."""
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


EVENTS: tuple[Event, ...] = (
    SetUp("gold a2 m5 r3 t5; black z2 n5 h3 f5; gold", (6, 1)),
    Battled((1, 2, 3), (4, 5, 6)),
    Thrown((6, 5)),
    Chosen("six", "3"),
    Played((Move(0, 6, 6, hit=True), Move(0, 11, 11, added=(6, 5)))),
    Passed(),
    Left(),
    TakenBack(whole=True),
    TurnTakenBack(Side.GOLD),
    Resigned(Side.BLACK),
    Aborted(Side.GOLD),
    DrawOffered(Side.GOLD),
    DrawDeclined(Side.BLACK),
    DrawAgreed(Side.BLACK),
    Seated(Side.BLACK, 1),
    Adjudicated(None),
    Concluded(Side.GOLD, forfeited=True),
    Annulled(),
    Granted(),
    TimedOut(Side.GOLD),
    Abandoned(),
)
"""An event of every kind."""


def build_full_record() -> dict[str, Any]:
    """A record with every field and every kind of event, though no match could be like it."""
    digits = "0123456789abcdef" * 4
    return {
        "tabula": 2,
        "match": 1,
        "game": "zeno",
        "rules": 2,
        "options": {"unusable": "lost"},
        "commitment": digits,
        "posted": 64,
        "secret": digits,
        "league": {"commitment": digits, "posted": 20, "pairing": 3, "secret": digits},
        "contributions": [None, "a word"],
        "checked": {"at": 7, "throws": 8},
        "clock": {
            "pace": "30m+20s",
            "began": 1,
            "stops": [[2, 3, None, 0], [4, 5, "gold", 1]],
        },
        "events": [{**to_record(each, TABLES), "at": 6} for each in EVENTS],
    }


def iter_objects(value: object) -> Iterator[dict[str, Any]]:
    """Every object in a record, also those in others."""
    if isinstance(value, dict):
        yield value
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for part in parts:
        yield from iter_objects(part)


def test_the_schema_knows_every_kind_of_event_and_every_field() -> None:
    assert {type(each) for each in EVENTS} == set(get_args(Event))
    record = build_full_record()
    load_record_validator().validate(record)
    # Records from before there were clocks, leagues or whole commitments lack them.
    load_record_validator().validate(
        {name: part for name, part in record.items() if name not in ("clock", "league", "posted")}
    )


def test_a_field_that_the_schema_lacks_is_a_fault_everywhere() -> None:
    validator = load_record_validator()
    count = len(list(iter_objects(build_full_record())))
    for at in range(count):
        record = build_full_record()
        changed = list(iter_objects(record))[at]
        # An option's value is a text; elsewhere no further field is known.
        changed["new"] = 1
        assert not validator.is_valid(record)


def test_a_field_that_is_missing_is_a_fault() -> None:
    validator = load_record_validator()
    for at, whole in enumerate(iter_objects(build_full_record())):
        for name in whole:
            record = build_full_record()
            del list(iter_objects(record))[at][name]
            optional = ("checked", "clock", "league", "posted", "unusable")
            may_lack = name in optional or (at == 2 and name == "secret")
            assert validator.is_valid(record) is may_lack


@pytest.mark.asyncio
async def test_records_of_all_kinds_of_matches_are_valid(club: SimulatedClub) -> None:
    await start_match(club, "doblet")
    for _ in range(12):
        assert await take_next_action(club)
    await club.ana.slash(club.channel, "match draw", match=1)
    await give_up(club, club.ana, club.channel, 1)
    told = await club.ana.slash(club.channel, "match record", match=1)
    record = json.loads(await get_response(told).attachments[0].read())
    load_record_validator().validate(record)
    assert verify_record(record).wrong is None


def test_the_schema_leaves_no_field_open() -> None:
    schema = load_export_schema()
    objects = [schema, *(schema["$defs"][name] for name in ("match", "player", "league"))]
    for each in objects:
        assert each["required"] == list(each["properties"])
        assert each["additionalProperties"] is False
    assert schema["properties"]["matches"]["maxItems"] == MOST_EXPORTED
    assert f"the newest {MOST_EXPORTED:,}" in read_section("## Exports")


def test_the_page_names_the_columns_in_their_order() -> None:
    assert read_fields("### The CSV file") == list(COLUMNS)


def test_the_page_names_all_that_is_in_the_files_of_contests() -> None:
    values: dict[str, Any] = {each.name: None for each in fields(Contest)}
    values |= {"id": 1, "name": "", "created": 0, "starts": 0, "options": {}, "season": 1}
    values |= {"state": ContestState.RUNNING, "unfinished": UnfinishedRule.DRAW}
    values |= {"format": ContestFormat.LEAGUE, "more_games": []}
    entrants = tuple(Entrant(person, "", 0, 0, person) for person in (1, 2))
    view = ContestView(Contest(**values), entrants, (Pairing(1, 0, 1, 1, 1, 2, 7),))
    said = describe_contest(view, {}, 0)
    tables = list_cells(read_section("### A league or tournament as JSON"))
    named = [list_named(first) for first, *_ in tables if list_named(first)]
    parts = (said, said["entrants"][0], said["entrants"][0]["standing"], said["pairings"][0])
    assert [name for names in named for name in names] == [name for part in parts for name in part]
    _, _, terms = read_section("### A league or tournament as JSON").partition("`contest` has ")
    assert {*said["contest"]} <= {*list_named(terms)}
    assert read_fields("### A league or tournament as CSV") == list(CONTEST_COLUMNS)


def test_the_page_names_every_event_with_its_fields() -> None:
    assert read_events() == {
        kind.__name__.lower(): [field.name for field in fields(kind)] for kind in get_args(Event)
    }


@pytest.mark.asyncio
async def test_a_record_has_the_fields_that_the_page_names(club: SimulatedClub) -> None:
    await start_match(club, "zeno", pace="day")
    for _ in range(6):
        assert await take_next_action(club)
    await give_up(club, club.ana, club.channel, 1)
    told = await club.ana.slash(club.channel, "match record", match=1)
    file, _ = get_response(told).attachments
    record = json.loads(await file.read())
    load_record_validator().validate(record)
    assert list(record) == read_fields("## The record of a match")
    assert list(record["clock"]) == read_fields("### The clock")
    known = read_events()
    kinds = {event["event"] for event in record["events"]}
    assert kinds >= {"battled", "thrown", "resigned"}
    for event in record["events"]:
        assert event["v"] == FORMAT
        assert set(event) == {"v", "event", "at", *known[event["event"]]}
