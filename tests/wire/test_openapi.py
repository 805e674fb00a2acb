"""The gate lets pass what Discord takes and finds what it does not."""

from typing import Any

import pytest
import simcord

from .openapi import check_request, needs_description
from .sample_bot import SampleBot

pytestmark = needs_description

CALLBACK = "/interactions/1/token/callback"
MESSAGES = "/channels/1/messages"
ORIGINAL = "/webhooks/1/token/messages/@original"
COMMANDS = "/applications/1/commands"

GOOD: list[tuple[str, str, Any]] = [
    ("POST", MESSAGES, {"content": "gold throws 6 5", "tts": False}),
    ("POST", CALLBACK, {"type": 5}),
    ("POST", MESSAGES, {"content": "<@17>", "allowed_mentions": {"parse": [], "users": [17]}}),
    ("POST", CALLBACK, {"type": 8, "data": {"choices": [{"name": "a-f", "value": "a-f"}]}}),
    (
        "PATCH",
        ORIGINAL,
        {"attachments": [{"id": 0, "filename": "board.png", "description": "men on a and f"}]},
    ),
    ("PATCH", ORIGINAL, {"embeds": [{"title": "Zeno", "flags": 0}], "components": []}),
    (
        "PUT",
        COMMANDS,
        [{"name": "move", "description": "Move men.", "type": 1, "options": [], "nsfw": False}],
    ),
    ("GET", "/users/@me", None),
    ("DELETE", ORIGINAL, None),
]
BAD: list[tuple[str, str, Any, str]] = [
    ("POST", MESSAGES, {"content": "x" * 4001}, "content"),
    ("POST", MESSAGES, {"contents": "misspelt"}, "contents"),
    ("POST", MESSAGES, {"embeds": [{"title": "t"}] * 11}, "embeds"),
    (
        "POST",
        CALLBACK,
        {"type": 4, "data": {"components": [{"type": 1, "components": [{"type": 2}]}]}},
        "style",
    ),
    (
        "POST",
        CALLBACK,
        {"type": 8, "data": {"choices": [{"name": "n", "value": "v"}] * 26}},
        "choices",
    ),
    ("POST", CALLBACK, {"type": 77}, "77"),
    ("POST", MESSAGES, {"allowed_mentions": {"users": ["ana"]}}, "allowed_mentions.users"),
    ("POST", CALLBACK, None, "None"),
    ("PATCH", ORIGINAL, {"attachments": [{"filename": "board.png"}]}, "id"),
    ("PUT", COMMANDS, [{"name": "move", "description": "d" * 101, "type": 1}], "description"),
    ("GET", "/users/@me", {"content": "no"}, "takes no body"),
    ("POST", "/channels/1/nonsense", {}, "has no POST"),
]


@pytest.mark.parametrize(("method", "path", "body"), GOOD)
def test_what_discord_takes_passes(method: str, path: str, body: Any) -> None:
    assert check_request(method, path, body) == []


@pytest.mark.parametrize(("method", "path", "body", "named"), BAD)
def test_what_discord_refuses_is_found_and_named(
    method: str, path: str, body: Any, named: str
) -> None:
    problems = check_request(method, path, body)
    assert len(problems) == 1
    assert named in problems[0]


@pytest.mark.asyncio
async def test_gate_reads_what_simcord_recorded() -> None:
    async with simcord.run(SampleBot()) as env:
        channel = env.create_guild().create_text_channel("tables")
        await env.guild.add_member(env.create_user("ana")).slash(channel, "roll", pips=3)
        recorded = list(env.http_requests)
    assert [one.method for one in recorded] == ["GET", "PUT", "POST", "POST"]
    assert [
        problem for one in recorded for problem in check_request(one.method, one.path, one.json)
    ] == []
