"""The turn machine: the roll battle, throws, turns, teams and the end."""

import pytest

from engine.events import (
    Aborted,
    Battled,
    Event,
    Left,
    Passed,
    Played,
    Resigned,
    SetUp,
    TakenBack,
    Thrown,
    from_record,
    to_record,
)
from engine.games import GAMES
from engine.match import Match, Phase, find_forced_event, new_match, replay_events
from engine.move import Move
from engine.outcome import GameOutcome
from engine.position import Side
from engine.refusal import Reason, Refusal
from tests.engine.build import (
    LUDUS,
    apply_automatic,
    apply_events,
    build_match,
    describe_outcome,
    expect_refusal,
    format_match,
    play_moves,
)

GOLD, BLACK = Side.GOLD, Side.BLACK
GOLD_BEGINS, BLACK_BEGINS = Battled((6, 5, 4), (3, 2, 1)), Battled((3, 2, 1), (6, 5, 4))


def start_match(slug: str, **options: str) -> Match:
    """A match after a roll battle that gold won."""
    return apply_events(new_match(GAMES[slug], options), GOLD_BEGINS)


def test_a_match_begins_with_the_roll_battle() -> None:
    match = new_match(GAMES["zeno"], {})
    assert (match.phase, match.drawn, match.version, format_match(match)) == (
        Phase.BATTLE,
        0,
        0,
        "a15 z15 gold -",
    )
    assert not match.plays
    assert match.list_next_moves() == []


@pytest.mark.parametrize(("battle", "first"), [(GOLD_BEGINS, GOLD), (BLACK_BEGINS, BLACK)])
def test_the_higher_total_begins_with_a_fresh_throw(battle: Battled, first: Side) -> None:
    match = apply_events(new_match(GAMES["zeno"], {}), battle)
    assert (match.phase, match.turn, match.thrown, match.drawn) == (Phase.THROW, first, (), 2)


def test_equal_totals_throw_again() -> None:
    # 6+1+1 and 4+3+1 are eight each, though the dice differ.
    tie = Battled((6, 1, 1), (4, 3, 1))
    match = apply_events(new_match(GAMES["zeno"], {}), tie)
    assert (match.phase, match.battle, match.drawn) == (Phase.BATTLE, (tie,), 2)
    match = apply_events(match, BLACK_BEGINS)
    assert (match.turn, match.battle, match.drawn) == (BLACK, (tie, BLACK_BEGINS), 4)


def test_a_throw_is_played_in_parts_and_then_the_other_side_throws() -> None:
    match = apply_events(start_match("zeno"), Thrown((2, 6, 5)))
    assert (match.phase, match.thrown, match.position.dice) == (Phase.PLAY, (2, 6, 5), (6, 5, 2))
    match = play_moves(match, "a-g")
    assert (match.phase, match.turn, match.position.dice) == (Phase.PLAY, GOLD, (5, 2))
    assert {move.source for move in match.list_next_moves()} == {0, 6}
    match = play_moves(match, "a-f g-i")
    assert (match.phase, match.turn, format_match(match)) == (
        Phase.THROW,
        BLACK,
        "a13,f1,i1 z15 black -",
    )
    assert (match.thrown, match.thrower, len(match.moves)) == ((2, 6, 5), GOLD, 3)


def test_a_throw_that_plays_nothing_passes_by_itself() -> None:
    # Gold enters on a alone; 6-5-4 shows no 1.
    match = apply_events(
        build_match("a14,bar1 b2,c2,d2,e2,f2,z5 gold -", "zeno"), Thrown((6, 5, 4))
    )
    assert find_forced_event(match) == Passed()
    match = apply_automatic(match)
    assert (match.phase, match.turn) == (Phase.THROW, BLACK)


def test_the_only_play_is_made_by_itself() -> None:
    # m+5=r and m+4=q are held, and from m+6=s so are s+5=y and s+4=x.
    match = apply_events(build_match("m1,z14 a7,q2,r2,x2,y2 gold -", "zeno"), Thrown((6, 5, 4)))
    assert find_forced_event(match) == Played((Move(11, 17, 6),), forced=True)
    assert format_match(apply_automatic(match)) == "s1,z14 a7,q2,r2,x2,y2 black -"


def test_a_choice_of_plays_waits() -> None:
    assert find_forced_event(apply_events(start_match("zeno"), Thrown((6, 5, 4)))) is None


def test_plays_that_were_forgotten_are_found_again() -> None:
    match = apply_events(start_match("zeno"), Thrown((6, 5, 4)))
    before = match.plays
    match.forget_plays()
    assert match.plays is not before
    assert list(match.plays) == list(before)


def test_a_side_that_nothing_can_move_misses_its_throw() -> None:
    assert find_forced_event(build_match("a14,bar1 b2,c2,d2,e2,f2,z5 gold -", "zeno")) is None
    shut = build_match("h14,bar1 a2,b2,c2,d2,e2,f2,z3 gold -", "zeno")
    assert find_forced_event(shut) == Passed()
    assert (apply_automatic(shut).turn, apply_automatic(shut).drawn) == (BLACK, 0)


@pytest.mark.parametrize("unusable", ["opponent", "loses"])
def test_where_unusable_numbers_count_they_are_thrown_all_the_same(unusable: str) -> None:
    assert (
        find_forced_event(
            build_match("h14,bar1 a2,b2,c2,d2,e2,f2,z3 gold -", "zeno", unusable=unusable)
        )
        is None
    )


def test_a_side_that_has_won_stops() -> None:
    match = play_moves(
        apply_events(build_match("z1,off14 a15 gold -", LUDUS), Thrown((6, 5, 4))), "z-off"
    )
    assert (match.phase, match.outcome) == (Phase.OVER, GameOutcome(GOLD, "off"))
    assert describe_outcome(match.outcome, LUDUS) == (GOLD, "all men borne off", 1)
    assert format_match(match) == "off15 a15 gold -"
    assert not match.plays
    assert find_forced_event(match) is None


@pytest.mark.parametrize("side", list(Side))
def test_either_side_may_resign_at_any_time(side: Side) -> None:
    for match in (
        new_match(GAMES["zeno"], {}),
        start_match("zeno"),
        apply_events(start_match("zeno"), Thrown((6, 5, 4))),
    ):
        over = apply_events(match, Resigned(side))
        assert over.phase is Phase.OVER
        assert describe_outcome(over.outcome, "zeno") == (side.other, f"{side} resigned", 1)


def test_after_the_end_nothing_more_happens() -> None:
    over = apply_events(start_match("zeno"), Resigned(GOLD))
    events: list[Event] = [
        Thrown((1, 2, 3)),
        Resigned(BLACK),
        TakenBack(),
        Passed(),
        Left(),
        Played(()),
        GOLD_BEGINS,
    ]
    for event in events:
        with expect_refusal("the match is over"):
            over.apply(event)


@pytest.mark.parametrize(
    ("players", "order"),
    [
        ("1", [(GOLD, 0), (BLACK, 0), (GOLD, 0), (BLACK, 0)]),
        ("2", [(GOLD, 0), (GOLD, 1), (BLACK, 0), (BLACK, 1), (GOLD, 0)]),
        ("3", [(GOLD, 0), (GOLD, 1), (GOLD, 2), (BLACK, 0), (BLACK, 1), (BLACK, 2), (GOLD, 0)]),
    ],
)
def test_all_of_one_side_take_their_turns_then_all_of_the_other(
    players: str, order: list[tuple[Side, int]]
) -> None:
    match = start_match("pyf", players=players)
    acted = []
    for _ in order:
        acted.append(match.acting_player)
        match = apply_events(match, Thrown((3, 2, 1)[: match.rules.dice.count]))
        assert match.acting_player == acted[-1]
        while match.phase is Phase.PLAY:
            match = match.apply(Played(match.plays[0].moves))
    assert acted == order
    assert match.rules.dice.count == (3 if players == "1" else 2)


WAITING: list[tuple[Match, str]] = [
    (new_match(GAMES["zeno"], {}), "the opening roll comes first"),
    (start_match("twelve-dogs"), "the starting side has to choose first"),
    (start_match("zeno"), "roll first"),
    (apply_events(start_match(LUDUS), Thrown((1, 2, 4))), "first choose the die to turn to a six"),
    (
        apply_events(start_match("zeno"), Thrown((6, 5, 4))),
        "the dice are rolled; play the throw first",
    ),
    (
        play_moves(
            apply_events(
                build_match("m1,z14 a7,q2,r2,x2,y2 gold -", "zeno", unusable="opponent"),
                Thrown((6, 5, 4)),
            ),
            "m-s",
        ),
        "first use or leave the numbers that your opponent couldn't play",
    ),
]


@pytest.mark.parametrize(("match", "waits"), WAITING)
def test_what_comes_at_the_wrong_time_is_refused_saying_what_is_due(
    match: Match, waits: str
) -> None:
    due = {
        Phase.BATTLE: (Battled,),
        Phase.THROW: (Thrown,),
        Phase.PLAY: (Played,),
        Phase.OFFER: (Played, Left),
        Phase.OPENING: (),
        Phase.CHOOSE: (),
    }[match.phase]
    events: list[Event] = [GOLD_BEGINS, Thrown((3, 2, 1)), Played((Move(0, 1, 1),)), Left()]
    for event in events:
        if not isinstance(event, due):
            with expect_refusal(waits, Reason.WAITS):
                match.apply(event)


@pytest.mark.parametrize(("match", "waits"), WAITING)
def test_a_turn_passes_only_when_nothing_can_be_played(match: Match, waits: str) -> None:
    with expect_refusal("a turn passes only when nothing can be played"):
        match.apply(Passed())


def test_moves_that_waste_a_number_are_refused() -> None:
    match = apply_events(build_match("m1,z14 a13,y2 gold -", "zeno"), Thrown((6, 5, 5)))
    with pytest.raises(Refusal) as refusal:
        match.apply(Played((Move(11, 17, 5),)))  # no such step: m-s takes a 6
    assert refusal.value.reason is Reason.TOO_FEW


def test_a_play_without_a_move_is_refused() -> None:
    with expect_refusal("a play has at least one move"):
        apply_events(start_match("zeno"), Thrown((6, 5, 4))).apply(Played(()))


def test_nothing_can_be_played_beyond_a_win() -> None:
    match = apply_events(build_match("z1,off14 a15 gold -", LUDUS), Thrown((6, 5, 4)))
    with pytest.raises(Refusal):
        match.apply(Played((Move(23, 25, 6), Move(23, 25, 5))))


def test_replaying_the_events_gives_the_same_match() -> None:
    events: list[Event] = [
        BLACK_BEGINS,
        Thrown((6, 1, 1)),
        Played((Move(23, 17, 6),)),
        TakenBack(),
        Resigned(BLACK),
    ]
    match = apply_events(new_match(GAMES["zeno"], {"unusable": "opponent"}), *events)
    assert replay_events(GAMES["zeno"], {"unusable": "opponent"}, events) == match
    assert match.version == 5


def test_a_match_with_an_unknown_option_does_not_begin() -> None:
    with pytest.raises(Refusal):
        new_match(GAMES["zeno"], {"dice": "three"})


def test_a_match_is_left_without_a_result_within_its_first_two_turns() -> None:
    begun = new_match(GAMES["zeno"], {})
    rolled = begun.apply(Battled((6, 5, 4), (1, 1, 1)))
    first = rolled.apply(Thrown((6, 5, 2)))
    second = play_moves(first, "a-g a-f a-c").apply(Thrown((4, 3, 1)))
    for match in (begun, rolled, first, second):
        over = match.apply(Aborted(Side.BLACK))
        assert over.outcome is not None
        assert over.outcome.is_void
        assert (over.outcome.winner, over.outcome.how) == (None, "aborted")
        assert not over.may_abort()
    third = play_moves(second, "z-u z-w z-y").apply(Thrown((2, 2, 1)))
    with pytest.raises(Refusal) as refusal:
        third.apply(Aborted(Side.GOLD))
    assert refusal.value.reason is Reason.ABORT_LATE


def test_a_match_can_begin_in_a_position() -> None:
    match = new_match(GAMES["zeno"], {}).apply(SetUp("a14,g1 y2,z13 black -"))
    assert (match.phase, match.turn, match.drawn, match.version) == (Phase.THROW, BLACK, 0, 1)
    assert format_match(match) == "a14,g1 y2,z13 black -"
    # The first throw of its own is the first of its dice.
    assert match.apply(Thrown((1, 2, 3))).drawn == 1


def test_a_match_can_begin_with_a_throw_that_is_not_of_its_own_dice() -> None:
    match = new_match(GAMES["zeno"], {}).apply(SetUp("a14,g1 z15 gold -", (3, 2, 1)))
    assert (match.phase, match.thrown, match.thrower, match.drawn) == (
        Phase.PLAY,
        (3, 2, 1),
        GOLD,
        0,
    )
    assert match.may_abort()
    # The English game's players turn a die first.
    ludus = new_match(GAMES[LUDUS], {}).apply(SetUp("a15 z15 gold -", (3, 2, 1)))
    assert ludus.phase is Phase.CHOOSE


@pytest.mark.parametrize(
    ("setup", "reason"),
    [
        (SetUp("a14 z15 gold -"), Reason.MEN_COUNT),
        (SetUp("a15 z15 gold 3-2-1"), Reason.DICE),
        (SetUp("a15 z15 gold -", (3, 2)), Reason.DICE),
        (SetUp("a15 z15 gold -", (7, 2, 1)), Reason.DICE),
        (SetUp("z15 g15 gold -"), Reason.OVER),
    ],
)
def test_no_match_begins_where_none_can(setup: SetUp, reason: Reason) -> None:
    with pytest.raises(Refusal) as error:
        new_match(GAMES["zeno"], {}).apply(setup)
    assert error.value.reason is reason


def test_a_match_that_has_begun_is_not_set_up_again() -> None:
    setup = SetUp("a14,g1 z15 gold -")
    tie = Battled((6, 1, 1), (4, 3, 1))
    for first in (setup, tie):
        with pytest.raises(Refusal) as error:
            apply_events(new_match(GAMES["zeno"], {}), first).apply(setup)
        assert error.value.reason is Reason.WAITS


def test_what_a_match_was_set_up_with_is_stored() -> None:
    board = GAMES["zeno"].resolve_rules({}).board
    setup = SetUp("a14,g1 z15 gold -", (3, 2, 1))
    assert to_record(setup, board) == {
        "v": 1,
        "event": "setup",
        "position": "a14,g1 z15 gold -",
        "dice": [3, 2, 1],
    }
    assert from_record(to_record(setup, board), board) == setup
