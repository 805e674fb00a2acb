"""A check of the whole database: nothing that belongs in it is missing."""

from sqlalchemy import Connection, func, or_, select

from bot.platform.db.tables import events, matches


def find_problems(connection: Connection) -> list[str]:
    """Return what is wrong in a database, a sentence each.

    Checked are its tables, the file, references, and gaps in events.
    """
    from bot.platform.db.schema import find_differences

    return [*find_differences(connection), *_find_damage(connection), *_find_event_gaps(connection)]


def _find_damage(connection: Connection) -> list[str]:
    # A server looks after its own files, and holds references always.
    if connection.dialect.name != "sqlite":
        return []
    found = connection.exec_driver_sql("PRAGMA integrity_check").scalars()
    lost = connection.exec_driver_sql("PRAGMA foreign_key_check")
    return [
        *(fault for fault in found if fault != "ok"),
        *(
            f"a row of {table} refers to a row of {parent} that is not there"
            for table, _, parent, _ in lost
        ),
    ]


def _find_event_gaps(connection: Connection) -> list[str]:
    # Versions are unique in a match and begin at 1: with the right count and the right last one
    # there is no gap.
    count, last = func.count(events.c.version), func.coalesce(func.max(events.c.version), 0)
    query = (
        select(matches.c.id, matches.c.version, count)
        .outerjoin(events)
        .group_by(matches.c.id, matches.c.version)
        .having(or_(count != matches.c.version, last != matches.c.version))
        .order_by(matches.c.id)
    )
    return [
        f"match {number} should have the events 1 to {version}, but has {there}"
        for number, version, there in connection.execute(query)
    ]
