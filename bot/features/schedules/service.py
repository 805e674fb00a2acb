"""What a server has the bot post of itself, and which day it is for those posts."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import tzinfo

from bot.features.schedules.rows import PostKind, ScheduledPost
from bot.features.schedules.turns import PostTurn, find_latest_turn, find_next_turn
from bot.platform.context import App
from bot.platform.time_zones import find_zone_or_utc
from bot.store import Job

USUAL_HOUR = 9
"""The hour at which something is posted unless another is chosen."""


@dataclass(frozen=True, slots=True)
class PostSchedule:
    """What a server has posted, the stored name of its time zone, and when it comes next.

    `latest` is the last post that was due.
    """

    chosen: ScheduledPost
    zone: str | None
    latest: PostTurn
    following: PostTurn

    @property
    def is_on(self) -> bool:
        """Whether anything is posted."""
        return self.chosen.channel is not None

    @property
    def present_day(self) -> int:
        """The day that lasts from one post to the next."""
        # With another hour or zone a day may be over that has been posted already.
        return max(self.latest.day, self.chosen.day)

    @property
    def clocks(self) -> tzinfo:
        """The clocks by which it is posted."""
        return find_zone_or_utc(self.zone)


async def load_schedule(app: App, guild: int, post: PostKind) -> PostSchedule | None:
    """Return what a server has posted; None if it never chose it."""
    chosen = await app.store.scheduled_posts.get(guild, post)
    if chosen is None:
        return None
    zone = (await app.store.servers.get(guild)).zone
    return _make_schedule(app, chosen, zone)


async def choose_schedule(
    app: App,
    guild: int,
    post: PostKind,
    channel: int,
    hour: int | None,
    make_job: Callable[[int], Job],
) -> PostSchedule:
    """Have something posted in a channel at an hour, None for the one that was chosen before.

    `make_job` gives the job that posts, at the instant at which the next post is due.
    """
    before = await app.store.scheduled_posts.get(guild, post)
    zone = (await app.store.servers.get(guild)).zone
    if hour is None:
        hour = before.hour if before else USUAL_HOUR
    clocks, now = find_zone_or_utc(zone), app.clock()
    # Nothing is posted at once, but when its hour comes.
    latest = find_latest_turn(now, clocks, hour, post.weekday)
    following = find_next_turn(now, clocks, hour, post.weekday)
    new = ScheduledPost(guild, post, channel, hour, latest.day)
    chosen, jobs = await app.store.scheduled_posts.choose(new, [make_job(following.at)])
    app.take(jobs)
    return _make_schedule(app, chosen, zone)


def _make_schedule(app: App, chosen: ScheduledPost, zone: str | None) -> PostSchedule:
    clocks, now = find_zone_or_utc(zone), app.clock()
    weekday = chosen.post.weekday
    return PostSchedule(
        chosen,
        zone,
        find_latest_turn(now, clocks, chosen.hour, weekday),
        find_next_turn(now, clocks, chosen.hour, weekday),
    )
