"""Why a move is refused: the reason and the exact sentence, kind by kind."""

import pytest

from engine.explain import list_legal_moves
from engine.notation import parse_play
from engine.refusal import Reason, Refusal
from tests.engine.build import EMPEROR, LUDUS, build_position, expect_refusal

WASTES = "this wastes a number; you must play as many as you can, the higher if you can choose"


@pytest.mark.parametrize(
    ("typed", "text", "slug", "reason", "sentence"),
    [
        ("k-p", EMPEROR, "zeno", Reason.BLOCKED, "k-p: p is blocked by 2 of black's men"),
        (
            "a-g",
            "a15 g14,z1 gold 6",
            "zeno",
            Reason.BLOCKED,
            "a-g: g is blocked by 14 of black's men",
        ),
        (
            "a-g",
            "a15 z15 gold -",
            "zeno",
            Reason.NOTHING_LEFT,
            "a-g: you have no number left to play",
        ),
        ("a-g", "a15 z15 gold 5", "zeno", Reason.TAKES, "a-g: you have no 6; only a 5 is left"),
        ("a6", "a15 z15 gold 5-4", "zeno", Reason.TAKES, "a6: you have no 6; 5 and 4 are left"),
        ("3:a-g", "a15 z15 gold 6-3", "zeno", Reason.NOT_THERE, "3:a-g: a 3 doesn't lead there"),
        ("b-c", "a15 z15 gold 1", "zeno", Reason.NO_MAN, "b-c: you have no man on b"),
        ("z-y", "a15 z15 gold 1", "zeno", Reason.THEIRS, "z-y: the men on z are black's"),
        ("bar-c", "a15 z15 gold 3", "zeno", Reason.NO_MAN, "bar-c: you have no man on the bar"),
        ("enter c", "a15 z15 gold 3", "zeno", Reason.NO_MAN, "enter-c: you have no man in hand"),
        (
            "a-g",
            "a14,bar1 z15 gold 6-1",
            "zeno",
            Reason.BAR_FIRST,
            "a-g: you have 1 man on the bar, which must enter first",
        ),
        (
            "a-g",
            "a13,bar2 z15 gold 6-1",
            "zeno",
            Reason.BAR_FIRST,
            "a-g: you have 2 men on the bar, which must enter first",
        ),
        (
            "b-a",
            "a14,b1 z15 gold 1",
            "zeno",
            Reason.BACKWARDS,
            "b-a: that's backwards; your men move from a to z",
        ),
        (
            "f-h",
            "a15 f15 black 2-1",
            "zeno",
            Reason.BACKWARDS,
            "f-h: that's backwards; your men move from z to a",
        ),
        (
            "a-z",
            "a15 z15 gold 6-5",
            "zeno",
            Reason.NO_WAY,
            "a-z: only 6 and 5 are left, and they don't lead there, alone or together",
        ),
        (
            "z-off",
            "a14,z1 y15 gold 1",
            "zeno",
            Reason.NEVER_OFF,
            "z-off: men aren't borne off in this game",
        ),
        # All men are home, and t is six points from the edge.
        (
            "t-off",
            "t15 a15 gold 1",
            "backgammon",
            Reason.TAKES,
            "t-off: you have no 6; only a 1 is left",
        ),
        (
            "a-m",
            "a15 f2,g2,z11 gold 6-5",
            "zeno",
            Reason.WAYS_CLOSED,
            "a-m: every way there with 6 and 5 is blocked",
        ),
        # 4 and 2 make the six too, but e and c are both held.
        (
            "a-g",
            "a15 c2,e2,z11 gold 4-2",
            "zeno",
            Reason.WAYS_CLOSED,
            "a-g: every way there with 4 and 2 is blocked",
        ),
        # No three numbers fit before the end; of two, 5 and 4 are less than 6 and 5.
        ("m-w", "a1,m1,z13 e5,f5,g5 gold 6-5-4", "zeno", Reason.WASTES, f"m-w: {WASTES}"),
        (
            "x6",
            "a14,x1 z15 gold 6",
            "zeno",
            Reason.PAST_END,
            "x6: a 6 leads past the end of the board",
        ),
        ("m-r", "m1,z14 a13,y2 gold 6-5", "zeno", Reason.WASTES, f"m-r: {WASTES}"),
        (
            "c1",
            "c1,d1,z13 k15 gold 1",
            LUDUS,
            Reason.SINGLE,
            "c1: you can't have a second man on d, on your own side of the board",
        ),
        (
            "bar-c",
            "c1,d1,z12,bar1 k15 gold 3",
            LUDUS,
            Reason.SINGLE,
            "bar-c: you can't have a second man on c, on your own side of the board",
        ),
        (
            "t-off",
            "s1,t1,off13 a15 gold 6",
            LUDUS,
            Reason.OUTSIDE,
            "t-off: you can bear off only when all your men are home, and 1 isn't",
        ),
        (
            "z-off",
            "r2,s1,z12 a15 gold 1",
            LUDUS,
            Reason.OUTSIDE,
            "z-off: you can bear off only when all your men are home, and 3 aren't",
        ),
        # The number is missing too, but no number would do.
        (
            "t-off",
            "s1,t1,off13 a15 gold 5",
            LUDUS,
            Reason.OUTSIDE,
            "t-off: you can bear off only when all your men are home, and 1 isn't",
        ),
        (
            "w-off",
            "t1,w1,off13 a15 gold 5",
            LUDUS,
            Reason.FARTHER_BACK,
            "w-off: a 5 can't bear off w while you have a man farther back, on t",
        ),
        (
            "t-z",
            "t1,w1,off13 hand15 gold 5",
            "pyf",
            Reason.ONLY_BEARING,
            "t-z: men in the last table can only be borne off",
        ),
        (
            "t5",
            "t1,w1,off13 hand15 gold 5",
            "pyf",
            Reason.ONLY_BEARING,
            "t5: men in the last table can only be borne off",
        ),
        ("hand-c", "z15 hand15 gold 3", "pyf", Reason.NO_MAN, "hand-c: you have no man in hand"),
        (
            "a-b",
            "a1,hand11 hand12 gold 1",
            "twelve-dogs",
            Reason.ONLY_ENTERING,
            "a-b: men don't move in this game; they only enter",
        ),
        (
            "hand-a",
            "a2,hand10 hand12 gold 1",
            "twelve-dogs",
            Reason.FULL,
            "hand-a: a already holds 2 men, the most allowed",
        ),
        (
            "hand-a",
            "hand12 a2,hand10 gold 1",
            "twelve-dogs",
            Reason.BLOCKED,
            "hand-a: a is blocked by 2 of black's men",
        ),
    ],
)
def test_each_refusal_has_a_reason_and_a_sentence(
    typed: str, text: str, slug: str, reason: Reason, sentence: str
) -> None:
    with expect_refusal(sentence, reason):
        parse_play(typed, *build_position(text, slug))


def test_a_refusal_says_what_would_be_legal() -> None:
    with pytest.raises(Refusal) as refusal:
        parse_play("k-p", *build_position(EMPEROR, "zeno"))
    assert set(refusal.value.legal) == {"k-q", "t-z", "u-x"}


def test_the_second_move_is_judged_where_the_first_has_led() -> None:
    # After bar-f the 6 is spent; a-g takes a 6.
    with expect_refusal("a-g: you have no 6; only a 1 is left") as refusal:
        parse_play("bar-f a-g", *build_position("a14,bar1 z15 gold 6-1", "zeno"))
    assert set(refusal.value.legal) == {"a-b", "f-g"}


def test_at_most_so_many_legal_moves_are_named() -> None:
    known, position = build_position(
        "a5,b5,c5 z15 gold 6-5-4", "zeno"
    )  # three men by three numbers: nine moves
    assert len(list_legal_moves(known, position)) == 8
    assert list_legal_moves(known, position, most=2) == list_legal_moves(known, position)[:2]
    assert len(list_legal_moves(known, position, most=20)) == 9


def test_where_nothing_can_be_played_nothing_is_named() -> None:
    assert list_legal_moves(*build_position("a14,bar1 e2,f2,z11 gold 6-5", "zeno")) == ()
