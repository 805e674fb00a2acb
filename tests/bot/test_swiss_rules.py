"""Swiss tournaments: who meets whom, and how their tables are ranked."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random

import pytest

from bot.features.contests.standings import Bye, PairingResult
from bot.features.contests.swiss import (
    MIN_SWISS,
    SwissPlayer,
    SwissRound,
    count_rounds,
    most_rounds,
    pair_swiss,
)
from bot.features.contests.swiss_standings import compute_swiss_standings
from engine.outcome import ANNULLED, FORFEITED

HALF = Fraction(1, 2)
TOURNAMENTS = int(os.environ.get("TABULA_SWISSES", "100"))
"""Random tournaments of the sweep; ten thousand take an hour."""


def build_player(
    person: int, score: int | Fraction = 0, *met: int, had_bye: bool = False, firsts: int = 0
) -> SwissPlayer:
    """Somebody to be paired."""
    return SwissPlayer(person, Fraction(score), frozenset(met), had_bye, firsts)


def pair(*players: SwissPlayer) -> SwissRound:
    """The next round, of which there is one."""
    found = pair_swiss(players)
    assert found is not None
    return found


def list_pairs(found: SwissRound) -> set[frozenset[int]]:
    """Who meets whom."""
    return {frozenset(each) for each in found.pairs}


def pick(*pairs: tuple[int, int]) -> set[frozenset[int]]:
    """Those pairs, whoever has the first side."""
    return {frozenset(each) for each in pairs}


def test_the_upper_half_meets_the_lower_half() -> None:
    found = pair(*(build_player(person) for person in range(1, 9)))
    # The Dutch system's first round: 1 meets 5, 2 meets 6 and so on, the first sides in turns.
    assert found == SwissRound(((1, 5), (6, 2), (3, 7), (8, 4)), None)


def test_the_lowest_who_had_none_has_the_bye() -> None:
    players = [build_player(person, score) for person, score in ((1, 2), (2, 1), (3, 1), (4, 0))]
    last = build_player(5, 0, had_bye=True)
    found = pair(*players, last)
    # Number 5 has had one, so 4 has it, and 5 meets somebody.
    assert found.bye == 4
    assert list_pairs(found) == pick((1, 2), (3, 5))


def test_the_bye_rises_where_the_others_could_not_be_paired() -> None:
    # Without 5 neither 1 nor 2 would have anybody: 3 and 4 have met both.
    one, two = build_player(1, 2, 2, 3, 4), build_player(2, 1, 1, 3, 4)
    three, four = build_player(3, 1, 1, 2), build_player(4, 1, 1, 2)
    five = build_player(5, 0)
    found = pair(one, two, three, four, five)
    # One of the two meets 5, and the other has the bye: it is the lower one.
    assert found.bye == 2
    assert list_pairs(found) == pick((1, 5), (3, 4))


def test_a_float_goes_to_the_nearest_score() -> None:
    # Three have two points: two of them meet, and the third meets the one with one point.
    twos = [build_player(person, 2) for person in (1, 2, 3)]
    found = pair(*twos, build_player(4, 1), build_player(5, 0), build_player(6, 0))
    assert list_pairs(found) >= pick((5, 6))
    assert any(4 in each and min(each) <= 3 for each in list_pairs(found))


def test_who_has_begun_less_often_begins() -> None:
    found = pair(build_player(1, 1, firsts=1), build_player(2, 1, firsts=-1))
    assert found.pairs == ((2, 1),)


def test_without_a_legal_pairing_there_is_no_round() -> None:
    one, two = build_player(1, 1, 2), build_player(2, 0, 1)
    assert pair_swiss([one, two]) is None
    # Three of whom two have met each other and all have had a bye.
    players = [build_player(person, 0, had_bye=True) for person in (1, 2, 3)]
    assert pair_swiss(players) is None


def test_how_many_rounds_suit_a_number_of_players() -> None:
    # The powers of two, as in a knock-out, but half of the players at most.
    assert [count_rounds(n) for n in (8, 9, 16, 17, 32, 64)] == [3, 4, 4, 5, 5, 6]
    assert [most_rounds(n) for n in (8, 9, 64)] == [4, 4, 32]


def rate_round(players: Sequence[SwissPlayer], found: SwissRound) -> tuple[int, ...]:
    """How good a round is by the rules, the better the smaller."""
    by_person = {each.person: each for each in players}
    ranked = sorted(players, key=lambda each: -each.score)
    places = {each.person: at for at, each in enumerate(ranked)}
    apart = distance = 0
    for first, second in found.pairs:
        upper, lower = sorted((first, second), key=places.__getitem__)
        difference = (by_person[upper].score - by_person[lower].score) * 2
        size = sum(each.score == by_person[upper].score for each in players)
        apart += int(difference**2)
        distance += (places[lower] - places[upper] - max(size // 2, 1)) ** 2
    return (-places[found.bye] if found.bye is not None else 0, apart, distance)


def list_rounds(
    left: Sequence[SwissPlayer], pairs: tuple[tuple[int, int], ...] = (), bye: int | None = None
) -> Iterator[SwissRound]:
    """Every legal round, found by trying."""
    if not left:
        yield SwissRound(pairs, bye)
        return
    one, *others = left
    if len(left) % 2 and bye is None and not one.had_bye:
        yield from list_rounds(others, pairs, one.person)
    for at, other in enumerate(others):
        if other.person not in one.met:
            rest = [*others[:at], *others[at + 1 :]]
            yield from list_rounds(rest, (*pairs, (one.person, other.person)), bye)


@pytest.mark.parametrize("seed", range(60))
def test_no_legal_round_is_better(seed: int) -> None:
    chance = Random(seed)
    count = chance.randint(2, 9)
    met: dict[int, set[int]] = {person: set() for person in range(count)}
    for one in range(count):
        for other in range(one):
            if chance.random() < 0.35:
                met[one].add(other)
                met[other].add(one)
    players = [
        build_player(
            person,
            Fraction(chance.randint(0, 6), 2),
            *met[person],
            had_bye=chance.random() < 0.4,
            firsts=chance.randint(-1, 1),
        )
        for person in range(count)
    ]
    found = pair_swiss(players)
    best = min((rate_round(players, each) for each in list_rounds(players)), default=None)
    assert (rate_round(players, found) if found else None) == best


@dataclass
class RandomSwiss:
    """A tournament whose results, withdrawals and late entries are left to chance."""

    chance: Random
    people: list[int]
    rounds: list[list[PairingResult]] = field(default_factory=list)
    byes: list[Bye] = field(default_factory=list)
    left: set[int] = field(default_factory=set)

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
                had_bye=any(bye.person == person for bye in self.byes),
                firsts=sum(each.first == person for each in results)
                - sum(each.second == person for each in results),
            )
            for person in self.people
            if person not in self.left
        ]

    def play_round(self) -> bool:
        """Pair a round and let chance decide it; return whether there was one."""
        players = self.list_players()
        found = pair_swiss(players)
        if found is None:
            return False
        self.check(players, found)
        if found.bye is not None:
            self.byes.append(Bye(len(self.rounds) + 1, found.bye, Fraction(1)))
        self.rounds.append([self.decide(*pair) for pair in found.pairs])
        return True

    def decide(self, first: int, second: int) -> PairingResult:
        """A result by chance: mostly somebody wins."""
        how = self.chance.choices(["off", "agreed", FORFEITED, ANNULLED], [80, 10, 8, 2])[0]
        winner = self.chance.choice((first, second)) if how in ("off", FORFEITED) else None
        return PairingResult(first, second, winner, how)

    def check(self, players: Sequence[SwissPlayer], found: SwissRound) -> None:
        """Everybody is there once, meets nobody again, and has no second bye."""
        by_person = {each.person: each for each in players}
        seated = [person for pair in found.pairs for person in pair]
        free = [] if found.bye is None else [found.bye]
        assert sorted([*seated, *free]) == sorted(by_person)
        assert all(second not in by_person[first].met for first, second in found.pairs)
        assert not any(by_person[person].had_bye for person in free)

    def let_people_come_and_go(self, until: int) -> None:
        """Some leave, and before half of the rounds somebody may come late, with half a point."""
        played = len(self.rounds)
        for person in self.people:
            if person not in self.left and self.chance.random() < 0.03:
                self.left.add(person)
        if 2 * played <= until and self.chance.random() < 0.3:
            late = len(self.people)
            self.people.append(late)
            self.byes.append(Bye(played, late, HALF))


def play_random_swiss(seed: int) -> None:
    """Play a whole tournament, and check every round of it."""
    chance = Random(seed)
    swiss = RandomSwiss(chance, list(range(chance.randint(MIN_SWISS, 64))))
    rounds = chance.randint(1, most_rounds(len(swiss.people)))
    # Large tournaments have few rounds, as people choose them.
    rounds = min(rounds, 9)
    for number in range(1, rounds + 1):
        there = len(swiss.people) - len(swiss.left)
        # Before round r nobody has met more than r - 1. With an even number of players Dirac's
        # theorem gives a legal round while r is n / 2 at most; with an odd one, one of those who
        # had no bye is left out, of whom there are enough, and the n - 1 others are paired alike.
        is_sure = number <= (there - 1) // 2
        went_on = swiss.play_round()
        assert went_on or not is_sure
        if not went_on:
            return
        swiss.let_people_come_and_go(rounds)


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
    assert [one.points, *one.opponents, one.sonneborn_berger] == [1, 1, 1]
    assert [two.points, *two.opponents, two.forfeited] == [0, 0, 1]


def test_who_came_late_has_half_a_point_and_no_more_for_the_rounds_before() -> None:
    late = Bye(2, 3, HALF)
    rounds = [[win(1, 2)], [PairingResult(1, 2, None, "agreed")], [win(3, 2)]]
    table = compute_swiss_standings([1, 2, 3], rounds, [late])
    by_person = {each.person: each for each in table}
    assert by_person[3].points == Fraction(3, 2)
    # Two rounds against nobody (own points 1½), and one against 2, who has ½.
    assert list(map(float, by_person[3].opponents)) == [Fraction(3, 2), Fraction(3, 2), HALF]
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


def test_results_of_others_are_refused() -> None:
    with pytest.raises(ValueError, match=r"\[9\] are not among those in the table"):
        compute_swiss_standings([1, 2], [[win(1, 9)]], [])
