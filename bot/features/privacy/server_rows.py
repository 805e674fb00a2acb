"""A server taken out of every table, inside one transaction, and its rows as they are exported.

What the server chose and wrote is deleted. What its members played there stays theirs, under a
number that stands for a server of which nothing is known.
"""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Column, ColumnElement, Connection, Table, and_, delete, or_, select, update

from bot.features.privacy.collecting import PersonalRows, encode_value, is_exported
from bot.features.privacy.erasing import NO_WORDS
from bot.platform.db.shards import LEAST_SERVER, fold_server
from bot.platform.db.tables import jobs, load_metadata

SERVER_SCOPE = "server"
"""The scope of ids that are a server's."""
_DELETED = ("servers", "subscriptions", "audit", "jobs", "scheduled_posts", "puzzle_answers")
"""Tables by server whose rows are deleted with it."""
_SCOPED = ("looks", "puzzles")
"""Tables whose rows belong to a server, or to a person."""
_KEPT = ("matches", "challenges", "contests", "ladders", "match_lengths")
"""Tables by server whose rows others need: they get another number for it."""
_RATED = ("ratings", "rating_changes")
"""Tables of a server's leaderboards."""
_PLACES = ("message", "thread", "parent", "notice", "role", "event")
"""Columns of places on Discord, which a deleted server has no more."""
_CHILDREN = {
    "contest": ("contests", ("entrants", "pairings", "byes", "contest_roles", "contest_rulings")),
    "ladder": ("ladders", ("ladder_events",)),
}
"""Tables whose rows belong to a contest or ladder, by the column that names it."""


def collect_server_rows(connection: Connection, guild: int) -> PersonalRows:
    """Return what is stored of a server, by table, but for secrets and what jobs need."""
    found = {}
    for table in load_metadata().sorted_tables:
        which = _find_rows(table, guild)
        if which is not None:
            columns = [column for column in table.columns if is_exported(column)]
            query = select(*columns).where(which).order_by(*table.primary_key.columns)
            found[table.name] = [
                {name: encode_value(value) for name, value in row.items()}
                for row in connection.execute(query).mappings()
            ]
    return found


def _find_rows(table: Table, guild: int) -> ColumnElement[bool] | None:
    """Return the condition for the rows of a table that are given to a server; None for none."""
    if table.name == jobs.name:
        return None
    if table.name in _SCOPED:
        return and_(table.c.scope == SERVER_SCOPE, table.c.id == guild)
    if table.name in _RATED:
        return _is_on_board(table.c.scope, guild)
    if "guild" in table.c:
        return table.c.guild == guild
    for column, (parent, children) in _CHILDREN.items():
        if table.name in children:
            return table.c[column].in_(_select_of_server(parent, guild))
    return None


def _select_of_server(name: str, guild: int) -> Any:  # noqa: ANN401 - a query, used in a condition
    table = load_metadata().tables[name]
    return select(table.c.id).where(table.c.guild == guild)


def _is_on_board(scope: Column[str], guild: int) -> ColumnElement[bool]:
    """Return the condition that a scope is a server's, of all time or of a season."""
    return or_(scope == f"server:{guild}", scope.like(f"server:{guild}@%"))


def erase_server(connection: Connection, guild: int, now: int) -> int:
    """Take a server out of every table, and return the number that stands for it from now on.

    Nothing of it goes on any more, but for what nobody has ended: that is closed.
    """
    tables = load_metadata().tables
    number = _find_free_number(connection, guild)
    _close_rest(connection, guild, now)
    _erase_words(connection, guild)
    for name in _DELETED:
        connection.execute(delete(tables[name]).where(tables[name].c.guild == guild))
    for name in _SCOPED:
        table = tables[name]
        theirs = and_(table.c.scope == SERVER_SCOPE, table.c.id == guild)
        connection.execute(delete(table).where(theirs))
    for name in _RATED:
        _rename_boards(connection, tables[name], guild, number)
    # Before the contests and ladders themselves lose the server's number.
    for name in ("contest_role_holders", "contest_roles"):
        table = tables[name]
        of_server = table.c.contest.in_(_select_of_server("contests", guild))
        connection.execute(delete(table).where(of_server))
    for name in _KEPT:
        table = tables[name]
        gone = {place: None for place in _PLACES if place in table.c}
        values = {"guild": number, **({"channel": 0} if "channel" in table.c else {}), **gone}
        connection.execute(update(table).where(table.c.guild == guild).values(values))
    shared = tables["analyses"]
    nowhere = dict.fromkeys(("guild", "channel", "message"))
    connection.execute(update(shared).where(shared.c.guild == guild).values(nowhere))
    stops = tables["stoppages"]
    theirs = and_(stops.c.scope == SERVER_SCOPE, stops.c.subject == guild)
    connection.execute(update(stops).where(theirs).values(subject=number))
    facts = tables["notes"]
    connection.execute(delete(facts).where(facts.c.name.in_(_list_facts(guild))))
    return number


def _list_facts(guild: int) -> Iterator[str]:
    """Yield the names of what the program notes about a server."""
    yield f"greeting of {guild}"


def _find_free_number(connection: Connection, guild: int) -> int:
    """Return a number that no server has or had: its outages are those of the same shard."""
    number = fold_server(guild)
    for name in _KEPT:
        table = load_metadata().tables[name]
        while connection.execute(select(1).where(table.c.guild == number).limit(1)).first():
            number += 1
    return number


def _close_rest(connection: Connection, guild: int, now: int) -> None:
    tables = load_metadata().tables
    challenges, ladders = tables["challenges"], tables["ladders"]
    waiting = and_(challenges.c.guild == guild, challenges.c.state == "open")
    connection.execute(update(challenges).where(waiting).values(state="withdrawn", closed=now))
    is_open = and_(ladders.c.guild == guild, ladders.c.closed.is_(None))
    connection.execute(update(ladders).where(is_open).values(closed=now))
    stops = tables["stoppages"]
    lasting = and_(stops.c.scope == SERVER_SCOPE, stops.c.subject == guild, stops.c.ended.is_(None))
    # A stoppage may have begun later than now, where the clock was set back meanwhile.
    connection.execute(update(stops).where(lasting, stops.c.began < now).values(ended=now))
    connection.execute(delete(stops).where(lasting))


def _erase_words(connection: Connection, guild: int) -> None:
    """Delete the titles and reasons that were written in a server."""
    tables = load_metadata().tables
    for parent, child, column in (
        ("contests", "contest_rulings", "contest"),
        ("ladders", "ladder_events", "ladder"),
    ):
        titled, ruled = tables[parent], tables[child]
        reasons = ruled.c[column].in_(_select_of_server(parent, guild))
        given = and_(reasons, ruled.c.reason != "")
        connection.execute(update(ruled).where(given).values(reason=NO_WORDS))
        connection.execute(update(titled).where(titled.c.guild == guild).values(name=NO_WORDS))


def _rename_boards(connection: Connection, table: Table, guild: int, number: int) -> None:
    scopes = select(table.c.scope).where(_is_on_board(table.c.scope, guild)).distinct()
    for scope in connection.execute(scopes).scalars().all():
        renamed = scope.replace(f"server:{guild}", f"server:{number}", 1)
        connection.execute(update(table).where(table.c.scope == scope).values(scope=renamed))


def find_servers(connection: Connection, kind: str) -> set[int]:
    """Return the servers of which something is stored, and that no job of a kind is about."""
    tables = load_metadata().tables
    # Not by the matches, of which there may be millions: those alone are their players'.
    found = set()
    for name in ("servers", "subscriptions", "audit", "contests", "ladders"):
        guild = tables[name].c.guild
        found |= set(connection.execute(select(guild).distinct()).scalars())
    for name in _SCOPED:
        table = tables[name]
        owned = select(table.c.id).where(table.c.scope == SERVER_SCOPE).distinct()
        found |= set(connection.execute(owned).scalars())
    waiting = select(jobs.c.guild).where(jobs.c.kind == kind)
    folded = {guild for guild in found if guild < LEAST_SERVER}
    return found - folded - set(connection.execute(waiting).scalars())
