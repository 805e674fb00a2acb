"""What is said of a checked record: what counts for nothing is not told as a draw."""

import pytest

from bot.features.matches.record import VerificationResult
from bot.features.matches.record_texts import format_record_check
from bot.platform.i18n.reader import Reader
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
