"""Ends found without trying every order of moves: the same as by trying them all."""

from random import Random

import pytest

from engine.games import GAMES
from engine.match import Phase, apply_unchecked, new_match
from engine.move import Move
from engine.playout import choose_event
from engine.plays import Play, list_legal_plays, search_plays
from engine.position import Position, Side
from engine.rules import Rules
from engine.search.bitboards import build_bitboards
from engine.search.state import State, unpack_position
from tests.engine.build import LUDUS, build_position, list_ends, make_rules

ANY_ORDER = sorted(
    slug for slug, game in GAMES.items() if build_bitboards(game.rules, Side.GOLD).any_order
)


def search_every_order(known: Rules, position: Position) -> list[Play]:
    """Return the plays of a throw by walking all ways of the search, with the first to each end."""
    root, ways = search_plays(known, position)
    found: dict[State, tuple[Move, ...]] = {}

    def walk(state: State, moves: tuple[Move, ...]) -> None:
        if not ways.get(state):
            found.setdefault(state, moves)
        for move, after in ways.get(state, ()):
            walk(after, (*moves, move))

    walk(root, ())
    found.pop(root, None)
    return [
        Play(moves, unpack_position(state, position.turn, len(known.board.place_names)))
        for state, moves in found.items()
    ]


def test_it_is_left_to_the_full_search_where_order_matters() -> None:
    assert {"backgammon", "zeno", "todas-tablas", "tabula", LUDUS} <= set(ANY_ORDER)
    # Figures, jan and full tables are judged after every move.
    assert not {"verquere", "swedish-tables", "twelve-dogs"} & set(ANY_ORDER)
    # Men return to a point of the board; men need not enter where no number left lets them;
    # sums take two numbers.
    assert not build_bitboards(make_rules("fallas", hit="start-point"), Side.GOLD).any_order
    assert not build_bitboards(make_rules("quinze-tablas", limit="two"), Side.GOLD).any_order
    assert not build_bitboards(make_rules("tabula", sums="bound"), Side.GOLD).any_order


@pytest.mark.parametrize("slug", ANY_ORDER)
def test_the_plays_are_those_of_every_order_and_come_in_the_same_order(slug: str) -> None:
    chance = Random(slug)
    match = new_match(GAMES[slug], {})
    compared = 0
    while match.phase is not Phase.OVER and compared < 40:
        if match.phase is Phase.PLAY:
            assert list(match.plays) == search_every_order(match.rules, match.position)
            compared += 1
        match = apply_unchecked(match, choose_event(match, chance))
    assert compared > 5


def test_it_matters_whether_a_man_is_hit_before_a_blockade_stands_or_after() -> None:
    # Two sixes, l-r and m-s, make six points in a row;
    # t-u hits, and counts where they stand by then.
    men = "a2,n2,o2,p2,q2,r2,s2,u1 z14,bar1 gold -"
    found = list_ends("a2,l1,m1,n2,o2,p2,q2,r1,s1,t1 u1,z14 gold 6-6-1", "emperador")
    assert {text for text in found if text.startswith(men)} == {men, f"{men} gold-hits=1"}


def test_a_blockade_may_be_closed_by_two_men_before_the_third_hits_from_behind_it() -> None:
    # Two sixes, h-o and i-p, make six points in a row;
    # a one, t-u, hits, and counts where they stand by then.
    men = "a2,n2,o2,p2,q2,r2,s2,u1 z14,bar1"
    found = list_ends("a2,h1,i1,n2,o1,p1,q2,r2,s2,t1 u1,z14 gold 6-6-1", "emperador")
    assert {text for text in found if text.startswith(men)} == {
        f"{men} gold -",
        f"{men} gold - gold-hits=1",
    }


def test_two_men_who_land_on_the_same_blot_come_to_the_same() -> None:
    # a-d and b-d, whichever hits; or one of them hits and the other number goes elsewhere.
    assert list_ends("a1,b1,m13 d1,x2,y12 gold 3-2", "zeno") >= {"d2,m13 x2,y12,bar1 gold -"}
    plays = list_legal_plays(*build_position("a1,b1,m13 d1,x2,y12 gold 3-2", "zeno"))
    both = [play.moves for play in plays if play.end.gold[3] == 2]
    assert both == [(Move(0, 3, 3, hit=True), Move(1, 3, 2))]


def test_of_plays_that_use_fewer_numbers_all_are_found() -> None:
    # b is shut in; 6 moves m or o, and nothing moves by 5 before or after:
    # m-r, o-t, s-y are closed, u-z is too far.
    held = "a5,g2,h2,r2,t2,y2"
    assert list_ends(f"b1,m1,o1,z12 {held} gold 6-5", "zeno") == {
        f"b1,o1,s1,z12 {held} gold 5",
        f"b1,m1,u1,z12 {held} gold 5",
    }


def test_a_man_whom_the_higher_number_could_not_move_goes_on_by_it_after_the_lower() -> None:
    # a-g is closed; the 6 moves l-r and m-s, the 3 a-d, l-o and m-p,
    # and only a man already moved goes on from d or r.
    assert list_ends("a1,l1,m1,z12 g2,y13 gold 6-3", "zeno") == {
        "d1,l1,s1,z12 g2,y13 gold -",
        "a1,o1,s1,z12 g2,y13 gold -",
        "a1,l1,w1,z12 g2,y13 gold -",
        "d1,m1,r1,z12 g2,y13 gold -",
        "a1,p1,r1,z12 g2,y13 gold -",
        "a1,m1,u1,z12 g2,y13 gold -",
        "k1,l1,m1,z12 g2,y13 gold -",
    }


def test_a_tie_ends_the_game_where_numbers_are_left() -> None:
    # No 6 can be played: gold's men on the bar find f held.
    # Of the ones only y-z closes black's last entry point.
    black = "a2,b2,c2,d2,e2,f2,bar1,off2"
    assert list_ends(f"t2,u2,w2,x2,y3,z1,bar3 {black} gold 6-1", "medio-emperador") == {
        f"t1,u3,w2,x2,y3,z1,bar3 {black} gold 6",
        f"t2,u1,w3,x2,y3,z1,bar3 {black} gold 6",
        f"t2,u2,w1,x3,y3,z1,bar3 {black} gold 6",
        f"t2,u2,w2,x1,y4,z1,bar3 {black} gold 6",
        f"t2,u2,w2,x2,y2,z2,bar3 {black} gold -",
    }
