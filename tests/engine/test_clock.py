"""Clocks: reckoned by hand, and held to what must hold however the instants fall."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import clock as clocks
from engine.clock import DAY, HOUR, MINUTE, SECOND, Clock, ClockStop, Pace, parse_pace
from engine.events import (
    Abandoned,
    Battled,
    Event,
    Granted,
    Played,
    Resigned,
    Seated,
    TakenBack,
    Thrown,
    TimedOut,
    from_record,
    to_record,
)
from engine.games import GAMES
from engine.match import Match, new_match
from engine.notation import parse_play
from engine.position import Side
from engine.refusal import Refusal
from tests.engine.build import expect_refusal

DAYS = parse_pace("day")
GAME = GAMES["irish"]


def replay_clock(
    pace: Pace, happened: Sequence[tuple[Event, int]], stops: Sequence[ClockStop] = ()
) -> tuple[Clock, Match]:
    """The clock and the match after events at instants."""
    match = new_match(GAME, {})
    clock = clocks.start_clock(pace, match, 0)
    for event, at in happened:
        match = match.apply(event)
        clock = clocks.advance_clock(clock, event, match, at, stops)
    return clock, match


def build_play(match: Match, text: str) -> Played:
    return Played(parse_play(text, match.rules, match.position, match.duty))


FIRST: list[tuple[Event, int]] = [(Battled((6,), (2,)), 0)]


@pytest.mark.parametrize(
    ("typed", "pace"),
    [
        ("none", Pace("none")),
        ("live", Pace("live", turn=600 * SECOND)),
        ("Three days", Pace("three-days", turn=72 * HOUR)),
        ("30m+20s", Pace("30m+20s", bank=1800 * SECOND, increment=20 * SECOND)),
        ("2d + 0s", Pace("2d+0s", bank=2 * DAY)),
    ],
)
def test_a_pace_is_read_as_it_is_typed(typed: str, pace: Pace) -> None:
    assert parse_pace(typed) == pace
    assert parse_pace(pace.name) == pace


@pytest.mark.parametrize("typed", ["", "fast", "0m+5s", "30+20", "31d+1s", "1s+31d", "30m"])
def test_what_is_no_pace_is_refused(typed: str) -> None:
    known = "`none`, `live`, `day`, `three-days` or `week`"
    sentence = (
        f"there's no pace `{typed}`; choose {known}, or type the time for the match and the time "
        "added each turn, such as `30m+20s`"
    )
    with expect_refusal(sentence):
        parse_pace(typed)


def test_a_match_is_slow_that_gives_days() -> None:
    assert [parse_pace(name).is_slow for name in ("none", "live", "23h+9h", "day", "1d+0s")] == [
        False
    ] * 3 + [True] * 2


def test_nobody_s_time_runs_without_a_limit_nor_before_the_roll_battle() -> None:
    free, match = replay_clock(parse_pace("none"), FIRST)
    assert (
        clocks.find_timeout(free, ())
        is clocks.find_reminder_time(free, ())
        is clocks.find_expiry(free, ())
        is None
    )
    assert not free.pace.is_limited
    assert clocks.find_timeout(clocks.start_clock(DAYS, new_match(GAME, {}), 0), ()) is None
    over = clocks.advance_clock(free, Resigned(Side.GOLD), match.apply(Resigned(Side.GOLD)), 5, ())
    assert clocks.find_timeout(over, ()) is None


def test_a_turn_has_its_time_however_much_is_done_in_it() -> None:
    at = 100
    clock, match = replay_clock(DAYS, [(Battled((6,), (2,)), at)])
    assert clocks.find_timeout(clock, ()) == at + DAY
    assert clocks.find_reminder_time(clock, ()) == at + DAY - 3 * HOUR
    assert clocks.find_expiry(clock, ()) == at + 2 * DAY
    thrown, _ = replay_clock(DAYS, [(Battled((6,), (2,)), at), (Thrown((6, 1)), at + HOUR)])
    assert clocks.find_timeout(thrown, ()) == at + DAY
    # A match that is over has no clock any more.
    over = clocks.advance_clock(
        clock, TimedOut(Side.GOLD), match.apply(TimedOut(Side.GOLD)), at + DAY, ()
    )
    assert clocks.find_expiry(over, ()) is None


def build_turn(at: int) -> list[tuple[Event, int]]:
    """Return a turn in which gold, which begins, throws 3-1 and makes its five point.

    It throws an hour, and plays two hours, after it may.
    """
    _, match = replay_clock(DAYS, [*FIRST, (Thrown((3, 1)), at)])
    return [*FIRST, (Thrown((3, 1)), at), (build_play(match, "8/5 6/5"), at + HOUR)]


def test_the_next_turn_has_its_own_time_and_a_turn_taken_back_what_was_left() -> None:
    happened = build_turn(2 * HOUR)
    black, _ = replay_clock(DAYS, happened)
    assert black.turn is not None
    assert black.turn[1] is Side.BLACK
    assert clocks.find_timeout(black, ()) == 3 * HOUR + DAY
    # Gold has used three hours of the day, and takes back after black has thought for ten.
    back, _ = replay_clock(DAYS, [*happened, (TakenBack(), 13 * HOUR)])
    assert clocks.compute_time_left(back, 13 * HOUR, ()) == 21 * HOUR
    assert clocks.find_timeout(back, ()) == 34 * HOUR


def test_a_bank_keeps_what_a_turn_leaves_and_gains_what_it_adds() -> None:
    pace = parse_pace("6h+10m")
    happened = build_turn(2 * HOUR)
    after, _ = replay_clock(pace, happened)
    # Gold used three hours of six, and black's are whole.
    assert after.banks == (3 * HOUR + 10 * MINUTE, 6 * HOUR)
    assert clocks.find_timeout(after, ()) == 9 * HOUR
    assert clocks.find_expiry(after, ()) == 15 * HOUR
    # What is taken back has gained nothing.
    back, _ = replay_clock(pace, [*happened, (TakenBack(), 4 * HOUR)])
    assert (back.banks, clocks.compute_time_left(back, 4 * HOUR, ())) == (
        (6 * HOUR, 6 * HOUR),
        3 * HOUR,
    )
    # Who plays when the time is over, unclaimed, has an empty bank.
    late, _ = replay_clock(pace, build_turn(7 * HOUR))
    assert late.banks[0] == 10 * MINUTE


def test_each_side_s_turns_use_its_own_bank() -> None:
    pace = parse_pace("6h+10m")
    happened = [*build_turn(2 * HOUR), (Thrown((6, 1)), 3 * HOUR)]
    _, match = replay_clock(pace, happened)
    again, _ = replay_clock(pace, [*happened, (Played(match.plays[0].moves), 4 * HOUR)])
    # Gold has used three hours of its six, and black one.
    assert again.banks == (3 * HOUR + 10 * MINUTE, 5 * HOUR + 10 * MINUTE)
    assert again.turn is not None
    assert again.turn[1] is Side.GOLD
    assert clocks.find_timeout(again, ()) == 7 * HOUR + 10 * MINUTE


def test_time_granted_is_a_turn_s_or_a_tenth_of_the_bank() -> None:
    granted, _ = replay_clock(DAYS, [*FIRST, (Granted(), 30 * HOUR)])
    assert clocks.find_timeout(granted, ()) == 30 * HOUR + DAY
    bank, _ = replay_clock(parse_pace("10h+0s"), [*FIRST, (Granted(), 30 * HOUR)])
    assert clocks.find_timeout(bank, ()) == 31 * HOUR


def test_time_stands_still_while_nobody_could_act_or_the_player_was_away() -> None:
    clock, _ = replay_clock(DAYS, FIRST)
    out = [ClockStop(2 * HOUR, 5 * HOUR)]
    assert clocks.find_timeout(clock, out) == DAY + 3 * HOUR
    assert clocks.compute_time_left(clock, 4 * HOUR, out) == 22 * HOUR
    assert clocks.compute_time_left(clock, HOUR, out) == 23 * HOUR
    assert clocks.find_timeout(clock, [ClockStop(2 * HOUR, 5 * HOUR, Side.GOLD)]) == DAY + 3 * HOUR
    # Somebody else's absence, and what was over before, do not count.
    assert clocks.find_timeout(clock, [ClockStop(2 * HOUR, 5 * HOUR, Side.BLACK)]) == DAY
    assert clocks.find_timeout(clock, [ClockStop(-9 * HOUR, -5 * HOUR)]) == DAY
    # Nor what begins when the time has run out.
    assert clocks.find_timeout(clock, [ClockStop(25 * HOUR, 90 * HOUR)]) == DAY


def test_whoever_would_have_run_out_while_nobody_could_act_is_given_fresh_time() -> None:
    clock, _ = replay_clock(DAYS, FIRST)
    night = [ClockStop(20 * HOUR, 30 * HOUR)]
    assert clocks.find_timeout(clock, night) == 30 * HOUR + DAY
    # One's own absence only stops the clock.
    assert clocks.find_timeout(clock, [ClockStop(20 * HOUR, 30 * HOUR, Side.GOLD)]) == 34 * HOUR
    # Who was out of time before it stays so, but is not ended while nobody could claim.
    late = [ClockStop(25 * HOUR, 60 * HOUR)]
    assert clocks.find_timeout(clock, late) == DAY
    assert clocks.find_expiry(clock, late) == 2 * DAY + 35 * HOUR


def test_stops_may_overlap() -> None:
    clock, _ = replay_clock(DAYS, FIRST)
    stops = [
        ClockStop(HOUR, 10 * HOUR, Side.GOLD),
        ClockStop(5 * HOUR, 7 * HOUR),
        ClockStop(8 * HOUR, 12 * HOUR),
    ]
    assert clocks.find_timeout(clock, stops) == DAY + 11 * HOUR


def test_a_clock_set_back_gives_no_time() -> None:
    clock, _ = replay_clock(DAYS, [(Battled((6,), (2,)), 10 * HOUR), (Thrown((3, 1)), 2 * HOUR)])
    assert clocks.find_timeout(clock, ()) == 34 * HOUR


def test_nobody_s_time_runs_out_before_a_stop_ends_that_lasts() -> None:
    clock, _ = replay_clock(DAYS, FIRST)
    lasting = [ClockStop(10 * HOUR, clocks.NEVER)]
    assert clocks.find_timeout(clock, lasting) is None
    assert clocks.find_reminder_time(clock, lasting) is clocks.find_expiry(clock, lasting) is None
    assert clocks.compute_time_left(clock, 12 * HOUR, lasting) == 14 * HOUR
    # Whose time would have run out by then has a whole turn.
    assert clocks.compute_time_left(clock, 12 * DAY, lasting) == DAY
    # Out of time before it began is out of time.
    late = [ClockStop(25 * HOUR, clocks.NEVER)]
    assert clocks.find_timeout(clock, late) == DAY
    assert clocks.find_expiry(clock, late) is None


instants = st.integers(0, 40 * HOUR)
stops = st.lists(
    st.builds(
        lambda began, lasted, side: ClockStop(began, began + lasted, side),
        instants,
        st.integers(1, 30 * HOUR),
        st.sampled_from([None, Side.GOLD, Side.BLACK]),
    ),
    max_size=5,
).map(lambda found: sorted(found, key=lambda stop: stop.began))
paces = st.sampled_from([DAYS, parse_pace("live"), parse_pace("6h+1m")])


@given(pace=paces, stops=stops, seconds=st.integers(1, 10**6))
def test_time_runs_out_when_none_is_left(pace: Pace, stops: list[ClockStop], seconds: int) -> None:
    clock, _ = replay_clock(pace, FIRST)
    out = clocks.find_timeout(clock, stops)
    assert out is not None
    assert clocks.compute_time_left(clock, out, stops) == 0
    assert clocks.compute_time_left(clock, out - 1, stops) >= 0
    reminded, ended = clocks.find_reminder_time(clock, stops), clocks.find_expiry(clock, stops)
    assert reminded is not None
    assert ended is not None
    assert reminded <= out < ended
    # Stops only ever give time.
    assert out >= (pace.turn or pace.bank)


@given(pace=paces, stops=stops, first=instants, second=instants)
def test_looking_at_a_clock_between_changes_nothing(
    pace: Pace, stops: list[ClockStop], first: int, second: int
) -> None:
    # A throw in the midst of a turn is not an instant from which anything is reckoned again.
    early, late = sorted((first, second))
    _, match = replay_clock(pace, [*FIRST, (Thrown((3, 1)), early)])
    turn: list[tuple[Event, int]] = [(Thrown((3, 1)), early), (build_play(match, "8/5 6/5"), late)]
    at_once: list[tuple[Event, int]] = [
        (Thrown((3, 1)), late),
        (build_play(match, "8/5 6/5"), late),
    ]
    assert (
        replay_clock(pace, [*FIRST, *turn], stops)[0]
        == replay_clock(pace, [*FIRST, *at_once], stops)[0]
    )


@pytest.mark.parametrize("event", [Granted(), TimedOut(Side.BLACK)])
def test_a_record_keeps_what_befell_the_clock(event: Event) -> None:
    board = GAME.rules.board
    assert from_record(to_record(event, board), board) == event


def test_a_side_that_is_out_of_time_has_lost_and_a_grant_changes_nothing_else() -> None:
    _, match = replay_clock(DAYS, FIRST)
    over = match.apply(TimedOut(Side.GOLD))
    assert over.outcome is not None
    assert (over.outcome.winner, over.outcome.how) == (Side.BLACK, "timed-out")
    granted = match.apply(Granted())
    assert (granted.version, granted.position, granted.phase) == (
        match.version + 1,
        match.position,
        match.phase,
    )


def test_a_match_that_nobody_touched_counts_for_nothing() -> None:
    _, match = replay_clock(DAYS, FIRST)
    over = match.apply(Abandoned())
    assert over.outcome is not None
    assert (over.outcome.winner, over.outcome.is_void) == (None, True)
    resigned = match.apply(Resigned(Side.GOLD)).outcome
    assert resigned is not None
    assert not resigned.is_void


def test_whoever_takes_a_seat_in_the_midst_of_a_turn_has_a_turn_s_time() -> None:
    battle = Battled((6, 1, 1), (2, 1, 1))
    before = new_match(GAMES["pyf"], {"players": "2"})
    match = before.apply(battle)
    clock = clocks.advance_clock(clocks.start_clock(DAYS, before, 0), battle, match, 0, ())
    assert clock.turn is not None
    _, side, player = clock.turn
    late = 23 * HOUR
    taken = clocks.advance_clock(
        clock, Seated(side, player), match.apply(Seated(side, player)), late, ()
    )
    assert clocks.find_timeout(taken, ()) == late + DAY
    # Another's seat has nothing to do with this turn.
    other = clocks.advance_clock(
        clock, Seated(side.other, player), match.apply(Seated(side.other, player)), late, ()
    )
    assert clocks.find_timeout(other, ()) == DAY


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("1d", "day"),
        ("24h", "day"),
        ("1 day", "day"),
        ("1 Day a turn", "day"),
        ("24 hours per turn", "day"),
        ("3 days", "three-days"),
        ("Three Days", "three-days"),
        ("three\u2013days", "three-days"),
        ("72h", "three-days"),
        ("1 week", "week"),
        ("7d", "week"),
        ("10 min", "live"),
        ("no time limit", "none"),
        ("5d\uff0b12h", "5d+12h"),
        ("5 d + 12 h", "5d+12h"),
        ("5 days + 12 hours", "5d+12h"),
        ("30\u00a0m\u00a0+\u00a020\u00a0s", "30m+20s"),
        ("1w+1d", "1w+1d"),
        ("\u0663\u0660m+\u0662\u0660s", "30m+20s"),
        ("030m+020s", "30m+20s"),
    ],
)
def test_a_pace_is_read_however_it_is_typed(typed: str, name: str) -> None:
    pace = parse_pace(typed)
    assert pace.name == name
    assert parse_pace(pace.name) == pace


@pytest.mark.parametrize(
    "typed", ["2 days", "0d", "0m+5s", "1 mo", "5 sin", "day+day", "1d+", "31d+1s", "1m+5w"]
)
def test_what_looks_like_a_pace_is_refused(typed: str) -> None:
    with pytest.raises(Refusal):
        parse_pace(typed)
