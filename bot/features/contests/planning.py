"""Who meets whom: at the start of a contest, when somebody comes late, and from round to round.

These are functions of a contest as it is stored, and write nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice

from bot.features.contests.bracket import list_next_matches
from bot.features.contests.divisions import MAX_DIVISION, order_next_season, split_divisions
from bot.features.contests.results import compute_knock_out, compute_swiss
from bot.features.contests.round_robin import pair_round_robin
from bot.features.contests.rows import (
    Contest,
    ContestFormat,
    ContestView,
    Entrant,
    LatePlan,
    NewPairing,
    RoundPlan,
    SeasonPlan,
)
from bot.features.contests.service import MOST_IN_ROUND_ROBIN
from bot.features.contests.standings import Bye, Standing
from bot.features.contests.swiss import (
    MIN_SWISS,
    SwissPlayer,
    count_rounds,
    most_rounds,
    pair_swiss,
)
from bot.features.matches.store import DICE_FORMAT
from bot.platform.errors import DeclinedError, DeclineReason
from bot.store import NewMatch, Seat
from engine import dice
from engine.clock import DAY
from engine.games import GAMES
from engine.position import Side

MATCHES_AT_ONCE = 40
"""Matches that a start creates in one transaction at most, for which all others wait."""
BYE_POINTS = Fraction(1)
LATE_POINTS = Fraction(1, 2)
"""What somebody gets who comes late to a Swiss, once, however many rounds they have missed."""


def plan_start(
    view: ContestView,
    ratings: Mapping[int, int],
    before: Sequence[Sequence[Standing]],
    now: int,
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
    match contest.format:
        case ContestFormat.SWISS if len(seeds) >= MIN_SWISS:
            rounds = min(contest.rounds or count_rounds(len(seeds)), most_rounds(len(seeds)))
            first = _plan_swiss_round(view, seeds, now)
            assert first is not None, "nobody has met anybody"
            ends = now + contest.days * DAY
            return SeasonPlan(
                [seeds], first.pairings, ends, first.byes, ContestFormat.SWISS, rounds
            )
        case ContestFormat.KNOCK_OUT:
            seeded = _seed_view(view, seeds)
            pairings = list(_pair_knock_out(seeded, now))
            return SeasonPlan([seeds], pairings, now + contest.days * DAY, (), contest.format)
        case ContestFormat.SWISS:
            # At most half as many rounds as players, so that everybody finds somebody.
            days = contest.days * (contest.rounds or len(seeds) // 2)
            return _plan_tables(view, [seeds], ContestFormat.ROUND_ROBIN, days, now)
    divisions = [seeds]
    if contest.format is ContestFormat.LEAGUE:
        divisions = list(_divide(seeds))
    return _plan_tables(view, divisions, contest.format, contest.days, now)


def _plan_tables(
    view: ContestView,
    divisions: Sequence[Sequence[int]],
    form: ContestFormat,
    days: int,
    now: int,
) -> SeasonPlan:
    """Return a start in which everybody of a division meets everybody: the next pairings of it."""
    left = _pair_everyone(view, divisions, now)
    pairings = list(islice(left, MATCHES_AT_ONCE))
    is_complete = next(left, None) is None
    ends = now + days * DAY
    return SeasonPlan(divisions, pairings, ends, format=form, is_complete=is_complete)


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


def _divide(seeds: Sequence[int]) -> Iterator[Sequence[int]]:
    taken = 0
    for size in split_divisions(len(seeds)):
        yield seeds[taken : taken + size]
        taken += size


def _pair_everyone(
    view: ContestView, divisions: Sequence[Sequence[int]], now: int
) -> Iterator[NewPairing]:
    """Yield the pairings in which everybody of a division meets everybody, in each game once.

    Those that are stored already, which are the first, are left out.
    """
    number, known = 0, len(view.pairings)
    for division, them in enumerate(divisions):
        for pairs in pair_round_robin(len(them)):
            for pair in pairs:
                for at, game in enumerate(view.contest.games):
                    # With several games nobody has the first side in all of them.
                    first, second = pair if at % 2 == 0 else pair[::-1]
                    number += 1
                    if number <= known:
                        continue
                    beginning = _build_match(view, number, them[first], them[second], game, now)
                    yield NewPairing(division, them[first], them[second], beginning)


def _build_match(
    view: ContestView, number: int, first: int, second: int, game: str, now: int
) -> NewMatch:
    contest = view.contest
    secret = dice.derive_match_secret(contest.secret, number)
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


def plan_late_entry(view: ContestView, entrant: Entrant, now: int) -> LatePlan:
    """Return what somebody plays who joins a contest that goes on.

    In a table it is everyone in the lowest division with a place who has not left or, in somebody's
    place, those whom that one has not met; in a Swiss they play from the next round on.
    Raises DeclinedError if they cannot join.
    """
    contest = view.contest
    known = view.find_entrant(entrant.person)
    if known is not None and known.left is None:
        raise DeclinedError(DeclineReason.CONTEST_JOINED, contest=contest.name)
    if known is not None:
        raise DeclinedError(DeclineReason.CONTEST_LEFT, contest=contest.name)
    if not is_open_late(view, now):
        raise DeclinedError(DeclineReason.CONTEST_NOT_OPEN, contest=contest.name)
    freed = view.find_free_place()
    replaced = freed.person if freed else None
    if contest.format is ContestFormat.SWISS:
        return LatePlan(0, byes=[Bye(view.round, entrant.person, LATE_POINTS)], replaces=replaced)
    if freed is not None:
        division = freed.division or 0
        # Those whom the other has met to the end have their result.
        met = {
            each.result.get_opponent(freed.person)
            for each in view.list_own(freed.person)
            if each.result.is_scored
        }
        others = [
            each.person
            for each in view.list_divisions()[division]
            if each.left is None and each.person not in met
        ]
        pairings = list(_pair_late(view, entrant, division, others, now))
        return LatePlan(division, pairings, replaces=replaced)
    there = {
        number: [each.person for each in them if each.left is None]
        for number, them in enumerate(view.list_divisions())
    }
    most = get_most_in_division(contest)
    lowest = max((at for at, them in there.items() if len(them) < most), default=None)
    if lowest is None:
        raise DeclinedError(DeclineReason.CONTEST_FULL, most=most * len(there))
    return LatePlan(lowest, list(_pair_late(view, entrant, lowest, there[lowest], now)))


def _pair_late(
    view: ContestView, entrant: Entrant, division: int, others: Sequence[int], now: int
) -> Iterator[NewPairing]:
    """Yield the pairings of somebody who comes late with others, in each game one."""
    after = replace(view, entrants=(*view.entrants, entrant))
    number = len(view.pairings)
    for at, other in enumerate(others):
        for index, game in enumerate(view.contest.games):
            # Who comes late begins on either side as often.
            is_first = (at + index) % 2 == 0
            first, second = (entrant.person, other) if is_first else (other, entrant.person)
            number += 1
            beginning = _build_match(after, number, first, second, game, now)
            yield NewPairing(division, first, second, beginning)


def is_open_late(view: ContestView, now: int) -> bool:
    """Whether people can still join a contest that is played: in its first half, or for another.

    That is of its time or, in a Swiss, of its rounds. Nobody joins a knock-out late.
    """
    contest = view.contest
    if contest.format is ContestFormat.SWISS and view.round >= (contest.rounds or 0):
        return False
    if contest.is_running and view.find_free_place() is not None:
        return True
    if not (contest.is_running and contest.late_entry):
        return False
    if contest.format is ContestFormat.KNOCK_OUT:
        return False
    if contest.format is ContestFormat.SWISS:
        return 2 * view.round <= (contest.rounds or 0)
    half = find_half_time(contest)
    return half is not None and now < half


def find_half_time(contest: Contest) -> int | None:
    """Return when half of a running round's time is over, after which nobody comes in late."""
    if contest.began is None or contest.ends is None:
        return None
    return contest.began + -(-(contest.ends - contest.began) // 2)


def may_replace(view: ContestView) -> bool:
    """Whether somebody can come in another's place: not before the start, nor in a knock-out."""
    return view.contest.is_running and view.contest.format is not ContestFormat.KNOCK_OUT


def get_most_in_division(contest: Contest) -> int:
    """Return how many can be in one table in which everyone meets everyone."""
    return MAX_DIVISION if contest.format is ContestFormat.LEAGUE else MOST_IN_ROUND_ROBIN


def plan_round(view: ContestView, now: int) -> RoundPlan | None:
    """Return how a contest goes on; None where it waits for matches in progress."""
    match view.contest.format:
        case ContestFormat.SWISS:
            if view.list_running():
                return None
            if view.round >= (view.contest.rounds or 0):
                return RoundPlan(closed_rounds=view.round, is_over=True)
            seeds = [each.person for each in view.present]
            planned = _plan_swiss_round(view, seeds, now) if len(seeds) > 1 else None
            # Where everyone who is left has met everyone, it is over before its time.
            return planned or RoundPlan(closed_rounds=view.round, is_over=True)
        case ContestFormat.KNOCK_OUT:
            return _plan_knock_out(view, now)
    return None if view.list_running() else RoundPlan(is_over=True)


def is_over(view: ContestView) -> bool:
    """Whether nothing is left to be played in a contest."""
    planned = plan_round(view, 0)
    return planned is not None and planned.is_over


def _plan_swiss_round(view: ContestView, seeds: Sequence[int], now: int) -> RoundPlan | None:
    """Return the next round of a Swiss; None if no legal pairing is left."""
    number = view.round + 1
    paired = pair_swiss(list(_list_swiss_players(view, seeds)))
    if paired is None:
        return None
    games = view.contest.games
    game = games[(number - 1) % len(games)]
    pairings: list[NewPairing] = []
    for board, (first, second) in enumerate(paired.pairs, 1):
        beginning = _build_match(view, len(view.pairings) + board, first, second, game, now)
        pairings.append(NewPairing(0, first, second, beginning, number, board))
    byes = [] if paired.bye is None else [Bye(number, paired.bye, BYE_POINTS)]
    return RoundPlan(pairings, byes, number - 1, now + view.contest.days * DAY)


def _list_swiss_players(view: ContestView, seeds: Sequence[int]) -> Iterator[SwissPlayer]:
    points = {each.person: each.points for each in compute_swiss(view)}
    free = {bye.person for bye in view.byes}
    for person in seeds:
        own = view.list_own(person)
        yield SwissPlayer(
            person,
            points.get(person, Fraction(0)),
            frozenset(each.result.get_opponent(person) for each in own),
            person in free,
            sum(1 if each.first == person else -1 for each in own),
        )


def _plan_knock_out(view: ContestView, now: int) -> RoundPlan | None:
    bracket = compute_knock_out(view)
    if bracket.is_over:
        return RoundPlan(closed_rounds=len(bracket.rounds), is_over=True)
    closed = view.contest.closed_rounds
    while closed < len(bracket.rounds) and all(tie.is_decided for tie in bracket.rounds[closed]):
        closed += 1
    pairings = list(_pair_knock_out(view, now))
    if not pairings and closed == view.contest.closed_rounds:
        return None
    ends = view.contest.ends
    if closed > view.contest.closed_rounds:
        # The next round began early, and has all its time from now on.
        ends = now + view.contest.days * DAY
    return RoundPlan(pairings, (), closed, ends)


def _pair_knock_out(view: ContestView, now: int) -> Iterator[NewPairing]:
    contest = view.contest
    bracket = compute_knock_out(view)
    for at, (number, board, first, second) in enumerate(
        list_next_matches(bracket), len(view.pairings) + 1
    ):
        before = sum((each.round, each.board) == (number, board) for each in view.pairings)
        game = contest.games[before % len(contest.games)]
        beginning = _build_match(view, at, first, second, game, now)
        yield NewPairing(0, first, second, beginning, number, board)


def _seed_view(view: ContestView, seeds: Sequence[int]) -> ContestView:
    """Return a contest as it is once its people have those seeds."""
    numbers = {person: seed for seed, person in enumerate(seeds)}
    seeded = [
        replace(each, division=0, seed=numbers[each.person])
        for each in view.entrants
        if each.person in numbers
    ]
    ordered = sorted(seeded, key=lambda each: numbers[each.person])
    return replace(view, entrants=tuple(ordered))
