"""Where the database is: a file, or a server."""

import os
from pathlib import Path
from urllib.parse import unquote

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from bot.platform.db.errors import UnusableDatabaseError

ASYNC_DRIVER = "postgresql+asyncpg"
SSL_MODES = ("disable", "allow", "prefer", "require", "verify-ca", "verify-full")
ADDRESS_FORMS = "a file, sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME"


def parse_address(where: str | Path) -> URL:
    """Read the database's address: a path, or a URL of SQLite or PostgreSQL.

    Raises StoreError for anything else.
    """
    text = str(where)
    if "://" not in text:
        return URL.create("sqlite+aiosqlite", database=expand_home(text))
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        # The text may hold a password, so it is not repeated.
        raise UnusableDatabaseError(
            f"the database's address cannot be read: it is {ADDRESS_FORMS}"
        ) from None
    match url.get_backend_name():
        case "sqlite" if url.database and url.database != ":memory:":
            _require_known_options(url, set())
            return URL.create("sqlite+aiosqlite", database=expand_home(url.database))
        case "postgresql" | "postgres":
            return _parse_server_url(url)
    raise UnusableDatabaseError(
        f"the database's address begins with {url.drivername}, but it is {ADDRESS_FORMS}"
    )


def _parse_server_url(url: URL) -> URL:
    """Return a server's address as the driver reads it; raises StoreError for what it cannot do."""
    _require_known_options(url, {"sslmode", "host", "channel_binding"})
    said = {name: _require_single(name, value) for name, value in url.query.items()}
    mode = said.get("sslmode", "")
    if mode and mode not in SSL_MODES:
        raise UnusableDatabaseError(
            f"sslmode in the database's address is one of {', '.join(SSL_MODES)}"
        )
    # `require` would be a promise that the driver cannot keep.
    if said.get("channel_binding", "prefer") not in ("prefer", "disable"):
        raise UnusableDatabaseError(
            "the driver knows no channel binding; take channel_binding out of the database's "
            "address, and let sslmode=verify-full make sure of the server"
        )
    host = said.get("host") or unquote(url.host or "") or None
    # Sentences name the host, of which the end of the password would be a part.
    if "@" in (url.host or ""):
        raise UnusableDatabaseError(
            "in the database's address, write each @ of the user and password as %40"
        )
    # What PostgreSQL's own programs call sslmode is ssl to the driver.
    query = {"ssl": mode} if mode else {}
    if host and host.startswith("/"):
        # The folder of a socket.
        query |= {"host": host, "port": str(url.port or 5432)}
        # For `set` None means unchanged, so only `_replace` can take the host away.
        return url.set(drivername=ASYNC_DRIVER, query=query)._replace(host=None, port=None)
    return url.set(drivername=ASYNC_DRIVER, host=host, query=query)


def _require_single(name: str, value: str | tuple[str, ...]) -> str:
    if not isinstance(value, str):
        raise UnusableDatabaseError(f"the database's address says {name} more than once")
    return value


def _require_known_options(url: URL, known: set[str]) -> None:
    odd = sorted(set(url.query) - known)
    if odd:
        rest = f"; {', '.join(sorted(known))} may stand there" if known else ""
        raise UnusableDatabaseError(
            f"the database's address says {' and '.join(odd)}, which is not known here: take that "
            f"out{rest}"
        )


def expand_home(path: str) -> str:
    """Return a path with a home directory in place of `~`.

    Raises StoreError if there is none of that name.
    """
    expanded = os.path.expanduser(path)  # noqa: PTH111 - of a Path it drops a leading ./
    if expanded.startswith("~"):
        raise UnusableDatabaseError(
            f"{path} begins with a home directory that is not known here; write the whole path"
        )
    return expanded


def get_file_path(url: URL) -> Path | None:
    """Return the path of a SQLite database; None for a server's."""
    return Path(url.database) if url.get_backend_name() == "sqlite" and url.database else None


def format_address(url: URL) -> str:
    """Return the address for sentences: the path, or server and name, without user and password."""
    if file := get_file_path(url):
        return str(file)
    port = f":{url.port}" if url.port else ""
    return f"the database {url.database or ''} on {url.host or 'this machine'}{port}"
