"""Faults of one table: what Discord answers, or fails to, while one match is played."""

import re
from dataclasses import dataclass
from random import Random

from tests.wire.faults import CUT, Fault, Gate, limited

from .schedule import Fault as Planned
from .table import Table
from .torture import Torture

MOST_ACTS = 8
"""Acts within which every request of a turn is made."""
SILENT_S = 25.0
"""Seconds within which the bot gives up a request that Discord does not answer, and logs it."""
HUNG = "gives no answer"
"""How the log tells of a request that was never answered."""

REFUSALS = {
    "401": Fault(401, 0, "401: Unauthorized"),
    "403": Fault(403, 50013, "Missing Permissions"),
    "404": Fault(404, 0, "404: Not Found"),
}
FAILURES = {
    "500": Fault(500, 0, "500: Internal Server Error"),
    "502": Fault(502, 0, "502: Bad Gateway"),
    "503": Fault(503, 0, "503: Service Unavailable"),
}
PRESSED = ("callback", "edit message", "post message")
TYPED = (*PRESSED, "delete answer")


@dataclass(frozen=True, slots=True)
class Trouble:
    """What befalls which request of a table, and how often on end."""

    request: str
    fault: Fault
    times: int
    typed: bool
    nth: int
    told: str
    """What the log has to say of it, a pattern, beside which request or match it was."""

    def __str__(self) -> str:
        when = "after" if self.fault.after else "before"
        what = "nothing" if self.told == HUNG else self.told
        return f"{what} {when} {self.request} {self.nth}, {self.times} times"


def trouble(kind: str, chance: Random) -> Trouble:
    """Draw a trouble of a kind."""
    typed = chance.random() < 0.4
    request = chance.choice(TYPED if typed else PRESSED)
    after = chance.random() < 0.5
    nth = chance.choice((1, 1, 2)) if request == "edit message" else 1
    times = chance.choice((1, 1, 1, 2))
    match kind:
        case "refused":
            status = chance.choice(list(REFUSALS))
            fault, told = REFUSALS[status], status
            # The match then goes on elsewhere, and nobody could find a message that was posted
            # after all.
            after = after and not (status == "403" and request == "post message")
        case "broken":
            status = chance.choice(list(FAILURES))
            fault, told = FAILURES[status], status
        case "dropped":
            fault, told = Fault(CUT), HUNG
        case "hanging":
            fault, told, times = Fault(gate=Gate()), HUNG, 1
        case "limited":
            fault, told = limited(chance.choice((0.1, 0.3, 0.8))), "rate limited"
        case _:
            raise LookupError(kind)
    return Trouble(request, _when(fault, after=after), times, typed, nth, told)


def _when(fault: Fault, *, after: bool) -> Fault:
    return Fault(
        fault.status, fault.code, fault.message, after, fault.retry_after, fault.delay, fault.gate
    )


async def befall(torture: Torture, table: Table, fault: Planned) -> str:
    """Apply a fault to a table, and check that a line in the log is all that came of it.

    Returns what the fault was.
    """
    chance = fault.draw()
    await torture.seated(table, chance)
    start = len(torture.log.lines)
    if fault.kind == "deleted":
        what = await _delete(torture, table, chance, start)
    elif fault.kind == "place":
        what = await _lose_place(torture, table, chance)
    else:
        what = await _troubled(torture, table, trouble(fault.kind, chance), start)
    await torture.check([table], silent=False)
    table.forget()
    await torture.goes_on([table])
    return what


async def _troubled(torture: Torture, table: Table, found: Trouble, start: int) -> str:
    planned = torture.server.faults.at(
        found.request, found.fault, nth=found.nth, times=found.times, where=table.concerns
    )
    marks = set(table.marks())
    if found.request == "delete answer":
        # Its address names the bot, and a token that the log keeps to itself.
        application = torture.server.world.bot.id
        marks |= {f"/webhooks/{application}/", f"Webhook ID {application}"}
    try:
        for _ in range(MOST_ACTS):
            if planned.spent or table.over():
                break
            await table.act(typed=found.typed)
            marks |= table.marks()
            await torture.rest([table])
            await torture.check([table], silent=False)
            marks |= table.marks()
    finally:
        torture.server.faults.end(planned)
    if not planned.met >= planned.nth:
        torture.unmet += 1
        return f"{found}, never met"

    # On a busy machine an acknowledgement may be broken off just as its answer comes.
    told = f"{found.told}|acknowledged once more" if found.request == "callback" else found.told

    def tells(line: str) -> object:
        return re.search(told, line) and any(mark in line for mark in marks)

    if found.request == "delete answer" and found.fault.status == CUT:
        # aiohttp itself asks again, since it may, and there was nothing to tell.
        return str(found)
    await torture.told(
        start, tells, f"{found} at table {table.number}, match {table.match}", SILENT_S
    )
    return str(found)


async def _delete(torture: Torture, table: Table, chance: Random, start: int) -> str:
    """Delete the live message, as a moderator may.

    This happens at rest or while somebody's action is being shown.
    """
    pressed = chance.random() < 0.5
    if pressed:
        await table.act()
    gone = table.newest().message_id or 0
    over = table.over()
    await torture.server.delete_message(gone)
    if over:
        # The last message of a match is not posted again by itself.
        await table.asked("board", {"match": table.match, "share": True})
    await torture.rest([table])
    await torture.told(
        start, lambda line: str(gone) in line and "gone" in line, f"the deletion of {gone}"
    )
    return "the live message is deleted " + ("as its press is shown" if pressed else "at rest")


async def _lose_place(torture: Torture, table: Table, chance: Random) -> str:
    """Delete the channel or the thread of a match, or lock the thread.

    This happens at rest or while somebody acts.
    """
    server = torture.server
    if chance.random() < 0.5:
        await table.act()
        if table.over():
            return "the place of no match"
    thread, locked = table.in_thread, chance.random() < 0.5
    if thread:
        await (server.lock_thread if locked else server.delete_channel)(table.channel)
        # It goes on in the channel of the thread by itself.
        table.move(table.home)
        await torture.rest([table])
        return "the thread is " + ("locked" if locked else "deleted")
    old, there = table.home, table.home.guild_id
    await server.delete_channel(old)
    table.home = await server.create_channel(old.name, there)
    table.move(table.home)
    await table.asked("board", {"match": table.match, "share": True})
    await torture.rest([table])
    return "the channel is deleted"
