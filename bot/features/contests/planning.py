"""Who meets whom: at the start of a contest, when somebody comes late, and from round to round.

These are functions of a contest as it is stored, and write nothing. In a table not all matches
begin at the start: of each person only so many go on side by side. Those that are to come are not
stored, but follow from who takes part and from the matches that there are. The rounds are those of
the Berger tables (FIDE Handbook, C.05, Annex 1).
"""

import secrets
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations, islice, pairwise, product
from typing import TypeVar

from bot.features.contests.formats import BlockPairs, ContestSize, get_format
from bot.features.contests.service import ContestJoinedError, ContestLeftError, ContestNotOpenError
from bot.features.contests.standings import PairingResult, Standing
from bot.features.contests.tables import (
    Contest,
    ContestFormat,
    ContestState,
    ContestView,
    Entrant,
    LatePlan,
    NewPairing,
    RoundPlan,
    RulingAction,
    SeasonPlan,
)
from bot.features.matches.rows import NewMatch, Seat
from bot.features.matches.store import DICE_FORMAT
from bot.platform.people import is_pseudonym
from engine import dice
from engine.clock import DAY, parse_pace
from engine.games import GAMES
from engine.outcome import FORFEITED
from engine.position import Side

_Plan = TypeVar("_Plan", SeasonPlan, RoundPlan, LatePlan)
MATCHES_AT_ONCE = 40
"""Matches that a start creates in one transaction at most, for which all others wait."""


def plan_start(
    view: ContestView,
    ratings: Mapping[int, int],
    before: Sequence[Sequence[Standing]],
    now: int,
    blocks: BlockPairs = (),
) -> SeasonPlan:
    """Return how a contest starts for those who take part, or how a start goes on.

    They are seeded by last season's tables, and newcomers by their ratings below those. With too
    few people for a Swiss it is played as a round robin, for as long as its rounds would last.
    Where everybody meets everybody, it has MATCHES_AT_ONCE of their matches at most.
    """
    contest = view.contest
    if contest.is_starting:
        # As they were divided when it began, whatever their ratings are by now.
        divided = [[each.person for each in them] for them in view.list_divisions()]
        seeds: Sequence[int] = [person for them in divided for person in them]
    else:
        seeds = _order_seeds(view, ratings, before)
    placed = {each.person for standings in before for each in standings}
    return get_format(contest).plan_start(view, seeds, now, blocks, placed)


def plan_tables(
    view: ContestView,
    divisions: Sequence[Sequence[int]],
    form: ContestFormat,
    days: int,
    now: int,
) -> SeasonPlan:
    """Return a start in which everybody of a division meets everybody: the next pairings of it."""
    seeded = seed_view(view, divisions)
    starters = sum(map(len, divisions))
    begun = replace(seeded.contest, format=form, starters=starters)
    left = pick_next(replace(seeded, contest=begun), now)
    pairings = list(islice(left, MATCHES_AT_ONCE))
    is_complete = next(left, None) is None
    ends = now + days * DAY
    return SeasonPlan(divisions, pairings, ends, format=form, is_complete=is_complete, days=days)


def _order_seeds(
    view: ContestView, ratings: Mapping[int, int], before: Sequence[Sequence[Standing]]
) -> Sequence[int]:
    # Sorting keeps the order in which people of equal rating signed up.
    by_rating = sorted(view.present, key=lambda each: -ratings.get(each.person, 0))
    people = [each.person for each in by_rating]
    tables = [[each.person for each in standings] for standings in before]
    played_before = {person for them in tables for person in them}
    newcomers = [person for person in people if person not in played_before]
    return order_next_season(tables, frozenset(people) - frozenset(newcomers), newcomers)


def pick_next(view: ContestView, now: int) -> Iterator[NewPairing]:
    """Yield the pairings of a table that can begin: nobody has more at once than allowed."""
    contest = view.contest
    going_on = Counter(
        person for each in view.list_running() for person in (each.first, each.second)
    )
    # Those of the start keep the numbers that they have had since, also if they begin later.
    numbers = (each.number or 0 for each in list_waiting(view))
    last = max(view.last_number, *numbers, 0)
    for each in list_waiting(view):
        first, second = each.first.person, each.second.person
        if max(going_on[first], going_on[second]) >= contest.at_once:
            continue
        going_on.update((first, second))
        if each.number is None:
            last += 1
        number = each.number or last
        beginning = build_match(view, number, first, second, each.game, now)
        yield NewPairing(each.division, first, second, beginning, number=number)


def build_match(
    view: ContestView, number: int, first: int, second: int, game: str, now: int
) -> NewMatch:
    """Return the match of a pairing with that number, whose dice follow from it."""
    contest = view.contest
    # Where the contest's secret is lost each match has one of its own.
    secret = (
        dice.derive_match_secret(contest.secret, number)
        if contest.secret
        else secrets.token_bytes(dice.SECRET_BYTES)
    )
    given = {each.person: each.contribution for each in view.entrants}
    sides = zip(Side, (first, second), strict=True)
    return NewMatch(
        guild=contest.guild,
        channel=contest.channel,
        game=game,
        edition=GAMES[game].edition,
        options=contest.options,
        rated=contest.rated,
        secret=secret,
        commitment=dice.compute_commitment(secret),
        dice=DICE_FORMAT,
        created=now,
        seats=[Seat(side.value, 0, person, given[person]) for side, person in sides],
        pace=contest.pace,
        contest=contest.id,
        away_days=contest.away_days,
    )


def mark_optional(plan: _Plan, blocks: BlockPairs) -> _Plan:
    """Return a plan whose pairings are marked where one of the two has blocked the other."""
    between = {frozenset(each) for each in blocks}
    marked = [
        replace(each, optional=frozenset((each.first, each.second)) in between)
        for each in plan.pairings
    ]
    return replace(plan, pairings=marked)


def plan_late_entry(
    view: ContestView, entrant: Entrant, now: int, blocks: BlockPairs = ()
) -> LatePlan:
    """Return what somebody plays who joins late; raises DeclinedError if they cannot."""
    contest = view.contest
    known = view.find_entrant(entrant.person)
    if known is not None and known.left is None:
        raise ContestJoinedError(contest.name)
    if known is not None:
        raise ContestLeftError(contest.name)
    if not is_open_late(view, now):
        raise ContestNotOpenError(contest.name)
    return get_format(contest).plan_late_entry(view, entrant, now, blocks)


def is_open_late(view: ContestView, now: int) -> bool:
    """Whether people can still join a contest that is played: in its first half, or for another."""
    return view.contest.is_running and get_format(view.contest).is_open_late(view, now)


def find_half_time(contest: Contest) -> int | None:
    """Return when half of a running round's time is over, after which nobody comes in late.

    It is counted back from the deadline: time that was paused, or in which nobody could act, is
    none that could be played in, and those who come when there is more time have as much of it.
    """
    if contest.began is None or contest.ends is None:
        return None
    return contest.ends - contest.days * DAY // 2


def stop_time(contest: Contest, now: int) -> int:
    """Return the present instant by a contest's own time, which stands still while it is paused."""
    return now if contest.paused is None else min(now, contest.paused)


def find_deadline(contest: Contest, now: int) -> int | None:
    """Return when a round ends, or would if a contest that is paused went on now."""
    if contest.ends is None:
        return None
    return contest.ends + now - stop_time(contest, now)


def estimate_end(view: ContestView, now: int) -> int:
    """Return when a contest is over at the latest, if its rounds last as long as they may."""
    contest = view.contest
    round_ms = contest.days * DAY
    ends = find_deadline(contest, now)
    if ends is not None:
        return ends + round_ms * get_format(contest).count_later_rounds(view)
    rounds = get_format(contest).count_likely_rounds(view)
    return contest.starts + round_ms * max(rounds, 1)


def compute_size(contest: Contest, joined: int) -> ContestSize:
    """Return how much is played in a contest by those who have joined, or by the least it needs."""
    form = get_format(contest)
    return form.compute_size(contest, max(joined, form.least))


def may_replace(view: ContestView) -> bool:
    """Whether somebody can come in another's place: not before the start, nor in a knock-out."""
    return view.contest.is_running and get_format(view.contest).may_replace


def list_readmittable(view: ContestView) -> list[int]:
    """Return whom organisers removed and can let back in: nobody once a knock-out has begun."""
    if view.contest.state is ContestState.OPEN or may_replace(view):
        return [person for person in view.list_removed() if not is_pseudonym(person)]
    return []


def plan_round(view: ContestView, now: int, blocks: BlockPairs = ()) -> RoundPlan | None:
    """Return how a contest goes on; None where it waits for matches in progress."""
    return get_format(view.contest).plan_round(view, now, blocks)


def list_next_players(view: ContestView, now: int) -> frozenset[int]:
    """Return who is about to be paired; empty while a contest waits for matches."""
    if not view.contest.is_running or view.contest.paused is not None:
        return frozenset()
    return get_format(view.contest).list_next_players(view, now)


def has_time_to_begin(contest: Contest, now: int) -> bool:
    """Whether a match that begins now leaves both sides time for a turn before the deadline.

    Later none begins: it would be forfeited by somebody who could not have played it earlier.
    """
    if contest.ends is None:
        return False
    turn = parse_pace(contest.pace).fresh_time or DAY
    needed = min(max(2 * turn, DAY), contest.days * DAY // 2)
    return stop_time(contest, now) + needed <= contest.ends


def is_over(view: ContestView, now: int) -> bool:
    """Whether nothing is left to be played in a contest at an instant."""
    planned = plan_round(view, now)
    return planned is not None and planned.is_over


def seed_view(view: ContestView, divisions: Sequence[Sequence[int]]) -> ContestView:
    """Return a contest as it is once its people are in those divisions, in the order of seeds."""
    in_order = [(division, person) for division, them in enumerate(divisions) for person in them]
    known = {each.person: each for each in view.entrants}
    seeded = [
        replace(known[person], division=division, seed=seed)
        for seed, (division, person) in enumerate(in_order)
    ]
    return replace(view, entrants=tuple(seeded))


MIN_DIVISION = 4
MAX_DIVISION = 8
MAX_OF_ONE_MOVER = 5
"""Up to how many players of a division only one of them rises, and one falls."""


def split_divisions(count: int) -> tuple[int, ...]:
    """Return the sizes of as few divisions as hold that many players, larger ones first.

    They are from `MIN_DIVISION` to `MAX_DIVISION`, and differ by one at most. Raises ValueError if
    there are too few players for one division.
    """
    if count < MIN_DIVISION:
        raise ValueError(f"a division takes {MIN_DIVISION} players, not {count}")
    # Negated twice, the floor division rounds up.
    divisions = -(-count // MAX_DIVISION)
    size, larger = divmod(count, divisions)
    return (size + 1,) * larger + (size,) * (divisions - larger)


def count_movers(size: int) -> int:
    """Return how many of a division of that size rise, and as many fall, after a season."""
    movers = 1 if size <= MAX_OF_ONE_MOVER else 2
    # More than half could not both rise and fall.
    return min(movers, size // 2)


def count_exchanged(upper: int, lower: int) -> int:
    """Return how many change places between two divisions of these sizes, one below the other.

    As many rise as fall; where the divisions have unlike numbers of movers, the smaller number.
    """
    return min(count_movers(upper), count_movers(lower))


def order_next_season(
    tables: Sequence[Sequence[int]], joined: Collection[int], newcomers: Sequence[int]
) -> tuple[int, ...]:
    """Return the people in the order in which they are to be divided next season.

    `tables` are last season's divisions, top first, each in its final order. The last of each
    change places with the first of the one below (see `count_exchanged`), and both keep their
    order. Then those who are not among `joined` are left out, and everyone below moves up.
    `newcomers` come last, in their order; any who have a place already keep that.
    """
    divisions = [list(table) for table in tables]
    for upper, lower in pairwise(divisions):
        exchanged = count_exchanged(len(upper), len(lower))
        # With nobody to exchange, a slice from -0 on would be the whole division.
        start = len(upper) - exchanged
        upper[start:], lower[:exchanged] = lower[:exchanged], upper[start:]
    staying = set(joined)
    placed = [person for division in divisions for person in division if person in staying]
    already = set(placed)
    return (*placed, *(person for person in newcomers if person not in already))


def separate_blocked(
    divisions: Sequence[Sequence[int]],
    blocks: Collection[tuple[int, int]],
    placed: Collection[int],
) -> list[Sequence[int]]:
    """Return divisions in which as few people as possible are with somebody whom they blocked.

    `blocks` are those who have blocked somebody, and whom. Two people at a time change places, the
    nearest to each other first, as long as that separates more. Those whom last season `placed`
    go down only if they have blocked somebody themselves: nobody else pays for a block.
    """
    current = [list(division) for division in divisions]
    while together := _count_together(current, blocks):
        fewer = min(
            (
                (_count_together(swapped, blocks), distance, swapped)
                for distance, swapped in _list_exchanges(current, blocks, placed)
            ),
            default=None,
        )
        if fewer is None or fewer[0] >= together:
            break
        current = fewer[2]
    return list(current)


def _count_together(divisions: Sequence[Sequence[int]], blocks: Collection[tuple[int, int]]) -> int:
    """Return how many blocks are between two of the same division."""
    at = {person: number for number, them in enumerate(divisions) for person in them}
    return sum(by in at and at[by] == at.get(blocked) for by, blocked in blocks)


def _list_exchanges(
    divisions: Sequence[Sequence[int]],
    blocks: Collection[tuple[int, int]],
    placed: Collection[int],
) -> Iterator[tuple[int, list[list[int]]]]:
    """Yield the divisions after each exchange that may be made, and how far the two then move."""
    order = {
        person: at for at, person in enumerate(person for them in divisions for person in them)
    }
    number = {person: at for at, them in enumerate(divisions) for person in them}
    close = {each for each in blocks if number.get(each[0], -1) == number.get(each[1], -2)}
    blocking = {by for by, _ in close}
    concerned = blocking | {blocked for _, blocked in close}
    for upper, lower in combinations(range(len(divisions)), 2):
        for down, up in product(divisions[upper], divisions[lower]):
            if concerned.isdisjoint((down, up)) or (down in placed and down not in blocking):
                continue
            swap = {down: up, up: down}
            swapped = [[swap.get(person, person) for person in them] for them in divisions]
            yield order[up] - order[down], swapped


@dataclass(frozen=True, slots=True)
class TableMeeting:
    """Two people who are to meet in a division, in a game; `first` sits down as gold.

    Its `number` is that of its pairing, from which its dice follow. Those of a start have theirs
    from then on; None is for the next number when it begins.
    """

    number: int | None
    division: int
    first: Entrant
    second: Entrant
    game: str


def list_waiting(view: ContestView) -> list[TableMeeting]:
    """Return those whose match has not begun, in the order in which they begin.

    Everyone meets everyone in the first game before anybody does in the second. Nobody meets those
    who have left.
    """
    there = [
        each for each in _list_unmet(view) if each.first.left is None and each.second.left is None
    ]
    # Sorting keeps the order of those in one game.
    return sorted(there, key=lambda each: view.contest.games.index(each.game))


def count_own_waiting(view: ContestView, person: int) -> int:
    """Return how many matches of somebody's have not begun."""
    return sum(person in (each.first.person, each.second.person) for each in list_waiting(view))


def list_walkovers(view: ContestView) -> Mapping[int, Sequence[PairingResult]]:
    """Return the results against those who have left before their match began, by division.

    Who would have met them wins, as in the matches that went on when they left. There is none where
    somebody else can play in their place.
    """
    results: defaultdict[int, list[PairingResult]] = defaultdict(list)
    if all(each.left is None for each in view.entrants):
        return results
    freed = {each.person for each in view.rulings if each.action is RulingAction.REPLACE}
    for each in _list_unmet(view):
        first, second = each.first.person, each.second.person
        winner = None if {first, second} & freed else _find_remaining(each.first, each.second)
        if winner is not None:
            results[each.division].append(PairingResult(first, second, winner, FORFEITED))
    return results


def _find_remaining(first: Entrant, second: Entrant) -> int | None:
    """Return who was there when the other left; None while both are, or if neither was."""
    for each, other in ((first, second), (second, first)):
        if other.left is None or each.joined >= other.left:
            continue
        if each.left is None or each.left > other.left:
            return each.person
    return None


def _list_unmet(view: ContestView) -> list[TableMeeting]:
    """Return those who were ever to meet in a table, and whose match has not begun."""
    if not get_format(view.contest).meets_all:
        return []
    holders = _find_first_holders(view)
    begun, settled = set(), set()
    for each in view.pairings:
        begun.add((each.pair, each.game))
        if each.result.is_scored:
            # Who comes in somebody's place does not play again what that one has played out.
            pair = frozenset(holders.get(one, one) for one in (each.first, each.second))
            settled.add((pair, each.game))
    unmet = []
    for each_one in _list_all(view):
        first, second = each_one.first.person, each_one.second.person
        places = frozenset((holders[first], holders[second]))
        if (frozenset((first, second)), each_one.game) in begun or len(places) < 2:
            continue
        if (places, each_one.game) not in settled:
            unmet.append(each_one)
    return unmet


def _find_first_holders(view: ContestView) -> dict[int, int]:
    """Return who had everybody's place at first."""
    holders: dict[int, int] = {}
    # Who comes in somebody's place is behind them in the order of seeds.
    for each in view.entrants:
        before = each.replaces
        holders[each.person] = each.person if before is None else holders.get(before, before)
    return holders


def _list_all(view: ContestView) -> Iterator[TableMeeting]:
    """Yield all who were ever to meet: those of the start by their numbers, and then the others."""
    starters = view.contest.starters
    number = 0
    late: list[tuple[int, Sequence[Entrant], Entrant]] = []
    for division, members in enumerate(view.list_divisions()):
        there = [each for each in members if starters is None or (each.seed or 0) < starters]
        rounds = pair_round_robin(len(there)) if len(there) > 1 else ()
        for pair in chain.from_iterable(rounds):
            for at, game in enumerate(view.contest.games):
                # With several games nobody has the first side in all of them.
                first, second = pair if at % 2 == 0 else pair[::-1]
                number += 1
                known = None if starters is None else number
                yield TableMeeting(known, division, there[first], there[second], game)
        for at, each in enumerate(members[len(there) :], len(there)):
            late.append((division, members[:at], each))
    for division, others, newcomer in late:
        yield from _list_late(view, division, others, newcomer)


def _list_late(
    view: ContestView, division: int, others: Sequence[Entrant], newcomer: Entrant
) -> Iterator[TableMeeting]:
    """Yield whom somebody meets who came late: those before them who were there then."""
    met = [each for each in others if each.left is None or each.left > newcomer.joined]
    for at, other in enumerate(met):
        for index, game in enumerate(view.contest.games):
            # Who comes late begins on either side as often.
            pair = (newcomer, other) if (at + index) % 2 == 0 else (other, newcomer)
            yield TableMeeting(None, division, *pair, game)


def pair_round_robin(count: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return the rounds of a round robin, each a tuple of pairings, by the Berger tables.

    Players are numbered from 0, and the first of a pairing has the first side; everybody has the
    first side as often as the second, or once more or less. An odd number of players is paired by
    the table for one more: who would meet the player that is not there has a bye. Raises ValueError
    for fewer than two players.
    """
    if count < 2:
        raise ValueError(f"a round robin takes two players, not {count}")
    size = count + count % 2
    rounds = (_pair_round(size, number) for number in range(size - 1))
    return tuple(tuple(pair for pair in pairs if max(pair) < count) for pairs in rounds)


def _pair_round(size: int, number: int) -> list[tuple[int, int]]:
    """Return one round, counted from 0, of the table for an even number of players."""
    # All but the last player sit in a circle, and those pair off who are equally far from one of
    # them, who meets the last player. From round to round that place moves on by half a circle.
    circle = size - 1
    last = size - 1
    pivot = number * (size // 2) % circle
    pair = (last, pivot) if number % 2 else (pivot, last)
    others = range(1, size // 2)
    return [pair, *(((pivot + away) % circle, (pivot - away) % circle) for away in others)]
