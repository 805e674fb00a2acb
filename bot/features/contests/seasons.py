"""How a season starts, and how it ends and the next one opens."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace

from bot.features.contests.divisions import MAX_DIVISION, order_next_season, split_divisions
from bot.features.contests.jobs import EndContest, ShowContest, ThrowOpening
from bot.features.contests.round_robin import pair_round_robin
from bot.features.contests.rows import (
    Contest,
    ContestRuling,
    ContestView,
    Entrant,
    NewContest,
    NewPairing,
    SeasonPlan,
)
from bot.features.contests.service import (
    LEAST_ENTRANTS,
    build_opening_jobs,
    finish_change,
    is_open_late,
    load_contest,
    require_open,
)
from bot.features.contests.standings import Standing, compute_standings
from bot.features.matches.clock import IDLE_LIMIT_MS
from bot.features.matches.store import DICE_FORMAT
from bot.features.ratings.service import get_display_rating, make_server_scope
from bot.features.servers import service as servers
from bot.platform.context import App
from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.jobs.kinds import ShowMatch, WatchClock
from bot.platform.people import DiscordPerson
from bot.store import Job, NewMatch, RatingKey, Seat
from engine import dice
from engine.clock import DAY, MINUTE
from engine.games import GAMES
from engine.position import Side

WEEK = 7 * DAY
SIGN_UP_MS = WEEK
"""Milliseconds for which people sign up for a next season."""
SHOWN_AFTER_MS = MINUTE
"""Milliseconds after which a match is shown whose opening roll is missing."""


async def start_contest(app: App, number: int, ruling: ContestRuling | None = None) -> ContestView:
    """Start a league; raises DeclinedError if it is not open, or too few have signed up."""
    view = await load_contest(app, number)
    require_open(view.contest)
    require_enough(view)
    ratings = await _load_ratings(app, view)
    previous = view.contest.previous
    before = list_tables(await load_contest(app, previous)) if previous else []
    now = app.clock()

    def make_plan(current: ContestView) -> SeasonPlan:
        # Those who take part by now, as nobody can join or leave any more.
        require_enough(current)
        return _plan_season(current, ratings, before, now)

    def build_jobs(begun: Sequence[int], ends: int) -> Sequence[Job]:
        return [
            ShowContest(number).make_job(now),
            EndContest(number).make_job(ends),
            *_build_match_jobs(begun, now),
        ]

    change = await app.store.contests.start(number, now, make_plan, build_jobs, ruling)
    return await finish_change(app, number, change)


def require_enough(view: ContestView) -> None:
    """Raise DeclinedError if too few have signed up for a league to start."""
    if len(view.present) < LEAST_ENTRANTS:
        raise DeclinedError(
            DeclineReason.TOO_FEW_ENTRANTS, least=LEAST_ENTRANTS, n=len(view.present)
        )


def _build_match_jobs(begun: Sequence[int], now: int) -> Iterator[Job]:
    """Yield the jobs that follow when the matches of those numbers begin."""
    for match in begun:
        yield ThrowOpening(match).make_job(now)
        # Renewed by the opening roll, so that the first message already shows it.
        yield ShowMatch(match).make_job(now + SHOWN_AFTER_MS)
        yield WatchClock(match).make_job(now + IDLE_LIMIT_MS)


async def _load_ratings(app: App, view: ContestView) -> Mapping[int, int]:
    """Return the ratings of those who take part, in the league's game and server."""
    scope = make_server_scope(view.contest.guild)
    keys = [RatingKey(scope, view.contest.game, each.person) for each in view.present]
    found = await app.store.ratings.get(keys)
    return {key.person: get_display_rating(row) for key, row in found.items()}


def _plan_season(
    view: ContestView,
    ratings: Mapping[int, int],
    before: Sequence[Sequence[Standing]],
    now: int,
) -> SeasonPlan:
    """Return the divisions and pairings of those who take part.

    They are divided by last season's tables, and newcomers by their ratings below those.
    """
    # Sorting keeps the order in which people of equal rating signed up.
    by_rating = sorted(view.present, key=lambda each: -ratings.get(each.person, 0))
    people = [each.person for each in by_rating]
    tables = [[each.person for each in standings] for standings in before]
    played_before = {person for them in tables for person in them}
    newcomers = [person for person in people if person not in played_before]
    order = order_next_season(tables, frozenset(people) - frozenset(newcomers), newcomers)
    divisions: list[Sequence[int]] = []
    for size in split_divisions(len(order)):
        taken = sum(map(len, divisions))
        divisions.append(order[taken : taken + size])
    pairings: list[NewPairing] = []
    for division, them in enumerate(divisions):
        for pairs in pair_round_robin(len(them)):
            for first, second in pairs:
                number = len(pairings) + 1
                beginning = _build_match(view, number, them[first], them[second], now)
                pairings.append(NewPairing(division, them[first], them[second], beginning))
    return SeasonPlan(divisions, pairings, now + view.contest.weeks * WEEK)


def _build_match(view: ContestView, number: int, first: int, second: int, now: int) -> NewMatch:
    contest = view.contest
    secret = dice.derive_match_secret(contest.secret, number)
    given = {each.person: each.contribution for each in view.entrants}
    sides = zip(Side, (first, second), strict=True)
    return NewMatch(
        guild=contest.guild,
        channel=contest.channel,
        game=contest.game,
        edition=GAMES[contest.game].edition,
        options=contest.options,
        rated=contest.rated,
        secret=secret,
        commitment=dice.compute_commitment(secret),
        dice=DICE_FORMAT,
        created=now,
        seats=[Seat(side.value, 0, person, given[person]) for side, person in sides],
        pace=contest.pace,
        contest=contest.id,
    )


async def join_late(app: App, number: int, person: DiscordPerson, cause: str) -> ContestView:
    """Add somebody to a league that is played, in the lowest division with a place.

    They meet everyone there who has not left. Raises DeclinedError if that is not possible.
    """
    view = await load_contest(app, number)
    servers.require_member_role(await app.store.servers.get(view.contest.guild), person)
    now = app.clock()
    entrant = Entrant(person.id, cause, now)
    _plan_late_entry(view, entrant, now)
    await app.save_people(person)
    change = await app.store.contests.add_late(
        number,
        entrant,
        lambda current: _plan_late_entry(current, entrant, now),
        lambda begun: [
            ShowContest(number).make_job(now),
            *_build_match_jobs(begun, now),
        ],
    )
    return await finish_change(app, number, change)


def _plan_late_entry(
    view: ContestView, entrant: Entrant, now: int
) -> tuple[int, Sequence[NewPairing]]:
    """Return the division of somebody who comes late, and whom they meet there."""
    contest = view.contest
    known = view.find_entrant(entrant.person)
    if known is not None and known.left is None:
        raise DeclinedError(DeclineReason.CONTEST_JOINED, contest=contest.name)
    if known is not None:
        raise DeclinedError(DeclineReason.CONTEST_LEFT, contest=contest.name)
    if not is_open_late(contest, now):
        raise DeclinedError(DeclineReason.CONTEST_NOT_OPEN, contest=contest.name)
    there = {
        number: [each.person for each in them if each.left is None]
        for number, them in enumerate(view.list_divisions())
    }
    division = max((at for at, them in there.items() if len(them) < MAX_DIVISION), default=None)
    if division is None:
        raise DeclinedError(DeclineReason.CONTEST_FULL, most=MAX_DIVISION * len(there))
    after = replace(view, entrants=(*view.entrants, entrant))
    pairings = []
    for at, other in enumerate(there[division]):
        # Who comes late begins on either side as often.
        first, second = (entrant.person, other) if at % 2 == 0 else (other, entrant.person)
        number = len(view.pairings) + at + 1
        beginning = _build_match(after, number, first, second, now)
        pairings.append(NewPairing(division, first, second, beginning))
    return division, pairings


def list_tables(view: ContestView) -> list[tuple[Standing, ...]]:
    """Return the standings of each division of a league, the first division first."""
    return [
        compute_standings(
            [each.person for each in division],
            [pairing.result for pairing in view.list_pairings(number)],
        )
        for number, division in enumerate(view.list_divisions())
    ]


async def finish_season(app: App, view: ContestView) -> bool:
    """End a league whose matches are all over, and open its next season if it has one.

    Return whether it was ended now.
    """
    contest = view.contest
    now = app.clock()
    following = _build_next_season(app, contest, now) if contest.repeats else None
    change = await app.store.contests.close(
        contest.id,
        [ShowContest(contest.id).make_job(now)],
        following,
        lambda number: build_opening_jobs(number, following) if following else (),
    )
    app.take(change.jobs)
    return change.is_made


def _build_next_season(app: App, before: Contest, now: int) -> NewContest:
    """Return the next season of a league, for which people sign up again.

    It has a secret of its own, which is fixed before they give anything to the dice.
    """
    secret = app.entropy(dice.SECRET_BYTES)
    kept = {field.name: getattr(before, field.name) for field in fields(NewContest)}
    changed = {
        "secret": secret,
        "commitment": dice.compute_commitment(secret),
        "created": now,
        "starts": now + SIGN_UP_MS,
        "season": before.season + 1,
        "previous": before.id,
    }
    return NewContest(**{**kept, **changed})
