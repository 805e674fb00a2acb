"""`tabula doctor`: examine everything; change nothing unless asked to repair.

What can be derived is restored: each change is announced before, and nothing else is touched.
"""

import asyncio
import glob
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path

from bot.features.ladders.store import Ladders
from bot.features.matches.rows import Leaderboard
from bot.features.matches.store.inspection import Histories, Inspection
from bot.features.pages.folder import find_folder_problem, find_space_problem
from bot.features.ratings import service as ratings
from bot.features.ratings.service import is_later_season
from bot.features.ratings.store import Ratings
from bot.ops.checked_backups import list_copies
from bot.ops.database_checks import ReplayCounts, examine_database
from bot.ops.discord_checks import MatchPlaces, check_discord
from bot.ops.findings import (
    BoardRerating,
    Finding,
    JobDeletion,
    JobRequeue,
    LadderReplay,
    RepairAction,
    RowRewrite,
    build_finding,
)
from bot.ops.replay_checks import replay_all
from bot.platform.context import Clock
from bot.platform.db.address import get_file_path, parse_address
from bot.platform.db.backups import is_in_use
from bot.platform.db.errors import StoreError
from bot.platform.db.opening import find_change
from bot.platform.db.store import MAX_CLOCK_DIFFERENCE_MS, Store, format_clock_difference
from engine.players.files import (
    SHIPPED_ENDINGS,
    SHIPPED_TABLES,
    TABLES,
    WEIGHTS,
    DamagedTableError,
)

TRIAL_BYTES = 1 << 20
"""What is written for a trial: more than any change that the bot saves."""

WriteLine = Callable[[str], None]
Confirm = Callable[[str], bool]


class RepairMode(Enum):
    """Whether what can be mended is mended."""

    NOT = auto()
    ASK_FIRST = auto()
    AT_ONCE = auto()


@dataclass(frozen=True, slots=True)
class DoctorOptions:
    """What is to be examined: the database, and Discord with a token, None to leave it out.

    `complaints` are what is wrong with the settings, `keys` what opens the secrets of the dice.
    `pages` is the folder of the public pages, `copies` that of the nightly copies, None where none
    are written; `tables` is that of the operator's tables of solved games.
    """

    database: str
    token: str | None
    clock: Clock
    complaints: Sequence[str] = ()
    repair: RepairMode = RepairMode.NOT
    keys: Sequence[str] = ()
    pages: Path | None = None
    copies: Path | None = None
    tables: Path | None = None


async def examine_and_repair(order: DoctorOptions, tell: WriteLine, ask: Confirm) -> bool:
    """Report what is wrong, a line each, and mend it if ordered; return True if all is well then.

    Raises StoreError if what can be mended cannot be written.
    """
    for complaint in order.complaints:
        tell(complaint)
    findings = await _collect_findings(order, tell)
    mends = plan_repairs(findings)
    if order.repair is RepairMode.NOT or not mends:
        _write_summary(tell, len(findings) + len(order.complaints), len(mends))
        return not findings and not order.complaints
    tell("To mend it I will:")
    for sentence in describe_repairs(mends):
        tell(f"- {sentence}")
    if order.repair is RepairMode.ASK_FIRST and not ask("Shall I?"):
        tell("Nothing was changed.")
        return False
    # A file is refused by its lock anyway, but a server would let this in beside a running bot.
    if await is_in_use(order.database):
        raise StoreError("nothing was changed: another Tabula uses the database; stop it first")
    async with await Store.open(order.database, order.keys) as store:
        await apply_repairs(store, mends)
    tell("Done; looking again.")
    left = await _collect_findings(order, tell)
    _write_summary(tell, len(left) + len(order.complaints), len(plan_repairs(left)))
    return not left and not order.complaints


def _write_summary(tell: WriteLine, wrong: int, mendable: int) -> None:
    if not wrong:
        tell("Nothing is wrong.")
        return
    things = "1 thing is" if wrong == 1 else f"{wrong} things are"
    mended = (
        "; `tabula doctor --repair` mends what it can, and tells before what it will do"
        if mendable
        else ""
    )
    tell(f"{things} wrong{mended}.")


async def _collect_findings(order: DoctorOptions, tell: WriteLine) -> list[Finding]:
    """Find what is wrong, and say it as it is found."""
    findings: list[Finding] = []

    def note(finding: Finding) -> None:
        if finding in findings:
            # What keeps the database from being read keeps each part of it from being examined.
            return
        findings.append(finding)
        tell(finding.sentence)

    for problem in await asyncio.to_thread(_find_player_problems, order.tables):
        note(build_finding(problem))
    if order.pages is not None:
        for problem in await asyncio.to_thread(_find_page_problems, order.pages):
            note(build_finding(problem))
    if order.copies is not None and (
        wrong := await asyncio.to_thread(_find_write_problem, order.copies)
    ):
        note(build_finding(f"no nightly copy can be written: {wrong}"))
    if len(order.keys) > 1:
        tell(await _describe_older_keys(order))
    places: MatchPlaces = ()
    if new := await asyncio.to_thread(_find_new_file, order.database):
        tell(f"There is no database yet: the first `tabula run` makes {new}.")
    else:
        places = await _collect_database_findings(order, note, tell)
    if order.token is not None:
        async for finding in check_discord(order.token, places, order.clock, tell):
            note(finding)
    return findings


async def _describe_older_keys(order: DoctorOptions) -> str:
    """Say what still needs a key beside the first, and so when the others may go."""
    if await _needs_older_key(order.database, order.keys[0]):
        return "The database needs an older key of TABULA_SEAL, until the bot is started once."
    if not order.copies:
        return "The database needs only the first key of TABULA_SEAL; a backup may need the others."
    for copy in reversed(list_copies(order.copies)):
        if await _needs_older_key(copy, order.keys[0]):
            return f"{copy} needs an older key of TABULA_SEAL; keep it until that backup is gone."
    return (
        f"No backup in {order.copies} needs the older keys of TABULA_SEAL; remove them, unless you "
        "keep backups elsewhere."
    )


async def _needs_older_key(where: str | Path, key: str) -> bool:
    """Whether a key alone does not open all; what cannot be looked at may need another."""
    try:
        async with await Store.open_read_only(where, [key]) as store:
            return (await store.find_lost_secrets()).may_be_found
    except StoreError:
        return True


def _find_new_file(database: str) -> Path | None:
    """Return the file that the first start makes; None if there is one, or ever was."""
    try:
        file = get_file_path(parse_address(database))
    except StoreError:
        return None
    # A lock, a log or a list of deletions beside it tells that it is gone.
    is_new = (
        file and file.parent.is_dir() and not any(file.parent.glob(f"{glob.escape(file.name)}*"))
    )
    return file if is_new else None


async def _collect_database_findings(
    order: DoctorOptions, note: Callable[[Finding], None], tell: WriteLine
) -> MatchPlaces:
    """Note what is wrong with the database; return where its matches go on."""
    try:
        if problem := await asyncio.to_thread(_find_file_problem, order.database):
            note(build_finding(problem))
        for change in await asyncio.to_thread(_find_changes, order.database):
            note(build_finding(change))
        running = await is_in_use(order.database)
        async with await Store.open_read_only(order.database, order.keys) as store:
            # A file is tried by its folder, since a change that is undone leaves a log beside it.
            if store.shared and (problem := await store.find_write_problem()):
                note(build_finding(problem))
            ahead = await store.find_clock_difference()
            if abs(ahead) > MAX_CLOCK_DIFFERENCE_MS:
                note(build_finding(f"{format_clock_difference(ahead)}; set both by NTP"))
            gone, began = ReplayCounts(), time.monotonic()
            async for finding in examine_database(store, order.clock(), gone, running=running):
                note(finding)
            tell(_format_totals(gone, time.monotonic() - began))
            return await store.get(Inspection).load_match_channels()
    except StoreError as error:
        note(build_finding(str(error)))
    return ()


def _find_file_problem(database: str) -> str | None:
    """Return why nothing can be saved in a database's file; None if it can, or there is no file."""
    file = get_file_path(parse_address(database))
    if file is None or not file.is_file():
        return None
    if not os.access(file, os.W_OK):
        return f"{file} cannot be written to; check its permissions"
    problem = _find_write_problem(file.parent)
    return f"{file} cannot take a change: {problem}" if problem else None


def _find_write_problem(folder: Path) -> str | None:
    """Return why nothing can be written in a folder, or where it is to be made.

    It is tried, since permissions tell nothing of a disk that is full or read-only.
    """
    while not folder.exists():
        folder = folder.parent
    try:
        with tempfile.TemporaryFile(dir=folder) as trial:
            trial.write(bytes(TRIAL_BYTES))
            trial.flush()
            os.fsync(trial.fileno())
    except OSError as error:
        return f"{folder}: {error.strerror}"
    return None


def _find_changes(database: str) -> list[str]:
    """Return what has changed in a file since it was closed, one sentence at most."""
    file = get_file_path(parse_address(database))
    change = find_change(file) if file else None
    return [change] if change else []


def _find_player_problems(folder: Path | None) -> list[str]:
    """Return what is wrong with the nets and tables that the computer players judge by."""
    # Only now: a bot that nobody plays against has no need of numpy.
    from engine.players.net import load_net

    wrong = _find_table_problems(folder)
    for path in sorted(WEIGHTS.glob("*.npz")):
        try:
            load_net(path)
        except ValueError as error:
            wrong.append(f"{error}; the computer cannot play by it, so reinstall Tabula")
    return wrong


def _find_table_problems(folder: Path | None) -> list[str]:
    """Return what is wrong with tables of solved games: those that come with the bot, and others.

    A game whose table can't be used is judged by its net.
    """
    from engine.players.exact import check_table

    wrong = [
        f"{name} is missing; its game is judged by a net, so reinstall Tabula"
        for name in (*SHIPPED_TABLES, *SHIPPED_ENDINGS)
        if not (TABLES / name).exists()
    ]
    problem = _find_tables_folder_problem(folder) if folder else None
    if problem:
        wrong.append(problem)
    places = [TABLES, folder] if folder and not problem else [TABLES]
    for path in sorted(path for place in places for path in place.glob("*.np[yz]")):
        if path.stem.endswith(".part"):
            # Being written, or left by what was interrupted: nothing looks for such a file.
            continue
        try:
            check_table(path)
        except DamagedTableError as error:
            advice = "reinstall Tabula" if path.parent == TABLES else "write it again"
            wrong.append(f"{error}; its game is judged by a net, so {advice}")
    return wrong


def _find_tables_folder_problem(folder: Path) -> str | None:
    """Return why no tables can be found in a folder; None if they can."""
    try:
        next(folder.iterdir(), None)
    except (FileNotFoundError, NotADirectoryError):
        return f"TABULA_TABLES names {folder}, which is no folder"
    except OSError as error:
        return f"TABULA_TABLES names {folder}, which can't be read: {error.strerror}"
    if not os.access(folder, os.X_OK):
        return f"TABULA_TABLES names {folder}, whose files can't be read; check its permissions"
    return None


def _find_page_problems(folder: Path) -> list[str]:
    """Return what prevents public pages from being written, one sentence at most."""
    problem = find_folder_problem(folder) or find_space_problem(folder)
    return [problem] if problem else []


def _format_totals(gone: ReplayCounts, seconds: float) -> str:
    rate = gone.matches / seconds
    return f"{gone} in {seconds:.1f} s, {rate:.0f} matches a second."


def plan_repairs(findings: Sequence[Finding]) -> list[RepairAction]:
    """Return what would mend the findings, each once, in the order in which it is to be done.

    Ratings come after the rows of matches, which give their results.
    """
    # By their texts, as mends hold mappings, which cannot be hashed.
    mends = {repr(mend): mend for finding in findings for mend in finding.mends}
    # False sorts before True, and `sorted` leaves the others in their order.
    return sorted(mends.values(), key=lambda mend: isinstance(mend, BoardRerating))


def describe_repairs(mends: Sequence[RepairAction]) -> Iterator[str]:
    """Yield what is going to be done, a sentence each."""
    for mend in mends:
        match mend:
            case RowRewrite():
                yield f"write the row of match {mend.match} from its events"
            case BoardRerating(board):
                yield (
                    f"rate the board {board.scope}, {board.pool} again, "
                    "from the results of all its matches"
                )
            case JobRequeue(_, job):
                yield f"let the job “{job.kind} {job.key}” be done"
            case LadderReplay(ladder):
                yield f"work out the order of ladder {ladder} from all that happened on it"
            case JobDeletion(job):
                yield f"forget the job “{job.kind} {job.key}”"


async def apply_repairs(store: Store, mends: Sequence[RepairAction]) -> None:
    """Do it; raises StoreError. What is not done by then is found and done the next time."""
    for each in mends:
        match each:
            case RowRewrite(match, version, restated):
                await store.get(Histories).rewrite_row(match, version, restated)
            case LadderReplay(ladder):
                await store.get(Ladders).keep_order(ladder)
            case JobRequeue(guild, job):
                await store.jobs.enqueue(guild, [job])
            case JobDeletion(job):
                # This deletes the job only if it was not renewed since it was examined.
                await store.jobs.finish(job)
    boards = [each.board for each in mends if isinstance(each, BoardRerating)]
    if boards:
        await _rerate_boards(store, boards)


async def _rerate_boards(store: Store, boards: Sequence[Leaderboard]) -> None:
    results = []
    wanted = set(boards)
    async for each in replay_all(store):
        if each.result is None:
            continue
        # Later seasons start from the ratings of a board that changes.
        wanted |= {
            board
            for board in each.result.boards
            if any(is_later_season(board, changed) for changed in boards)
        }
        if wanted & set(each.result.boards):
            results.append(each.result)
    await store.get(Ratings).rerate_boards(wanted, results, ratings.compute_strengths)
