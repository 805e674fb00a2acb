"""Events and their stored form."""

import json
from typing import Any

import pytest

from engine import events
from engine.board import TABLES
from engine.move import Move
from engine.position import Side

# Places by hand: a is 0, g is 6, z is 23; then hand 24, off 25, bar 26.
STORED: list[tuple[events.Event, dict[str, Any]]] = [
    (events.Battled((6, 1), (2, 3)), {"event": "battled", "gold": [6, 1], "black": [2, 3]}),
    (events.Thrown((4, 6, 1)), {"event": "thrown", "dice": [4, 6, 1]}),
    (events.Chosen("six", "4"), {"event": "chosen", "what": "six", "value": "4", "forced": False}),
    (
        events.Chosen("table", "gm", forced=True),
        {"event": "chosen", "what": "table", "value": "gm", "forced": True},
    ),
    (
        events.Played(
            (Move(0, 6, 6, hit=True), Move(26, 1, 2), Move(24, 2, 3), Move(23, 25, 1)), forced=True
        ),
        {
            "event": "played",
            "moves": [
                ["a", "g", 6, True],
                ["bar", "b", 2, False],
                ["hand", "c", 3, False],
                ["z", "off", 1, False],
            ],
            "forced": True,
        },
    ),
    (events.Passed(), {"event": "passed"}),
    (events.Left(), {"event": "left"}),
    (events.TakenBack(), {"event": "takenback", "whole": False}),
    (events.TakenBack(whole=True), {"event": "takenback", "whole": True}),
    (events.Resigned(Side.BLACK), {"event": "resigned", "side": "black"}),
    (events.DrawOffered(Side.GOLD), {"event": "drawoffered", "side": "gold"}),
    (events.DrawDeclined(Side.BLACK), {"event": "drawdeclined", "side": "black"}),
    (events.DrawAgreed(Side.GOLD), {"event": "drawagreed", "side": "gold"}),
    (events.Seated(Side.BLACK, 2), {"event": "seated", "side": "black", "player": 2}),
    (events.Adjudicated(Side.GOLD), {"event": "adjudicated", "winner": "gold"}),
    (events.Adjudicated(None), {"event": "adjudicated", "winner": None}),
    (
        events.Concluded(Side.BLACK, forfeited=True),
        {"event": "concluded", "winner": "black", "forfeited": True},
    ),
    (
        events.Concluded(Side.GOLD, forfeited=False),
        {"event": "concluded", "winner": "gold", "forfeited": False},
    ),
    (
        events.Concluded(None, forfeited=True),
        {"event": "concluded", "winner": None, "forfeited": True},
    ),
    (
        events.Concluded(None, forfeited=False),
        {"event": "concluded", "winner": None, "forfeited": False},
    ),
    (events.Annulled(), {"event": "annulled"}),
]


@pytest.mark.parametrize(("event", "fields"), STORED)
def test_every_event_goes_to_its_record_and_back_through_json(
    event: events.Event, fields: dict[str, Any]
) -> None:
    record = json.loads(json.dumps(events.to_record(event, TABLES)))
    assert record == {"v": 1, **fields}
    assert events.from_record(record, TABLES) == event


@pytest.mark.parametrize("version", [0, 2, "1", None])
def test_another_format_is_refused(version: object) -> None:
    with pytest.raises(ValueError, match=f"an event of format {version}, not 1"):
        events.from_record({"v": version, "event": "passed"}, TABLES)


def test_a_record_without_a_format_is_refused() -> None:
    with pytest.raises(ValueError, match="an event of format None"):
        events.from_record({"event": "passed"}, TABLES)


@pytest.mark.parametrize(
    "record", [{"v": 1, "event": "doubled"}, {"v": 1}, {"v": 1, "event": "thrown"}]
)
def test_an_unknown_or_incomplete_event_is_refused(record: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="an event of an unknown kind"):
        events.from_record(record, TABLES)


@pytest.mark.parametrize("move", [["j", "g", 6, False], ["a", "g", 6], []])
def test_a_move_that_the_board_cannot_hold_is_refused(move: list[Any]) -> None:
    with pytest.raises(ValueError, match=r"no-point|unpack"):
        events.from_record({"v": 1, "event": "played", "moves": [move], "forced": False}, TABLES)


@pytest.mark.parametrize(
    "event",
    [
        "resigned",
        "drawoffered",
        "drawdeclined",
        "drawagreed",
        "seated",
        "adjudicated",
        "concluded",
    ],
)
def test_an_unknown_side_is_refused(event: str) -> None:
    fields = {"side": "red", "player": 0, "winner": "red", "forfeited": True}
    with pytest.raises(ValueError, match="'red' is not a valid Side"):
        events.from_record({"v": 1, "event": event, **fields}, TABLES)


@pytest.mark.parametrize(
    "fields",
    [
        {"winner": "gold"},
        {"forfeited": True},
        {"winner": None, "forfeited": None},
        {"winner": None, "forfeited": 1},
        {"winner": "gold", "forfeited": "true"},
    ],
)
def test_of_a_concluded_match_it_is_known_for_whom_and_whether_it_was_forfeited(
    fields: dict[str, Any],
) -> None:
    with pytest.raises(ValueError, match="an event of an unknown kind: concluded"):
        events.from_record({"v": 1, "event": "concluded", **fields}, TABLES)


@pytest.mark.parametrize("winner", ["", "draw", 0, False, []])
def test_a_concluded_match_is_won_by_a_side_or_by_none(winner: object) -> None:
    with pytest.raises(ValueError, match="is not a valid Side"):
        events.from_record(
            {"v": 1, "event": "concluded", "winner": winner, "forfeited": True}, TABLES
        )


def test_a_player_is_known_by_a_number() -> None:
    with pytest.raises(ValueError, match="an event of an unknown kind: seated"):
        events.from_record({"v": 1, "event": "seated", "side": "gold", "player": "first"}, TABLES)
