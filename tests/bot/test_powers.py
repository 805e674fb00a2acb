"""Powers over a server: those who have them there, not those who have them in one channel."""

from typing import Any

import discord
import pytest
import simcord
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.features.contests.store import Contests
from bot.features.contests.tables import ContestState
from bot.features.moderation.store import AuditLog
from tests.support.club import SimulatedClub
from tests.support.contests import create_contest
from tests.support.driver import extract_text, get_ephemeral_text, get_response, start_match

pytestmark = pytest.mark.asyncio

POWERS = discord.Permissions(manage_events=True, manage_guild=True)
ORGANISERS = "Only people with the permission Manage Events or Manage Server can do that."
MANAGERS = "Only people with the permission Manage Server can do that."
ASKED: list[tuple[str, dict[str, Any], str]] = [
    ("league create", {"name": "Mine", "game": "zeno"}, ORGANISERS),
    ("league manage", {"league": "1"}, ORGANISERS),
    ("tournament create", {"name": "Mine", "game": "zeno", "format": "swiss"}, ORGANISERS),
    ("tournament manage", {"tournament": "2"}, ORGANISERS),
    ("ladder create", {"name": "Mine", "game": "zeno"}, ORGANISERS),
    ("ladder manage", {}, ORGANISERS),
    ("server settings", {}, MANAGERS),
    ("server end", {"match": 1, "how": "gold", "reason": "I want it"}, MANAGERS),
    ("server log", {}, MANAGERS),
    ("server stats", {}, MANAGERS),
    ("server stats", {"share": True}, MANAGERS),
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
    await create_contest(club.ana, club.channel, "league", name="Autumn", game="zeno")
    options = {"name": "Cup", "game": "zeno", "format": "swiss"}
    await create_contest(club.ana, club.channel, "tournament", **options)
    await create_contest(club.ana, club.channel, "ladder", name="Ladder", game="zeno")
    await start_match(club, "zeno")


async def test_powers_in_one_channel_are_none_over_the_server(club: SimulatedClub) -> None:
    await open_contests(club)
    grant_here(club)
    offer_managers_commands(club)
    await club.env.settle()
    for command, options, refusal in ASKED:
        text = get_ephemeral_text(await club.ben.slash(club.channel, command, **options))
        assert text == refusal, command
    substitute = {"match": 1, "from": club.ana, "to": club.cyn, "reason": "I want it"}
    text = get_ephemeral_text(await club.ben.slash(club.channel, "server substitute", **substitute))
    assert text == MANAGERS
    assert await club.store.get(Contests).load_view(3) is None
    assert await club.store.get(AuditLog).count_rulings(club.guild.id) == 0
    settings = await club.store.servers.load_settings(club.guild.id)
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
        text = get_ephemeral_text(await club.ben.submit_modal(form, {"text": "I want it"}))
        assert text == ORGANISERS
    text = get_ephemeral_text(await club.ben.click(settings, label="Reset to defaults"))
    assert text == MANAGERS
    view = await club.store.get(Contests).load_view(1)
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
    view = await club.store.get(Contests).load_view(1)
    assert view is not None
    assert view.contest.state is ContestState.CANCELLED
