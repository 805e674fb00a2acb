"""What is told of a club's week."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.features.contests.results import list_champions
from bot.features.contests.rows import Contest, ContestState
from bot.features.digest.rows import LuckyThrow, WeekFigures, WeekSpan
from bot.features.ladders.rows import Ladder, LadderView
from bot.features.ladders.rungs import compute_rungs
from bot.features.matches import loading
from bot.features.schedules.service import PostSchedule
from bot.features.schedules.turns import DAYS_A_WEEK, find_day_start
from bot.features.statistics.rows import ClubScope
from bot.platform.computers import COMPUTERS
from bot.platform.context import App
from bot.store import MatchRow
from engine.position import Side
from engine.refusal import Refusal

MOST_EXAMINED = 25
"""The latest contests, of which some may have ended in a week."""
MOST_DEADLINES = 5


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


async def load_digest(app: App, schedule: PostSchedule) -> WeekDigest | None:
    """Return what happened in the week before a post; None if people finished no match."""
    guild, day = schedule.chosen.guild, schedule.latest.day
    clocks = schedule.clocks
    week = WeekSpan(find_day_start(day - DAYS_A_WEEK, clocks), find_day_start(day, clocks))
    figures = await app.store.digests.load_figures(ClubScope(guild, COMPUTERS), week)
    if not figures.matches:
        return None
    longest = await app.store.matches.get(figures.longest.match) if figures.longest else None
    return WeekDigest(
        week,
        figures,
        longest,
        await _load_luckiest(app, guild, week),
        await _load_won(app, guild, week),
        await _load_ladders(app, guild, week),
        await _load_deadlines(app, guild),
    )


async def _load_luckiest(app: App, guild: int, week: WeekSpan) -> LuckiestThrow | None:
    found = await app.store.digests.find_luckiest_throw(ClubScope(guild, COMPUTERS), week)
    if found is None:
        return None
    try:
        session = await loading.load_session(app, found.match)
    except Refusal:
        # Its rules are no longer known.
        return None
    people = session.list_players_at(Side(found.side), found.version)
    return LuckiestThrow(found, people, session.row)


async def _load_won(app: App, guild: int, week: WeekSpan) -> list[WonContest]:
    latest = await app.store.contests.load_latest(guild, MOST_EXAMINED)
    over = [each.id for each in latest if each.state is ContestState.OVER]
    finished = await app.store.digests.find_finished(over, week)
    won = []
    for number in sorted(finished):
        view = await app.store.contests.load_view(number)
        if view is not None and (champions := list_champions(view)):
            won.append(WonContest(view.contest, champions))
    return won


async def _load_ladders(app: App, guild: int, week: WeekSpan) -> list[LadderWeek]:
    views = [
        await app.store.ladders.load_view(each.id)
        for each in await app.store.ladders.load_open(guild)
    ]
    changes = (_compare_ladder(view, week) for view in views if view is not None)
    return [change for change in changes if change is not None]


def _compare_ladder(view: LadderView, week: WeekSpan) -> LadderWeek | None:
    """Return how a ladder has changed within a week; None if its order is the same."""
    before, after = (_compute_rungs_at(view, instant) for instant in (week.start, week.end))
    if not after or before == after:
        return None
    climbs = dict(_list_climbs(before, after))
    # Of equal ones the one who stands higher.
    climber = max(climbs, key=lambda person: climbs[person], default=None)
    return LadderWeek(
        view.ladder,
        before[0] if before else None,
        after[0],
        climber,
        0 if climber is None else after.index(climber) + 1,
    )


def _compute_rungs_at(view: LadderView, instant: int) -> tuple[int, ...]:
    return compute_rungs(
        [each for each in view.events if each.at < instant],
        [each for each in view.challenges if each.settled is not None and each.settled < instant],
    )


def _list_climbs(before: Sequence[int], after: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield who stands higher than before, the highest first, and by how many rungs."""
    for rung, person in enumerate(after):
        if person in before and before.index(person) > rung:
            yield person, before.index(person) - rung


async def _load_deadlines(app: App, guild: int) -> list[ContestDeadline]:
    deadlines = []
    for contest in await app.store.contests.load_by_server(guild):
        at = contest.starts if contest.state is ContestState.OPEN else contest.ends
        # While a contest is stopped nobody knows its deadline.
        if at is not None and contest.paused is None:
            deadlines.append(ContestDeadline(contest, at))
    return sorted(deadlines, key=lambda each: (each.at, each.contest.id))[:MOST_DEADLINES]
