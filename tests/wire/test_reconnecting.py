"""How soon the bot is back after Discord was away, within what Discord allows."""

from collections import deque

import discord
import pytest

from bot import gateway

SESSIONS_A_DAY = 1_000
"""What Discord allows a bot: docs.discord.com, "Gateway", "Session Start Limit Object"."""


@pytest.fixture(autouse=True)
def starts(monkeypatch: pytest.MonkeyPatch) -> deque[float]:
    """No session was started yet."""
    noted: deque[float] = deque(maxlen=gateway.MANY_SESSIONS)
    monkeypatch.setattr(gateway, "_session_starts", noted)
    return noted


def test_discord_py_waits_as_we_say() -> None:
    assert vars(discord.shard)["ExponentialBackoff"] is gateway.PromptBackoff


def test_the_bot_is_back_within_half_a_minute_however_long_the_outage_was() -> None:
    backoff = gateway.PromptBackoff()
    delays = [backoff.delay() for _ in range(500)]
    assert max(delays) <= gateway.MAX_RECONNECT_S <= 30
    # It does not hammer either, once it is clear that this takes longer.
    assert sum(delays[20:]) > 15 * len(delays[20:])


def test_sessions_that_end_at_once_stay_within_what_a_day_allows() -> None:
    backoff = gateway.PromptBackoff()
    seconds = count = 0.0
    while seconds < 86_400:
        gateway.record_session_start()
        count += 1
        seconds += backoff.delay()
    assert count < SESSIONS_A_DAY
    assert max(backoff.delay() for _ in range(100)) <= gateway.MAX_BUSY_RECONNECT_S


def test_what_was_started_a_day_ago_counts_no_more(starts: deque[float]) -> None:
    for _ in range(gateway.MANY_SESSIONS):
        gateway.record_session_start()
    starts[0] -= gateway.DAY_S
    backoff = gateway.PromptBackoff()
    assert max(backoff.delay() for _ in range(200)) <= gateway.MAX_RECONNECT_S
