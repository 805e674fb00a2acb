"""Alembic's environment: it runs the steps to a version in the connection and transaction given."""

from alembic import context

from bot.platform.db.migration import VERSION_TABLE
from bot.platform.db.tables import load_metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=load_metadata(),
    version_table=VERSION_TABLE,
    # On SQLite as well, as its transactions are begun here.
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
