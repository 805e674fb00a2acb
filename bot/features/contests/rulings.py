"""What the organisers of a contest do to it, each with a reason that is kept."""

from bot.features.contests.jobs import (
    AnnulMatches,
    EndContest,
    FreePlace,
    ShowContest,
    StartContest,
    build_update_jobs,
)
from bot.features.contests.planning import may_replace
from bot.features.contests.rows import (
    Contest,
    ContestRuling,
    ContestState,
    ContestView,
    RulingAction,
)
from bot.features.contests.seasons import require_enough, start_contest
from bot.features.contests.service import (
    build_withdrawal_jobs,
    finish_change,
    load_contest,
    require_entrant,
    require_open,
    require_prepared,
    require_unfinished,
)
from bot.features.moderation.service import require_reason
from bot.platform.context import App
from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.jobs.kinds import WatchClock
from bot.platform.people import DiscordPerson
from bot.store import Job
from engine.clock import DAY

EXTENSION_MS = 7 * DAY
"""Milliseconds by which an organiser extends sign-up, or the time to play."""


async def rule_contest(
    app: App,
    number: int,
    organiser: DiscordPerson,
    action: RulingAction,
    reason: str,
    person: int | None = None,
) -> ContestView:
    """Do to a contest what an organiser rules, and keep the reason.

    `person` is who is removed or replaced. Raises DeclinedError, changing nothing, where the ruling
    is not possible or has no reason.
    """
    view = await load_contest(app, number)
    require_rulable(view, action, person)
    told = require_reason(reason)
    # Before the ruling, which refers to them: an organiser may never have played.
    await app.save_people(organiser)
    now = app.clock()
    ruling = ContestRuling(number, now, organiser.id, action, told, person)
    contests = app.store.contests
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
        jobs = [AnnulMatches(number).make_job(now), *build_update_jobs(view.contest, now)]
        change = await contests.cancel(number, jobs, ruling)
    else:
        assert person is not None
        follows = build_withdrawal_jobs(view.contest, person, now)
        if action is RulingAction.REPLACE:
            shown = ShowContest(number).make_job(now)
            follows = [FreePlace(number, person).make_job(now), shown]
        change = await contests.withdraw(number, person, now, follows, ruling)
    return await finish_change(app, number, change)


def require_rulable(view: ContestView, action: RulingAction, person: int | None = None) -> None:
    """Raise DeclinedError if an organiser cannot do that to a contest as it stands."""
    require_unfinished(view.contest)
    if action is not RulingAction.CANCEL:
        require_prepared(view.contest)
    if action is RulingAction.START:
        require_open(view.contest)
        require_enough(view)
    if action is RulingAction.PAUSE and (not view.contest.is_running or view.contest.paused):
        raise DeclinedError(DeclineReason.CONTEST_MOVED_ON)
    if action is RulingAction.RESUME and not view.contest.paused:
        raise DeclinedError(DeclineReason.CONTEST_MOVED_ON)
    if action in (RulingAction.REMOVE, RulingAction.REPLACE):
        require_entrant(view, person or 0)
    if action is RulingAction.REPLACE and not may_replace(view):
        raise DeclinedError(DeclineReason.CONTEST_REPLACEMENT)


def _build_extension_jobs(contest: Contest, now: int) -> list[Job]:
    shown = build_update_jobs(contest, now)
    if contest.state is ContestState.OPEN:
        return [*shown, StartContest(contest.id).make_job(contest.starts)]
    assert contest.ends is not None
    return [*shown, EndContest(contest.id).make_job(contest.ends)]


def _build_clock_jobs(view: ContestView, now: int) -> list[Job]:
    """Return the jobs by which the card and all running matches tell the time anew."""
    clocks = [WatchClock(each.match).make_job(now) for each in view.list_running()]
    return [ShowContest(view.contest.id).make_job(now), *clocks]


def _build_resuming_jobs(view: ContestView, now: int) -> list[Job]:
    assert view.contest.ends is not None
    ending = EndContest(view.contest.id).make_job(view.contest.ends)
    return [ending, *_build_clock_jobs(view, now)]
