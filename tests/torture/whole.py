"""Faults of the whole bot: its process, gateway, database and clock, and a second bot."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from itertools import pairwise
from random import Random

from bot.cli import EX_CONFIG
from bot.platform.db.engines import PATIENCE_S
from tests.wire.faults import CUT, Gate
from tests.wire.faults import RequestFault as Held
from tests.wire.gateway import INVALID_SESSION

from .at_table import FAILURES, copy_with_timing
from .league import Deed
from .program import START_S
from .schedule import ScheduledFault
from .table import TortureFailure, TortureTable
from .torture import Torture

MAX_DELAY_S = 0.6
"""Seconds after the beginning of a fault within which somebody acts in the league."""
HINDERED_S = 3.0
"""Seconds for which the league's requests fail: a result is shown two seconds after it is saved."""
FOUND_OUT_S = 20.0
"""Seconds within which the bot needs the database, and finds out what is wrong with it."""
MAX_TABLES = 6
"""Tables at which somebody acts as a fault befalls everybody."""
REACHED_S = 20.0
"""Seconds within which people who play on come to any request of a turn."""
LOOK_S, MAX_LOOKS = 0.5, 80
STOPPED, REFUSED = 143, 1
"""Exit statuses: asked to end, and an error told in one sentence."""
SECOND_BOT_REFUSALS = "is in use by another Tabula|another Tabula serves some of the shards"
"""What is said of a second bot on a file, and on a server's database."""
SEEN_S = 30.0
"""Seconds within which the bot finds out that its clock was set."""
SILENCE_S = 90.0
"""Seconds within which a connection that carries nothing is given up.

discord.py waits sixty and a heartbeat.
"""
RECONNECT = 7
CLOSED_BY_DISCORD = (4000, 4001, 4002, 4003, 4005, 4007, 4008, 4009)
PAUSE_S, LOOKS = 2.5, 8
JUMPS_S = (3600, -3600, 86_400 * 5, -86_400 * 5, 86_400 * 100, -86_400 * 100, 90, -90)


async def apply_fault(torture: Torture, fault: ScheduledFault) -> str:
    """Apply a fault to the bot while people play.

    A line in the log must be all that comes of it.
    """
    chance = fault.create_random()
    tables = chance.sample(torture.tables, min(chance.randint(2, MAX_TABLES), len(torture.tables)))
    await asyncio.gather(
        *(torture.ensure_match(table, Random(f"{fault.seed} {table.number}")) for table in tables)
    )
    deed = await torture.plan_league_deed(Random(f"{fault.seed} league"))
    acting = asyncio.create_task(_act_in_league(deed, Random(f"{fault.seed} moment")))
    try:
        what = await _FAULTS_BY_KIND[fault.kind](torture, tables, chance)
    finally:
        await acting
    await torture.wait_for_rest(tables)
    await torture.settle_league()
    await torture.check_tables(tables, silent=fault.kind in UNANSWERED_KINDS)
    for table in tables:
        table.forget_past()
    await asyncio.gather(
        *(
            torture.ensure_match(table, Random(f"{fault.seed} {table.number} again"))
            for table in tables
        )
    )
    await torture.check_progress(tables)
    return what


async def _act_in_league(deed: Deed | None, chance: Random) -> None:
    """Let somebody act in the league at any moment of a fault's beginning."""
    await asyncio.sleep(chance.random() * MAX_DELAY_S)
    # Nobody sees the message any more, or it can no longer be pressed.
    with suppress(LookupError):
        if deed:
            await deed()


UNANSWERED_KINDS = frozenset(("kill", "kill at", "damaged"))
"""Of what was acknowledged in the instant before the bot was killed, nobody need be told."""


async def _begin_actions(tables: list[TortureTable], chance: Random) -> None:
    """Let somebody act at each of the tables, without waiting for an answer."""
    await asyncio.gather(*(table.begin_action(typed=chance.random() < 0.4) for table in tables))


async def _wait_for_answers(tables: list[TortureTable]) -> None:
    """Wait until all that was done is acknowledged, or is no more waited for."""
    await asyncio.gather(*(table.wait_for_answers() for table in tables))


async def _kill_bot(torture: Torture, tables: list[TortureTable], chance: Random) -> str:
    """Kill the bot at any moment of what people do."""
    start = len(torture.log.lines)
    await _begin_actions(tables, chance)
    after = chance.random() * 0.6
    await asyncio.sleep(after)
    await torture.bot.kill()
    return await _restart_bot(
        torture, start, f"killed {after:.3f} s after {len(tables)} people acted"
    )


async def _restart_bot(torture: Torture, start: int, what: str) -> str:
    """Start the bot after it has died, and see that its log says so."""
    await torture.server.wait_until_disconnected()
    await torture.bot.start()
    await torture.expect_log_line(start, "did not shut down cleanly")
    return what


async def _kill_bot_at_request(torture: Torture, tables: list[TortureTable], chance: Random) -> str:
    """Kill the bot between a request and its answer."""
    start = len(torture.log.lines)
    request = chance.choice(("callback", "edit message", "post message", "delete answer"))
    gate, after = Gate(), chance.random() < 0.5
    planned = torture.server.faults.inject(request, Held(after=after, gate=gate))
    reaching = asyncio.create_task(gate.wait_until_reached(REACHED_S))
    try:
        while not reaching.done():
            await _begin_actions(tables, chance)
            resting = asyncio.create_task(_rest_and_check(torture, tables))
            await asyncio.wait((reaching, resting), return_when=asyncio.FIRST_COMPLETED)
            if not reaching.done():
                await resting
            resting.cancel()
        await torture.bot.kill()
    finally:
        torture.server.faults.remove(planned)
        await asyncio.gather(reaching, return_exceptions=True)
    return await _restart_bot(
        torture, start, f"killed {'after' if after else 'before'} Discord acted on {request}"
    )


async def _rest_and_check(torture: Torture, tables: list[TortureTable]) -> None:
    """Wait until what people did has come to something."""
    await torture.wait_for_rest(tables)
    await torture.check_tables(tables, silent=False)


async def _stop_bot(torture: Torture, tables: list[TortureTable], chance: Random) -> str:
    """Stop the bot in good order while people act, and start it again."""
    start = len(torture.log.lines)
    await _begin_actions(tables, chance)
    await asyncio.sleep(chance.random() * 0.3)
    if (status := await torture.bot.stop()) != STOPPED:
        raise TortureFailure(f"told to end, the bot ended with {status}")
    await torture.expect_log_line(start, "shutting down")
    await torture.server.wait_until_disconnected()
    await torture.bot.start()
    return "told to end while people act"


async def _break_connection(torture: Torture, tables: list[TortureTable], chance: Random) -> str:
    """Cut the gateway's connection in one of the ways in which it ends."""
    server, start = torture.server, len(torture.log.lines)
    ways: Mapping[str, Callable[[], Awaitable[None]]] = {
        "cut without a word": server.drop_connections,
        "closed": lambda: server.drop_connections(chance.choice(CLOSED_BY_DISCORD)),
        "told to connect again": lambda: server.world.sessions.broadcast(RECONNECT),
        "invalid, to be resumed": lambda: server.world.sessions.broadcast(
            INVALID_SESSION, data=True
        ),
        "invalid": torture.invalidate_session,
        "cut, and the session forgotten": lambda: server.drop_connections(forget=True),
    }
    # After the last two discord.py waits five seconds.
    how = chance.choices(list(ways), (6, 6, 6, 6, 1, 1))[0]
    if chance.random() < 0.5:
        await _begin_actions(tables, chance)
    await asyncio.sleep(chance.random() * 0.2)
    line = server.world.sessions.list_connections()
    await ways[how]()
    await _begin_actions(tables, chance)
    await torture.wait_for_connection(line)
    await _wait_for_answers(tables)
    await torture.expect_log_line(start, "lost its connection to Discord")
    return f"the gateway is {how}"


async def _silence_gateway(torture: Torture, tables: list[TortureTable], chance: Random) -> str:
    """Let the gateway acknowledge no heartbeat, nor say anything else."""
    server, start = torture.server, len(torture.log.lines)
    line = server.world.sessions.list_connections()
    server.world.sessions.silence_all()
    await _begin_actions(tables, chance)
    await torture.wait_for_connection(line, SILENCE_S)
    await _wait_for_answers(tables)
    await torture.expect_log_line(start, "lost its connection to Discord")
    return "heartbeats are not acknowledged"


async def _act_during_fault(
    torture: Torture,
    tables: list[TortureTable],
    chance: Random,
    pause_s: float,
    complaint: str | None,
) -> None:
    """Let people act while the database suffers.

    This lasts for a while and until the bot has found out what is wrong. Where the bot is about to
    throw, which it can't save meanwhile, nobody can act until it is over.
    """

    async def begin_actions() -> None:
        await _begin_actions([each for each in tables if each.find_newest_message()], chance)

    start = len(torture.log.lines)
    await begin_actions()
    await asyncio.sleep(pause_s)
    if chance.random() < 0.5:
        await begin_actions()
    if complaint:
        await torture.expect_log_line(start, f"{torture.database.name}.*{complaint}", FOUND_OUT_S)


async def _lock_database(torture: Torture, tables: list[TortureTable], chance: Random) -> str:
    """Let another program hold the database."""
    start, pause_s = len(torture.log.lines), chance.choice((0.5, 2.5, 3.0, 4.0))
    complaint = "is locked by another program" if pause_s > PATIENCE_S else None
    async with torture.database.hold_lock():
        await _act_during_fault(torture, tables, chance, pause_s, complaint)
    await _wait_for_answers(tables)
    if complaint:
        await _check_complaint(torture, tables, start, complaint)
    return f"the database is locked for {pause_s} s"


async def _check_complaint(
    torture: Torture, tables: list[TortureTable], start: int, complaint: str
) -> None:
    """Check that the log reports what is wrong with the database, and that it works again.

    What is wrong must be reported only once until the database works again.
    """
    await torture.wait_for_rest(tables)
    # It is well again when something is saved.
    await asyncio.gather(*(table.begin_action() for table in tables))
    await torture.expect_log_line(start, f"{torture.database.name} works again")
    spoken = ("works again", complaint)
    turns = torture.log.find_lines(
        start,
        lambda line: any(
            f"bot.platform.db.database {torture.database.name} {word}" in line for word in spoken
        ),
    )
    # On a disk that is all but full the small fits and the large does not, so it may work in
    # between.
    if any(complaint in line and complaint in after for line, after in pairwise(turns)):
        raise TortureFailure(
            f"the log says again that the database {complaint}, though it has not worked since"
        )


async def _take_database_away(torture: Torture, tables: list[TortureTable], chance: Random) -> str:
    """Take the database away for a while, once in a long while for a minute."""
    start, pause_s = (
        len(torture.log.lines),
        chance.choices((0.5, 2.5, 5.0, 60.0), (5, 5, 2, 0.3))[0],
    )
    complaint = {"sqlite": "is gone", "postgresql": "cannot be reached"}[torture.database.kind]
    async with torture.database.take_away(chance) as how:
        await _act_during_fault(torture, tables, chance, pause_s, complaint)
    await _wait_for_answers(tables)
    await _check_complaint(torture, tables, start, complaint)
    return f"{how}, for {pause_s} s"


async def _fill_disk(torture: Torture, tables: list[TortureTable], chance: Random) -> str:
    """Leave the database no room."""
    start, pause_s = len(torture.log.lines), chance.choice((0.5, 2.0))
    way = torture.database.ways["full"]
    complaint = "has no room left" if "disk" in way else "cannot be read or written"
    async with torture.database.fill_disk(torture.bot.pid):
        await _act_during_fault(torture, tables, chance, pause_s, complaint)
    await _wait_for_answers(tables)
    await _check_complaint(torture, tables, start, complaint)
    return f"no room for {pause_s} s, by {way}"


async def _damage_page(torture: Torture, tables: list[TortureTable], chance: Random) -> str:
    """Spoil a page: the bot must refuse to go on, and leave the file as it is."""
    start = len(torture.log.lines)
    await torture.bot.stop()
    await torture.server.wait_until_disconnected()
    async with torture.database.damage_page(chance, tables[0].match) as damage:
        before = damage.file.read_bytes()
        await torture.bot.launch()
        # A server is not looked through at the start; there it is found when somebody acts.
        for _ in range(MAX_LOOKS):
            if torture.bot.exit_status is not None:
                break
            if torture.server.world.sessions.list_connected():
                await _begin_actions(tables, chance)
            await asyncio.sleep(LOOK_S)
        if await torture.bot.wait() != EX_CONFIG:
            raise TortureFailure("the bot does not refuse a damaged database")
        await torture.expect_log_line(start, "^tabula: .*is damaged; restore")
        if damage.file.read_bytes() != before:
            raise TortureFailure("the bot changed a damaged file")
    await torture.bot.start()
    return f"page at {damage.offset} of {damage.file.name} spoilt"


async def _shift_clock(torture: Torture, tables: list[TortureTable], chance: Random) -> str:
    """Set the bot's clock, let people play, and set it right."""
    by_s = chance.choice(JUMPS_S)
    # Before the bot has noted that people can act, it cannot tell a clock set ahead from its
    # having been down.
    await torture.expect_log_line(torture.bot.begun, "ready as", START_S)
    await torture.wait_for_rest(tables)
    for ahead, said in ((by_s, by_s > 0), (0, by_s < 0)):
        start = len(torture.log.lines)
        torture.set_clock(ahead)
        await _begin_actions(tables, chance)
        await _wait_for_answers(tables)
        sentence = "the clock jumped ahead" if said else "the clock was set back"
        await torture.expect_log_line(start, sentence, SEEN_S)
        await torture.wait_for_rest(tables)
        await torture.check_tables(tables, silent=False)
    return f"the clock is set by {by_s} s, and set right"


async def _shift_clock_between(torture: Torture, tables: list[TortureTable], chance: Random) -> str:
    """Set the clock ahead between the bot's loading of matches and its judging of their clocks."""
    by_s = chance.choice((86_400 * 5, 86_400 * 100))
    await torture.expect_log_line(torture.bot.begun, "ready as", START_S)
    await torture.wait_for_rest(tables)
    # Jobs that are tried again in a second have the bot look for what is due by the new time.
    refused = Held(404, 0, "404: Not Found")
    planned = torture.server.faults.inject("post message", refused, times=None)
    # Each table acts once: its press is answered, but the next board is one of those refused.
    for table in chance.sample(torture.tables, min(LOOKS, len(torture.tables))):
        await _begin_actions([table], chance)
        await asyncio.sleep(1 / LOOKS)
    try:
        start = len(torture.log.lines)
        torture.bot.pause_file.write_text(f"{PAUSE_S}")
        torture.set_clock(by_s)
        torture.server.faults.remove(planned)
        await torture.expect_log_line(start, "the clock jumped ahead", SEEN_S)
        await asyncio.sleep(PAUSE_S + 1)
    finally:
        torture.bot.pause_file.unlink(missing_ok=True)
    start = len(torture.log.lines)
    torture.set_clock(0)
    await torture.expect_log_line(start, "the clock was set back", SEEN_S)
    await torture.wait_for_rest(torture.tables)
    await torture.check_tables(torture.tables, silent=False)
    return f"the clock is set by {by_s} s as matches are looked at"


async def _restore_backup(torture: Torture, tables: list[TortureTable], chance: Random) -> str:
    """Put an older copy back in the place of the database."""
    copy = torture.folder / "copy-to-restore.sqlite3"
    copy.unlink(missing_ok=True)
    await torture.wait_for_rest(torture.tables)
    await torture.bot.execute_command("backup", str(copy))
    rounds = chance.randint(0, 3)
    for _ in range(rounds):
        await _begin_actions(tables, chance)
        await _wait_for_answers(tables)
        await torture.wait_for_rest(tables)
        await torture.check_tables(tables, silent=False)
    await torture.bot.stop()
    await torture.server.wait_until_disconnected()
    await torture.bot.execute_command("restore", str(copy), "--replace")
    torture.database.remove_leftovers()
    await torture.bot.start()
    await torture.rewind_knowledge()
    await torture.league.rewind()
    await torture.wait_for_rest(torture.tables)
    return f"restored as it was {rounds} rounds before"


async def _start_second_bot(torture: Torture, tables: list[TortureTable], chance: Random) -> str:
    """Start a second bot with the same token: on the same database, or on one of its own."""
    start, database = len(torture.log.lines), torture.database
    same = chance.random() < 0.5
    where = database.where if same else database.create_another()
    second = torture.create_another_bot({"TABULA_DATABASE": where}, "second: ")
    if same:
        await second.launch()
        await _begin_actions(tables, chance)
        if await second.wait() != REFUSED:
            raise TortureFailure("a second bot runs on the same database")
        await _wait_for_answers(tables)
        await torture.expect_log_line(start, SECOND_BOT_REFUSALS)
        return "a second bot on the same database"
    await second.start()
    for _ in range(4):
        await _begin_actions(tables, chance)
        await _wait_for_answers(tables)
        await torture.wait_for_rest(tables)
        await torture.check_tables(tables, silent=False)
    await torture.expect_log_line(start, "another program with this token")
    await second.stop()
    return "a second bot on another database"


async def _make_server_unavailable(
    torture: Torture, tables: list[TortureTable], chance: Random
) -> str:
    """Let one of the two servers be out of reach while people play in the other."""
    server = torture.server
    guild = chance.choice([*server.world.guilds])
    start, pause_s = len(torture.log.lines), chance.choice((0.0, 0.3, 1.5))
    inside = [table for table in tables if table.home.guild_id == guild]
    outside = [table for table in tables if table not in inside]
    await _begin_actions(inside, chance)
    await asyncio.sleep(chance.random() * 0.3)
    await server.make_unavailable(guild)
    await _begin_actions(outside, chance)
    await torture.wait_for_rest(outside)
    await torture.check_tables(outside, silent=False)
    await asyncio.sleep(pause_s)
    await server.make_available(guild)
    await _wait_for_answers(inside)
    await torture.expect_log_line(start, f"server {guild}")
    return f"server {guild} is unavailable for {pause_s} s"


async def _reinvite_bot(torture: Torture, tables: list[TortureTable], chance: Random) -> str:
    """Let the bot be removed from one of the two servers and invited again.

    Sometimes this happens while it is down.
    """
    server = torture.server
    guild = chance.choice([*server.world.guilds])
    start, down = len(torture.log.lines), chance.random() < 0.3
    inside = [table for table in tables if table.home.guild_id == guild]
    await _begin_actions(inside, chance)
    await asyncio.sleep(chance.random() * 0.3)
    await server.remove_bot(guild)
    if down:
        await torture.bot.stop()
        await server.wait_until_disconnected()
        await torture.bot.start()
    await asyncio.sleep(chance.choice((0.0, 0.5, 2.0)))
    await server.invite_bot(guild)
    await _wait_for_answers(inside)
    await torture.expect_log_line(start, f"server {guild}")
    return f"removed from server {guild} and invited again" + (", with a restart" if down else "")


async def _hinder_league(torture: Torture, tables: list[TortureTable], chance: Random) -> str:
    """Refuse, or leave without an answer, what the bot posts or edits for the league."""
    is_starting = torture.league.state == "open"
    request = chance.choice(("post message", "open thread" if is_starting else "edit message"))
    word = chance.choice([*FAILURES, "dropped"])
    fault = FAILURES.get(word, Held(CUT))
    after, times = chance.random() < 0.5, chance.randint(1, 3)
    planned = torture.server.faults.inject(
        request,
        copy_with_timing(fault, after=after),
        times=times,
        where=torture.league.has_request_path,
    )
    await _begin_actions(tables, chance)
    await asyncio.sleep(HINDERED_S)
    torture.server.faults.remove(planned)
    if not planned.met:
        torture.unmet += 1
    when = "after" if after else "before"
    return f"{word} {when} {request} of the league, {planned.met} times"


_FAULTS_BY_KIND: Mapping[str, Callable[[Torture, list[TortureTable], Random], Awaitable[str]]] = {
    "kill": _kill_bot,
    "kill at": _kill_bot_at_request,
    "stop": _stop_bot,
    "cut": _break_connection,
    "heartbeats": _silence_gateway,
    "locked": _lock_database,
    "gone": _take_database_away,
    "full": _fill_disk,
    "damaged": _damage_page,
    "clock": _shift_clock,
    "two bots": _start_second_bot,
    "clock between": _shift_clock_between,
    "restored": _restore_backup,
    "server away": _make_server_unavailable,
    "invited again": _reinvite_bot,
    "league": _hinder_league,
}
