"""Duodecim scripta and tabula: the Roman games."""

import pytest

from bot.platform.i18n.common import format_remark
from bot.platform.i18n.reader import Reader
from engine.ending import find_outcome
from engine.events import Thrown
from engine.games import GAMES, find_game, has_newest_rules
from engine.match import Phase
from engine.notation import format_play, list_remarks, parse_play
from engine.plays import list_legal_plays
from engine.position import Side
from engine.position_text import format_position, parse_position
from engine.refusal import Reason, Refusal
from engine.search.moves import is_stuck
from tests.engine.build import (
    apply_events,
    build_match,
    build_position,
    expect_refusal,
    format_match,
    list_ends,
    list_plays,
    play_moves,
)


def test_of_the_twelve_lines_a_man_enters_or_moves() -> None:
    assert list_ends("1:1,hand14 hand15 gold 6", "duodecim-scripta") == {
        "1:1,6:1,hand13 hand15 gold -",
        "7:1,hand14 hand15 gold -",
    }


@pytest.mark.parametrize(("from_", "to"), [(12, 13), (24, 25)])
def test_the_rows_follow_each_other(from_: int, to: int) -> None:
    assert list_ends(f"{from_}:1,off14 hand15 gold 1", "duodecim-scripta") == {
        f"{to}:1,off14 hand15 gold -"
    }


def test_of_the_twelve_lines_men_go_off_by_the_exact_number() -> None:
    # 36 needs a one and 31 a six, so 33 needs a four.
    assert list_plays("33:1,off14 hand15 gold 5", "duodecim-scripta") == []
    assert list_plays("33:1,off14 hand15 gold 4", "duodecim-scripta") == ["33-off"]
    assert list_plays("33:1,off14 hand15 gold 5", "duodecim-scripta", bearing="usual") == ["33-off"]
    assert list_plays("31:1,off14 hand15 gold 6", "duodecim-scripta") == ["31-off"]


def test_plays_of_numbered_points_are_read() -> None:
    known, position = build_position("1:1,hand14 hand15 gold 6-5-1", "duodecim-scripta")
    for typed, canonical in (
        ("1-7", "1-7"),
        ("1/7-12", "1-7-12"),
        ("enter 5", "hand-5"),
        ("6:hand-6", "hand-6"),
    ):
        assert format_play(parse_play(typed, known, position), known, position) == canonical
    with pytest.raises(Refusal) as refusal:
        parse_play("1-37", known, position)
    assert refusal.value.reason is Reason.NO_DIE_NUMBER


def test_the_sources_examples_of_placing() -> None:
    # An empty board and 5-4-3 gives five results, 6-5-4 four [S4].
    assert list_ends("hand15 hand15 gold 5-4-3", "tabula") == {
        "c1,d1,e1,hand12 hand15 gold -",
        "c1,i1,hand13 hand15 gold -",
        "d1,h1,hand13 hand15 gold -",
        "e1,g1,hand13 hand15 gold -",
        "m1,hand14 hand15 gold -",
    }
    assert len(list_ends("hand15 hand15 gold 6-5-4", "tabula")) == 4


def test_until_all_are_placed_none_goes_past_m() -> None:
    assert list_ends("m1,hand14 hand15 gold 1", "tabula") == {"a1,m1,hand13 hand15 gold -"}
    assert "m-n" in list_plays("a14,m1 hand15 gold 1", "tabula")
    with expect_refusal(
        "m-n: you can't pass the middle of the board until all your men have entered"
    ):
        parse_play("m-n", *build_position("m1,hand14 hand15 gold 1", "tabula"))


def test_any_number_that_reaches_the_edge_or_passes_it_bears_off() -> None:
    past = "y1,z1,off13 hand15 gold 6"
    assert list_ends(past, "tabula") == {"y1,off14 hand15 gold -", "z1,off14 hand15 gold -"}
    assert list_plays(past, "tabula", bearing="usual") == ["y-off"]


def test_placed_men_may_be_made_to_wait() -> None:
    waiting = "a1,hand14 hand15 gold 2-1"
    assert list_ends(waiting, "tabula", placing="still") == {
        "a1,c1,hand13 hand15 gold -",
        "a2,b1,hand12 hand15 gold -",
    }
    assert "d1,hand14 hand15 gold -" in list_ends(waiting, "tabula")
    with expect_refusal("a-c: you can't move men on the board until all your men have entered"):
        parse_play("a-c", *build_position(waiting, "tabula", placing="still"))


def test_the_man_being_placed_is_forgotten_when_the_turn_ends() -> None:
    match = apply_events(
        build_match("hand15 hand15 gold -", "tabula", placing="still"), Thrown((6, 2, 1))
    )
    assert play_moves(match, "hand-f hand-b hand-a").position.memory == 0
    match = apply_events(
        build_match("a1,b1,hand13 hand15 gold -", "tabula", placing="still"), Thrown((3, 2, 1))
    )
    assert format_match(play_moves(match, "hand-c")) == "a1,b1,c1,hand12 hand15 gold 2-1 placed=c"
    assert (
        format_match(play_moves(play_moves(match, "hand-c"), "hand-a"))
        == "a2,b1,c1,hand11 hand15 gold 2 placed=a"
    )


def test_a_position_says_which_man_is_just_being_placed() -> None:
    # Of the men on a and b only the one named may go on;
    # which of them it was does not matter where neither can.
    men = "a1,b1,hand13 hand15 gold 2"
    assert set(list_plays(f"{men} placed=a", "tabula", placing="still")) == {"hand-b", "a-c"}
    assert set(list_plays(men, "tabula", placing="still")) == {"hand-b"}
    for text, expected in (
        (
            f"{men} placed=c",
            "the memory field can be `placed=a` or `placed=b` in this position, but not `placed=c`",
        ),
        (
            men.replace("2", "-") + " placed=a",
            "the memory field must be empty in this position, not `placed=a`",
        ),
        (
            men.replace("hand15", "hand13,c2") + " placed=a",
            "the memory field can be `placed=b` in this position, but not `placed=a`",
        ),
        (
            "a1,b14 hand15 gold 2 placed=a",
            "the memory field must be empty in this position, not `placed=a`",
        ),
    ):
        with expect_refusal(expected):
            build_position(text, "tabula", placing="still")


def test_plays_that_end_alike_are_listed_once() -> None:
    # Three men in by 5, 4 and 3; two, by 9 and 3, 8 and 4 or 7 and 5; or one by all twelve.
    for placing in ("free", "still"):
        assert len(list_plays("hand15 hand15 gold 5-4-3", "tabula", placing=placing)) == 5


def test_what_is_remembered_of_the_placing_can_be_said() -> None:
    # By 1 and 2 to c: the man on c may be the one just placed, or another may have come before him.
    known, position = build_position("hand15 hand15 gold 3-2-1", "tabula", placing="still")
    assert known.memory
    for memory, words in (
        (3, "only the man just placed on c goes on"),
        (0, "no placed man goes on"),
    ):
        assert (
            format_remark(Reader.ENGLISH, GAMES["tabula"], known.memory.remark(known, memory))
            == words
        )
    assert not any(list_remarks(list_legal_plays(known, position), known))


def test_the_man_being_placed_is_not_handed_on_with_the_numbers() -> None:
    # By the one gold's man comes to a; 3 and 6 lead nowhere from there, nor in from the hand.
    # Black, who has no man on a, may enter his own.
    match = build_match(
        "hand15 c2,d2,f2,g2,hand7 gold -", "tabula", placing="still", unusable="opponent"
    )
    match = play_moves(apply_events(match, Thrown((1, 3, 6))), "hand-a")
    assert (match.phase, match.turn, match.position.dice) == (Phase.OFFER, Side.BLACK, (6, 3))
    names = match.rules.board.place_names
    assert {names[move.source] for move in match.list_next_moves()} == {"hand"}
    assert all(sum(play.end.black) == sum(play.end.gold) == 15 for play in match.plays)


def test_bound_numbers_pass_over_closed_points() -> None:
    closed = "hand15 b2,c2,hand11 gold 3-2"
    assert list_plays(closed, "tabula") == []
    assert list_plays(closed, "tabula", sums="bound") == ["hand-e"]
    known, position = build_position("hand15 hand15 gold 3-2-1", "tabula", sums="bound")
    assert format_play(parse_play("2+1:hand-c", known, position), known, position) == "2+1:hand-c"
    with pytest.raises(Refusal) as refusal:
        parse_play("hand-c", known, position)
    assert refusal.value.reason is Reason.AMBIGUOUS
    assert find_outcome(known, position) is None


def test_a_named_number_means_that_die() -> None:
    # From n to r by the 4, or by 3 and 1 together; both hit the man on r.
    known, position = build_position("n1,off14 r1,off14 gold 4-3-1", "tabula", sums="bound")
    for typed, numbers in (
        ("4:n-r", (4,)),
        ("3+1:n-r", (3, 1)),
        ("1+3:n-r*", (3, 1)),
        ("n4", (4,)),
        ("7:n-u", (4, 3)),
    ):
        (move,) = parse_play(typed, known, position)
        assert move.numbers == numbers
    with pytest.raises(Refusal) as refusal:
        parse_play("n-r", known, position)
    assert list(refusal.value.legal) == ["4:n-r*", "3+1:n-r*"]


def test_a_sum_that_is_closed_is_refused() -> None:
    known, position = build_position("n1,off14 w2,off13 gold 4-4", "tabula", sums="bound")
    with expect_refusal("8:n-w: w is blocked by 2 of black's men"):
        parse_play("8:n-w", known, position)


def test_a_sum_that_leads_elsewhere_is_refused() -> None:
    with expect_refusal("8:n-x: an 8 doesn't lead there"):
        parse_play("8:n-x", *build_position("n1,off14 hand15 gold 4-4", "tabula", sums="bound"))


def test_while_a_sum_of_what_is_left_can_be_played_the_turn_goes_on() -> None:
    closed = "hand15 b2,c2,h2,i2,hand7 gold -"
    for sums, phase in (("bound", Phase.PLAY), ("steps", Phase.THROW)):
        match = apply_events(build_match(closed, "tabula", sums=sums), Thrown((6, 3, 2)))
        assert play_moves(match, "hand-f").phase is phase


def test_a_side_that_only_a_sum_can_bring_in_still_throws() -> None:
    shut_out = "hand14,bar1 a2,b2,c2,d2,e2,f2,hand3 gold -"
    for sums, out in (("bound", False), ("steps", True)):
        known, position = build_position(shut_out, "tabula", sums=sums)
        assert is_stuck(known, position, Side.GOLD) is out


def test_two_men_hit_enter_as_at_the_beginning_totals_included() -> None:
    # The source's five results of 5-4-3: with two men to enter, one goes on by the third number
    # or the man on n takes it once both are in; or one comes to m by all twelve,
    # while the other waits and n stays.
    assert list_ends("n1,z12,bar2 o15 gold 5-4-3", "tabula") == {
        "c1,d1,s1,z12 o15 gold -",
        "c1,e1,r1,z12 o15 gold -",
        "d1,e1,q1,z12 o15 gold -",
        "c1,i1,n1,z12 o15 gold -",
        "d1,h1,n1,z12 o15 gold -",
        "e1,g1,n1,z12 o15 gold -",
        "m1,n1,z12,bar1 o15 gold -",
    }


@pytest.mark.parametrize("placing", ["free", "still"])
def test_a_man_hit_may_enter_by_a_total_while_another_waits(placing: str) -> None:
    known, position = build_position("n13,bar2 o15 gold 5-4-3", "tabula", placing=placing)
    for typed in ("bar-m", "bar-e-i-m"):
        moves = parse_play(typed, known, position)
        assert known.board.place_names[moves[-1].target] == "m"
        assert len(moves) == 3
    assert "m1,n13,bar1 o15 gold -" in list_ends(
        "n13,bar2 o15 gold 5-4-3", "tabula", placing=placing
    )


def test_nobody_but_the_man_who_enters_moves_while_another_waits() -> None:
    match = apply_events(build_match("c1,n11,t1,bar2 o15 gold -", "tabula"), Thrown((5, 4, 3)))
    match = play_moves(match, "bar-e")
    assert format_match(match) == "c1,e1,n11,t1,bar1 o15 gold 4-3 placed=e"
    for typed in ("c-f", "n-r", "t-y"):
        with expect_refusal(f"{typed}: you have 1 man on the bar, which must enter first"):
            parse_play(typed, match.rules, match.position)
    match = play_moves(match, "e-i")
    assert format_match(match) == "c1,i1,n11,t1,bar1 o15 gold 3 placed=i"
    assert set(list_plays(format_match(match), "tabula")) == {"bar-c", "i-m"}
    # Where it is not said who has just entered, nobody goes on.
    assert list_plays("c1,i1,n11,t1,bar1 o15 gold 3", "tabula") == ["bar-c"]


def list_first_edition_ends(text: str, **options: str) -> set[str]:
    """The texts of all positions in which a legal play of Tabula's first edition can end."""
    known = find_game("tabula", 1).resolve_rules(options)
    return {
        format_position(play.end, known)
        for play in list_legal_plays(known, parse_position(text, known))
    }


def test_matches_of_the_first_edition_have_all_men_hit_enter_before_any_other_moves() -> None:
    # Only e is open, so that one man enters; records of then do not know that he must go on.
    closed = "n13,bar2 c2,d2,z11 gold 5-4-3"
    assert list_ends(closed, "tabula") == {"m1,n13,bar1 c2,d2,z11 gold -"}
    assert list_first_edition_ends(closed) == {"e1,n13,bar1 c2,d2,z11 gold 4-3"}


def test_in_the_first_edition_the_last_man_hit_goes_on_while_placed_men_wait() -> None:
    two, placing = "a8,hand5,bar2 o15 gold 5-4-3", "still"
    both = {
        "a8,c1,d1,e1,hand4 o15 gold -",
        "a8,d1,h1,hand5 o15 gold -",
        "a8,e1,g1,hand5 o15 gold -",
        "a8,c1,i1,hand5 o15 gold -",
    }
    assert list_first_edition_ends(two, placing=placing) == both
    assert list_ends(two, "tabula", placing=placing) == both | {"a8,m1,hand5,bar1 o15 gold -"}
    # With nobody in the hand nobody waits for the man who is placed.
    assert list_first_edition_ends("n13,bar2 o15 gold 5-4", placing=placing) == {
        "d1,e1,n13 o15 gold -"
    }


def test_in_the_first_edition_a_man_is_being_placed_only_from_the_hand() -> None:
    known = find_game("tabula", 1).resolve_rules({"placing": "still"})
    placed = "a1,b1,hand13 o15 gold 4 placed=b"
    position = parse_position(placed, known)
    assert format_position(position, known) == placed
    # By 4 another is placed on d, or the one on b goes on to f; the one on a stays.
    assert {format_position(play.end, known) for play in list_legal_plays(known, position)} == {
        "a1,b1,d1,hand12 o15 gold -",
        "a1,f1,hand13 o15 gold -",
    }
    # While one that was hit waits, and with an empty hand, nobody goes on.
    for men in ("a1,b1,hand12,bar1 o15 gold 4", "a1,b14 o15 gold 4", "a1,b13,bar1 o15 gold 4"):
        with expect_refusal("the memory field must be empty in this position, not `placed=b`"):
            parse_position(f"{men} placed=b", known)


def test_a_total_is_refused_for_what_really_stands_in_the_way() -> None:
    # No point is closed on the way, but another man must enter first, or all men must be placed.
    with expect_refusal("bar-l: you have 1 man on the bar, which must enter first"):
        parse_play("bar-l", *build_position("a13,bar2 z15 gold 6-5", "zeno"))
    with expect_refusal(
        "hand-n: you can't pass the middle of the board until all your men have entered"
    ):
        parse_play("hand-n", *build_position("hand15 hand15 gold 6-5-2", "tabula"))
    with expect_refusal("hand-g: you can't move men on the board until all your men have entered"):
        parse_play("hand-g", *build_position("hand15 hand15 gold 6-5-1", "buffa-de-baldrac"))
    with expect_refusal("bar-m: every way there with 5, 4 and 3 is blocked"):
        parse_play("bar-m", *build_position("n13,bar2 g2,h2,i2,o9 gold 5-4-3", "tabula"))


def test_men_may_go_past_m_before_all_are_placed() -> None:
    assert list_ends("m1,hand14 hand15 gold 1", "tabula", placing="anywhere") == {
        "a1,m1,hand13 hand15 gold -",
        "n1,hand14 hand15 gold -",
    }
    # Of 6-5-4 all fifteen may be one man's, to p, which the limit of twelve forbids.
    assert "p1,hand14 hand15 gold -" in list_ends(
        "hand15 hand15 gold 6-5-4", "tabula", placing="anywhere"
    )


def test_a_man_may_go_off_before_all_are_home() -> None:
    early = "a1,y1,off13 hand15 gold 2"
    assert list_ends(early, "tabula") == {"a1,y1,off13 hand15 gold -".replace("a1", "c1")}
    assert list_ends(early, "tabula", home="any") == {
        "c1,y1,off13 hand15 gold -",
        "a1,off14 hand15 gold -",
    }
    # A higher number, by the usual rule, only when none stands farther back;
    # nobody moves past a man on the bar.
    for text, found in (
        ("a1,y1,off13 hand15 gold 3", {"d1,y1,off13 hand15 gold -"}),
        ("w1,y1,off13 hand15 gold 5", {"y1,off14 hand15 gold -"}),
    ):
        assert list_ends(text, "tabula", home="any", bearing="usual") == found
    assert list_ends("y1,bar1,off13 b2,hand13 gold 2", "tabula", home="any") == set()
    with expect_refusal("6:y-off: a 6 can't bear off y while you have a man farther back, on a"):
        parse_play(
            "6:y-off",
            *build_position("a1,y1,off13 g15 gold 6", "tabula", home="any", bearing="usual"),
        )


def test_without_either_limit_a_man_may_go_off_while_others_are_in_the_hand() -> None:
    known, position = build_position(
        "y1,hand13,off1 hand15 gold 2", "tabula", placing="anywhere", home="any"
    )
    assert {play.end.gold[known.board.off] for play in list_legal_plays(known, position)} == {1, 2}


BOUND_ANY = {"sums": "bound", "home": "any"}


def test_a_sum_is_the_exact_number_of_a_man_outside_the_last_table() -> None:
    # From r it is eight points to the edge, with fourteen men farther back.
    usual = {**BOUND_ANY, "bearing": "usual"}
    known, position = build_position("a14,r1 hand15 gold 6-2-1", "tabula", **usual)
    assert format_play(parse_play("6+2:r-off", known, position), known, position) == "r-off"
    with expect_refusal(
        "6+2+1:r-off: a 9 can't bear off r while you have a man farther back, on a"
    ):
        parse_play("6+2+1:r-off", known, position)
    # Where nobody stands farther back, a higher sum bears him off as well.
    assert parse_play("6+2+1:r-off", *build_position("r1,s14 hand15 gold 6-2-1", "tabula", **usual))


def test_nobody_goes_off_past_the_middle_while_men_are_to_enter() -> None:
    # From m it is thirteen points to the edge.
    early = "m1,hand14 hand15 gold 6-6-1"
    for placing, why in (
        ("free", "you can't pass the middle of the board until all your men have entered"),
        ("still", "you can't move men on the board until all your men have entered"),
    ):
        agreed = {**BOUND_ANY, "placing": placing}
        with expect_refusal(f"6+6+1:m-off: {why}"):
            parse_play("6+6+1:m-off", *build_position(early, "tabula", **agreed))
        with expect_refusal(
            "gold has borne men off before all its men have entered", Reason.OFF_EARLY
        ):
            build_position("m1,hand13,off1 hand15 gold -", "tabula", **agreed)
    anywhere = build_position(early, "tabula", **BOUND_ANY, placing="anywhere")
    assert parse_play("6+6+1:m-off", *anywhere)
    # He who has just entered from the bar may go on while another waits, but not that far.
    with expect_refusal(
        "6+6:f-s: you can't pass the middle of the board until all your men have entered"
    ):
        parse_play(
            "6+6:f-s",
            *build_position(
                "f1,bar1,off13 hand15 gold 6-6-1 placed=f", "tabula", **BOUND_ANY, placing="still"
            ),
        )


def test_a_sum_too_high_is_refused_because_of_the_men_to_enter() -> None:
    # From q it is nine points to the edge, and fourteen men have still to enter.
    known, position = build_position(
        "q1,hand14 hand15 gold 6-6-4",
        "tabula",
        **BOUND_ANY,
        bearing="usual",
        placing="anywhere",
    )
    with expect_refusal("6+6:q-off: a 12 can't bear off q while you have a man to enter"):
        parse_play("6+6:q-off", known, position)


def test_the_second_edition_lets_men_go_off_as_it_did() -> None:
    second = find_game("tabula", 2)
    usual = second.resolve_rules({**BOUND_ANY, "bearing": "usual"})
    at = parse_position("a14,r1 hand15 gold 6-2-1", usual)
    assert "r-off" not in {format_play(p.moves, usual, at) for p in list_legal_plays(usual, at)}
    with expect_refusal("6+2:r-off: you can bear off only when all your men are home, and 1 isn't"):
        parse_play("6+2:r-off", usual, parse_position("r1,y14 hand15 gold 6-2-1", usual))
    past = second.resolve_rules(BOUND_ANY)
    at = parse_position("m1,hand14 hand15 gold 6-6-1", past)
    assert any(play.end.gold[past.board.off] == 1 for play in list_legal_plays(past, at))
    assert parse_position("hand14,off1 hand15 gold -", past).gold[past.board.off] == 1
    # All else is the same, so what people did in such a match can still be looked at.
    assert has_newest_rules(second, {"sums": "bound"})
    assert not has_newest_rules(second, BOUND_ANY)
