"""Where the secret of a league's match comes from: it is derived from one that was fixed before."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine import dice

_HEXADECIMAL = re.compile(r"[0-9a-f]{64}")
"""What a commitment and a secret are in a record."""


@dataclass(frozen=True, slots=True)
class SecretOrigin:
    """A league's secret by its commitment, and the number of the pairing whose match is meant.

    The `secret` is None until it is public, which is when the league is over. `posted_digits` are
    the digits of the commitment that were posted before anybody joined, None where a record does
    not say so.
    """

    commitment: str
    pairing: int
    # Not in the repr, so that no log or traceback shows what dice are made of.
    secret: bytes | None = field(default=None, repr=False)
    posted_digits: int | None = None

    @property
    def fits_commitment(self) -> bool:
        """Whether the secret is the one that was committed to; also while it is not known."""
        return self.secret is None or dice.compute_commitment(self.secret) == self.commitment

    def may_give(self, secret: bytes) -> bool:
        """Whether a match's secret is derived from this one; also while this one is not known."""
        return self.secret is None or dice.derive_match_secret(self.secret, self.pairing) == secret


def encode_origin(origin: SecretOrigin) -> dict[str, Any]:
    """Return the part of a record that says where the match's secret comes from."""
    posted = {} if origin.posted_digits is None else {"posted": origin.posted_digits}
    known = {} if origin.secret is None else {"secret": origin.secret.hex()}
    return {"commitment": origin.commitment, **posted, "pairing": origin.pairing, **known}


def parse_origin(record: Mapping[str, Any]) -> SecretOrigin | None:
    """Read that part of a record; None if it has none, as its secret was drawn for the match.

    Raises TypeError or KeyError for what is no such part.
    """
    if "league" not in record:
        return None
    kept = record["league"]
    if not isinstance(kept, Mapping):
        raise TypeError("what it says of its league is no object")
    pairing = kept["pairing"]
    # In Python True is a number too.
    if not isinstance(pairing, int) or isinstance(pairing, bool) or pairing < 1:
        raise TypeError("its league's pairing is no number from 1")
    secret = bytes.fromhex(_parse_digits(kept, "secret")) if "secret" in kept else None
    posted = parse_posted_digits(kept)
    return SecretOrigin(_parse_digits(kept, "commitment"), pairing, secret, posted)


def parse_posted_digits(kept: Mapping[str, Any]) -> int | None:
    """Read how many digits of a commitment were posted beforehand; None where that is not said.

    Raises TypeError for what is no such number.
    """
    if "posted" not in kept:
        return None
    posted = kept["posted"]
    if type(posted) is not int or not 0 <= posted <= dice.COMMITMENT_DIGITS:
        raise TypeError(f"the digits posted are no number from 0 to {dice.COMMITMENT_DIGITS}")
    return posted


def _parse_digits(kept: Mapping[str, Any], name: str) -> str:
    digits = kept[name]
    if not isinstance(digits, str) or not _HEXADECIMAL.fullmatch(digits):
        raise TypeError(f"its league's {name} is not 64 hexadecimal digits")
    return digits
