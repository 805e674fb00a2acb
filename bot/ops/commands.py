"""Commands for those who run the bot: `tabula doctor | backup | restore | ...`."""

import argparse
import asyncio
import glob
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from bot import client
from bot.files import is_exposed, parse_path
from bot.ops.copies import CopyCheck, UnsoundCopyError, make_backup, move_to_server, restore_backup
from bot.ops.doctor import DoctorOptions, RepairMode, examine_and_repair
from bot.ops.forgetting import list_deletion_files, repeat_deletions
from bot.platform.db.address import get_file_path, parse_address
from bot.settings import (
    SettingsError,
    StorageSettings,
    find_exposure,
    find_unknown_names,
    load_doctor_settings,
    load_storage_settings,
)
from bot.store import StoreError, generate_seal_key
from engine.folding import fold_text

DISCORD_LEFT_OUT = (
    "TABULA_TOKEN is not set, so channels, permissions and the clock are not checked with Discord; "
    "everything else is."
)
GENTLE_NICENESS = 10
"""By how much a copy that is made gently leaves the processor to others."""


class CommandRegistry(Protocol):
    """Where commands are added to the command line."""

    # argparse's own names.
    def add_parser(self, name: str, *, help: str) -> argparse.ArgumentParser:  # noqa: A002
        """Add one."""
        ...


def add_admin_commands(commands: CommandRegistry) -> None:
    """Add the commands for those who run the bot."""
    look = commands.add_parser(
        "doctor", help="check the database, the settings and Discord for problems"
    )
    look.add_argument("--offline", action="store_true", help="do not contact Discord")
    look.add_argument(
        "--repair",
        action="store_true",
        help="repair what can be repaired, after showing what will be done",
    )
    look.add_argument("--yes", action="store_true", help="repair without asking")
    look.set_defaults(run=lambda arguments: asyncio.run(_handle_doctor(arguments)))
    copy = commands.add_parser(
        "backup", help="back up the database while the bot runs, and check the backup"
    )
    copy.add_argument("file", type=parse_path)
    copy.add_argument("--gently", action="store_true", help="run at low priority")
    copy.set_defaults(run=lambda arguments: asyncio.run(_handle_backup(arguments)))
    back = commands.add_parser("restore", help="check a backup, and restore it as the database")
    back.add_argument("file", type=parse_path)
    back.add_argument(
        "--replace",
        action="store_true",
        help="replace a database that is not empty, and keep it aside",
    )
    back.add_argument(
        "--unsound", action="store_true", help="restore a backup even if it fails the checks"
    )
    back.add_argument(
        "--deletions",
        type=parse_path,
        action="append",
        default=[],
        metavar="FILE",
        help="a further list of deletions to repeat",
    )
    back.set_defaults(run=lambda arguments: asyncio.run(_handle_restore(arguments)))
    forget = commands.add_parser(
        "forget", help="repeat the deletions that a database restored by other means lacks"
    )
    forget.add_argument("file", type=parse_path, nargs="*", help="a list of deletions")
    forget.set_defaults(run=lambda arguments: asyncio.run(_handle_forget(arguments.file)))
    over = commands.add_parser(
        "move-to", help="move the SQLite database to PostgreSQL, and check it"
    )
    over.add_argument("target", metavar="postgresql://USER:PASSWORD@HOST/NAME")
    over.set_defaults(run=lambda arguments: asyncio.run(_handle_move(arguments.target)))
    key = commands.add_parser(
        "key", help="create a key for TABULA_SEAL, which seals the dice of matches in progress"
    )
    key.set_defaults(run=lambda _: print(generate_seal_key()))  # noqa: T201


async def _handle_doctor(arguments: argparse.Namespace) -> None:
    complaints = [f"{name} is not a known setting" for name in find_unknown_names()]
    if exposure := find_exposure():
        complaints.append(exposure)
    token = pages = copies = None
    try:
        settings = load_doctor_settings()
    except SettingsError as error:
        # One finding more: whatever is wrong with the settings, the database is examined.
        complaints.append(str(error))
    else:
        pages = settings.pages and settings.pages.absolute()
        copies = settings.copies and settings.copies.absolute()
        if settings.discord_api:
            client.use_api_at(settings.discord_api)
        if arguments.offline:
            pass
        elif settings.token:
            token = settings.token.get_secret_value()
        else:
            print(DISCORD_LEFT_OUT)  # noqa: T201
    place = load_storage_settings()
    complaints.extend(_find_exposed_files(place, copies))
    order = DoctorOptions(
        place.database,
        token,
        client.now_ms,
        complaints,
        _choose_repair(arguments),
        place.keys,
        pages,
    )
    if not await examine_and_repair(order, print, _ask_to_confirm):
        sys.exit(1)


def _find_exposed_files(place: StorageSettings, copies: Path | None) -> list[str]:
    """Return a sentence for each file of the database, its copies and lists that others can read.

    The bot makes each for its owner alone, but a copy by hand or another program may widen that.
    """
    try:
        database = get_file_path(parse_address(place.database))
    except StoreError:
        # Whoever examines the database says so.
        return []
    files = set(list_deletion_files(place.database, place.deletions, copies))
    if database is not None:
        # With its log, and what a migration or a restore keeps beside it.
        files |= {database, *database.parent.glob(f"{glob.escape(database.name)}[.-]*")}
    if copies is not None:
        files |= set(copies.glob("*"))
    return [
        f"other users of this machine can read {file}; run `chmod 600 {file}`"
        for file in sorted(files)
        if file.is_file() and is_exposed(file)
    ]


def _choose_repair(arguments: argparse.Namespace) -> RepairMode:
    if not arguments.repair:
        return RepairMode.NOT
    return RepairMode.AT_ONCE if arguments.yes else RepairMode.ASK_FIRST


def _ask_to_confirm(question: str) -> bool:
    """Ask for a yes; where nobody can answer that is a no."""
    try:
        return fold_text(input(f"{question} [y/N] ")) in ("y", "yes")
    except EOFError:
        return False


async def _handle_backup(arguments: argparse.Namespace) -> None:
    # Windows knows no niceness.
    if arguments.gently and hasattr(os, "nice"):
        os.nice(GENTLE_NICENESS)
    place = load_storage_settings()
    checked = await make_backup(place.database, arguments.file, client.now_ms, place.keys)
    _require_sound(
        checked,
        f"the backup {arguments.file} is made, but fails the checks; run `tabula doctor`",
    )
    print(f"Backed up to {arguments.file}: {checked.gone}.")  # noqa: T201


async def _handle_restore(arguments: argparse.Namespace) -> None:
    place = load_storage_settings()
    how = {
        "replace": arguments.replace,
        "unsound": arguments.unsound,
        # The folder of the backups has a list of its own.
        "deletions": [
            *list_deletion_files(place.database, place.deletions, arguments.file.parent),
            *_require_files(arguments.deletions),
        ],
    }
    try:
        restored = await restore_backup(
            arguments.file, place.database, client.now_ms, place.keys, **how
        )
    except UnsoundCopyError as error:
        _require_sound(
            error.checked,
            f"{arguments.file} fails the checks and was not restored; use --unsound to restore it "
            "anyway",
        )
        raise
    if restored.aside:
        print(f"The previous database is now {restored.aside}.")  # noqa: T201
    _require_sound(
        restored.checked,
        f"{arguments.file} is restored, but fails the checks; run `tabula doctor`",
    )
    print(f"Restored from {arguments.file}: {restored.checked.gone}.")  # noqa: T201
    _report_deletions(restored.repeated)


async def _handle_forget(files: Sequence[Path]) -> None:
    place = load_storage_settings()
    listed = [*list_deletion_files(place.database, place.deletions), *_require_files(files)]
    _report_deletions(
        await repeat_deletions(place.database, listed, client.now_ms, place.keys), always=True
    )


def _require_files(files: Sequence[Path]) -> Sequence[Path]:
    """Return files that somebody has named; raises ValueError for one that is not there."""
    for file in files:
        if not file.is_file():
            raise ValueError(f"there is no file {file}")
    return files


def _report_deletions(count: int, *, always: bool = False) -> None:
    if count or always:
        print(f"Deletions repeated: {count}.")  # noqa: T201


async def _handle_move(target: str) -> None:
    place = load_storage_settings()
    checked = await move_to_server(place.database, target, client.now_ms, place.keys)
    _require_sound(
        checked, "everything is moved, but the database fails the checks; run `tabula doctor`"
    )
    print(f"Moved with every row intact: {checked.gone}.")  # noqa: T201
    print("Set TABULA_DATABASE to the new address. The old file is unchanged.")  # noqa: T201


def _require_sound(checked: CopyCheck, otherwise: str) -> None:
    """Print what is wrong, and end the program with that sentence where anything is."""
    for sentence in checked.wrong:
        print(sentence)  # noqa: T201
    if checked.wrong:
        sys.exit(f"tabula: {otherwise}")
