"""A bot without discord.py: single requests with its token.

The answers keep to Discord's API description.
"""

import json
from typing import Any

import aiohttp

from .discord_server import DiscordServer
from .openapi import DESCRIPTION, check_answer
from .people import get_first_channel
from .sessions import Json


async def post_message(
    server: DiscordServer, body: Json, *files: bytes, message_id: int | None = None
) -> tuple[int, Any]:
    """Post with the bot's token in the first channel, or edit a message.

    The files are called board.png.
    """
    form = aiohttp.FormData(quote_fields=False, default_to_multipart=True)
    form.add_field("payload_json", json.dumps(body))
    for index, data in enumerate(files):
        form.add_field(f"files[{index}]", data, filename="board.png")
    path = f"/channels/{get_first_channel(server.world).id}/messages"
    if message_id is None:
        return await send_request(server, "POST", path, data=form)
    return await send_request(server, "PATCH", f"{path}/{message_id}", data=form)


async def send_request(
    server: DiscordServer, method: str, path: str, **sent: Any
) -> tuple[int, Any]:
    """Return status and error code, or the whole answer, of a request with the bot's token."""
    headers, url = {"Authorization": f"Bot {server.world.token}"}, f"{server.api}/api/v10{path}"
    async with (
        aiohttp.ClientSession(headers=headers) as session,
        session.request(method, url, **sent) as response,
    ):
        given = await response.json() if response.status != 204 else None
        assert not DESCRIPTION.exists() or check_answer(method, path, response.status, given) == []
        return response.status, given.get("code", given) if given else None
