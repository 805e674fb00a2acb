"""How a contest starts, goes on and ends, what organisers rule, and a league's next season."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from types import MappingProxyType

from bot.features.contests import planning, service
from bot.features.contests.formats import BlockPairs, get_format
from bot.features.contests.results import Tables, list_returning, list_tables
from bot.features.contests.standings import EDITION
from bot.features.contests.store import Contests
from bot.features.contests.tables import (
    CompetitionChange,
    Contest,
    ContestRuling,
    ContestState,
    ContestView,
    Entrant,
    LatePlan,
    NewContest,
    RoundPlan,
    RulingAction,
    SeasonPlan,
)
from bot.features.matches.clock import IDLE_LIMIT_MS
from bot.features.matches.jobs import ShowMatch, WatchClock
from bot.features.matches.rows import RatingKey
from bot.features.moderation.service import require_reason
from bot.features.preferences.store import Blocks
from bot.features.ratings.service import build_server_scope, get_display_rating
from bot.features.ratings.store import Ratings
from bot.platform.context import App
from bot.platform.db.rows import Job
from bot.platform.people import DiscordPerson
from engine import dice
from engine.clock import DAY, HOUR, MINUTE, SECOND
from engine.outcome import ABANDONED, ANNULLED, CUT_SHORT, FORFEITED

SIGN_UP_MS = 7 * DAY
"""Milliseconds for which people sign up for a next season."""
SHOWN_AFTER_MS = MINUTE
"""Milliseconds after which a match is shown whose opening roll is missing."""
RESUMED_AFTER_MS = 20 * SECOND
"""Milliseconds after which a start goes on that was interrupted, and was not before."""
_ENDED_BY_PEOPLE = frozenset({"resigned", *CUT_SHORT}) - {ABANDONED, ANNULLED, FORFEITED}
"""How a match ends only where somebody has done something."""
_ASKED_AT_ONCE = 10
"""Matches of which it is looked up at once who has done anything in them."""
EXTENSION_MS = 7 * DAY
"""Milliseconds by which an organiser extends sign-up, or the time to play."""
HELD_MS = HOUR
"""Milliseconds for which the first matches wait for the last one to be created, at most."""


async def start_contest(app: App, number: int, ruling: ContestRuling | None = None) -> ContestView:
    """Start a contest; raises DeclinedError if it is not open, or too few have signed up."""
    view = await service.load_contest(app, number)
    service.require_open(view.contest)
    require_enough(view)
    ratings = await _load_ratings(app, view)
    # A tournament that is played again is seeded anew.
    previous = None if view.contest.is_tournament else view.contest.previous
    before = list_tables(await service.load_contest(app, previous)) if previous else []
    change = await _start_part(app, view.contest, ratings, before, ruling)
    return await _complete_start(app, view.contest, change)


async def resume_start(app: App, contest: Contest) -> ContestView:
    """Create the matches that are missing in a contest whose start was interrupted."""
    return await _complete_start(app, contest, await _start_part(app, contest))


async def _complete_start(app: App, contest: Contest, change: CompetitionChange) -> ContestView:
    """Create the matches that are still missing; others' changes come between the parts."""
    while change.is_made and not change.is_complete:
        app.take(change.jobs)
        change = await _start_part(app, contest)
    return await service.finish_change(app, contest.id, change)


async def _start_part(
    app: App,
    contest: Contest,
    ratings: Mapping[int, int] = MappingProxyType({}),
    before: Tables = (),
    ruling: ContestRuling | None = None,
) -> CompetitionChange:
    """Create as many matches of a contest that starts as one transaction should."""
    now = app.clock()
    blocks = await _load_blocks(app, await service.load_contest(app, contest.id))

    def build_plan(current: ContestView) -> SeasonPlan:
        # Those who take part by now, as nobody can join or leave any more.
        if not current.contest.is_starting:
            require_enough(current)
        plan = planning.plan_start(current, ratings, before, now, blocks)
        return planning.mark_optional(plan, blocks)

    def build_jobs(begun: Sequence[int], ends: int | None) -> Sequence[Job]:
        if ends is None:
            # Where the program dies before the next part, this job goes on with it.
            later = service.StartContest(contest.id).build_job(now + RESUMED_AFTER_MS)
            return [later, *_build_match_jobs(begun, now + HELD_MS)]
        return [
            *service.build_update_jobs(contest, now),
            service.EndContest(contest.id).build_job(ends),
            *_build_match_jobs(begun, now),
        ]

    return await app.store.get(Contests).start(
        contest.id, now, build_plan, build_jobs, ruling, held=service.ThrowOpening.kind
    )


async def wait_for_players(app: App, view: ContestView) -> bool:
    """Let sign-up for a season that too few have joined last a week longer, once; then it waits.

    Return whether that was done now.
    """
    contest, now = view.contest, app.clock()
    starts = now + SIGN_UP_MS

    def build_jobs(shortfalls: int) -> Sequence[Job]:
        shown = service.build_notice_jobs(view, now)
        return (
            shown
            if shortfalls > 1
            else [*shown, service.StartContest(contest.id).build_job(starts)]
        )

    change = await app.store.get(Contests).put_off(
        contest.id, now, starts, get_format(contest).least, build_jobs
    )
    app.take(change.jobs)
    return change.is_made


def require_enough(view: ContestView) -> None:
    """Raise DeclinedError if too few have signed up for a contest to start."""
    least = get_format(view.contest).least
    if len(view.present) < least:
        raise service.TooFewEntrantsError(least=least, n=len(view.present))


async def _load_blocks(app: App, view: ContestView) -> BlockPairs:
    """Return who has blocked whom of those who take part."""
    return await app.store.get(Blocks).load_among([each.person for each in view.present])


def _build_match_jobs(begun: Sequence[int], now: int) -> Iterator[Job]:
    """Yield the jobs that follow when the matches of those numbers begin."""
    for match in begun:
        yield service.ThrowOpening(match).build_job(now)
        # Renewed by the opening roll, so that the first message already shows it.
        yield ShowMatch(match).build_job(now + SHOWN_AFTER_MS)
        yield WatchClock(match).build_job(now + IDLE_LIMIT_MS)


async def _load_ratings(app: App, view: ContestView) -> Mapping[int, int]:
    """Return the ratings of those who take part, in the first game and this server."""
    scope = build_server_scope(view.contest.guild)
    keys = [RatingKey(scope, view.contest.game, each.person) for each in view.present]
    found = await app.store.get(Ratings).load_ratings(keys)
    return {key.person: get_display_rating(row) for key, row in found.items()}


async def join_late(app: App, number: int, person: DiscordPerson, cause: str) -> ContestView:
    """Add somebody to a contest that is played; raises DeclinedError if that is not possible."""
    view = await service.load_contest(app, number)
    await plan_late(app, view, person, cause)
    now = app.clock()
    entrant = Entrant(person.id, cause, now)
    await app.save_people(person)
    together = [person.id, *(each.person for each in view.present)]
    blocks = await app.store.get(Blocks).load_among(together)

    def build_plan(current: ContestView) -> LatePlan:
        plan = planning.plan_late_entry(current, entrant, now, blocks)
        return planning.mark_optional(plan, blocks)

    change = await app.store.get(Contests).add_late(
        number,
        entrant,
        build_plan,
        lambda begun: [
            *service.build_update_jobs(view.contest, now),
            *_build_match_jobs(begun, now),
        ],
    )
    return await service.finish_change(app, number, change)


async def plan_late(app: App, view: ContestView, person: DiscordPerson, cause: str) -> LatePlan:
    """Return whom somebody meets who comes late; raises DeclinedError if that is not possible."""
    await service.require_entry_role(app, view.contest, person)
    now = app.clock()
    plan = planning.plan_late_entry(view, Entrant(person.id, cause, now), now)
    await service.require_not_excluded(app, view.contest, person.id)
    return plan


async def advance_contest(app: App, number: int) -> ContestView:
    """Let a contest go on as far as its results allow, and return it as it is then."""
    view = await service.load_contest(app, number)
    if not view.contest.is_running:
        return view
    now = app.clock()
    planned = planning.plan_round(view, now)
    if planned is None:
        return view
    if view.contest.paused is not None and not planned.is_over:
        # Those who meet next have all their time once it goes on.
        return view
    if planned.is_over:
        await _finish_contest(app, view, now)
        return await service.load_contest(app, number)

    missing = {each.person for each in get_format(view.contest).list_no_shows(view)}
    has_new_no_shows = any(
        missing & {each.first, each.second} for each in view.pairings if each.round == view.round
    )

    def build_jobs(begun: Sequence[int], plan: RoundPlan) -> Sequence[Job]:
        assert plan.ends is not None
        if plan.ends == view.contest.ends:
            # Resuming it shows it afterwards.
            return list(_build_match_jobs(begun, now))
        return [
            service.EndContest(number).build_job(plan.ends),
            # Its event, if it has one, lasts until the new deadline.
            *service.build_update_jobs(view.contest, now),
            *(
                [service.NotifyOrganiser(number, view.round).build_job(now)]
                if has_new_no_shows
                else ()
            ),
            *_build_match_jobs(begun, now),
        ]

    blocks = await _load_blocks(app, view)

    def build_plan(current: ContestView) -> RoundPlan | None:
        # It may have been paused since.
        plan = planning.plan_round(current, now, blocks) if current.contest.paused is None else None
        return plan and planning.mark_optional(plan, blocks)

    change = await app.store.get(Contests).add_round(number, build_plan, build_jobs)
    app.take(change.jobs)
    # Of very many matches it has begun a part.
    return await (advance_contest if change.is_made else service.load_contest)(app, number)


async def close_round(app: App, number: int) -> bool:
    """Close the round whose deadline has come; what goes on in it is decided by a job.

    Return whether it was closed now.
    """
    now = app.clock()

    def find_end(view: ContestView) -> int | None:
        return get_format(view.contest).find_next_end(view, now)

    def build_jobs(contest: Contest) -> Sequence[Job]:
        jobs = [service.DecideRound(number, contest.closed_rounds).build_job(now)]
        if contest.ends is not None and contest.ends > now:
            jobs.append(service.EndContest(number).build_job(contest.ends))
        return jobs

    change = await app.store.get(Contests).close_round(number, now, find_end, build_jobs)
    app.take(change.jobs)
    return change.is_made


async def _finish_contest(app: App, view: ContestView, now: int) -> None:
    contest = view.contest
    following = _build_next_season(app, contest, now) if contest.repeats else None
    change = await app.store.get(Contests).close(
        contest.id,
        lambda view: planning.is_over(view, now),
        service.build_end_jobs(contest, now),
        following,
        lambda number: service.build_opening_jobs(number, following) if following else (),
        unplayed=await _is_unplayed(app, view),
    )
    app.take(change.jobs)


async def _is_unplayed(app: App, view: ContestView) -> bool:
    """Return whether nobody has done anything in any match of a contest that is over."""
    if any(each.how in _ENDED_BY_PEOPLE for each in view.pairings):
        return False
    # By the rules of some games a match can also end with a throw that was made for somebody.
    matches = [each.match for each in view.pairings]
    for at in range(0, len(matches), _ASKED_AT_ONCE):
        acted = await app.store.get(Contests).load_actors(matches[at : at + _ASKED_AT_ONCE])
        if any(acted.values()):
            return False
    return True


def _build_next_season(app: App, before: Contest, now: int) -> NewContest:
    """Return the next season of a league, or a tournament again, for which people sign up anew.

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
        "edition": EDITION,
    }
    return NewContest(**{**kept, **changed})


async def open_next_season(app: App, number: int, organiser: DiscordPerson) -> Contest:
    """Open the season after one that is over, unless it is open, and sign its players up.

    Return that season. Raises DeclinedError, changing nothing, where it can't be joined, or
    everybody is in it.
    """
    view = await service.load_contest(app, number)
    if view.contest.state is not ContestState.OVER:
        raise service.ContestMovedOnError
    contests, now = app.store.get(Contests), app.clock()
    following = await contests.find_next_season(number)
    if following is not None:
        service.require_open(following.contest)
        if following.contest.is_waiting:
            raise service.ContestWaitingError(following.contest.name)
        if not list_returning(view, following):
            raise service.NobodyReturnsError(following.contest.name)
        invited = service.InvitePlayers(following.contest.id, now).build_job(now)
        await app.enqueue(view.contest.guild, [invited])
        return following.contest
    await service.require_room_for_contest(app, view.contest.guild)
    await app.save_people(organiser)
    new = replace(_build_next_season(app, view.contest, now), organiser=organiser.id)
    change = await contests.open_next_season(
        number,
        new,
        lambda opened: [
            *service.build_opening_jobs(opened, new),
            service.InvitePlayers(opened, now).build_job(now + service.SETTLE_MS),
            service.ShowContest(number).build_job(now + service.SETTLE_MS),
        ],
    )
    await service.finish_change(app, number, change)
    following = await contests.find_next_season(number)
    assert following is not None
    return following.contest


async def rule_contest(
    app: App,
    number: int,
    organiser: DiscordPerson,
    action: RulingAction,
    reason: str,
    person: int | None = None,
) -> ContestView:
    """Do to a contest what an organiser rules, and keep the reason.

    `person` is who is removed, replaced or let back in. Raises DeclinedError, changing nothing,
    where the ruling is not possible, or lacks a reason that it needs.
    """
    view = await service.load_contest(app, number)
    require_rulable(view, action, person)
    text = require_reason(reason) if action.needs_reason else reason.strip()
    # Before the ruling, which refers to them: an organiser may never have played.
    await app.save_people(organiser)
    now = app.clock()
    ruling = ContestRuling(number, now, organiser.id, action, text, person)
    contests = app.store.get(Contests)
    if action is RulingAction.START:
        return await start_contest(app, number, ruling)
    if action is RulingAction.EXTEND:
        change = await contests.postpone(
            number, EXTENSION_MS, lambda contest: _build_extension_jobs(contest, now), ruling
        )
    elif action is RulingAction.PAUSE:
        change = await contests.pause(number, now, _build_clock_jobs(view, now), ruling)
    elif action is RulingAction.RESUME:
        change = await contests.resume(
            number, now, lambda resumed: _build_resuming_jobs(resumed, now), ruling
        )
    elif action is RulingAction.CANCEL:
        jobs = [
            service.AnnulMatches(number).build_job(now),
            *service.build_end_jobs(view.contest, now),
        ]
        change = await contests.cancel(number, jobs, ruling)
    elif action is RulingAction.READMIT:
        most = service.get_most_entrants(view.contest)
        if len(view.present) >= most:
            raise service.ContestFullError(most)
        shown = service.build_update_jobs(view.contest, now)
        change = await contests.readmit(number, person or 0, most, shown, ruling)
    else:
        assert person is not None
        follows = service.build_withdrawal_jobs(view.contest, person, now)
        if action is RulingAction.REPLACE:
            job = service.ShowContest(number).build_job(now)
            follows = [service.FreePlace(number, person).build_job(now), job]
        change = await contests.withdraw(number, person, now, follows, ruling)
    return await service.finish_change(app, number, change)


def require_rulable(view: ContestView, action: RulingAction, person: int | None = None) -> None:
    """Raise DeclinedError if an organiser cannot do that to a contest as it stands."""
    service.require_unfinished(view.contest)
    if action is not RulingAction.CANCEL:
        service.require_prepared(view.contest)
    if action is RulingAction.START:
        service.require_open(view.contest)
        require_enough(view)
    if action is RulingAction.PAUSE and (not view.contest.is_running or view.contest.paused):
        raise service.ContestMovedOnError
    if action is RulingAction.RESUME and not view.contest.paused:
        raise service.ContestMovedOnError
    if action in (RulingAction.REMOVE, RulingAction.REPLACE):
        service.require_entrant(view, person or 0)
    if action is RulingAction.READMIT and person not in planning.list_readmittable(view):
        raise service.ContestMovedOnError
    if action is RulingAction.REPLACE and not planning.may_replace(view):
        raise service.MayNotReplaceError


def _build_extension_jobs(contest: Contest, now: int) -> list[Job]:
    shown = service.build_update_jobs(contest, now)
    if contest.state is ContestState.OPEN:
        return [*shown, service.StartContest(contest.id).build_job(contest.starts)]
    assert contest.ends is not None
    return [*shown, service.EndContest(contest.id).build_job(contest.ends)]


def _build_clock_jobs(view: ContestView, now: int) -> list[Job]:
    """Return the jobs by which all that tells a contest's time, and its matches', tells it anew."""
    clocks = [WatchClock(each.match).build_job(now) for each in view.list_running()]
    return [*service.build_update_jobs(view.contest, now), *clocks]


def _build_resuming_jobs(view: ContestView, now: int) -> list[Job]:
    assert view.contest.ends is not None
    ending = service.EndContest(view.contest.id).build_job(view.contest.ends)
    return [ending, *_build_clock_jobs(view, now)]
