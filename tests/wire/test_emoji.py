"""The application's emoji over the wire: uploaded by the bot, shown on buttons, and mended."""

import base64
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from aiohttp import ClientSession

from bot.platform.ui.icons import PREFIX
from render.icons import load_icons
from tests.support.emoji import MAX_BYTES, MAX_EMOJI

from .openapi import check_answer, check_request, needs_description
from .sessions import PATIENCE_S, Json
from .tabula import WireHarness
from .world import Emoji, World

pytestmark = [pytest.mark.asyncio, pytest.mark.wire]

PNG = "data:image/png;base64,"


async def wait_for_icons(wire: WireHarness) -> None:
    """Wait until the application has every icon."""
    await wire.server.world.changes.wait_until(
        lambda: len(list_icons(wire.server.world)) == len(load_icons()),
        lambda: f"only {len(list_icons(wire.server.world))} icons are there",
        PATIENCE_S,
    )


def list_icons(world: World) -> list[Emoji]:
    """The emoji that are icons of ours."""
    return [each for each in world.emoji.values() if each.name.startswith(PREFIX)]


def list_emoji_ids(wire: WireHarness) -> Iterator[int]:
    """The ids of the emoji on the controls of the newest message of the match."""
    for control in wire.get_newest_message().find_controls().values():
        if emoji := control.get("emoji"):
            yield int(emoji["id"] or 0)


async def act_until(wire: WireHarness, done: Callable[[], bool]) -> None:
    """Play on until something holds."""
    while not done():
        await wire.play(1)


@needs_description
async def test_icons_are_uploaded_shown_and_mended_over_the_wire(wire: WireHarness) -> None:
    world = wire.server.world
    async with wire.start_bot():
        await wait_for_icons(wire)
        await wire.begin_match("backgammon")
        await act_until(wire, lambda: any(list_emoji_ids(wire)))
        assert set(list_emoji_ids(wire)) <= {0, *world.emoji}
    async with wire.start_bot():
        # It remembers them, and lists them once more.
        await wire.server.wait_for_request("GET", "/applications/*/emojis")
        world.emoji.clear()
        await act_until(wire, lambda: not any(list_emoji_ids(wire)))
    async with wire.start_bot():
        await wait_for_icons(wire)
        await act_until(wire, lambda: any(list_emoji_ids(wire)))
    asked = [each for each in wire.server.requests if "/emojis" in each.path]
    assert [each.method for each in asked].count("POST") == 2 * len(load_icons())
    for each in asked:
        assert check_request(each.method, each.path, each.body) == []
        assert check_answer(each.method, each.path, each.status, each.answer) == []


BAD_EMOJI: list[tuple[Json, int]] = [
    ({"name": "d", "image": f"{PNG}AAAA"}, 50035),
    ({"name": "a-die", "image": f"{PNG}AAAA"}, 50035),
    ({"name": "x" * 33, "image": f"{PNG}AAAA"}, 50035),
    ({"name": "known", "image": f"{PNG}AAAA"}, 50035),
    ({"name": "die", "image": "AAAA"}, 50035),
    ({"name": "die", "image": PNG + base64.b64encode(bytes(MAX_BYTES + 1)).decode()}, 50035),
]


@pytest.fixture
def ask(wire: WireHarness) -> Callable[..., Any]:
    """Ask the server about the emoji of the bot."""
    world = wire.server.world

    async def ask(method: str, path: str = "", body: Json | None = None) -> tuple[int, Any]:
        address = f"{world.api}/api/v10/applications/{world.bot.id}/emojis{path}"
        headers = {"Authorization": f"Bot {world.token}"}
        async with (
            ClientSession() as session,
            session.request(method, address, json=body, headers=headers) as answer,
        ):
            return answer.status, await answer.json() if answer.status != 204 else None

    return ask


async def test_emoji_are_created_renamed_and_deleted(ask: Callable[..., Any]) -> None:
    status, created = await ask("POST", "", {"name": "known", "image": f"{PNG}AAAA"})
    assert (status, created["name"]) == (201, "known")
    for body, code in BAD_EMOJI:
        status, refused = await ask("POST", "", body)
        assert (status, refused["code"]) == (400, code)
    assert (await ask("PATCH", f"/{created['id']}", {"name": "other"}))[1]["name"] == "other"
    assert (await ask("GET"))[1]["items"] == [(await ask("GET", f"/{created['id']}"))[1]]
    assert (await ask("DELETE", f"/{created['id']}"))[0] == 204
    assert (await ask("DELETE", f"/{created['id']}"))[1]["code"] == 10014


async def test_an_application_has_two_thousand_emoji(
    wire: WireHarness, ask: Callable[..., Any]
) -> None:
    wire.server.world.emoji = {each: Emoji(each, f"e{each}") for each in range(MAX_EMOJI)}
    _, refused = await ask("POST", "", {"name": "die", "image": f"{PNG}AAAA"})
    assert refused["code"] == 30008
