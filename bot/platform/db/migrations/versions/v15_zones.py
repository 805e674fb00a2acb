"""Time zones of servers and people; until now quiet hours held how far ahead of UTC they were."""

from alembic import op
from sqlalchemy import JSON, BigInteger, Column, MetaData, Table, Text, select, update

revision = "15"
down_revision = "14"


def upgrade() -> None:
    """Add the zones, and let quiet hours that were ahead of UTC be in a zone that is so."""
    for table in ("servers", "habits"):
        op.add_column(table, Column("zone", Text))
    servers = Table(
        "servers",
        MetaData(),
        Column("guild", BigInteger, primary_key=True),
        Column("quiet", JSON),
        Column("zone", Text),
    )
    connection = op.get_bind()
    for server in connection.execute(select(servers.c.guild, servers.c.quiet)).all():
        if server.quiet:
            began, ended, ahead = server.quiet
            hours, minutes = divmod(abs(ahead), 60)
            zone = f"{'-' if ahead < 0 else '+'}{hours:02}:{minutes:02}" if ahead else "UTC"
            chosen = update(servers).where(servers.c.guild == server.guild)
            connection.execute(chosen.values(quiet=[began, ended], zone=zone))
