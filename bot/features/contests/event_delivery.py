"""A league's event in its server, from the start of play to the deadline."""

from datetime import UTC, datetime
from typing import Any

import discord

from bot.features.contests import service
from bot.features.contests.jobs import ShowContest, ShowEvent
from bot.features.contests.rows import Contest, ContestState, ServerProblem
from bot.features.contests.server_texts import format_event_description
from bot.features.contests.texts import format_contest_name
from bot.platform.jobs.handlers import handles
from bot.platform.jobs.runner import Done, JobResult, Retry
from bot.platform.ui.app_client import AppClient
from bot.platform.ui.channels import ServerChannel
from bot.platform.ui.failures import (
    TOO_MANY_EVENTS,
    UNKNOWN_EVENT,
    is_content_refused,
)
from bot.platform.ui.places import build_link
from bot.store import QueuedJob
from engine.clock import DAY, HOUR, MINUTE, SECOND
from render.characters import shorten_text

LONGEST_TITLE = 100
"""Characters of an event's name or place, or of a role's name."""
TRY_AGAIN_MS = HOUR
"""Milliseconds until a server is asked again that does not permit something.

It is asked at once when the bot's permissions there change.
"""
CONNECTING_MS = 5 * SECOND
"""Milliseconds until a server is looked for again that Discord has not named yet."""
SOON_MS = MINUTE
"""Milliseconds ahead of which no event is made to start: Discord takes none that has begun."""
_LASTING = (discord.EventStatus.scheduled, discord.EventStatus.active)


class EventTakenError(Exception):
    """Another league of the same name has taken an event at the same moment; one tries again."""


@handles(ShowEvent)
async def show_event(client: AppClient, job: ShowEvent, queued: QueuedJob) -> JobResult:
    """Make a league's event, or bring it up to date; begin and end it with the league.

    One that somebody has deleted or ended is left so.
    """
    app = client.app
    contest = (await service.load_contest(app, job.contest)).contest
    guild = client.get_guild(contest.guild)
    if not contest.has_event:
        return Done()
    if guild is None:
        return Retry("its server is not known yet", CONNECTING_MS)
    problem = None
    if not guild.me.guild_permissions.create_events:
        if contest.event is None and not contest.is_unfinished:
            return Done()
        problem = ServerProblem.NO_EVENT_PERMISSION
    else:
        try:
            await _show_event(client, guild, contest)
        except discord.HTTPException as error:
            if error.code == TOO_MANY_EVENTS:
                problem = ServerProblem.TOO_MANY_EVENTS
            elif is_content_refused(error) and not queued.tries:
                # It may have begun or ended by itself since it was read.
                return Retry(f"its event has changed: {error}", SOON_MS)
            else:
                raise
    shown = [ShowContest(contest.id).make_job(app.clock())]
    app.take(
        await app.store.server_items.save_problem(
            contest.id, contest.guild, "event_problem", problem, shown
        )
    )
    return Retry(f"no event: {problem}", TRY_AGAIN_MS) if problem else Done()


async def _show_event(client: AppClient, guild: discord.Guild, contest: Contest) -> None:
    now = client.app.clock()
    wanted = _describe_event(client, guild, contest)
    event = await _find_event(client, guild, contest, wanted)
    if event is None:
        wanted["start_time"] = max(wanted["start_time"], _make_time(now + SOON_MS))
        is_due = contest.is_unfinished and wanted["end_time"] > wanted["start_time"]
        if contest.event is None and is_due:
            made = await guild.create_scheduled_event(
                **wanted,
                entity_type=discord.EntityType.external,
                privacy_level=discord.PrivacyLevel.guild_only,
                reason=contest.name,
            )
            await _save_event(client, contest, made)
    elif event.status not in _LASTING:
        # Somebody has ended it, or its time was up.
        return
    elif not contest.is_unfinished:
        await _end_event(event, contest)
    elif changes := _find_changes(event, contest, wanted, now):
        await event.edit(**changes, reason=contest.name)


def _find_changes(
    event: discord.ScheduledEvent, contest: Contest, wanted: dict[str, Any], now: int
) -> dict[str, Any]:
    """Return what is to be changed in an event so that it shows its league as it is."""
    changes = {name: each for name, each in wanted.items() if getattr(event, name) != each}
    # What has begun keeps its start, and what ends at this moment its end; Discord begins and ends
    # an event at its time by itself.
    is_scheduled = event.status is discord.EventStatus.scheduled
    for name in ("start_time", "end_time"):
        if wanted[name] <= _make_time(now) or (name == "start_time" and not is_scheduled):
            changes.pop(name, None)
    begins_later = is_scheduled and event.start_time > _make_time(now + SOON_MS)
    if contest.state is ContestState.RUNNING and begins_later:
        # An organiser has started the league early.
        changes["status"] = discord.EventStatus.active
    return changes


async def _end_event(event: discord.ScheduledEvent, contest: Contest) -> None:
    if event.status is discord.EventStatus.active:
        await event.end(reason=contest.name)
        return
    if contest.state is ContestState.CANCELLED:
        await event.cancel(reason=contest.name)
        return
    await (await event.start(reason=contest.name)).end(reason=contest.name)


async def _find_event(
    client: AppClient, guild: discord.Guild, contest: Contest, wanted: dict[str, Any]
) -> discord.ScheduledEvent | None:
    """Return a league's event; None if it is not made yet, or somebody has deleted it.

    One that was made when the program stopped is one of the bot's own, of that name and place, that
    shows no other league.
    """
    if contest.event is not None:
        try:
            return await guild.fetch_scheduled_event(contest.event, with_counts=False)
        except discord.NotFound as error:
            if error.code != UNKNOWN_EVENT:
                raise
            return None
    own = {
        each.id: each
        for each in await guild.fetch_scheduled_events(with_counts=False)
        if each.creator_id == guild.me.id
        and each.status in _LASTING
        and (each.name, each.location) == (wanted["name"], wanted["location"])
    }
    free = own.keys() - await client.app.store.server_items.find_kept_events(set(own))
    if not free:
        return None
    found = own[min(free)]
    await _save_event(client, contest, found)
    return found


async def _save_event(client: AppClient, contest: Contest, event: discord.ScheduledEvent) -> None:
    if not await client.app.store.server_items.save_event(contest.id, event.id):
        raise EventTakenError(f"event {event.id} shows another league")


def _describe_event(client: AppClient, guild: discord.Guild, contest: Contest) -> dict[str, Any]:
    """Return the fields of a league's event, by discord.py's names."""
    say = ServerChannel(client, contest.guild, contest.channel).reader
    where = guild.get_channel_or_thread(contest.channel)
    link = build_link(contest.guild, contest.channel, None)
    starts = contest.starts if contest.began is None else contest.began
    ends = contest.ends or contest.starts + DAY * contest.days
    return {
        "name": shorten_text(format_contest_name(say, contest), LONGEST_TITLE),
        "description": format_event_description(say, contest, link),
        "location": shorten_text(f"#{where}" if where else guild.name, LONGEST_TITLE),
        "start_time": _make_time(starts),
        "end_time": _make_time(ends),
    }


def _make_time(instant: int) -> datetime:
    # To the second, so that it is the same when it comes back from Discord.
    return datetime.fromtimestamp(instant // SECOND, UTC)
