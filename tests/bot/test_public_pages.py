"""Public pages: who is on them, what they show, and what becomes of them on the disk."""

from pathlib import Path

import pytest

from bot.features.pages.plan import PagePlan
from bot.store import PlayerPreferences
from tests.bot.conftest import SimulatedClub
from tests.bot.driver import get_ephemeral_text, get_response

pytestmark = pytest.mark.asyncio


async def test_a_server_has_pages_only_where_its_managers_want_them(
    club: SimulatedClub, tmp_path: Path
) -> None:
    async def ask(**state: str) -> str:
        return get_ephemeral_text(await club.ana.slash(club.channel, "server pages", **state))

    assert (await ask()).startswith("This server has no public pages.")
    assert await club.store.servers.find_with_pages() == []
    told = await ask(state="on")
    assert told.startswith("This server has public pages:")
    assert "whoever runs it hasn't set a place for them" in told
    assert await club.store.servers.find_with_pages() == [club.guild.id]
    club.bot.app.get_part(PagePlan).folder = tmp_path
    assert "whoever runs it" not in await ask()
    assert (await ask(state="off")).startswith("This server has no public pages.")
    assert await club.store.servers.find_with_pages() == []


async def test_who_is_no_manager_cannot_publish_a_server(club: SimulatedClub) -> None:
    # A server may let everyone see its managers' commands.
    known = club.env.backend.commands[None].values()
    (command,) = [int(each["id"]) for each in known if each["name"] == "server"]
    club.guild.set_command_permissions(command, {club.ben: True})
    told = get_ephemeral_text(await club.ben.slash(club.channel, "server pages", state="on"))
    assert "Only members who may manage this server can change its settings." in told
    assert await club.store.servers.find_with_pages() == []


async def test_resetting_ones_preferences_names_nobody_again(club: SimulatedClub) -> None:
    assert await club.store.preferences.find_hidden_people() == frozenset()
    told = await club.ben.slash(club.channel, "me pages", state="off")
    assert get_ephemeral_text(told).startswith("Public pages don't name you")
    await club.ben.slash(club.channel, "me language", language="de")
    panel = get_response(await club.ben.slash(club.channel, "me settings")).message
    await club.ben.click(panel, custom_id="preference:reset")
    assert await club.store.preferences.find_hidden_people() == {club.ben.id}
    assert await club.store.preferences.get(club.ben.id) == PlayerPreferences(pages=False)
    told = await club.ben.slash(club.channel, "me pages", state="on")
    assert get_ephemeral_text(told).startswith("Where a server has public pages, they name you.")
    assert await club.store.preferences.find_hidden_people() == frozenset()
