"""Ladders: who stands where after what has happened, who may challenge whom, and who drops."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.features.ladders.rungs import (
    DECLINED,
    INACTIVE_MS,
    LAPSED,
    REACH,
    REMATCH_MS,
    WITHDRAWN,
    ChallengeRules,
    Impediment,
    LadderAction,
    LadderChallenge,
    LadderEvent,
    Obstacle,
    compute_players,
    compute_rungs,
    find_inactive,
)
from engine.clock import DAY
from engine.outcome import ANNULLED, FORFEITED

ANA, BEN, CYN, DAN, EVA = range(1, 6)
PEOPLE = (ANA, BEN, CYN, DAN, EVA)


def join(*people: int) -> list[LadderEvent]:
    """People join one after the other, from instant 1 on."""
    return [LadderEvent(at, LadderAction.JOIN, person) for at, person in enumerate(people, 1)]


def settle(
    challenger: int,
    challenged: int,
    at: int,
    winner: int | None,
    how: str = "off",
    number: int = 1,
    made: int = 10,
) -> LadderChallenge:
    """A challenge that was made at 10 and is over."""
    return LadderChallenge(
        number, challenger, challenged, made, match=7, settled=at, winner=winner, how=how
    )


def test_newcomers_join_at_the_bottom() -> None:
    assert compute_rungs(join(CYN, ANA, BEN), []) == (CYN, ANA, BEN)
    # Whoever left and comes back has lost their rung.
    back = [
        *join(CYN, ANA, BEN),
        LadderEvent(5, LadderAction.LEAVE, CYN),
        LadderEvent(6, LadderAction.JOIN, CYN),
    ]
    assert compute_rungs(back, []) == (ANA, BEN, CYN)


@pytest.mark.parametrize(
    ("challenger", "challenged", "winner", "how", "expected"),
    [
        (DAN, ANA, DAN, "off", (DAN, ANA, BEN, CYN, EVA)),
        (DAN, BEN, DAN, "off", (ANA, DAN, BEN, CYN, EVA)),
        (EVA, DAN, EVA, "resigned", (ANA, BEN, CYN, EVA, DAN)),
        (DAN, ANA, ANA, "off", PEOPLE),
        (DAN, ANA, None, "agreed", PEOPLE),
        (DAN, ANA, DAN, FORFEITED, (DAN, ANA, BEN, CYN, EVA)),
        (DAN, ANA, ANA, FORFEITED, PEOPLE),
        (DAN, ANA, None, FORFEITED, PEOPLE),
        (CYN, BEN, CYN, DECLINED, (ANA, CYN, BEN, DAN, EVA)),
        (CYN, BEN, CYN, LAPSED, (ANA, CYN, BEN, DAN, EVA)),
        (CYN, BEN, None, WITHDRAWN, PEOPLE),
        (CYN, BEN, None, ANNULLED, PEOPLE),
    ],
)
def test_a_challenger_who_wins_takes_the_rung(
    challenger: int, challenged: int, winner: int | None, how: str, expected: Sequence[int]
) -> None:
    over = settle(challenger, challenged, 20, winner, how)
    assert compute_rungs(join(*PEOPLE), [over]) == expected


def test_results_count_in_the_order_in_which_they_came() -> None:
    # Dan takes the first rung; then Cyn, by now on the fourth, takes Ana's second.
    first, second = settle(DAN, ANA, 20, DAN), settle(CYN, ANA, 30, CYN, number=2)
    assert compute_rungs(join(*PEOPLE), [second, first]) == (DAN, CYN, ANA, BEN, EVA)
    # The other way round Cyn is first when Dan wins against Ana on the second.
    swapped = [replace(first, settled=30), replace(second, settled=20)]
    assert compute_rungs(join(*PEOPLE), swapped) == (CYN, DAN, ANA, BEN, EVA)


def test_who_stands_above_by_now_gains_nothing() -> None:
    # By the time the second challenge is won, Ben stands above Ana already.
    one = settle(BEN, ANA, 20, BEN)
    again = settle(BEN, ANA, 30, BEN, number=2)
    assert compute_rungs(join(ANA, BEN, CYN), [one, again]) == (BEN, ANA, CYN)


def test_an_annulled_match_is_as_if_never_played() -> None:
    first, second = settle(DAN, ANA, 20, DAN), settle(CYN, ANA, 30, CYN, number=2)
    annulled = replace(first, winner=None, how=ANNULLED)
    # Without Dan's win Cyn takes the first rung from the third.
    assert compute_rungs(join(*PEOPLE), [annulled, second]) == (CYN, ANA, BEN, DAN, EVA)


def test_who_leaves_loses_the_match_first() -> None:
    events = [*join(*PEOPLE), LadderEvent(15, LadderAction.LEAVE, ANA)]
    # The match is forfeited a moment later, by a job.
    forfeited = settle(DAN, ANA, 16, DAN, FORFEITED)
    assert compute_rungs(events, [forfeited]) == (DAN, BEN, CYN, EVA)
    removed = [*join(*PEOPLE), LadderEvent(15, LadderAction.REMOVE, ANA, EVA, "why")]
    assert compute_rungs(removed, [forfeited]) == (DAN, BEN, CYN, EVA)
    # A challenger who leaves has gained nothing by it.
    left = [*join(*PEOPLE), LadderEvent(15, LadderAction.LEAVE, DAN)]
    assert compute_rungs(left, [settle(DAN, ANA, 16, ANA, FORFEITED)]) == (ANA, BEN, CYN, EVA)


def test_who_had_left_before_a_challenge_loses_nothing_by_that() -> None:
    # Ana leaves and comes back, to the bottom; then Eva wins against her and Dan against Ben.
    events = [
        *join(*PEOPLE),
        LadderEvent(6, LadderAction.LEAVE, ANA),
        LadderEvent(7, LadderAction.JOIN, ANA),
        LadderEvent(8, LadderAction.LEAVE, DAN),
        LadderEvent(9, LadderAction.JOIN, DAN),
        LadderEvent(15, LadderAction.DROP, BEN),
    ]
    assert compute_rungs(events, []) == (CYN, BEN, EVA, ANA, DAN)
    # Were it counted from when Dan had left, he would have won nothing, being off the ladder.
    won = settle(DAN, ANA, 20, DAN, made=10)
    assert compute_rungs(events, [won]) == (CYN, BEN, EVA, DAN, ANA)
    # It counts after the drop, not before: Dan takes the rung on which Ben is then.
    assert compute_rungs(events, [settle(DAN, BEN, 20, DAN, made=10)]) == (
        CYN,
        DAN,
        BEN,
        EVA,
        ANA,
    )
    # Who leaves at the moment of the challenge, or after it, has lost it then.
    left = [*join(*PEOPLE), LadderEvent(10, LadderAction.LEAVE, ANA)]
    back = [*left, LadderEvent(11, LadderAction.JOIN, ANA)]
    assert compute_rungs(back, [settle(DAN, ANA, 20, DAN, made=10)]) == (DAN, BEN, CYN, EVA, ANA)


def test_nothing_moves_after_the_end() -> None:
    events = [*join(*PEOPLE), LadderEvent(25, LadderAction.CLOSE, None, EVA, "done")]
    before, after = settle(DAN, ANA, 25, DAN), settle(EVA, BEN, 26, EVA, number=2)
    assert compute_rungs(events, [before, after]) == (DAN, ANA, BEN, CYN, EVA)


@pytest.mark.parametrize(
    ("dropping", "expected"),
    [
        ((ANA,), (BEN, ANA, CYN, DAN, EVA)),
        # Nobody is below Eva.
        ((EVA,), PEOPLE),
        # Both move one down, and Cyn two up.
        ((ANA, BEN), (CYN, ANA, BEN, DAN, EVA)),
        ((ANA, CYN), (BEN, ANA, DAN, CYN, EVA)),
        # Nobody drops past another who drops.
        ((DAN, EVA), PEOPLE),
        (PEOPLE, PEOPLE),
    ],
)
def test_the_inactive_drop_one_rung_together(
    dropping: Sequence[int], expected: Sequence[int]
) -> None:
    dropped = [LadderEvent(40, LadderAction.DROP, person) for person in dropping]
    assert compute_rungs([*join(*PEOPLE), *dropped], []) == expected


def test_drops_of_two_weeks_are_two_rungs() -> None:
    dropped = [LadderEvent(at, LadderAction.DROP, ANA) for at in (40, 50)]
    assert compute_rungs([*join(*PEOPLE), *dropped], []) == (BEN, CYN, ANA, DAN, EVA)


NOW = 100 * DAY


def make_rules(*challenges: LadderChallenge, **fields: object) -> ChallengeRules:
    """What is allowed at day 100 on a ladder of five."""
    usual = ChallengeRules(PEOPLE, challenges, NOW, {})
    return replace(usual, **fields)  # type: ignore[arg-type]


def test_up_to_three_rungs_above_can_be_challenged() -> None:
    rules = make_rules()
    assert REACH == 3
    assert [rules.find_impediment(EVA, person) for person in PEOPLE] == [
        Impediment(Obstacle.TOO_FAR),
        None,
        None,
        None,
        Impediment(Obstacle.SELF),
    ]
    assert rules.find_impediment(ANA, BEN) == Impediment(Obstacle.BELOW)
    assert rules.find_impediment(ANA, 9) == Impediment(Obstacle.ABSENT)
    assert rules.find_impediment(9, ANA) == Impediment(Obstacle.ABSENT)


def test_a_pair_waits_for_fourteen_days() -> None:
    settled = NOW - 14 * DAY
    assert REMATCH_MS == 14 * DAY
    just, before = settle(CYN, BEN, settled, BEN), settle(CYN, BEN, settled + 1, BEN)
    assert make_rules(just).find_impediment(CYN, BEN) is None
    assert make_rules(before).find_impediment(CYN, BEN) == Impediment(Obstacle.RECENT, NOW + 1)
    # Whichever of the two had challenged; but what was withdrawn or annulled counts for nothing.
    turned = settle(BEN, CYN, settled + 1, BEN)
    assert make_rules(turned).find_impediment(CYN, BEN) == Impediment(Obstacle.RECENT, NOW + 1)
    for how in (WITHDRAWN, ANNULLED):
        gone = replace(before, winner=None, how=how)
        assert make_rules(gone).find_impediment(CYN, BEN) is None


def test_one_match_as_challenger_and_one_as_challenged() -> None:
    running = LadderChallenge(1, DAN, CYN, NOW)
    rules = make_rules(running)
    assert rules.find_impediment(DAN, CYN) == Impediment(Obstacle.PLAYING)
    assert rules.find_impediment(DAN, BEN) == Impediment(Obstacle.CHALLENGING)
    assert rules.find_impediment(EVA, CYN) == Impediment(Obstacle.CHALLENGED)
    # Who challenges can be challenged too, and who is challenged can challenge.
    assert rules.find_impediment(EVA, DAN) is None
    assert rules.find_impediment(CYN, BEN) is None
    assert make_rules(replace(running, match=3)).find_impediment(EVA, CYN) == Impediment(
        Obstacle.CHALLENGED
    )


def test_blocks_and_vacations_are_in_the_way() -> None:
    away = make_rules(away={BEN: NOW + DAY}, blocked=frozenset({ANA}))
    assert away.find_impediment(CYN, BEN) == Impediment(Obstacle.AWAY, NOW + DAY)
    assert away.find_impediment(CYN, ANA) == Impediment(Obstacle.BLOCKED)
    assert away.find_impediment(EVA, DAN) is None
    # Those between whom and Eva there's a block are not in her way, nor those who are gone.
    blocked = make_rules(blocked=frozenset({CYN, DAN}), blocking=frozenset({DAN}))
    assert blocked.find_impediment(EVA, ANA) is None
    assert blocked.find_impediment(EVA, CYN) == Impediment(Obstacle.BLOCKED)
    assert blocked.find_impediment(EVA, DAN) == Impediment(Obstacle.BLOCKING)
    gone = make_rules(rungs=(ANA, BEN, DAN, EVA), gone=frozenset({CYN}))
    assert gone.find_impediment(EVA, ANA) is None
    assert gone.find_impediment(EVA, CYN) == Impediment(Obstacle.GONE)


def test_who_does_nothing_for_four_weeks_is_inactive() -> None:
    assert INACTIVE_MS == 28 * DAY
    everyone = frozenset(PEOPLE)
    assert find_idle(28 * DAY - 1) == frozenset()
    assert find_idle(28 * DAY) == everyone
    day = 20 * DAY
    assert find_idle(30 * DAY, settle(BEN, ANA, day, ANA)) == {CYN, DAN, EVA}
    # To decline is an answer; to let it expire is none.
    assert find_idle(30 * DAY, settle(BEN, ANA, day, BEN, DECLINED)) == {CYN, DAN, EVA}
    assert find_idle(30 * DAY, settle(BEN, ANA, day, BEN, LAPSED)) == {ANA, CYN, DAN, EVA}
    assert find_idle(30 * DAY, settle(BEN, ANA, day, None, WITHDRAWN)) == everyone
    # However long a match lasts.
    assert find_idle(90 * DAY, LadderChallenge(1, BEN, ANA, 1)) == {CYN, DAN, EVA}


def test_the_four_weeks_begin_anew_after_a_vacation() -> None:
    back = {ANA: 10 * DAY, BEN: 40 * DAY}
    assert find_idle(37 * DAY, returned=back) == {CYN, DAN, EVA}
    assert find_idle(38 * DAY, returned=back) == {ANA, CYN, DAN, EVA}
    # Whoever did something after it is not held back by it.
    assert ANA not in find_idle(38 * DAY, settle(BEN, ANA, 20 * DAY, ANA), returned=back)


def find_idle(
    now: int, *challenges: LadderChallenge, returned: Mapping[int, int] | None = None
) -> frozenset[int]:
    """Who of five that joined at 0 is inactive."""
    events = [LadderEvent(0, LadderAction.JOIN, person) for person in PEOPLE]
    players = compute_players(events, challenges)
    return find_inactive(players, challenges, returned or {}, now - INACTIVE_MS)


PERSON = st.sampled_from(PEOPLE)
EVENTS = st.lists(
    st.builds(
        LadderEvent,
        st.integers(0, 40),
        st.sampled_from([each for each in LadderAction if each is not LadderAction.CLOSE]),
        PERSON,
    ),
    max_size=25,
).map(lambda events: sorted(events, key=lambda each: each.at))


@st.composite
def draw_challenges(draw: st.DrawFn) -> list[LadderChallenge]:
    """Challenges that end in every way, also between people who are not on the ladder."""
    drawn = []
    for number in range(draw(st.integers(0, 12))):
        one, other = draw(st.permutations(PEOPLE))[:2]
        made = draw(st.integers(0, 40))
        how = draw(st.sampled_from(["off", "agreed", DECLINED, LAPSED, WITHDRAWN, ANNULLED, None]))
        if how is None:
            drawn.append(LadderChallenge(number, one, other, made))
            continue
        winner = {"off": draw(st.sampled_from([one, other])), DECLINED: one, LAPSED: one}.get(how)
        drawn.append(settle(one, other, made + draw(st.integers(0, 9)), winner, how, number, made))
    return drawn


CHALLENGES = draw_challenges()


@given(EVENTS, CHALLENGES)
def test_nobody_stands_twice_and_all_who_joined_stand(
    events: list[LadderEvent], challenges: list[LadderChallenge]
) -> None:
    rungs = compute_rungs(events, challenges)
    present: set[int] = set()
    for event in events:
        assert event.person is not None
        if event.action is LadderAction.JOIN:
            present.add(event.person)
        elif event.action in (LadderAction.LEAVE, LadderAction.REMOVE):
            present.discard(event.person)
    assert sorted(rungs) == sorted(present)


@given(EVENTS, CHALLENGES, st.randoms(use_true_random=False))
def test_it_does_not_matter_in_which_order_challenges_are_read(
    events: list[LadderEvent], challenges: list[LadderChallenge], random: object
) -> None:
    mixed = list(challenges)
    random.shuffle(mixed)  # type: ignore[attr-defined]
    assert compute_rungs(events, mixed) == compute_rungs(events, challenges)


@given(EVENTS, CHALLENGES, st.data())
def test_what_is_annulled_or_drawn_is_as_if_not_played(
    events: list[LadderEvent], challenges: list[LadderChallenge], data: st.DataObject
) -> None:
    if not challenges:
        return
    at = data.draw(st.integers(0, len(challenges) - 1))
    without = challenges[:at] + challenges[at + 1 :]
    for how in (ANNULLED, WITHDRAWN, "agreed"):
        other = replace(challenges[at], settled=challenges[at].made + 1, winner=None, how=how)
        assert compute_rungs(events, [*without, other]) == compute_rungs(events, without)


@given(st.permutations(PEOPLE), st.integers(0, 4), st.integers(0, 4))
def test_a_win_moves_exactly_those_between(people: list[int], above: int, below: int) -> None:
    if above == below:
        return
    won = settle(people[below], people[above], 20, people[below])
    rungs = compute_rungs(join(*people), [won])
    if below < above:
        assert rungs == tuple(people)
        return
    assert rungs.index(people[below]) == above
    for at, person in enumerate(people):
        if at < above or at > below:
            assert rungs.index(person) == at
        elif at < below:
            assert rungs.index(person) == at + 1


@given(st.permutations(PEOPLE), st.sets(PERSON))
def test_who_drops_drops_one_rung_at_most(people: list[int], dropping: set[int]) -> None:
    events = [*join(*people), *(LadderEvent(9, LadderAction.DROP, each) for each in dropping)]
    rungs = compute_rungs(events, [])
    for at, person in enumerate(people):
        if person in dropping:
            assert rungs.index(person) in (at, at + 1)
        else:
            assert rungs.index(person) <= at
    for group in (dropping, set(people) - dropping):
        assert [each for each in rungs if each in group] == [
            each for each in people if each in group
        ]
