"""What a server has the bot post by itself, when, and what a digest says of the server's week.

It is posted every day or week at an hour of the server's clocks. Days are counted from 1970. An
hour that the clocks skip is when they do; one that they show twice is the first.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo
from typing import TypeVar

from bot.features.contests.results import list_champions
from bot.features.contests.store import Contests
from bot.features.contests.tables import Contest, ContestState
from bot.features.ladders.rungs import compute_rungs
from bot.features.ladders.store import Ladders
from bot.features.ladders.tables import Ladder, LadderHistory
from bot.features.matches import loading
from bot.features.matches.rows import MatchRow
from bot.features.matches.store import Matches
from bot.features.posts.rows import LuckyThrow, PostKind, ScheduledPost, WeekFigures, WeekSpan
from bot.features.posts.store import ScheduledPosts, WeekDigests
from bot.features.statistics.rows import ClubScope
from bot.platform.context import App, find_closed_channels
from bot.platform.db.rows import Job
from bot.platform.people import COMPUTERS
from bot.platform.time_zones import find_zone_or_utc, to_instant, to_wall_time
from engine.position import Side
from engine.refusal import Refusal

USUAL_HOUR = 9
"""The hour at which something is posted unless another is chosen."""
DAYS_A_WEEK = 7
_FIRST_DAY = date(1970, 1, 1)


@dataclass(frozen=True, slots=True)
class PostTurn:
    """The day of a post, and the instant at which it is due, in milliseconds."""

    day: int
    at: int


def find_latest_turn(now: int, zone: tzinfo, hour: int, weekday: int | None = None) -> PostTurn:
    """Return the last post that was due at an instant, or is due then."""
    return next(turn for turn in _walk_turns(now, zone, hour, weekday, -1) if turn.at <= now)


def find_next_turn(now: int, zone: tzinfo, hour: int, weekday: int | None = None) -> PostTurn:
    """Return the first post that is due after an instant."""
    return next(turn for turn in _walk_turns(now, zone, hour, weekday, 1) if turn.at > now)


def find_day_start(day: int, zone: tzinfo) -> int:
    """Return the instant at which a day begins."""
    return to_instant(datetime.combine(to_date(day), time.min), zone)


def to_date(day: int) -> date:
    """Return the date of a day."""
    return _FIRST_DAY + timedelta(days=day)


def _walk_turns(
    now: int, zone: tzinfo, hour: int, weekday: int | None, step: int
) -> Iterator[PostTurn]:
    """Yield the posts of today and of the week before or after it."""
    today = to_wall_time(now, zone).date()
    for number in range(DAYS_A_WEEK + 1):
        shown = today + timedelta(days=step * number)
        if weekday in (None, shown.weekday()):
            at = to_instant(datetime.combine(shown, time(hour)), zone)
            yield PostTurn((shown - _FIRST_DAY).days, at)


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
    chosen = await app.store.get(ScheduledPosts).load_post(guild, post)
    if chosen is None:
        return None
    zone = (await app.store.servers.load_settings(guild)).zone
    return _build_schedule(app, chosen, zone)


async def choose_schedule(
    app: App,
    guild: int,
    post: PostKind,
    channel: int,
    hour: int | None,
    build_job: Callable[[int], Job],
) -> PostSchedule:
    """Have something posted in a channel at an hour, None for the one that was chosen before.

    `build_job` gives the job that posts, at the instant at which the next post is due.
    """
    before = await app.store.get(ScheduledPosts).load_post(guild, post)
    zone = (await app.store.servers.load_settings(guild)).zone
    if hour is None:
        hour = before.hour if before else USUAL_HOUR
    clocks, now = find_zone_or_utc(zone), app.clock()
    # Nothing is posted at once, but when its hour comes.
    latest = find_latest_turn(now, clocks, hour, post.weekday)
    following = find_next_turn(now, clocks, hour, post.weekday)
    new = ScheduledPost(guild, post, channel, hour, latest.day)
    chosen, jobs = await app.store.get(ScheduledPosts).choose(new, [build_job(following.at)])
    app.take(jobs)
    return _build_schedule(app, chosen, zone)


async def stop_schedule(app: App, guild: int, post: PostKind) -> None:
    """Have something posted no more."""
    await app.store.get(ScheduledPosts).stop(guild, post)


def _build_schedule(app: App, chosen: ScheduledPost, zone: str | None) -> PostSchedule:
    clocks, now = find_zone_or_utc(zone), app.clock()
    weekday = chosen.post.weekday
    return PostSchedule(
        chosen,
        zone,
        find_latest_turn(now, clocks, chosen.hour, weekday),
        find_next_turn(now, clocks, chosen.hour, weekday),
    )


_Shown = TypeVar("_Shown", Contest, Ladder)

MAX_EXAMINED = 25
"""The latest contests, of which some may have ended in a week."""
MAX_DEADLINES = 5


@dataclass(frozen=True, slots=True)
class WonContest:
    """A contest that has ended, and who has won it; several where nothing tells them apart."""

    contest: Contest
    champions: Sequence[int]


@dataclass(frozen=True, slots=True)
class LadderWeek:
    """How a ladder has changed: who led it before and leads it now, and who climbed the most.

    `rung` is where that person stands now; nobody may have climbed, or led before.
    """

    ladder: Ladder
    before: int | None
    leader: int
    climber: int | None
    rung: int


@dataclass(frozen=True, slots=True)
class ContestDeadline:
    """When sign-up for a contest ends, or the time to play in it."""

    contest: Contest
    at: int


@dataclass(frozen=True, slots=True)
class LuckiestThrow:
    """The luckiest throw of a week, and the people of the side that threw it."""

    found: LuckyThrow
    people: Sequence[int]
    row: MatchRow


@dataclass(frozen=True, slots=True)
class WeekDigest:
    """What happened in a server within a week, and the deadlines that come next.

    `longest` is the match of that name among the figures. `luckiest` is known only of matches that
    have a report.
    """

    week: WeekSpan
    figures: WeekFigures
    longest: MatchRow | None
    luckiest: LuckiestThrow | None
    won: Sequence[WonContest]
    ladders: Sequence[LadderWeek]
    deadlines: Sequence[ContestDeadline]


@dataclass(frozen=True, slots=True)
class DigestAudience:
    """Those who read a server's digest in its channel."""

    app: App
    guild: int
    channel: int | None

    async def find_hidden(self, channels: Iterable[int]) -> frozenset[int]:
        """Return those of some channels that not all of them can see."""
        return await find_closed_channels(self.app, self.guild, channels, self.channel)

    async def keep_seen(self, found: Sequence[_Shown]) -> list[_Shown]:
        """Return those contests, or ladders, whose channels all of them can see."""
        hidden = await self.find_hidden({each.channel for each in found})
        return [each for each in found if each.channel not in hidden]


async def load_digest(app: App, schedule: PostSchedule) -> WeekDigest | None:
    """Return what happened in the week before a post; None if people finished no match.

    What happened in a channel that not all can see who read the post is left out.
    """
    guild, day = schedule.chosen.guild, schedule.latest.day
    clocks = schedule.clocks
    week = WeekSpan(find_day_start(day - DAYS_A_WEEK, clocks), find_day_start(day, clocks))
    club, store = ClubScope(guild, COMPUTERS), app.store.get(WeekDigests)
    audience = DigestAudience(app, guild, schedule.chosen.channel)
    hidden = await audience.find_hidden(await store.load_channels(club, week))
    figures = await store.load_figures(club, week, hidden)
    if not figures.matches:
        return None
    longest = (
        await app.store.get(Matches).load_row(figures.longest.match) if figures.longest else None
    )
    return WeekDigest(
        week,
        figures,
        longest,
        await _load_luckiest(app, guild, week, hidden),
        await _load_won(app, audience, week),
        await _load_ladders(app, audience, week),
        await _load_deadlines(app, audience),
    )


async def _load_luckiest(
    app: App, guild: int, week: WeekSpan, hidden: Collection[int]
) -> LuckiestThrow | None:
    found = await app.store.get(WeekDigests).find_luckiest_throw(
        ClubScope(guild, COMPUTERS), week, hidden
    )
    if found is None:
        return None
    try:
        session = await loading.load_session(app, found.match)
    except Refusal:
        # Its rules are no longer known.
        return None
    people = session.list_players_at(Side(found.side), found.version)
    return LuckiestThrow(found, people, session.row)


async def _load_won(app: App, audience: DigestAudience, week: WeekSpan) -> list[WonContest]:
    latest = await app.store.get(Contests).load_latest(audience.guild, MAX_EXAMINED)
    seen = await audience.keep_seen(latest)
    over = [each.id for each in seen if each.state is ContestState.OVER]
    finished = await app.store.get(WeekDigests).find_finished(over, week)
    won = []
    for number in sorted(finished):
        view = await app.store.get(Contests).load_view(number)
        if view is not None and (champions := list_champions(view)):
            won.append(WonContest(view.contest, champions))
    return won


async def _load_ladders(app: App, audience: DigestAudience, week: WeekSpan) -> list[LadderWeek]:
    changes = [
        _compare_ladder(each, await app.store.get(Ladders).load_history(each.id), week)
        for each in await audience.keep_seen(await app.store.get(Ladders).load_open(audience.guild))
        # Where nothing has counted since then the order is the same, whatever came before.
        if each.last_event is None or each.counted_until >= week.start
    ]
    return [change for change in changes if change is not None]


def _compare_ladder(ladder: Ladder, history: LadderHistory, week: WeekSpan) -> LadderWeek | None:
    """Return how a ladder has changed within a week; None if its order is the same."""
    before, after = (_compute_rungs_at(history, instant) for instant in (week.start, week.end))
    if not after or before == after:
        return None
    climbs = dict(_list_climbs(before, after))
    # Of equal ones the one who stands higher.
    climber = max(climbs, key=lambda person: climbs[person], default=None)
    return LadderWeek(
        ladder,
        before[0] if before else None,
        after[0],
        climber,
        0 if climber is None else after.index(climber) + 1,
    )


def _compute_rungs_at(history: LadderHistory, instant: int) -> tuple[int, ...]:
    return compute_rungs(
        [each for each in history.events if each.at < instant],
        [
            each
            for each in history.challenges
            if each.settled is not None and each.settled < instant
        ],
    )


def _list_climbs(before: Sequence[int], after: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield who stands higher than before, the highest first, and by how many rungs."""
    for rung, person in enumerate(after):
        if person in before and before.index(person) > rung:
            yield person, before.index(person) - rung


async def _load_deadlines(app: App, audience: DigestAudience) -> list[ContestDeadline]:
    deadlines = []
    contests = await app.store.get(Contests).load_by_server(audience.guild)
    for contest in await audience.keep_seen(contests):
        at = contest.starts if contest.state is ContestState.OPEN else contest.ends
        # While a contest is stopped nobody knows its deadline.
        if at is not None and contest.paused is None and not contest.is_waiting:
            deadlines.append(ContestDeadline(contest, at))
    return sorted(deadlines, key=lambda each: (each.at, each.contest.id))[:MAX_DEADLINES]
