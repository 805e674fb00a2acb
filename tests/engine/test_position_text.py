"""Reading positions, and naming the field that is wrong."""

import pytest

from engine.position_text import format_position, parse_position
from engine.refusal import Refusal
from tests.engine.build import EMPEROR, LUDUS, ROYAL, expect_refusal, explain_in_english, make_rules

FIELDS = (
    "a position has four fields (gold's men, black's men, the turn, the dice) and, in some games, "
    "a fifth (the memory)"
)


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("a15 z15 gold -", "zeno"),
        (EMPEROR, "zeno"),
        ("a14,bar1 y13,bar2 black 4", "zeno"),
        (ROYAL, LUDUS),
        ("t1,off14 f1,off14 black 6-6-1", LUDUS),
        ("hand15 a2,c1,hand10,bar2 gold 4-4-4", "pyf"),
        ("a2,hand10 b1,hand11 gold 6-6", "twelve-dogs"),
    ],
)
def test_parse_then_print_gives_the_same_text(text: str, slug: str) -> None:
    known = make_rules(slug)
    assert format_position(parse_position(text, known), known) == text


def test_order_and_spaces_are_forgiven() -> None:
    known = make_rules("zeno")
    read = parse_position("  bar1,c2,a12   z15  gold 2-6-5 ", known)
    assert format_position(read, known) == "a12,c2,bar1 z15 gold 6-5-2"


@pytest.mark.parametrize(
    ("text", "slug", "sentence"),
    [
        (
            "",
            "zeno",
            FIELDS,
        ),
        (
            "a15 z15 gold",
            "zeno",
            FIELDS,
        ),
        (
            "a15 z15 gold - -",
            "zeno",
            "this game has no memory field, so it can't be `-`",
        ),
        ("a15 z15 gold - - -", "zeno", FIELDS),
        ("j15 z15 gold -", "zeno", "gold has men on j, which isn't on this board"),
        ("a15 v15 gold -", "zeno", "black has men on v, which isn't on this board"),
        (
            "hand15 z15 gold -",
            "zeno",
            "gold has men on `hand`, which is impossible in this game",
        ),
        (
            "a15 z14,off1 gold -",
            "zeno",
            "black has men on `off`, which is impossible in this game",
        ),
        (
            "g12 a12 gold -",
            "twelve-dogs",
            "gold has men on `g`, which is impossible in this game",
        ),
        ("a14,a1 z15 gold -", "zeno", "`a` is listed twice for gold"),
        ("a14 z15 gold -", "zeno", "gold has 14 men, but this game is played with 15 a side"),
        ("- z15 gold -", "zeno", "gold has 0 men, but this game is played with 15 a side"),
        ("a15 z99,y99 gold -", "zeno", "black has 198 men, but this game is played with 15 a side"),
        (
            "15 z15 gold -",
            "zeno",
            "list gold's men as `a15` or `hand3`, separated by commas; `15` is neither",
        ),
        (
            "a15, z15 gold -",
            "zeno",
            "list gold's men as `a15` or `hand3`, separated by commas; `` is neither",
        ),
        (
            "a0,b15 z15 gold -",
            "zeno",
            "list gold's men as `a15` or `hand3`, separated by commas; `a0` is neither",
        ),
        (
            "a015 z15 gold -",
            "zeno",
            "list gold's men as `a15` or `hand3`, separated by commas; `a015` is neither",
        ),
        (
            "a100 z15 gold -",
            "zeno",
            "list gold's men as `a15` or `hand3`, separated by commas; `a100` is neither",
        ),
        (
            "A15 z15 gold -",
            "zeno",
            "list gold's men as `a15` or `hand3`, separated by commas; `A15` is neither",
        ),
        ("a15 z15 red -", "zeno", "the turn must be `gold` or `black`, not `red`"),
        ("a15 a1,z14 gold -", "zeno", "gold and black both have men on a"),
        ("a3,hand9 hand12 gold -", "twelve-dogs", "a can hold at most 2 men in this game"),
        ("hand12 f4,hand8 gold -", "twelve-dogs", "f can hold at most 2 men in this game"),
        (
            "a15 z15 gold 7-1",
            "zeno",
            "type dice as numbers from 1 to 6 joined by `-`, or `-` alone; `7-1` is neither",
        ),
        (
            "a15 z15 gold 6,1",
            "zeno",
            "type dice as numbers from 1 to 6 joined by `-`, or `-` alone; `6,1` is neither",
        ),
        (
            "a15 z15 gold 6--1",
            "zeno",
            "type dice as numbers from 1 to 6 joined by `-`, or `-` alone; `6--1` is neither",
        ),
        ("a15 z15 gold 6-5-2-1", "zeno", "a throw in this game can't be `6-5-2-1`"),
        (
            "a15 z15 gold 5-4-3",
            LUDUS,
            "a throw in this game can't be `5-4-3`",
        ),  # no six among three
        (
            "hand12 hand12 gold 3-2-1",
            "twelve-dogs",
            "a throw in this game can't be `3-2-1`",
        ),
    ],
)
def test_what_is_no_position_is_refused_naming_the_field(
    text: str, slug: str, sentence: str
) -> None:
    with expect_refusal(sentence):
        parse_position(text, make_rules(slug))


LAQUET = "m1,t2,u3,w3,x3,y3"


@pytest.mark.parametrize(
    ("text", "slug", "options", "sentence"),
    [
        (
            "a1,hand11 z1,y1,x1,w1,u1,t1,hand6 gold -",
            "doblet",
            {},
            "gold still has 11 men stacked on others",
        ),
        (
            "a2,b2,c2,d2,e2,f1,bar1 z1,y1,x1,w1,u1,t1,hand6 gold -",
            "doblet",
            {},
            "gold has men on `bar`, which is impossible in this game",
        ),
        (
            f"a1,z13,bar1 {LAQUET} gold -",
            "laquet",
            {},
            "gold has men on `bar`, which is impossible in this game",
        ),
        (
            "a2,t12,bar1 z2,f13 gold -",
            "fallas",
            {"hit": "start-point"},
            "gold has men on `bar`, which is impossible in this game",
        ),
        ("a13,c2 z15 gold -", LUDUS, {}, "gold has 2 men on c, where a second one isn't allowed"),
        ("a15 n2,z13 gold -", LUDUS, {}, "black has 2 men on n, where a second one isn't allowed"),
        (
            "l2,hand13 hand15 gold -",
            "reencontrat",
            {},
            "gold has 2 men on l, where a second one isn't allowed",
        ),
        (
            "b1,hand13,off1 hand15 gold -",
            "pyf",
            {},
            "gold has borne men off before all its men have entered",
        ),
        (
            "g1,hand14 hand15 gold -",
            "buffa-de-baldrac",
            {},
            "gold has men beyond its entry table before all its men have",
        ),
        (
            "n1,hand14 hand15 gold -",
            "tabula",
            {},
            "gold has men past the middle of the board before all its men have",
        ),
        (
            "hand15 z1,hand14 gold -",
            "tabula",
            {"placing": "still"},
            "black has men past the middle of the board",
        ),
        (
            "a1,z14 k1,t2,u3,w3,x3,y3 gold -",
            "laquet",
            {},
            "black has men behind their starting points, though no man can be hit",
        ),
        (
            "a1,t1,z13 g2,m1,u3,w3,x3,y3 gold -",
            "laquet",
            {},
            "gold has men behind their starting points",
        ),
        (
            f"z14,off1 {LAQUET} gold -",
            "laquet",
            {},
            "gold has borne men off with others still outside",
        ),
        ("off15 off15 gold -", LUDUS, {}, "both sides have won"),
        ("z15 a15 gold -", "zeno", {}, "both sides have won"),
    ],
)
def test_a_position_that_the_game_cannot_come_to_is_refused(
    text: str, slug: str, options: dict[str, str], sentence: str
) -> None:
    with pytest.raises(Refusal) as refusal:
        parse_position(text, make_rules(slug, **options))
    assert explain_in_english(refusal.value).startswith(sentence)


@pytest.mark.parametrize(
    ("text", "slug", "options"),
    [
        ("a14,m1 y1,z14 gold -", LUDUS, {}),  # the start piles stay piles
        ("a2,b1,c1,d1,e1,f1,hand5 z2,y2,x2,w2,u2,t1,off1 gold -", "doblet", {}),
        ("c1,f3,hand11 m2,hand13 gold -", "buffa-de-baldrac", {}),
        ("a1,m1,hand13 n1,z14 gold -", "tabula", {}),  # all of black's have come in
        ("a1,bar14 z2,f13 gold -", "fallas", {}),
        ("a1,bar-ns14 c15 gold -", "seis-dos-e-as", {}),
        ("a1,z13,b1 g1,t2,u3,w3,x3,y3 gold -", "laquet", {"single": "g"}),
    ],
)
def test_a_position_that_the_game_can_come_to_is_read(
    text: str, slug: str, options: dict[str, str]
) -> None:
    assert parse_position(text, make_rules(slug, **options))


def test_a_count_too_long_for_a_number_is_refused_like_any_other() -> None:
    with pytest.raises(Refusal):
        parse_position(f"a{'9' * 5000} z15 gold -", make_rules("zeno"))


def test_the_table_of_twelve_dogs_says_where_men_may_be() -> None:
    assert (
        parse_position("g2,hand10 hand12 gold -", make_rules("twelve-dogs", table="gm")).gold[6]
        == 2
    )
