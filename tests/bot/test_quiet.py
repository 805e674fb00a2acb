"""Quiet hours of a server: nobody is notified in them, and reminders wait, but not past the flag."""

import pytest

from bot.app.errors import Declined, Why
from bot.app.quiet import quiet_until, read_quiet
from engine.clock import DAY, HOUR, MINUTE
from tests.bot.conftest import Club
from tests.bot.driver import begin, newest, said, seen, text

MIDNIGHT = 20_000 * DAY


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("22-7", (1320, 420, 0)),
        ("22:30 - 7:15 +2", (1350, 435, 120)),
        ("9-17 -3:30", (540, 1020, -210)),
        ("none", ()),
    ],
)
def test_quiet_hours_are_read(typed: str, read: tuple[int, ...]) -> None:
    assert read_quiet(typed) == read


@pytest.mark.parametrize("typed", ["", "night", "22", "7-7", "24-7", "22-25", "22:60-7", "22-7 +15", "22-7 2"])
def test_what_is_no_quiet_hours_is_refused(typed: str) -> None:
    with pytest.raises(Declined, match=Why.QUIET_FORM):
        read_quiet(typed)


def test_quiet_hours_end_where_they_say() -> None:
    night = (1320, 420, 120)
    # 22:00 two hours ahead of UTC is 20:00 there.
    assert quiet_until(night, MIDNIGHT + 20 * HOUR - 1) is None
    assert quiet_until(night, MIDNIGHT + 20 * HOUR) == MIDNIGHT + DAY + 5 * HOUR
    assert quiet_until(night, MIDNIGHT + 5 * HOUR - 1) == MIDNIGHT + 5 * HOUR
    assert quiet_until(night, MIDNIGHT + 5 * HOUR) is None
    assert quiet_until((), MIDNIGHT) is None


def notified(club: Club) -> list[str]:
    """Whom the newest message that was posted may notify."""
    posted = [each for each in club.env.http_requests if each.method == "POST" and each.path.endswith("/messages")]
    allowed = (posted[-1].json or {})["allowed_mentions"]
    assert allowed["parse"] == []
    return [str(user) for user in allowed.get("users", [])]


def hours_from_now(club: Club, began: int, ended: int) -> str:
    """Write hours so many from now as they are typed, to the minute."""
    minutes = [(club.hands() // MINUTE + 60 * each) % (24 * 60) for each in (began, ended)]
    return "-".join(f"{each // 60}:{each % 60:02}" for each in minutes)


@pytest.mark.asyncio
async def test_nobody_is_notified_in_quiet_hours_and_a_reminder_waits_for_their_end(club: Club) -> None:
    await club.ana.slash(club.channel, "server matches", pace="day", quiet=hours_from_now(club, -1, 1))
    await begin(club, "zeno")
    assert notified(club) == []
    await club.later(2 * HOUR)
    told = said(await club.ana.slash(club.channel, "server matches", quiet=hours_from_now(club, 18, 21)))
    assert "nobody is notified, and reminders wait." in told
    await club.later(20 * HOUR)
    before = len(seen(club))
    assert "your time in" not in text(newest(club))
    await club.later(2 * HOUR - 10 * MINUTE)
    assert len(seen(club)) == before + 1
    assert "your time in" in text(newest(club))
    assert len(notified(club)) == 1


@pytest.mark.asyncio
async def test_a_reminder_does_not_wait_past_the_flag(club: Club) -> None:
    await club.ana.slash(club.channel, "server matches", pace="day", quiet=hours_from_now(club, 20, 26))
    await begin(club, "zeno")
    assert "your time in" not in text(newest(club))
    await club.later(23 * HOUR)
    assert "your time in" in text(newest(club))
    assert notified(club) == []
