"""What a check of a record says of where a league's match has its secret from."""

import json
from pathlib import Path
from typing import Any

import pytest

from bot.features.matches.record import RecordFault, format_record_check, verify_record
from bot.platform.i18n.reader import Reader
from tests.bot.test_command_line import build_record, run_tabula
from tests.words.test_record import AT_MOST_20, UNPOSTED

# Worked out with openssl, as docs/dice.md tells: the secret of pairing 2 of the league whose
# secret is the bytes from 0 to 31, and the SHA-256 of both.
LEAGUE = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
LEAGUE_COMMITMENT = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
SECRET = "09e7e120e9df4121956840b541c3d4dcc14f273d46a9bf5d047deea31cc8cbd2"
COMMITMENT = "de5f1cc85ed8582e852b5422e085b3181eb867c9b759cb33598c829695bfe20b"
ANOTHER = "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"
BEGUN = (
    "All 0 throws match the secret fixed before the first roll, and every move is legal; "
    "unfinished."
)
ALL_64 = (
    "According to the record, all its digits were posted before anybody joined: compare them with "
    "what was posted."
)
NO_RECORD = "not a record of a match: "


def build_league_record(**changed: Any) -> dict[str, Any]:
    """A record of a league's match in which nothing has happened; None takes a value away."""
    league = {"commitment": LEAGUE_COMMITMENT, "pairing": 2, "secret": LEAGUE, **changed}
    known = {name: value for name, value in league.items() if value is not None}
    return build_record(secret=SECRET, commitment=COMMITMENT, events=[], league=known)


def format_check(record: dict[str, Any]) -> str:
    """What is said of a record."""
    return format_record_check(Reader.ENGLISH, verify_record(record))


def test_a_secret_that_follows_from_the_league_s_is_told_with_its_commitment() -> None:
    assert format_check(build_league_record()) == (
        f"{BEGUN} This is the secret of pairing 2 of the league or tournament with the commitment "
        f"`{LEAGUE_COMMITMENT}`. {AT_MOST_20}"
    )


@pytest.mark.parametrize(
    ("posted", "text"),
    [
        (64, ALL_64),
        (20, AT_MOST_20),
        (0, UNPOSTED),
    ],
)
def test_what_was_posted_of_the_league_s_commitment_says_what_it_proves(
    posted: int, text: str
) -> None:
    # The match's own commitment is not what was posted, so its number says nothing.
    record = {**build_league_record(posted=posted), "posted": 0}
    assert format_check(record).endswith(f"`{LEAGUE_COMMITMENT}`. {text}")


def test_while_the_league_goes_on_that_part_is_said_to_be_checked_later() -> None:
    assert format_check(build_league_record(secret=None)) == (
        f"{BEGUN} Whether this is the secret of pairing 2 of the league or tournament with the "
        f"commitment `{LEAGUE_COMMITMENT}` can be checked when that is over. {AT_MOST_20}"
    )


def test_a_record_of_no_league_says_nothing_of_one() -> None:
    assert format_check(build_record(secret=SECRET, commitment=COMMITMENT, events=[])) == (
        f"{BEGUN} The commitment is `{COMMITMENT}`. {AT_MOST_20}"
    )


def test_the_league_s_commitment_is_the_one_to_compare(tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    file.write_text(json.dumps(build_league_record()), encoding="utf-8")
    ended = run_tabula("verify", str(file), "--commitment", LEAGUE_COMMITMENT)
    assert ended.returncode == 0
    assert ended.stdout.decode().endswith("\nIt is the commitment that you gave.\n")
    ended = run_tabula("verify", str(file), "--commitment", COMMITMENT)
    assert (ended.returncode, ended.stderr.decode()) == (
        1,
        f"tabula: the record's commitment is {LEAGUE_COMMITMENT}, not the one that you gave\n",
    )


@pytest.mark.parametrize(
    ("changed", "wrong", "text"),
    [
        (
            {"secret": "ff" + LEAGUE[2:]},
            RecordFault.LEAGUE_SECRET,
            "the secret of the league or tournament doesn't match its commitment",
        ),
        (
            {"commitment": ANOTHER},
            RecordFault.LEAGUE_SECRET,
            "the secret of the league or tournament doesn't match its commitment",
        ),
        (
            # Another league altogether, whose secret and commitment fit each other.
            {"secret": "00" * 32, "commitment": ANOTHER},
            RecordFault.PAIRING,
            (
                "the secret isn't the one that the secret of the league or tournament gives to "
                "pairing 2"
            ),
        ),
        (
            {"pairing": 3},
            RecordFault.PAIRING,
            (
                "the secret isn't the one that the secret of the league or tournament gives to "
                "pairing 3"
            ),
        ),
    ],
)
def test_what_was_changed_is_named(
    tmp_path: Path, changed: dict[str, Any], wrong: RecordFault, text: str
) -> None:
    record = build_league_record(**changed)
    assert verify_record(record).wrong is wrong
    sentence = f"After 0 correct throws, {text}."
    assert format_check(record) == sentence
    file = tmp_path / "record.json"
    file.write_text(json.dumps(record), encoding="utf-8")
    ended = run_tabula("verify", str(file))
    assert (ended.returncode, ended.stderr.decode()) == (1, f"tabula: {sentence}\n")


def test_another_secret_of_the_match_is_still_found_first() -> None:
    record = {**build_league_record(), "secret": "00" * 32}
    assert verify_record(record).wrong is RecordFault.SECRET
    # With its own commitment it would do, if it were no match of a league.
    fitting = {**record, "commitment": ANOTHER}
    assert verify_record(fitting).wrong is RecordFault.PAIRING


@pytest.mark.parametrize(
    ("league", "sentence"),
    [
        (None, "what it says of its league is no object"),
        ([LEAGUE_COMMITMENT, 2], "what it says of its league is no object"),
        ({}, "'pairing'"),
        ({"pairing": 2}, "'commitment'"),
        ({"commitment": LEAGUE_COMMITMENT}, "'pairing'"),
        (
            {"commitment": LEAGUE_COMMITMENT, "pairing": "2"},
            "its league's pairing is no number from 1",
        ),
        (
            {"commitment": LEAGUE_COMMITMENT, "pairing": 0},
            "its league's pairing is no number from 1",
        ),
        (
            {"commitment": LEAGUE_COMMITMENT, "pairing": True},
            "its league's pairing is no number from 1",
        ),
        (
            {"commitment": LEAGUE_COMMITMENT, "pairing": 2.0},
            "its league's pairing is no number from 1",
        ),
        (
            {"commitment": 7, "pairing": 2},
            "its league's commitment is not 64 hexadecimal digits",
        ),
        (
            {"commitment": LEAGUE_COMMITMENT, "pairing": 2, "posted": 65},
            "the digits posted are no number from 0 to 64",
        ),
        (
            {"commitment": LEAGUE_COMMITMENT, "pairing": 2, "posted": True},
            "the digits posted are no number from 0 to 64",
        ),
        (
            {"commitment": LEAGUE_COMMITMENT[1:], "pairing": 2},
            "its league's commitment is not 64 hexadecimal digits",
        ),
        (
            {"commitment": LEAGUE_COMMITMENT, "pairing": 2, "secret": None},
            "its league's secret is not 64 hexadecimal digits",
        ),
        (
            {"commitment": LEAGUE_COMMITMENT, "pairing": 2, "secret": f"{LEAGUE[:-1]}g"},
            "its league's secret is not 64 hexadecimal digits",
        ),
    ],
)
def test_what_is_no_part_of_a_record_is_told_in_a_sentence(
    tmp_path: Path, league: object, sentence: str
) -> None:
    file = tmp_path / "record.json"
    file.write_text(json.dumps({**build_league_record(), "league": league}), encoding="utf-8")
    ended = run_tabula("verify", str(file))
    assert (ended.returncode, ended.stderr.decode()) == (1, f"tabula: {NO_RECORD}{sentence}\n")
