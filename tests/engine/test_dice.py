"""Committed dice, recomputed from the description in docs/dice.md."""

import hashlib
import hmac
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import dice
from tests.support.sweeps import mark_sweeps

DESCRIPTION = Path(__file__).parents[2] / "docs" / "dice.md"
SECRET = bytes(range(32))
ROW = re.compile(r"\| `([0-9a-f]{64})` \| (\d+) \| ([\d, ]*)\| (\d+) \| (\d+) \| ([1-6 ]+) \|")
LEAGUE_ROW = re.compile(r"\| (\d+) \| `([0-9a-f]{64})` \| `([0-9a-f]{64})` \|")
Vector = tuple[bytes, str, tuple[str, ...], int, tuple[int, ...]]


def load_vectors() -> list[Vector]:
    """The test vectors of the description: secret, match, contributions, n, dice."""
    found: list[Vector] = []
    for secret, match, shares, number, count, shown in ROW.findall(DESCRIPTION.read_text()):
        fell = tuple(map(int, shown.split()))
        assert len(fell) == int(count)
        found.append(
            (bytes.fromhex(secret), match, tuple(re.findall(r"\d+", shares)), int(number), fell)
        )
    return found


def recompute_throw(
    secret: bytes, match: str, shares: Sequence[str], number: int, count: int
) -> tuple[int, ...]:
    """A throw worked out from the description alone."""
    shown: list[int] = []
    block = 0
    while len(shown) < count:
        message = (
            "tabula dice 1\n"
            + match
            + "\n"
            + "".join(share + "\n" for share in shares)
            + f"{number}\n{block}"
        )
        used = [
            byte for byte in hmac.digest(secret, message.encode("ascii"), "sha256") if byte <= 251
        ]
        shown += [1 + byte % 6 for byte in used]
        block += 1
    return tuple(shown[:count])


def test_the_description_has_six_vectors() -> None:
    assert len(load_vectors()) == 6


@pytest.mark.parametrize(("secret", "match", "shares", "number", "fell"), load_vectors())
def test_the_vectors_of_the_description_hold(
    secret: bytes, match: str, shares: tuple[str, ...], number: int, fell: tuple[int, ...]
) -> None:
    assert dice.derive_throw(secret, match, shares, number, len(fell)) == fell
    assert dice.compute_commitment(secret) in DESCRIPTION.read_text()


@settings(deadline=None)
@given(
    st.binary(min_size=32, max_size=32),
    st.from_regex(r"[1-9][0-9]{0,5}", fullmatch=True),
    st.lists(st.from_regex(r"[1-9][0-9]{0,18}", fullmatch=True), max_size=6),
    st.integers(0, 10_000),
    st.integers(1, 70),  # more than one block of 32 bytes
)
def test_any_throw_can_be_recomputed(
    secret: bytes, match: str, shares: list[str], number: int, count: int
) -> None:
    assert dice.derive_throw(secret, match, shares, number, count) == recompute_throw(
        secret, match, shares, number, count
    )
    assert dice.compute_commitment(secret) == hashlib.sha256(secret).hexdigest()


def test_bytes_of_252_and_more_are_skipped() -> None:
    # Throw 22 begins with the bytes fd 9a 36 bd: 253 is skipped, 154, 54 and 189 leave 4, 0 and 3.
    block = hmac.digest(SECRET, b"tabula dice 1\n1\n1001\n1002\n22\n0", "sha256")
    assert block[:4] == bytes.fromhex("fd9a36bd")
    assert dice.derive_throw(SECRET, "1", ("1001", "1002"), 22, 3) == (5, 1, 4)


def test_a_throw_depends_on_everything_that_goes_into_it() -> None:
    def many(secret: bytes, match: str, *shares: str) -> tuple[int, ...]:
        return dice.derive_throw(secret, match, shares, 0, 40)

    usual = many(SECRET, "1", "1001", "1002")
    others = {
        many(SECRET[::-1], "1", "1001", "1002"),
        many(SECRET, "2", "1001", "1002"),
        many(SECRET, "1", "1001", "1003"),
        many(SECRET, "1", "1002", "1001"),
        many(SECRET, "1", "1001"),
        dice.derive_throw(SECRET, "1", ("1001", "1002"), 1, 40),
    }
    assert len(others) == 6
    assert usual not in others


def derive_as_described(secret: bytes, pairing: int) -> bytes:
    """A match's secret, worked out from the description alone."""
    message = b"tabula league 1" + bytes([10]) + str(pairing).encode("ascii")
    return hmac.digest(secret, message, "sha256")


def test_the_vectors_of_a_league_hold() -> None:
    rows = LEAGUE_ROW.findall(DESCRIPTION.read_text())
    # Made with: printf 'tabula league 1\n2' | openssl dgst -sha256 -mac HMAC -macopt hexkey:0001...
    assert [int(pairing) for pairing, _, _ in rows] == [1, 2, 28]
    for pairing, secret, commitment in rows:
        derived = dice.derive_match_secret(SECRET, int(pairing))
        assert derived == derive_as_described(SECRET, int(pairing))
        assert derived.hex() == secret
        assert dice.compute_commitment(derived) == commitment


@given(st.binary(min_size=32, max_size=32), st.integers(1, 2_000))
def test_any_secret_of_a_league_s_match_can_be_recomputed(secret: bytes, pairing: int) -> None:
    derived = dice.derive_match_secret(secret, pairing)
    assert derived == derive_as_described(secret, pairing)
    assert len(derived) == dice.SECRET_BYTES


def test_no_two_pairings_have_one_secret_and_no_two_leagues() -> None:
    # Eight divisions of eight have 8 * 28 pairings.
    derived = {dice.derive_match_secret(SECRET, pairing) for pairing in range(1, 225)}
    assert len(derived) == 224
    assert SECRET not in derived
    assert dice.derive_match_secret(SECRET[::-1], 1) not in derived


def chi_square(found: Iterable[int], cells: int) -> float:
    """Pearson's statistic against equal chances."""
    counts = list(found)
    due = sum(counts) / cells
    return sum((count - due) ** 2 for count in counts) / due + due * (cells - len(counts))


@pytest.mark.parametrize("many", mark_sweeps([100_000, 400_000], {100_000}.__contains__))
def test_many_throws_show_every_face_and_pair_alike_whatever_came_before(many: int) -> None:
    throws = [dice.derive_throw(SECRET, "1", ("1001", "1002"), number, 2) for number in range(many)]
    firsts = [first for first, _ in throws]
    # Upper 0.1 % points of chi-square, NIST/SEMATECH e-Handbook 1.3.6.7.4:
    # 20.515 (5 degrees), 66.619 (35 degrees).
    assert chi_square(Counter(firsts).values(), 6) < 20.515
    assert chi_square(Counter(second for _, second in throws).values(), 6) < 20.515
    assert chi_square(Counter(throws).values(), 36) < 66.619
    assert chi_square(Counter(zip(firsts[::2], firsts[1::2], strict=True)).values(), 36) < 66.619
