"""Swiss tournaments: who meets whom, and how their tables are ranked."""

import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations
from random import Random

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.features.contests.standings import Bye, PairingResult, compute_swiss_standings
from bot.features.contests.swiss import (
    MIN_SWISS,
    SwissPlayer,
    SwissRound,
    count_rounds,
    most_rounds,
    pair_swiss,
)
from engine.outcome import ANNULLED, FORFEITED

HALF = Fraction(1, 2)
TOURNAMENTS = int(os.environ.get("TABULA_SWISSES", "100"))
"""Random tournaments of the sweep; ten thousand take an hour."""


def build_player(
    person: int,
    score: int | Fraction = 0,
    *met: int,
    free_wins: int = 0,
    sides: tuple[bool, ...] = (),
) -> SwissPlayer:
    """Somebody to be paired."""
    return SwissPlayer(person, Fraction(score), frozenset(met), free_wins, sides)


def pair(*players: SwissPlayer, avoid: Collection[frozenset[int]] = ()) -> SwissRound:
    """The next round."""
    return pair_swiss(players, avoid)


def list_pairs(found: SwissRound) -> set[frozenset[int]]:
    """Who meets whom."""
    return {frozenset(each) for each in found.pairs}


def pick(*pairs: tuple[int, int]) -> set[frozenset[int]]:
    """Those pairs, whoever has the first side."""
    return {frozenset(each) for each in pairs}


def test_the_upper_half_meets_the_lower_half() -> None:
    found = pair(*(build_player(person) for person in range(1, 9)))
    # The Dutch system's first round: 1 meets 5, 2 meets 6 and so on, the first sides in turns.
    assert found == SwissRound(((1, 5), (6, 2), (3, 7), (8, 4)))


def test_the_lowest_who_had_none_has_the_bye() -> None:
    players = [build_player(person, score) for person, score in ((1, 2), (2, 1), (3, 1), (4, 0))]
    last = build_player(5, 0, free_wins=1)
    found = pair(*players, last)
    # Number 5 has had one, so 4 has it, and 5 meets somebody.
    assert found.byes == (4,)
    assert list_pairs(found) == pick((1, 2), (3, 5))


def test_the_bye_rises_where_the_others_could_not_be_paired() -> None:
    # Without 5 neither 1 nor 2 would have anybody: 3 and 4 have met both.
    one, two = build_player(1, 2, 2, 3, 4), build_player(2, 1, 1, 3, 4)
    three, four = build_player(3, 1, 1, 2), build_player(4, 1, 1, 2)
    five = build_player(5, 0)
    found = pair(one, two, three, four, five)
    # One of the two meets 5, and the other has the bye: it is the lower one.
    assert found.byes == (2,)
    assert list_pairs(found) == pick((1, 5), (3, 4))


def test_a_float_goes_to_the_nearest_score() -> None:
    # Three have two points: two of them meet, and the third meets the one with one point.
    twos = [build_player(person, 2) for person in (1, 2, 3)]
    found = pair(*twos, build_player(4, 1), build_player(5, 0), build_player(6, 0))
    assert list_pairs(found) >= pick((5, 6))
    assert any(4 in each and min(each) <= 3 for each in list_pairs(found))


def test_a_far_float_is_worse_than_several_near_ones() -> None:
    # 1 v 4, 2 v 3 and 5 v 6 are each one point apart; 1 v 2, 3 v 5 and 4 v 6 none, one and two:
    # as many points in all, and nearer to the Dutch order, but the squares are 3 against 5.
    found = pair(
        build_player(1, 3, 3),
        build_player(2, 3, 4, 5),
        build_player(3, 2, 1, 4),
        build_player(4, 2, 2, 3),
        build_player(5, 1, 2),
        build_player(6, 0),
    )
    assert list_pairs(found) == pick((1, 4), (2, 3), (5, 6))


FIRST, SECOND = True, False


@pytest.mark.parametrize(
    ("one", "other", "first"),
    [
        # Who has had the first side less often has it.
        ((FIRST,), (SECOND,), 2),
        ((SECOND, SECOND), (FIRST, SECOND), 1),
        # On equal counts the one who did not have it last.
        ((FIRST, SECOND), (SECOND, FIRST), 1),
        ((SECOND, FIRST), (FIRST, SECOND), 2),
        # Where the latest tells nothing, the latest that does.
        ((FIRST, SECOND, SECOND, FIRST), (SECOND, FIRST, SECOND, FIRST), 1),
        # The better of the two does not get again what they had last.
        ((SECOND, FIRST), (SECOND, FIRST), 2),
        ((FIRST, SECOND), (FIRST, SECOND), 1),
        # Who has not played yet has what is left.
        ((FIRST, SECOND), (), 1),
        ((), (FIRST, SECOND), 2),
    ],
)
def test_the_first_side_goes_to_who_had_it_less_or_not_last(
    one: tuple[bool, ...], other: tuple[bool, ...], first: int
) -> None:
    found = pair(build_player(1, 1, sides=one), build_player(2, 1, sides=other))
    assert found.pairs[0][0] == first


def test_people_meet_again_only_where_nothing_else_is_left() -> None:
    # Two who have met: nobody new is left for either.
    one, two = build_player(1, 1, 2), build_player(2, 0, 1)
    assert pair(one, two) == SwissRound(((1, 2),))
    # Three who have all met and had byes: the lowest has another, and the others meet again.
    players = [
        build_player(person, 0, *({1, 2, 3} - {person}), free_wins=1) for person in (1, 2, 3)
    ]
    found = pair(*players)
    assert (list_pairs(found), found.byes) == (pick((1, 2)), (3,))


def test_as_many_as_can_meet_somebody_new_and_the_rest_have_byes() -> None:
    # Two groups of three: everybody has met all of the other group, and nobody of their own.
    upper, lower = {1, 2, 3}, {4, 5, 6}
    players = [build_player(each, 0, *(lower if each in upper else upper)) for each in range(1, 7)]
    found = pair(*players)
    # The lowest of each group are left.
    assert list_pairs(found) == pick((1, 2), (4, 5))
    assert found.byes == (3, 6)
    # Who has had a bye plays.
    again = [replace(each, free_wins=int(each.person in (3, 6))) for each in players]
    found = pair(*again)
    assert not {3, 6} & set(found.byes)
    assert all(len(each & upper) != 1 for each in list_pairs(found))


def test_who_may_have_no_bye_meets_somebody_again() -> None:
    # One and two have not met; three and four have met everybody and have had byes.
    players = [
        build_player(1, 2, 3, 4),
        build_player(2, 1, 3, 4),
        build_player(3, 1, 1, 2, 4, free_wins=1),
        build_player(4, 0, 1, 2, 3, free_wins=1),
    ]
    found = pair(*players)
    assert list_pairs(found) == pick((1, 2), (3, 4))


def test_who_has_won_without_playing_has_no_bye_while_others_can() -> None:
    players = [build_player(person) for person in (1, 2, 3, 4)]
    # Number 5 won one by forfeit, number 4 had half a point for coming late, which is no win.
    found = pair(*players, build_player(5, 0, free_wins=1))
    assert found.byes == (4,)
    # Where all have had one, who had fewer has another.
    free = [replace(each, free_wins=2) for each in players[:2]]
    assert pair(*free, build_player(3, 5, free_wins=1)).byes == (3,)


def test_whose_meeting_is_to_be_avoided_do_not_meet() -> None:
    players = [build_player(person, 3 - person // 3) for person in range(1, 7)]
    best = pair(*players)
    avoid = {frozenset(best.pairs[0])}
    other = pair(*players, avoid=avoid)
    assert not avoid & list_pairs(other)
    assert len(other.pairs) == 3
    # Without anybody else they do: a block alone gives nobody a bye, nor is it worth a rematch.
    assert pair(*players[:2], avoid={frozenset((1, 2))}).byes == ()
    blocked = {frozenset((1, other)) for other in range(2, 7)}
    assert pair(*players, avoid=blocked).byes == ()


def test_how_many_rounds_suit_a_number_of_players() -> None:
    # The powers of two, as in a knock-out, but half of the players at most.
    assert [count_rounds(n) for n in (8, 9, 16, 17, 32, 64)] == [3, 4, 4, 5, 5, 6]
    assert [most_rounds(n) for n in (8, 9, 64)] == [4, 4, 32]


def rate_round(
    players: Sequence[SwissPlayer], found: SwissRound, avoid: Collection[frozenset[int]] = ()
) -> tuple[int, ...]:
    """How good a round is by the rules, the better the smaller."""
    by_person = {each.person: each for each in players}
    ranked = sorted(players, key=lambda each: -each.score)
    places = {each.person: at for at, each in enumerate(ranked)}
    again = apart = distance = 0
    for first, second in found.pairs:
        upper, lower = sorted((first, second), key=places.__getitem__)
        difference = (by_person[upper].score - by_person[lower].score) * 2
        size = sum(each.score == by_person[upper].score for each in players)
        again += upper in by_person[lower].met
        apart += int(difference**2)
        distance += (places[lower] - places[upper] - max(size // 2, 1)) ** 2
    is_anybody_new = any(other.person not in one.met for one, other in combinations(players, 2))
    sitting = (again, len(found.byes)) if is_anybody_new else (len(found.byes), again)
    return (
        sum(by_person[person].free_wins for person in found.byes),
        *sitting,
        sum(frozenset(each) in avoid for each in found.pairs),
        -sum(places[person] for person in found.byes),
        apart,
        distance,
    )


def list_rounds(
    left: Sequence[SwissPlayer],
    pairs: tuple[tuple[int, int], ...] = (),
    byes: tuple[int, ...] = (),
) -> Iterator[SwissRound]:
    """Every round that could be, found by trying."""
    if not left:
        yield SwissRound(pairs, byes)
        return
    one, *others = left
    yield from list_rounds(others, pairs, (*byes, one.person))
    for at, other in enumerate(others):
        rest = [*others[:at], *others[at + 1 :]]
        yield from list_rounds(rest, (*pairs, (one.person, other.person)), byes)


@given(st.integers(2, 7), st.randoms(use_true_random=False), st.sampled_from((0.2, 0.5, 0.9, 1)))
@settings(max_examples=60, deadline=None)
def test_no_round_is_better(count: int, chance: Random, share_met: float) -> None:
    met: dict[int, set[int]] = {person: set() for person in range(count)}
    avoid: set[frozenset[int]] = set()
    for one, other in combinations(range(count), 2):
        if chance.random() < share_met:
            met[one].add(other)
            met[other].add(one)
        if chance.random() < 0.2:
            avoid.add(frozenset((one, other)))
    players = [
        build_player(
            person,
            Fraction(chance.randint(0, 6), 2),
            *met[person],
            free_wins=chance.choice((0, 0, 1, 2)),
        )
        for person in range(count)
    ]
    found = pair_swiss(players, avoid)
    seated = [person for each in found.pairs for person in each]
    assert sorted([*seated, *found.byes]) == list(range(count))
    best = min(rate_round(players, each, avoid) for each in list_rounds(players))
    assert rate_round(players, found, avoid) == best


@dataclass
class RandomSwiss:
    """A tournament whose results, withdrawals, no-shows, blocks and late entries are by chance."""

    chance: Random
    people: list[int]
    rounds: list[list[PairingResult]] = field(default_factory=list)
    byes: list[Bye] = field(default_factory=list)
    left: set[int] = field(default_factory=set)
    absent: set[int] = field(default_factory=set)
    avoid: set[frozenset[int]] = field(default_factory=set)

    def list_players(self) -> list[SwissPlayer]:
        """Those who are there, as they are paired next."""
        points = {
            each.person: each.points
            for each in compute_swiss_standings(self.people, self.rounds, self.byes)
        }
        results = [each for results in self.rounds for each in results]
        return [
            build_player(
                person,
                points[person],
                *(
                    each.get_opponent(person)
                    for each in results
                    if person in (each.first, each.second)
                ),
                free_wins=self.count_free_wins(person),
                sides=tuple(
                    each.first == person
                    for each in results
                    if person in (each.first, each.second) and each.how in ("off", "agreed")
                ),
            )
            for person in self.people
            if person not in self.left
        ]

    def count_free_wins(self, person: int) -> int:
        """How many rounds somebody has won without playing."""
        byes = sum(bye.person == person and bye.points == 1 for bye in self.byes)
        results = (each for results in self.rounds for each in results)
        return byes + sum(each.winner == person and each.how == FORFEITED for each in results)

    def play_round(self) -> None:
        """Pair a round and let chance decide it."""
        players = self.list_players()
        found = pair_swiss(players, self.avoid)
        self.check(players, found)
        self.byes += [Bye(len(self.rounds) + 1, person, Fraction(1)) for person in found.byes]
        self.rounds.append([self.decide(*pair) for pair in found.pairs])

    def decide(self, first: int, second: int) -> PairingResult:
        """A result by chance: mostly somebody wins; who does not come forfeits."""
        here = [person for person in (first, second) if person not in self.absent]
        if len(here) < 2:
            return PairingResult(first, second, here[0] if here else None, FORFEITED)
        how = self.chance.choices(["off", "agreed", FORFEITED, ANNULLED], [80, 10, 8, 2])[0]
        winner = self.chance.choice((first, second)) if how in ("off", FORFEITED) else None
        return PairingResult(first, second, winner, how)

    def check(self, players: Sequence[SwissPlayer], found: SwissRound) -> None:
        """Everybody is there once, and the basic rules hold as far as they can.

        What can be is found without the code under test: `networkx` is asked for how many can meet
        somebody new at most.
        """
        by_person = {each.person: each for each in players}
        seated = [person for pair in found.pairs for person in pair]
        assert sorted([*seated, *found.byes]) == sorted(by_person)
        assert found.pairs
        eligible = {each.person for each in players if not each.free_wins}
        if len(players) % 2 == 0 or eligible:
            # Nobody has a second bye, or one after a win without playing, unless all have.
            assert set(found.byes) <= eligible
        else:
            assert len(found.byes) == 1
        new = nx.Graph()
        new.add_nodes_from(by_person)
        new.add_edges_from(
            (one.person, other.person)
            for one, other in combinations(players, 2)
            if other.person not in one.met
        )
        again = [pair for pair in found.pairs if not new.has_edge(*pair)]
        if not new.edges:
            assert len(found.byes) == len(players) % 2
        elif again:
            # At least one of these could have no bye either, or it would have had one.
            assert all(not eligible >= set(pair) for pair in again)
        most = len(nx.max_weight_matching(new, maxcardinality=True))
        if 2 * most >= len(players) - 1 and len(eligible) == len(players):
            assert not again
            assert len(found.pairs) == most
        if not again and len(found.byes) < 2 and set(found.byes) <= eligible:
            # As few as possible meet whom they should not, byes and all else being allowed.
            met = sum(frozenset(pair) in self.avoid for pair in found.pairs)
            assert met <= self.count_unavoidable(new, eligible)

    def count_unavoidable(self, new: "nx.Graph[int]", eligible: set[int]) -> int:
        """How many meet at least whom they should not, where all or all but one meet others."""
        graph = new.copy()
        for one, other in graph.edges:
            graph[one][other]["weight"] = 0 if frozenset((one, other)) in self.avoid else 1
        if len(graph) % 2:
            # Who has the bye meets nobody.
            for person in eligible:
                graph.add_edge(-1, person, weight=1)
        best = nx.max_weight_matching(graph, maxcardinality=True)
        assert 2 * len(best) == len(graph)
        return sum(graph[one][other]["weight"] == 0 for one, other in best)

    def let_people_come_and_go(self, until: int, leaving: float) -> None:
        """Some leave, and before half of the rounds somebody may come late, with half a point."""
        played = len(self.rounds)
        for person in self.people:
            there = len(self.people) - len(self.left)
            if there > 2 and person not in self.left and self.chance.random() < leaving:
                self.left.add(person)
        if 2 * played <= until and self.chance.random() < 0.3:
            late = len(self.people)
            self.people.append(late)
            self.byes.append(Bye(played, late, HALF))


def play_random_swiss(seed: int) -> None:
    """Play a whole tournament to its last round, and check every round of it."""
    chance = Random(seed)
    swiss = RandomSwiss(chance, list(range(chance.randint(MIN_SWISS, chance.choice((12, 64))))))
    swiss.absent = {person for person in swiss.people if chance.random() < 0.1}
    swiss.avoid = {
        frozenset(pair) for pair in combinations(swiss.people, 2) if chance.random() < 0.03
    }
    # Large tournaments have few rounds, as people choose them.
    rounds = min(chance.randint(1, most_rounds(len(swiss.people))), 9)
    leaving = chance.choice((0, 0.03, 0.2))
    for _ in range(rounds):
        swiss.play_round()
        swiss.let_people_come_and_go(rounds, leaving)
    assert len(swiss.rounds) == rounds


@pytest.mark.parametrize("seed", range(25))
def test_a_tournament_by_chance_keeps_the_rules(seed: int) -> None:
    play_random_swiss(seed)


@pytest.mark.sweep
def test_tournaments_by_chance_keep_the_rules() -> None:
    for seed in range(100, 100 + TOURNAMENTS):
        play_random_swiss(seed)


def win(winner: int, loser: int, how: str = "off") -> PairingResult:
    """A match that somebody has won."""
    return PairingResult(winner, loser, winner, how)


def test_buchholz_without_the_lowest_decides_among_equals() -> None:
    # Round 1: 1 beats 3, 2 beats 4. Round 2: 1 beats 4, 3 beats 2. Points: 1 has 2, 2 and 3 have 1,
    # 4 has 0. Number 2 has met 4 (0) and 3 (1), of which the higher is left: 1. Number 3 has met 1
    # (2) and 2 (1), which leaves 2, so 3 is ahead.
    table = compute_swiss_standings(
        [1, 2, 3, 4], [[win(1, 3), win(2, 4)], [win(1, 4), win(3, 2)]], []
    )
    assert [(each.person, each.rank) for each in table] == [(1, 1), (3, 2), (2, 3), (4, 4)]
    by_person = {each.person: each for each in table}
    assert list(map(float, by_person[2].opponents)) == [1, 0]
    assert by_person[2].buchholz_cut == 1
    assert by_person[3].buchholz_cut == 2
    # Sonneborn-Berger: 1 beat 3 (1) and 4 (0); 3 beat 2 (1); 2 beat 4 (0).
    assert [by_person[each].sonneborn_berger for each in (1, 2, 3, 4)] == [1, 0, 1, 0]


def test_a_bye_counts_as_a_round_against_ones_own_points() -> None:
    # Number 3 has a bye, then loses to 1: it has 1 point, and the bye counts as one who has 1.
    table = compute_swiss_standings(
        [1, 2, 3],
        [[win(1, 2)], [win(1, 3)]],
        [Bye(1, 3, Fraction(1)), Bye(2, 2, Fraction(1))],
    )
    by_person = {each.person: each for each in table}
    assert by_person[1].points == 2
    assert list(map(float, by_person[3].opponents)) == [2, 1]
    assert by_person[3].sonneborn_berger == 1
    # The same holds for 2, so nothing tells the two apart, and they stand by their seeds.
    assert [(each.person, each.rank) for each in table] == [(1, 1), (2, 2), (3, 2)]


def test_a_forfeit_is_a_round_that_was_not_played() -> None:
    table = compute_swiss_standings([1, 2], [[win(1, 2, FORFEITED)]], [])
    one, two = table
    # The opponent that the round counts has one's own points, but not more than whom one was to
    # meet, who has none (article 16.4.1).
    assert [one.points, *one.opponents, one.sonneborn_berger] == [1, 0, 0]
    assert [two.points, *two.opponents, two.forfeited] == [0, 0, 1]


def test_who_came_late_has_half_a_point_and_no_more_for_the_rounds_before() -> None:
    late = Bye(2, 3, HALF)
    rounds = [[win(1, 2)], [PairingResult(1, 2, None, "agreed")], [win(3, 2)]]
    table = compute_swiss_standings([1, 2, 3], rounds, [late])
    by_person = {each.person: each for each in table}
    assert by_person[3].points == Fraction(3, 2)
    # Two rounds against nobody (own points 1½), of which one is cut first, though 2 has only ½.
    assert list(map(float, by_person[3].opponents)) == [Fraction(3, 2), HALF, Fraction(3, 2)]
    assert by_person[3].buchholz_cut == 2
    # ½ for one of the first two: 1½ times ½, and the win over 2.
    assert by_person[3].sonneborn_berger == Fraction(3, 4) + HALF


def test_what_is_annulled_or_goes_on_counts_for_nobody() -> None:
    running = PairingResult(1, 2)
    annulled = PairingResult(3, 4, None, ANNULLED)
    table = compute_swiss_standings([1, 2, 3, 4], [[running, annulled]], [])
    assert {each.points for each in table} == {Fraction(0)}
    by_person = {each.person: each for each in table}
    assert list(map(float, by_person[1].opponents)) == []
    assert list(map(float, by_person[3].opponents)) == [0]


def test_of_unplayed_rounds_the_voluntary_ones_are_cut_first() -> None:
    # Number 1 forfeits to 2, then beats 3 and 4, who have no point: 2 points. The forfeit counts as
    # an opponent with 2 points, as 2 wins all three, and is cut (16.5.1), though 3 and 4 are lower.
    rounds = [
        [win(2, 1, FORFEITED), win(4, 3)],
        [win(1, 3), win(2, 4)],
        [win(1, 4), win(2, 3)],
    ]
    one = next(
        each for each in compute_swiss_standings([1, 2, 3, 4], rounds, []) if each.person == 1
    )
    assert list(map(float, one.opponents)) == [1, 0, 2]
    assert one.buchholz_cut == 1
    # In a contest of the first edition the lowest was cut: 2 and 1 are left.
    old = next(
        each
        for each in compute_swiss_standings([1, 2, 3, 4], rounds, [], edition=1)
        if each.person == 1
    )
    assert old.buchholz_cut == 3


def test_a_bye_is_no_voluntary_unplayed_round() -> None:
    # Number 3 has a bye and 1 point; it met 1 (2 points) and 2 (0 points), which is cut.
    rounds = [[win(1, 2)], [win(1, 3)], [win(3, 2)]]
    table = compute_swiss_standings(
        [1, 2, 3], rounds, [Bye(1, 3, Fraction(1)), Bye(3, 1, Fraction(1))]
    )
    three = next(each for each in table if each.person == 3)
    # Of two points the bye counts one and a half: a draw in each of three rounds (16.4.2).
    assert list(map(float, three.opponents)) == [3, 1.5, 0]
    assert three.full_points == 2
    assert three.won == 1


def test_who_left_counts_as_having_drawn_for_those_who_met_them() -> None:
    # Number 4 loses to 1 and leaves: the two missing rounds count half a point each (16.3.2).
    rounds = [[win(1, 4), win(2, 3)], [win(1, 2)], [win(1, 3)]]
    byes = [Bye(2, 3, Fraction(1)), Bye(3, 2, Fraction(1))]
    by_person = {each.person: each for each in compute_swiss_standings([1, 2, 3, 4], rounds, byes)}
    assert by_person[4].points == 0
    # 2 has two points and 3 one; 4 counts one, and is the lowest with 3.
    assert list(map(float, by_person[1].opponents)) == [2, 1, 1]
    old = compute_swiss_standings([1, 2, 3, 4], rounds, byes, edition=1)
    assert list(map(float, old[0].opponents)) == [2, 1, 0]


def test_a_bye_is_a_win_for_the_third_tie_break() -> None:
    # Number 1 has a bye and loses to 6; number 2 draws with 3 and 4. Both have one point, and all
    # whom they met have one too, as the bye counts: Buchholz and Sonneborn-Berger are 1 for both.
    def draw(one: int, other: int) -> PairingResult:
        return PairingResult(one, other, None, "agreed")

    rounds = [[draw(2, 3), draw(4, 5), win(7, 6)], [win(6, 1), draw(2, 4), draw(3, 5)]]
    byes = [Bye(1, 1, Fraction(1)), Bye(2, 7, Fraction(1))]
    people = [2, 1, 3, 4, 5, 6, 7]
    table = compute_swiss_standings(people, rounds, byes)
    by_person = {each.person: each for each in table}
    for person in (1, 2):
        line = by_person[person]
        assert [line.points, line.buchholz_cut, line.sonneborn_berger] == [1, 1, 1]
    assert by_person[1].won == by_person[2].won == 0
    assert by_person[1].rank < by_person[2].rank
    # In the first edition a bye was no win, so that nothing tells the two apart.
    old = {
        each.person: each.rank for each in compute_swiss_standings(people, rounds, byes, edition=1)
    }
    assert old[1] == old[2]


def test_results_of_others_are_refused() -> None:
    with pytest.raises(ValueError, match=r"\[9\] are not among those in the table"):
        compute_swiss_standings([1, 2], [[win(1, 9)]], [])
