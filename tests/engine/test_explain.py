"""Why a move is refused: the rule and the exact sentence, kind by kind."""

import pytest

from engine.explain import legal_now
from engine.notation import parse_play
from engine.refusal import Refusal, Rule
from tests.engine.build import EMPEROR, LUDUS, pos

WASTES = "as many numbers as possible must be used, the higher first, and this would waste one"


@pytest.mark.parametrize(
    ("typed", "text", "slug", "rule", "sentence"),
    [
        ("k-p", EMPEROR, "zeno", Rule.BLOCKED, "k-p: black holds p with 2 men"),
        ("a-g", "a15 g14,z1 gold 6", "zeno", Rule.BLOCKED, "a-g: black holds g with 14 men"),
        ("a-g", "a15 z15 gold -", "zeno", Rule.NO_NUMBER, "a-g: no number is left to play"),
        ("a-g", "a15 z15 gold 5", "zeno", Rule.NO_NUMBER, "a-g: that takes a 6, and 5 is left"),
        ("a6", "a15 z15 gold 5-4", "zeno", Rule.NO_NUMBER, "a6: that takes a 6, and 5, 4 are left"),
        ("3:a-g", "a15 z15 gold 6-3", "zeno", Rule.NO_NUMBER, "3:a-g: a 3 does not lead there"),
        ("b-c", "a15 z15 gold 1", "zeno", Rule.NO_MAN, "b-c: gold has no man on b"),
        ("z-y", "a15 z15 gold 1", "zeno", Rule.NO_MAN, "z-y: gold has no man on z"),
        ("bar-c", "a15 z15 gold 3", "zeno", Rule.NO_MAN, "bar-c: gold has no man on the bar"),
        ("enter c", "a15 z15 gold 3", "zeno", Rule.NO_MAN, "enter-c: gold has no man in hand"),
        (
            "a-g",
            "a14,bar1 z15 gold 6-1",
            "zeno",
            Rule.BAR_FIRST,
            "a-g: gold has 1 man on the bar, which must enter first",
        ),
        (
            "a-g",
            "a13,bar2 z15 gold 6-1",
            "zeno",
            Rule.BAR_FIRST,
            "a-g: gold has 2 men on the bar, which must enter first",
        ),
        (
            "b-a",
            "a14,b1 z15 gold 1",
            "zeno",
            Rule.OFF_COURSE,
            "b-a: no numbers left (1) lead there, each a legal step for gold",
        ),
        (
            "a-m",
            "a15 f2,g2,z11 gold 6-5",
            "zeno",
            Rule.BLOCKED,
            "a-m: every way there with 6, 5 meets a point that is closed to gold",
        ),
        # 4 and 2 make the six too, but e and c are both held.
        (
            "a-g",
            "a15 c2,e2,z11 gold 4-2",
            "zeno",
            Rule.BLOCKED,
            "a-g: every way there with 4, 2 meets a point that is closed to gold",
        ),
        # No three numbers fit before the end; of two, 5 and 4 are less than 6 and 5.
        ("m-w", "a1,m1,z13 e5,f5,g5 gold 6-5-4", "zeno", Rule.MUST_USE, f"m-w: {WASTES}"),
        ("x6", "a14,x1 z15 gold 6", "zeno", Rule.OFF_COURSE, "x6: a 6 leads past the end of the course"),
        ("m-r", "m1,z14 a13,y2 gold 6-5", "zeno", Rule.MUST_USE, f"m-r: {WASTES}"),
        ("c1", "c1,d1,z13 k15 gold 1", LUDUS, Rule.SINGLE, "c1: gold may not bring a second man to d, on its own side"),
        (
            "bar-c",
            "c1,d1,z12,bar1 k15 gold 3",
            LUDUS,
            Rule.SINGLE,
            "bar-c: gold may not bring a second man to c, on its own side",
        ),
        (
            "t-off",
            "s1,t1,off13 a15 gold 6",
            LUDUS,
            Rule.BEARING,
            "t-off: gold has 1 man outside its bearing table, so none may be borne off",
        ),
        (
            "z-off",
            "r2,s1,z12 a15 gold 1",
            LUDUS,
            Rule.BEARING,
            "z-off: gold has 3 men outside its bearing table, so none may be borne off",
        ),
        (
            "w-off",
            "t1,w1,off13 a15 gold 5",
            LUDUS,
            Rule.BEARING,
            "w-off: a 5 may not bear off w while a man stands farther back, on t",
        ),
        (
            "t-z",
            "t1,w1,off13 hand15 gold 5",
            "pyf",
            Rule.NO_MOVING,
            "t-z: a man in the last table moves only by being borne off",
        ),
        (
            "t5",
            "t1,w1,off13 hand15 gold 5",
            "pyf",
            Rule.NO_MOVING,
            "t5: a man in the last table moves only by being borne off",
        ),
        ("hand-c", "z15 hand15 gold 3", "pyf", Rule.NO_MAN, "hand-c: gold has no man in hand"),
        (
            "a-b",
            "a1,hand11 hand12 gold 1",
            "twelve-dogs",
            Rule.NO_MOVING,
            "a-b: men do not move in this game, they only enter",
        ),
        (
            "hand-a",
            "a2,hand10 hand12 gold 1",
            "twelve-dogs",
            Rule.FULL,
            "hand-a: a holds 2 men already, the most it may",
        ),
        ("hand-a", "hand12 a2,hand10 gold 1", "twelve-dogs", Rule.BLOCKED, "hand-a: black holds a with 2 men"),
    ],
)
def test_each_refusal_names_its_rule_and_reason(typed: str, text: str, slug: str, rule: Rule, sentence: str) -> None:
    with pytest.raises(Refusal) as refusal:
        parse_play(typed, *pos(text, slug))
    assert (refusal.value.rule, refusal.value.sentence) == (rule, sentence)


def test_a_refusal_says_what_would_be_legal() -> None:
    with pytest.raises(Refusal) as refusal:
        parse_play("k-p", *pos(EMPEROR, "zeno"))
    assert set(refusal.value.legal) == {"k-q", "t-z", "u-x"}


def test_the_second_move_is_judged_where_the_first_has_led() -> None:
    # After bar-f the 6 is spent; a-g takes a 6.
    with pytest.raises(Refusal, match=r"^a-g: that takes a 6, and 1 is left$") as refusal:
        parse_play("bar-f a-g", *pos("a14,bar1 z15 gold 6-1", "zeno"))
    assert set(refusal.value.legal) == {"a-b", "f-g"}


def test_at_most_so_many_legal_moves_are_named() -> None:
    known, position = pos("a5,b5,c5 z15 gold 6-5-4", "zeno")  # three men by three numbers: nine moves
    assert len(legal_now(known, position)) == 8
    assert legal_now(known, position, most=2) == legal_now(known, position)[:2]
    assert len(legal_now(known, position, most=20)) == 9


def test_where_nothing_can_be_played_nothing_is_named() -> None:
    assert legal_now(*pos("a14,bar1 e2,f2,z11 gold 6-5", "zeno")) == ()
