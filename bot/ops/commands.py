"""Commands for those who run the bot: `tabula doctor | backup | restore | ...`."""

import argparse
import asyncio
import glob
import os
import secrets
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Protocol

from bot import client
from bot.features.challenges.service import withdraw_for
from bot.features.challenges.store import Challenges
from bot.features.matches.service import Action, apply_action
from bot.features.privacy.deletion_log import Deletion, DeletionLog
from bot.features.privacy.service import erase_everywhere
from bot.ops.checked_backups import (
    CopyCheck,
    UnsoundCopyError,
    create_backup,
    list_deletion_files,
    move_to_server,
    note_other_restore,
    restore_backup,
)
from bot.ops.doctor import DoctorOptions, RepairMode, examine_and_repair
from bot.ops.publishing import publish_matches
from bot.platform.context import App
from bot.platform.db.address import get_file_path, parse_address
from bot.platform.db.backups import back_up_database, is_in_use
from bot.platform.db.copies import require_free_path
from bot.platform.db.errors import StoreError
from bot.platform.db.sealing import LostSecrets, generate_seal_key
from bot.platform.db.store import Store
from bot.platform.db.tables import now_ms
from bot.platform.i18n.reader import DeclinedError
from bot.platform.people import CLOCK
from bot.platform.ui.controls import MAX_NUMBER
from bot.settings import (
    FILE,
    SettingsError,
    StorageSettings,
    find_setting_problems,
    is_exposed,
    load_doctor_settings,
    load_storage_settings,
    parse_path,
    read_text,
)
from engine.events import Annulled
from engine.folding import fold_text

DISCORD_LEFT_OUT = (
    "TABULA_TOKEN is not set, so channels, permissions and the clock are not checked with Discord; "
    "everything else is."
)
NOWHERE_LISTED = (
    "deletions are listed nowhere, so a restored backup brings deleted data back; "
    "set TABULA_DELETIONS to a file"
)
TARGET_ADVICE = (
    "set TABULA_MOVE_TO to the address, or give --target-file a file that holds it (- for standard "
    "input)"
)
OWN_ENDINGS = ("-wal", "-shm", "-journal", ".lock", ".sum")
"""How the names of files end that lie beside a database file and belong to it."""
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
        "forget",
        help="after a restore by other means, repeat deletions and ask for consents again; or "
        "delete one person's data",
    )
    forgotten = forget.add_mutually_exclusive_group()
    forgotten.add_argument(
        "file", type=parse_path, nargs="*", default=[], help="a list of deletions to repeat"
    )
    forgotten.add_argument(
        "--person", type=_parse_person, metavar="ID", help="only delete the data of that person"
    )
    forget.set_defaults(run=lambda arguments: asyncio.run(_handle_forget(arguments)))
    over = commands.add_parser(
        "move-to", help="move the SQLite database to PostgreSQL, and check it"
    )
    target = over.add_mutually_exclusive_group()
    target.add_argument(
        "target",
        nargs="?",
        metavar="postgresql://USER@HOST/NAME",
        help="the database to move to, without a password (default: TABULA_MOVE_TO)",
    )
    target.add_argument(
        "--target-file",
        type=parse_path,
        metavar="FILE",
        help="a file that holds its address; - for standard input",
    )
    over.set_defaults(run=lambda arguments: asyncio.run(_handle_move(arguments)))
    publish = commands.add_parser(
        "publish",
        help="write the finished matches whose players all agreed into a file, under CC0",
    )
    publish.add_argument(
        "-o", "--output", type=parse_path, metavar="FILE", required=True, help="the file to write"
    )
    publish.add_argument(
        "--since",
        type=_parse_day,
        metavar="DAY",
        help="only matches that ended on that day (UTC) or later, such as 2026-03-01",
    )
    publish.set_defaults(run=lambda arguments: asyncio.run(_handle_publish(arguments)))
    key = commands.add_parser(
        "key", help="create a key for TABULA_SEAL, which seals the dice of matches in progress"
    )
    key.add_argument(
        "--lost",
        type=parse_path,
        metavar="FILE",
        help="go on without a lost key: back up to FILE, then annul what it sealed",
    )
    key.add_argument("--yes", action="store_true", help="with --lost, do not ask")
    key.set_defaults(run=_handle_key)


def _handle_key(arguments: argparse.Namespace) -> None:
    if arguments.lost is None:
        print(generate_seal_key())  # noqa: T201
    else:
        asyncio.run(_handle_lost_key(arguments.lost, confirmed=arguments.yes))


async def _handle_lost_key(backup: Path, *, confirmed: bool) -> None:
    place = load_storage_settings()
    async with await Store.open_read_only(place.database, place.keys) as store:
        lost, marks = await store.find_lost_secrets(), await store.count_marks()
        matches, challenges = await _list_to_end(store, lost)
    # What was dropped and goes on is of a command like this that was broken off.
    if not (lost.may_be_found or matches or challenges):
        print("The keys in TABULA_SEAL open everything; nothing is lost.")  # noqa: T201
        return
    # Before anything is asked.
    _require_backup_name(backup, place)
    require_free_path(backup)
    print("What no key in TABULA_SEAL opens:")  # noqa: T201
    for line in _describe_loss(lost, len(matches), len(challenges), marks):
        print(f"- {line}")  # noqa: T201
    print(f"Everything else stays. First, a backup is made as {backup}.")  # noqa: T201
    print("If the key may be found, or is only misspelt, stop here.")  # noqa: T201
    if not confirmed and not _ask_for_word("Type “lost” to go on: ", "lost"):
        sys.exit("tabula: nothing was changed")
    if await is_in_use(place.database):
        raise StoreError("nothing was changed: another Tabula uses the database; stop it first")
    await back_up_database(place.database, backup)
    async with await Store.open(place.database, place.keys, drops_lost=True) as store:
        app = App(store, now_ms, secrets.token_bytes)
        annulled, withdrawn = await end_without_secret(app, lost)
    print(f"Matches annulled: {annulled}; challenges withdrawn: {withdrawn}.")  # noqa: T201
    print("Their channels say so once the bot runs.")  # noqa: T201


def _describe_loss(lost: LostSecrets, matches: int, challenges: int, marks: int) -> Iterator[str]:
    """Yield what becomes of each kind of secret that no key opens."""
    if matches:
        yield f"dice of running matches: {matches}, which are annulled, without any rating"
    if challenges:
        yield f"dice of open challenges: {challenges}, which are withdrawn"
    if contests := lost.list_numbers("contests"):
        yield (
            f"dice of tournaments and leagues: {len(contests)}, which go on; each match that "
            "begins gets dice of its own"
        )
    if lost.has_mark_key:
        yield (
            "the key that recognises people who were blocked or removed and had their data "
            f"deleted: {marks} such marks, which are forgotten"
        )


async def end_without_secret(app: App, lost: LostSecrets) -> tuple[int, int]:
    """Annul the matches, and withdraw the challenges, whose secrets are lost; return how many.

    What another process has ended by then stays as it is.
    """
    matches, challenges = await _list_to_end(app.store, lost)
    for number in matches:
        with suppress(DeclinedError):
            await apply_action(app, Action(number, CLOCK, "key lost"), lambda _: Annulled())
    for number in challenges:
        await withdraw_for(app, number)
    return len(matches), len(challenges)


async def _list_to_end(store: Store, lost: LostSecrets) -> tuple[list[int], list[int]]:
    """Return the matches and challenges that can't go on without their secrets."""
    matches, challenges = lost.list_numbers("matches"), {*lost.list_numbers("challenges")}
    if challenges:
        # Of those that are accepted nothing is left to do.
        challenges.intersection_update(await store.get(Challenges).load_all_open_numbers())
    return matches, sorted(challenges)


async def _handle_doctor(arguments: argparse.Namespace) -> None:
    complaints = find_setting_problems()
    token = pages = tables = None
    try:
        settings = load_doctor_settings()
    except SettingsError as error:
        # One finding more: whatever is wrong with the settings, the database is examined.
        complaints.append(str(error))
    else:
        pages = settings.pages and settings.pages.absolute()
        tables = settings.tables and settings.tables.absolute()
        if settings.discord_api:
            client.use_api_at(settings.discord_api)
        if arguments.offline:
            pass
        elif settings.token:
            token = settings.token.get_secret_value()
        else:
            print(DISCORD_LEFT_OUT)  # noqa: T201
    place = load_storage_settings()
    if not _list_own_files(place):
        complaints.append(NOWHERE_LISTED)
    copies = place.copies and place.copies.absolute()
    complaints.extend(_find_exposed_files(place, copies))
    order = DoctorOptions(
        place.database,
        token,
        now_ms,
        complaints,
        _choose_repair(arguments),
        place.keys,
        pages,
        copies,
        tables,
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
        # The check of the database says so.
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
    return _ask_for_word(f"{question} [y/N] ", "y", "yes")


def _ask_for_word(question: str, *wanted: str) -> bool:
    try:
        return fold_text(input(question)) in wanted
    except EOFError:
        return False


async def _handle_backup(arguments: argparse.Namespace) -> None:
    # Windows knows no niceness.
    if arguments.gently and hasattr(os, "nice"):
        os.nice(GENTLE_NICENESS)
    place = load_storage_settings()
    _require_backup_name(arguments.file, place)
    checked = await create_backup(place.database, arguments.file, now_ms, place.keys)
    _require_sound(
        checked,
        f"the backup {arguments.file} is made, but fails the checks; run `tabula doctor`",
    )
    print(f"Backed up to {arguments.file}: {checked.gone}.")  # noqa: T201


def _require_backup_name(file: Path, place: StorageSettings) -> None:
    """Raise ValueError for a name under which the bot keeps, or would look for, something else."""
    own = {Path(FILE), *_list_own_files(place)}
    if database := get_file_path(parse_address(place.database)):
        own |= {database.with_name(f"{database.name}{end}") for end in OWN_ENDINGS}
    if os.path.realpath(file) in set(map(os.path.realpath, own)):
        raise ValueError(f"{file} is a file of the bot's own; give the backup another name")


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
        restored = await restore_backup(arguments.file, place.database, now_ms, place.keys, **how)
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
    if restored.repeated:
        files = _list_deletions(place, restored.repeated)
        _print_deletions("Deletions repeated", len(restored.repeated), files)


async def _handle_forget(arguments: argparse.Namespace) -> None:
    place = load_storage_settings()
    if arguments.person is not None:
        async with await Store.open(place.database, place.keys) as store:
            # First, since a backup must not bring anybody back whose data is gone.
            files = _list_deletions(place, [arguments.person])
            await erase_everywhere(store, arguments.person, now_ms())
        _print_deletions("People whose data is deleted", 1, files)
        return
    listed = [*_list_own_files(place), *_require_files(arguments.file)]
    repeated, asked = await note_other_restore(place.database, listed, now_ms, place.keys)
    _print_deletions("Deletions repeated", len(repeated), _list_deletions(place, repeated))
    print(f"People asked again whether their matches may be published: {asked}.")  # noqa: T201


def _require_files(files: Sequence[Path]) -> Sequence[Path]:
    """Return files that somebody has named; raises ValueError for one that is not there."""
    for file in files:
        if not file.is_file():
            raise ValueError(f"there is no file {file}")
    return files


def _list_own_files(place: StorageSettings) -> Sequence[Path]:
    return list_deletion_files(place.database, place.deletions, place.copies)


def _list_deletions(place: StorageSettings, people: Sequence[int]) -> Sequence[Path]:
    """List deletions, and return in which files.

    They are listed as of now: a copy that was made before is not to bring anybody back.
    """
    files = tuple(_list_own_files(place))
    for person in people:
        DeletionLog(files).append(Deletion(person, now_ms()))
    return files


def _print_deletions(what: str, count: int, files: Sequence[Path]) -> None:
    where = f", and listed in {' and '.join(map(str, files))}" if count and files else ""
    print(f"{what}: {count}{where}.")  # noqa: T201
    if count and not files:
        print(NOWHERE_LISTED)  # noqa: T201


async def _handle_move(arguments: argparse.Namespace) -> None:
    place = load_storage_settings()
    target = _find_target(arguments, place)
    checked = await move_to_server(place.database, target, now_ms, place.keys)
    _require_sound(
        checked, "everything is moved, but the database fails the checks; run `tabula doctor`"
    )
    print(f"Moved with every row intact: {checked.gone}.")  # noqa: T201
    print("Set TABULA_DATABASE to the new address. The old file is unchanged.")  # noqa: T201


def _find_target(arguments: argparse.Namespace, place: StorageSettings) -> str:
    """Return the address to move to.

    Raises ValueError where there is none, and for a password in an argument.
    """
    file: Path | None = arguments.target_file
    if file is not None:
        return (sys.stdin.read() if str(file) == "-" else read_text(file)).strip()
    target: str | None = arguments.target
    if target is None:
        if place.move_to is None:
            raise ValueError(f"it is not said where to move to; {TARGET_ADVICE}")
        return place.move_to.get_secret_value()
    # Arguments stand in the list of processes, and in the history of the shell.
    if parse_address(target).password:
        raise ValueError(
            f"an argument that holds a password can be read by others; {TARGET_ADVICE}"
        )
    return target


def _parse_person(text: str) -> int:
    """Return the id in an argument; raises ArgumentTypeError for anything else."""
    # Other numbers are those of computer players, and of people who were deleted.
    if text.isascii() and text.isdecimal() and 0 < int(text) <= MAX_NUMBER:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text} is not the id of a person on Discord")


def _parse_day(text: str) -> date:
    """Return the day in an argument; raises ArgumentTypeError for anything else."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} is no day such as 2026-03-01") from None


async def _handle_publish(arguments: argparse.Namespace) -> None:
    place = load_storage_settings()
    async with await Store.open_read_only(place.database, place.keys) as store:
        made = await publish_matches(store, arguments.output, now_ms(), arguments.since)
    print(f"Matches published in {arguments.output}: {made.matches}.")  # noqa: T201
    if made.damaged:
        print(f"Left out, since they can't be replayed: {made.damaged}; run `tabula doctor`.")  # noqa: T201


def _require_sound(checked: CopyCheck, otherwise: str) -> None:
    """Print what is wrong, and end the program with that sentence where anything is."""
    for sentence in checked.wrong:
        print(sentence)  # noqa: T201
    if checked.wrong:
        sys.exit(f"tabula: {otherwise}")
