"""Draws that are offered, and matches that end otherwise than by play."""

from dataclasses import replace

import pytest

from engine.events import (
    Adjudicated,
    Annulled,
    Battled,
    Chosen,
    DrawAgreed,
    DrawDeclined,
    DrawOffered,
    Event,
    Left,
    Passed,
    Played,
    Resigned,
    Seated,
    TakenBack,
    Thrown,
)
from engine.games import GAMES
from engine.match import SIX, Match, Phase, automatic, new_match, replay
from engine.outcome import Outcome
from engine.position import Side
from engine.refusal import Reason
from tests.engine.build import LUDUS, after, play, refused, running, said, settled

GOLD, BLACK = Side.GOLD, Side.BLACK
AGAIN = "you've already offered a draw; you can offer one again after your next throw"
NONE_FOR_BLACK = "you haven't been offered a draw"


def thrown(**options: str) -> Match:
    """Gold has thrown 6-5-2 from the start of Zeno."""
    return after(running("a15 z15 gold -", "zeno", **options), Thrown((6, 5, 2)))


@pytest.mark.parametrize("side", list(Side))
def test_either_side_may_offer_and_the_other_agree_or_decline(side: Side) -> None:
    offered = after(thrown(), DrawOffered(side))
    assert (offered.drawing, offered.phase, offered.turn, offered.version) == (
        side,
        Phase.PLAY,
        GOLD,
        2,
    )
    assert replace(offered, drawing=None, offered=frozenset(), version=1) == thrown()
    agreed = after(offered, DrawAgreed(side.other))
    assert (agreed.phase, agreed.outcome, agreed.drawing) == (
        Phase.OVER,
        Outcome(None, "agreed"),
        None,
    )
    assert said(agreed.outcome, "zeno") == (None, "both sides agreed", 1)
    declined = after(offered, DrawDeclined(side.other))
    assert (declined.phase, declined.drawing, declined.outcome) == (Phase.PLAY, None, None)


def test_nobody_answers_an_offer_of_their_own_or_none() -> None:
    for event in (DrawAgreed(BLACK), DrawDeclined(BLACK)):
        with refused(NONE_FOR_BLACK, Reason.NO_DRAW):
            thrown().apply(event)
        with refused(NONE_FOR_BLACK):
            after(thrown(), DrawOffered(BLACK)).apply(event)
        with refused(NONE_FOR_BLACK):
            after(thrown(), DrawOffered(GOLD), DrawDeclined(BLACK)).apply(event)


def test_who_is_offered_a_draw_offers_none() -> None:
    with refused(
        "you've been offered a draw; accept or decline that one first", Reason.DRAW_STANDS
    ):
        after(thrown(), DrawOffered(GOLD)).apply(DrawOffered(BLACK))
    # Declined, it leaves the other side free to offer one of its own.
    assert (
        after(thrown(), DrawOffered(GOLD), DrawDeclined(BLACK), DrawOffered(BLACK)).drawing is BLACK
    )


def test_no_draw_is_offered_before_a_turn_was_thrown_for() -> None:
    start = new_match(GAMES["twelve-dogs"], {})
    opening = after(start, Battled((6, 5), (2, 1)))
    for match in (start, opening, after(opening, Chosen("table", "af"))):
        with refused("a draw can be offered only after the first throw", Reason.DRAW_EARLY):
            match.apply(DrawOffered(GOLD))


def test_a_throw_of_the_roll_battle_that_is_played_is_a_throw() -> None:
    assert (
        after(new_match(GAMES["backgammon"], {}), Battled((6,), (5,)), DrawOffered(BLACK)).drawing
        is BLACK
    )


def test_an_offer_stands_while_the_side_that_made_it_plays_and_lapses_when_the_other_throws() -> (
    None
):
    offered = after(thrown(), DrawOffered(GOLD))
    played = play(play(offered, "a-g"), "a-f a-c")
    assert (played.turn, played.drawing) == (BLACK, GOLD)
    assert after(played, DrawAgreed(BLACK)).outcome == Outcome(None, "agreed")
    thrown_on = after(played, Thrown((3, 2, 1)))
    assert thrown_on.drawing is None
    with refused(NONE_FOR_BLACK):
        thrown_on.apply(DrawAgreed(BLACK))


def test_an_offer_lapses_when_the_other_side_plays() -> None:
    offered = after(thrown(), DrawOffered(BLACK))
    assert play(offered, "a-g").drawing is None


def test_an_offer_lapses_when_the_other_side_chooses() -> None:
    choosing = after(running("a15 z15 gold -", LUDUS), Thrown((1, 2, 4)))
    assert after(choosing, DrawOffered(BLACK), Chosen(SIX, "1")).drawing is None
    assert after(choosing, DrawOffered(GOLD), Chosen(SIX, "1")).drawing is GOLD


def test_an_offer_lapses_when_numbers_are_left() -> None:
    # After m-s black is offered 5 and 4 (see test_match_choices.py).
    held = after(
        running("m1,z14 a7,q2,r2,x2,y2 gold -", "zeno", unusable="opponent"), Thrown((6, 5, 4))
    )
    offer = after(play(held, "m-s"), DrawOffered(GOLD))
    assert (offer.phase, offer.drawing) == (Phase.OFFER, GOLD)
    assert after(offer, Left()).drawing is None
    assert play(offer, "q-l").drawing is None


def test_an_offer_outlasts_a_turn_that_passes_by_itself() -> None:
    # Black has no way in and misses its turn (see test_match_back.py).
    text = "h1,i1,k1,l1,m1,n2,o2,p2,q2,r2 a8,t1,u1,w1,x1,y1,z1,bar1 gold -"
    offered = after(running(text, LUDUS), Thrown((6, 2, 1)), DrawOffered(GOLD))
    passed = play(offered, "h-o n-p m-n")
    assert automatic(passed) == Passed()
    passed = settled(passed)
    assert (passed.turn, passed.drawing) == (GOLD, GOLD)
    # It stands on after gold's next throw, and so gold makes no other.
    on = after(passed, Thrown((6, 2, 1)))
    assert on.drawing is GOLD
    with refused(AGAIN):
        on.apply(DrawOffered(GOLD))
    assert after(on, DrawAgreed(BLACK)).outcome == Outcome(None, "agreed")


def test_a_side_offers_once_between_its_throws() -> None:
    declined = after(thrown(), DrawOffered(GOLD), DrawDeclined(BLACK))
    with refused(AGAIN, Reason.DRAW_AGAIN):
        declined.apply(DrawOffered(GOLD))
    with refused(AGAIN):
        after(thrown(), DrawOffered(GOLD)).apply(DrawOffered(GOLD))
    black = after(play(declined, "a-g a-f a-c"), Thrown((3, 2, 1)))
    with refused(AGAIN):
        black.apply(DrawOffered(GOLD))
    again = after(play(black, "z-x z-y z-w"), Thrown((3, 2, 1)), DrawOffered(GOLD))
    assert again.drawing is GOLD


def test_both_throwing_answers_whatever_was_offered() -> None:
    # Two tables closed by each side: both throw for who breaks a point.
    contest = replace(thrown(), phase=Phase.CONTEST, due=GOLD, before=None)
    for side in Side:
        assert after(contest, DrawOffered(side), Battled((3, 2, 1), (3, 2, 1))).drawing is None


def test_what_was_said_of_draws_is_not_taken_back() -> None:
    start = thrown()
    moved = play(start, "a-g")
    declined = after(moved, DrawOffered(GOLD), DrawDeclined(BLACK))
    back = after(declined, TakenBack())
    assert (back.position, back.moves, back.drawing) == (start.position, (), None)
    with refused(AGAIN):
        back.apply(DrawOffered(GOLD))
    standing = after(moved, DrawOffered(BLACK), TakenBack())
    assert (standing.position, standing.drawing) == (start.position, BLACK)
    # What lapsed by a play does not stand again without it.
    lapsed = after(play(after(start, DrawOffered(BLACK)), "a-g"), TakenBack())
    assert (lapsed.position, lapsed.drawing) == (start.position, None)
    with refused("you've already offered a draw; you can offer one again after your next throw"):
        lapsed.apply(DrawOffered(BLACK))


def test_a_whole_turn_is_taken_back_over_offers_and_their_answers() -> None:
    match = thrown()
    for event in (DrawOffered(BLACK), DrawDeclined(GOLD)):
        match = after(match, event)
    match = play(match, "a-g")
    match = after(match, DrawOffered(GOLD))
    match = play(match, "a-f a-c")
    back = after(match, TakenBack(whole=True))
    assert (back.position, back.moves, back.drawing) == (thrown().position, (), GOLD)
    assert not back.may_take_back()


def test_nothing_stands_when_a_match_is_over() -> None:
    won = play(
        after(running("z1,off14 a15 gold -", LUDUS), Thrown((6, 5, 4)), DrawOffered(GOLD)), "z-off"
    )
    assert (won.phase, won.drawing) == (Phase.OVER, None)


@pytest.mark.parametrize(("winner", "points"), [(GOLD, 1), (BLACK, 1), (None, 1)])
def test_a_match_is_adjudicated(winner: Side | None, points: int) -> None:
    over = after(thrown(), Adjudicated(winner))
    assert (over.phase, over.position.dice) == (Phase.OVER, ())
    assert said(over.outcome, "zeno") == (winner, "decided by a moderator", points)
    # It may be before anybody has thrown, too.
    assert after(new_match(GAMES["zeno"], {}), Adjudicated(winner)).outcome == over.outcome


def test_an_adjudicated_match_counts_what_its_game_counts() -> None:
    # Black has borne off thirteen, so that its palms are owed two slaps.
    over = running("a15 c2,off13 gold -", "paume-carie-one").apply(Adjudicated(GOLD))
    told = "decided by a moderator, and the losers' palms are owed 2 slaps"
    assert said(over.outcome, "paume-carie-one") == (GOLD, told, 2)
    drawn = running("a15 c2,off13 gold -", "paume-carie-one").apply(Adjudicated(None))
    assert said(drawn.outcome, "paume-carie-one") == (None, "decided by a moderator", 1)


@pytest.mark.parametrize(
    "before", [(), (Resigned(BLACK),), (DrawOffered(GOLD), DrawAgreed(BLACK)), (Adjudicated(None),)]
)
def test_a_match_is_annulled_while_it_goes_on_or_after_its_end_but_once(
    before: tuple[Event, ...],
) -> None:
    annulled = after(thrown(), *before, Annulled())
    assert (annulled.phase, annulled.version) == (Phase.OVER, 2 + len(before))
    assert said(annulled.outcome, "zeno") == (None, "annulled by a moderator", 1)
    with refused("the match is over", Reason.OVER):
        annulled.apply(Annulled())


def test_after_the_end_nothing_is_agreed_or_decided() -> None:
    over = after(thrown(), Resigned(GOLD))
    events = (
        DrawOffered(GOLD),
        DrawDeclined(GOLD),
        DrawAgreed(GOLD),
        Adjudicated(GOLD),
        Seated(GOLD, 0),
    )
    for event in events:
        with refused("the match is over"):
            over.apply(event)


def test_somebody_else_takes_a_seat_of_a_team() -> None:
    team = new_match(GAMES["pyf"], {"players": "2"})
    assert replace(after(team, Seated(BLACK, 1)), version=0) == team
    begun = after(team, Battled((6, 5), (2, 1)), Thrown((6, 5)))
    moved = begun.apply(Played(begun.plays[0].moves[:1]))
    seated = after(moved, Seated(GOLD, 0))
    assert replace(after(seated, TakenBack()), version=begun.version) == begun


@pytest.mark.parametrize(("players", "player"), [("1", 0), ("2", 2), ("2", -1), ("3", 3)])
def test_nobody_else_takes_a_seat_that_is_no_teams(players: str, player: int) -> None:
    with refused("only a team's seat can be handed over", Reason.NO_SEAT):
        new_match(GAMES["pyf"], {"players": players}).apply(Seated(GOLD, player))


def test_replaying_offers_and_decisions_gives_the_same_match() -> None:
    events: list[Event] = [
        Battled((3, 2, 1), (6, 5, 4)),
        Thrown((6, 1, 1)),
        DrawOffered(GOLD),
        DrawDeclined(BLACK),
        DrawOffered(BLACK),
        Adjudicated(BLACK),
        Annulled(),
    ]
    match = after(new_match(GAMES["zeno"], {}), *events)
    assert replay(GAMES["zeno"], {}, events) == match
    assert match.version == 7
