"""`tabula doctor`: examine everything; change nothing unless asked to repair."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path

from bot.features.pages.folder import find_folder_problem, find_space_problem
from bot.ops.examining import ReplayCounts, examine_database
from bot.ops.findings import Finding, make_finding
from bot.ops.mending import apply_repairs, describe_repairs, plan_repairs
from bot.ops.reaching import MatchPlaces, check_discord
from bot.platform.context import Clock
from bot.platform.db.backups import is_in_use
from bot.store import Store, StoreError
from engine.players.files import WEIGHTS

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
    `pages` is the folder of the public pages, None where none are written.
    """

    database: str
    token: str | None
    clock: Clock
    complaints: Sequence[str] = ()
    repair: RepairMode = RepairMode.NOT
    keys: Sequence[str] = ()
    pages: Path | None = None


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

    for error in await asyncio.to_thread(_find_damaged_nets):
        note(make_finding(f"{error}; the computer cannot play by it, so reinstall Tabula"))
    if order.pages is not None:
        for problem in await asyncio.to_thread(_find_page_problems, order.pages):
            note(make_finding(problem))
    places: MatchPlaces = ()
    try:
        running = await is_in_use(order.database)
        async with await Store.open_read_only(order.database, order.keys) as store:
            gone, began = ReplayCounts(), time.monotonic()
            async for finding in examine_database(store, order.clock(), gone, running=running):
                note(finding)
            tell(_format_totals(gone, time.monotonic() - began))
            places = await store.inspection.load_match_channels()
    except StoreError as error:
        note(make_finding(str(error)))
    if order.token is not None:
        async for finding in check_discord(order.token, places, order.clock):
            note(finding)
    return findings


def _find_damaged_nets() -> list[ValueError]:
    """Return what is wrong with the nets that the computer players judge by."""
    # Only now: a bot that nobody plays against has no need of numpy.
    from engine.players.net import load_net

    wrong = []
    for path in sorted(WEIGHTS.glob("*.npz")):
        try:
            load_net(path)
        except ValueError as error:
            wrong.append(error)
    return wrong


def _find_page_problems(folder: Path) -> list[str]:
    """Return what prevents public pages from being written, one sentence at most."""
    problem = find_folder_problem(folder) or find_space_problem(folder)
    return [problem] if problem else []


def _format_totals(gone: ReplayCounts, seconds: float) -> str:
    rate = gone.matches / seconds
    return f"{gone} in {seconds:.1f} s, {rate:.0f} matches a second."
