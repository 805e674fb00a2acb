"""What is said of a checked record: how the match ended, and what its commitment proves."""

import json
import re
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from bot.features.matches.record import VerificationResult, format_record_check, verify_record
from bot.platform.i18n.reader import Reader
from engine import dice
from engine.events import (
    Abandoned,
    Adjudicated,
    Annulled,
    Concluded,
    DrawAgreed,
    DrawOffered,
    Event,
    Resigned,
    Thrown,
)
from engine.position import Side
from tests.bot.test_command_line import build_record, run_tabula
from tests.engine.build import apply_events, build_match

CHECKED = "All 2 throws match the secret fixed before the first roll, and every move is legal"
ENDS: tuple[tuple[tuple[Event, ...], str], ...] = (
    ((), "unfinished"),
    ((Resigned(Side.GOLD),), "black: gold resigned"),
    ((DrawOffered(Side.GOLD), DrawAgreed(Side.BLACK)), "drawn: both sides agreed"),
    ((Adjudicated(Side.GOLD),), "gold: decided by a moderator"),
    ((Adjudicated(None),), "drawn: decided by a moderator"),
    ((Concluded(Side.GOLD, forfeited=True),), "gold: black forfeited"),
    ((Concluded(None, forfeited=True),), "neither side played in time"),
    (
        (Concluded(Side.BLACK, forfeited=False),),
        "black: decided at the deadline",
    ),
    ((Concluded(None, forfeited=False),), "drawn: decided at the deadline"),
    ((Annulled(),), "annulled"),
    ((Resigned(Side.GOLD), Annulled()), "annulled"),
    ((Abandoned(),), "nobody played for sixty days"),
)


@pytest.mark.parametrize(("events", "text"), ENDS)
def test_how_a_checked_match_ended_is_told(events: tuple[Event, ...], text: str) -> None:
    start = build_match("a15 z15 gold -", "zeno").apply(Thrown((6, 5, 2)))
    assert (
        format_record_check(Reader.ENGLISH, VerificationResult(2, end=apply_events(start, *events)))
        == f"{CHECKED}; {text}."
    )


BEGUN = (
    "All 0 throws match the secret fixed before the first roll, and every move is legal; "
    "unfinished."
)
IN_FULL = (
    "According to the record, all its digits were posted before the last seat was taken: compare "
    "them with what was posted."
)
AT_MOST_20 = (
    "At most 20 of its digits were posted beforehand. That rules out a secret found afterwards, "
    "but not a choice between two secrets that were prepared beforehand and whose SHA-256 begin "
    "alike."
)
UNPOSTED = (
    "There's no record that it was posted beforehand, so the secret could have been chosen to suit."
)
NOT_WHOLE = (
    "a commitment has 64 hexadecimal digits; give all of them, since two secrets can be found "
    "whose commitments begin alike"
)
SHORT = 5
"""Digits of a commitment of which even this test finds two alike, in some thousand hashes.

The square root of all that there are suffices: 2 to the power of 10 here, of 40 for 20 digits.
"""


def find_alike(digits: int) -> tuple[bytes, bytes]:
    """Two secrets whose commitments begin alike, as an operator could draw them."""
    known: dict[str, bytes] = {}
    for number in count():
        secret = number.to_bytes(dice.SECRET_BYTES, "big")
        begin = dice.compute_commitment(secret)[:digits]
        if begin in known:
            return known[begin], secret
        known[begin] = secret
    raise AssertionError


def build_opened_record(secret: bytes, **changed: Any) -> dict[str, Any]:
    """The record of a match that has begun with the opening roll that a secret gives."""
    commitment = dice.compute_commitment(secret)
    gold, black = (
        list(dice.derive_throw(secret, commitment, ("1", "2"), number, 3)) for number in range(2)
    )
    battled = {"v": 1, "event": "battled", "gold": gold, "black": black}
    return build_record(secret=secret.hex(), commitment=commitment, events=[battled], **changed)


def test_an_operator_with_two_secrets_is_found_out_by_all_digits_and_not_by_a_few(
    tmp_path: Path,
) -> None:
    first, second = find_alike(SHORT)
    text, other = dice.compute_commitment(first), dice.compute_commitment(second)
    assert text[:SHORT] == other[:SHORT]
    records = [build_opened_record(secret, posted=64) for secret in (first, second)]
    # Their throws differ, so that there was something to choose after the acceptance.
    assert records[0]["events"] != records[1]["events"]
    files = []
    for at, record in enumerate(records):
        files.append(tmp_path / f"{at}.json")
        files[-1].write_text(json.dumps(record), encoding="utf-8")
        # Each record is right in itself, and says with which commitment.
        ended = run_tabula("verify", str(files[-1]))
        assert ended.returncode == 0
        assert f"The commitment is `{record['commitment']}`." in ended.stdout.decode()
    ended = run_tabula("verify", str(files[0]), "--commitment", text)
    assert ended.returncode == 0
    assert ended.stdout.decode().endswith("\nIt is the commitment that you gave.\n")
    ended = run_tabula("verify", str(files[1]), "--commitment", text)
    assert (ended.returncode, ended.stdout, ended.stderr.decode()) == (
        1,
        b"",
        f"tabula: the record's commitment is {other}, not the one that you gave\n",
    )
    # The digits that both have prove nothing, and are not taken for the commitment.
    ended = run_tabula("verify", str(files[1]), "--commitment", text[:SHORT])
    assert (ended.returncode, ended.stdout, ended.stderr.decode()) == (
        1,
        b"",
        f"tabula: {NOT_WHOLE}\n",
    )


@pytest.mark.parametrize("text", ["", "0" * 20, "0" * 63, "0" * 65, "g" * 64, "\u0660" * 64])
def test_what_is_no_whole_commitment_is_refused_before_the_file_is_read(text: str) -> None:
    ended = run_tabula("verify", "nowhere.json", "--commitment", text)
    assert (ended.returncode, ended.stderr.decode()) == (1, f"tabula: {NOT_WHOLE}\n")


def test_a_commitment_is_taken_as_it_was_copied(tmp_path: Path) -> None:
    record = build_opened_record(bytes(32))
    file = tmp_path / "record.json"
    file.write_text(json.dumps(record), encoding="utf-8")
    # Out of its quotes, in groups, over two lines, or as another program writes it.
    copied = f" `{' '.join(re.findall('.{8}', record['commitment'].upper()))}`\n"
    assert run_tabula("verify", str(file), "--commitment", copied).returncode == 0


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        (
            {"posted": 64},
            IN_FULL,
        ),
        (
            {"posted": 20},
            AT_MOST_20,
        ),
        (
            # As earlier versions wrote records.
            {},
            AT_MOST_20,
        ),
        (
            {"posted": 0},
            UNPOSTED,
        ),
    ],
)
def test_what_was_posted_beforehand_says_what_a_record_proves(
    changed: dict[str, Any], text: str
) -> None:
    digits = "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"
    record = build_record(secret="00" * 32, commitment=digits, events=[], **changed)
    found = format_record_check(Reader.ENGLISH, verify_record(record))
    assert found == f"{BEGUN} The commitment is `{digits}`. {text}"


@pytest.mark.parametrize("posted", [-1, 65, 20.0, "64", True, None, []])
def test_what_is_no_number_of_digits_is_no_record(posted: object) -> None:
    with pytest.raises(ValueError, match=r"the digits posted are no number from 0 to 64$"):
        verify_record(build_opened_record(bytes(32), posted=posted))
