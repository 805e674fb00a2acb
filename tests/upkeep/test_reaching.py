"""What Discord lets the bot do, over real sockets of a server that behaves as Discord does."""

import ast
import re
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import discord
import pytest
import pytest_asyncio

from bot import client
from bot.ops.discord_checks import MatchPlaces, check_discord
from bot.platform.db.tables import now_ms
from bot.platform.i18n.common import PERMISSIONS
from tests.wire.discord_server import BOT_PERMISSIONS, DiscordServer
from tests.wire.world import ATTACH, SEND_IN_THREADS, THREAD, VIEW

pytestmark = [pytest.mark.asyncio, pytest.mark.wire]
TOKEN = "wire-token"
ROOT = Path(__file__).parents[2]


@pytest_asyncio.fixture
async def discord_server(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[DiscordServer]:
    """A Discord at which the bot may do everything."""
    async with await DiscordServer.start(TOKEN) as started:
        monkeypatch.setattr("discord.http.Route.BASE", "")
        monkeypatch.setattr("discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY", None)
        monkeypatch.setattr("discord.asset.Asset.BASE", "")
        client.use_api_at(started.api)
        yield started


def list_places(server: DiscordServer) -> MatchPlaces:
    """The first channel, where match 3 goes on."""
    return [(server.world.first_guild_id, server.get_channel("tables").id, 3)]


async def list_problems(
    where: MatchPlaces,
    token: str = TOKEN,
    ahead_ms: int = 0,
    tell: Callable[[str], None] = lambda _: None,
) -> list[str]:
    """What is wrong, by a clock that is so much ahead."""
    checked = check_discord(token, where, lambda: now_ms() + ahead_ms, tell)
    return [finding.sentence async for finding in checked]


async def test_it_is_told_how_servers_invite_the_bot(discord_server: DiscordServer) -> None:
    lines: list[str] = []
    await list_problems([], tell=lines.append)
    (line,) = lines
    assert f"client_id={discord_server.world.bot.id}" in line
    asked = discord.Permissions(int(re.findall(r"permissions=(\d+)", line)[0]))
    # Whatever a sentence of ours names as missing can be granted by the invitation, but what
    # only people need: to be let into a voice channel, and to unlock a thread of theirs.
    named = {*PERMISSIONS} - {"connect", "manage_threads"}
    assert asked == discord.Permissions(**dict.fromkeys(named, True))


def list_permissions_in_code() -> set[str]:
    """Return Discord's permissions that the bot's code names, as attributes or in texts."""
    nodes = [
        node
        for file in (ROOT / "bot").rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
    ]
    # A permission is no method, as `stream` of a connection is.
    called = {node.func for node in nodes if isinstance(node, ast.Call)}
    named = {
        node.attr if isinstance(node, ast.Attribute) else node.value
        for node in nodes
        if isinstance(node, ast.Attribute | ast.Constant) and node not in called
    }
    return {*discord.Permissions.VALID_FLAGS} & named


async def test_every_permission_that_the_bot_can_lack_has_a_name() -> None:
    # What it asks about people alone.
    of_people = {"administrator", "manage_events", "manage_guild", "manage_messages"}
    assert list_permissions_in_code() - of_people == {*PERMISSIONS}


async def test_nothing_is_wrong(discord_server: DiscordServer) -> None:
    assert await list_problems(list_places(discord_server)) == []
    assert not discord_server.world.sessions.list_connected()
    assert {request.method for request in discord_server.requests} == {"GET"}


async def test_direct_messages_have_no_server_to_ask(discord_server: DiscordServer) -> None:
    assert await list_problems([(0, 1, 9), *list_places(discord_server)]) == []


async def test_a_token_that_is_not_known(discord_server: DiscordServer) -> None:
    text = "Discord does not accept TABULA_TOKEN; copy it again from the application's page"
    assert await list_problems(list_places(discord_server), "of-another") == [text]


async def test_permissions_that_are_missing_are_named(discord_server: DiscordServer) -> None:
    discord_server.world.permissions = BOT_PERMISSIONS & ~ATTACH & ~SEND_IN_THREADS
    guild, tables = list_places(discord_server)[0][:2]
    thread = discord_server.world.add_channel(THREAD, "match 4", parent_id=tables)
    in_channel, in_thread = await list_problems(
        [*list_places(discord_server), (guild, thread.id, 4)]
    )
    lacks = "does not give the bot the permission"
    assert (
        in_channel
        == f"channel {tables} of server {guild}, where match 3 goes on, {lacks} Attach Files"
    )
    where = f"channel {thread.id} of server {guild}, where match 4 goes on"
    assert in_thread == f"{where}, {lacks} Send Messages in Threads and Attach Files"


async def test_a_channel_that_is_not_there_or_hidden(discord_server: DiscordServer) -> None:
    guild = discord_server.world.first_guild_id
    hall = discord_server.get_channel("hall")
    discord_server.deny_permission(hall, VIEW)
    gone, hidden = await list_problems([(guild, 77, 4), (guild, hall.id, 5)])
    answers = "404 Not Found (error code: 10003): Unknown Channel"
    assert (
        gone == f"channel 77 of server {guild}, where match 4 goes on, cannot be reached: {answers}"
    )
    answers = "403 Forbidden (error code: 50001): Missing Access"
    assert hidden == (
        f"channel {hall.id} of server {guild}, where match 5 goes on, cannot be reached: {answers}"
    )


@pytest.mark.parametrize(
    ("ahead_ms", "texts"),
    [
        (90_000, ["the clock of this machine is 90 s ahead of Discord's; set it by NTP"]),
        (-90_000, ["the clock of this machine is 90 s behind Discord's; set it by NTP"]),
        (2_000, []),
    ],
)
async def test_a_clock_that_is_astray(
    discord_server: DiscordServer, ahead_ms: int, texts: list[str]
) -> None:
    assert [
        line.replace("89", "90").replace("91", "90")
        for line in await list_problems([], ahead_ms=ahead_ms)
    ] == texts


async def test_a_discord_that_cannot_be_reached(discord_server: DiscordServer) -> None:
    await discord_server.stop()
    (text,) = await list_problems(list_places(discord_server))
    assert text.startswith("Discord cannot be asked: Cannot connect to host 127.0.0.1:")
