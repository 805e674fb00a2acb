"""The board of 24 points."""

import pytest

from engine.board import TABLES
from engine.refusal import Reason
from tests.engine.build import expect_refusal


def test_the_letters_are_murrays_without_j_and_v() -> None:
    assert "".join(TABLES.points) == "abcdefghiklmnopqrstuwxyz"
    assert TABLES.size == 24


def test_hand_off_and_bar_lie_beside_the_points() -> None:
    assert [TABLES.place_names[place] for place in (TABLES.hand, TABLES.off, *TABLES.bars)] == [
        "hand",
        "off",
        "bar",
    ]
    assert len(TABLES.place_names) == TABLES.size + 3
    assert all(TABLES.place_names[TABLES.find_place(name)] == name for name in TABLES.place_names)


def test_the_four_tables_hold_six_points_each() -> None:
    named = {
        name: "".join(TABLES.points[p] for p in points) for name, points in TABLES.tables.items()
    }
    assert named == {"af": "abcdef", "gm": "ghiklm", "ns": "nopqrs", "tz": "tuwxyz"}


def test_a_lies_opposite_z() -> None:
    # Murray's facing points: a-z, b-y, f-t, m-n.
    top, bottom = (["abcdefghiklmnopqrstuwxyz"[p] for p in row] for row in TABLES.rows)
    facing = dict(zip(top, bottom, strict=True))
    assert {name: facing[name] for name in "abfm"} == {"a": "z", "b": "y", "f": "t", "m": "n"}


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("a..f,t..z", "abcdeftuwxyz"),  # the half board
        ("z..t", "zyxwut"),
        ("h..l", "hikl"),  # no j
        ("c", "c"),
        ("c,a", "ca"),
        ("", ""),
    ],
)
def test_a_stretch_of_points_is_read_either_way(text: str, points: str) -> None:
    assert "".join(TABLES.points[place] for place in TABLES.parse_points(text)) == points


@pytest.mark.parametrize("name", ["j", "v", "A", "", "25"])
def test_a_point_the_board_lacks_is_refused(name: str) -> None:
    with expect_refusal(f"there's no point {name} on this board", Reason.NO_POINT):
        TABLES.find_place(name)
