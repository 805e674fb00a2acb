"""Draws that are offered, and matches that end otherwise than by play."""

from dataclasses import replace

import pytest

from engine.events import (
    Abandoned,
    Aborted,
    Adjudicated,
    Annulled,
    Battled,
    Chosen,
    Concluded,
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
    TimedOut,
)
from engine.games import GAMES
from engine.match import SIX, Match, Phase, find_forced_event, new_match, replay_events
from engine.outcome import GameOutcome
from engine.position import Side
from engine.refusal import Reason
from tests.engine.build import (
    LUDUS,
    apply_automatic,
    apply_events,
    build_match,
    describe_outcome,
    expect_refusal,
    play_moves,
)

GOLD, BLACK = Side.GOLD, Side.BLACK
AGAIN = "you've already offered a draw; you can offer one again after your next throw"
NONE_FOR_BLACK = "you haven't been offered a draw"


def start_with_throw(**options: str) -> Match:
    """Gold has thrown 6-5-2 from the start of Zeno."""
    return apply_events(build_match("a15 z15 gold -", "zeno", **options), Thrown((6, 5, 2)))


@pytest.mark.parametrize("side", list(Side))
def test_either_side_may_offer_and_the_other_agree_or_decline(side: Side) -> None:
    match = apply_events(start_with_throw(), DrawOffered(side))
    assert (match.drawing, match.phase, match.turn, match.version) == (
        side,
        Phase.PLAY,
        GOLD,
        2,
    )
    assert replace(match, drawing=None, offered=frozenset(), version=1) == start_with_throw()
    agreed = apply_events(match, DrawAgreed(side.other))
    assert (agreed.phase, agreed.outcome, agreed.drawing) == (
        Phase.OVER,
        GameOutcome(None, "agreed"),
        None,
    )
    assert describe_outcome(agreed.outcome, "zeno") == (None, "both sides agreed", 1)
    declined = apply_events(match, DrawDeclined(side.other))
    assert (declined.phase, declined.drawing, declined.outcome) == (Phase.PLAY, None, None)


def test_nobody_answers_an_offer_of_their_own_or_none() -> None:
    for event in (DrawAgreed(BLACK), DrawDeclined(BLACK)):
        with expect_refusal(NONE_FOR_BLACK, Reason.NO_DRAW):
            start_with_throw().apply(event)
        with expect_refusal(NONE_FOR_BLACK):
            apply_events(start_with_throw(), DrawOffered(BLACK)).apply(event)
        with expect_refusal(NONE_FOR_BLACK):
            apply_events(start_with_throw(), DrawOffered(GOLD), DrawDeclined(BLACK)).apply(event)


def test_who_is_offered_a_draw_offers_none() -> None:
    with expect_refusal(
        "you've been offered a draw; accept or decline that one first", Reason.DRAW_STANDS
    ):
        apply_events(start_with_throw(), DrawOffered(GOLD)).apply(DrawOffered(BLACK))
    # Declined, it leaves the other side free to offer one of its own.
    assert (
        apply_events(
            start_with_throw(), DrawOffered(GOLD), DrawDeclined(BLACK), DrawOffered(BLACK)
        ).drawing
        is BLACK
    )


def test_no_draw_is_offered_before_a_turn_was_thrown_for() -> None:
    start = new_match(GAMES["twelve-dogs"], {})
    opening = apply_events(start, Battled((6, 5), (2, 1)))
    for match in (start, opening, apply_events(opening, Chosen("table", "af"))):
        with expect_refusal("a draw can be offered only after the first throw", Reason.DRAW_EARLY):
            match.apply(DrawOffered(GOLD))


def test_a_throw_of_the_roll_battle_that_is_played_is_a_throw() -> None:
    assert (
        apply_events(
            new_match(GAMES["backgammon"], {}), Battled((6,), (5,)), DrawOffered(BLACK)
        ).drawing
        is BLACK
    )


def test_an_offer_stands_while_the_side_that_made_it_plays_and_lapses_when_the_other_throws() -> (
    None
):
    match = apply_events(start_with_throw(), DrawOffered(GOLD))
    played = play_moves(play_moves(match, "a-g"), "a-f a-c")
    assert (played.turn, played.drawing) == (BLACK, GOLD)
    assert apply_events(played, DrawAgreed(BLACK)).outcome == GameOutcome(None, "agreed")
    thrown_on = apply_events(played, Thrown((3, 2, 1)))
    assert thrown_on.drawing is None
    with expect_refusal(NONE_FOR_BLACK):
        thrown_on.apply(DrawAgreed(BLACK))


def test_an_offer_lapses_when_the_other_side_plays() -> None:
    match = apply_events(start_with_throw(), DrawOffered(BLACK))
    assert play_moves(match, "a-g").drawing is None


def test_an_offer_lapses_when_the_other_side_chooses() -> None:
    choosing = apply_events(build_match("a15 z15 gold -", LUDUS), Thrown((1, 2, 4)))
    assert apply_events(choosing, DrawOffered(BLACK), Chosen(SIX, "1")).drawing is None
    assert apply_events(choosing, DrawOffered(GOLD), Chosen(SIX, "1")).drawing is GOLD


def test_an_offer_lapses_when_numbers_are_left() -> None:
    # After m-s black is offered 5 and 4 (see test_match_choices.py).
    held = apply_events(
        build_match("m1,z14 a7,q2,r2,x2,y2 gold -", "zeno", unusable="opponent"), Thrown((6, 5, 4))
    )
    offer = apply_events(play_moves(held, "m-s"), DrawOffered(GOLD))
    assert (offer.phase, offer.drawing) == (Phase.OFFER, GOLD)
    assert apply_events(offer, Left()).drawing is None
    assert play_moves(offer, "q-l").drawing is None


def test_an_offer_outlasts_a_turn_that_passes_by_itself() -> None:
    # Black has no way in and misses its turn (see test_match_back.py).
    text = "h1,i1,k1,l1,m1,n2,o2,p2,q2,r2 a8,t1,u1,w1,x1,y1,z1,bar1 gold -"
    match = apply_events(build_match(text, LUDUS), Thrown((6, 2, 1)), DrawOffered(GOLD))
    passed = play_moves(match, "h-o n-p m-n")
    assert find_forced_event(passed) == Passed()
    passed = apply_automatic(passed)
    assert (passed.turn, passed.drawing) == (GOLD, GOLD)
    # It stands on after gold's next throw, and so gold makes no other.
    on = apply_events(passed, Thrown((6, 2, 1)))
    assert on.drawing is GOLD
    with expect_refusal(AGAIN):
        on.apply(DrawOffered(GOLD))
    assert apply_events(on, DrawAgreed(BLACK)).outcome == GameOutcome(None, "agreed")


def test_a_side_offers_once_between_its_throws() -> None:
    declined = apply_events(start_with_throw(), DrawOffered(GOLD), DrawDeclined(BLACK))
    with expect_refusal(AGAIN, Reason.DRAW_AGAIN):
        declined.apply(DrawOffered(GOLD))
    with expect_refusal(AGAIN):
        apply_events(start_with_throw(), DrawOffered(GOLD)).apply(DrawOffered(GOLD))
    black = apply_events(play_moves(declined, "a-g a-f a-c"), Thrown((3, 2, 1)))
    with expect_refusal(AGAIN):
        black.apply(DrawOffered(GOLD))
    again = apply_events(play_moves(black, "z-x z-y z-w"), Thrown((3, 2, 1)), DrawOffered(GOLD))
    assert again.drawing is GOLD


def test_both_throwing_answers_whatever_was_offered() -> None:
    # Two tables closed by each side: both throw for who breaks a point.
    rolling = replace(start_with_throw(), phase=Phase.BREAK_ROLL, due=GOLD, before=None)
    for side in Side:
        assert (
            apply_events(rolling, DrawOffered(side), Battled((3, 2, 1), (3, 2, 1))).drawing is None
        )


def test_what_was_said_of_draws_is_not_taken_back() -> None:
    start = start_with_throw()
    moved = play_moves(start, "a-g")
    declined = apply_events(moved, DrawOffered(GOLD), DrawDeclined(BLACK))
    back = apply_events(declined, TakenBack())
    assert (back.position, back.moves, back.drawing) == (start.position, (), None)
    with expect_refusal(AGAIN):
        back.apply(DrawOffered(GOLD))
    standing = apply_events(moved, DrawOffered(BLACK), TakenBack())
    assert (standing.position, standing.drawing) == (start.position, BLACK)
    # What lapsed by a play does not stand again without it.
    lapsed = apply_events(play_moves(apply_events(start, DrawOffered(BLACK)), "a-g"), TakenBack())
    assert (lapsed.position, lapsed.drawing) == (start.position, None)
    with expect_refusal(
        "you've already offered a draw; you can offer one again after your next throw"
    ):
        lapsed.apply(DrawOffered(BLACK))


def test_a_whole_turn_is_taken_back_over_offers_and_their_answers() -> None:
    match = start_with_throw()
    for event in (DrawOffered(BLACK), DrawDeclined(GOLD)):
        match = apply_events(match, event)
    match = play_moves(match, "a-g")
    match = apply_events(match, DrawOffered(GOLD))
    match = play_moves(match, "a-f a-c")
    back = apply_events(match, TakenBack(whole=True))
    assert (back.position, back.moves, back.drawing) == (start_with_throw().position, (), GOLD)
    assert not back.may_take_back()


def test_nothing_stands_when_a_match_is_over() -> None:
    won = play_moves(
        apply_events(
            build_match("z1,off14 a15 gold -", LUDUS), Thrown((6, 5, 4)), DrawOffered(GOLD)
        ),
        "z-off",
    )
    assert (won.phase, won.drawing) == (Phase.OVER, None)


@pytest.mark.parametrize(("winner", "points"), [(GOLD, 1), (BLACK, 1), (None, 1)])
def test_a_match_is_adjudicated(winner: Side | None, points: int) -> None:
    over = apply_events(start_with_throw(), Adjudicated(winner))
    assert (over.phase, over.position.dice) == (Phase.OVER, ())
    assert describe_outcome(over.outcome, "zeno") == (winner, "decided by a moderator", points)
    # It may be before anybody has thrown, too.
    assert apply_events(new_match(GAMES["zeno"], {}), Adjudicated(winner)).outcome == over.outcome


def test_an_adjudicated_match_counts_what_its_game_counts() -> None:
    # Black has borne off thirteen, so that its palms are owed two slaps.
    over = build_match("a15 c2,off13 gold -", "paume-carie-one").apply(Adjudicated(GOLD))
    text = "decided by a moderator, and the losers' palms are owed 2 slaps"
    assert describe_outcome(over.outcome, "paume-carie-one") == (GOLD, text, 2)
    drawn = build_match("a15 c2,off13 gold -", "paume-carie-one").apply(Adjudicated(None))
    assert describe_outcome(drawn.outcome, "paume-carie-one") == (None, "decided by a moderator", 1)


@pytest.mark.parametrize(
    ("event", "winner", "text"),
    [
        (Concluded(GOLD, forfeited=True), GOLD, "black forfeited"),
        (Concluded(BLACK, forfeited=True), BLACK, "gold forfeited"),
        (Concluded(None, forfeited=True), None, "neither side played in time"),
        (Concluded(GOLD, forfeited=False), GOLD, "decided at the deadline"),
        (Concluded(BLACK, forfeited=False), BLACK, "decided at the deadline"),
        (Concluded(None, forfeited=False), None, "decided at the deadline"),
    ],
)
def test_a_match_is_concluded_by_its_contest(
    event: Concluded, winner: Side | None, text: str
) -> None:
    over = apply_events(start_with_throw(), DrawOffered(BLACK), event)
    assert (over.phase, over.position.dice, over.drawing) == (Phase.OVER, (), None)
    assert describe_outcome(over.outcome, "zeno") == (winner, text, 1)
    # It may be before anybody has thrown, too.
    assert apply_events(new_match(GAMES["zeno"], {}), event).outcome == over.outcome


def test_a_concluded_match_counts_what_its_game_counts() -> None:
    # Black has borne off thirteen, so that its palms are owed two slaps.
    before = build_match("a15 c2,off13 gold -", "paume-carie-one")
    slaps = "and the losers' palms are owed 2 slaps"
    for forfeited, text in (
        (True, "black forfeited"),
        (False, "decided at the deadline"),
    ):
        over = before.apply(Concluded(GOLD, forfeited))
        assert describe_outcome(over.outcome, "paume-carie-one") == (GOLD, f"{text}, {slaps}", 2)
    neither = before.apply(Concluded(None, forfeited=True)).outcome
    text = "neither side played in time"
    assert describe_outcome(neither, "paume-carie-one") == (None, text, 1)


@pytest.mark.parametrize(
    ("event", "is_void", "is_rateable"),
    [
        (Abandoned(), True, False),
        (Aborted(GOLD), True, False),
        (Annulled(), True, False),
        # A forfeit counts in its contest, so it is not void.
        (Concluded(GOLD, forfeited=True), False, False),
        (Concluded(None, forfeited=True), False, False),
        (Concluded(GOLD, forfeited=False), False, True),
        (Concluded(None, forfeited=False), False, True),
        (Adjudicated(None), False, True),
        (TimedOut(BLACK), False, True),
        (Resigned(BLACK), False, True),
    ],
)
def test_only_what_counts_and_was_played_can_be_rated(
    event: Event, is_void: bool, is_rateable: bool
) -> None:
    outcome = apply_events(start_with_throw(), event).outcome
    assert outcome is not None
    assert (outcome.is_void, outcome.is_rateable) == (is_void, is_rateable)


@pytest.mark.parametrize(
    "before",
    [
        (),
        (Resigned(BLACK),),
        (DrawOffered(GOLD), DrawAgreed(BLACK)),
        (Adjudicated(None),),
        (Concluded(GOLD, forfeited=True),),
    ],
)
def test_a_match_is_annulled_while_it_goes_on_or_after_its_end_but_once(
    before: tuple[Event, ...],
) -> None:
    annulled = apply_events(start_with_throw(), *before, Annulled())
    assert (annulled.phase, annulled.version) == (Phase.OVER, 2 + len(before))
    assert describe_outcome(annulled.outcome, "zeno") == (None, "annulled", 1)
    with expect_refusal("the match is over", Reason.OVER):
        annulled.apply(Annulled())


def test_after_the_end_nothing_is_agreed_or_decided() -> None:
    over = apply_events(start_with_throw(), Resigned(GOLD))
    events = (
        DrawOffered(GOLD),
        DrawDeclined(GOLD),
        DrawAgreed(GOLD),
        Adjudicated(GOLD),
        Concluded(GOLD, forfeited=False),
        Concluded(None, forfeited=True),
        Seated(GOLD, 0),
    )
    for event in events:
        with expect_refusal("the match is over"):
            over.apply(event)


def test_somebody_else_takes_a_seat_of_a_team() -> None:
    team = new_match(GAMES["pyf"], {"players": "2"})
    assert replace(apply_events(team, Seated(BLACK, 1)), version=0) == team
    match = apply_events(team, Battled((6, 5), (2, 1)), Thrown((6, 5)))
    moved = match.apply(Played(match.plays[0].moves[:1]))
    seated = apply_events(moved, Seated(GOLD, 0))
    assert replace(apply_events(seated, TakenBack()), version=match.version) == match


@pytest.mark.parametrize(("players", "player"), [("1", 0), ("2", 2), ("2", -1), ("3", 3)])
def test_nobody_else_takes_a_seat_that_is_no_teams(players: str, player: int) -> None:
    with expect_refusal("only a team's seat can be handed over", Reason.NO_SEAT):
        new_match(GAMES["pyf"], {"players": players}).apply(Seated(GOLD, player))


def test_replaying_offers_and_decisions_gives_the_same_match() -> None:
    events: list[Event] = [
        Battled((3, 2, 1), (6, 5, 4)),
        Thrown((6, 1, 1)),
        DrawOffered(GOLD),
        DrawDeclined(BLACK),
        DrawOffered(BLACK),
        Concluded(BLACK, forfeited=False),
        Annulled(),
    ]
    match = apply_events(new_match(GAMES["zeno"], {}), *events)
    assert replay_events(GAMES["zeno"], {}, events) == match
    assert match.version == 7
