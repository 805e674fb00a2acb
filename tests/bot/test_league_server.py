"""A league's event and roles in its server: kept up to date, made once, and missed by nobody."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import discord
import pytest
import simcord
from sqlalchemy import Connection, null, update

from bot.features.contests.service import GiveRoles, ShowEvent
from bot.features.contests.store import ServerItems
from bot.features.contests.tables import ContestState, contests
from bot.features.contests.tables import roles as contest_roles
from bot.platform.jobs.runner import HURRY_PAUSE_S
from engine.clock import DAY
from tests.bot import test_leagues
from tests.bot.test_retries import wait_for_due_jobs
from tests.support.club import SimulatedClub
from tests.support.contests import create_contest, join_together, press_standings
from tests.support.driver import add_member, extract_text, get_response

pytestmark = pytest.mark.asyncio

SCHEDULED, ACTIVE, COMPLETED, CANCELLED = 1, 2, 3, 4
"""What Discord calls the states of an event."""


def list_events(club: SimulatedClub) -> list[Any]:
    """The events of the club's server."""
    return list(club.env.backend.get_guild(club.guild.id).scheduled_events.values())


def find_event(club: SimulatedClub) -> Any:
    """The only event of the club's server."""
    (event,) = list_events(club)
    return event


def write_time(instant: int) -> str:
    """An instant as Discord writes it, to the second."""
    return datetime.fromtimestamp(instant // 1000, UTC).isoformat()


def list_role_holders(club: SimulatedClub) -> dict[str, set[int]]:
    """Who has the roles of the club's server, by name; without the bot's and everybody's."""
    guild = club.env.backend.get_guild(club.guild.id)
    return {
        role.name: {user for user, each in guild.members.items() if role.id in each.role_ids}
        for role in guild.roles.values()
        if role.id != guild.id and not role.managed
    }


def find_bot_role(club: SimulatedClub) -> Any:
    """The role that the bot came with."""
    roles = club.env.backend.get_guild(club.guild.id).roles.values()
    (role,) = (each for each in roles if each.managed)
    return role


def forbid(club: SimulatedClub, *names: str) -> None:
    """Take permissions from the bot's role."""
    change_permissions(club, dict.fromkeys(names, False))


def change_permissions(club: SimulatedClub, changes: Mapping[str, bool]) -> None:
    """Give the bot's role permissions, or take them from it."""
    role = find_bot_role(club)
    value = role.permissions
    for name, is_given in changes.items():
        flag = getattr(discord.Permissions, name).flag
        value = value | flag if is_given else value & ~flag
    club.env.backend.edit_role(club.guild.id, role.id, {"permissions": value})


async def join(club: SimulatedClub, count: int = 4) -> list[simcord.MemberActor]:
    """Let so many people sign up for the league, and return them by their ids."""
    people = [add_member(club, f"player{at}") for at in range(count)]
    for person in people:
        await person.click(test_leagues.find_league(club), label="Join")
    return sorted(people, key=lambda each: each.id)


async def resign_all(club: SimulatedClub, number: int = 1) -> None:
    """Let the one with the higher id give up each match, and the league end by that."""
    for pairing in (await test_leagues.load_view(club, number)).list_running():
        await test_leagues.resign(club, max(pairing.first, pairing.second), pairing.match)
    await club.advance_clock(5_000)


async def write(club: SimulatedClub, statement: Any) -> None:
    """Change what is stored behind the program's back."""

    def work(connection: Connection) -> None:
        connection.execute(statement)

    await club.store._database.write(work)  # noqa: SLF001


async def test_an_event_goes_with_its_league(club: SimulatedClub) -> None:
    await test_leagues.create_league(club, event=True, weeks=3)
    event, contest = find_event(club), (await test_leagues.load_view(club)).contest
    assert event.id == contest.event
    assert (event.name, event.entity_type, event.status) == ("Autumn league", 3, SCHEDULED)
    assert event.entity_metadata == {"location": "#tables"}
    assert event.scheduled_start_time == write_time(contest.starts)
    assert event.scheduled_end_time == write_time(contest.starts + 3 * test_leagues.WEEK)
    channel = f"https://discord.com/channels/{club.guild.id}/{club.channel.id}"
    assert event.description.endswith(f"Join with `/league standings` in {channel}")
    await test_leagues.rule(club, "extend")
    assert find_event(club).scheduled_start_time == write_time(contest.starts + test_leagues.WEEK)
    assert find_event(club).scheduled_end_time == write_time(contest.starts + 4 * test_leagues.WEEK)
    await join(club)
    # Before its time, so that Discord would not begin the event yet.
    await test_leagues.rule(club, "start")
    ends = (await test_leagues.load_view(club)).contest.ends
    assert ends is not None
    assert find_event(club).status == ACTIVE
    assert find_event(club).scheduled_end_time == write_time(ends)
    await test_leagues.rule(club, "extend")
    assert find_event(club).scheduled_end_time == write_time(ends + test_leagues.WEEK)
    await resign_all(club)
    assert find_event(club).status == COMPLETED
    assert (await test_leagues.load_view(club)).contest.state is ContestState.OVER


@pytest.mark.parametrize("is_started", [False, True])
async def test_an_event_ends_with_a_league_that_is_called_off(
    club: SimulatedClub, is_started: bool
) -> None:
    await test_leagues.create_league(club, event=True)
    await join(club)
    if is_started:
        await test_leagues.rule(club, "start")
    await test_leagues.rule(club, "cancel")
    # Discord can only cancel what has not begun.
    assert find_event(club).status == (COMPLETED if is_started else CANCELLED)


async def test_no_event_or_role_is_made_unless_somebody_asks(club: SimulatedClub) -> None:
    await test_leagues.create_league(club)
    await join(club)
    await test_leagues.rule(club, "start")
    await resign_all(club)
    assert list_events(club) == []
    assert list_role_holders(club) == {}


async def test_each_season_has_an_event_of_its_own(club: SimulatedClub) -> None:
    await test_leagues.create_league(club, event=True, seasons=True)
    await join(club)
    await test_leagues.rule(club, "start")
    await resign_all(club)
    assert [(each.name, each.status) for each in list_events(club)] == [
        ("Autumn league", COMPLETED),
        ("Autumn league, season 2", SCHEDULED),
    ]


async def test_an_event_is_moved_by_an_outage(club: SimulatedClub) -> None:
    await test_leagues.create_league(club, event=True)
    starts = (await test_leagues.load_view(club)).contest.starts
    # As it is after an outage of a day, whose time is given back.
    await write(club, update(contests).values(starts=starts + DAY))
    await club.advance_clock(7 * DAY + 1)
    assert (await test_leagues.load_view(club)).contest.state is ContestState.OPEN
    assert find_event(club).scheduled_start_time == write_time(starts + DAY)


async def test_an_event_is_made_once_though_the_program_dies_before_it_is_saved(
    club: SimulatedClub,
) -> None:
    await test_leagues.create_league(club, event=True)
    event = find_event(club)
    # As it is after a kill between Discord's answer and the commit.
    await write(club, update(contests).values(event=null()))
    await club.bot.app.enqueue(club.guild.id, [ShowEvent(1).build_job(0)])
    await club.advance_clock(0)
    assert find_event(club).id == event.id == (await test_leagues.load_view(club)).contest.event
    # Another league of that name, by which a third could be mistaken for it, has its own.
    await create_contest(
        club.ana, club.channel, "league", name="Autumn league", game="fallas", event=True
    )
    kept = [(await test_leagues.load_view(club, number)).contest.event for number in (1, 2)]
    assert kept == [each.id for each in list_events(club)]


async def test_an_event_ends_though_the_program_died_before_it_was_saved(
    club: SimulatedClub,
) -> None:
    await test_leagues.create_league(club, event=True)
    await write(club, update(contests).values(event=null()))
    await test_leagues.rule(club, "cancel")
    assert find_event(club).status == CANCELLED


async def test_an_event_of_somebody_else_is_left_alone(club: SimulatedClub) -> None:
    own = club.guild.create_scheduled_event(
        "Autumn league",
        entity_type=3,
        start_time=write_time(club.hands() + DAY),
        end_time=write_time(club.hands() + test_leagues.WEEK),
        location="#tables",
    )
    own.creator_id = club.ana.id
    await test_leagues.create_league(club, event=True)
    await test_leagues.rule(club, "cancel")
    assert [each.status for each in list_events(club)] == [SCHEDULED, CANCELLED]


async def test_an_event_that_somebody_deleted_stays_deleted(club: SimulatedClub) -> None:
    await test_leagues.create_league(club, event=True)
    club.env.backend.delete_scheduled_event(club.guild.id, find_event(club).id)
    await test_leagues.rule(club, "extend")
    await join(club)
    await test_leagues.rule(club, "start")
    assert list_events(club) == []
    assert (await test_leagues.load_view(club)).contest.state is ContestState.RUNNING
    assert await club.store.jobs.load_failed(club.guild.id) == []


async def test_what_an_event_lacks_is_said_and_made_up_for(club: SimulatedClub) -> None:
    forbid(club, "create_events")
    card = await test_leagues.create_league(club, event=True)
    await club.advance_clock(0)
    lacking = "The bot needs the permission Create Events to show this as an event."
    assert list_events(club) == []
    assert extract_text(test_leagues.find_league(club)).endswith(f"`\n-# {lacking}")
    await club.ben.click(card, label="Join")
    change_permissions(club, {"create_events": True})
    await club.advance_clock(0)
    assert find_event(club).status == SCHEDULED
    assert lacking not in extract_text(test_leagues.find_league(club))


async def test_a_server_with_too_many_events_has_its_league_without(club: SimulatedClub) -> None:
    club.env.inject_error("POST", "/guilds/*/scheduled-events", status=400, code=30038, times=1)
    await test_leagues.create_league(club, event=True)
    text = "There's no event, since this server has as many as Discord allows."
    assert text in extract_text(test_leagues.find_league(club))
    # An hour later there is room.
    await club.advance_clock(3_600_000)
    assert text not in extract_text(test_leagues.find_league(club))
    assert find_event(club).status == SCHEDULED


async def test_roles_go_with_divisions_and_the_champion(club: SimulatedClub) -> None:
    # Somebody's own role, which the bot must not take for its own.
    own = club.guild.create_role("Autumn league: Division A")
    club.env.backend.add_member_role(club.guild.id, club.ben.id, own.id)
    await test_leagues.create_league(club, roles=True, seasons=True)
    people = await join(club, 9)
    assert list(list_role_holders(club)) == ["Autumn league: Division A"]
    await test_leagues.rule(club, "start")
    view = await test_leagues.load_view(club)
    ids = [person.id for person in people]
    assert [[each.person for each in them] for them in view.list_divisions()] == [ids[:5], ids[5:]]
    made = {each.role for each in await club.store.get(ServerItems).load_roles(1)}
    guild = club.env.backend.get_guild(club.guild.id)
    for role in (guild.roles[number] for number in made if number):
        assert (role.permissions, role.mentionable, role.hoist) == (0, False, False)
    assert await read_roles(club) == {1: set(ids[:5]), 2: set(ids[5:])}
    message = get_response(
        await press_standings(people[8], club.channel, "league", "leave")
    ).message
    await people[8].click(message, label="Leave and forfeit")
    assert await read_roles(club) == {1: set(ids[:5]), 2: set(ids[5:8])}
    # The first by id wins every match, and so each division in its own order.
    await resign_all(club)
    assert await read_roles(club) == {0: {ids[0]}, 1: set(ids[:5]), 2: set(ids[5:8])}
    assert list_role_holders(club)["Autumn league champion"] == {ids[0]}
    card = next(
        each
        for each in club.channel.history()
        if extract_text(each).startswith("### Autumn league, season 2")
    )
    await join_together(club, card, people)
    await club.advance_clock(test_leagues.WEEK + 1)
    # The last of the first division and the first of the second have changed places.
    after = {0: set(), 1: {*ids[:4], ids[5]}, 2: {ids[4], *ids[6:]}}
    assert await read_roles(club) == after
    panel = get_response(await club.ana.slash(club.channel, "league manage")).message
    form = await club.ana.click(panel, custom_id="leaguerule:2:cancel")
    await club.ana.submit_modal(form, {"text": "It's over"})
    await club.advance_clock(5_000)
    assert list_role_holders(club) == {"Autumn league: Division A": {club.ben.id}}
    assert await club.store.get(ServerItems).load_roles(1) == []


async def read_roles(club: SimulatedClub) -> dict[int, set[int]]:
    """Who has the league's roles in the server, by their places."""
    members = club.env.backend.get_guild(club.guild.id).members
    return {
        each.place: {user for user, member in members.items() if each.role in member.role_ids}
        for each in await club.store.get(ServerItems).load_roles(1)
    }


async def start_league_with_roles(club: SimulatedClub) -> Sequence[int]:
    """A league of four that has started, whose division has a role; return who plays."""
    await test_leagues.create_league(club, roles=True)
    people = await join(club)
    await test_leagues.rule(club, "start")
    await club.advance_clock(0)
    return [person.id for person in people]


async def test_a_role_is_made_once_though_the_program_dies_before_it_is_saved(
    club: SimulatedClub,
) -> None:
    ids = await start_league_with_roles(club)
    server_items = club.store.get(ServerItems)
    before = await server_items.load_roles(1)
    await write(club, update(contest_roles).values(role=null()))
    await server_items.save_holders(1, 1, {}, ids[:1])
    await club.bot.app.enqueue(club.guild.id, [GiveRoles(1).build_job(0)])
    await club.advance_clock(0)
    assert await read_roles(club) == {1: set(ids)}
    assert await server_items.load_roles(1) == before
    assert list_role_holders(club) == {"Autumn league: Division A": set(ids)}


async def test_a_role_that_somebody_deleted_stays_deleted(club: SimulatedClub) -> None:
    ids = await start_league_with_roles(club)
    ((place,),) = [[each.role for each in await club.store.get(ServerItems).load_roles(1)]]
    assert place is not None
    club.env.backend.delete_role(club.guild.id, place)
    late = add_member(club, "late")
    await late.click(test_leagues.find_league(club), label="Join late")
    await club.advance_clock(0)
    assert list_role_holders(club) == {}
    # The champion's is another one, and is made.
    await resign_all(club)
    assert list_role_holders(club) == {"Autumn league champion": {min(ids)}}
    assert await club.store.jobs.load_failed(club.guild.id) == []


async def test_who_left_the_server_has_no_role_and_holds_nobody_up(club: SimulatedClub) -> None:
    await test_leagues.create_league(club, roles=True)
    people = await join(club)
    club.guild.remove_member(people[0])
    # Where Discord doesn't tell, they count as present, and only the role shows that they are not.
    club.env.inject_error("GET", "/guilds/*/members/*", status=403, code=50001, times=None)
    await test_leagues.rule(club, "start")
    assert await read_roles(club) == {1: {person.id for person in people[1:]}}
    assert await club.store.jobs.load_failed(club.guild.id) == []


async def test_what_roles_lack_is_said_and_made_up_for(club: SimulatedClub) -> None:
    forbid(club, "manage_roles")
    ids = await start_league_with_roles(club)
    lacking = "The bot needs the permission Manage Roles to give roles here."
    assert lacking in extract_text(test_leagues.find_league(club))
    assert list_role_holders(club) == {}
    change_permissions(club, {"manage_roles": True})
    await club.advance_clock(0)
    assert await read_roles(club) == {1: set(ids)}
    assert lacking not in extract_text(test_leagues.find_league(club))


async def test_a_league_without_roles_yet_is_called_off_without_permission(
    club: SimulatedClub,
) -> None:
    forbid(club, "manage_roles")
    await test_leagues.create_league(club, roles=True)
    await test_leagues.rule(club, "cancel")
    assert (await test_leagues.load_view(club)).contest.roles_problem is None
    assert await club.store.jobs.load_failed(club.guild.id) == []


async def test_a_role_above_the_bots_own_is_given_once_it_is_below(club: SimulatedClub) -> None:
    ids = await start_league_with_roles(club)
    backend, guild = club.env.backend, club.guild.id
    (role,) = (each.role for each in await club.store.get(ServerItems).load_roles(1))
    assert role is not None
    own = find_bot_role(club)
    top = own.position
    backend.reorder_roles(guild, [{"id": role, "position": top}, {"id": own.id, "position": 1}])
    late = add_member(club, "late")
    await late.click(test_leagues.find_league(club), label="Join late")
    text = "The bot can give roles here only while they're below its own role."
    assert text in extract_text(test_leagues.find_league(club))
    assert await read_roles(club) == {1: set(ids)}
    backend.reorder_roles(guild, [{"id": own.id, "position": top}, {"id": role, "position": 1}])
    await wait_for_due_jobs(club)
    # Not by its own pause, which is an hour.
    for job in await club.store.jobs.load_failed(guild):
        assert job.due <= club.hands() + 1000 * HURRY_PAUSE_S
    await club.advance_clock(1000 * HURRY_PAUSE_S)
    assert await read_roles(club) == {1: {*ids, late.id}}
    assert text not in extract_text(test_leagues.find_league(club))


async def test_a_server_with_too_many_roles_has_its_league_without(club: SimulatedClub) -> None:
    club.env.inject_error("POST", "/guilds/*/roles", status=400, code=30005, times=1)
    ids = await start_league_with_roles(club)
    text = "Roles are missing, since this server has as many as Discord allows."
    assert text in extract_text(test_leagues.find_league(club))
    assert (await test_leagues.load_view(club)).contest.state is ContestState.RUNNING
    await club.advance_clock(3_600_000)
    assert await read_roles(club) == {1: set(ids)}
    assert text not in extract_text(test_leagues.find_league(club))
