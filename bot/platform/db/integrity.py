"""A check of the whole database: nothing that belongs in it is missing."""

from collections.abc import Callable

from sqlalchemy import Connection

from bot.platform.features import ExtensionPoint

INTEGRITY_CHECKS: ExtensionPoint[Callable[[Connection], list[str]]] = ExtensionPoint()
"""What features find wrong in what they store, a sentence each."""


def find_problems(connection: Connection) -> list[str]:
    """Return what is wrong in a database, a sentence each.

    Checked are its tables, the file, references, and what features add.
    """
    from bot.platform.db.schema import find_differences

    found = [*find_differences(connection), *_find_damage(connection)]
    for check in INTEGRITY_CHECKS.list_functions():
        found += check(connection)
    return found


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
