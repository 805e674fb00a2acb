"""Refused requests are counted as Discord counts them.

The answers are counted as they came over the wire.
"""

import logging
import time

import aiohttp
import pytest
from aiohttp import web

from bot.platform.ui.app_client import REFUSALS_WINDOW_S, WARNING_THRESHOLD, RequestTracker


class SteppedClock:
    """A clock that a test moves on."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


async def _respond(request: web.Request) -> web.Response:
    scope = request.query.get("scope")
    headers = {"X-RateLimit-Scope": scope} if scope else {}
    if (date := request.query.get("date")) is not None:
        headers["Date"] = date
    return web.Response(status=int(request.match_info["status"]), headers=headers)


async def make_requests(exchanges: RequestTracker, *answers: str) -> None:
    """Make requests that are answered so: a status, and perhaps the scope of a rate limit."""
    app = web.Application()
    app.router.add_get("/{status}", _respond)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    address = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        async with aiohttp.ClientSession(trace_configs=[exchanges.trace]) as session:
            for answer in answers:
                async with session.get(f"{address}/{answer}"):
                    pass
    finally:
        await runner.cleanup()


@pytest.mark.asyncio
async def test_what_discord_counts_against_a_program_is_counted() -> None:
    exchanges = RequestTracker(SteppedClock())
    await make_requests(exchanges, "200", "204", "400", "404", "500", "503", "429?scope=shared")
    assert exchanges.count_refusals() == 0
    await make_requests(exchanges, "401", "403", "429", "429?scope=user", "429?scope=global")
    assert exchanges.count_refusals() == 5


@pytest.mark.asyncio
async def test_what_is_older_than_ten_minutes_counts_no_longer() -> None:
    steady = SteppedClock()
    exchanges = RequestTracker(steady)
    await make_requests(exchanges, "403")
    steady.now = REFUSALS_WINDOW_S - 1
    await make_requests(exchanges, "403")
    assert exchanges.count_refusals() == 2
    steady.now = REFUSALS_WINDOW_S
    assert exchanges.count_refusals() == 1


@pytest.mark.asyncio
async def test_very_many_stand_in_the_log_once_a_minute(caplog: pytest.LogCaptureFixture) -> None:
    steady = SteppedClock()
    exchanges = RequestTracker(steady)
    await make_requests(exchanges, *["403"] * (WARNING_THRESHOLD + 9))
    assert caplog.text.count("Discord refused 1000 requests within ten minutes") == 1
    assert caplog.text.count("Discord refused") == 1
    steady.now = 60
    await make_requests(exchanges, "403")
    assert caplog.text.count("Discord refused") == 2


@pytest.mark.asyncio
@pytest.mark.parametrize("ahead_s", [-3600, 3600])
async def test_a_clock_that_is_far_from_discord_s_is_noticed_and_when_it_is_right_again(
    caplog: pytest.LogCaptureFixture, ahead_s: float
) -> None:
    caplog.set_level(logging.INFO)
    away_s = ahead_s
    exchanges = RequestTracker(SteppedClock(), lambda: 1000 * (time.time() + away_s))
    assert not exchanges.is_clock_wrong()
    await make_requests(exchanges, "200", "200")
    assert exchanges.is_clock_wrong()
    word = "ahead of" if ahead_s > 0 else "behind"
    assert caplog.text.count(f"s {word} Discord's; nobody's time runs out until it is set") == 1
    away_s = 20
    await make_requests(exchanges, "200", "200")
    assert not exchanges.is_clock_wrong()
    assert caplog.text.count("the clock of this machine is right again") == 1


@pytest.mark.asyncio
@pytest.mark.parametrize("date", ["", "yesterday", "Sat, 99 Nov 2026 00:00:00 GMT"])
async def test_a_damaged_date_says_nothing_of_the_clock(date: str) -> None:
    exchanges = RequestTracker(SteppedClock(), lambda: 0.0)
    await make_requests(exchanges, f"200?date={date}")
    assert exchanges.find_skew_s() is None
