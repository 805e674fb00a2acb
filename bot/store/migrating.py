"""Bringing the tables to the present version."""

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, func, inspect, select

from bot.store.errors import StoreError

VERSION_TABLE = "tabula_version"
"""Where Alembic keeps the version; of our own name, for another program in the same database has `alembic_version`."""

FOLDERS = ["bot.store:migrations/versions"]
"""Where the versions' modules lie."""

MARK = 0x7AB01A
"""What marks a SQLite file as Tabula's (its application_id), and our lock on a PostgreSQL database."""


def newest() -> int:
    """Return the number of the present version."""
    head = _scripts(_config()).get_current_head()
    assert head is not None
    return int(head)


def migrate(connection: Connection, where: str) -> None:
    """Bring the tables to the present version, inside a transaction; raises StoreError where they are not ours."""
    config = _config()
    config.attributes["connection"] = connection
    if connection.dialect.name == "postgresql":
        # Several programs may start at once on one server.
        connection.execute(select(func.pg_advisory_xact_lock(MARK)))
        _require_ours(connection, where, _scripts(config))
    else:
        _take_over(connection, config)
    command.upgrade(config, "head")
    if connection.dialect.name == "sqlite":
        # An older program looks there, and refuses the file.
        connection.exec_driver_sql(f"PRAGMA user_version = {newest()}")


def _require_ours(connection: Connection, where: str, scripts: ScriptDirectory) -> None:
    tables = inspect(connection).get_table_names()
    if tables and VERSION_TABLE not in tables:
        raise StoreError(f"{where} is the database of another program")
    context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE})
    version = context.get_current_revision()
    if version not in {None, *(script.revision for script in scripts.walk_revisions())}:
        raise StoreError(f"{where} was written by a newer version of Tabula; update the program")


def _take_over(connection: Connection, config: Config) -> None:
    """Tell Alembic the version of a file from before its time, which the file's head says."""
    version = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
    if version and not inspect(connection).has_table(VERSION_TABLE):
        command.stamp(config, str(version))


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", "bot.store:migrations")
    config.set_main_option("path_separator", "newline")
    config.set_main_option("version_locations", "\n".join(FOLDERS))
    return config


def _scripts(config: Config) -> ScriptDirectory:
    return ScriptDirectory.from_config(config)
