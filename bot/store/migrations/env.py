"""Alembic's environment: it runs the steps to a version in the connection and transaction given."""

from alembic import context

from bot.store.migrating import VERSION_TABLE
from bot.store.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    version_table=VERSION_TABLE,
    # On SQLite as well, as its transactions are begun here.
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
