"""Where the database is: a file, or a server."""

from pathlib import Path

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from bot.store.errors import StoreError

KINDS = "a file, sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME"


def parse(where: str | Path) -> URL:
    """Read where the database is: a path, or a URL of SQLite or PostgreSQL; raises StoreError for anything else."""
    text = str(where)
    if "://" not in text:
        return URL.create("sqlite+aiosqlite", database=text)
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        # The text may hold a password, so it is not repeated.
        raise StoreError(f"the database's address cannot be read: it is {KINDS}") from None
    match url.get_backend_name():
        case "sqlite" if url.database and url.database != ":memory:":
            _require_known(url, set())
            return URL.create("sqlite+aiosqlite", database=url.database)
        case "postgresql" | "postgres":
            _require_known(url, {"sslmode"})
            mode = url.query.get("sslmode")
            # What PostgreSQL's own programs call sslmode is ssl to the driver.
            return url.set(drivername="postgresql+asyncpg", query={"ssl": mode} if mode else {})
    raise StoreError(f"the database's address begins with {url.drivername}, but it is {KINDS}")


def _require_known(url: URL, known: set[str]) -> None:
    odd = sorted(set(url.query) - known)
    if odd:
        raise StoreError(
            f"the database's address says {' and '.join(odd)}, which is not known here"
        )


def file_of(url: URL) -> Path | None:
    """Return the path of a SQLite database; None for a server's."""
    return Path(url.database) if url.get_backend_name() == "sqlite" and url.database else None


def shown(url: URL) -> str:
    """Return the address as sentences name it: the path, or the server and the name, without user and password."""
    if file := file_of(url):
        return str(file)
    port = f":{url.port}" if url.port else ""
    return f"the database {url.database or ''} on {url.host or 'this machine'}{port}"
