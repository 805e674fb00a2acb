"""Clocks: reckoned by hand, and held to what must hold however the instants fall."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import clock as clocks
from engine.clock import DAY, HOUR, MINUTE, SECOND, Clock, Pace, Stop, read_pace
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
from tests.engine.build import refused

DAYS = read_pace("day")
GAME = GAMES["irish"]


def folded(
    pace: Pace, happened: Sequence[tuple[Event, int]], stops: Sequence[Stop] = ()
) -> tuple[Clock, Match]:
    """The clock and the match after events at instants."""
    match = new_match(GAME, {})
    clock = clocks.begun(pace, match, 0)
    for event, at in happened:
        match = match.apply(event)
        clock = clocks.after(clock, event, match, at, stops)
    return clock, match


def play(match: Match, text: str) -> Played:
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
    assert read_pace(typed) == pace
    assert read_pace(pace.name) == pace


@pytest.mark.parametrize("typed", ["", "fast", "0m+5s", "30+20", "31d+1s", "1s+31d", "30m"])
def test_what_is_no_pace_is_refused(typed: str) -> None:
    known = "`none`, `live`, `day`, `three-days` or `week`"
    sentence = (
        f"there's no pace `{typed}`; choose {known}, or type the time for the match and the time "
        "added each turn, such as `30m+20s`"
    )
    with refused(sentence):
        read_pace(typed)


def test_a_match_is_slow_that_gives_days() -> None:
    assert [read_pace(name).slow for name in ("none", "live", "23h+9h", "day", "1d+0s")] == [
        False
    ] * 3 + [True] * 2


def test_nobody_s_time_runs_without_a_limit_nor_before_the_roll_battle() -> None:
    free, match = folded(read_pace("none"), FIRST)
    assert clocks.runs_out(free, ()) is clocks.reminds(free, ()) is clocks.ends(free, ()) is None
    assert not free.pace.limited
    assert clocks.runs_out(clocks.begun(DAYS, new_match(GAME, {}), 0), ()) is None
    over = clocks.after(free, Resigned(Side.GOLD), match.apply(Resigned(Side.GOLD)), 5, ())
    assert clocks.runs_out(over, ()) is None


def test_a_turn_has_its_time_however_much_is_done_in_it() -> None:
    at = 100
    clock, match = folded(DAYS, [(Battled((6,), (2,)), at)])
    assert clocks.runs_out(clock, ()) == at + DAY
    assert clocks.reminds(clock, ()) == at + DAY - 3 * HOUR
    assert clocks.ends(clock, ()) == at + 2 * DAY
    thrown, _ = folded(DAYS, [(Battled((6,), (2,)), at), (Thrown((6, 1)), at + HOUR)])
    assert clocks.runs_out(thrown, ()) == at + DAY
    # A match that is over has no clock any more.
    over = clocks.after(clock, TimedOut(Side.GOLD), match.apply(TimedOut(Side.GOLD)), at + DAY, ())
    assert clocks.ends(over, ()) is None


def a_turn(at: int) -> list[tuple[Event, int]]:
    """Return a turn in which gold, which begins, throws 3-1 and makes its five point.

    It throws an hour, and plays two hours, after it may.
    """
    _, match = folded(DAYS, [*FIRST, (Thrown((3, 1)), at)])
    return [*FIRST, (Thrown((3, 1)), at), (play(match, "8/5 6/5"), at + HOUR)]


def test_the_next_turn_has_its_own_time_and_a_turn_taken_back_what_was_left() -> None:
    happened = a_turn(2 * HOUR)
    black, _ = folded(DAYS, happened)
    assert black.turn is not None
    assert black.turn[1] is Side.BLACK
    assert clocks.runs_out(black, ()) == 3 * HOUR + DAY
    # Gold has used three hours of the day, and takes back after black has thought for ten.
    back, _ = folded(DAYS, [*happened, (TakenBack(), 13 * HOUR)])
    assert clocks.left_at(back, 13 * HOUR, ()) == 21 * HOUR
    assert clocks.runs_out(back, ()) == 34 * HOUR


def test_a_bank_keeps_what_a_turn_leaves_and_gains_what_it_adds() -> None:
    pace = read_pace("6h+10m")
    happened = a_turn(2 * HOUR)
    after, _ = folded(pace, happened)
    # Gold used three hours of six, and black's are whole.
    assert after.banks == (3 * HOUR + 10 * MINUTE, 6 * HOUR)
    assert clocks.runs_out(after, ()) == 9 * HOUR
    assert clocks.ends(after, ()) == 15 * HOUR
    # What is taken back has gained nothing.
    back, _ = folded(pace, [*happened, (TakenBack(), 4 * HOUR)])
    assert (back.banks, clocks.left_at(back, 4 * HOUR, ())) == ((6 * HOUR, 6 * HOUR), 3 * HOUR)
    # Who plays when the time is over, unclaimed, has an empty bank.
    late, _ = folded(pace, a_turn(7 * HOUR))
    assert late.banks[0] == 10 * MINUTE


def test_time_granted_is_a_turn_s_or_a_tenth_of_the_bank() -> None:
    granted, _ = folded(DAYS, [*FIRST, (Granted(), 30 * HOUR)])
    assert clocks.runs_out(granted, ()) == 30 * HOUR + DAY
    bank, _ = folded(read_pace("10h+0s"), [*FIRST, (Granted(), 30 * HOUR)])
    assert clocks.runs_out(bank, ()) == 31 * HOUR


def test_time_stands_still_while_nobody_could_act_or_the_player_was_away() -> None:
    clock, _ = folded(DAYS, FIRST)
    out = [Stop(2 * HOUR, 5 * HOUR)]
    assert clocks.runs_out(clock, out) == DAY + 3 * HOUR
    assert clocks.left_at(clock, 4 * HOUR, out) == 22 * HOUR
    assert clocks.left_at(clock, HOUR, out) == 23 * HOUR
    assert clocks.runs_out(clock, [Stop(2 * HOUR, 5 * HOUR, Side.GOLD)]) == DAY + 3 * HOUR
    # Somebody else's absence, and what was over before, do not count.
    assert clocks.runs_out(clock, [Stop(2 * HOUR, 5 * HOUR, Side.BLACK)]) == DAY
    assert clocks.runs_out(clock, [Stop(-9 * HOUR, -5 * HOUR)]) == DAY
    # Nor what begins when the time has run out.
    assert clocks.runs_out(clock, [Stop(25 * HOUR, 90 * HOUR)]) == DAY


def test_whoever_would_have_run_out_while_nobody_could_act_is_given_fresh_time() -> None:
    clock, _ = folded(DAYS, FIRST)
    night = [Stop(20 * HOUR, 30 * HOUR)]
    assert clocks.runs_out(clock, night) == 30 * HOUR + DAY
    # One's own absence only stops the clock.
    assert clocks.runs_out(clock, [Stop(20 * HOUR, 30 * HOUR, Side.GOLD)]) == 34 * HOUR
    # Who was out of time before it stays so, but is not ended while nobody could claim.
    late = [Stop(25 * HOUR, 60 * HOUR)]
    assert clocks.runs_out(clock, late) == DAY
    assert clocks.ends(clock, late) == 2 * DAY + 35 * HOUR


def test_stops_may_overlap() -> None:
    clock, _ = folded(DAYS, FIRST)
    stops = [Stop(HOUR, 10 * HOUR, Side.GOLD), Stop(5 * HOUR, 7 * HOUR), Stop(8 * HOUR, 12 * HOUR)]
    assert clocks.runs_out(clock, stops) == DAY + 11 * HOUR


def test_a_clock_set_back_gives_no_time() -> None:
    clock, _ = folded(DAYS, [(Battled((6,), (2,)), 10 * HOUR), (Thrown((3, 1)), 2 * HOUR)])
    assert clocks.runs_out(clock, ()) == 34 * HOUR


def test_nobody_s_time_runs_out_before_a_stop_ends_that_lasts() -> None:
    clock, _ = folded(DAYS, FIRST)
    lasting = [Stop(10 * HOUR, clocks.NEVER)]
    assert clocks.runs_out(clock, lasting) is None
    assert clocks.reminds(clock, lasting) is clocks.ends(clock, lasting) is None
    assert clocks.left_at(clock, 12 * HOUR, lasting) == 14 * HOUR
    # Whose time would have run out by then has a whole turn.
    assert clocks.left_at(clock, 12 * DAY, lasting) == DAY
    # Out of time before it began is out of time.
    late = [Stop(25 * HOUR, clocks.NEVER)]
    assert clocks.runs_out(clock, late) == DAY
    assert clocks.ends(clock, late) is None


instants = st.integers(0, 40 * HOUR)
stops = st.lists(
    st.builds(
        lambda began, lasted, side: Stop(began, began + lasted, side),
        instants,
        st.integers(1, 30 * HOUR),
        st.sampled_from([None, Side.GOLD, Side.BLACK]),
    ),
    max_size=5,
).map(lambda found: sorted(found, key=lambda stop: stop.began))
paces = st.sampled_from([DAYS, read_pace("live"), read_pace("6h+1m")])


@given(pace=paces, stops=stops, seconds=st.integers(1, 10**6))
def test_time_runs_out_when_none_is_left(pace: Pace, stops: list[Stop], seconds: int) -> None:
    clock, _ = folded(pace, FIRST)
    out = clocks.runs_out(clock, stops)
    assert out is not None
    assert clocks.left_at(clock, out, stops) == 0
    assert clocks.left_at(clock, out - 1, stops) >= 0
    reminded, ended = clocks.reminds(clock, stops), clocks.ends(clock, stops)
    assert reminded is not None
    assert ended is not None
    assert reminded <= out < ended
    # Stops only ever give time.
    assert out >= (pace.turn or pace.bank)


@given(pace=paces, stops=stops, first=instants, second=instants)
def test_looking_at_a_clock_between_changes_nothing(
    pace: Pace, stops: list[Stop], first: int, second: int
) -> None:
    # A throw in the midst of a turn is not an instant from which anything is reckoned anew.
    early, late = sorted((first, second))
    _, match = folded(pace, [*FIRST, (Thrown((3, 1)), early)])
    turn: list[tuple[Event, int]] = [(Thrown((3, 1)), early), (play(match, "8/5 6/5"), late)]
    at_once: list[tuple[Event, int]] = [(Thrown((3, 1)), late), (play(match, "8/5 6/5"), late)]
    assert folded(pace, [*FIRST, *turn], stops)[0] == folded(pace, [*FIRST, *at_once], stops)[0]


@pytest.mark.parametrize("event", [Granted(), TimedOut(Side.BLACK)])
def test_a_record_keeps_what_befell_the_clock(event: Event) -> None:
    board = GAME.rules.board
    assert from_record(to_record(event, board), board) == event


def test_a_side_that_is_out_of_time_has_lost_and_a_grant_changes_nothing_else() -> None:
    _, match = folded(DAYS, FIRST)
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
    _, match = folded(DAYS, FIRST)
    over = match.apply(Abandoned())
    assert over.outcome is not None
    assert (over.outcome.winner, over.outcome.void) == (None, True)
    resigned = match.apply(Resigned(Side.GOLD)).outcome
    assert resigned is not None
    assert not resigned.void


def test_whoever_takes_a_seat_in_the_midst_of_a_turn_has_a_turn_s_time() -> None:
    battle = Battled((6, 1, 1), (2, 1, 1))
    before = new_match(GAMES["pyf"], {"players": "2"})
    match = before.apply(battle)
    clock = clocks.after(clocks.begun(DAYS, before, 0), battle, match, 0, ())
    assert clock.turn is not None
    _, side, player = clock.turn
    late = 23 * HOUR
    taken = clocks.after(clock, Seated(side, player), match.apply(Seated(side, player)), late, ())
    assert clocks.runs_out(taken, ()) == late + DAY
    # Another's seat has nothing to do with this turn.
    other = clocks.after(
        clock, Seated(side.other, player), match.apply(Seated(side.other, player)), late, ()
    )
    assert clocks.runs_out(other, ()) == DAY


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
    pace = read_pace(typed)
    assert pace.name == name
    assert read_pace(pace.name) == pace


@pytest.mark.parametrize(
    "typed", ["2 days", "0d", "0m+5s", "1 mo", "5 sin", "day+day", "1d+", "31d+1s", "1m+5w"]
)
def test_what_looks_like_a_pace_is_refused(typed: str) -> None:
    with pytest.raises(Refusal):
        read_pace(typed)
