"""What Alembic runs: the steps to the version asked for, on the connection and in the transaction it is given."""

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
