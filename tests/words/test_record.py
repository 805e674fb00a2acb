"""What is said of a checked record: how the match ended, and what its commitment proves."""

from typing import Any

import pytest

from bot.features.matches.record import VerificationResult, verify_record
from bot.features.matches.record_texts import format_record_check
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
from tests.bot.test_command_line import build_record
from tests.engine.build import apply_events, build_match

CHECKED = "2 throws were recomputed from the secret, and every event follows the rules"
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
        "black: decided at the deadline of the event",
    ),
    ((Concluded(None, forfeited=False),), "drawn: decided at the deadline of the event"),
    ((Annulled(),), "annulled by a moderator"),
    ((Resigned(Side.GOLD), Annulled()), "annulled by a moderator"),
    ((Abandoned(),), "nobody played for sixty days"),
)


@pytest.mark.parametrize(("events", "told"), ENDS)
def test_how_a_checked_match_ended_is_told(events: tuple[Event, ...], told: str) -> None:
    start = build_match("a15 z15 gold -", "zeno").apply(Thrown((6, 5, 2)))
    assert (
        format_record_check(Reader.ENGLISH, VerificationResult(2, end=apply_events(start, *events)))
        == f"{CHECKED}; {told}."
    )


BEGUN = "0 throws were recomputed from the secret, and every event follows the rules; unfinished."
IN_FULL = (
    "According to the record, all its digits were posted before the last seat was taken: compare "
    "them with what was posted."
)
AT_MOST_20 = (
    "At most 20 of its digits were posted beforehand. That rules out a secret found afterwards, "
    "but not one of two that were prepared and begin alike."
)
UNPOSTED = (
    "There's no record that it was posted beforehand, so the secret could have been chosen to suit."
)


def build_opened_record(secret: bytes, **changed: Any) -> dict[str, Any]:
    """The record of a match that has begun with the opening roll that a secret gives."""
    commitment = dice.compute_commitment(secret)
    gold, black = (
        list(dice.derive_throw(secret, commitment, ("1", "2"), number, 3)) for number in range(2)
    )
    battled = {"v": 1, "event": "battled", "gold": gold, "black": black}
    return build_record(secret=secret.hex(), commitment=commitment, events=[battled], **changed)


@pytest.mark.parametrize(
    ("changed", "told"),
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
    changed: dict[str, Any], told: str
) -> None:
    digits = "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"
    record = build_record(secret="00" * 32, commitment=digits, events=[], **changed)
    found = format_record_check(Reader.ENGLISH, verify_record(record))
    assert found == f"{BEGUN} The commitment is `{digits}`. {told}"


@pytest.mark.parametrize("posted", [-1, 65, 20.0, "64", True, None, []])
def test_what_is_no_number_of_digits_is_no_record(posted: object) -> None:
    with pytest.raises(ValueError, match=r"the digits posted are no number from 0 to 64$"):
        verify_record(build_opened_record(bytes(32), posted=posted))
