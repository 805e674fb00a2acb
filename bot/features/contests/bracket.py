"""The bracket of a knock-out: who meets whom, who goes on, and how all are ranked in the end.

Two people meet in a tie, which is the best of one, three or five matches. The leader with more
than half of these points goes on; a drawn match is half a point for each. If they are level after
all of them, they play single matches until somebody leads. Sides alternate within a tie, and the
better seed has the first side first. Nothing is decided while a match of the tie goes on.

An annulled match counts as not played, and another is begun. A double forfeit gives nobody a point
and ends its tie: the leader goes on, or nobody if the two are level. Somebody who leaves loses
their tie as soon as none of its matches is running. Where nobody comes out of a tie, the opponent
of the next round goes on by walkover.

When the time of a round is up, the leader of each of its ties goes on, or the better seed if the
two are level; nobody does if they have not played.

A player with a match in a later round has won their earlier ties, whatever becomes of the results
there: a match that is annulled after the next round began is not played again.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from bot.features.contests.standings import PairingResult

MIN_BRACKET, MAX_BRACKET = 2, 64
"""How many people a bracket takes."""
THIRD_PLACE_TABLE = 2
"""Where the losers of the semi-finals meet, in the round of the final."""
_NOTHING = Fraction(0)


@dataclass(frozen=True, slots=True)
class BracketMatch:
    """A match and its place in the bracket: its round and its table there, both from 1."""

    round: int
    table: int
    result: PairingResult


@dataclass(frozen=True, slots=True)
class Tie:
    """Who meets whom at one place of the bracket, and who goes on.

    `first` comes from the upper of the two ties before. A side that is known and None is empty:
    it is a bye, or nobody came out of the tie before. A tie that is decided without a winner is
    one that nobody comes out of. It is a walkover if the winner goes on because nobody opposes
    them, or the other has left.
    """

    round: int
    table: int
    first: int | None
    second: int | None
    is_first_known: bool
    is_second_known: bool
    results: tuple[PairingResult, ...] = ()
    score: tuple[Fraction, Fraction] = (_NOTHING, _NOTHING)
    winner: int | None = None
    is_decided: bool = False
    is_walkover: bool = False

    @property
    def people(self) -> tuple[int, ...]:
        """Those who are known to meet here, the first first."""
        return tuple(each for each in (self.first, self.second) if each is not None)

    @property
    def losers(self) -> tuple[int, ...]:
        """Those who are out since the tie was decided."""
        if not self.is_decided:
            return ()
        return tuple(each for each in self.people if each != self.winner)

    @property
    def is_running(self) -> bool:
        """Whether one of its matches is going on."""
        return any(not result.is_over for result in self.results)

    @property
    def is_bye(self) -> bool:
        """Whether somebody has no opponent in the first round."""
        return self.round == 1 and self.is_second_known and self.second is None

    @property
    def is_ready(self) -> bool:
        """Whether its next match should be begun."""
        return len(self.people) == 2 and not self.is_decided and not self.is_running


@dataclass(frozen=True, slots=True)
class Bracket:
    """All ties of a knock-out by round, and its seeds, the best first."""

    seeds: tuple[int, ...]
    rounds: tuple[tuple[Tie, ...], ...]
    third_place: Tie | None = None

    @property
    def final(self) -> Tie:
        """The last tie."""
        return self.rounds[-1][0]

    @property
    def ties(self) -> tuple[Tie, ...]:
        """The ties of all rounds, with the one for the third place as the last."""
        third = () if self.third_place is None else (self.third_place,)
        return (*(tie for ties in self.rounds for tie in ties), *third)

    @property
    def is_over(self) -> bool:
        """Whether every tie is decided."""
        return all(tie.is_decided for tie in self.ties)

    @property
    def champion(self) -> int | None:
        """Who has won the final; None before its end, or if nobody has."""
        return self.final.winner


@dataclass(frozen=True, slots=True)
class _Side:
    """Who comes to a side of a tie, if anybody does, and whether that is known yet."""

    person: int | None
    is_known: bool = True


@dataclass(frozen=True, slots=True)
class _Decision:
    """Who goes on from a tie, if anybody does, and whether it is by walkover."""

    winner: int | None
    is_walkover: bool = False


@dataclass(frozen=True, slots=True)
class _Records:
    """What decides ties; a place is a round and a table.

    `ranks` says how good somebody's seed is, from 0. `winners` are those who have a match in a
    later round, by the places they came through, and `losers` those who have one for the third
    place, by their semi-final.
    """

    ranks: Mapping[int, int]
    results: Mapping[tuple[int, int], Sequence[PairingResult]]
    winners: Mapping[tuple[int, int], int]
    losers: Mapping[tuple[int, int], int]
    left: Collection[int]
    best_of: int
    closed_rounds: int


def seed_bracket(count: int) -> tuple[tuple[int, int | None], ...]:
    """Return the pairs of the first round in a bracket, of seeds from 0; None is a bye.

    The two best seeds can only meet in the final, the four best not before the semi-finals, and so
    on. The best seeds have the byes. Raises ValueError for fewer than 2 people or more than 64.
    """
    if not MIN_BRACKET <= count <= MAX_BRACKET:
        raise ValueError(f"a bracket takes {MIN_BRACKET} to {MAX_BRACKET} people, not {count}")
    order = [0]
    while len(order) < count:
        size = 2 * len(order)
        order = [seed for best in order for seed in (best, size - 1 - best)]
    pairs = zip(order[::2], order[1::2], strict=True)
    return tuple((best, other if other < count else None) for best, other in pairs)


def compute_bracket(
    seeds: Sequence[int],
    matches: Iterable[BracketMatch],
    left: Collection[int],
    best_of: int,
    has_third_place: bool,
    closed_rounds: int = 0,
) -> Bracket:
    """Return the bracket of these people, the best seed first, as the module describes.

    `left` are those who have withdrawn, and the time is up for the first `closed_rounds` rounds.
    Raises ValueError if a match is at a place where those two cannot meet.
    """
    pairs = seed_bracket(len(seeds))
    records = _collect_records(seeds, pairs, matches, left, best_of, closed_rounds)
    people = [None if seed is None else seeds[seed] for pair in pairs for seed in pair]
    sides = [_Side(person) for person in people]
    rounds: list[tuple[Tie, ...]] = []
    while len(sides) > 1:
        number = len(rounds) + 1
        meeting = zip(sides[::2], sides[1::2], strict=True)
        ties = tuple(
            _build_tie(records, (number, table), first, second)
            for table, (first, second) in enumerate(meeting, start=1)
        )
        rounds.append(ties)
        sides = [_Side(tie.winner, tie.is_decided) for tie in ties]
    third = None
    if has_third_place and len(rounds) > 1:
        upper, lower = rounds[-2]
        place = (len(rounds), THIRD_PLACE_TABLE)
        third = _build_tie(records, place, _find_loser(upper), _find_loser(lower))
    return Bracket(tuple(seeds), tuple(rounds), third)


def list_next_matches(bracket: Bracket) -> list[tuple[int, int, int, int]]:
    """Return the matches that should be begun now: the round, the table, and the two people.

    The first of the two has the first side.
    """
    ranks = {person: rank for rank, person in enumerate(bracket.seeds)}
    ready = (tie for tie in bracket.ties if tie.is_ready)
    return [(tie.round, tie.table, *_choose_sides(tie, ranks)) for tie in ready]


def rank_bracket(bracket: Bracket) -> list[tuple[int, tuple[int, ...]]]:
    """Return the ranks of all who are out or have won, and who shares each, by seed.

    Those who are out in the same round share the best place that is left for them there: the
    losers of the quarter-finals are fifth. The tie for the third place, if there is one, tells the
    losers of the semi-finals apart. A rank is vacant if nobody came to it; the first is, if nobody
    has won the final.
    """
    ranks: list[tuple[int, tuple[int, ...]]] = []
    if bracket.champion is not None:
        ranks.append((1, (bracket.champion,)))
    for distance, ties in enumerate(reversed(bracket.rounds)):
        place = 2**distance + 1
        out = tuple(sorted((out for tie in ties for out in tie.losers), key=bracket.seeds.index))
        if distance == 1 and bracket.third_place is not None:
            if not bracket.third_place.is_decided:
                continue
            third = bracket.third_place.winner
            if third is not None:
                ranks.append((place, (third,)))
                place += 1
                out = tuple(each for each in out if each != third)
        if out:
            ranks.append((place, out))
    return ranks


def _collect_records(
    seeds: Sequence[int],
    pairs: Sequence[tuple[int, int | None]],
    matches: Iterable[BracketMatch],
    left: Collection[int],
    best_of: int,
    closed_rounds: int,
) -> _Records:
    order = [seed for pair in pairs for seed in pair]
    lines = {seeds[seed]: line for line, seed in enumerate(order) if seed is not None}
    last = len(pairs).bit_length()
    results: dict[tuple[int, int], list[PairingResult]] = {}
    winners: dict[tuple[int, int], int] = {}
    losers: dict[tuple[int, int], int] = {}
    for match in sorted(matches, key=lambda match: match.round):
        is_third = (match.round, match.table) == (last, THIRD_PLACE_TABLE) and last > 1
        _check_place(match, lines, is_third=is_third)
        results.setdefault((match.round, match.table), []).append(match.result)
        if match.result.is_annulled:
            continue
        for person in (match.result.first, match.result.second):
            # The players here have won all earlier ties, or all but the semi-final.
            came_through = [
                (number, _find_table(lines[person], number)) for number in range(1, match.round)
            ]
            if is_third:
                losers[came_through.pop()] = person
            winners.update(dict.fromkeys(came_through, person))
    ranks = {person: rank for rank, person in enumerate(seeds)}
    return _Records(ranks, results, winners, losers, left, best_of, closed_rounds)


def _check_place(match: BracketMatch, lines: Mapping[int, int], *, is_third: bool) -> None:
    """Raise ValueError if a match is at a place where those two cannot meet."""
    people = match.result.first, match.result.second
    table = 1 if is_third else match.table
    # One comes from each of the two ties before.
    before = [_find_table(lines.get(person, -1), match.round - 1) for person in people]
    if sorted(before) != [2 * table - 1, 2 * table]:
        raise ValueError(
            f"{people[0]} and {people[1]} cannot meet in round {match.round}, table {match.table}"
        )


def _find_table(line: int, number: int) -> int:
    """Return where somebody plays in a round, from their line of the bracket, counted from 0."""
    return (line >> number) + 1


def _find_loser(semifinal: Tie) -> _Side:
    """Return who comes from a semi-final to the tie for the third place."""
    losers = semifinal.losers
    # Where both are out, neither of them was there to the end.
    return _Side(losers[0] if len(losers) == 1 else None, semifinal.is_decided)


def _build_tie(records: _Records, place: tuple[int, int], first: _Side, second: _Side) -> Tie:
    people = {side.person for side in (first, second)}
    results = tuple(
        result
        for result in records.results.get(place, ())
        if {result.first, result.second} == people
    )
    number, table = place
    tie = Tie(
        round=number,
        table=table,
        first=first.person,
        second=second.person,
        is_first_known=first.is_known,
        is_second_known=second.is_known,
        results=results,
        score=(_count_points(results, first.person), _count_points(results, second.person)),
    )
    decision = _settle_tie(tie, records, _judge_tie(tie, records))
    if decision is None:
        return tie
    return replace(tie, winner=decision.winner, is_decided=True, is_walkover=decision.is_walkover)


def _count_points(results: Iterable[PairingResult], person: int | None) -> Fraction:
    if person is None:
        return _NOTHING
    return sum((result.count_points(person) for result in results), _NOTHING)


def _judge_tie(tie: Tie, records: _Records) -> _Decision | None:
    """Return who goes on by what happened in a tie; None while it is open."""
    if not (tie.is_first_known and tie.is_second_known):
        return None
    present = [person for person in tie.people if person not in records.left]
    walkover = _Decision(present[0], is_walkover=True) if present else _Decision(None)
    if len(tie.people) < 2:
        return walkover
    if tie.is_running:
        # What was annulled may count again after another match was begun in its place.
        return None
    leader = _find_leader(tie)
    if leader is not None and 2 * max(tie.score) > records.best_of:
        return _Decision(leader)
    if any(result.is_double_forfeit for result in tie.results):
        return _Decision(leader)
    if len(present) < 2:
        return walkover
    if tie.round > records.closed_rounds:
        return None
    if leader is None and any(result.is_regular for result in tie.results):
        leader = min(tie.people, key=records.ranks.__getitem__)
    return _Decision(leader)


def _settle_tie(tie: Tie, records: _Records, judged: _Decision | None) -> _Decision | None:
    """Return who goes on from a tie, whatever happened in it, if a later round tells who did."""
    place = tie.round, tie.table
    winner = records.winners.get(place)
    loser = records.losers.get(place)
    if winner is None and loser is not None:
        winner = next((person for person in tie.people if person != loser), None)
    elif winner is None:
        is_open = judged is None and (tie.is_running or not _is_passed(place, records))
        return None if is_open else judged or _Decision(None)
    if judged is not None and judged.winner == winner:
        return judged
    # A walkover stays one if the winner leaves too, later on.
    is_opposed = any(person not in records.left for person in tie.people if person != winner)
    return _Decision(winner, is_walkover=not is_opposed and _find_leader(tie) != winner)


def _is_passed(place: tuple[int, int], records: _Records) -> bool:
    """Return whether somebody else has gone on from a tie that this one leads to."""
    number, table = place
    return any(
        later > number and _find_table(table - 1, later - number) == passed
        for later, passed in (*records.winners, *records.losers)
    )


def _find_leader(tie: Tie) -> int | None:
    first, second = tie.score
    if first == second:
        return None
    return tie.first if first > second else tie.second


def _choose_sides(tie: Tie, ranks: Mapping[int, int]) -> tuple[int, int]:
    """Return who has the first side next: whoever had it less often, or else the better seed."""
    begun = [result.first for result in tie.results if result.is_scored]
    one, other = sorted(tie.people, key=ranks.__getitem__)
    return (other, one) if begun.count(one) > begun.count(other) else (one, other)
