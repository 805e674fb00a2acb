"""The engine protocol, request by request."""

import json
from itertools import combinations_with_replacement
from typing import Any

import pytest

from bot.platform.i18n.reader import Reader
from bot.platform.i18n.refusals import build_sentence_formatter
from engine import protocol
from engine.games import GAMES
from engine.position_text import parse_position
from tests.engine.build import EMPEROR, LUDUS

SPEAKER = build_sentence_formatter(Reader.ENGLISH)
ONE_OBJECT = "a request must be one JSON object on one line"
DO = "`do` must be `games`, `start`, `numbers`, `plays`, `play`, `result` or `random`"


def send_requests(*requests: Any) -> list[dict[str, Any]]:
    """The answers to requests, which are texts or will be written as JSON."""
    lines = [request if isinstance(request, str) else json.dumps(request) for request in requests]
    return [json.loads(line) for line in protocol.serve_lines(lines, lambda: 0.0, SPEAKER)]


def test_games_lists_every_game_with_its_options() -> None:
    (answer,) = send_requests({"do": "games"})
    listed = {game["slug"]: game for game in answer["games"]}
    assert list(listed) == list(GAMES)
    assert listed["zeno"] == {
        "slug": "zeno",
        "edition": 1,
        "title": "Zeno",
        "points": list("abcdefghiklmnopqrstuwxyz"),
        "dice": 3,
        "thrown": 3,
        "options": {
            "goal": ["table", "off"],
            "setup": ["opposite", "same-way", "same-side"],
            "unusable": ["lost", "opponent", "loses"],
        },
    }
    assert listed["pyf"]["options"]["players"] == ["1", "2", "3"]
    assert [listed[slug]["dice"] for slug in ("zeno", "twelve-dogs", "baralie", "backgammon")] == [
        3,
        2,
        3,
        2,
    ]
    assert listed["baralie"]["thrown"] == 2
    assert listed["tabula"]["edition"] == 3
    assert listed["duodecim-scripta"]["points"] == [str(number) for number in range(1, 37)]


@pytest.mark.parametrize(
    ("request_", "position"),
    [
        ({"game": "zeno"}, "a15 z15 gold -"),
        ({"game": "Zeno's Game"}, "a15 z15 gold -"),
        ({"game": "puff", "options": {"players": 2}}, "hand15 hand15 gold -"),
        ({"game": "twelve-dogs", "options": {}}, "hand12 hand12 gold -"),
    ],
)
def test_start_gives_the_position_before_the_first_throw(
    request_: dict[str, Any], position: str
) -> None:
    assert send_requests({"do": "start", **request_}) == [{"position": position}]


@pytest.mark.parametrize(
    ("game", "thrown", "numbers"),
    [
        ("zeno", "2-5-6", ["6-5-2"]),
        ("backgammon", "3-6", ["6-3"]),
        ("backgammon", "6-6", ["6-6-6-6"]),
        ("irish", "6-6", ["6-6"]),
        ("paume-carie-two", "5-5", ["5-5"]),
        ("ludus-anglicorum", "5-1-2", ["6-5-2", "6-5-1", "6-2-1"]),
        ("ludus-anglicorum", "6-1-2", ["6-2-1"]),
        ("cab-e-quinal-fixed", "5-2", ["6-5-2"]),
        ("baralie", "6-6", ["6-6-6"]),
    ],
)
def test_numbers_tells_what_a_throw_gives_to_play(
    game: str, thrown: str, numbers: list[str]
) -> None:
    assert send_requests({"do": "numbers", "game": game, "thrown": thrown}) == [
        {"numbers": numbers}
    ]


@pytest.mark.parametrize("slug", GAMES)
def test_every_throw_gives_numbers_that_a_position_may_have(slug: str) -> None:
    count = GAMES[slug].rules.dice.count
    start = send_requests({"do": "start", "game": slug})[0]["position"].removesuffix("-")
    for dice in combinations_with_replacement("123456", count):
        (answer,) = send_requests({"do": "numbers", "game": slug, "thrown": "".join(dice)})
        for numbers in answer["numbers"]:
            parse_position(start + numbers, GAMES[slug].rules)


def test_too_many_dice_are_no_throw() -> None:
    request = {"do": "numbers", "game": "baralie", "thrown": "6-5-4"}
    assert "error" in send_requests(request)[0]


def test_plays_lists_each_end_once() -> None:
    end = "f7,i1,k1,q1,t1,u1,x1,y1,z1 h2,l2,m2,n1,o2,p2,s2,w2 gold -"
    answer = {"plays": [{"play": "k-q t-z u-x", "position": end}], "count": 1}
    assert send_requests({"do": "plays", "game": "zeno", "position": EMPEROR}) == [answer]


def test_plays_are_sorted_by_position_text() -> None:
    # By 6 or 5 either man goes; must-use leaves r1,t1, s2 and m1,z14 (worked out in test_moves.py).
    (answer,) = send_requests(
        {"do": "plays", "game": "zeno", "position": "m1,n1,z13 a13,y2 gold 6-5"}
    )
    assert [play["position"] for play in answer["plays"]] == [
        "m1,z14 a13,y2 gold -",
        "r1,t1,z13 a13,y2 gold -",
        "s2,z13 a13,y2 gold -",
    ]
    assert answer["count"] == 3


def test_plays_keep_the_numbers_that_could_not_be_played() -> None:
    (answer,) = send_requests({"do": "plays", "game": "zeno", "position": "m1,z14 a13,y2 gold 6-5"})
    assert answer["plays"] == [{"play": "m-s", "position": "s1,z14 a13,y2 gold 5"}]


@pytest.mark.parametrize("position", ["a14,bar1 e2,f2,z11 gold 6-5", "t1,z14 g15 gold 6-5-4"])
def test_plays_is_empty_where_nothing_can_be_played_or_the_game_is_over(position: str) -> None:
    assert send_requests({"do": "plays", "game": "zeno", "position": position}) == [
        {"plays": [], "count": 0}
    ]


def test_play_gives_the_next_position_or_an_error() -> None:
    request = {"do": "play", "game": "zeno", "position": EMPEROR}
    assert send_requests({**request, "play": "k-q"}, {**request, "play": "k-p"}) == [
        {"position": "f7,i1,k1,q1,t2,u2,y1 h2,l2,m2,n1,o2,p2,s2,w2 gold 5-2"},
        {"error": "k-p: p is blocked by 2 of black's men"},
    ]


def test_nothing_is_played_in_a_finished_game() -> None:
    request = {"do": "play", "game": "zeno", "position": "t1,z14 g15 gold 1", "play": "t-u"}
    assert send_requests(request) == [{"error": "the game is over in this position"}]


@pytest.mark.parametrize(
    ("game", "position", "result", "by"),
    [
        ("zeno", "a15 z15 gold -", None, "the game isn't over"),
        ("zeno", "t1,z14 g15 gold -", "gold", "all men in the last table"),
        (LUDUS, "a15 off15 gold -", "black", "all men borne off"),
        ("twelve-dogs", "a2,c2,e2,hand6 b2,d2,f2,hand6 gold -", "draw", "three points each"),
    ],
)
def test_result(game: str, position: str, result: str | None, by: str) -> None:
    assert send_requests({"do": "result", "game": game, "position": position}) == [
        {"result": result, "by": by}
    ]


def test_random_plays_whole_games_and_counts_them() -> None:
    request = {"do": "random", "game": "twelve-dogs", "seed": 1, "games": 20}
    first, again, other = send_requests(request, request, {**request, "seed": 2})
    assert first == again
    assert first != other
    assert (
        first["games"],
        first["gold"] + first["black"] + first["draw"],
        first["unfinished"],
    ) == (20, 20, 0)
    assert (
        first["turns"] > 20 * 6
    )  # twelve men at least must enter for six full points, two a throw


def test_random_takes_options_and_tells_the_time() -> None:
    line = json.dumps(
        {"do": "random", "game": "pyf", "options": {"players": "2"}, "seed": 1, "games": 1}
    )
    ticks = iter([10.0, 12.5])
    (answer,) = protocol.serve_lines([line], lambda: next(ticks), SPEAKER)
    assert json.loads(answer)["seconds"] == 2.5


def test_a_game_that_does_not_end_in_time_is_unfinished(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "MAX_THROWS", 3)
    (answer,) = send_requests({"do": "random", "game": "zeno", "seed": 1, "games": 2})
    assert (answer["unfinished"], answer["gold"], answer["black"], answer["draw"]) == (2, 0, 0, 0)


@pytest.mark.parametrize("identity", [7, "a", None, [1], {"b": "é"}, "\ud800"])
def test_an_id_is_echoed_in_answers_and_errors(identity: object) -> None:
    good, bad = send_requests(
        {"id": identity, "do": "start", "game": "zeno"}, {"id": identity, "do": "fly"}
    )
    assert good == {"id": identity, "position": "a15 z15 gold -"}
    assert bad == {"id": identity, "error": DO}


def test_answers_can_always_be_written() -> None:
    (line,) = protocol.serve_lines(
        ['{"id": "\\ud800", "do": "start", "game": "zeno"}'], lambda: 0.0, SPEAKER
    )
    assert line.encode()


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("hello", ONE_OBJECT),
        ("[]", ONE_OBJECT),
        ('"games"', ONE_OBJECT),
        ('{"do": "games", "id": NaN}', ONE_OBJECT),
        ('{"do": "games", "id": -Infinity}', ONE_OBJECT),
        ('{"do": "games", "id": 1e400}', ONE_OBJECT),
        ('{"do": "games", "id": [{"a": -1e400}]}', ONE_OBJECT),
        ("[" * 100_000, ONE_OBJECT),
        ('{"do": "games"} {"do": "games"}', ONE_OBJECT),
        ("{}", DO),
        ('{"do": ["games"]}', DO),
        ('{"do": "start"}', "`game` is missing or isn't of type `str`"),
        ('{"do": "start", "game": 1}', "`game` is missing or isn't of type `str`"),
        (
            '{"do": "start", "game": "chess"}',
            "there's no game called chess; `/rules` lists all games",
        ),
        (
            '{"do": "start", "game": "zeno", "options": []}',
            '`options` must look like `{"dice": "two-and-six"}`',
        ),
        (
            '{"do": "start", "game": "zeno", "options": {"dice": "six"}}',
            "Zeno has no option dice; its options are `goal`, `setup` and `unusable`",
        ),
        ('{"do": "plays", "game": "zeno"}', "`position` is missing or isn't of type `str`"),
        (
            '{"do": "plays", "game": "zeno", "position": "a15 z15 gold -"}',
            "to list plays, give the dice too, such as `6-5-2`",
        ),
        (
            '{"do": "result", "game": "zeno", "position": "a15 z15 red -"}',
            "the turn must be `gold` or `black`, not `red`",
        ),
        (
            '{"do": "play", "game": "zeno", "position": "a15 z15 gold 6"}',
            "`play` is missing or isn't of type `str`",
        ),
        (
            '{"do": "random", "game": "zeno", "games": 1}',
            "`seed` is missing or isn't of type `int`",
        ),
        (
            '{"do": "random", "game": "zeno", "seed": true, "games": 1}',
            "`seed` is missing or isn't of type `int`",
        ),
        (
            '{"do": "random", "game": "zeno", "seed": 1}',
            "`games` is missing or isn't of type `int`",
        ),
        (
            '{"do": "random", "game": "zeno", "seed": 1, "games": 0}',
            "`games` must be from 1 to 100000",
        ),
        (
            '{"do": "random", "game": "zeno", "seed": 1, "games": -3}',
            "`games` must be from 1 to 100000",
        ),
        (
            f'{{"do": "random", "game": "zeno", "seed": 1, "games": {10**9}}}',
            "`games` must be from 1 to 100000",
        ),
    ],
)
def test_what_is_no_request_gets_an_error_and_the_next_line_is_read(line: str, error: str) -> None:
    assert send_requests(line, {"do": "start", "game": "zeno"}) == [
        {"error": error},
        {"position": "a15 z15 gold -"},
    ]


def test_blank_lines_get_no_answer() -> None:
    assert send_requests("", "  \n", {"do": "start", "game": "zeno"}, "\n") == [
        {"position": "a15 z15 gold -"}
    ]


@pytest.mark.parametrize("line", ["{\0}\0", '{"do": "games", "id": "\udce9"}'])
def test_a_line_in_another_encoding_is_refused_with_the_remedy(line: str) -> None:
    (text,) = protocol.serve_lines([line], lambda: 0.0, build_sentence_formatter(Reader.ENGLISH))
    assert json.loads(text) == {
        "error": "the input isn't UTF-8; a request must be one JSON object on one line, in UTF-8"
    }
