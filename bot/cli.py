"""The command line.

It is `tabula run | play | engine | meet | verify | print | doctor | backup | restore | move-to |
publish`.
"""

import argparse
import asyncio
import contextlib
import gc
import io
import logging
import os
import re
import shlex
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import date
from functools import partial
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import discord

from bot import client, logs
from bot.client import Tabula
from bot.features.matches.record import format_record_check, verify_record
from bot.features.pages.writer import PageWriter
from bot.features.printing.document import PrintTerms, name_print_file, print_game
from bot.features.printing.sheet_layout import PaperName, PrintSize
from bot.features.privacy.deletion_log import DeletionLog
from bot.features.reports.idle_analysis import LeisureAnalysis
from bot.ops.checked_backups import BackupPlan, NightlyBackups, list_deletion_files
from bot.ops.commands import NOWHERE_LISTED, add_admin_commands, end_without_secret
from bot.ops.discord_checks import REFUSAL_ADVICE
from bot.ops.endpoint import Endpoint, build_measures
from bot.ops.outputs import resolve_output
from bot.platform.context import Measures
from bot.platform.db.errors import StoreError, UnusableDatabaseError
from bot.platform.db.shards import ALL_SHARDS, Shards
from bot.platform.db.store import Store
from bot.platform.db.tables import now_ms
from bot.platform.extras import advise_installation
from bot.platform.i18n.common import use_plain_hyphens
from bot.platform.i18n.reader import Reader, list_languages, load_reader
from bot.platform.i18n.refusals import build_sentence_formatter, explain_refusal
from bot.platform.workers import prepare_workers
from bot.settings import (
    Settings,
    SettingsError,
    find_log_format,
    find_setting_problems,
    load_settings,
    load_table_settings,
    parse_path,
    read_text,
)
from engine.dice import COMMITMENT_DIGITS
from engine.games import find_game
from engine.players.files import use_folder
from engine.players.level import Level
from engine.protocol import REQUESTS, serve_lines
from engine.refusal import Refusal
from engine.strict_json import parse_json
from render.theme import load_themes

if TYPE_CHECKING:
    from bot.meeting import MeetingPlan

log = logging.getLogger(__name__)

PEOPLE = "ana,ben,cyn,dan"
"""Who is in the playground: enough for a match of two against two."""
PDF_BEGINNING = b"%PDF-"
"""How every PDF begins."""
COLLECTOR_THRESHOLDS = 5_000, 10, 10
"""New objects after which Python looks for cycles, and how many such looks make a longer one.

By its defaults, 700, 10 and 10, that took a tenth of a busy bot's processor time, and a fifth of a
second at once where it went through all that is loaded.
"""
EX_CONFIG = 78
"""The exit status where no restart helps until somebody changes something.

It is that of sysexits.h for an error of configuration; deploy/tabula.service knows it.
"""
NO_LONGER_ACCEPTED, INTENTS_NOT_ALLOWED = 4004, 4014
"""Close codes after which Discord accepts no new connection.

Source: docs.discord.com, "Opcodes and Status Codes".
"""


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command line; a failure is one sentence on standard error, and exit status 1."""
    arguments = _build_parser().parse_args(argv)
    run: Callable[[argparse.Namespace], None] = arguments.run
    try:
        run(arguments)
        if sys.stdout is not None:
            # Not as the interpreter ends, which would print how it failed.
            sys.stdout.flush()
    except BrokenPipeError:
        # Who reads the output, such as `head`, has seen enough. As shells count: SIGPIPE.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.exit(141)
    except (SettingsError, StoreError, OSError, ValueError) as error:
        sys.exit(f"tabula: {error}")
    except KeyboardInterrupt:
        # As shells count: 128 and the number of the signal, here SIGINT, below SIGTERM.
        sys.exit(130)
    except asyncio.CancelledError:
        sys.exit(143)


def _wait_for_stop() -> None:
    """Wait for the signal that stops services.

    What restarts whatever ends, as most that run containers do, would log in to Discord again and
    again, which counts its logins by the day.
    """
    with contextlib.suppress(KeyboardInterrupt):
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        threading.Event().wait()


def _build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="tabula", description="Historical games of tables on Discord."
    )
    parser.add_argument("--version", action="version", version=f"Tabula {version('tabula')}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    run = commands.add_parser("run", help="run the bot, with settings from TABULA_* or .env")
    run.add_argument(
        "--shards",
        default=str(ALL_SHARDS),
        help="the Discord shards to serve, such as 0-3/16 (default: all)",
    )
    run.add_argument(
        "--stay",
        action="store_true",
        help="where no restart helps, wait to be stopped (for containers)",
    )
    run.set_defaults(run=_handle_run)
    play = commands.add_parser("play", help="try the bot in the browser, without a token")
    play.add_argument("--port", type=int, default=8765, help="port of the page (default: 8765)")
    play.add_argument(
        "--people", default=PEOPLE, help=f"the people in the channel (default: {PEOPLE})"
    )
    play.add_argument("--fresh", action="store_true", help="start with an empty database")
    play.add_argument(
        "--no-browser", action="store_true", help="print the address without opening a browser"
    )
    play.set_defaults(run=_handle_play)
    engine = commands.add_parser(
        "engine", help="answer JSON requests on standard input, one on each line"
    )
    engine.set_defaults(run=lambda _: _handle_engine())
    _add_meet_command(commands)
    check = commands.add_parser("verify", help="verify the dice and moves in the record of a match")
    check.add_argument("file", type=parse_path)
    check.add_argument(
        "--commitment",
        metavar="DIGITS",
        help="the 64 digits that were posted before the match, to compare with the record's",
    )
    check.set_defaults(run=lambda arguments: _handle_verify(arguments.file, arguments.commitment))
    _add_print_command(commands)
    add_admin_commands(commands)
    return parser


def _add_meet_command(commands: Any) -> None:  # noqa: ANN401 - argparse keeps the type private
    meeting = commands.add_parser(
        "meet",
        help="let a computer player meet a program of yours (docs/players.md)",
    )
    meeting.add_argument("game", metavar="GAME", help="a game's name, such as zeno")
    meeting.add_argument("program", metavar="COMMAND", help="such as 'python my_player.py'")
    meeting.add_argument(
        "--level",
        type=Level,
        choices=list(Level),
        default=Level.COMPANION,
        help="how the computer player plays (default: companion)",
    )
    meeting.add_argument(
        "--no-tables", action="store_true", help="let a master go by the net in solved games too"
    )
    meeting.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a house rule, such as goal=off (default: the usual rules)",
    )
    meeting.add_argument("--games", type=int, default=100, help="how many (default: 100)")
    meeting.add_argument("--seed", type=int, default=1, help="of the dice (default: 1)")
    meeting.add_argument(
        "--timeout",
        type=float,
        default=60,
        metavar="SECONDS",
        help="how long the program may take for an answer (default: 60)",
    )
    meeting.set_defaults(run=_handle_meet)


def _add_print_command(commands: Any) -> None:  # noqa: ANN401 - argparse keeps the type private
    printing = commands.add_parser(
        "print", help="write a game's board, rules, men and dice as a PDF to print"
    )
    printing.add_argument("game", metavar="GAME", help="a game's name, such as zeno")
    printing.add_argument(
        "--paper",
        type=PaperName,
        choices=list(PaperName),
        default=PaperName.A4,
        help="the paper (default: a4)",
    )
    printing.add_argument(
        "--size",
        type=PrintSize,
        choices=list(PrintSize),
        default=PrintSize.SMALL,
        help="small: one sheet, men of 15 mm; large: up to four, 25 mm (default: small)",
    )
    looks = printing.add_mutually_exclusive_group()
    looks.add_argument(
        "--theme", choices=list(load_themes()), help="how the board looks (default: what suits it)"
    )
    looks.add_argument(
        "--plain", action="store_true", help="print in black and white, with little ink"
    )
    printing.add_argument(
        "--language", default="en", choices=list(list_languages()), help="such as de (default: en)"
    )
    printing.add_argument(
        "-o",
        "--output",
        type=parse_path,
        metavar="FILE",
        help="the file to write (default: GAME-PAPER.pdf)",
    )
    printing.set_defaults(run=_handle_print)


def _handle_run(arguments: argparse.Namespace) -> None:
    """Run the bot; the exit status is 78 where no restart helps."""
    try:
        _run(arguments)
    except (SettingsError, UnusableDatabaseError) as error:
        print(logs.format_fatal(error, find_log_format()), file=sys.stderr)  # noqa: T201
        if arguments.stay:
            _wait_for_stop()
        sys.exit(EX_CONFIG)
    except (StoreError, OSError, ValueError) as error:
        sys.exit(logs.format_fatal(error, find_log_format()))


def _run(arguments: argparse.Namespace) -> None:
    try:
        settings, shards = load_settings(), Shards.parse(arguments.shards)
        complaints = find_setting_problems()
    except ValueError as error:
        raise SettingsError(str(error)) from None
    token = settings.token.get_secret_value()
    logs.configure_logging(settings.log_level, [token, *settings.keys], settings.log_format)
    for complaint in complaints:
        log.warning("%s", complaint)
    asyncio.run(_run_bot(settings, shards))


async def _run_bot(settings: Settings, shards: Shards) -> None:
    token = settings.token.get_secret_value()
    if settings.discord_api:
        client.use_api_at(settings.discord_api)
    if settings.tables:
        prepare_workers(partial(use_folder, settings.tables.absolute()))
    _stop_on_sigterm()
    opening = Store.open(settings.database, settings.keys, shards)
    notes = build_measures() if settings.health else Measures()
    async with await opening as store:
        health = f", health on {settings.health}" if settings.health else ""
        log.info("Tabula %s, %s%s", version("tabula"), store.describe(), health)
        store.observe_saves(notes.record_save)
        # Any job or answer may find the damage; this ends the whole run, and the last
        # clause below says why.
        store.on_damage(_get_current_task().cancel)
        bot = Tabula(
            store,
            guild=settings.guild,
            clock=store.clock,
            steady=client.monotonic_ms,
            measures=notes,
        )
        # Nothing is thrown without a secret, also where `tabula key --lost` was stopped half-way.
        await end_without_secret(bot.app, await store.find_dropped_secrets())
        bot.app.get_part(LeisureAnalysis).start()
        bot.app.set_part(DeletionLog, _build_deletion_log(settings))
        try:
            async with (
                bot,
                _build_nightly_copies(settings, shards),
                _build_endpoint(settings, bot),
                _build_page_writer(settings, bot),
            ):
                _spare_collector()
                await bot.start(token)
        except discord.LoginFailure:
            raise SettingsError(REFUSAL_ADVICE) from None
        except discord.PrivilegedIntentsRequired:
            raise SettingsError(_explain_close(INTENTS_NOT_ALLOWED)) from None
        except discord.ConnectionClosed as error:
            raise SettingsError(_explain_close(error.code)) from None
        except asyncio.CancelledError:
            if store.damage:
                raise store.damage from None
            raise


def _spare_collector() -> None:
    """Let Python's search for cycles leave out what is loaded for good, and come less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTOR_THRESHOLDS)


def _explain_close(code: int) -> str:
    """Say why Discord closed the connection for good."""
    if code == NO_LONGER_ACCEPTED:
        return REFUSAL_ADVICE
    if code == INTENTS_NOT_ALLOWED:
        return (
            "Discord does not allow this application its gateway intents; "
            "see the application's page"
        )
    return f"Discord closed the connection permanently with code {code}"


def _build_endpoint(settings: Settings, bot: Tabula) -> AbstractAsyncContextManager[None]:
    """Say how the bot does for as long as it runs, where a place is given for that."""
    if settings.health is None:
        return contextlib.nullcontext()
    # From the right, since an IPv6 address in brackets has colons of its own.
    host, _, port = settings.health.rpartition(":")
    return Endpoint(host.strip("[]"), int(port), bot, settings.copies)


def _build_deletion_log(settings: Settings) -> DeletionLog:
    """List deletions where a restored backup finds them."""
    folder = settings.copies.absolute() if settings.copies else None
    files = list_deletion_files(settings.database, settings.deletions, folder)
    if not files:
        log.warning("%s", NOWHERE_LISTED)
    return DeletionLog(files)


def _build_nightly_copies(settings: Settings, shards: Shards) -> AbstractAsyncContextManager[None]:
    """Make the nightly copies for as long as the bot runs, where a folder is given for them."""
    if settings.copies is None or shards.first > 0:
        # Of several processes at one database the first makes them for all.
        return contextlib.nullcontext()
    plan = BackupPlan(
        settings.database, settings.copies.absolute(), settings.copies_kept, settings.copies_at
    )
    return NightlyBackups(plan, now_ms)


def _build_page_writer(settings: Settings, bot: Tabula) -> AbstractAsyncContextManager[None]:
    """Write public pages for as long as the bot runs, where a folder is given for them."""
    if settings.pages is None:
        return contextlib.nullcontext()
    return PageWriter(bot, settings.pages.absolute())


def _get_current_task() -> asyncio.Task[Any]:
    running = asyncio.current_task()
    assert running is not None
    return running


def _stop_on_sigterm() -> None:
    """End the program in good order on the signal that stops services, as on Ctrl-C."""
    running = _get_current_task()

    def end() -> None:
        log.info("shutting down; finishing what is in progress first")
        running.cancel()

    # Windows has no such signals.
    with contextlib.suppress(NotImplementedError):
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, end)


def _handle_play(arguments: argparse.Namespace) -> None:
    try:
        from bot.playground import serve_playground
    except ModuleNotFoundError as missing:
        raise SettingsError(
            f"the playground needs {missing.name}; {advise_installation('play')}"
        ) from None
    people = [name.strip() for name in arguments.people.split(",") if name.strip()]

    async def play() -> None:
        _stop_on_sigterm()
        await serve_playground(
            people, arguments.port, fresh=arguments.fresh, browser=not arguments.no_browser
        )

    asyncio.run(play())


def _handle_engine() -> None:
    # The players bring numpy, which the bot itself does without.
    from engine.players.requests import PLAYERS

    _use_own_tables()
    assert isinstance(sys.stdin, io.TextIOWrapper)
    # Bytes that are no text are for the protocol to refuse, like any other line.
    sys.stdin.reconfigure(encoding="utf-8-sig", errors="surrogateescape")
    requests = {**REQUESTS, **PLAYERS}
    for answer in serve_lines(
        sys.stdin, time.perf_counter, build_sentence_formatter(Reader.ENGLISH), requests
    ):
        print(answer, flush=True)  # noqa: T201 - the protocol's output


def _use_own_tables() -> None:
    """Look for tables of solved games where the settings say."""
    if folder := load_table_settings().tables:
        use_folder(folder.absolute())


def _handle_meet(arguments: argparse.Namespace) -> None:
    # It brings numpy as well.
    from bot.meeting import MeetingResult, format_results, play_games

    _use_own_tables()
    plan = _build_meeting_plan(arguments)
    results: list[MeetingResult] = []

    async def meet() -> None:
        # Else the program would be left to itself.
        _stop_on_sigterm()
        async for result in play_games(plan):
            results.append(result)
            if sys.stderr.isatty():
                print(f"\r{len(results)} games", end="", file=sys.stderr, flush=True)  # noqa: T201

    try:
        asyncio.run(meet())
    finally:
        # What was played counts, also where the program failed or somebody has had enough.
        if results:
            if sys.stderr.isatty():
                print(file=sys.stderr)  # noqa: T201
            facts = f"{date.today()}, Tabula {version('tabula')}"  # noqa: DTZ011 - the reader's day
            print(format_results(plan, results, facts))  # noqa: T201


def _build_meeting_plan(arguments: argparse.Namespace) -> "MeetingPlan":
    from bot.meeting import MeetingPlan

    command = shlex.split(arguments.program, posix=os.name == "posix")
    options = dict(each.partition("=")[::2] for each in arguments.option)
    try:
        game = find_game(arguments.game)
        rules = game.resolve_rules(options)
    except Refusal as refusal:
        raise ValueError(explain_refusal(Reader.ENGLISH, refusal)) from None
    if rules.players > 1:
        raise ValueError("a program plays a side alone; leave out the option of teams")
    if not command or arguments.games < 1 or not arguments.timeout > 0:
        raise ValueError("give a command, one game or more, and more than no time for an answer")
    return MeetingPlan(
        game,
        options,
        command,
        arguments.level,
        not arguments.no_tables,
        arguments.games,
        arguments.seed,
        arguments.timeout,
    )


def _handle_print(arguments: argparse.Namespace) -> None:
    try:
        game = find_game(arguments.game)
    except Refusal as refusal:
        raise ValueError(explain_refusal(Reader.ENGLISH, refusal)) from None
    terms = PrintTerms(
        arguments.paper,
        arguments.size,
        load_themes()[arguments.theme] if arguments.theme else None,
        arguments.plain,
    )
    file = arguments.output or Path(name_print_file(game, terms))
    place = resolve_output(file, PDF_BEGINNING, "is no PDF; give another name")
    printed = print_game(load_reader(arguments.language), game, terms)
    # Beside its place, so that a disk that is full leaves an earlier one as it was.
    with TemporaryDirectory(prefix=f".{place.name}.", dir=place.parent) as folder:
        made = Path(folder, place.name)
        made.write_bytes(printed.content)
        made.replace(place)
    print(f"{file}: {printed.pages} sheets; print at 100%")  # noqa: T201


def _handle_verify(file: Path, posted: str | None) -> None:
    expected = None if posted is None else _parse_commitment(posted)
    text = read_text(file)
    try:
        record = parse_json(text)
    except (ValueError, RecursionError):
        raise ValueError(f"{file} is not a JSON file") from None
    try:
        found = verify_record(record)
    except Refusal as refusal:
        raise ValueError(
            f"not a record of a match: {explain_refusal(Reader.ENGLISH, refusal)}"
        ) from None
    sentence = use_plain_hyphens(format_record_check(Reader.ENGLISH, found))
    if found.wrong:
        sys.exit(f"tabula: {sentence}")
    if expected is not None and expected != found.binding_digits:
        raise ValueError(
            f"the record's commitment is {found.binding_digits}, not the one that you gave"
        )
    print(sentence)  # noqa: T201
    if expected is not None:
        print("It is the commitment that you gave.")  # noqa: T201


def _parse_commitment(text: str) -> str:
    """Return the digits of a commitment as somebody copied them from a message.

    Raises ValueError for fewer than all of them: two secrets can be found that begin alike.
    """
    digits = "".join(text.replace("`", "").split()).lower()
    if not re.fullmatch(rf"[0-9a-f]{{{COMMITMENT_DIGITS}}}", digits):
        raise ValueError(
            f"a commitment has {COMMITMENT_DIGITS} hexadecimal digits; give all of them, "
            "since two secrets can be found whose commitments begin alike"
        )
    return digits
