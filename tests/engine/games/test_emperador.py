"""Emperador and its half: entering at will, barata and tie."""

from dataclasses import replace

import pytest

from bot.platform.i18n.common import format_remark
from bot.platform.i18n.reader import Reader
from engine.ending import find_outcome
from engine.events import Thrown
from engine.games import GAMES
from engine.match import Match, Phase
from engine.notation import format_play, list_remarks
from engine.outcome import GameOutcome
from engine.plays import list_legal_plays
from engine.position import Side
from engine.position_text import format_position
from engine.refusal import Refusal
from tests.engine.build import (
    OutcomeText,
    apply_events,
    build_match,
    build_position,
    describe_outcome,
    explain_in_english,
    find_result,
    list_ends,
    list_plays,
    play_moves,
)

STUCK = "a1,b1,c1,d1,e1,f1,bar1,off8 t1,u1,w1,x1,y1,z1,bar1,off8"
TIE = "neither side can enter its men"
BARATA = "barata: four men hit while holding six points in a row"


def test_men_on_the_bar_need_not_enter_first() -> None:
    held = "a13,b1,bar1 z15 gold 2"
    assert list_ends(held, "emperador") == {"a12,b1,c1,bar1 z15 gold -", "a13,d1,bar1 z15 gold -"}
    assert list_plays(held, "emperador", reentry="first") == []


def test_no_second_man_on_the_own_side() -> None:
    assert list_plays("a14,b1 z15 gold 1", "emperador") == ["b-c"]


@pytest.mark.parametrize(("hits", "outcome"), [(3, (Side.GOLD, BARATA, 1)), (2, None)])
def test_the_fourth_man_hit_from_behind_six_points_wins(
    hits: int, outcome: OutcomeText | None
) -> None:
    match = build_match("m1,n2,o2,p2,q2,r2,s4 t1,z14 gold -", "emperador")
    match = apply_events(match, Thrown((1, 1, 1)))
    match = play_moves(_replace_memory(match, hits * 8), "s-t")
    assert describe_outcome(match.outcome, "emperador") == outcome
    assert match.position.memory == (hits + 1) * 8


def test_black_s_hits_are_counted_apart() -> None:
    match = build_match("a15 g2,h2,i2,k2,l2,m2,z3 black -", "emperador")
    match = apply_events(match, Thrown((1, 1, 1)))
    assert (
        play_moves(_replace_memory(match, 3), "m-l").position.memory == 0
    )  # the six are broken by the man who leaves m
    match = build_match("a14,f1 g3,h2,i2,k2,l2,m2,z2 black -", "emperador")
    match = apply_events(match, Thrown((1, 1, 1)))
    match = play_moves(_replace_memory(match, 3), "g-f")
    assert describe_outcome(match.outcome, "emperador") == (Side.BLACK, BARATA, 1)


def test_a_broken_blockade_begins_the_count_anew() -> None:
    match = apply_events(
        build_match("k1,l1,m1,n2,o2,p2,q2,r2,s2 t1,z14 gold -", "emperador"), Thrown((1, 1, 1))
    )
    assert play_moves(_replace_memory(match, 3 * 8), "s-t").position.memory == 0


# With m-s gold holds n to s before the men on z; h-i hits.
# Only a man hit while the six points stand is counted.
WALLING = "a2,h1,m1,n2,o2,p2,q2,r2,s1 i1,z14 gold 6-1"
WALLED = "a2,i1,n2,o2,p2,q2,r2,s2 z14,bar1 gold -"


def test_what_a_position_remembers_stands_in_its_text() -> None:
    assert {f"{WALLED} gold-hits=1", WALLED} <= list_ends(WALLING, "emperador")
    known, position = build_position(f"{WALLED} gold-hits=3", "emperador")
    assert (position.memory, format_position(position, known)) == (3 * 8, f"{WALLED} gold-hits=3")
    both = "a3,n2,o2,p2,q2,r2,s2 c2,d2,e2,f2,g2,h2,z3 black 6-1 gold-hits=1,black-hits=2"
    known, position = build_position(both, "emperador")
    assert (position.memory, format_position(position, known)) == (1 * 8 + 2, both)


@pytest.mark.parametrize(
    ("text", "options", "sentence"),
    [
        (
            f"{WALLED} gold-hits=9",
            {},
            (
                "can be `gold-hits=1`, `gold-hits=2`, `gold-hits=3` or `gold-hits=4` in this "
                "position, but not "
            ),
        ),
        (f"{WALLED} black-hits=1", {}, "in this position, but not `black-hits=1`"),
        (
            "a15 z15 gold - gold-hits=1",
            {},
            "the memory field must be empty in this position, not `gold-hits=1`",
        ),
        (
            f"{WALLED} gold-hits=1",
            {"barata": "off"},
            "this game has no memory field",
        ),
    ],
)
def test_what_cannot_be_remembered_is_refused(
    text: str, options: dict[str, str], sentence: str
) -> None:
    with pytest.raises(Refusal) as refusal:
        build_position(text, "emperador", **options)
    wording = explain_in_english(refusal.value)
    assert "memory field" in wording
    assert sentence in wording


def test_where_only_the_memory_differs_the_plays_are_told_apart() -> None:
    known, position = build_position(WALLING, "emperador")
    plays = list_legal_plays(known, position)
    texts = zip(plays, list_remarks(plays, known), strict=True)
    game = GAMES["emperador"]
    assert {
        format_play(play.moves, known, position): format_remark(Reader.ENGLISH, game, each)
        for play, each in texts
        if each
    } == {
        "m-s h-i*": "hits made while holding six points: gold 1",
        "h-i* m-s": "hits made while holding six points: none",
    }


def test_six_points_alone_win_where_that_is_agreed() -> None:
    nearly = "h1,i1,l1,m1,n2,o2,p2,q2,r2,s1 z15 gold -"
    match = apply_events(build_match(nearly, "emperador", barata="six"), Thrown((6, 6, 6)))
    assert describe_outcome(play_moves(match, "m-s").outcome, "emperador") == (
        Side.GOLD,
        "barata: six points in a row",
        1,
    )
    for barata in ("four", "off"):
        match = apply_events(build_match(nearly, "emperador", barata=barata), Thrown((6, 6, 6)))
        assert play_moves(match, "m-s").outcome is None


@pytest.mark.parametrize("slug", ["emperador", "medio-emperador"])
def test_when_neither_can_enter_it_is_a_tie(slug: str) -> None:
    tied = find_outcome(*build_position(f"{STUCK} gold -", slug))
    assert describe_outcome(tied, slug) == (None, "neither side can enter its men", 1)
    assert (
        find_outcome(
            *build_position(f"{STUCK.replace('f1,', '').replace('off8 ', 'off9 ')} gold -", slug)
        )
        is None
    )
    assert (
        find_outcome(*build_position(f"{STUCK.replace(',bar1,off8 ', ',off9 ')} gold -", slug))
        is None
    )


def test_a_tie_waits_for_the_numbers_still_to_be_played() -> None:
    # The six fills f, the last open point of either side;
    # the five must carry that man on to l, and f is open again.
    shut = "a1,b1,c1,d1,u2,x2,y2,z3,bar2 e2,g2,h2,i2,k2,m2,t1,w1,bar1 gold"
    onward = "a1,b1,c1,d1,l1,u2,x2,y2,z3,bar1 e2,g2,h2,i2,k2,m2,t1,w1,bar1 gold -"
    assert list_ends(f"{shut} 6-5", "emperador") == {onward}
    match = play_moves(
        apply_events(build_match(f"{shut} -", "emperador"), Thrown((6, 5, 6))), "bar-f"
    )
    assert (match.phase, match.outcome) == (Phase.PLAY, None)


@pytest.mark.parametrize("reentry", ["free", "first"])
def test_a_tie_is_called_once_nothing_is_left_to_play(reentry: str) -> None:
    # Gold finds its own men on a to d and f and black's on e;
    # black its own on t and w, and gold's elsewhere.
    shut = "a1,b1,c1,d1,u2,x2,y2,z3,bar2 e2,g2,h2,i2,k2,m2,t1,w1,bar1 gold -"
    match = play_moves(
        apply_events(build_match(shut, "emperador", reentry=reentry), Thrown((6, 6, 6))), "bar-f"
    )
    assert match.outcome == GameOutcome(None, "tie")


def test_six_points_with_nobody_behind_them_are_no_blockade() -> None:
    past = "h1,i1,l1,m1,n2,o2,p2,q2,r2,s1 a15 gold -"
    match = apply_events(build_match(past, "emperador", barata="six"), Thrown((6, 6, 6)))
    assert play_moves(match, "m-s").outcome is None


def test_six_points_alone_can_tie_too() -> None:
    assert find_outcome(*build_position(f"{STUCK} gold -", "emperador", barata="six")) is not None


def test_the_half_board_goes_from_f_to_t() -> None:
    assert list_ends("f1,z14 a15 gold 1", "medio-emperador") == {"t1,z14 a15 gold -"}
    assert list_ends("a15 t1,z14 black 1", "medio-emperador") == {
        "a15 f1,z14 black -",
        "a15 t1,y1,z13 black -",
    }


def test_on_the_half_board_only_the_entry_table_is_single() -> None:
    assert list_plays("a14,b1 z15 gold 1", "medio-emperador") == ["b-c"]
    assert set(list_plays("a14,b1 z15 gold 1", "medio-emperador", single="off")) == {"a-b", "b-c"}
    assert list_plays("t1,u1,z13 a15 gold 1", "medio-emperador")[0] == "t-u"
    assert list_plays("a15 y1,z14 black 1", "medio-emperador") == ["y-x"]
    assert set(list_plays("a15 y1,z14 black 1", "medio-emperador", single="off")) == {"y-x", "z-y"}


def test_it_may_be_played_with_three_dice() -> None:
    two, three = (
        build_match("a15 z15 gold -", "medio-emperador", dice=dice) for dice in ("two", "three")
    )
    assert (two.due_dice, three.due_dice) == (2, 3)
    assert apply_events(two, Thrown((2, 1))).phase is Phase.PLAY


def _replace_memory(match: Match, memory: int) -> Match:
    return replace(match, position=match.position._replace(memory=memory))


NO_ENTRY = "barata: no point to enter on"


@pytest.mark.parametrize(
    ("men", "outcome"),
    [
        # Six points held by gold, as the book needs "so many men captured" elsewhere;
        # black's one man is out.
        ("t2,u2,w2,x2,y2,z2,m1,n2 a14,bar1", (Side.GOLD, NO_ENTRY, 1)),
        # Or black's own men on the six points, since none takes a second.
        ("n15 a8,t1,u1,w1,x1,y1,z1,bar1", (Side.GOLD, NO_ENTRY, 1)),
        ("a1,b1,c1,d1,e1,f1,n8,bar1 g15", (Side.BLACK, NO_ENTRY, 1)),
        # z open by one, a single man of gold's keeps nobody out, and nobody is on the bar.
        ("t2,u2,w2,x2,y2,m1,n4 a14,bar1", None),
        ("t2,u2,w2,x2,y2,z1,m1,n3 a14,bar1", None),
        ("t2,u2,w2,x2,y2,z2,m1,n2 a15", None),
        # Both shut out: a tie.
        ("a1,b1,c1,d1,e1,f1,n8,bar1 g8,t1,u1,w1,x1,y1,z1,bar1", (None, TIE, 1)),
    ],
)
def test_a_side_without_a_point_to_enter_on_may_lose(men: str, outcome: OutcomeText | None) -> None:
    for side in Side:
        assert find_result(f"{men} {side} -", "emperador", barata="no-entry") == outcome


def test_the_hit_that_leaves_no_point_to_enter_on_wins() -> None:
    match = build_match("n2,t2,u2,w2,x2,y2,z2,o1 a14,p1 gold -", "emperador", barata="no-entry")
    match = play_moves(apply_events(match, Thrown((6, 6, 1))), "o-p")
    assert describe_outcome(match.outcome, "emperador") == (Side.GOLD, NO_ENTRY, 1)
