"""docs/record.md and its schemas name exactly what is in the files that leave the bot."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any, get_args

import jsonschema  # type: ignore[import-untyped, unused-ignore]
import pytest

from bot.features.history.export import COLUMNS, CONTEST_COLUMNS
from bot.features.history.service import MAX_EXPORTED
from bot.features.matches.record import verify_record
from engine import events
from engine.board import TABLES
from engine.move import Move
from engine.position import Side
from lab.fields_page import COMMON_FIELDS, load_schema
from tests.support.club import SimulatedClub
from tests.support.driver import get_response, give_up, read_record, start_match, take_next_action

PAGE = Path(__file__).parents[2] / "docs" / "record.md"


def read_section(heading: str) -> str:
    """The text below a heading, up to the next."""
    _, _, rest = PAGE.read_text(encoding="utf-8").partition(f"{heading}\n")
    assert rest, heading
    return re.split(r"\n#+ ", rest)[0]


def read_columns(heading: str) -> list[str]:
    """The columns that a section names, in its order."""
    _, _, rest = read_section(heading).partition("\nColumns: ")
    return re.findall(r"`([^`]+)`", rest.partition("\n\n")[0])


@cache
def load_validator(name: str) -> Any:
    """What checks a file by one of the schemas, which is checked itself."""
    schema = load_schema(name)
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def list_objects(schema: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The objects with fields of their own that a schema has outside definitions, and in them."""
    parts = [schema, *schema["properties"].values(), *schema["$defs"].values()]
    return [part for part in parts if "properties" in part]


def read_events() -> dict[str, list[str]]:
    """The events of the schema, with the fields that each has besides the common ones."""
    found = {}
    definitions = load_schema("record")["$defs"]
    for each in definitions["event"]["oneOf"]:
        fields_of = definitions[each["$ref"].rpartition("/")[2]]["properties"]
        for kind in fields_of["event"].get("oneOf", [fields_of["event"]]):
            found[kind["const"]] = [name for name in fields_of if name not in COMMON_FIELDS]
    return found


EVENTS: tuple[events.Event, ...] = (
    events.SetUp("gold a2 m5 r3 t5; black z2 n5 h3 f5; gold", (6, 1)),
    events.Battled((1, 2, 3), (4, 5, 6)),
    events.Thrown((6, 5)),
    events.Chosen("six", "3"),
    events.Played((Move(0, 6, 6, hit=True), Move(0, 11, 11, added=(6, 5)))),
    events.Passed(),
    events.Left(),
    events.TakenBack(whole=True),
    events.TurnTakenBack(Side.GOLD),
    events.Resigned(Side.BLACK),
    events.Aborted(Side.GOLD),
    events.DrawOffered(Side.GOLD),
    events.DrawDeclined(Side.BLACK),
    events.DrawAgreed(Side.BLACK),
    events.Seated(Side.BLACK, 1),
    events.Adjudicated(None),
    events.Concluded(Side.GOLD, forfeited=True),
    events.Annulled(),
    events.Granted(),
    events.TimedOut(Side.GOLD),
    events.Abandoned(),
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
        "events": [{**events.to_record(each, TABLES), "at": 6} for each in EVENTS],
    }


def iter_objects(value: object) -> Iterator[dict[str, Any]]:
    """Every object in a record, also those in others."""
    if isinstance(value, dict):
        yield value
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for part in parts:
        yield from iter_objects(part)


def test_the_schema_knows_every_kind_of_event_and_every_field() -> None:
    assert {type(each) for each in EVENTS} == set(get_args(events.Event))
    record = build_full_record()
    load_validator("record").validate(record)
    # Records from before there were clocks, leagues or whole commitments lack them.
    load_validator("record").validate(
        {name: part for name, part in record.items() if name not in ("clock", "league", "posted")}
    )


def test_a_field_that_the_schema_lacks_is_a_fault_everywhere() -> None:
    validator = load_validator("record")
    count = len(list(iter_objects(build_full_record())))
    for at in range(count):
        record = build_full_record()
        changed = list(iter_objects(record))[at]
        # An option's value is a text; elsewhere no further field is known.
        changed["new"] = 1
        assert not validator.is_valid(record)


def test_a_field_that_is_missing_is_a_fault() -> None:
    validator = load_validator("record")
    for at, whole in enumerate(iter_objects(build_full_record())):
        for name in whole:
            record = build_full_record()
            del list(iter_objects(record))[at][name]
            optional = ("checked", "clock", "league", "posted", "unusable")
            may_lack = name in optional or (at == 2 and name == "secret")
            assert validator.is_valid(record) is may_lack


def test_published_events_are_those_of_a_record_without_their_instants() -> None:
    published, record = (load_schema(name)["$defs"] for name in ("published", "record"))
    kinds = [each["$ref"].rpartition("/")[2] for each in record["event"]["oneOf"]]
    assert published["event"]["oneOf"] == record["event"]["oneOf"]
    for name in (*kinds, "move", "dice", "side", "winner"):
        expected = dict(record[name])
        if "at" in expected.get("properties", ()):
            shown = expected["properties"].items()
            expected["properties"] = {name: part for name, part in shown if name != "at"}
            expected["required"] = [each for each in expected["required"] if each != "at"]
        assert published[name] == expected


@pytest.mark.asyncio
async def test_records_of_all_kinds_of_matches_are_valid(club: SimulatedClub) -> None:
    await start_match(club, "doblet")
    for _ in range(12):
        assert await take_next_action(club)
    await club.ana.slash(club.channel, "match draw", match=1)
    await give_up(club, club.ana, club.channel, 1)
    answer = await club.ana.slash(club.channel, "match record", match=1)
    record = await read_record(answer)
    load_validator("record").validate(record)
    assert verify_record(record).wrong is None


@pytest.mark.parametrize("name", ["history", "contest", "record", "published"])
def test_the_schemas_leave_no_field_open(name: str) -> None:
    for each in list_objects(load_schema(name)):
        assert each["additionalProperties"] is False
        assert (
            name == "record"
            or "rank" in each["properties"]
            or (each["required"] == list(each["properties"]))
        )


def test_the_schema_knows_how_much_a_file_takes() -> None:
    assert load_schema("history")["properties"]["matches"]["maxItems"] == MAX_EXPORTED
    assert f"the newest {MAX_EXPORTED:,}" in " ".join(read_section("## Exports").split())


def test_the_page_names_the_columns_in_their_order() -> None:
    assert read_columns("### Matches as CSV") == list(COLUMNS)
    assert read_columns("### A league or tournament as CSV") == list(CONTEST_COLUMNS)


def test_the_schema_knows_every_kind_of_event_with_its_fields() -> None:
    assert read_events() == {
        kind.__name__.lower(): [field.name for field in fields(kind)]
        for kind in get_args(events.Event)
    }


@pytest.mark.asyncio
async def test_a_record_has_the_fields_of_the_schema_in_their_order(club: SimulatedClub) -> None:
    await start_match(club, "zeno", pace="day")
    for _ in range(6):
        assert await take_next_action(club)
    await give_up(club, club.ana, club.channel, 1)
    answer = await club.ana.slash(club.channel, "match record", match=1)
    file, _ = get_response(answer).attachments
    record = json.loads(await file.read())
    load_validator("record").validate(record)
    known = load_schema("record")["properties"]
    assert list(record) == [name for name in known if name not in ("league", "checked")]
    assert list(record["clock"]) == list(known["clock"]["properties"])
    kinds = {event["event"] for event in record["events"]}
    assert kinds >= {"battled", "thrown", "resigned"}
    for event in record["events"]:
        assert event["v"] == events.FORMAT
        assert set(event) == {*COMMON_FIELDS, *read_events()[event["event"]]}
