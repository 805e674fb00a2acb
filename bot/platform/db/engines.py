"""Connections that write and connections that only read, set up for what they do."""

import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, NullPool, event
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.platform.db.errors import INSTALL_ADVICE, StoreError
from bot.platform.db.file_engine import FileEngine
from engine.strict_json import parse_json, write_json

PATIENCE_S = 2.0
"""Seconds to wait for another program that holds the database: Discord waits 3 s for an answer."""

READER_NAME = "tabula-visitor"
"""The name under which a server knows the connections of programs that only look."""
MAX_CONNECTIONS = 8
"""Connections to a server at once, of those that write and of those that read alike."""


def make_connection_name() -> str:
    """Return a name that tells a program's connections to a server from those of others."""
    return f"tabula {secrets.token_hex(8)}"


def create_writer(url: URL, name: str, **options: Any) -> FileEngine | AsyncEngine:  # noqa: ANN401
    """Return what writes, by transactions; its connections know the options.

    Raises StoreError if PostgreSQL is asked for and its driver is not installed.
    """
    if url.get_backend_name() == "sqlite":
        return _create_file_writer(url, options)
    return _create_server_writer(url, name).execution_options(**options)


def create_reader(url: URL, name: str, **options: Any) -> FileEngine | AsyncEngine:  # noqa: ANN401
    """Return what reads, by statements; its connections know the options."""
    if url.get_backend_name() == "sqlite":
        return _create_file_reader(url, options)
    return create_moment_reader(url, name, **options)


def create_moment_reader(url: URL, name: str, **options: Any) -> AsyncEngine:  # noqa: ANN401
    """Return what reads much at one moment, beside the others; its connections know the options."""
    if url.get_backend_name() == "sqlite":
        return _create_file_moment_reader(url).execution_options(**options)
    return _create_server_engine(url, name, "on", **_AUTOCOMMIT).execution_options(**options)


_AUTOCOMMIT: dict[str, Any] = {"isolation_level": "AUTOCOMMIT", "skip_autocommit_rollback": True}
"""What reads needs one statement, which sees one moment by itself."""


def create_bridging_writer(url: URL, name: str, **options: Any) -> AsyncEngine:  # noqa: ANN401
    """Return what writes while it waits for another database; its connections know the options."""
    if url.get_backend_name() != "sqlite":
        return _create_server_writer(url, name).execution_options(**options)
    engine = create_async_engine(
        url, pool_size=1, max_overflow=0, connect_args=_make_writer_arguments()
    )
    _prepare_file_writer(engine.sync_engine, url)
    return engine.execution_options(**options)


def _create_file_writer(url: URL, options: Mapping[str, Any]) -> FileEngine:
    # One connection, since SQLite has one writer at a time: the others would only wait for it.
    engine = FileEngine(url, options, _make_writer_arguments())
    _prepare_file_writer(engine.sync_engine, url)
    return engine


def _make_writer_arguments() -> dict[str, Any]:
    # The driver begins no transactions by itself: `_begin` does, in its own way.
    return {"timeout": PATIENCE_S, "isolation_level": None}


def _prepare_file_writer(engine: Engine, url: URL) -> None:
    @event.listens_for(engine, "connect")
    def _set_up(connection: Any, _: object) -> None:  # noqa: ANN401 - the driver's own
        # With NORMAL, a WAL may lose the last commits in a power cut, though people have been shown
        # that they are saved. References are checked only where each connection asks for it.
        _execute_all(connection, "PRAGMA synchronous = FULL", "PRAGMA foreign_keys = ON")

    file = Path(url.database or "")
    ours = file.stat()

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        # What is written to a file that has lost its name is lost with it.
        if not os.path.samestat(file.stat(), ours):
            raise FileNotFoundError(f"another file is at {file}")
        # IMMEDIATE takes the write lock first. A transaction that reads and then wants to write may
        # be refused at once, without any waiting, if another has written in between.
        connection.exec_driver_sql("BEGIN IMMEDIATE")


def _create_file_reader(url: URL, options: Mapping[str, Any]) -> FileEngine:
    # Nothing is to be rolled back when the connection returns: reads run without a transaction.
    engine = FileEngine(
        url, options, {"timeout": PATIENCE_S}, pool_reset_on_return=None, **_AUTOCOMMIT
    )
    event.listen(engine.sync_engine, "connect", _forbid_writing)
    return engine


def _create_file_moment_reader(url: URL) -> AsyncEngine:
    engine = create_async_engine(
        url,
        pool_size=1,
        max_overflow=0,
        # `open_read_transaction` ends its own.
        pool_reset_on_return=None,
        connect_args={"timeout": PATIENCE_S},
        **_AUTOCOMMIT,
    )
    event.listen(engine.sync_engine, "connect", _forbid_writing)
    return engine


def _forbid_writing(connection: Any, _: object) -> None:  # noqa: ANN401 - the driver's own
    _execute_all(connection, "PRAGMA query_only = ON")


def _create_server_writer(url: URL, name: str) -> AsyncEngine:
    # READ COMMITTED is enough, since work locks the rows by which it decides.
    return _create_server_engine(url, name, "off", isolation_level="READ COMMITTED")


def create_lock_engine(url: URL, name: str) -> AsyncEngine:
    """Return the engine of the one connection to a server that is kept while the program runs.

    The server finds out within a minute that the machine at its other end is gone.
    """
    keepalives = {
        "tcp_keepalives_idle": "20",
        "tcp_keepalives_interval": "10",
        "tcp_keepalives_count": "3",
    }
    how = {"timeout": PATIENCE_S, "server_settings": {"application_name": name, **keepalives}}
    # Without a pool closing the connection ends it; kept in a pool it would keep its locks.
    return create_async_engine(
        url, poolclass=NullPool, isolation_level="AUTOCOMMIT", connect_args=how
    )


def _create_server_engine(
    url: URL,
    name: str,
    read_only: str,
    **how: Any,  # noqa: ANN401 - as SQLAlchemy takes them
) -> AsyncEngine:
    settings = {
        "application_name": name,
        "lock_timeout": f"{PATIENCE_S}s",
        "default_transaction_read_only": read_only,
    }
    try:
        return create_async_engine(
            url,
            pool_size=MAX_CONNECTIONS,
            max_overflow=0,
            json_serializer=write_json,
            json_deserializer=parse_json,
            connect_args={"timeout": PATIENCE_S, "server_settings": settings},
            **how,
        )
    except ModuleNotFoundError as missing:
        raise StoreError(f"PostgreSQL needs {missing.name}; {INSTALL_ADVICE}") from None


def _execute_all(connection: Any, *statements: str) -> None:  # noqa: ANN401 - the driver's own
    cursor = connection.cursor()
    for statement in statements:
        cursor.execute(statement)
    cursor.close()
