"""Database errors as sentences for the operator of the bot."""

from typing import NamedTuple

from sqlalchemy.exc import TimeoutError as PoolTimeout

from bot.store.errors import Damaged, Saved, StoreError


class _Complaint(NamedTuple):
    """What is wrong with the database, and what the operator of the bot may do about it."""

    wrong: str
    advice: str = ""


_LOCKED = _Complaint("is locked by another program")
_UNWRITABLE = _Complaint("cannot be written to", "check its permissions and its folder's")
_UNOPENED = _Complaint("cannot be opened", "check its permissions and its folder's")
_FULL = _Complaint("has no room left on its disk")
_UNREACHABLE = _Complaint("cannot be reached")
_BUSY = _Complaint("has more to do than it can")
_DAMAGED = _Complaint("is damaged", "restore a backup")
_GONE = _Complaint("is gone", "put it back where it was")

_SQLITE = {
    "SQLITE_NOTADB": _Complaint("is not a database"),
    "SQLITE_CORRUPT": _DAMAGED,
    "SQLITE_BUSY": _LOCKED,
    "SQLITE_LOCKED": _LOCKED,
    "SQLITE_READONLY": _UNWRITABLE,
    "SQLITE_CANTOPEN": _UNOPENED,
    "SQLITE_PERM": _UNOPENED,
    "SQLITE_FULL": _FULL,
    "SQLITE_IOERR": _Complaint("lies on a disk that fails"),
}
"""By the beginning of SQLite's name for the error."""

_POSTGRESQL = {
    "08": _UNREACHABLE,
    "25006": _Complaint("cannot be written to", "this server only reads"),
    "28": _Complaint("does not know this user and password"),
    "3D000": _Complaint("does not exist on its server", "createdb makes it"),
    "40": _BUSY,
    "42501": _Complaint("may not be changed by this user", "grant what is missing"),
    "53100": _FULL,
    "53300": _Complaint("takes no more connections"),
    "55P03": _LOCKED,
    "57P": _UNREACHABLE,
    "XX001": _DAMAGED,
    "XX002": _DAMAGED,
}
"""By the beginning of the SQLSTATE."""


def in_words(where: str, error: BaseException, saved: Saved = Saved.NOT_ASKED) -> StoreError:
    """Put a complaint about the database that lies there into sentences."""
    complaint = _complaint(error)
    if complaint is None:
        return StoreError(f"the database refused: {_first_line(error)}", saved)
    outcome = "" if saved is Saved.NOT_ASKED else saved.value
    said = "; ".join(filter(None, (f"{where} {complaint.wrong}", outcome, complaint.advice)))
    return Damaged(said, saved) if complaint is _DAMAGED else StoreError(said, saved)


def trouble(where: str, error: BaseException) -> str | None:
    """Return what is wrong with the database there; None if only the request to it was wrong."""
    return None if _complaint(error) is None else str(in_words(where, error))


def _complaint(error: BaseException) -> _Complaint | None:
    cause = getattr(error, "orig", None) or error
    known = {
        getattr(cause, "sqlite_errorname", None): _SQLITE,
        getattr(cause, "sqlstate", None): _POSTGRESQL,
    }
    for name, complaints in known.items():
        for start, complaint in complaints.items():
            if name and name.startswith(start):
                return complaint
    if isinstance(error, PoolTimeout):
        return _BUSY
    if isinstance(cause, FileNotFoundError):
        return _GONE
    return (
        _UNREACHABLE
        if isinstance(cause, OSError) or getattr(error, "connection_invalidated", False)
        else None
    )


def _first_line(error: BaseException) -> str:
    cause = getattr(error, "orig", None) or error
    return str(cause).partition("\n")[0]
