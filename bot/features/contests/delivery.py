"""A contest's message, and what it does when its time has come."""

from contextlib import suppress

import discord

from bot.features.contests import endings, seasons, service
from bot.features.contests.cards import contest_card
from bot.features.contests.jobs import (
    AnnulMatches,
    DecideRound,
    EndContest,
    ForfeitMatches,
    FreePlace,
    GiveRoles,
    ShowContest,
    StartContest,
    ThrowOpening,
    build_update_jobs,
)
from bot.features.contests.planning import find_half_time, is_open_late
from bot.features.contests.rows import Contest, ContestState, ContestView
from bot.features.matches.clock import IDLE_LIMIT_MS
from bot.platform import outages
from bot.platform.context import App
from bot.platform.errors import DeclinedError, DeclineReason, StaleMatchError
from bot.platform.jobs.handlers import handles
from bot.platform.jobs.runner import Done, JobResult, Removed, Reschedule, Retry
from bot.platform.ui.app_client import AppClient
from bot.platform.ui.card import Card
from bot.platform.ui.channels import ServerChannel, delete_message, pin_message
from bot.platform.ui.failures import UNKNOWN_MESSAGE
from bot.store import QueuedJob
from engine import dice
from engine.clock import HOUR

TRY_AGAIN_MS = 2_000
"""Milliseconds after which a match is tried again in which somebody played meanwhile."""


@handles(ShowContest)
async def show_contest(client: AppClient, job: ShowContest, queued: QueuedJob) -> JobResult:
    """Let a contest go on, and post it or bring its message up to date."""
    app = client.app
    view = await seasons.advance_contest(app, job.contest)
    contest = view.contest
    if contest.state is ContestState.OVER and contest.has_roles:
        # A match that was annulled afterwards may have made somebody else the champion.
        await app.enqueue(contest.guild, [GiveRoles(contest.series).make_job(app.clock())])
    channel = ServerChannel(client, contest.guild, contest.channel)
    card = await prepare_card(client, channel, view)
    if contest.message is not None:
        try:
            await channel.edit(contest.message, card)
        except discord.NotFound as error:
            if error.code != UNKNOWN_MESSAGE:
                raise
        else:
            return _wait_for_half_time(view, app.clock())
    # It has none yet, or somebody has deleted it: what goes on is not called off by that.
    posted = await channel.post(card, f"contest {contest.id} in place of {contest.message}")
    # Only a message that is posted before anybody joins binds whoever draws the secret.
    is_first = contest.state is ContestState.OPEN and not view.entrants
    shown = dice.COMMITMENT_DIGITS if is_first else None
    if not await app.store.contests.save_message(
        contest.id, posted, contest.message, queued, shown
    ):
        await delete_message(client, contest.channel, posted)
        return Done()
    await pin_message(client, contest.guild, contest.channel, posted)
    return Removed()


def _wait_for_half_time(view: ContestView, now: int) -> JobResult:
    """Show a contest again when nobody can join late any more, even if nothing else changes."""
    half = find_half_time(view.contest)
    if half is None or half <= now or not is_open_late(view, now):
        return Done()
    return Reschedule(ShowContest(view.contest.id).make_job(half))


async def prepare_card(client: AppClient, channel: ServerChannel, view: ContestView) -> Card:
    """Return the card of a contest for everyone in its channel."""
    people = [each.person for each in view.entrants]
    store, contest = client.app.store, view.contest
    names = await store.people.load_names(people)
    following = None
    if contest.state is ContestState.OVER:
        following = await store.contests.find_next_season(contest.id)
    return contest_card(channel.reader, view, names, client.app.clock(), following)


@handles(StartContest)
async def start_contest(client: AppClient, job: StartContest, _: QueuedJob) -> JobResult:
    """Start a contest whose sign-up has ended.

    It is called off where too few people have joined, or its server is gone for good.
    """
    app = client.app
    contest = (await service.load_contest(app, job.contest)).contest
    if contest.state is not ContestState.OPEN:
        return Done()
    if contest.is_starting:
        # Where somebody else was quicker with the rest, or called it off, nothing is left to do.
        with suppress(DeclinedError):
            await seasons.resume_start(app, contest)
        return Done()
    if later := _find_later(app, contest, contest.starts):
        await _show_later(app, contest, contest.starts, later)
        return Reschedule(job.make_job(later))
    if contest.guild not in app.lost:
        try:
            await seasons.start_contest(app, job.contest)
        except DeclinedError as error:
            if error.why is not DeclineReason.TOO_FEW_ENTRANTS:
                return Done()
        else:
            return Done()
    change = await app.store.contests.cancel(job.contest, build_update_jobs(contest, app.clock()))
    app.take(change.jobs)
    return Done()


@handles(EndContest)
async def end_contest(client: AppClient, job: EndContest, _: QueuedJob) -> JobResult:
    """Close the round of a contest whose deadline has come."""
    app = client.app
    contest = (await service.load_contest(app, job.contest)).contest
    if contest.state is not ContestState.RUNNING or contest.ends is None:
        return Done()
    if later := _find_later(app, contest, contest.ends):
        await _show_later(app, contest, contest.ends, later)
        return Reschedule(job.make_job(later))
    if not await seasons.close_round(app, job.contest):
        # It was closed before, and then given more time.
        again = DecideRound(job.contest, contest.closed_rounds).make_job(app.clock())
        await app.enqueue(contest.guild, [again])
    return Done()


@handles(DecideRound)
async def decide_round(client: AppClient, job: DecideRound, _: QueuedJob) -> JobResult:
    """Decide the matches that go on in a round that is closed."""
    app = client.app
    contest = (await service.load_contest(app, job.contest)).contest
    if not contest.is_running:
        return Done()
    try:
        await endings.decide_unfinished(app, job.contest, job.round)
    except StaleMatchError:
        return Retry("somebody played meanwhile", TRY_AGAIN_MS)
    await app.enqueue(contest.guild, [ShowContest(job.contest).make_job(app.clock())])
    return Done()


def _find_later(app: App, contest: Contest, due: int) -> int | None:
    """Return when to look again at a deadline; None if it is over, and people could act by then."""
    now = app.clock()
    if contest.paused is not None:
        # Whoever lets it go on gives the deadline a new time.
        return now + HOUR
    if due > now:
        # It was put off, by an organiser or by an outage.
        return due
    if not outages.is_time_running(app, contest.guild):
        return now + outages.HEARTBEAT_MS
    if contest.guild in app.lost and now < due + IDLE_LIMIT_MS:
        # A server that is lost may come back, and gets the time back that it was lost.
        return now + HOUR
    return None


async def _show_later(app: App, contest: Contest, due: int, later: int) -> None:
    """Bring up to date what may still tell a deadline from before it was put off."""
    if later == due:
        await app.enqueue(contest.guild, build_update_jobs(contest, app.clock()))


@handles(ThrowOpening)
async def throw_opening(client: AppClient, job: ThrowOpening, _: QueuedJob) -> JobResult:
    """Throw for who begins a match of a contest, once all that start with it are there."""
    app = client.app
    row = await app.store.matches.get(job.match)
    contest = await app.store.contests.get(row.contest) if row and row.contest else None
    if contest is not None and contest.is_starting:
        return Reschedule(job.make_job(app.clock() + TRY_AGAIN_MS))
    await endings.throw_opening(client.app, job.match)
    return Done()


@handles(ForfeitMatches)
async def forfeit_matches(client: AppClient, job: ForfeitMatches, _: QueuedJob) -> JobResult:
    """Let somebody who has left a contest forfeit their matches in it."""
    await endings.forfeit_matches(client.app, job.contest, job.person)
    return Done()


@handles(FreePlace)
async def free_place(client: AppClient, job: FreePlace, _: QueuedJob) -> JobResult:
    """Annul the matches that go on of somebody in whose place another can play."""
    await endings.annul_matches(client.app, job.contest, job.person)
    return Done()


@handles(AnnulMatches)
async def annul_matches(client: AppClient, job: AnnulMatches, _: QueuedJob) -> JobResult:
    """Annul the matches that go on in a contest that was called off."""
    await endings.annul_matches(client.app, job.contest)
    return Done()
