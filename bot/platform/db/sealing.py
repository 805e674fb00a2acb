"""The sealed secrets of the dice: a reader of the database alone cannot compute a match's throws.

That holds while the match is running. They are sealed by Fernet (AES-128-CBC, HMAC-SHA256) under
the first of the operator's keys and opened by any, so that keys can be changed. When a match is
over its secret is public, and is kept unsealed.
"""

from collections.abc import Sequence
from typing import Protocol, cast

from sqlalchemy import Connection, select, update

from bot.platform.db.errors import INSTALL_ADVICE, StoreError
from bot.platform.db.tables import IS_UNFINISHED, challenges, contests, matches

SEAL_OPTION = "seal"
"""The name by which the connections of an engine know the seal."""
_FERNET_PREFIX = b"gAAAA"
"""How what Fernet has sealed begins: its version, and a time before the year 2242, in base 64."""
_SEALED_BYTES = 140
"""The length of 32 bytes when they are sealed."""


class Seal(Protocol):
    """Closes and opens secrets."""

    def seal(self, secret: bytes) -> bytes:
        """Return what is kept of a secret."""

    def unseal(self, kept: bytes) -> bytes:
        """Return a secret from its stored form; raises StoreError if that is impossible."""

    def reseal(self, kept: bytes) -> bytes:
        """Return the present stored form of a secret; the same if it need not be changed."""


def make_seal(keys: Sequence[str]) -> Seal:
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
    goes_on = matches.c.ended.is_(None)
    begun = challenges.c.match == matches.c.id
    # Each by an index: what is over, which is nearly all there is, is not read at a start.
    waiting = (
        (matches, select(matches.c.id, matches.c.secret).where(goes_on)),
        (
            challenges,
            select(challenges.c.id, challenges.c.secret).where(challenges.c.state == "open"),
        ),
        (
            challenges,
            select(challenges.c.id, challenges.c.secret).join(matches, begun).where(goes_on),
        ),
        (
            contests,
            select(contests.c.id, contests.c.secret).where(IS_UNFINISHED),
        ),
    )
    for table, query in waiting:
        for number, kept in connection.execute(query).all():
            now = by.reseal(kept)
            if now != kept:
                connection.execute(update(table).where(table.c.id == number).values(secret=now))


class _PlainSeal:
    """The seal without a key: secrets are kept as they are."""

    def seal(self, secret: bytes) -> bytes:
        return secret

    def unseal(self, kept: bytes) -> bytes:
        if is_sealed(kept):
            raise StoreError(
                "the dice of running matches are sealed; give TABULA_SEAL the key that sealed them"
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
            raise StoreError(f"TABULA_SEAL needs {missing.name}; {INSTALL_ADVICE}") from None
        try:
            locks = [Fernet(key) for key in keys]
        except ValueError:
            raise StoreError("TABULA_SEAL is no key; `tabula key` makes one") from None
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
            raise StoreError(
                "the dice of running matches are sealed with another key; "
                "add it to TABULA_SEAL, after a comma"
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
        raise StoreError(f"a key needs {missing.name}; {INSTALL_ADVICE}") from None
    return Fernet.generate_key().decode()
