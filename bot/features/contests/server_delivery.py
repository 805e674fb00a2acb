"""A contest's event in its server, and its roles: for each division, and for the champion."""

from collections.abc import Awaitable, Mapping
from datetime import UTC, datetime
from typing import Any

import discord

from bot.features.contests import texts
from bot.features.contests.planning import estimate_end
from bot.features.contests.results import assign_roles
from bot.features.contests.service import GiveRoles, ShowContest, ShowEvent, load_contest
from bot.features.contests.store import Contests, ServerItems
from bot.features.contests.tables import (
    Contest,
    ContestRole,
    ContestState,
    ContestView,
    ServerProblem,
)
from bot.platform.context import App
from bot.platform.db.rows import QueuedJob
from bot.platform.jobs.handlers import handles
from bot.platform.jobs.runner import Done, JobResult, Reschedule, Retry
from bot.platform.people import is_pseudonym
from bot.platform.ui import app_client
from bot.platform.ui.channels import ServerChannel, build_link
from engine.clock import DAY, HOUR, MINUTE, SECOND
from render.characters import shorten_text

MAX_TITLE_LENGTH = 100
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
    """Another contest of the same name has taken an event at the same moment; one tries again."""


@handles(ShowEvent)
async def show_event(client: app_client.AppClient, job: ShowEvent, queued: QueuedJob) -> JobResult:
    """Make a contest's event, or bring it up to date; begin and end it with the contest.

    One that somebody has deleted or ended is left so.
    """
    app = client.app
    view = await load_contest(app, job.contest)
    contest = view.contest
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
            await _show_event(client, guild, view)
        except discord.HTTPException as error:
            if error.code == app_client.TOO_MANY_EVENTS:
                problem = ServerProblem.TOO_MANY_EVENTS
            elif app_client.is_content_refused(error) and not queued.tries:
                # It may have begun or ended by itself since it was read.
                return Retry(f"its event has changed: {error}", SOON_MS)
            else:
                raise
    shown = [ShowContest(contest.id).build_job(app.clock())]
    app.take(
        await app.store.get(ServerItems).save_problem(
            contest.id, contest.guild, "event_problem", problem, shown
        )
    )
    if problem:
        return Retry(f"no event: {problem}", TRY_AGAIN_MS)
    if contest.is_running and contest.paused is not None:
        # Its end moves on as long as nobody lets the contest go on.
        return Reschedule(job.build_job(app.clock() + DAY))
    return Done()


async def _show_event(
    client: app_client.AppClient, guild: discord.Guild, view: ContestView
) -> None:
    contest, now = view.contest, client.app.clock()
    wanted = _describe_event(client, guild, view, now)
    event = await _find_event(client, guild, contest, wanted)
    if event is None or _has_lapsed(event, wanted, now):
        wanted["start_time"] = max(wanted["start_time"], _build_time(now + SOON_MS))
        is_open = contest.is_unfinished and not contest.is_waiting
        is_due = is_open and wanted["end_time"] > wanted["start_time"]
        if (contest.event is None or event is not None) and is_due:
            made = await guild.create_scheduled_event(
                **wanted,
                entity_type=discord.EntityType.external,
                privacy_level=discord.PrivacyLevel.guild_only,
                reason=contest.name,
            )
            await _save_event(client, contest, made)
    elif event.status not in _LASTING:
        # Somebody has ended it, or it ended with its contest.
        return
    elif not contest.is_unfinished:
        await _end_event(event, contest)
    elif contest.is_waiting:
        # Sign-up may be opened again much later, with another event.
        is_begun = event.status is discord.EventStatus.active
        await (event.end if is_begun else event.cancel)(reason=contest.name)
        await client.app.store.get(ServerItems).forget_event(contest.id)
    elif changes := _find_changes(event, contest, wanted, now):
        await event.edit(**changes, reason=contest.name)


def _has_lapsed(event: discord.ScheduledEvent, wanted: dict[str, Any], now: int) -> bool:
    """Return whether Discord ended an event at its time, though its contest has more time by now.

    So it is where the bot was out of reach when that time came.
    """
    ended = event.end_time
    is_completed = event.status is discord.EventStatus.completed
    return is_completed and ended is not None and ended <= _build_time(now) < wanted["end_time"]


def _find_changes(
    event: discord.ScheduledEvent, contest: Contest, wanted: dict[str, Any], now: int
) -> dict[str, Any]:
    """Return what is to be changed in an event so that it shows its contest as it is."""
    changes = {name: each for name, each in wanted.items() if getattr(event, name) != each}
    # What has begun keeps its start, and what ends at this moment its end; Discord begins and ends
    # an event at its time by itself.
    is_scheduled = event.status is discord.EventStatus.scheduled
    for name in ("start_time", "end_time"):
        if wanted[name] <= _build_time(now) or (name == "start_time" and not is_scheduled):
            changes.pop(name, None)
    begins_later = is_scheduled and event.start_time > _build_time(now + SOON_MS)
    if contest.state is ContestState.RUNNING and begins_later:
        # An organiser has started the contest early.
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
    client: app_client.AppClient, guild: discord.Guild, contest: Contest, wanted: dict[str, Any]
) -> discord.ScheduledEvent | None:
    """Return a contest's event; None if it is not made yet, or somebody has deleted it.

    One that was made when the program stopped is one of the bot's own, of that name and place, that
    shows no other contest.
    """
    if contest.event is not None:
        try:
            return await guild.fetch_scheduled_event(contest.event, with_counts=False)
        except discord.NotFound as error:
            if error.code != app_client.UNKNOWN_EVENT:
                raise
            return None
    own = {
        each.id: each
        for each in await guild.fetch_scheduled_events(with_counts=False)
        if each.creator_id == guild.me.id
        and each.status in _LASTING
        and (each.name, each.location) == (wanted["name"], wanted["location"])
    }
    free = own.keys() - await client.app.store.get(ServerItems).find_kept_events(set(own))
    if not free:
        return None
    found = own[min(free)]
    await _save_event(client, contest, found)
    return found


async def _save_event(
    client: app_client.AppClient, contest: Contest, event: discord.ScheduledEvent
) -> None:
    items = client.app.store.get(ServerItems)
    if not await items.save_event(contest.id, event.id, contest.event):
        raise EventTakenError(f"event {event.id} shows another league")


def _describe_event(
    client: app_client.AppClient, guild: discord.Guild, view: ContestView, now: int
) -> dict[str, Any]:
    """Return the fields of a contest's event, by discord.py's names."""
    contest = view.contest
    say = ServerChannel(client, contest.guild, contest.channel).reader
    where = guild.get_channel_or_thread(contest.channel)
    link = build_link(contest.guild, contest.channel, None)
    starts = contest.starts if contest.began is None else contest.began
    ends = estimate_end(view, now)
    if contest.paused is not None:
        # Discord would end it before it is looked at again.
        ends = max(ends, now + 2 * DAY)
    return {
        "name": shorten_text(texts.format_contest_name(say, contest), MAX_TITLE_LENGTH),
        "description": texts.format_event_description(say, contest, link),
        "location": shorten_text(f"#{where}" if where else guild.name, MAX_TITLE_LENGTH),
        "start_time": _build_time(starts),
        "end_time": _build_time(ends),
    }


def _build_time(instant: int) -> datetime:
    # To the second, so that it is the same when it comes back from Discord.
    return datetime.fromtimestamp(instant // SECOND, UTC)


@handles(GiveRoles)
async def give_roles(client: app_client.AppClient, job: GiveRoles, _: QueuedJob) -> JobResult:
    """Give a contest's roles to those who are to have them, and take them from everybody else.

    Only roles that the bot has made are touched; one that somebody has deleted stays so.
    """
    app = client.app
    view = await _load_latest_season(app, job.contest)
    contest = view.contest
    if not contest.has_roles:
        return Done()
    guild = client.get_guild(contest.guild)
    if guild is None:
        return Retry("its server is not known yet", CONNECTING_MS)
    before = None
    if contest.previous is not None:
        before = await load_contest(app, contest.previous)
    known = {each.place: each for each in await app.store.get(ServerItems).load_roles(job.contest)}
    wanted = {
        place: frozenset(person for person in people if not is_pseudonym(person))
        for place, people in assign_roles(view, before).items()
    }
    is_cancelled, problem = contest.state is ContestState.CANCELLED, None
    if not (known if is_cancelled else _find_role_changes(known, wanted)):
        pass
    elif not guild.me.guild_permissions.manage_roles:
        problem = ServerProblem.NO_ROLE_PERMISSION
    else:
        roles = ContestRoles(client, guild, contest)
        try:
            if is_cancelled:
                await roles.delete(known)
            else:
                await roles.assign(known, wanted)
        except discord.Forbidden:
            problem = ServerProblem.ROLE_TOO_HIGH
        except discord.HTTPException as error:
            if error.code != app_client.TOO_MANY_ROLES:
                raise
            problem = ServerProblem.TOO_MANY_ROLES
    shown = [ShowContest(contest.id).build_job(app.clock())]
    app.take(
        await app.store.get(ServerItems).save_problem(
            contest.id, contest.guild, "roles_problem", problem, shown
        )
    )
    return Retry(f"no roles: {problem}", TRY_AGAIN_MS) if problem else Done()


async def _load_latest_season(app: App, series: int) -> ContestView:
    view = await load_contest(app, series)
    while (
        following := await app.store.get(Contests).find_next_season(view.contest.id)
    ) is not None:
        view = following
    return view


def _find_role_changes(
    known: Mapping[int, ContestRole], wanted: Mapping[int, frozenset[int]]
) -> list[int]:
    """Return the places of the roles that not exactly those hold who are to hold them."""
    return [
        place
        for place in sorted({*known, *wanted})
        if dict.fromkeys(wanted.get(place, ()), True)
        != (known[place].holders if place in known else {})
    ]


class ContestRoles:
    """The roles of a contest in its server, as Discord has them."""

    def __init__(
        self, client: app_client.AppClient, guild: discord.Guild, contest: Contest
    ) -> None:
        self._client = client
        self._guild = guild
        self._contest = contest
        self._store = client.app.store.get(ServerItems)

    async def delete(self, known: Mapping[int, ContestRole]) -> None:
        """Delete the roles of a contest that was called off."""
        there = {each.id: each for each in await self._guild.fetch_roles()}
        for each in known.values():
            role = await self._find_role(each, there)
            if role is not None:
                await role.delete(reason=self._contest.name)
        await self._store.forget_roles(self._contest.series)

    async def assign(
        self, known: Mapping[int, ContestRole], wanted: Mapping[int, frozenset[int]]
    ) -> None:
        """Let exactly those have the roles who are to have them; make what roles are missing.

        Raises discord.Forbidden after the others if one could not be given.
        """
        there = {each.id: each for each in await self._guild.fetch_roles()}
        refused = None
        for place in _find_role_changes(known, wanted):
            held = known[place].holders if place in known else {}
            try:
                role = await self._require_role(place, known.get(place), there)
                if role is not None:
                    await self._change_holders(place, role, held, wanted.get(place, frozenset()))
            except discord.Forbidden as error:
                # Some of its roles may be above the bot's own, and others below.
                refused = error
        if refused:
            raise refused

    def _format_name(self, place: int) -> str:
        say = ServerChannel(self._client, self._contest.guild, self._contest.channel).reader
        return shorten_text(texts.format_role_name(say, self._contest, place), MAX_TITLE_LENGTH)

    async def _find_role(
        self, known: ContestRole, there: Mapping[int, discord.Role]
    ) -> discord.Role | None:
        """Return a role of the contest's; None if it is not made yet, or somebody has deleted it.

        One that was being made when the program stopped is known by its name, and by its id: it is
        above the ids of all roles that there were before.
        """
        if known.role is not None:
            return there.get(known.role)
        name = self._format_name(known.place)
        made = {each.id for each in there.values() if each.name == name and each.id > known.after}
        made -= await self._store.find_kept_roles(made)
        return there[min(made)] if made else None

    async def _require_role(
        self, place: int, known: ContestRole | None, there: Mapping[int, discord.Role]
    ) -> discord.Role | None:
        """Return the role for a place, which is made once; None if somebody has deleted it."""
        series = self._contest.series
        if known is None:
            await self._store.begin_role(series, place, max(there))
            role = None
        else:
            role = await self._find_role(known, there)
            if known.role is not None:
                return role
        if role is None:
            role = await self._guild.create_role(
                name=self._format_name(place),
                permissions=discord.Permissions.none(),
                mentionable=False,
                reason=self._contest.name,
            )
        await self._store.save_role(series, place, role.id)
        return role

    async def _change_holders(
        self,
        place: int,
        role: discord.Role,
        held: Mapping[int, bool],
        wanted: frozenset[int],
    ) -> None:
        series = self._contest.series
        missing = [person for person in sorted(wanted) if not held.get(person)]
        surplus = [person for person in sorted(held) if person not in wanted]
        # Noted before it is done, so that what was done can be undone whatever happens between.
        await self._store.save_holders(series, place, dict.fromkeys(missing, False), ())
        given = {person: True for person in missing if await self._give(role, person)}
        for person in surplus:
            await self._take(role, person)
        await self._store.save_holders(series, place, given, [*missing, *surplus])

    async def _give(self, role: discord.Role, person: int) -> bool:
        """Give somebody a role; return False if they have left the server, or it is gone."""
        guild, reason = self._guild.id, self._contest.name
        return await _is_done(self._client.http.add_role(guild, person, role.id, reason=reason))

    async def _take(self, role: discord.Role, person: int) -> None:
        guild, reason = self._guild.id, self._contest.name
        await _is_done(self._client.http.remove_role(guild, person, role.id, reason=reason))


async def _is_done(request: Awaitable[None]) -> bool:
    try:
        await request
    except discord.NotFound as error:
        if error.code not in (
            app_client.UNKNOWN_MEMBER,
            app_client.UNKNOWN_USER,
            app_client.UNKNOWN_ROLE,
        ):
            raise
        return False
    return True
