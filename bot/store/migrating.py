"""Bringing the tables to the present version."""

from pathlib import Path

from sqlalchemy import Connection, column, func, inspect, select, table

from bot.store.engines import PATIENCE_S
from bot.store.errors import StoreError

VERSION_TABLE = "tabula_version"
"""The table in which Alembic keeps the version.

Another program in the same database has `alembic_version`, so ours has a name of its own.
"""

FOLDERS = [Path(__file__).with_name("migrations") / "versions"]
"""Where the versions' modules lie, each named after its number."""

LONGEST_START_S = 60
"""Seconds for which a program waits for another that brings the tables up."""

MARK = 0x7AB01A
"""The mark of Tabula's SQLite files (application_id), and of our lock on a PostgreSQL database."""


def newest() -> int:
    """Return the number of the present version."""
    modules = (module for folder in FOLDERS for module in folder.glob("v*.py"))
    return max(int(module.stem.removeprefix("v").partition("_")[0]) for module in modules)


def migrate(connection: Connection, where: str) -> None:
    """Bring the tables to the present version, inside a transaction.

    Raises StoreError if they are not ours.
    """
    if connection.dialect.name == "postgresql":
        # Several programs may start at once on one server.
        own_the_server(connection)
        version = _version_on_server(connection, where)
    else:
        version = _version_in_file(connection)
    if version == newest():
        return
    from bot.store import steps

    steps.take(connection, version)
    if connection.dialect.name == "sqlite":
        # An older program looks there, and refuses the file.
        connection.exec_driver_sql(f"PRAGMA user_version = {newest()}")


def own_the_server(connection: Connection) -> None:
    """Keep other programs of ours from migrating a server's tables until the transaction ends."""
    # Whoever starts while another brings them up waits for that, longer than for any row.
    connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{LONGEST_START_S}s'")
    connection.execute(select(func.pg_advisory_xact_lock(MARK)))
    connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{PATIENCE_S}s'")


def require_present(version: int, where: str) -> None:
    """Raise StoreError if a database of ours is of an earlier version than the program."""
    if version == 0:
        raise StoreError(f"{where} is empty; `tabula run` makes it ready")
    if version < newest():
        advice = "`tabula run` brings it up to date"
        raise StoreError(
            f"{where} is of version {version}, and this program's is {newest()}; {advice}"
        )


def require_present_on_server(connection: Connection, where: str) -> None:
    """Raise StoreError if a server's database is not ours, or not of the program's version."""
    require_present(_version_on_server(connection, where), where)


def _version_on_server(connection: Connection, where: str) -> int:
    """Return the version of a database on a server, 0 for an empty one."""
    tables = inspect(connection).get_table_names()
    if VERSION_TABLE in tables:
        version = int(
            connection.execute(
                select(column("version_num")).select_from(table(VERSION_TABLE))
            ).scalar_one()
        )
        if version > newest():
            raise StoreError(
                f"{where} was written by a newer version of Tabula; update the program"
            )
        return version
    if tables:
        raise StoreError(f"{where} is the database of another program")
    return 0


def _version_in_file(connection: Connection) -> int:
    """Return the version of a file, 0 for a new one.

    `bot.store.opening` has checked before that the file is ours.
    """
    version: int = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
    return version
