"""Bringing the tables to the present version."""

import logging
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, column, func, inspect, select, table

from bot.platform.db.engines import PATIENCE_S
from bot.platform.db.errors import UnusableDatabaseError

if TYPE_CHECKING:
    from alembic.config import Config

log = logging.getLogger(__name__)

VERSION_TABLE = "tabula_version"
"""The table in which Alembic keeps the version.

Another program in the same database has `alembic_version`, so ours has a name of its own.
"""

FOLDERS = [Path(__file__).with_name("migrations") / "versions"]
"""Where the versions' modules lie, each named after its number."""

MIGRATION_TIMEOUT_S = 60
"""Seconds for which a program waits for another that brings the tables up."""

APPLICATION_ID = 0x7AB01A
"""The mark of Tabula's SQLite files (application_id), and of our lock on a PostgreSQL database."""


def find_newest_version() -> int:
    """Return the number of the present version."""
    return max(map(_find_newest_in, FOLDERS))


@cache
def _find_newest_in(folder: Path) -> int:
    names = (module.stem for module in folder.glob("v*.py"))
    return max(int(name.removeprefix("v").partition("_")[0]) for name in names)


def migrate(connection: Connection, where: str) -> None:
    """Bring the tables to the present version, inside a transaction.

    Raises StoreError if they are not ours.
    """
    if connection.dialect.name == "postgresql":
        # Several programs may start at once on one server.
        lock_migrations(connection)
        # Read under the lock: the program that held it before may have raised the version.
        version = _load_server_version(connection, where)
    else:
        version = _load_file_version(connection)
    if version == find_newest_version():
        return
    apply_migrations(connection, version)
    if version:
        log.info("%s is brought from version %d to %d", where, version, find_newest_version())
    if connection.dialect.name == "sqlite":
        # An older program looks there, and refuses the file.
        connection.exec_driver_sql(f"PRAGMA user_version = {find_newest_version()}")


def apply_migrations(connection: Connection, version: int) -> None:
    """Bring tables of that version, 0 for none yet, to the present one, inside a transaction."""
    # Imported late: that takes a good tenth of the time of a start, and most starts need no step.
    from alembic import command

    config = build_alembic_config(connection)
    if version and not inspect(connection).has_table(VERSION_TABLE):
        # A file from before Alembic's time.
        command.stamp(config, str(version))
    command.upgrade(config, "head")


def build_alembic_config(connection: Connection) -> "Config":
    """Return Alembic's settings: where the steps are, and on which tables they are taken."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "bot.platform.db:migrations")
    config.set_main_option("path_separator", "newline")
    config.set_main_option("version_locations", "\n".join(map(str, FOLDERS)))
    config.attributes["connection"] = connection
    return config


def lock_migrations(connection: Connection) -> None:
    """Keep other programs of ours from migrating a server's tables until the transaction ends."""
    # A second process that starts meanwhile waits for the migration, longer than for any row.
    connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{MIGRATION_TIMEOUT_S}s'")
    connection.execute(select(func.pg_advisory_xact_lock(APPLICATION_ID)))
    connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{PATIENCE_S}s'")


def require_current_version(version: int, where: str) -> None:
    """Raise StoreError if a database of ours is of an earlier version than the program."""
    if version == 0:
        raise UnusableDatabaseError(f"{where} is empty; `tabula run` makes it ready")
    if version < find_newest_version():
        advice = "`tabula run` brings it up to date"
        raise UnusableDatabaseError(
            f"{where} is of version {version}, and this program's is {find_newest_version()}; "
            f"{advice}"
        )


def require_current_server_version(connection: Connection, where: str) -> None:
    """Raise StoreError if a server's database is not ours, or not of the program's version."""
    require_current_version(_load_server_version(connection, where), where)


def _load_server_version(connection: Connection, where: str) -> int:
    """Return the version of a database on a server, 0 for an empty one."""
    tables = inspect(connection).get_table_names()
    if VERSION_TABLE in tables:
        version = int(
            connection.execute(
                select(column("version_num")).select_from(table(VERSION_TABLE))
            ).scalar_one()
        )
        if version > find_newest_version():
            raise UnusableDatabaseError(
                f"{where} was written by a newer version of Tabula; update the program"
            )
        return version
    if tables:
        raise UnusableDatabaseError(f"{where} is the database of another program")
    return 0


def _load_file_version(connection: Connection) -> int:
    """Return the version of a file, 0 for a new one.

    `bot.platform.db.opening` has checked before that the file is ours.
    """
    version: int = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
    return version
