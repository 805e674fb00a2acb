"""What computer players answer in the engine protocol."""

import json
from typing import Any

import pytest

from bot.platform.i18n.reader import Reader
from bot.platform.i18n.refusals import build_sentence_formatter
from engine.games import GAMES
from engine.players.requests import PLAYERS
from engine.position_text import format_position, parse_position
from engine.protocol import REQUESTS, serve_lines
from tests.engine.build import EMPEROR, build_position, list_ends

SPEAKER = build_sentence_formatter(Reader.ENGLISH)
BEGIN = "a2,m5,r3,t5 f5,h3,n5,z2 gold 3-1"
CHOOSE = {"do": "choose", "game": "backgammon", "position": BEGIN, "level": "master", "seed": 1}


def send_requests(*requests: Any) -> list[dict[str, Any]]:
    """The answers to requests."""
    lines = [json.dumps(request) for request in requests]
    return [
        json.loads(line)
        for line in serve_lines(lines, lambda: 0.0, SPEAKER, {**REQUESTS, **PLAYERS})
    ]


def test_value_tells_the_chance_to_win_and_the_points() -> None:
    before, certain, lost = send_requests(
        {"do": "value", "game": "zeno", "position": "a15 z15 gold -", "id": 1},
        {"do": "value", "game": "zeno", "position": "t1,z14 g15 gold -"},
        {"do": "value", "game": "paume-carie-one", "position": "off15 a3,off12 black -"},
    )
    assert before["id"] == 1
    assert 0.4 < before["win"] < 0.7
    assert not before["exact"]
    assert certain == {"win": 1, "points": 1, "exact": True}
    assert lost == {"win": 0, "points": -3, "exact": True}


def test_value_and_choose_say_whether_they_estimate() -> None:
    start_position = format_position(GAMES["doblet"].rules.start_position, GAMES["doblet"].rules)
    (start,) = send_requests({"do": "value", "game": "doblet", "position": start_position})
    assert start["exact"]
    assert start["win"] == pytest.approx(0.520296, abs=1e-5)
    moves = {
        "game": "doblet",
        "options": {"moving": "own-table"},
        "position": "c2,e1,f2,off7 z1,x2,u1,t1,off7 gold 3-2-1",
        "seed": 1,
    }
    for level in ("companion", "master"):
        (chosen,) = send_requests({"do": "choose", "level": level, **moves})
        assert chosen["exact"] is (level == "master")


def test_value_and_choose_go_by_the_net_where_no_tables_are_wanted() -> None:
    solved = {
        "game": "doblet",
        "options": {"moving": "own-table"},
        "position": "c2,e1,f2,off7 z1,x2,u1,t1,off7 gold 3-2-1",
    }
    requests = (
        {"do": "value", **solved},
        {"do": "choose", "level": "master", "seed": 1, **solved},
    )
    for request in requests:
        exact, estimated = send_requests(request, {**request, "tables": False})
        assert (exact["exact"], estimated["exact"]) == (True, False)
        assert exact["points"] != estimated["points"]
    without = {"game": "zeno", "position": "a14,bar1 b2,c2,d2,e2,f2,z5 gold 6-5-4"}
    (answer,) = send_requests({**requests[1], **without, "options": {}, "tables": False})
    assert answer["play"] == ""


@pytest.mark.parametrize("level", ["beginner", "companion", "master"])
def test_choose_plays_something_legal_and_tells_its_worth(level: str) -> None:
    first, again = send_requests({**CHOOSE, "level": level}, {**CHOOSE, "level": level})
    assert first == again
    assert first["position"] in list_ends(BEGIN, "backgammon")
    assert send_requests(
        {"do": "play", "game": "backgammon", "position": BEGIN, "play": first["play"]}
    ) == [{"position": first["position"]}]
    assert 0 < first["win"] < 1


def test_the_emperor_has_one_play() -> None:
    end = "f7,i1,k1,q1,t1,u1,x1,y1,z1 h2,l2,m2,n1,o2,p2,s2,w2 gold -"
    (answer,) = send_requests({**CHOOSE, "game": "zeno", "position": EMPEROR})
    assert (answer["play"], answer["position"]) == ("k-q t-z u-x", end)


@pytest.mark.parametrize(
    "position", ["a14,bar1 b2,c2,d2,e2,f2,z5 gold 6-5-4", "t1,z14 g15 gold 6-5-4"]
)
def test_where_nothing_can_be_played_the_play_is_empty(position: str) -> None:
    (answer,) = send_requests({**CHOOSE, "game": "zeno", "position": position})
    assert answer["play"] == ""
    known, read = build_position(answer["position"], "zeno")
    assert format_position(parse_position(answer["position"], known), known) == format_position(
        read, known
    )


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"level": "expert"}, "`level` must be `beginner`, `companion` or `master`"),
        ({"level": None}, "`level` is missing or isn't of type `str`"),
        ({"seed": "one"}, "`seed` is missing or isn't of type `int`"),
        (
            {"position": "a2,m5,r3,t5 f5,h3,n5,z2 gold -"},
            "to list plays, give the dice too, such as `6-5-2`",
        ),
        ({"tables": "no"}, "`tables` is missing or isn't of type `bool`"),
        ({"game": "chess"}, "there's no game called chess; `/rules` lists all games"),
        (
            {"do": "think"},
            (
                "`do` must be `games`, `start`, `numbers`, `plays`, `play`, `result`, `random`, "
                "`value` or `choose`"
            ),
        ),
    ],
)
def test_what_cannot_be_chosen_is_refused(change: dict[str, Any], error: str) -> None:
    assert send_requests({**CHOOSE, **change}) == [{"error": error}]


@pytest.mark.parametrize("slug", GAMES)
def test_every_game_s_start_has_a_value(slug: str) -> None:
    (start,) = send_requests({"do": "start", "game": slug})
    (answer,) = send_requests({"do": "value", "game": slug, "position": start["position"]})
    assert 0 <= answer["win"] <= 1
