"""`tabula doctor`: everything is looked at and nothing changed, unless one asks that what can be mended be mended."""

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

Say = Callable[[str], None]
Ask = Callable[[str], bool]


class Repair(Enum):
    """Whether what can be mended is mended."""

    NOT = auto()
    ASK_FIRST = auto()
    AT_ONCE = auto()


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be looked at: the database, and Discord with a token, None where it is left out.

    `complaints` are what is wrong with the settings, `keys` what opens the secrets of the dice.
    """

    database: str
    token: str | None
    clock: Clock
    complaints: Sequence[str] = ()
    repair: Repair = Repair.NOT
    keys: Sequence[str] = ()


async def doctor(order: Order, say: Say, ask: Ask) -> bool:
    """Say what is wrong, a line each, and mend it where that is ordered; True where nothing is wrong in the end.

    Raises StoreError where what can be mended cannot be written.
    """
    for complaint in order.complaints:
        say(complaint)
    findings = await _findings(order, say)
    mends = plan(findings)
    if order.repair is Repair.NOT or not mends:
        _sum_up(say, len(findings) + len(order.complaints), len(mends))
        return not findings and not order.complaints
    say("To mend it I will:")
    for sentence in told(mends):
        say(f"- {sentence}")
    if order.repair is Repair.ASK_FIRST and not ask("Shall I?"):
        say("Nothing was changed.")
        return False
    if await in_use(order.database):
        raise StoreError("nothing was changed: another Tabula uses the database; stop it first")
    async with await Store.open(order.database, order.keys) as store:
        await mend(store, mends)
    say("Done; looking again.")
    left = await _findings(order, say)
    _sum_up(say, len(left) + len(order.complaints), len(plan(left)))
    return not left and not order.complaints


def _sum_up(say: Say, wrong: int, mendable: int) -> None:
    if not wrong:
        say("Nothing is wrong.")
        return
    things = "1 thing is" if wrong == 1 else f"{wrong} things are"
    mended = "; `tabula doctor --repair` mends what it can, and tells before what it will do" if mendable else ""
    say(f"{things} wrong{mended}.")


async def _findings(order: Order, say: Say) -> list[Finding]:
    """Find what is wrong, and say it as it is found."""
    findings: list[Finding] = []

    def note(finding: Finding) -> None:
        findings.append(finding)
        say(finding.sentence)

    places: Places = ()
    try:
        running = await in_use(order.database)
        async with await Store.visit(order.database, order.keys) as store:
            gone, began = Gone(), time.monotonic()
            async for finding in examine(store, order.clock(), gone, running=running):
                note(finding)
            say(_gone_through(gone, time.monotonic() - began))
            places = await store.inspection.channels()
    except StoreError as error:
        note(found(str(error)))
    if order.token is not None:
        async for finding in reach(order.token, places, order.clock):
            note(finding)
    return findings


def _gone_through(gone: Gone, seconds: float) -> str:
    rate = gone.matches / seconds
    return f"{gone.matches} matches with {gone.events} events replayed in {seconds:.1f} s, {rate:.0f} matches a second."
