"""Who else uses a server's database."""

from sqlalchemy import Connection, text

_COUNT_OTHER_PROGRAMS = text(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
    # With the space, so that `tabula-visitor` does not match: programs that only read.
    "AND application_name LIKE 'tabula %' "
    "AND application_name <> current_setting('application_name')"
)


def has_other_programs(connection: Connection) -> bool:
    """Whether another program of ours is connected to the same database; readers don't count."""
    return bool(connection.execute(_COUNT_OTHER_PROGRAMS).scalar_one())
