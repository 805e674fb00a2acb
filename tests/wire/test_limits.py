"""Discord's limits and its rules for answering an interaction, without discord.py in between."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest
import pytest_asyncio

from .commands import find_problems
from .discord_server import DiscordServer
from .gateway import send_interaction
from .messages import create_message, edit_message
from .payloads import encode_message
from .people import get_first_channel
from .replies import MessageFile
from .sessions import Json
from .world import (
    AUTOCOMPLETE,
    COMMAND,
    COMPONENT,
    COMPONENTS_V2,
    MODAL_SUBMIT,
    ApiError,
    Interaction,
    World,
)

TEN_EMBEDS = [{"description": "d" * 601}] * 10


def build_button(custom_id: str = "a", **more: Any) -> Json:
    """Return a button in a row."""
    return {
        "type": 1,
        "components": [{"type": 2, "style": 1, "label": "A", "custom_id": custom_id, **more}],
    }


V2 = {"flags": COMPONENTS_V2}
WORDS = {"type": 10, "content": "w"}


def make_gallery(*descriptions: str, name: str = "https://example.org/board.png") -> Json:
    """Return a gallery with a picture for each alternative text."""
    return {
        "type": 12,
        "items": [{"media": {"url": name}, "description": one} for one in descriptions],
    }


def build_menu(*values: str) -> Json:
    """Return a menu in a row."""
    options = [{"label": value, "value": value} for value in values]
    return {"type": 1, "components": [{"type": 3, "custom_id": "menu", "options": options}]}


def make_container(*parts: Json) -> Json:
    """Return a container around components."""
    return {"type": 17, "components": list(parts)}


BAD_MESSAGES: list[tuple[Json, str]] = [
    ({}, "50006"),
    ({"content": "x" * 2001}, "content"),
    ({"embeds": TEN_EMBEDS}, "6000"),
    ({"embeds": [{"title": "t"}] * 11}, "embeds"),
    ({"embeds": [{"fields": [{"name": "", "value": "v"}]}]}, "fields.name"),
    ({"embeds": [{"image": {"url": "attachment://board.png"}}]}, "board.png is not attached"),
    ({"components": [build_button(str(row)) for row in range(6)]}, "components"),
    ({"components": [build_button(), build_button()]}, "duplicated"),
    ({"components": [build_button("x" * 101)]}, "custom_id"),
    ({"components": [build_button(label=None)]}, "label or an emoji"),
    ({"components": [build_button(emoji={"id": "1", "name": "die"})]}, "Invalid emoji"),
    ({"components": [{"type": 10, "content": "words"}]}, "components flag"),
    ({"components": [WORDS], "content": "c", **V2}, "no content"),
    ({"components": [WORDS], "embeds": [{"title": "t"}], **V2}, "no embeds"),
    ({"components": [WORDS] * 41, **V2}, "not 41"),
    ({"components": [make_container(*[WORDS] * 38), WORDS, WORDS], **V2}, "not 41"),
    ({"components": [{"type": 10, "content": "w" * 2001}] * 2, **V2}, "4000"),
    ({"components": [make_container(build_button()), build_button()], **V2}, "duplicated"),
    (
        {"components": [make_container(make_container(WORDS))], **V2},
        "cannot hold components of type 17",
    ),
    (
        {"components": [{"type": 2, "style": 1, "label": "A", "custom_id": "a"}], **V2},
        "cannot stand at the top",
    ),
    ({"components": [make_gallery()], **V2}, "between 1 and 10 in number, not 0"),
    ({"components": [make_gallery(*"abcdefghijk")], **V2}, "between 1 and 10 in number, not 11"),
    ({"components": [make_gallery("x" * 1025)], **V2}, "between 0 and 1024"),
    (
        {"components": [make_gallery("men", name="attachment://board.png")], **V2},
        "board.png is not attached",
    ),
    ({"components": [{"type": 10, "content": ""}], **V2}, "between 1 and 4000"),
    ({"components": [], **V2}, "50006"),
    ({"components": [build_menu()]}, "options"),
    ({"components": [build_menu("a", "a")]}, "unique"),
    ({"components": [build_menu("x" * 101)]}, "between 1 and 100"),
    (
        {"content": "<@1>", "allowed_mentions": {"parse": ["users"], "users": ["1"]}},
        "exclude each other",
    ),
    ({"content": "c", "attachments": [{"id": 0}]}, "No file was sent"),
]
BAD_COMMANDS: list[tuple[Json, str]] = [
    ({"name": "Roll", "description": "d"}, "name is invalid"),
    ({"name": "roll", "description": ""}, "between 1 and 100"),
    (
        {
            "name": "roll",
            "description": "d",
            "options": [{"name": "a", "type": 3, "description": "d"}] * 2,
        },
        "unique",
    ),
    ({"name": "roll", "description": "d" * 8001}, "8000"),
]


@pytest_asyncio.fixture
async def server() -> AsyncIterator[DiscordServer]:
    """A server without a bot."""
    async with await DiscordServer.start(token_life_s=0.5) as started:
        yield started


async def open_interaction(
    world: World, kind: int = COMMAND, clicked: Json | None = None
) -> Interaction:
    """Return a fresh interaction of someone in the first channel."""
    who = world.add_account("ana", 0)
    return await send_interaction(world, who.id, get_first_channel(world), kind, {}, clicked)


async def send_request(
    server: DiscordServer, method: str, path: str, body: Json | None = None
) -> tuple[int, Any]:
    """Return status and Discord's error code (or the whole answer) of one request."""
    async with (
        aiohttp.ClientSession() as session,
        session.request(method, server.api + path, json=body) as response,
    ):
        answer = await response.json() if response.status != 204 else None
        return response.status, answer.get("code", answer) if answer else None


async def answer_interaction(
    server: DiscordServer, interaction: Interaction, kind: int, **data: Any
) -> tuple[int, Any]:
    """Give an interaction its first answer."""
    path = f"/api/v10/interactions/{interaction.id}/{interaction.token}/callback"
    return await send_request(server, "POST", path, {"type": kind, "data": data})


def make_original_path(world: World, interaction: Interaction) -> str:
    """Return the path of an interaction's original answer."""
    return f"/api/v10/webhooks/{world.bot.id}/{interaction.token}/messages/@original"


@pytest.mark.asyncio
@pytest.mark.parametrize(("body", "named"), BAD_MESSAGES)
async def test_message_beyond_a_limit_is_refused_and_leaves_nothing(
    server: DiscordServer, body: Json, named: str
) -> None:
    with pytest.raises(ApiError, match=named):
        create_message(server.world, get_first_channel(server.world).id, body, {})
    assert server.list_messages() == []


@pytest.mark.asyncio
async def test_edit_must_list_every_file(server: DiscordServer) -> None:
    world, new = server.world, {0: MessageFile("new.png", b"new")}
    message = create_message(
        world,
        get_first_channel(world).id,
        {"content": "board"},
        {0: MessageFile("old.png", b"old")},
    )
    with pytest.raises(ApiError, match="must list every file"):
        edit_message(world, message, {"content": "next"}, new)
    kept = {"id": message.files[0].id}
    both = edit_message(
        world, message, {"attachments": [kept, {"id": 0, "filename": "next.png"}]}, new
    )
    assert [(file.name, file.data) for file in both.files] == [
        ("old.png", b"old"),
        ("next.png", b"new"),
    ]
    assert edit_message(world, both, {"attachments": []}, {}).files == []


@pytest.mark.parametrize(("command", "named"), BAD_COMMANDS)
def test_command_beyond_a_limit_is_named(command: Json, named: str) -> None:
    assert any(named in text for _, text in find_problems([command]))


@pytest.mark.asyncio
async def test_second_answer_is_refused(server: DiscordServer) -> None:
    interaction = await open_interaction(server.world)
    assert await answer_interaction(server, interaction, 4, content="first") == (204, None)
    assert await answer_interaction(server, interaction, 4, content="second") == (400, 40060)
    assert [one.content for one in server.list_messages()] == ["first"]


@pytest.mark.asyncio
async def test_each_interaction_takes_only_its_answers(server: DiscordServer) -> None:
    world = server.world
    clicked = encode_message(
        world,
        create_message(world, get_first_channel(world).id, {"components": [build_button()]}, {}),
    )
    assert await answer_interaction(
        server, await open_interaction(world), 7, content="no message to update"
    ) == (
        400,
        50035,
    )
    assert await answer_interaction(server, await open_interaction(world), 8, choices=[]) == (
        400,
        50035,
    )
    assert await answer_interaction(
        server, await open_interaction(world, AUTOCOMPLETE), 4, content="no"
    ) == (400, 50035)
    assert await answer_interaction(
        server, await open_interaction(world, MODAL_SUBMIT), 9, title="t", components=[]
    ) == (
        400,
        50035,
    )
    assert await answer_interaction(
        server, await open_interaction(world, COMPONENT, clicked), 6
    ) == (204, None)


@pytest.mark.asyncio
async def test_too_many_choices_are_refused(server: DiscordServer) -> None:
    choices = [{"name": "n", "value": "v"}] * 26
    assert await answer_interaction(
        server, await open_interaction(server.world, AUTOCOMPLETE), 8, choices=choices
    ) == (
        400,
        50035,
    )


@pytest.mark.asyncio
async def test_token_works_only_after_the_first_answer_and_for_its_time(
    server: DiscordServer,
) -> None:
    interaction = await open_interaction(server.world)
    path = make_original_path(server.world, interaction)
    assert await send_request(server, "PATCH", path, {"content": "too early"}) == (404, 10015)
    await answer_interaction(server, interaction, 5)
    assert (await send_request(server, "PATCH", path, {"content": "filled"}))[0] == 200
    await asyncio.sleep(0.5)
    assert await send_request(server, "PATCH", path, {"content": "too late"}) == (401, 50027)


@pytest.mark.asyncio
async def test_deleted_original_and_strangers_are_unknown(server: DiscordServer) -> None:
    interaction = await open_interaction(server.world)
    await answer_interaction(server, interaction, 4, content="gone soon")
    assert await send_request(server, "DELETE", make_original_path(server.world, interaction)) == (
        204,
        None,
    )
    assert await send_request(server, "GET", make_original_path(server.world, interaction)) == (
        404,
        10008,
    )
    assert await send_request(server, "GET", "/api/v10/users/@me") == (401, 0)
