"""The stand-in shows a real discord.py bot what Discord would, and records what the bot said."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import discord
import pytest
import pytest_asyncio
import yarl

from . import faults, sample_bot
from .discord_server import DiscordServer
from .openapi import DESCRIPTION, check_answer, check_request
from .processes import start_bot_process
from .replies import walk_components
from .sample_bot import PNG, SampleBot
from .world import COMPONENTS_V2

pytestmark = pytest.mark.asyncio
TOKEN = "wire-token"
CALLBACK = "/interactions/*/callback"


@asynccontextmanager
async def start_bot(server: DiscordServer, bot: SampleBot) -> AsyncIterator[SampleBot]:
    """Run the bot in this process until the block ends."""
    task = asyncio.create_task(bot.start(TOKEN))
    try:
        await server.wait_until_ready()
        yield bot
    finally:
        await bot.close()
        await task


@pytest_asyncio.fixture
async def server(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[DiscordServer]:
    """A server that discord.py is pointed at.

    At the end every good request and all that the server itself answered are held against the
    description.
    """
    monkeypatch.setattr(discord.http.Route, "BASE", "")
    monkeypatch.setattr(discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL())
    monkeypatch.setattr(discord.asset.Asset, "BASE", "")
    async with await DiscordServer.start(TOKEN) as started:
        sample_bot.point_at(started.api)
        yield started
    if DESCRIPTION.exists():
        accepted = [one for one in started.requests if one.is_success]
        assert [
            problem for one in accepted for problem in check_request(one.method, one.path, one.body)
        ] == []
        given = [(one.method, one.path, one.status, one.answer) for one in started.requests]
        assert [problem for one in given for problem in check_answer(*one)] == []


@pytest_asyncio.fixture
async def bot(server: DiscordServer) -> AsyncIterator[SampleBot]:
    """The sample bot, connected."""
    async with start_bot(server, SampleBot()) as connected:
        yield connected


async def test_login_asks_and_registers_in_order(server: DiscordServer, bot: SampleBot) -> None:
    asked = [(one.method, one.path) for one in server.requests]
    commands = f"/applications/{server.world.bot.id}/commands"
    assert asked == [("GET", "/users/@me"), ("GET", "/oauth2/applications/@me"), ("PUT", commands)]
    await asyncio.wait_for(bot.wait_until_ready(), 60)
    assert [guild.name for guild in bot.guilds] == ["The Tables Club"]
    assert [channel.name for channel in bot.guilds[0].text_channels] == ["tables", "hall"]


async def test_guild_commands_can_be_used_in_the_guild(server: DiscordServer) -> None:
    async with start_bot(server, SampleBot(server.world.first_guild_id)):
        assert (await server.get_person("ana").slash("roll")).content == "threw 6"


async def test_wrong_token_cannot_log_in(server: DiscordServer) -> None:
    bot = SampleBot()
    with pytest.raises(discord.LoginFailure):
        await bot.start("wrong")
    await bot.close()
    assert server.requests[-1].status == 401


@pytest.mark.parametrize(("token", "intents", "code"), [("wrong", 1, 4004), (TOKEN, 1 << 15, 4014)])
async def test_gateway_turns_away(
    server: DiscordServer, token: str, intents: int, code: int
) -> None:
    gateway = str(discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY)
    async with aiohttp.ClientSession() as session, session.ws_connect(gateway) as line:
        assert (await line.receive_json())["op"] == 10
        await line.send_json({"op": 2, "d": {"token": token, "intents": intents}})
        await line.receive()
        assert line.close_code == code


async def test_sharded_client_hears_interactions(server: DiscordServer) -> None:
    answered: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
    client = discord.AutoShardedClient(
        intents=discord.Intents(guilds=True), guild_ready_timeout=0.05
    )

    @client.event
    async def on_interaction(interaction: discord.Interaction[discord.Client]) -> None:
        await interaction.response.send_message("heard")
        answered.set_result(interaction.guild.name if interaction.guild else None)

    server.world.commands[0] = [{"id": "1", "name": "roll", "type": 1}]
    task = asyncio.create_task(client.start(TOKEN))
    await server.wait_until_ready()
    assert (await server.get_person("ana").slash("roll")).content == "heard"
    assert await answered == "The Tables Club"
    await client.close()
    await task


async def test_each_shard_hears_of_its_own_guilds_and_the_first_of_direct_messages(
    server: DiscordServer,
) -> None:
    """Two processes with two of four shards each, and a guild on every shard."""
    places: list[tuple[int, str | None]] = []
    clients = [
        discord.AutoShardedClient(
            intents=discord.Intents(guilds=True),
            guild_ready_timeout=0.05,
            shard_ids=shards,
            shard_count=4,
        )
        for shards in ([0, 1], [2, 3])
    ]

    async def answer(interaction: discord.Interaction[Any]) -> None:
        places.append(
            (
                clients.index(interaction.client),
                interaction.guild.name if interaction.guild else None,
            )
        )
        await interaction.response.send_message("heard")

    async def at_once(*_: object, **__: object) -> None:
        """Let no shard wait for the one before: this server does not ask for that."""

    server.world.commands[0] = [{"id": "1", "name": "roll", "type": 1}]
    names = ["second", "third", "fourth"]
    homes = [
        server.world.first_guild_id,
        *(server.add_guild(name, f"tables of the {name}") for name in names),
    ]
    assert sorted((guild >> 22) % 4 for guild in homes) == [0, 1, 2, 3]
    for client in clients:
        client.on_interaction = answer  # type: ignore[attr-defined]
        client.before_identify_hook = at_once  # type: ignore[method-assign]
    tasks = [asyncio.create_task(client.start(TOKEN)) for client in clients]
    try:
        await server.wait_until_ready()
        for client in clients:
            await asyncio.wait_for(client.wait_until_ready(), 5)
        for home in homes:
            where = next(one for one in server.world.channels.values() if one.guild_id == home)
            assert (await server.get_person("ana").slash("roll", channel=where)).content == "heard"
        await server.get_person("ana").slash("roll", channel=server.get_person("ana").dm_channel)
        expected = [((home >> 22) % 4 // 2, server.world.guilds[home]) for home in homes]
        assert places == [*expected, (0, None)]
        assert [sorted(guild.name for guild in client.guilds) for client in clients] == [
            sorted(name for at, name in expected if at == number) for number in (0, 1)
        ]
    finally:
        for client in clients:
            await client.close()
        await asyncio.gather(*tasks)


async def test_a_shard_out_of_range_is_turned_away(server: DiscordServer) -> None:
    gateway = str(discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY)
    async with aiohttp.ClientSession() as session, session.ws_connect(gateway) as line:
        await line.receive_json()
        await line.send_json({"op": 2, "d": {"token": TOKEN, "intents": 1, "shard": [4, 4]}})
        await line.receive()
        assert line.close_code == 4010


async def test_deferred_answer_is_filled_with_file_and_button(
    server: DiscordServer, bot: SampleBot
) -> None:
    reply = await server.get_person("ana").slash("roll", {"pips": 5})
    assert (reply.content, reply.loading, reply.edited) == ("threw 5", False, False)
    assert [(file.name, file.data, file.description) for file in reply.files] == [
        ("board.png", PNG, "men on a and f")
    ]
    assert reply.embeds[0]["image"]["url"].startswith(f"{server.api}/cdn/attachments/")
    assert reply.find_custom_id("Advance 1") == "advance:1"
    assert server.list_messages() == [reply]
    assert await bot.http.get_from_cdn(reply.embeds[0]["image"]["url"]) == PNG
    sent = await server.wait_for_request("POST", "/webhooks/*")
    assert (sent.answer["attachments"], sent.files[0].data) == ([], PNG)


async def test_dynamic_button_edits_its_message(server: DiscordServer, bot: SampleBot) -> None:
    ana, ben = server.get_person("ana"), server.get_person("ben")
    first = await ana.slash("roll")
    second = await ben.press(first, "advance:1")
    assert (second.message_id, second.content, second.edited) == (first.message_id, "step 1", True)
    assert len(second.files) == 1
    with pytest.raises(LookupError, match="advance:2"):
        await ana.press(second, "advance:1")
    assert (await ana.press(first, "advance:1")).content == "step 1", (
        "a stale view can still be pressed"
    )


async def test_autocomplete_offers_what_fits(server: DiscordServer, bot: SampleBot) -> None:
    offered = await server.get_person("ana").autocomplete("move", focused="play", value="a-")
    assert offered == [("a-f!", "a-f"), ("a-g!", "a-g")]


async def test_private_follow_up_is_seen_by_one_alone(
    server: DiscordServer, bot: SampleBot
) -> None:
    ana, ben = server.get_person("ana"), server.get_person("ben")
    assert (await ana.slash("move", {"play": "a-f"})).content == "played a-f"
    await server.wait_for_request("POST", "/webhooks/*")
    assert [one.content for one in ben.list_messages()] == ["played a-f"]
    assert [one.content for one in ana.list_messages()] == ["played a-f", "and again"]


async def test_person_option_thread_menu_and_direct_message(
    server: DiscordServer, bot: SampleBot
) -> None:
    ana, ben = server.get_person("ana"), server.get_person("ben")
    assert (await ana.slash("challenge", {"opponent": ben})).pings == (ben.id,)
    await server.wait_for_message(lambda one: "challenged" in one.text, ben.dm_channel)
    thread = server.get_channel("the match")
    (menu,) = server.list_messages(thread)
    await ben.choose(menu, "theme", ["oak"])
    await server.wait_for_message(lambda one: one.content == "theme oak", thread)
    assert (await ben.slash("move", {"play": "a-f"}, channel=thread)).channel_id == thread.id
    assert (
        await ben.slash("move", {"play": "a-f"}, channel=ben.dm_channel)
    ).channel_id == ben.dm_channel.id


async def test_subcommand_answers_with_components(server: DiscordServer, bot: SampleBot) -> None:
    reply = await server.get_person("ana").slash("table show")
    assert reply.text == "gold to play"
    (gallery,) = [part for part in walk_components(list(reply.components)) if part["type"] == 12]
    assert gallery["items"][0]["media"]["url"].startswith(server.api)
    assert gallery["items"][0]["description"] == "men on a and f"


async def test_turn_is_posted_by_the_bot_and_the_acknowledgement_taken_away(
    server: DiscordServer, bot: SampleBot
) -> None:
    ana = server.get_person("ana")
    await ana.slash("table sit")
    (reply,) = ana.list_messages()
    assert reply.text == f"<@{ana.id}> has turn 1"
    assert (reply.alt_texts, [file.data for file in reply.files]) == (["men on a and f"], [PNG])
    assert server.list_notifications(ana) == [reply.message_id]
    sent = await server.wait_for_request("POST", "/channels/*/messages")
    assert sent.body == sent.body | {
        "flags": COMPONENTS_V2,
        "nonce": "turn 1",
        "enforce_nonce": True,
    }


async def test_turn_before_is_closed_and_keeps_its_picture(
    server: DiscordServer, bot: SampleBot
) -> None:
    ana, ben = server.get_person("ana"), server.get_person("ben")
    await ana.slash("table sit")
    (first,) = server.list_messages()
    await ben.press(first, "turn:1")
    await server.wait_for_message(lambda reply: "is over" in reply.text)
    closed, live = server.list_messages()
    assert (closed.text, closed.find_controls(), closed.edited) == ("turn 1 is over", {}, True)
    assert [file.data for file in closed.files] == [PNG]
    assert (live.text, live.pings, list(live.find_controls())) == (
        f"<@{ben.id}> has turn 2",
        (ben.id,),
        ["turn:2"],
    )
    edit = await server.wait_for_request("PATCH", "/channels/*/messages/*")
    assert set(edit.body) == {"tts", "flags", "components"}


async def test_turn_asked_for_twice_is_posted_once(server: DiscordServer, bot: SampleBot) -> None:
    ana = server.get_person("ana")
    await ana.slash("table sit")
    (first,) = server.list_messages()
    await ana.press(first, "turn:1")
    await ana.press(first, "turn:1")
    await server.wait_for_request("PATCH", "/channels/*/messages/*")
    assert [list(reply.find_controls()) for reply in server.list_messages()] == [[], ["turn:2"]]


async def test_modal_is_filled_in(server: DiscordServer, bot: SampleBot) -> None:
    ana = server.get_person("ana")
    form = await ana.slash("note")
    assert form.modal is not None
    answer = await ana.submit(form, {"note": "beware of f"})
    assert (answer.content, answer.ephemeral) == ("noted: beware of f", True)


async def test_missing_permission_is_named(server: DiscordServer, bot: SampleBot) -> None:
    server.faults.inject("post message", faults.FORBIDDEN, times=None)
    ana = server.get_person("ana")
    assert (await ana.slash("post", {"words": "hello"})).content == "refused: 403 50013"
    server.faults.clear()
    assert (
        await ana.slash("post", {"words": "hello"}, server.get_channel("hall"))
    ).content == "posted"
    assert [one.content for one in server.list_messages(server.get_channel("hall"))] == ["HELLO"]


async def test_rate_limit_is_waited_out(server: DiscordServer, bot: SampleBot) -> None:
    server.faults.inject("post message", faults.make_rate_limit(0.2))
    assert (await server.get_person("ana").slash("post", {"words": "hello"})).content == "posted"
    refused, sent = [one for one in server.requests if one.path.endswith("/messages")]
    assert (refused.status, sent.status) == (429, 200)
    assert sent.at - refused.at >= 0.2


async def test_lost_answer_does_not_post_twice(server: DiscordServer, bot: SampleBot) -> None:
    server.faults.inject("post message", faults.BROKEN_AFTER)
    assert (await server.get_person("ana").slash("post", {"words": "hello"})).content == "posted"
    assert [one.content for one in server.list_messages() if not one.ephemeral] == ["HELLO"]


async def test_lost_connection_is_told_to_the_bot_and_its_nonce_posts_nothing_twice(
    server: DiscordServer, bot: SampleBot
) -> None:
    channel = bot.get_partial_messageable(server.get_channel("tables").id)
    server.faults.inject("post message", faults.DROP_AFTER)
    with pytest.raises(aiohttp.ServerDisconnectedError):
        await channel.send("throw", nonce="match 1 event 7")
    again = await channel.send("throw", nonce="match 1 event 7")
    assert [reply.message_id for reply in server.list_messages()] == [again.id]


async def test_unavailable_is_told_at_once_and_broken_is_tried_again(
    server: DiscordServer, bot: SampleBot
) -> None:
    channel = bot.get_partial_messageable(server.get_channel("tables").id)
    server.faults.inject("post message", faults.UNAVAILABLE)
    with pytest.raises(discord.DiscordServerError):
        await channel.send("throw")
    server.faults.inject("post message", faults.BROKEN)
    await channel.send("throw")
    assert [one.status for one in server.requests if one.path.endswith("/messages")] == [
        503,
        500,
        200,
    ]


async def test_unanswered_command_times_out_with_a_reason(server: DiscordServer) -> None:
    async with start_bot(server, SampleBot()):
        pass
    await server.wait_until_disconnected()
    with pytest.raises(TimeoutError, match="no bot is connected"):
        await server.get_person("ana").slash("roll", timeout=0.1)


async def test_late_answer_finds_the_interaction_gone(
    server: DiscordServer, bot: SampleBot
) -> None:
    server.world.deadline_s = 0.05
    gate = server.faults.hold_request("callback")
    act = asyncio.create_task(server.get_person("ana").slash("roll", timeout=0.5))
    await gate.wait_until_reached()
    await asyncio.sleep(0.1)
    gate.release()
    assert (await server.wait_for_request("POST", CALLBACK)).answer["code"] == 10062
    with pytest.raises(TimeoutError, match="was not answered"):
        await act


@pytest.mark.parametrize("code", [None, 4000])
async def test_cut_connection_is_resumed_without_loss(
    server: DiscordServer, bot: SampleBot, code: int | None
) -> None:
    await server.drop_connections(code)
    assert (await server.get_person("ana").slash("roll")).content == "threw 6"
    assert "RESUMED" in [
        event for session in server.world.sessions.list_connected() for event, _ in session.sent
    ]


async def test_forgotten_session_is_begun_anew(server: DiscordServer, bot: SampleBot) -> None:
    await server.drop_connections(4000, forget=True)
    await server.wait_until_ready()
    assert (await server.get_person("ana").slash("roll")).content == "threw 6"
    assert "RESUMED" not in [
        event for session in server.world.sessions.list_connected() for event, _ in session.sent
    ]


async def test_act_while_nobody_can_resume_is_lost(server: DiscordServer, bot: SampleBot) -> None:
    await server.drop_connections(forget=True)
    with pytest.raises(TimeoutError, match="was not answered"):
        await server.get_person("ana").slash("roll", timeout=0.3)
    await server.wait_until_ready()
    assert (await server.get_person("ana").slash("roll")).content == "threw 6"


async def test_connection_cut_in_the_middle_of_an_answer_does_not_lose_it(
    server: DiscordServer, bot: SampleBot
) -> None:
    gate = server.faults.hold_request("callback")
    act = asyncio.ensure_future(server.get_person("ana").slash("roll"))
    await gate.wait_until_reached()
    await server.drop_connections()
    gate.release()
    assert (await act).content == "threw 6"


async def test_how_long_the_first_answer_took_is_kept(
    server: DiscordServer, bot: SampleBot
) -> None:
    ana = server.get_person("ana")
    server.faults.inject("callback", faults.make_delay(0.2))
    await ana.slash("roll")
    await ana.slash("note")
    first, second = [act.answer_delay for act in ana.acts]
    assert first is not None
    assert second is not None
    assert first > 0.2 > second


async def test_killed_process_comes_back_to_its_old_message(server: DiscordServer) -> None:
    program = (sys.executable, str(Path(sample_bot.__file__)))
    ana = server.get_person("ana")
    async with start_bot_process(server, *program) as process:
        await server.wait_until_ready()
        reply = await ana.slash("roll")
        gate = server.faults.hold_request("callback")
        lost = asyncio.create_task(ana.press(reply, "advance:1", timeout=0.5))
        await gate.wait_until_reached()
        process.kill()
        await server.wait_until_disconnected()
    with pytest.raises(TimeoutError, match="no bot is connected"):
        await lost
    async with start_bot_process(server, *program):
        await server.wait_until_ready()
        assert (await ana.press(reply, "advance:1")).content == "step 1"
