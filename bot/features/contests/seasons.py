"""How a contest starts, goes on from round to round, and ends; a league's next season opens."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from types import MappingProxyType

from bot.features.contests.jobs import (
    DecideRound,
    EndContest,
    StartContest,
    ThrowOpening,
    build_update_jobs,
)
from bot.features.contests.planning import is_over, plan_late_entry, plan_round, plan_start
from bot.features.contests.results import Tables, list_tables
from bot.features.contests.rows import (
    Contest,
    ContestChange,
    ContestFormat,
    ContestRuling,
    ContestView,
    Entrant,
    NewContest,
    RoundPlan,
    SeasonPlan,
)
from bot.features.contests.service import (
    build_opening_jobs,
    finish_change,
    get_least_entrants,
    load_contest,
    require_entry_role,
    require_open,
)
from bot.features.matches.clock import IDLE_LIMIT_MS
from bot.features.ratings.service import get_display_rating, make_server_scope
from bot.platform.context import App
from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.jobs.kinds import ShowMatch, WatchClock
from bot.platform.people import DiscordPerson
from bot.store import Job, RatingKey
from engine import dice
from engine.clock import DAY, HOUR, MINUTE, SECOND

SIGN_UP_MS = 7 * DAY
"""Milliseconds for which people sign up for a next season."""
SHOWN_AFTER_MS = MINUTE
"""Milliseconds after which a match is shown whose opening roll is missing."""
RESUMED_AFTER_MS = 20 * SECOND
"""Milliseconds after which a start goes on that was interrupted, and was not before."""
HELD_MS = HOUR
"""Milliseconds for which the first matches wait for the last one to be created, at most."""


async def start_contest(app: App, number: int, ruling: ContestRuling | None = None) -> ContestView:
    """Start a contest; raises DeclinedError if it is not open, or too few have signed up."""
    view = await load_contest(app, number)
    require_open(view.contest)
    require_enough(view)
    ratings = await _load_ratings(app, view)
    previous = view.contest.previous
    before = list_tables(await load_contest(app, previous)) if previous else []
    change = await _start_part(app, view.contest, ratings, before, ruling)
    return await _complete_start(app, view.contest, change)


async def resume_start(app: App, contest: Contest) -> ContestView:
    """Create the matches that are missing in a contest whose start was interrupted."""
    return await _complete_start(app, contest, await _start_part(app, contest))


async def _complete_start(app: App, contest: Contest, change: ContestChange) -> ContestView:
    """Create the matches that are still missing; others' changes come between the parts."""
    while change.is_made and not change.is_complete:
        app.take(change.jobs)
        change = await _start_part(app, contest)
    return await finish_change(app, contest.id, change)


async def _start_part(
    app: App,
    contest: Contest,
    ratings: Mapping[int, int] = MappingProxyType({}),
    before: Tables = (),
    ruling: ContestRuling | None = None,
) -> ContestChange:
    """Create as many matches of a contest that starts as one transaction should."""
    now = app.clock()

    def make_plan(current: ContestView) -> SeasonPlan:
        # Those who take part by now, as nobody can join or leave any more.
        if not current.contest.is_starting:
            require_enough(current)
        return plan_start(current, ratings, before, now)

    def build_jobs(begun: Sequence[int], ends: int | None) -> Sequence[Job]:
        if ends is None:
            # Where the program dies before the next part, this job goes on with it.
            later = StartContest(contest.id).make_job(now + RESUMED_AFTER_MS)
            return [later, *_build_match_jobs(begun, now + HELD_MS)]
        return [
            *build_update_jobs(contest, now),
            EndContest(contest.id).make_job(ends),
            *_build_match_jobs(begun, now),
        ]

    return await app.store.contests.start(
        contest.id, now, make_plan, build_jobs, ruling, held=ThrowOpening.kind
    )


def require_enough(view: ContestView) -> None:
    """Raise DeclinedError if too few have signed up for a contest to start."""
    least = get_least_entrants(view.contest)
    if len(view.present) < least:
        raise DeclinedError(DeclineReason.TOO_FEW_ENTRANTS, least=least, n=len(view.present))


def _build_match_jobs(begun: Sequence[int], now: int) -> Iterator[Job]:
    """Yield the jobs that follow when the matches of those numbers begin."""
    for match in begun:
        yield ThrowOpening(match).make_job(now)
        # Renewed by the opening roll, so that the first message already shows it.
        yield ShowMatch(match).make_job(now + SHOWN_AFTER_MS)
        yield WatchClock(match).make_job(now + IDLE_LIMIT_MS)


async def _load_ratings(app: App, view: ContestView) -> Mapping[int, int]:
    """Return the ratings of those who take part, in the first game and this server."""
    scope = make_server_scope(view.contest.guild)
    keys = [RatingKey(scope, view.contest.game, each.person) for each in view.present]
    found = await app.store.ratings.get(keys)
    return {key.person: get_display_rating(row) for key, row in found.items()}


async def join_late(app: App, number: int, person: DiscordPerson, cause: str) -> ContestView:
    """Add somebody to a contest that is played; raises DeclinedError if that is not possible."""
    view = await load_contest(app, number)
    await require_entry_role(app, view.contest, person)
    now = app.clock()
    entrant = Entrant(person.id, cause, now)
    plan_late_entry(view, entrant, now)
    await app.save_people(person)
    change = await app.store.contests.add_late(
        number,
        entrant,
        lambda current: plan_late_entry(current, entrant, now),
        lambda begun: [
            *build_update_jobs(view.contest, now),
            *_build_match_jobs(begun, now),
        ],
    )
    return await finish_change(app, number, change)


async def advance_contest(app: App, number: int) -> ContestView:
    """Let a contest go on as far as its results allow, and return it as it is then.

    The next people meet, or it is over, and the next season opens if it has one.
    """
    view = await load_contest(app, number)
    if not view.contest.is_running:
        return view
    now = app.clock()
    planned = plan_round(view, now)
    if planned is None:
        return view
    if view.contest.paused is not None and not planned.is_over:
        # Those who meet next have all their time once it goes on.
        return view
    if planned.is_over:
        await _finish_contest(app, view.contest, now)
        return await load_contest(app, number)

    def build_jobs(begun: Sequence[int], plan: RoundPlan) -> Sequence[Job]:
        assert plan.ends is not None
        return [
            EndContest(number).make_job(plan.ends),
            # Its event, if it has one, lasts until the new deadline.
            *build_update_jobs(view.contest, now),
            *_build_match_jobs(begun, now),
        ]

    def make_plan(current: ContestView) -> RoundPlan | None:
        # It may have been paused since.
        return plan_round(current, now) if current.contest.paused is None else None

    change = await app.store.contests.add_round(number, make_plan, build_jobs)
    app.take(change.jobs)
    return await load_contest(app, number)


async def close_round(app: App, number: int) -> bool:
    """Close the round whose deadline has come; what goes on in it is decided by a job.

    Return whether it was closed now.
    """
    now = app.clock()

    def find_end(view: ContestView) -> int | None:
        # Only in a knock-out the next round has begun by now, for those who could.
        if view.contest.format is ContestFormat.KNOCK_OUT:
            return now + view.contest.days * DAY
        return view.contest.ends

    def build_jobs(contest: Contest) -> Sequence[Job]:
        jobs = [DecideRound(number, contest.closed_rounds).make_job(now)]
        if contest.ends is not None and contest.ends > now:
            jobs.append(EndContest(number).make_job(contest.ends))
        return jobs

    change = await app.store.contests.close_round(number, now, find_end, build_jobs)
    app.take(change.jobs)
    return change.is_made


async def _finish_contest(app: App, contest: Contest, now: int) -> None:
    following = _build_next_season(app, contest, now) if contest.repeats else None
    change = await app.store.contests.close(
        contest.id,
        is_over,
        build_update_jobs(contest, now),
        following,
        lambda number: build_opening_jobs(number, following) if following else (),
    )
    app.take(change.jobs)


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
        "first_season": before.series,
    }
    return NewContest(**{**kept, **changed})
