"""`tabula doctor`: examine everything and change nothing, unless told to mend what it can."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from bot.app.context import Clock
from bot.store import Store, StoreError, in_use
from bot.upkeep.examining import Gone, examine
from bot.upkeep.findings import Finding, found
from bot.upkeep.mending import mend, plan, told
from bot.upkeep.reaching import Places, reach
from engine.players.files import WEIGHTS

Tell = Callable[[str], None]
Ask = Callable[[str], bool]


class Repair(Enum):
    """Whether what can be mended is mended."""

    NOT = auto()
    ASK_FIRST = auto()
    AT_ONCE = auto()


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be examined: the database, and Discord with a token, None to leave it out.

    `complaints` are what is wrong with the settings, `keys` what opens the secrets of the dice.
    """

    database: str
    token: str | None
    clock: Clock
    complaints: Sequence[str] = ()
    repair: Repair = Repair.NOT
    keys: Sequence[str] = ()


async def doctor(order: Order, tell: Tell, ask: Ask) -> bool:
    """Report what is wrong, a line each, and mend it if ordered; return True if all is well then.

    Raises StoreError if what can be mended cannot be written.
    """
    for complaint in order.complaints:
        tell(complaint)
    findings = await _findings(order, tell)
    mends = plan(findings)
    if order.repair is Repair.NOT or not mends:
        _sum_up(tell, len(findings) + len(order.complaints), len(mends))
        return not findings and not order.complaints
    tell("To mend it I will:")
    for sentence in told(mends):
        tell(f"- {sentence}")
    if order.repair is Repair.ASK_FIRST and not ask("Shall I?"):
        tell("Nothing was changed.")
        return False
    if await in_use(order.database):
        raise StoreError("nothing was changed: another Tabula uses the database; stop it first")
    async with await Store.open(order.database, order.keys) as store:
        await mend(store, mends)
    tell("Done; looking again.")
    left = await _findings(order, tell)
    _sum_up(tell, len(left) + len(order.complaints), len(plan(left)))
    return not left and not order.complaints


def _sum_up(tell: Tell, wrong: int, mendable: int) -> None:
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


async def _findings(order: Order, tell: Tell) -> list[Finding]:
    """Find what is wrong, and say it as it is found."""
    findings: list[Finding] = []

    def note(finding: Finding) -> None:
        if finding in findings:
            # What keeps the database from being read keeps each part of it from being examined.
            return
        findings.append(finding)
        tell(finding.sentence)

    for error in await asyncio.to_thread(_damaged_nets):
        note(found(f"{error}; the computer cannot play by it, so install Tabula anew"))
    places: Places = ()
    try:
        running = await in_use(order.database)
        async with await Store.visit(order.database, order.keys) as store:
            gone, began = Gone(), time.monotonic()
            async for finding in examine(store, order.clock(), gone, running=running):
                note(finding)
            tell(_gone_through(gone, time.monotonic() - began))
            places = await store.inspection.channels()
    except StoreError as error:
        note(found(str(error)))
    if order.token is not None:
        async for finding in reach(order.token, places, order.clock):
            note(finding)
    return findings


def _damaged_nets() -> list[ValueError]:
    """Return what is wrong with the nets that the computer players judge by."""
    # Only now: a bot that nobody plays against has no need of numpy.
    from engine.players.net import load

    wrong = []
    for path in sorted(WEIGHTS.glob("*.npz")):
        try:
            load(path)
        except ValueError as error:
            wrong.append(error)
    return wrong


def _gone_through(gone: Gone, seconds: float) -> str:
    rate = gone.matches / seconds
    return f"{gone} in {seconds:.1f} s, {rate:.0f} matches a second."
