"""Reading positions, and naming the field that is wrong."""

import pytest

from engine.position_text import format_position, parse_position
from engine.refusal import Refusal, Rule
from tests.engine.build import EMPEROR, LUDUS, ROYAL, rules

FIELDS = (
    "a position has four fields, gold's men, black's men, the turn and the dice, "
    "and a fifth where a game remembers more"
)


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("a15 z15 gold -", "zeno"),
        (EMPEROR, "zeno"),
        ("a14,bar1 y13,bar2 black 4", "zeno"),
        (ROYAL, LUDUS),
        ("t1,off14 f1,off14 black 6-6-1", LUDUS),
        ("hand15 a2,c1,hand9,bar2,off1 gold 4-4-4", "pyf"),
        ("a2,hand10 b1,hand11 gold 6-6", "twelve-dogs"),
    ],
)
def test_parse_then_print_gives_the_same_text(text: str, slug: str) -> None:
    known = rules(slug)
    assert format_position(parse_position(text, known), known) == text


def test_order_and_spaces_are_forgiven() -> None:
    known = rules("zeno")
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
        ("a15 z15 gold - -", "zeno", "memory is -, but this game remembers no more than where men stand"),
        ("a15 z15 gold - - -", "zeno", FIELDS),
        ("j15 z15 gold -", "zeno", "gold names j, which this board lacks"),
        ("a15 v15 gold -", "zeno", "black names v, which this board lacks"),
        ("hand15 z15 gold -", "zeno", "gold has men on hand, where in this game none of its men can be"),
        ("a15 z14,off1 gold -", "zeno", "black has men on off, where in this game none of its men can be"),
        ("g12 a12 gold -", "twelve-dogs", "gold has men on g, where in this game none of its men can be"),
        ("a14,a1 z15 gold -", "zeno", "gold names a twice"),
        ("a14 z15 gold -", "zeno", "gold has 14 men, but this game is played with 15 a side"),
        ("- z15 gold -", "zeno", "gold has 0 men, but this game is played with 15 a side"),
        ("a15 z99,y99 gold -", "zeno", "black has 198 men, but this game is played with 15 a side"),
        ("15 z15 gold -", "zeno", "gold lists men as a15 or hand3, with commas between; 15 is neither"),
        ("a15, z15 gold -", "zeno", "gold lists men as a15 or hand3, with commas between;  is neither"),
        ("a0,b15 z15 gold -", "zeno", "gold lists men as a15 or hand3, with commas between; a0 is neither"),
        ("a015 z15 gold -", "zeno", "gold lists men as a15 or hand3, with commas between; a015 is neither"),
        ("a100 z15 gold -", "zeno", "gold lists men as a15 or hand3, with commas between; a100 is neither"),
        ("A15 z15 gold -", "zeno", "gold lists men as a15 or hand3, with commas between; A15 is neither"),
        ("a15 z15 red -", "zeno", "turn is gold or black, not red"),
        ("a15 a1,z14 gold -", "zeno", "black stands on a, which gold holds"),
        ("a3,hand9 hand12 gold -", "twelve-dogs", "a holds at most 2 men in this game"),
        ("hand12 f4,hand8 gold -", "twelve-dogs", "f holds at most 2 men in this game"),
        ("a15 z15 gold 7-1", "zeno", "dice are numbers from 1 to 6 joined by -, or - alone; 7-1 is neither"),
        ("a15 z15 gold 6,1", "zeno", "dice are numbers from 1 to 6 joined by -, or - alone; 6,1 is neither"),
        ("a15 z15 gold 6--1", "zeno", "dice are numbers from 1 to 6 joined by -, or - alone; 6--1 is neither"),
        ("a15 z15 gold 6-5-2-1", "zeno", "dice show 6-5-2-1, which this game cannot throw"),
        ("a15 z15 gold 5-4-3", LUDUS, "dice show 5-4-3, which this game cannot throw"),  # no six among three
        ("hand12 hand12 gold 3-2-1", "twelve-dogs", "dice show 3-2-1, which this game cannot throw"),
    ],
)
def test_what_is_no_position_is_refused_naming_the_field(text: str, slug: str, sentence: str) -> None:
    with pytest.raises(Refusal) as refusal:
        parse_position(text, rules(slug))
    assert refusal.value.rule is Rule.POSITION
    assert refusal.value.sentence == sentence


def test_a_count_too_long_for_a_number_is_refused_like_any_other() -> None:
    with pytest.raises(Refusal):
        parse_position(f"a{'9' * 5000} z15 gold -", rules("zeno"))


def test_the_table_of_twelve_dogs_says_where_men_may_be() -> None:
    assert parse_position("g2,hand10 hand12 gold -", rules("twelve-dogs", table="gm")).gold[6] == 2
