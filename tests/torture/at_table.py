"""Faults of one table: what Discord answers, or fails to, while one match is played."""

import re
from dataclasses import dataclass
from random import Random

from tests.wire.faults import CUT, Gate, RequestFault, make_rate_limit

from .schedule import ScheduledFault as Planned
from .table import TortureTable
from .torture import Torture

MAX_ACTS = 8
"""Acts within which every request of a turn is made."""
SILENT_S = 25.0
"""Seconds within which the bot gives up a request that Discord does not answer, and logs it."""
NO_ANSWER = "did not respond"
"""How the log tells of a request that was never answered."""

REFUSALS = {
    "401": RequestFault(401, 0, "401: Unauthorized"),
    "403": RequestFault(403, 50013, "Missing Permissions"),
    "404": RequestFault(404, 0, "404: Not Found"),
}
FAILURES = {
    "500": RequestFault(500, 0, "500: Internal Server Error"),
    "502": RequestFault(502, 0, "502: Bad Gateway"),
    "503": RequestFault(503, 0, "503: Service Unavailable"),
}
PRESSED = ("callback", "edit message", "post message")
TYPED = (*PRESSED, "delete answer")


@dataclass(frozen=True, slots=True)
class RequestTrouble:
    """What befalls which request of a table, and how often on end."""

    request: str
    fault: RequestFault
    times: int
    typed: bool
    nth: int
    pattern: str
    """What the log has to say of it, a pattern, beside which request or match it was."""

    def __str__(self) -> str:
        when = "after" if self.fault.after else "before"
        what = "nothing" if self.pattern == NO_ANSWER else self.pattern
        return f"{what} {when} {self.request} {self.nth}, {self.times} times"


def draw_trouble(kind: str, chance: Random) -> RequestTrouble:
    """Draw a trouble of a kind."""
    typed = chance.random() < 0.4
    request = chance.choice(TYPED if typed else PRESSED)
    after = chance.random() < 0.5
    nth = chance.choice((1, 1, 2)) if request == "edit message" else 1
    times = chance.choice((1, 1, 1, 2))
    match kind:
        case "refused":
            status = chance.choice(list(REFUSALS))
            fault, text = REFUSALS[status], status
            # The match then goes on elsewhere, and nobody could find a message that was posted
            # after all.
            after = after and not (status == "403" and request == "post message")
        case "broken":
            status = chance.choice(list(FAILURES))
            fault, text = FAILURES[status], status
        case "dropped":
            fault, text = RequestFault(CUT), NO_ANSWER
        case "hanging":
            fault, text, times = RequestFault(gate=Gate()), NO_ANSWER, 1
        case "limited":
            fault, text = make_rate_limit(chance.choice((0.1, 0.3, 0.8))), "rate limited"
        case _:
            raise LookupError(kind)
    return RequestTrouble(request, copy_with_timing(fault, after=after), times, typed, nth, text)


def copy_with_timing(fault: RequestFault, *, after: bool) -> RequestFault:
    """Return a fault that hits before Discord acts, or after."""
    return RequestFault(
        fault.status, fault.code, fault.message, after, fault.retry_after, fault.delay, fault.gate
    )


async def apply_fault(torture: Torture, table: TortureTable, fault: Planned) -> str:
    """Apply a fault to a table, and check that a line in the log is all that came of it.

    Returns what the fault was.
    """
    chance = fault.create_random()
    await torture.ensure_match(table, chance)
    start = len(torture.log.lines)
    if fault.kind == "deleted":
        what = await _delete_live_message(torture, table, chance, start)
    elif fault.kind == "place":
        what = await _lose_place(torture, table, chance)
    else:
        what = await _apply_trouble(torture, table, draw_trouble(fault.kind, chance), start)
    await torture.check_tables([table], silent=False)
    table.forget_past()
    await torture.check_progress([table])
    return what


async def _apply_trouble(
    torture: Torture, table: TortureTable, found: RequestTrouble, start: int
) -> str:
    planned = torture.server.faults.inject(
        found.request, found.fault, nth=found.nth, times=found.times, where=table.has_request_path
    )
    marks = set(table.collect_log_marks())
    if found.request == "delete answer":
        # Its address names the bot, and a token that the log keeps to itself.
        application = torture.server.world.bot.id
        marks |= {f"/webhooks/{application}/", f"Webhook ID {application}"}
    try:
        for _ in range(MAX_ACTS):
            if planned.is_spent or table.is_over():
                break
            await table.act_and_wait(typed=found.typed)
            marks |= table.collect_log_marks()
            await torture.wait_for_rest([table])
            await torture.check_tables([table], silent=False)
            marks |= table.collect_log_marks()
    finally:
        torture.server.faults.remove(planned)
    if not planned.met >= planned.nth:
        torture.unmet += 1
        return f"{found}, never met"

    # On a busy machine an acknowledgement may be broken off just as its answer comes.
    text = (
        f"{found.pattern}|answering interaction" if found.request == "callback" else found.pattern
    )

    if found.request == "delete answer" and found.fault.status == CUT:
        # aiohttp itself asks again, since it may, and there was nothing to tell.
        return str(found)
    some_mark = "|".join(map(re.escape, marks)) or "(?!)"
    await torture.expect_log_line(start, rf"^(?=.*({text})).*({some_mark})", SILENT_S)
    return str(found)


async def _delete_live_message(
    torture: Torture, table: TortureTable, chance: Random, start: int
) -> str:
    """Delete the live message, as a moderator may.

    This happens at rest or while somebody's action is being shown.
    """
    pressed = chance.random() < 0.5
    if pressed:
        await table.act_and_wait()
    gone = (await table.wait_for_controls()).message_id or 0
    over = table.is_over()
    await torture.server.delete_message(gone)
    if over:
        # The last message of a match is not posted again by itself.
        await table.use_command("match board", {"match": table.match, "share": True})
    await torture.wait_for_rest([table])
    if pressed:
        # It may have been closed by the answer to the press just before, and is then never missed.
        return "the live message is deleted as its press is shown"
    await torture.expect_log_line(start, f"{gone}.*gone")
    return "the live message is deleted at rest"


async def _lose_place(torture: Torture, table: TortureTable, chance: Random) -> str:
    """Delete the channel or the thread of a match, or lock the thread.

    This happens at rest or while somebody acts.
    """
    server = torture.server
    if chance.random() < 0.5:
        await table.act_and_wait()
        if table.is_over():
            return "the place of no match"
    thread, locked = table.is_in_thread, chance.random() < 0.5
    if thread:
        await (server.lock_thread if locked else server.delete_channel)(table.channel)
        # It goes on in the channel of the thread by itself.
        table.move_to(table.home)
        await torture.wait_for_rest([table])
        return "the thread is " + ("locked" if locked else "deleted")
    old, there = table.home, table.home.guild_id
    await server.delete_channel(old)
    table.home = await server.create_channel(old.name, there)
    table.move_to(table.home)
    await table.use_command("match board", {"match": table.match, "share": True})
    await torture.wait_for_rest([table])
    return "the channel is deleted"
