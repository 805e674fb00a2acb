"""No statement that the bot sends reads a table that grows from end to end, on either database.

The real bot is started on a database with some thousand stored matches, and people begin, play, end
and look at matches. Every statement that it then sent is asked of the database again: how would it
go about it?
"""

import json
import re
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import asyncpg  # type: ignore[import-untyped]
import pytest
import pytest_asyncio
from discord import AppCommandOptionType
from sqlalchemy import Connection, Engine, func, insert, literal, select, update

from bot.features.challenges.tables import challenges
from bot.features.contests.tables import contests, pairings, rulings
from bot.features.ladders.tables import events as ladder_events
from bot.features.ladders.tables import ladders
from bot.features.ladders.tables import results as ladder_results
from bot.features.matches.session import SessionCache
from bot.features.matches.store.inspection import Inspection
from bot.features.matches.tables import matches
from bot.features.moderation.store import table as audit
from bot.features.notifications.jobs import SETTLE_MS
from bot.features.notifications.store import notices, subscriptions
from bot.features.preferences.store import blocks
from bot.features.ratings.leaderboards import NoVisibleChangeError, explain_last_change
from bot.features.ratings.service import ALL_GAMES
from bot.platform import outages
from bot.platform.db.store import Store
from bot.platform.db.tables import load_metadata
from bot.platform.db.tables import people as people_table
from engine.clock import DAY, MINUTE
from tests.bench import stocking
from tests.bench.club import play_club_season
from tests.bench.stocking import Stock
from tests.store.test_statements import capture_statements
from tests.support import driver, panels
from tests.support.club import SimulatedClub, open_club, poll_rarely
from tests.support.contests import create_contest, press_standings
from tests.support.uses import SLOW, list_groups, list_uses

pytestmark = pytest.mark.asyncio
STOCK = Stock(20, 3_000)
QUICKLY = 4
"""Acts after which somebody gives up, so that a club has played its matches in a moment."""
TURNS = 12
DELETION_MS = 2 * MINUTE
"""Within which a server's data is deleted, once its channels show that all has ended."""
SMALL = {"notes", "presences"}
"""Tables that do not grow: the program's own notes, and one row for each shard."""
OF_THE_PRESENT = {
    "running_matches",
    "open_challenges",
    "unfinished_contests",
    "open_ladders",
    "waiting_jobs",
    "failed_jobs",
    "given_up_jobs",
    "leased_jobs",
}
"""Indexes of running or waiting things only, which may be read whole.

They grow with those, and not with what is stored.
"""
OF_THE_RARE = {"matches_with_former", "audit_of_people", "ladder_events_by", "ladder_rulings"}
"""Indexes of what is found in few rows of a table: a moderator's act, or a seat that changed hands.

Only exports and deletions of somebody's data read them whole.
"""
_LADDER: dict[str, Any] = {
    "channel": 2,
    "name": "Spring ladder",
    "game": "fallas",
    "options": {},
    "rated": True,
    "pace": "week",
    "created": 0,
    "next_drop": 0,
    "closed": 1,
}
_LEAGUE: dict[str, Any] = {
    "channel": 2,
    "name": "Spring league",
    "game": "fallas",
    "options": {},
    "rated": True,
    "pace": "week",
    "days": 28,
    "unfinished": "draw",
    "repeats": False,
    "season": 1,
    "secret": bytes(32),
    "commitment": "c0ffee",
    "created": 0,
    "starts": 0,
    "state": "over",
}
REASONS: Mapping[str, str] = {
    "FROM (SELECT challenges.guild": "the last two thousand challenges, however many there are",
    "FROM jobs ORDER BY jobs.id": "the doctor reads them all, and so do tests that wait for them",
    "FROM outages WHERE 0 = 1": (
        "for somebody's absences alone, whenever the bot was down: nothing of it is read"
    ),
    "FROM habits WHERE habits.everywhere = 1": (
        "a leaderboard of all servers: those who chose to be on it, by a partial index"
    ),
    **{
        f"CAST({column} AS TEXT) LIKE": (
            "once for each deletion of data: what people typed, or what waits, is searched for the "
            "person"
        )
        for column in (
            *("memos.text", "audit.reason", "contest_rulings.reason", "contests.name"),
            *("ladders.name", "jobs.detail", "jobs.error"),
        )
    },
    **{
        f"{table}.person = ": "what people did in the last week, with an export or a deletion"
        for table in ("puzzle_answers",)
    },
    **{
        f"FROM {table} WHERE {table}.match IN (SELECT seats.match": (
            "by an index of their matches, in whose order PostgreSQL reads the few that are here"
        )
        for table in ("memos", "reports")
    },
    **{
        f"FROM {table} WHERE {table}.{parent} IN (SELECT {parent}s.id": (
            "for an export or a deletion of a server's data PostgreSQL reads the few that are here "
            "in the order of their key"
        )
        for table, parent in (
            ("byes", "contest"),
            ("contest_roles", "contest"),
            ("contest_role_holders", "contest"),
            ("entrants", "contest"),
            ("ladder_players", "ladder"),
        )
    },
    "DELETE FROM jobs WHERE jobs.guild": "what waits, once for each such deletion",
    "FROM seat_offers WHERE seat_offers.": "what was offered in the last day, as above",
    **{
        f"WHERE {table}.language IS NOT NULL": (
            "once at the start, and for several processes three times a minute: those who have "
            "chosen any setting"
        )
        for table in ("habits", "servers")
    },
    **{
        f"SELECT DISTINCT {table}.guild FROM {table}": (
            "once at the start: which servers have removed the bot meanwhile, by what they have "
            "besides matches"
        )
        for table in (
            "servers",
            "subscriptions",
            "audit",
            "contests",
            "ladders",
            "scheduled_posts",
            "puzzle_answers",
        )
    },
}
"""What reads all of something nevertheless, and why it may."""

Said = dict[str, Any]
"""Statements, each with the parameters with which it was sent first."""


@pytest_asyncio.fixture
async def stocked(where: str | Path, tmp_path: Path) -> str | Path:
    """A database with some thousand stored matches."""
    await stocking.create_database(
        where, await play_club_season(tmp_path / "club.sqlite3", longest=QUICKLY)
    )
    await stocking.grow_database(where, Stock(0, 0), STOCK)
    async with await Store.open(where) as store:
        for fill in (
            _block_neighbours,
            _fill_audit_log,
            _fill_leagues,
            _fill_ladders,
            _subscribe_everybody,
        ):
            await store._database.write(fill)  # noqa: SLF001 - by the front door it takes long
    return where


def _block_neighbours(connection: Connection) -> None:
    """Let everybody have blocked the one who came to their club after them."""
    other = people_table.alias()
    pairs = select(people_table.c.id, other.c.id).join(other, other.c.id == people_table.c.id + 1)
    connection.execute(insert(blocks).from_select(["person", "blocked"], pairs))


def _fill_leagues(connection: Connection) -> None:
    """Let every match belong to a league of two matches that is over."""
    by_id = select(people_table.c.id).order_by(people_table.c.id).limit(2)
    organiser, other = connection.execute(by_id).scalars()
    numbers = connection.execute(
        select(matches.c.id, matches.c.guild).where(matches.c.ended.is_not(None))
    ).all()
    pairs = list(zip(numbers[::2], numbers[1::2], strict=True))
    connection.execute(
        insert(contests),
        [
            {**_LEAGUE, "id": number, "guild": first.guild, "organiser": organiser}
            for number, (first, _) in enumerate(pairs, 1)
        ],
    )
    met = {"division": 0, "first": organiser, "second": other}
    connection.execute(
        insert(pairings),
        [
            {**met, "contest": number, "number": at, "match": each.id}
            for number, pair in enumerate(pairs, 1)
            for at, each in enumerate(pair, 1)
        ],
    )
    ruled = {"at": 0, "moderator": organiser, "action": "start", "reason": "a slip"}
    connection.execute(
        insert(rulings), [{**ruled, "contest": number} for number in range(1, len(pairs) + 1)]
    )
    if connection.dialect.name == "postgresql":
        last = select(func.max(contests.c.id)).scalar_subquery()
        connection.execute(select(func.setval("contests_id_seq", last)))


def _fill_ladders(connection: Connection) -> None:
    """Let every match belong to a ladder of its own that is closed."""
    organiser = connection.execute(select(func.min(people_table.c.id))).scalar_one()
    found = connection.execute(
        select(matches.c.id, matches.c.guild).where(matches.c.ended.is_not(None))
    ).all()
    connection.execute(
        insert(ladders),
        [{**_LADDER, "id": each.id, "guild": each.guild, "organiser": organiser} for each in found],
    )
    joined = {"at": 0, "action": "join", "person": organiser}
    connection.execute(insert(ladder_events), [{**joined, "ladder": each.id} for each in found])
    ended = {"at": 1, "winner": organiser, "how": "off"}
    connection.execute(insert(ladder_results), [{**ended, "match": each.id} for each in found])
    connection.execute(
        update(challenges)
        .where(challenges.c.match.in_([each.id for each in found]))
        .values(ladder=challenges.c.match)
    )
    if connection.dialect.name == "postgresql":
        last = select(func.max(ladders.c.id)).scalar_subquery()
        connection.execute(select(func.setval("ladders_id_seq", last)))


def _subscribe_everybody(connection: Connection) -> None:
    """Let everybody have subscribed to a game in some server, and been notified."""
    every = select(people_table.c.id, people_table.c.id, literal("zeno"))
    columns = ["person", "guild", "game"]
    connection.execute(insert(subscriptions).from_select(columns, every))
    notified = select(people_table.c.id, literal(0))
    connection.execute(insert(notices).from_select(["person", "at"], notified))


def _fill_audit_log(connection: Connection) -> None:
    """Let the log tell of every match."""
    moderator = select(func.min(people_table.c.id)).scalar_subquery()
    said = literal("draw"), literal("a slip"), literal([], audit.c.people.type)
    every = select(matches.c.guild, matches.c.created, moderator, matches.c.id, *said)
    columns = ["guild", "at", "moderator", "match", "action", "reason", "people"]
    connection.execute(insert(audit).from_select(columns, every))


@pytest.mark.sweep
async def test_no_statement_reads_all_of_what_grows(
    stocked: str | Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    poll_rarely(monkeypatch)
    with capture_statements(Engine) as every:
        async with open_club(stocked) as people:
            await _do_everything(people)
    payload: Said = {}
    for statement, parameters in every:
        payload.setdefault(statement, parameters[0] if isinstance(parameters, list) else parameters)
    plans = (
        _explain_on_sqlite(stocked, payload)
        if isinstance(stocked, Path)
        else await _explain_on_postgresql(stocked, payload)
    )
    assert len(plans) > 50
    scans = [
        f"{read}\n{statement}"
        for statement, read in plans.items()
        if read and not any(piece in " ".join(statement.split()) for piece in REASONS)
    ]
    assert not scans, "\n\n".join(scans)


async def _do_everything(people: SimulatedClub) -> None:
    """Let people do what they do in a club, and the bot what it does by itself."""
    ana, channel = people.ana, people.channel
    await driver.start_match(people, "backgammon", rated=True, pace="day")
    for _ in range(TURNS):
        assert await driver.take_next_action(people)
    for command, options in (
        ("match board", {}),
        ("matches", {}),
        ("leaderboard", {}),
        ("leaderboard", {"scope": "everywhere"}),
        ("me profile", {}),
        ("match follow", {"match": _get_newest_match(people)}),
        ("match resign", {}),
    ):
        await ana.slash(channel, command, **options)
    for command, options in (
        ("leaderboard", {}),
        ("leaderboard", {"scope": "everywhere", "game": "backgammon"}),
        ("leaderboard", {"season": "now"}),
        ("me profile", {}),
        ("match record", {}),
        ("play", {"game": "zeno"}),
        ("me settings", {}),
    ):
        await ana.slash(channel, command, **options)
    for pool, player in ((ALL_GAMES, ana), ("backgammon", people.ben)):
        with suppress(NoVisibleChangeError):
            await explain_last_change(people.bot.app, people.guild.id, pool, player.id, ana.id)
    await ana.autocomplete(channel, "leaderboard", "season", "")
    await _do_rare_actions(people)
    await _use_every_command(people)
    await people.advance_clock(1000)
    await people.store.get(Inspection).measure_load(people.hands())
    await people.bot.runner.retry_failed()
    await outages.record_heartbeat(people.bot.app)
    question = await panels.ask_server_data(ana, channel, "delete")
    await ana.click(driver.get_response(question).message, label="Delete this server's data")
    await people.advance_clock(DELETION_MS)


async def _use_every_command(people: SimulatedClub) -> None:
    """Let somebody use each command in every way, so that none is forgotten here."""
    things = {AppCommandOptionType.user: people.ben}
    for commands in list_groups().values():
        for command in commands:
            for use in list_uses(command, things) if command.name not in SLOW else ():
                await people.ana.slash(people.channel, command.qualified_name, **use)


async def _do_rare_actions(people: SimulatedClub) -> None:
    """Let people and moderators do what few do; matches after an annulled one are rated anew."""
    ana, ben, channel = people.ana, people.ben, people.channel
    # Each throw is something to do, of which the shortest game has more than that.
    await driver.choose_own_throws(people, ana, ben)
    await driver.start_match(people, "doblet", rated=True)
    annulled = _get_newest_match(people)
    for _ in range(TURNS):
        assert await driver.take_next_action(people)
    await ana.slash(channel, "match draw", match=annulled)
    await ben.slash(channel, "match draw", match=annulled)
    await driver.start_match(people, "doblet", rated=True)
    await ben.slash(channel, "match resign")
    for member, command, options in (
        (ana, "server end", {"match": annulled, "how": "annul", "reason": "a slip"}),
        (ana, "server log", {}),
        (ana, "server stats", {}),
        (ana, "match note", {"match": annulled, "text": "a slip"}),
        (ana, "match replay", {"match": annulled}),
        (ana, "match report", {"match": annulled}),
        (ana, "puzzle", {}),
        (ana, "me block", {"person": people.cyn}),
        (ana, "me block", {}),
        (ana, "me block", {"person": people.cyn, "lift": True}),
        (ana, "me vacation", {"days": 2}),
        (people.cyn, "notify", {"game": "zeno"}),
        (people.cyn, "notify", {"game": "any"}),
        (people.cyn, "notify", {"game": "any"}),
        (ana, "challenge", {"game": "zeno"}),
    ):
        await member.slash(channel, command, **options)
    await people.advance_clock(SETTLE_MS)
    assert people.cyn.user.dm_channel.last_message
    await panels.change_server(ana, channel, quiet="22-7")
    await panels.change_settings(ana, channel, throws=False)
    await _climb_ladder(people)
    await _look_through_history(people)
    await _have_data_deleted(people)
    await panels.ask_server_data(ana, channel, "export")
    await people.advance_clock(0)


async def _have_data_deleted(people: SimulatedClub) -> None:
    """Let somebody get their data and have it deleted."""
    await panels.export_data(people.cyn, people.channel)
    await people.advance_clock(0)
    message = await panels.ask_deletion(people.cyn, people.channel)
    await people.cyn.click(message, label="Delete my data")
    await people.advance_clock(6_000)


async def _climb_ladder(people: SimulatedClub) -> None:
    """Let people join a ladder, challenge and leave."""
    ben, cyn, channel = people.ben, people.cyn, people.channel
    await create_contest(people.ana, channel, "ladder", name="Club", game="fallas")
    for member in (cyn, ben):
        await press_standings(member, channel, "ladder", "join")
    await press_standings(ben, channel, "ladder", "next")
    await people.ana.slash(channel, "ladder manage")
    await ben.slash(channel, "ladder challenge", opponent=cyn)
    message = driver.get_newest_message(people)
    await cyn.click(message, custom_id=driver.find_button(message, ":accept"))
    await press_standings(ben, channel, "ladder", "leave")
    await people.advance_clock(8 * DAY)


async def _look_through_history(people: SimulatedClub) -> None:
    """Let people look through finished matches in every way, and save them as a file."""
    await create_contest(people.ana, people.channel, "league", name="Autumn", game="fallas")
    answer = [
        await people.ana.slash(people.channel, "history", **options)
        for options in (
            {"contest": "Autumn"},
            {"player": people.ben},
            {"player": people.ben, "game": "doblet", "contest": "Autumn"},
            {"ladder": "Club"},
            {"player": people.ben, "game": "fallas", "ladder": "Club"},
            {"game": "doblet"},
            {},
        )
    ]
    await people.ana.click(driver.get_response(answer[-1]).message, label="CSV")
    await people.ana.user.slash("history", player=people.ben.user)


def _get_newest_match(people: SimulatedClub) -> int:
    """The number of the match that was begun here."""
    return max(people.bot.app.get_part(SessionCache))


def _explain_on_sqlite(where: Path, said: Said) -> dict[str, list[str]]:
    """Return, for each statement, which growing tables SQLite would scan for it, and how."""
    plans = {}
    with closing(sqlite3.connect(where)) as connection:
        for statement, parameters in said.items():
            if _has_plan(statement):
                plan = connection.execute(f"EXPLAIN QUERY PLAN {statement}", parameters)
                plans[statement] = [line for *_, line in plan if _is_scan(line)]
    return plans


def _has_plan(statement: str) -> bool:
    """Whether a statement reads or changes rows of tables that are there when all is over."""
    return (
        re.match(r"\s*(SELECT|UPDATE|DELETE|INSERT|WITH)\b", statement) is not None
        and "sqlite_master" not in statement
    )


def _is_scan(line: str) -> bool:
    found = re.match(r"SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?", line)
    if found is None or found[2] in OF_THE_PRESENT | OF_THE_RARE:
        return False
    return found[1] in load_metadata().tables and found[1] not in SMALL


async def _explain_on_postgresql(where: str, said: Said) -> dict[str, list[str]]:
    """Return the same for PostgreSQL, which knows how many rows there are.

    It is to read all of them only where it must.
    """
    plans = {}
    connection = await asyncpg.connect(where)
    await connection.execute("ANALYZE")
    await connection.execute("SET enable_seqscan = off")
    for statement, parameters in said.items():
        if _has_plan(statement):
            (plan,) = json.loads(
                await connection.fetchval(f"EXPLAIN (FORMAT JSON) {statement}", *parameters)
            )
            plans[statement] = list(_find_full_scans(plan["Plan"]))
    await connection.close()
    return plans


def _find_full_scans(node: dict[str, Any], limited: bool = False) -> Iterator[str]:
    """Yield the parts of a plan that read all of a growing table, in its or an index's order."""
    limited = limited or node["Node Type"] == "Limit"
    table = node.get("Relation Name")
    kind = node["Node Type"]
    if table in load_metadata().tables and table not in SMALL:
        in_order = (
            kind in ("Index Scan", "Index Only Scan") and "Index Cond" not in node and not limited
        )
        present = node.get("Index Name") in OF_THE_PRESENT | OF_THE_RARE
        if kind == "Seq Scan" or (in_order and not present):
            yield f"{kind} {table} {node.get('Index Name', '')}"
    for inner in node.get("Plans", []):
        yield from _find_full_scans(inner, limited)
