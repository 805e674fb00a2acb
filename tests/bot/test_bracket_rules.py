"""Knock-outs: who meets whom, who goes on, which matches begin next, and how all are ranked."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.features.contests.bracket import (
    Bracket,
    BracketMatch,
    Tie,
    compute_bracket,
    list_next_matches,
    rank_bracket,
    seed_bracket,
)
from bot.features.contests.standings import PairingResult
from engine.outcome import ANNULLED, FORFEITED

FOUR = (11, 12, 13, 14)
"""Four people, the best first: 11 meets 14, and 12 meets 13."""
HALF = Fraction(1, 2)

# Drawn up by hand: the better seed of a pair first, and a dash for a bye.
BRACKETS = {
    2: "1-2",
    3: "1-  2-3",
    4: "1-4  2-3",
    5: "1-  4-5  2-  3-",
    8: "1-8  4-5  2-7  3-6",
    13: "1-  8-9  4-13  5-12  2-  7-10  3-  6-11",
    16: "1-16  8-9  4-13  5-12  2-15  7-10  3-14  6-11",
}


def parse_pairs(line: str) -> tuple[tuple[int, int | None], ...]:
    """Return pairs of seeds, numbered from 0."""
    pairs = (pair.partition("-") for pair in line.split())
    return tuple((int(best) - 1, int(other) - 1 if other else None) for best, _, other in pairs)


def build_match(
    place: tuple[int, int],
    first: int,
    second: int,
    winner: int | None = None,
    how: str | None = "off",
) -> BracketMatch:
    """A match that somebody won, or that was drawn."""
    return BracketMatch(*place, PairingResult(first, second, winner, how))


def compute_four(
    *matches: BracketMatch,
    left: Collection[int] = (),
    best_of: int = 1,
    third: bool = False,
    closed: int = 0,
) -> Bracket:
    return compute_bracket(FOUR, matches, left, best_of, third, closed)


def compute_tie(
    *results: tuple[int | None, str | None],
    left: Collection[int] = (),
    best_of: int = 1,
    closed: int = 0,
) -> Tie:
    """The tie of two people, 1 and 2, after matches with these winners and endings."""
    matches = [build_match((1, 1), 1, 2, winner, how) for winner, how in results]
    return compute_bracket((1, 2), matches, left, best_of, False, closed).final


SEMIFINALS = (build_match((1, 1), 11, 14, 11), build_match((1, 2), 12, 13, 12))


@pytest.mark.parametrize("count", BRACKETS)
def test_pairs_are_those_of_a_bracket_drawn_by_hand(count: int) -> None:
    assert seed_bracket(count) == parse_pairs(BRACKETS[count])


@pytest.mark.parametrize("count", [-1, 0, 1, 65])
def test_a_bracket_has_a_least_and_a_largest_size(count: int) -> None:
    with pytest.raises(ValueError, match=f"not {count}$"):
        seed_bracket(count)


@given(st.integers(2, 64))
def test_the_best_have_byes_and_meet_late(count: int) -> None:
    pairs = seed_bracket(count)
    size = 2 * len(pairs)
    assert size // 2 < count <= size
    assert sorted(seed for pair in pairs for seed in pair if seed is not None) == [*range(count)]
    assert sorted(best for best, other in pairs if other is None) == [*range(size - count)]
    # If the better seed always goes on, the two of each tie add up to the same number.
    going_on = [best for best, _ in pairs]
    while len(going_on) > 1:
        meeting = [*zip(going_on[::2], going_on[1::2], strict=True)]
        assert {one + other for one, other in meeting} == {len(going_on) - 1}
        going_on = [min(pair) for pair in meeting]


def test_a_bracket_of_five_before_any_match() -> None:
    bracket = compute_bracket((1, 2, 3, 4, 5), [], (), 1, has_third_place=False)
    first, second, third = bracket.rounds
    assert [(tie.first, tie.second) for tie in first] == [(1, None), (4, 5), (2, None), (3, None)]
    assert [tie.is_bye for tie in first] == [True, False, True, True]
    assert [tie.winner for tie in first] == [1, None, 2, 3]
    upper, lower = second
    assert (upper.first, upper.is_first_known) == (1, True)
    assert (upper.second, upper.is_second_known) == (None, False)
    assert (lower.first, lower.second, lower.is_decided) == (2, 3, False)
    assert [(tie.is_first_known, tie.is_second_known) for tie in third] == [(False, False)]
    # Whoever has a bye plays on without waiting for the others.
    assert list_next_matches(bracket) == [(1, 2, 4, 5), (2, 2, 2, 3)]
    assert (bracket.is_over, bracket.champion, rank_bracket(bracket)) == (False, None, [])


def test_winners_meet_and_the_last_is_champion() -> None:
    assert list_next_matches(compute_four()) == [(1, 1, 11, 14), (1, 2, 12, 13)]
    upset = build_match((1, 1), 11, 14, 14)
    bracket = compute_four(upset, SEMIFINALS[1])
    assert list_next_matches(bracket) == [(2, 1, 12, 14)]
    assert (bracket.final.first, bracket.final.second) == (14, 12)
    running = build_match((2, 1), 12, 14, how=None)
    assert list_next_matches(compute_four(upset, SEMIFINALS[1], running)) == []
    over = compute_four(upset, SEMIFINALS[1], build_match((2, 1), 12, 14, 14))
    assert (over.is_over, over.champion) == (True, 14)
    assert rank_bracket(over) == [(1, (14,)), (2, (12,)), (3, (11, 13))]


@pytest.mark.parametrize(
    ("best_of", "winners", "score", "winner"),
    [
        (1, [None], (HALF, HALF), None),
        (1, [None, None, 2], (1, 2), 2),
        (3, [1], (1, 0), None),
        (3, [1, 1], (2, 0), 1),
        (3, [1, None], (3 * HALF, HALF), None),
        (3, [1, None, None], (2, 1), 1),
        (3, [1, 2, None], (3 * HALF, 3 * HALF), None),
        (3, [1, 2, None, None, 2], (2, 3), 2),
        (5, [1, 1, None], (5 * HALF, HALF), None),
        (5, [1, 2, 1, 1], (3, 1), 1),
        (5, [1, 2, 1, 2, None], (5 * HALF, 5 * HALF), None),
    ],
)
def test_more_than_half_of_the_points_win_a_tie(
    best_of: int,
    winners: list[int | None],
    score: tuple[Fraction, Fraction],
    winner: int | None,
) -> None:
    tie = compute_tie(*((each, "off" if each else "even") for each in winners), best_of=best_of)
    assert (tie.score, tie.winner) == (score, winner)
    assert (tie.is_decided, tie.is_ready) == (winner is not None, winner is None)
    assert not tie.is_walkover


def test_sides_alternate_within_a_tie() -> None:
    matches = [build_match((1, 1), 1, 2, 1), build_match((1, 1), 2, 1, 2)]
    for played, first, second in ((0, 1, 2), (1, 2, 1), (2, 1, 2)):
        bracket = compute_bracket((1, 2), matches[:played], (), 3, False)
        assert list_next_matches(bracket) == [(1, 1, first, second)]
    # The better seed has the first side in place of the match that was annulled.
    annulled = build_match((1, 1), 1, 2, how=ANNULLED)
    assert list_next_matches(compute_bracket((1, 2), [annulled, matches[1]], (), 3, False)) == [
        (1, 1, 1, 2)
    ]


def test_an_annulled_match_is_played_again() -> None:
    tie = compute_tie((None, ANNULLED))
    assert tie.is_ready
    assert sum(tie.score) == 0
    assert compute_tie((None, ANNULLED), (2, "off")).winner == 2


@pytest.mark.parametrize(
    ("winners", "best_of", "winner"), [([], 1, None), ([1], 3, 1), ([1, 2], 3, None)]
)
def test_a_double_forfeit_ends_a_tie(winners: list[int], best_of: int, winner: int | None) -> None:
    tie = compute_tie(*((each, "off") for each in winners), (None, FORFEITED), best_of=best_of)
    assert (tie.is_decided, tie.winner, tie.is_walkover) == (True, winner, False)
    assert sum(tie.score) == len(winners)


def test_somebody_who_leaves_loses_their_tie_once_no_match_is_running() -> None:
    tie = compute_tie(left={1})
    assert (tie.winner, tie.is_decided, tie.is_walkover) == (2, True, True)
    running = compute_tie((1, "off"), (None, None), left={1}, best_of=3)
    assert (running.is_decided, running.is_ready) == (False, False)
    assert compute_tie((1, "off"), (2, "off"), left={1}, best_of=3).winner == 2
    # A tie that they have won is theirs.
    won = compute_tie((1, "off"), left={1})
    assert (won.winner, won.is_walkover) == (1, False)


def test_nobody_goes_on_if_both_leave() -> None:
    tie = compute_tie(left={1, 2})
    assert (tie.winner, tie.is_decided, tie.is_walkover) == (None, True, False)


def test_an_opponent_goes_on_where_nobody_comes() -> None:
    forfeit = build_match((1, 1), 11, 14, how=FORFEITED)
    bracket = compute_four(forfeit, SEMIFINALS[1])
    assert (bracket.final.first, bracket.final.is_first_known) == (None, True)
    assert (bracket.champion, bracket.final.is_walkover, bracket.is_over) == (12, True, True)
    assert rank_bracket(bracket) == [(1, (12,)), (3, (11, 13, 14))]


def test_a_bye_is_of_no_use_to_somebody_who_left() -> None:
    bracket = compute_bracket((1, 2, 3), [build_match((1, 2), 2, 3, 3)], {1}, 1, False)
    assert (bracket.rounds[0][0].winner, bracket.rounds[0][0].is_decided) == (None, True)
    assert (bracket.champion, bracket.final.is_walkover) == (3, True)


def test_nobody_is_champion_if_nobody_comes_to_the_final() -> None:
    forfeits = [build_match((1, 1), 11, 14, how=FORFEITED)]
    bracket = compute_four(*forfeits, left={12, 13})
    assert (bracket.is_over, bracket.champion) == (True, None)
    assert rank_bracket(bracket) == [(3, (11, 12, 13, 14))]


@pytest.mark.parametrize(
    ("winners", "winner"),
    [([1], 1), ([2], 2), ([1, 2], 1), ([None], 1), ([2, None], 2), ([], None)],
)
def test_a_closed_round_goes_to_the_leader_or_the_better_seed(
    winners: list[int | None], winner: int | None
) -> None:
    results = [(each, "off" if each else "even") for each in winners]
    assert not compute_tie(*results, best_of=5).is_decided
    tie = compute_tie(*results, best_of=5, closed=1)
    assert (tie.is_decided, tie.winner, tie.is_walkover) == (True, winner, False)
    # A match that goes on is waited for.
    assert not compute_tie(*results, (None, None), best_of=5, closed=1).is_decided


def test_only_closed_rounds_are_decided_by_the_deadline() -> None:
    bracket = compute_four(SEMIFINALS[0], build_match((1, 2), 12, 13, how="even"), closed=1)
    assert bracket.rounds[0][1].winner == 12
    assert not bracket.final.is_decided
    assert list_next_matches(bracket) == [(2, 1, 11, 12)]


def test_a_later_tie_keeps_its_people_if_an_earlier_match_is_annulled() -> None:
    annulled = build_match((1, 1), 11, 14, how=ANNULLED)
    final = build_match((2, 1), 11, 12, how=None)
    bracket = compute_four(annulled, SEMIFINALS[1], final)
    assert (bracket.final.first, bracket.final.second) == (11, 12)
    assert (bracket.rounds[0][0].winner, sum(bracket.rounds[0][0].score)) == (11, 0)
    assert list_next_matches(bracket) == []
    # Before the final, or where that is annulled too, it is played again.
    again = [(1, 1, 11, 14)]
    assert list_next_matches(compute_four(annulled, SEMIFINALS[1])) == again
    none = build_match((2, 1), 11, 12, how=ANNULLED)
    assert list_next_matches(compute_four(annulled, SEMIFINALS[1], none)) == again


def test_a_walkover_stays_one_if_the_winner_leaves_later() -> None:
    final = build_match((2, 1), 11, 12, how=None)
    bracket = compute_four(SEMIFINALS[1], final, left={11, 14})
    semifinal = bracket.rounds[0][0]
    assert (semifinal.winner, semifinal.is_walkover) == (11, True)
    assert not bracket.final.is_decided
    bracket = compute_four(SEMIFINALS[1], build_match((2, 1), 11, 12, 12), left={11, 14})
    assert rank_bracket(bracket) == [(1, (12,)), (2, (11,)), (3, (13, 14))]


def test_what_leads_to_a_tie_that_was_passed_is_not_played_any_more() -> None:
    seeds = tuple(range(1, 9))
    matches = [
        build_match((1, 1), 1, 8, 1),
        build_match((1, 2), 4, 5, how=ANNULLED),
        build_match((1, 3), 2, 7, 2),
        build_match((1, 4), 3, 6, 3),
        build_match((2, 1), 1, 4, how=ANNULLED),
        build_match((2, 2), 2, 3, 2),
        build_match((3, 1), 1, 2, how=None),
    ]
    bracket = compute_bracket(seeds, matches, (), 1, False)
    assert list_next_matches(bracket) == []
    assert (bracket.rounds[0][1].is_decided, bracket.rounds[0][1].winner) == (True, None)
    assert (bracket.final.first, bracket.final.second) == (1, 2)


def test_the_losers_of_the_semifinals_meet() -> None:
    bracket = compute_four(*SEMIFINALS, third=True)
    assert list_next_matches(bracket) == [(2, 1, 11, 12), (2, 2, 13, 14)]
    final = build_match((2, 1), 11, 12, 11)
    bracket = compute_four(*SEMIFINALS, final, third=True)
    assert (bracket.is_over, bracket.champion) == (False, 11)
    assert rank_bracket(bracket) == [(1, (11,)), (2, (12,))]
    bracket = compute_four(*SEMIFINALS, final, build_match((2, 2), 13, 14, 14), third=True)
    assert bracket.is_over
    assert rank_bracket(bracket) == [(1, (11,)), (2, (12,)), (3, (14,)), (4, (13,))]


def test_a_loser_who_left_gives_a_walkover() -> None:
    bracket = compute_four(*SEMIFINALS, left={13}, third=True)
    assert bracket.third_place is not None
    assert (bracket.third_place.winner, bracket.third_place.is_walkover) == (14, True)


def test_a_semifinal_without_a_loser_gives_a_walkover() -> None:
    three = compute_bracket((1, 2, 3), [build_match((1, 2), 2, 3, 2)], (), 1, True)
    assert three.third_place is not None
    assert (three.third_place.first, three.third_place.second) == (None, 3)
    assert (three.third_place.winner, three.third_place.is_walkover) == (3, True)
    forfeit = build_match((1, 1), 11, 14, how=FORFEITED)
    four = compute_four(forfeit, SEMIFINALS[1], third=True)
    assert rank_bracket(four) == [(1, (12,)), (3, (13,)), (4, (11, 14))]


def test_a_third_place_that_nobody_plays_for_is_shared() -> None:
    final = build_match((2, 1), 11, 12, 12)
    bracket = compute_four(*SEMIFINALS, final, third=True, closed=2)
    assert rank_bracket(bracket) == [(1, (12,)), (2, (11,)), (3, (13, 14))]


def test_the_match_for_the_third_place_settles_the_semifinals() -> None:
    annulled = build_match((1, 1), 11, 14, how=ANNULLED)
    third = build_match((2, 2), 13, 14, how=None)
    bracket = compute_four(annulled, SEMIFINALS[1], third, third=True)
    assert bracket.rounds[0][0].winner == 11
    assert list_next_matches(bracket) == [(2, 1, 11, 12)]


def test_two_have_no_third_place() -> None:
    assert compute_bracket((1, 2), [], (), 1, has_third_place=True).third_place is None


def test_those_out_in_the_same_round_share_a_rank() -> None:
    seeds = tuple(range(1, 9))
    first = [build_match((1, at), best, 9 - best, best) for at, best in enumerate((1, 4, 2, 3), 1)]
    second = [build_match((2, 1), 1, 4, 1), build_match((2, 2), 2, 3, 2)]
    bracket = compute_bracket(seeds, [*first, *second], (), 1, False)
    assert rank_bracket(bracket) == [(3, (3, 4)), (5, (5, 6, 7, 8))]
    bracket = compute_bracket(
        seeds, [*first, *second, build_match((3, 1), 1, 2, how=FORFEITED)], (), 1, False
    )
    assert rank_bracket(bracket) == [(2, (1, 2)), (3, (3, 4)), (5, (5, 6, 7, 8))]


@pytest.mark.parametrize(
    ("place", "people"),
    [
        ((1, 1), (11, 12)),
        ((1, 2), (11, 14)),
        ((2, 1), (11, 14)),
        ((3, 1), (11, 12)),
        ((2, 1), (11, 99)),
        ((2, 2), (12, 13)),
    ],
)
def test_a_match_is_between_two_who_can_meet(
    place: tuple[int, int], people: tuple[int, int]
) -> None:
    with pytest.raises(ValueError, match="cannot meet"):
        compute_four(build_match(place, *people, how=None))


def test_nothing_is_decided_while_a_match_of_the_tie_goes_on() -> None:
    # The first match was annulled, so that another was begun, and then counts after all.
    running = compute_tie((1, "off"), (None, None))
    assert not running.is_decided
    assert running.score[0] == 1
    # It is decided by all that was played: if the other wins the second, the two go on.
    assert not compute_tie((1, "off"), (2, "off")).is_decided
    assert compute_tie((1, "off"), (1, "off")).winner == 1
    assert not compute_tie((1, "off"), (1, "off"), (None, None), best_of=3).is_decided
    assert not compute_tie((1, "off"), (None, None), left=(2,)).is_decided


@dataclass
class Knockout:
    """A knock-out that is played by chance, with all that may befall one."""

    seeds: Sequence[int]
    best_of: int
    third: bool
    matches: list[BracketMatch] = field(default_factory=list)
    left: set[int] = field(default_factory=set)
    closed: int = 0

    def compute(self) -> Bracket:
        return compute_bracket(
            self.seeds, self.matches, self.left, self.best_of, self.third, self.closed
        )

    def replace(self, at: int, winner: int | None, how: str) -> None:
        match = self.matches[at]
        result = PairingResult(match.result.first, match.result.second, winner, how)
        self.matches[at] = BracketMatch(match.round, match.table, result)

    def check(self, bracket: Bracket) -> None:
        """Assert what is true at any time."""
        for ties in bracket.rounds:
            people = [person for tie in ties for person in tie.people]
            assert len(people) == len(set(people))
        losers = {person for ties in bracket.rounds for tie in ties for person in tie.losers}
        last = len(bracket.rounds)
        beginning = list_next_matches(bracket)
        for number, table, first, second in beginning:
            for person in (first, second):
                assert person not in self.left
                is_third = (number, table) == (last, 2)
                assert (person in losers) == is_third
        busy = [person for _, _, *people in beginning for person in people]
        busy += [
            person
            for match in self.matches
            if not match.result.is_over
            for person in (match.result.first, match.result.second)
        ]
        assert len(busy) == len(set(busy))


@given(
    st.integers(2, 20), st.sampled_from((1, 3, 5)), st.booleans(), st.randoms(use_true_random=False)
)
def test_every_knockout_comes_to_an_end(
    count: int, best_of: int, third: bool, chance: Random
) -> None:
    knockout = Knockout([*range(100, 100 + count)], best_of, third)
    for step in range(2000):
        bracket = knockout.compute()
        knockout.check(bracket)
        running = [at for at, match in enumerate(knockout.matches) if not match.result.is_over]
        if bracket.is_over and not running:
            break
        for number, table, first, second in list_next_matches(bracket):
            if chance.random() < 0.8:
                running.append(len(knockout.matches))
                knockout.matches.append(build_match((number, table), first, second, how=None))
        for at in running:
            result = knockout.matches[at].result
            if chance.random() < 0.6:
                winner = chance.choice((result.first, result.second, None))
                how = "off" if winner else chance.choice(("even", FORFEITED, ANNULLED))
                knockout.replace(at, winner, how)
        if chance.random() < 0.2:
            knockout.left.add(chance.choice(knockout.seeds))
        if chance.random() < 0.1:
            knockout.closed += 1
        # Moderators tire in the end, so that the knock-out may end.
        if step < 40 and knockout.matches and chance.random() < 0.3:
            at = chance.randrange(len(knockout.matches))
            if knockout.matches[at].result.is_over:
                knockout.replace(at, None, ANNULLED)
    else:
        pytest.fail("the knock-out does not end")
    ranked = [person for _, people in rank_bracket(bracket) for person in people]
    assert sorted(ranked) == list(knockout.seeds)
    champions = [people for rank, people in rank_bracket(bracket) if rank == 1]
    assert champions == ([] if bracket.champion is None else [(bracket.champion,)])
