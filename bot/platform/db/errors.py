"""What can go wrong in the store, and database errors as sentences for the operator."""

from enum import StrEnum
from typing import Literal, NamedTuple

from sqlalchemy.exc import TimeoutError as PoolTimeout


class SaveOutcome(StrEnum):
    """What a failure means for what was to be saved."""

    NOTHING = "nothing was saved"
    UNKNOWN = "whether it was saved is not known"
    NOT_ASKED = "nothing was to be saved"


class StoreError(Exception):
    """The database cannot be used, or could not take a change.

    The message is one sentence for the log and for the operator, and may name the file: users see
    what `saved` says, in other words.
    """

    def __init__(self, message: str, saved: SaveOutcome = SaveOutcome.NOT_ASKED) -> None:
        super().__init__(message)
        self.saved = saved


class UnusableDatabaseError(StoreError):
    """The database cannot be used until somebody changes something: no later try helps."""


class DamagedDatabaseError(UnusableDatabaseError):
    """The database is damaged: nothing may be written to it, and no program may go on with it."""


class StaleVersionError(Exception):
    """The match has moved on: it has other events than the action knew of, or is over."""


class SeatTakenError(Exception):
    """The seat is taken, or the challenge is open no longer."""


class LimitExceededError(Exception):
    """A person has too many running matches or open challenges, or made too many lately.

    Those made lately have a limit for the server, too, and for whom they call.
    """

    def __init__(
        self,
        person: int,
        what: Literal["running", "open", "lately", "here", "to one"],
        most: int,
    ) -> None:
        super().__init__(f"{person} has {most} {what}")
        self.person = person
        self.what = what
        self.most = most


class DuplicateRematchError(Exception):
    """The challenger offers this rematch already, in the challenge of that number."""

    def __init__(self, challenge: int) -> None:
        super().__init__(f"challenge {challenge} offers the same rematch")
        self.challenge = challenge


class _Diagnosis(NamedTuple):
    """What is wrong with the database, and what the operator of the bot may do about it."""

    wrong: str
    advice: str = ""
    error: type[StoreError] = StoreError


_LOCKED = _Diagnosis("is locked by another program")
_UNWRITABLE = _Diagnosis("cannot be written to", "check its permissions and its folder's")
_UNOPENED = _Diagnosis("cannot be opened", "check its permissions and its folder's")
_FULL = _Diagnosis("has no room left on its disk")
_UNREACHABLE = _Diagnosis("cannot be reached")
_BUSY = _Diagnosis("has more to do than it can")
_DAMAGED = _Diagnosis("is damaged", "restore a backup", DamagedDatabaseError)
_GONE = _Diagnosis("is gone", "put it back where it was")

_SQLITE = {
    "SQLITE_NOTADB": _Diagnosis("is not a database", error=UnusableDatabaseError),
    "SQLITE_CORRUPT": _DAMAGED,
    "SQLITE_BUSY": _LOCKED,
    "SQLITE_LOCKED": _LOCKED,
    "SQLITE_READONLY": _UNWRITABLE,
    "SQLITE_CANTOPEN": _UNOPENED,
    "SQLITE_PERM": _UNOPENED,
    "SQLITE_FULL": _FULL,
    "SQLITE_IOERR": _Diagnosis("cannot be read or written (its disk is read-only, or fails)"),
}
"""By the beginning of SQLite's name for the error."""

_POSTGRESQL = {
    "08": _UNREACHABLE,
    "25006": _Diagnosis("cannot be written to", "this server only reads"),
    "28": _Diagnosis("does not know this user and password", error=UnusableDatabaseError),
    "3D000": _Diagnosis("does not exist on its server", "createdb makes it", UnusableDatabaseError),
    # A conflict that was still there after the last retry (see `Database.write`).
    "40": _BUSY,
    "42501": _Diagnosis("may not be changed by this user", "grant what is missing"),
    "53100": _FULL,
    "53300": _Diagnosis("takes no more connections"),
    "55P03": _LOCKED,
    "57P": _UNREACHABLE,
    "XX001": _DAMAGED,
    "XX002": _DAMAGED,
}
"""By the beginning of the SQLSTATE."""


def build_store_error(
    where: str, error: BaseException, saved: SaveOutcome = SaveOutcome.NOT_ASKED
) -> StoreError:
    """Put a complaint about the database that lies there into sentences."""
    complaint = _diagnose_error(error)
    if complaint is None:
        return StoreError(f"the database refused: {_first_line(error)}", saved)
    outcome = "" if saved is SaveOutcome.NOT_ASKED else saved.value
    text = "; ".join(filter(None, (f"{where} {complaint.wrong}", outcome, complaint.advice)))
    return complaint.error(text, saved)


def describe_problem(where: str, error: BaseException) -> str | None:
    """Return what is wrong with the database there; None if only the request to it was wrong."""
    return None if _diagnose_error(error) is None else str(build_store_error(where, error))


def _diagnose_error(error: BaseException) -> _Diagnosis | None:
    # SQLAlchemy wraps the driver's error, and only that one has a code.
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
    # Before the general case, as this is an OSError, too: the writer finds another file, or none.
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
