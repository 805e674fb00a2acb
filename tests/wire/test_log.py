"""What stands in the log lets nobody act in the bot's name."""

import logging
import signal
from pathlib import Path

import pytest

from bot.logs import DatabaseComplaints, MaskingFormatter, shorten_traceback
from bot.platform.db.errors import StoreError
from bot.platform.ui.dispatch import REFERENCE
from tests.support.stored import build_challenge

from .discord_server import DiscordServer
from .tabula import WireHarness

pytestmark = pytest.mark.wire

SECRETS = ["the-bots-own"]


def format_line(message: str, *parts: object, error: BaseException | None = None) -> str:
    """A record as the log writes it."""
    trace = (type(error), error, None) if error else None
    record = logging.LogRecord("discord.http", logging.DEBUG, __file__, 1, message, parts, trace)
    return MaskingFormatter(logging.Formatter("{message}", style="{"), SECRETS).format(record)


@pytest.mark.parametrize(
    ("message", "parts", "written"),
    [
        (
            "%s %s with %s has returned %s",
            (
                "POST",
                (
                    "https://discord.com/api/v10/interactions/17/aW50ZXI-_x/callback"
                    "?with_response=true"
                ),
                {},
                200,
            ),
            (
                "POST https://discord.com/api/v10/interactions/17/***/callback?with_response=true "
                "with {} has returned 200"
            ),
        ),
        (
            "%s %s has received %s",
            ("PATCH", "/webhooks/42/aW50ZXI-_x/messages/@original", "x"),
            "PATCH /webhooks/42/***/messages/@original has received x",
        ),
        (
            "%s",
            ("https://discord.com/api/v10/webhooks/42/aW50ZXI?wait=true",),
            "https://discord.com/api/v10/webhooks/42/***?wait=true",
        ),
        (
            "WebSocket Event: %s",
            ({"d": {"token": "aW50", "id": "17"}},),
            "WebSocket Event: {'d': {'token': '***', 'id': '17'}}",
        ),
        (
            "%s",
            ('{"op":2,"d":{"token":"of-another","intents":1}}',),
            '{"op":2,"d":{"token":"***","intents":1}}',
        ),
        ("Authorization: Bot %s", ("the-bots-own",), "Authorization: Bot ***"),
        ("a token of %s", ("gratitude, at /webhooks/",), "a token of gratitude, at /webhooks/"),
    ],
)
def test_tokens_are_masked_and_nothing_else(
    message: str, parts: tuple[object, ...], written: str
) -> None:
    assert format_line(message, *parts) == written


def test_tracebacks_are_masked_too() -> None:
    text = format_line(
        "failed", error=OSError("cannot reach /interactions/17/aW50ZXI/callback with the-bots-own")
    )
    assert text.endswith("OSError: cannot reach /interactions/17/***/callback with ***")


def test_a_gateway_out_of_reach_is_one_line_each_time() -> None:
    error = OSError("cannot connect")
    record = logging.LogRecord(
        "discord.shard",
        logging.ERROR,
        __file__,
        1,
        "Attempting a reconnect in %.2fs",
        (1.5,),
        (OSError, error, None),
    )
    assert shorten_traceback(record)
    assert (
        logging.Formatter("{message}", style="{").format(record)
        == "Attempting a reconnect in 1.50s: cannot connect"
    )


def test_a_database_that_is_away_is_complained_of_once_a_minute() -> None:
    now = 0.0
    passes = DatabaseComplaints(lambda: now).filter

    def build_record(message: str, *parts: object) -> logging.LogRecord:
        return logging.LogRecord("bot", logging.WARNING, __file__, 1, message, parts, None)

    away = StoreError("tabula.sqlite3 has no room left on its disk")
    beat = build_record("could not save the heartbeat: %s", away)
    assert [passes(beat), passes(beat)] == [True, False]
    # Another kind of line, what is no matter of the database, and what somebody was shown.
    assert passes(build_record("could not do job %d: %s", 3, away))
    assert not passes(build_record("could not do job %d: %s", 4, away))
    assert passes(build_record("could not save the heartbeat: %s", OSError("no network")))
    shown = build_record("error %s: %s", "3fa90c", away)
    setattr(shown, REFERENCE, "3fa90c")
    assert [passes(shown), passes(shown)] == [True, True]
    now = 59.9
    assert not passes(beat)
    now = 60.0
    assert [passes(beat), passes(beat)] == [True, False]


@pytest.mark.asyncio
async def test_a_match_logged_in_full_shows_no_token(tmp_path: Path) -> None:
    async with await DiscordServer.start(token="the-bots-own-token") as server:
        wire = WireHarness(
            server, tmp_path / "tabula.sqlite3", server.get_person("ana"), server.get_person("ben")
        )
        with (tmp_path / "log").open("wb") as log:
            async with wire.start_bot(stderr=log.fileno(), TABULA_LOG_LEVEL="DEBUG") as process:
                await wire.begin_match("twelve-dogs")
                await wire.play(3)
                process.send_signal(signal.SIGTERM)
                await process.wait()
        text = (tmp_path / "log").read_text(encoding="utf-8")
        tokens = [interaction.token for interaction in server.world.interactions.values()]
    assert len(tokens) >= 5
    assert [token for token in (*tokens, "the-bots-own-token") if token in text] == []
    for interaction in server.world.interactions.values():
        assert f"/interactions/{interaction.id}/***/callback" in text
    assert "'token': '***'" in text


def test_what_is_kept_shows_no_secret() -> None:
    text = repr(build_challenge(secret=b"not to be seen, 32 bytes long...")) + repr(
        format_line("%s", build_challenge(secret=b"not to be seen"))
    )
    assert "c0ffee" in text
    assert "not to be seen" not in text
