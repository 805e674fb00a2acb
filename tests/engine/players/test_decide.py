"""Computer players: always a legal act, the same for the same seed, and true to their level."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.events import Battled, Chosen, Left, Passed, Played, Thrown
from engine.games import GAMES
from engine.match import BREAK, Match, Phase, new_match
from engine.notation import parse_play
from engine.players.decide import decide_event, rank_decisions
from engine.players.level import Level
from engine.players.prospects import find_best, get_points, list_prospects
from engine.position import Side
from engine.refusal import Reason, Refusal
from tests.conformance.matches import EVERY, Setting
from tests.engine.build import LUDUS, apply_events, build_match
from tests.engine.players.drive import play_match

GOLD, BLACK = Side.GOLD, Side.BLACK
LEVELS = {GOLD: Level.COMPANION, BLACK: Level.BEGINNER}
OPENING = "a2,m5,r3,t5 f5,h3,n5,z2 gold -"


@pytest.mark.parametrize("slug", ["twelve-dogs", "backgammon"])
def test_the_same_seed_plays_the_same_match(slug: str) -> None:
    check_repetition((slug, ()), 1, Level.BEGINNER)


@pytest.mark.sweep
@settings(max_examples=4, deadline=None)
@given(
    setting=st.sampled_from(EVERY),
    seed=st.integers(0, 2**64),
    level=st.sampled_from([Level.COMPANION, Level.BEGINNER]),
)
def test_whatever_the_seed_it_plays_the_same_match(
    setting: Setting, seed: int, level: Level
) -> None:
    check_repetition(setting, seed, level)


def test_each_level_but_the_weakest_names_the_one_below() -> None:
    assert Level.MASTER.easier is Level.COMPANION
    assert Level.COMPANION.easier is Level.BEGINNER
    assert Level.BEGINNER.easier is None


def check_repetition(setting: Setting, seed: int, level: Level) -> None:
    """Play a match twice, which goes the same way."""
    slug, options = setting
    first, again = (
        play_match(slug, dict(options), seed, {GOLD: level, BLACK: level}) for _ in range(2)
    )
    assert first == again
    assert first[1].outcome is not None


def build_thrown_match(text: str, slug: str, *dice: int, **options: str) -> Match:
    """A match in which the side to move has thrown."""
    return apply_events(build_match(text, slug, **options), Thrown(dice))


@pytest.mark.parametrize("level", Level)
def test_the_dice_are_asked_for(level: Level) -> None:
    assert decide_event(new_match(GAMES["zeno"], {}), level, 1) is None
    assert decide_event(build_match("a15 z15 gold -", "zeno"), level, 1) is None


@pytest.mark.parametrize("level", Level)
def test_what_follows_by_itself_is_done(level: Level) -> None:
    match = build_thrown_match("a14,bar1 b2,c2,d2,e2,f2,z5 gold -", "zeno", 6, 5, 4)
    assert decide_event(match, level, 1) == Passed()


def test_nothing_is_decided_when_the_match_is_over() -> None:
    match = build_thrown_match("o1,z14 a7,q2,r2,x2,y2 gold -", "zeno", 5, 1, 1)
    over = match.apply(find_best(match).event)
    assert rank_decisions(over) == []
    with pytest.raises(Refusal) as refusal:
        decide_event(over, Level.MASTER, 1)
    assert refusal.value.reason is Reason.OVER


@pytest.mark.parametrize("level", Level)
def test_every_level_wins_where_it_can(level: Level) -> None:
    # Gold's last man goes from o to t by 5; other plays leave him outside.
    match = build_thrown_match("o1,z14 a7,q2,r2,x2,y2 gold -", "zeno", 5, 1, 1)
    event = decide_event(match, level, 1)
    assert event is not None
    assert match.apply(event).outcome is not None


def test_a_companion_does_what_is_best() -> None:
    match = build_thrown_match(OPENING, "backgammon", 3, 1)
    assert (
        decide_event(match, Level.COMPANION, 1) == max(list_prospects(match), key=get_points).event
    )


def test_a_master_does_the_first_of_what_is_ranked() -> None:
    match = build_thrown_match(OPENING, "backgammon", 6, 4)
    found = rank_decisions(match)
    assert len(found) == 3
    assert found == sorted(found, key=get_points, reverse=True)
    assert decide_event(match, Level.MASTER, 1) == found[0].event
    assert len(rank_decisions(match, most=1)) == 1


def test_nothing_is_ranked_before_a_throw() -> None:
    assert rank_decisions(build_match(OPENING, "backgammon")) == []


@pytest.mark.parametrize("level", Level)
def test_sides_tables_and_sixes_are_chosen(level: Level) -> None:
    laquet = apply_events(new_match(GAMES["laquet"], {}), Battled((6, 6), (1, 1)))
    dogs = apply_events(new_match(GAMES["twelve-dogs"], {}), Battled((6, 6), (1, 1)))
    ludus = build_thrown_match("a15 z15 gold -", LUDUS, 4, 2, 1)
    for match, what in ((laquet, "side"), (dogs, "table"), (ludus, "six")):
        event = decide_event(match, level, 1)
        assert isinstance(event, Chosen)
        assert event.what == what
        match.apply(event)


@pytest.mark.parametrize("level", Level)
def test_a_point_to_be_broken_is_chosen(level: Level) -> None:
    # Gold closes its home, and throws higher: which of its points is broken?
    # (Worked out in test_later.py.)
    match = build_thrown_match(
        "t2,u2,w2,x2,y2,z1,s1,a3 m14,bar1 gold -", "irish", 6, 6, binding="on"
    )
    match = match.apply(Played(parse_play("s-z a-g", match.rules, match.position)))
    assert match.phase is Phase.BREAK_ROLL
    match = apply_events(match, Battled((6, 6), (1, 1)))
    assert match.phase is Phase.BREAK
    event = decide_event(match, level, 1)
    assert isinstance(event, Chosen)
    assert event.what == BREAK
    assert match.apply(event).position.gold != match.position.gold


def test_a_beginner_turns_the_lowest_die() -> None:
    assert decide_event(
        build_thrown_match("a15 z15 gold -", LUDUS, 4, 1, 2), Level.BEGINNER, 1
    ) == Chosen("six", "1")


@pytest.mark.parametrize("level", Level)
def test_offered_numbers_are_played_or_left(level: Level) -> None:
    match = build_thrown_match("m1,z14 a7,q2,r2,x2,y2 gold -", "zeno", 6, 5, 4, unusable="opponent")
    match = match.apply(Played(match.plays[0].moves))
    assert match.phase is Phase.OFFER
    assert isinstance(decide_event(match, level, 1), Played | Left)


def test_a_beginner_overlooks_now_and_then_and_a_companion_does_not() -> None:
    # Gold's 6-2: black's blot on i is hit from a by both numbers; most beginners see it, not all.
    match = build_thrown_match("a2,m5,r3,t5 f5,g1,h2,i1,n4,z2 gold -", "backgammon", 6, 2)
    done = [decide_event(match, Level.BEGINNER, seed) for seed in range(40)]
    hits = sum(any(move.hit for move in event.moves) for event in done if isinstance(event, Played))
    assert 20 <= hits < 40
    assert len({repr(event) for event in done}) > 1


@pytest.mark.sweep
@pytest.mark.parametrize(("better", "worse"), [(Level.COMPANION, Level.BEGINNER)])
def test_a_better_level_wins_more(better: Level, worse: Level) -> None:
    won = 0
    for seed in range(16):
        side = Side.GOLD if seed % 2 else Side.BLACK
        _, end = play_match("todas-tablas", {}, seed, {side: better, side.other: worse})
        won += end.outcome is not None and end.outcome.winner is side
    assert won > 8


def test_a_decision_depends_on_the_position_alone() -> None:
    # Another way to the same position, other dice before: nothing else is looked at.
    match = build_thrown_match(OPENING, "backgammon", 4, 2)
    other = replace(match, drawn=17, version=40, battle=(Battled((1,), (2,)),), before=None)
    for level in Level:
        assert decide_event(match, level, 3) == decide_event(other, level, 3)
