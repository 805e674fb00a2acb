"""Backgammon positions of other programs: published ones, worked out by hand, and the way back.

Gold's points from a to z are those from 24 to 1 of the player in upper case.
"""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.position import Position, Side
from engine.position_ids import format_position_id, format_xgid, parse_position_id
from engine.position_text import format_position
from engine.refusal import Reason, Refusal
from tests.engine.build import build_position, make_rules

RULES = make_rules("backgammon")
START = "a2,m5,r3,t5 f5,h3,n5,z2"
XGID_START = "-b----E-C---eE---c-e----B-"
unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""For properties whose positions take a while to draw on a busy machine."""
ID_START = "4HPwATDgc/ABMA"
"""The position before the first throw, as the manual of GNU Backgammon has it."""


def read_id(text: str) -> str:
    """The position of an ID in our own notation."""
    position = parse_position_id(text)
    assert position is not None
    return format_position(position, RULES)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (f"XGID={XGID_START}:0:0:1:00:0:0:0:0:10", f"{START} gold -"),
        # Opening throws in published XGIDs of matches to seven and to three points.
        (f"XGID={XGID_START}:0:0:1:64:0:0:0:7:3", f"{START} gold 6-4"),
        (f"XGID={XGID_START}:0:0:1:53:1:2:1:3:10", f"{START} gold 5-3"),
        (f"XGID={XGID_START}:0:0:-1:00:0:0:0:0:8", f"{START} black -"),
        # From a forum's help on how positions are posted: upper case has two men on 2, 5, 6, 7, 8,
        # 10, 11... each counted from gold's last point z.
        (
            "XGID=--A-bBBBB--BbB-----dbbc-B-:0:0:1:31:6:4:1:7:10",
            "a2,m2,o2,r2,s2,t2,u2,y1 c3,d2,e2,f4,n2,w2 gold 3-1",
        ),
        # A bear-off: one man on 1, two on 3, one on 6; four of the other's on 22.
        (
            "XGID=-A-B--A---------------d---:0:0:1:00:0:0:0:0:10",
            "t1,x2,z1,off11 c4,off11 gold -",
        ),
        (
            "XGID=b------------------------C:0:0:-1:66:0:0:0:0",
            "bar3,off12 bar2,off13 black 6-6-6-6",
        ),
        (f"{XGID_START}:0:0:1:21:0:0:0:0:10", f"{START} gold 2-1"),
        (f"xgid = {XGID_START}:0:0:1:12:0:0:0:0:10 X to play 21", f"{START} gold 2-1"),
    ],
)
def test_an_xgid(text: str, sentence: str) -> None:
    assert read_id(text) == sentence


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (ID_START, f"{START} gold -"),
        # Gary Wong's own example: O is on roll with four men on 1, 2 and 3 each; X has five on 1
        # and one on 2.
        ("XwAAgPceAAAAAA", "x4,y4,z4,off3 a5,b1,off9 gold -"),
        # The manual's match ID: player 1, who is gold here, has thrown 52.
        (f"{ID_START}:QYkqASAAIAAA", f"{START} gold 5-2"),
        (f"{ID_START} QYkqASAAIAAA", f"{START} gold 5-2"),
        # A published pair with an XGID, of which the throw is 53 and the turn 1.
        (f"{ID_START}:8IhuACAACAAE", f"{START} gold 5-3"),
        # What a new match shows in many programs.
        (f"{ID_START}:cAkAAAAAAAAA", f"{START} gold -"),
        # Without bit 7 player 0 is on roll, and the second men of the key are black's.
        (f"{ID_START}:MAEAAAAAAAAA", f"{START} black -"),
        ("XwAAgPceAAAAAA:MAEAAAAAAAAA", "y1,z5,off9 a4,b4,c4,off3 black -"),
        (
            f" GNU Backgammon  Position ID: {ID_START}\n                 Match ID   : QYkqASAAIAAA",
            f"{START} gold 5-2",
        ),
        (f"position id: {ID_START}", f"{START} gold -"),
        (f"{ID_START}==", f"{START} gold -"),
    ],
)
def test_the_ids_of_gnu_backgammon(text: str, sentence: str) -> None:
    assert read_id(text) == sentence


@pytest.mark.parametrize(
    "text", ["hello", "", "a15 z15 gold -", "a2,m5,r3,t5", "what is it, please"]
)
def test_what_is_no_id_is_left_to_others(text: str) -> None:
    assert parse_position_id(text) is None


REST = ":0:0:1:00:0:0:0:0:10"


@pytest.mark.parametrize(
    ("text", "reason", "parts"),
    [
        ("XGID=", Reason.XGID_FIELDS, {"count": 1}),
        (f"XGID={XGID_START}:0:0:1", Reason.XGID_FIELDS, {"count": 4}),
        (f"XGID={XGID_START[1:]}{REST}", Reason.XGID_LENGTH, {"count": 25}),
        (f"XGID=-z{XGID_START[2:]}{REST}", Reason.XGID_MAN, {"typed": "z"}),
        (f"XGID=B{XGID_START[1:]}{REST}", Reason.XGID_BAR, {"typed": "B"}),
        (f"XGID={XGID_START[:-1]}c{REST}", Reason.XGID_BAR, {"typed": "c"}),
        (f"XGID={XGID_START}:0:0:0:00:0:0:0:0:10", Reason.XGID_TURN, {"typed": "0"}),
        (f"XGID={XGID_START}:0:0:1:70:0:0:0:0:10", Reason.XGID_DICE, {"typed": "70"}),
        (f"XGID={XGID_START}:0:0:1:60:0:0:0:0:10", Reason.XGID_DICE, {"typed": "60"}),
        (f"XGID={XGID_START}:0:0:1:D:0:0:0:0:10", Reason.CUBE, {}),
        (
            f"XGID=-bA---{XGID_START[6:]}{REST}",
            Reason.MEN_COUNT,
            {"side": Side.GOLD, "count": 16, "men": 15},
        ),
        (f"XGID={26 * '-'}{REST}", Reason.BOTH_WON, {}),
        ("4HPwATDgc/ABM", Reason.POSITION_ID_LENGTH, {"count": 13}),
        ("4HPwATDgc/ABM!", Reason.ID_CHARACTER, {"typed": "!"}),
        (f"{ID_START}:cAkAAAAAAAA", Reason.MATCH_ID_LENGTH, {"count": 11}),
        # Dice 7 and 0.
        (f"{ID_START}:cIkDAAAAAAAA", Reason.MATCH_ID_DICE, {}),
        # A double is offered: bit 13.
        (f"{ID_START}:cBkAAAAAAAAA", Reason.CUBE, {}),
        ("//////////////", Reason.MEN_COUNT, {"side": Side.BLACK, "count": 84, "men": 15}),
        ("AAAAAAAAAAAAAP", Reason.POSITION_ID_BITS, {}),
        # Both have their men on the point that is 1 to one of them and 24 to the other.
        ("AQAAAAAAAgAAAA", Reason.BOTH_HOLD, {"place": "a"}),
    ],
)
def test_what_is_wrong_with_an_id(text: str, reason: Reason, parts: dict[str, object]) -> None:
    with pytest.raises(Refusal) as error:
        parse_position_id(text)
    assert (error.value.reason, dict(error.value.parts)) == (reason, parts)


def test_positions_are_written_as_published() -> None:
    _, start = build_position(f"{START} gold -", "backgammon")
    assert format_position_id(start) == ID_START
    assert format_xgid(start) == f"XGID={XGID_START}{REST}"
    _, ending = build_position("x4,y4,z4,off3 a5,b1,off9 gold 2-2-2-2", "backgammon")
    assert format_position_id(ending) == "XwAAgPceAAAAAA"
    assert format_xgid(ending) == "XGID=-DDD-------------------ae-:0:0:1:22:0:0:0:0:10"


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """A position of backgammon, with or without a throw."""
    board = RULES.board
    men = {side: bytearray(board.no_men) for side in Side}
    owners = draw(st.lists(st.sampled_from(Side), min_size=24, max_size=24))
    for side in Side:
        free = [point for point in range(24) if owners[point] is side]
        places = [*free, board.bars[0], board.off]
        for place in draw(st.lists(st.sampled_from(places), min_size=15, max_size=15)):
            men[side][place] += 1
    # Not both can have won.
    if all(row[board.off] == RULES.men for row in men.values()):
        men[Side.GOLD][board.off] -= 1
        men[Side.GOLD][board.bars[0]] += 1
    thrown = draw(st.lists(st.integers(1, 6), min_size=2, max_size=2) | st.just([]))
    if len(set(thrown)) == 1:
        thrown = thrown * 2
    dice = tuple(sorted(thrown, reverse=True))
    gold, black = (bytes(men[side]) for side in Side)
    return Position(gold, black, draw(st.sampled_from(Side)), dice)


@unhurried
@given(positions())
def test_an_xgid_written_and_read_is_the_same_position(position: Position) -> None:
    assert parse_position_id(format_xgid(position)) == position


@unhurried
@given(positions())
def test_a_position_id_says_all_but_the_throw(position: Position) -> None:
    written = format_position_id(position)
    match = "cAkAAAAAAAAA" if position.turn is Side.GOLD else "MAEAAAAAAAAA"
    assert parse_position_id(f"{written}:{match}") == position._replace(dice=())


@unhurried
@given(
    st.text(max_size=40)
    | st.from_regex(r"(XGID=)?[-A-Pa-p]{24,27}(:-?[0-9DB]{1,2}){3,9}", fullmatch=True)
    | st.from_regex(r"[A-Za-z0-9+/]{13,15}(:[A-Za-z0-9+/]{11,13})?", fullmatch=True)
)
def test_whatever_is_typed_is_read_or_refused(text: str) -> None:
    try:
        position = parse_position_id(text)
    except Refusal:
        return
    if position is not None:
        assert build_position(format_position(position, RULES), "backgammon")[1] == position
