"""Committed dice: throws that the bot cannot choose, and that anyone can check afterwards.

Before a match the bot draws a secret and publishes its SHA-256. Every player's acceptance adds a
contribution. Throw number n is derived from HMAC-SHA256(secret, match, contributions, n) without
modulo bias. So it was settled when the match began, and only the bot could know it. docs/dice.md
has the exact bytes and test vectors.
"""

import hashlib
import hmac
from collections.abc import Iterator, Sequence

SECRET_BYTES = 32
COMMITMENT_DIGITS = 64
"""Hexadecimal digits of a commitment. A part of them binds nobody who chooses secrets in pairs."""
# The largest multiple of six in a byte. Higher bytes are skipped, or low numbers would come up
# more often.
_FAIR = 252


def compute_commitment(secret: bytes) -> str:
    """Return what is published before the match: the secret's SHA-256 in hexadecimal."""
    return hashlib.sha256(secret).hexdigest()


def derive_throw(
    secret: bytes, match: str, contributions: Sequence[str], number: int, count: int
) -> tuple[int, ...]:
    """Return the dice of one throw, in the order in which they fall.

    `number` counts the throws of a match from 0, those of the roll battle included; `count` is how
    many dice.
    """
    stream = _stream_dice(secret, "\n".join(("tabula dice 1", match, *contributions, str(number))))
    return tuple(next(stream) for _ in range(count))


def _stream_dice(secret: bytes, message: str) -> Iterator[int]:
    block = 0
    while True:
        digest = hmac.new(secret, f"{message}\n{block}".encode(), hashlib.sha256).digest()
        yield from (byte % 6 + 1 for byte in digest if byte < _FAIR)
        block += 1


def derive_match_secret(secret: bytes, pairing: int) -> bytes:
    """Return the secret of one match of a league whose secret was fixed before anybody joined.

    `pairing` counts the league's matches from 1. Known secrets of matches tell nothing of the
    league's, or of those of other matches.
    """
    return hmac.new(secret, f"tabula league 1\n{pairing}".encode(), hashlib.sha256).digest()
