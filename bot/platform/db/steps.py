"""The steps from one version of the tables to the next, taken by Alembic.

Importing Alembic takes a good tenth of the time of a start, and most starts find the tables up to
date, so this module is imported only when a step is needed.
"""

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, inspect

from bot.platform.db import migration as migrating


def apply_migrations(connection: Connection, version: int) -> None:
    """Bring tables of that version, 0 for none yet, to the present one, inside a transaction."""
    config = make_alembic_config(connection)
    if version and not inspect(connection).has_table(migrating.VERSION_TABLE):
        # A file from before Alembic's time.
        command.stamp(config, str(version))
    command.upgrade(config, "head")


def make_alembic_config(connection: Connection) -> Config:
    """Return Alembic's settings: where the steps are, and on which tables they are taken."""
    config = Config()
    config.set_main_option("script_location", "bot.platform.db:migrations")
    config.set_main_option("path_separator", "newline")
    config.set_main_option("version_locations", "\n".join(map(str, migrating.FOLDERS)))
    config.attributes["connection"] = connection
    return config
