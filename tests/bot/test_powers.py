"""Powers over a server: those who have them there, not those who have them in one channel."""

from typing import Any

import discord
import pytest
import simcord
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.features.contests.rows import ContestState
from tests.bot.conftest import SimulatedClub
from tests.bot.driver import (
    extract_text,
    get_ephemeral_text,
    get_response,
    start_match,
)

pytestmark = pytest.mark.asyncio

POWERS = discord.Permissions(manage_events=True, manage_guild=True)
ORGANISERS = "Only people with the permission Manage Events or Manage Server can do that."
MANAGERS = "Only members who may manage this server can change its settings."
MODERATORS = "Only people with the permission Manage Server can do that."
OWNER = "Only the owner of this server can get or delete its data."
ASKED: list[tuple[str, dict[str, Any], str]] = [
    ("league create", {"name": "Mine", "game": "zeno"}, ORGANISERS),
    ("league manage", {"league": "1"}, ORGANISERS),
    ("tournament create", {"name": "Mine", "game": "zeno", "format": "swiss"}, ORGANISERS),
    ("tournament create", {}, ORGANISERS),
    ("tournament manage", {"tournament": "2"}, ORGANISERS),
    ("ladder create", {"name": "Mine", "game": "zeno"}, ORGANISERS),
    ("ladder manage", {}, ORGANISERS),
    ("server settings", {}, MANAGERS),
    ("server language", {"language": "de"}, MANAGERS),
    ("server puzzle", {"off": True}, MANAGERS),
    ("server digest", {"off": True}, MANAGERS),
    ("server pages", {"state": "on"}, MANAGERS),
    ("server end", {"match": 1, "how": "gold", "reason": "I want it"}, MODERATORS),
    ("server log", {}, MODERATORS),
    ("server stats", {}, MODERATORS),
    ("server stats", {"share": True}, MODERATORS),
    ("server data", {"action": "export"}, OWNER),
]
"""What each power is asked by, with what it says to those who lack it."""


def grant_here(club: SimulatedClub, *, denied: int = 0) -> None:
    """Let Ben have all powers, or be denied some, in the club's channel alone."""
    allowed = 0 if denied else POWERS.value
    club.env.backend.set_overwrite(
        club.channel.id, Overwrite(club.ben.id, OverwriteType.MEMBER, allow=allowed, deny=denied)
    )


def offer_managers_commands(club: SimulatedClub) -> None:
    """Let Ben be offered the commands of managers, as a server can."""
    known = club.env.backend.commands[None].values()
    (command,) = [int(each["id"]) for each in known if each["name"] == "server"]
    club.guild.set_command_permissions(command, {club.ben: True})


def give_role(club: SimulatedClub, permissions: discord.Permissions) -> simcord.RoleHandle:
    """Give Ben a role with permissions in the whole server."""
    role = club.guild.create_role("Role", permissions=permissions)
    club.env.backend.add_member_role(club.guild.id, club.ben.id, role.id)
    return role


async def open_contests(club: SimulatedClub) -> None:
    """Ana organises a league and a tournament, and Ben and Cyn play a match."""
    await club.ana.slash(club.channel, "league create", name="Autumn", game="zeno")
    given = {"name": "Cup", "game": "zeno", "format": "swiss"}
    await club.ana.slash(club.channel, "tournament create", **given)
    await club.ana.slash(club.channel, "ladder create", name="Ladder", game="zeno")
    await start_match(club, "zeno")


async def test_powers_in_one_channel_are_none_over_the_server(club: SimulatedClub) -> None:
    await open_contests(club)
    grant_here(club)
    offer_managers_commands(club)
    await club.env.settle()
    for command, given, refusal in ASKED:
        told = get_ephemeral_text(await club.ben.slash(club.channel, command, **given))
        assert told == refusal, command
    substitute = {"match": 1, "from": club.ana, "to": club.cyn, "reason": "I want it"}
    told = get_ephemeral_text(await club.ben.slash(club.channel, "server substitute", **substitute))
    assert told == MODERATORS
    assert await club.store.contests.load_view(3) is None
    assert await club.store.audit.count_rulings(club.guild.id) == 0
    settings = await club.store.servers.get(club.guild.id)
    assert settings.language is None
    assert not await club.store.servers.find_with_pages()


async def test_every_command_of_managers_is_among_them(club: SimulatedClub) -> None:
    (server,) = [
        each for each in club.env.backend.commands[None].values() if each["name"] == "server"
    ]
    asked = {command for command, _, _ in ASKED} | {"server substitute"}
    assert {f"server {each['name']}" for each in server["options"]} <= asked


async def test_a_panel_that_was_opened_with_the_power_does_nothing_without_it(
    club: SimulatedClub,
) -> None:
    await open_contests(club)
    grant_here(club)
    offer_managers_commands(club)
    role = give_role(club, POWERS)
    await club.env.settle()
    league = get_response(await club.ben.slash(club.channel, "league manage", league="1")).message
    ladder = get_response(await club.ben.slash(club.channel, "ladder manage")).message
    settings = get_response(await club.ben.slash(club.channel, "server settings")).message
    club.env.backend.remove_member_role(club.guild.id, club.ben.id, role.id)
    await club.env.settle()
    for panel, control in ((league, "leaguerule:1:cancel"), (ladder, "ladderclose:1")):
        form = await club.ben.click(panel, custom_id=control)
        told = get_ephemeral_text(await club.ben.submit_modal(form, {"text": "I want it"}))
        assert told == ORGANISERS
    told = get_ephemeral_text(await club.ben.click(settings, label="Reset to defaults"))
    assert told == MANAGERS
    view = await club.store.contests.load_view(1)
    assert view is not None
    assert view.contest.state is ContestState.OPEN
    # Nor does what he sees there change.
    assert "Ladder" in extract_text(ladder)


@pytest.mark.parametrize("permission", ["manage_events", "manage_guild", "administrator"])
async def test_who_has_a_power_in_the_server_has_it_where_a_channel_denies_it(
    club: SimulatedClub, permission: str
) -> None:
    await open_contests(club)
    give_role(club, discord.Permissions(**{permission: True}))
    grant_here(club, denied=POWERS.value)
    await club.env.settle()
    panel = get_response(await club.ben.slash(club.channel, "league manage", league="1")).message
    form = await club.ben.click(panel, custom_id="leaguerule:1:cancel")
    await club.ben.submit_modal(form, {"text": "Nobody has time"})
    view = await club.store.contests.load_view(1)
    assert view is not None
    assert view.contest.state is ContestState.CANCELLED
