"""A league's roles in its server: for those in each division, and for the champion."""

from collections.abc import Awaitable, Mapping

import discord

from bot.features.contests import service
from bot.features.contests.event_delivery import CONNECTING_MS, LONGEST_TITLE, TRY_AGAIN_MS
from bot.features.contests.jobs import GiveRoles, ShowContest
from bot.features.contests.results import assign_roles
from bot.features.contests.rows import (
    Contest,
    ContestRole,
    ContestState,
    ContestView,
    ServerProblem,
)
from bot.features.contests.server_texts import format_role_name
from bot.platform.context import App
from bot.platform.jobs.handlers import handles
from bot.platform.jobs.runner import Done, JobResult, Retry
from bot.platform.people import is_pseudonym
from bot.platform.ui.app_client import AppClient
from bot.platform.ui.channels import ServerChannel
from bot.platform.ui.failures import (
    TOO_MANY_ROLES,
    UNKNOWN_MEMBER,
    UNKNOWN_ROLE,
    UNKNOWN_USER,
)
from bot.store import QueuedJob
from render.characters import shorten_text


@handles(GiveRoles)
async def give_roles(client: AppClient, job: GiveRoles, _: QueuedJob) -> JobResult:
    """Give a league's roles to those who are to have them, and take them from everybody else.

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
        before = await service.load_contest(app, contest.previous)
    known = {each.place: each for each in await app.store.server_items.load_roles(job.contest)}
    wanted = {
        place: frozenset(person for person in people if not is_pseudonym(person))
        for place, people in assign_roles(view, before).items()
    }
    is_cancelled, problem = contest.state is ContestState.CANCELLED, None
    if not (known if is_cancelled else _find_changes(known, wanted)):
        pass
    elif not guild.me.guild_permissions.manage_roles:
        problem = ServerProblem.NO_ROLE_PERMISSION
    else:
        roles = LeagueRoles(client, guild, contest)
        try:
            if is_cancelled:
                await roles.delete(known)
            else:
                await roles.assign(known, wanted)
        except discord.Forbidden:
            problem = ServerProblem.ROLE_TOO_HIGH
        except discord.HTTPException as error:
            if error.code != TOO_MANY_ROLES:
                raise
            problem = ServerProblem.TOO_MANY_ROLES
    shown = [ShowContest(contest.id).make_job(app.clock())]
    app.take(
        await app.store.server_items.save_problem(
            contest.id, contest.guild, "roles_problem", problem, shown
        )
    )
    return Retry(f"no roles: {problem}", TRY_AGAIN_MS) if problem else Done()


async def _load_latest_season(app: App, series: int) -> ContestView:
    number = series
    while (following := await app.store.contests.find_next_season(number)) is not None:
        number = following
    return await service.load_contest(app, number)


def _find_changes(
    known: Mapping[int, ContestRole], wanted: Mapping[int, frozenset[int]]
) -> list[int]:
    """Return the places of the roles that not exactly those hold who are to hold them."""
    return [
        place
        for place in sorted({*known, *wanted})
        if dict.fromkeys(wanted.get(place, ()), True)
        != (known[place].holders if place in known else {})
    ]


class LeagueRoles:
    """The roles of a league in its server, as Discord has them."""

    def __init__(self, client: AppClient, guild: discord.Guild, contest: Contest) -> None:
        self._client = client
        self._guild = guild
        self._contest = contest
        self._store = client.app.store.server_items

    async def delete(self, known: Mapping[int, ContestRole]) -> None:
        """Delete the roles of a league that was called off."""
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
        for place in _find_changes(known, wanted):
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
        return shorten_text(format_role_name(say, self._contest, place), LONGEST_TITLE)

    async def _find_role(
        self, known: ContestRole, there: Mapping[int, discord.Role]
    ) -> discord.Role | None:
        """Return a role of the league's; None if it is not made yet, or somebody has deleted it.

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
        if error.code not in (UNKNOWN_MEMBER, UNKNOWN_USER, UNKNOWN_ROLE):
            raise
        return False
    return True
