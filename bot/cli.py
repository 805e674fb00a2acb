"""The command line: `tabula run | play | engine | verify | doctor | backup | restore | move-to`."""

import argparse
import asyncio
import contextlib
import io
import logging
import signal
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import discord

from bot import client, logs
from bot.app.measures import Measures
from bot.app.record import verify
from bot.chores import add_chores
from bot.client import Tabula
from bot.files import path_argument, read_text
from bot.settings import Settings, SettingsError, read_settings
from bot.store import ALONE, Shards, Store, StoreError
from bot.upkeep.endpoint import Endpoint, measures
from bot.upkeep.nightly import NightlyCopies, Plan
from bot.upkeep.reaching import NOT_ACCEPTED
from bot.words.protocol import speaker
from bot.words.reader import Reader
from bot.words.reasons import reason
from bot.words.record import verdict
from engine.protocol import REQUESTS, serve
from engine.refusal import Refusal
from engine.strict_json import read_json

log = logging.getLogger(__name__)

NO_LONGER_ACCEPTED, INTENTS_NOT_ALLOWED = 4004, 4014
"""Close codes after which Discord accepts no new connection.

Source: docs.discord.com, "Opcodes and Status Codes".
"""


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command line; a failure is one sentence on standard error, and exit status 1."""
    arguments = _parser().parse_args(argv)
    run: Callable[[argparse.Namespace], None] = arguments.run
    try:
        run(arguments)
    except (SettingsError, StoreError, OSError, ValueError) as error:
        sys.exit(f"tabula: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
    except asyncio.CancelledError:
        sys.exit(143)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="tabula", description="Historical games of tables on Discord."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    run = commands.add_parser("run", help="run the bot, with settings from TABULA_* or .env")
    run.add_argument(
        "--shards",
        default=str(ALONE),
        help="the Discord shards to serve, such as 0-3/16 (default: all)",
    )
    run.set_defaults(
        run=lambda arguments: asyncio.run(_run(read_settings(), Shards.read(arguments.shards)))
    )
    play = commands.add_parser("play", help="try the bot in the browser, without a token")
    play.add_argument("--port", type=int, default=8765, help="port of the page (default: 8765)")
    play.add_argument(
        "--people", default="ana,ben,cyn", help="the people in the channel (default: ana,ben,cyn)"
    )
    play.add_argument("--fresh", action="store_true", help="start with an empty database")
    play.add_argument(
        "--no-browser", action="store_true", help="print the address without opening a browser"
    )
    play.set_defaults(run=_play)
    engine = commands.add_parser(
        "engine", help="answer JSON requests on standard input, one on each line"
    )
    engine.set_defaults(run=lambda _: _engine())
    check = commands.add_parser("verify", help="verify the dice and moves in the record of a match")
    check.add_argument("file", type=path_argument)
    check.set_defaults(run=lambda arguments: _verify(arguments.file))
    add_chores(commands)
    return parser


async def _run(settings: Settings, shards: Shards) -> None:
    token = settings.token.get_secret_value()
    logs.set_up(settings.log_level, [token, *settings.keys], settings.log_format)
    if settings.discord_api:
        client.point_at(settings.discord_api)
    _end_on_request()
    opening = Store.open(settings.database, settings.keys, shards)
    notes = measures() if settings.health else Measures()
    async with await opening as store:
        store.watch(notes.saved)
        store.on_damage(_running().cancel)
        bot = Tabula(store, guild=settings.guild, steady=client.steady_ms, measures=notes)
        try:
            async with bot, _copies(settings, shards), _endpoint(settings, bot):
                await bot.start(token)
        except discord.LoginFailure:
            raise SettingsError(NOT_ACCEPTED) from None
        except discord.PrivilegedIntentsRequired:
            raise SettingsError(_closed(INTENTS_NOT_ALLOWED)) from None
        except discord.ConnectionClosed as error:
            raise SettingsError(_closed(error.code)) from None
        except asyncio.CancelledError:
            if store.damage:
                raise store.damage from None
            raise


def _closed(code: int) -> str:
    """Say why Discord closed the connection for good."""
    if code == NO_LONGER_ACCEPTED:
        return NOT_ACCEPTED
    if code == INTENTS_NOT_ALLOWED:
        return (
            "Discord does not allow this application its gateway intents; "
            "see the application's page"
        )
    return f"Discord closed the connection permanently with code {code}"


def _endpoint(settings: Settings, bot: Tabula) -> AbstractAsyncContextManager[None]:
    """Tell how the bot does for as long as it runs, where a place is given for that."""
    if settings.health is None:
        return contextlib.nullcontext()
    host, _, port = settings.health.rpartition(":")
    return Endpoint(host.strip("[]"), int(port), bot)


def _copies(settings: Settings, shards: Shards) -> AbstractAsyncContextManager[None]:
    """Make the nightly copies for as long as the bot runs, where a folder is given for them."""
    if settings.copies is None or shards.first > 0:
        # Of several processes at one database the first makes them for all.
        return contextlib.nullcontext()
    plan = Plan(
        settings.database, settings.copies.absolute(), settings.copies_kept, settings.copies_at
    )
    return NightlyCopies(plan, client.now_ms)


def _running() -> asyncio.Task[Any]:
    running = asyncio.current_task()
    assert running is not None
    return running


def _end_on_request() -> None:
    """End the program in good order on the signal that stops services, as on Ctrl-C."""
    running = _running()

    def end() -> None:
        log.info("told to end; what is under way is finished first")
        running.cancel()

    # Windows has no such signals.
    with contextlib.suppress(NotImplementedError):
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, end)


def _play(arguments: argparse.Namespace) -> None:
    try:
        from bot.playground import playground
    except ModuleNotFoundError as missing:
        raise SettingsError(
            f"the playground needs {missing.name}; `make play` installs it"
        ) from None
    people = [name.strip() for name in arguments.people.split(",") if name.strip()]

    async def play() -> None:
        _end_on_request()
        await playground(
            people, arguments.port, fresh=arguments.fresh, browser=not arguments.no_browser
        )

    asyncio.run(play())


def _engine() -> None:
    # The players bring numpy, which the bot itself does without.
    from engine.players.requests import PLAYERS

    assert isinstance(sys.stdin, io.TextIOWrapper)
    # Bytes that are no text are for the protocol to refuse, like any other line.
    sys.stdin.reconfigure(encoding="utf-8-sig", errors="surrogateescape")
    requests = {**REQUESTS, **PLAYERS}
    for answer in serve(sys.stdin, time.perf_counter, speaker(Reader.ENGLISH), requests):
        print(answer, flush=True)  # noqa: T201 - the protocol's output


def _verify(file: Path) -> None:
    text = read_text(file)
    try:
        record = read_json(text)
    except (ValueError, RecursionError):
        raise ValueError(f"{file} is not a JSON file") from None
    try:
        found = verify(record)
    except Refusal as refusal:
        raise ValueError(f"not a record of a match: {reason(Reader.ENGLISH, refusal)}") from None
    if found.wrong:
        sys.exit(f"tabula: {verdict(Reader.ENGLISH, found)}")
    print(verdict(Reader.ENGLISH, found))  # noqa: T201
