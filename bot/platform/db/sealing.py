"""The sealed secrets of the dice: a reader of the database alone cannot compute a match's throws.

That holds while the match is running. They are sealed by Fernet (AES-128-CBC, HMAC-SHA256) under
the first of the operator's keys and opened by any, so that keys can be changed. When a match is
over its secret is public, and is kept unsealed.
"""

import base64
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Protocol, TypeAlias, cast

from sqlalchemy import Column, Connection, Select, delete, select, update

from bot.platform.db.errors import StoreError, UnusableDatabaseError
from bot.platform.db.tables import program_metadata
from bot.platform.extras import advise_installation
from bot.platform.features import ExtensionPoint

SEAL_OPTION = "seal"
"""The name by which the connections of an engine know the seal."""
MARK_KEY = "key of marks"
"""The name under which the key is kept by which people are recognised who are not named."""
MARK_KEY_BYTES = 32
DROPPED = b""
"""What is stored in place of a secret whose key is lost."""
LOST_ADVICE = " (if it is lost for good: `tabula key --lost FILE`)"
_FERNET_PREFIX = b"gAAAA"
"""How what Fernet has sealed begins: its version, and a time before the year 2242, in base 64."""
_SEALED_BYTES = 140
"""The length of 32 bytes when they are sealed."""

SealedRows: TypeAlias = tuple[Column[bytes], Select[int, bytes]]
"""A column of secrets, and the query for the ids and secrets that must be sealed."""

SEALED_ROWS: ExtensionPoint[Callable[[], Iterable[SealedRows]]] = ExtensionPoint()
"""Which secrets are sealed, each found by an index: what is over, nearly all, is not read."""


@dataclass(frozen=True, slots=True)
class LostSecrets:
    """Secrets of dice that nobody knows, by their table and number.

    Of the `sealed` ones another key may be found; the `dropped` ones are gone. `has_mark_key` says
    that no key opens the one by which people are recognised either.
    """

    sealed: Sequence[tuple[str, int]]
    dropped: Sequence[tuple[str, int]] = ()
    has_mark_key: bool = False

    @property
    def may_be_found(self) -> bool:
        """Whether another key would open something."""
        return bool(self.sealed) or self.has_mark_key

    def list_numbers(self, table: str) -> list[int]:
        """Return the rows of a table whose secrets nobody knows."""
        return [number for name, number in (*self.sealed, *self.dropped) if name == table]


class Seal(Protocol):
    """Closes and opens secrets."""

    def seal(self, secret: bytes) -> bytes:
        """Return what is kept of a secret."""

    def unseal(self, kept: bytes) -> bytes:
        """Return a secret from its stored form; raises StoreError if that is impossible."""

    def reseal(self, kept: bytes) -> bytes:
        """Return the present stored form of a secret; the same if it need not be changed."""


def build_seal(keys: Sequence[str]) -> Seal:
    """Return the seal of these keys, of which the first seals.

    Raises StoreError for an invalid key.
    """
    return _FernetSeal(keys) if keys else _PlainSeal()


def get_seal(connection: Connection) -> Seal:
    """Return the seal of the database that a connection is to."""
    return cast(Seal, connection.get_execution_options()[SEAL_OPTION])


def is_sealed(kept: bytes) -> bool:
    """Whether a secret is sealed."""
    return len(kept) == _SEALED_BYTES and kept.startswith(_FERNET_PREFIX)


def reseal_secrets(connection: Connection) -> None:
    """Seal what is not sealed as it would be now.

    Raises StoreError if something cannot be opened.
    """
    by = get_seal(connection)
    for secret, number, kept in _load_sealed(connection):
        now = kept if kept == DROPPED else by.reseal(kept)
        if now != kept:
            _write_secret(connection, secret, number, now)
    _reseal_mark_key(connection, by)


def find_lost_secrets(connection: Connection) -> LostSecrets:
    """Return which secrets no key opens, and those that were dropped for that."""
    by = get_seal(connection)
    sealed, dropped = [], []
    for secret, number, kept in _load_sealed(connection):
        if kept == DROPPED:
            dropped.append((secret.table.name, number))
        elif not _can_open(by, kept):
            sealed.append((secret.table.name, number))
    mark_key = _load_mark_key(connection)
    is_lost = mark_key is not None and not _can_open(by, mark_key)
    return LostSecrets(sealed, dropped, is_lost)


def find_dropped_secrets(connection: Connection) -> LostSecrets:
    """Return which secrets were dropped, of a database in which the keys open all others."""
    dropped = [
        (secret.table.name, row.id)
        for secret, query in _list_sealed_rows()
        for row in connection.execute(query.where(secret == DROPPED))
    ]
    return LostSecrets((), dropped)


def drop_lost_secrets(connection: Connection) -> bool:
    """Let the secrets be unknown that no key opens; return whether the key of marks is one."""
    by = get_seal(connection)
    for secret, number, kept in _load_sealed(connection):
        if not _can_open(by, kept):
            _write_secret(connection, secret, number, DROPPED)
    mark_key = _load_mark_key(connection)
    is_lost = mark_key is not None and not _can_open(by, mark_key)
    if is_lost:
        connection.execute(delete(program_metadata).where(program_metadata.c.name == MARK_KEY))
    return is_lost


def _can_open(by: Seal, kept: bytes) -> bool:
    try:
        by.unseal(kept)
    except StoreError:
        return False
    return True


@cache
def _list_sealed_rows() -> tuple[SealedRows, ...]:
    # As statements they are built once: they are asked at each opening.
    return tuple(rows for find in SEALED_ROWS.list_functions() for rows in find())


def _load_sealed(connection: Connection) -> Iterator[tuple[Column[bytes], int, bytes]]:
    for secret, query in _list_sealed_rows():
        for number, kept in connection.execute(query).all():
            yield secret, number, kept


def _write_secret(connection: Connection, secret: Column[bytes], number: int, now: bytes) -> None:
    row = update(secret.table).where(secret.table.c.id == number)
    connection.execute(row.values({secret.name: now}))


def _load_mark_key(connection: Connection) -> bytes | None:
    there = program_metadata.c.name == MARK_KEY
    text = connection.execute(select(program_metadata.c.text).where(there)).scalar()
    return None if text is None else base64.b64decode(text)


def _reseal_mark_key(connection: Connection, by: Seal) -> None:
    kept = _load_mark_key(connection)
    if kept is None:
        return
    try:
        now = by.reseal(kept)
    except StoreError:
        # Without it those who were blocked or removed would not be recognised.
        raise UnusableDatabaseError(
            "the key by which people are recognised who have had their data deleted is sealed; "
            f"give TABULA_SEAL the key that sealed it{LOST_ADVICE}"
        ) from None
    if now != kept:
        sealed = base64.b64encode(now).decode()
        there = program_metadata.c.name == MARK_KEY
        connection.execute(update(program_metadata).where(there).values(text=sealed))


class _PlainSeal:
    """The seal without a key: secrets are kept as they are."""

    def seal(self, secret: bytes) -> bytes:
        return secret

    def unseal(self, kept: bytes) -> bytes:
        if is_sealed(kept):
            raise UnusableDatabaseError(
                "the dice of running matches are sealed; give TABULA_SEAL the key that sealed them"
                f"{LOST_ADVICE}"
            )
        return kept

    def reseal(self, kept: bytes) -> bytes:
        # Raises at the start of the program where the key is missing, not later in a match.
        return self.unseal(kept)


class _FernetSeal:
    def __init__(self, keys: Sequence[str]) -> None:
        try:
            from cryptography.fernet import Fernet, InvalidToken, MultiFernet
        except ModuleNotFoundError as missing:
            raise UnusableDatabaseError(
                f"TABULA_SEAL needs {missing.name}; {advise_installation('seal')}"
            ) from None
        try:
            locks = [Fernet(key) for key in keys]
        except ValueError:
            raise UnusableDatabaseError("TABULA_SEAL is no key; `tabula key` makes one") from None
        self._first, self._any = locks[0], MultiFernet(locks)
        self._not_ours = InvalidToken

    def seal(self, secret: bytes) -> bytes:
        return self._first.encrypt(secret)

    def unseal(self, kept: bytes) -> bytes:
        if not is_sealed(kept):
            return kept
        try:
            return self._any.decrypt(kept)
        except self._not_ours:
            raise UnusableDatabaseError(
                "the dice of running matches are sealed with another key; "
                f"add it to TABULA_SEAL, after a comma{LOST_ADVICE}"
            ) from None

    def reseal(self, kept: bytes) -> bytes:
        try:
            # By the first key alone: what is plain, or sealed with an older key, is sealed again.
            self._first.decrypt(kept)
        except self._not_ours:
            return self.seal(self.unseal(kept))
        return kept


def generate_seal_key() -> str:
    """Return a new key; raises StoreError if the library that makes it is not installed."""
    try:
        from cryptography.fernet import Fernet
    except ModuleNotFoundError as missing:
        raise StoreError(f"a key needs {missing.name}; {advise_installation('seal')}") from None
    return Fernet.generate_key().decode()
