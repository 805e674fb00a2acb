"""What has been played in a server, week by week in its own time zone."""

from dataclasses import dataclass
from datetime import datetime, time, timedelta, tzinfo

from bot.features.matches.rows import MatchRow
from bot.features.matches.store import Matches
from bot.features.statistics.rows import ClubFigures, ClubScope, Period
from bot.features.statistics.store import Statistics
from bot.platform.context import App
from bot.platform.people import COMPUTERS
from bot.platform.time_zones import find_zone_or_utc, to_instant, to_wall_time

WEEKS, RECENT_WEEKS = 26, 4
"""The weeks that are counted, the one that goes on included, and those of the recent players."""
MIN_MATCHES = 5
"""Matches between people from which on there is something to be drawn."""


def find_period(now: int, zone: tzinfo) -> Period:
    """Return the last weeks by a zone's clocks, each from Monday to Sunday, at an instant."""
    today = to_wall_time(now, zone).date()
    monday = datetime.combine(today - timedelta(days=today.weekday()), time.min)
    # By the calendar, as a week in which the clocks change is an hour longer or shorter.
    *starts, end = (
        to_instant(monday + timedelta(weeks=number), zone) for number in range(1 - WEEKS, 2)
    )
    return Period(starts, end, starts[-RECENT_WEEKS])


@dataclass(frozen=True, slots=True)
class ClubReport:
    """A server's figures, the stored name of the time zone of its weeks, and its longest match."""

    figures: ClubFigures
    zone: str | None
    longest: MatchRow | None


async def load_report(app: App, guild: int) -> ClubReport:
    """Return what has been played in a server."""
    zone = (await app.store.servers.load_settings(guild)).zone
    period = find_period(app.clock(), find_zone_or_utc(zone))
    figures = await app.store.get(Statistics).load_figures(ClubScope(guild, COMPUTERS), period)
    row = await app.store.get(Matches).load_row(figures.longest.match) if figures.longest else None
    return ClubReport(figures, zone, row)
