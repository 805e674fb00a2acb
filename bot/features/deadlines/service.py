"""What somebody has to do by when: their leagues, matches, and challenges to them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.features.challenges.store import Challenges
from bot.features.challenges.tables import Challenge
from bot.features.contests.planning import find_deadline
from bot.features.contests.store import Contests
from bot.features.contests.tables import Contest, ContestState
from bot.features.matches.clock import compute_deadlines, get_pace
from bot.features.matches.loading import load_running_sessions
from bot.features.matches.rows import EndedMatch
from bot.features.matches.session import MatchSession
from bot.features.matches.store import Matches
from bot.platform.context import App
from bot.platform.people import distinguish_names
from engine.clock import DAY, NEVER

REMEMBERED_MS = 90 * DAY
"""Milliseconds for which a calendar still lists a cancelled deadline."""


@dataclass(frozen=True, slots=True)
class LeagueDeadline:
    """When sign-up for a league ends, or the time to play in it.

    One that `is_off` is none any more: the league began early, is over, or the person has left it.
    One that `is_stopped` moves on, as long as the league is paused or its server out of reach.
    """

    league: Contest
    at: int
    is_sign_up: bool
    is_off: bool = False
    is_stopped: bool = False


@dataclass(frozen=True, slots=True)
class TurnDeadline:
    """When the time of the one to act in a match runs out; None while its clock stands still."""

    session: MatchSession
    at: int | None


@dataclass(frozen=True, slots=True)
class ChallengeDeadline:
    """When a challenge to somebody expires, on a ladder at the cost of their rung.

    `challenger` is the plain name of who made it. One that `is_off` is answered, or has expired.
    """

    challenge: Challenge
    challenger: str
    is_off: bool = False


@dataclass(frozen=True, slots=True)
class DeadlineList:
    """All deadlines of one person, as they are `now`, and those that lately were any.

    `ended` are the matches that are over.
    """

    person: int
    leagues: Sequence[LeagueDeadline]
    turns: Sequence[TurnDeadline]
    challenges: Sequence[ChallengeDeadline]
    ended: Sequence[EndedMatch]
    now: int

    @property
    def count(self) -> int:
        """How many there are."""
        return (
            sum(not each.is_off for each in self.leagues)
            + sum(each.at is not None for each in self.turns)
            + sum(not each.is_off for each in self.challenges)
        )

    @property
    def is_empty(self) -> bool:
        """Whether there is none, and lately was none."""
        return not (self.leagues or self.turns or self.challenges or self.ended)


async def load_deadlines(app: App, person: int) -> DeadlineList:
    """Return somebody's deadlines, in every server; matches without a running clock have none."""
    now = app.clock()
    since = now - REMEMBERED_MS
    sessions = await load_running_sessions(app, person)
    turns = [
        TurnDeadline(session, times.out if (times := compute_deadlines(session)) else None)
        for session in sessions
        if get_pace(session.row).is_limited
    ]
    return DeadlineList(
        person,
        await _load_league_deadlines(app, person, since, now),
        turns,
        await _load_challenge_deadlines(app, person, since, now),
        await app.store.get(Matches).load_ended_since(person, since),
        now,
    )


async def _load_league_deadlines(
    app: App, person: int, since: int, now: int
) -> list[LeagueDeadline]:
    contests = app.store.get(Contests)
    own = [
        deadline
        for each in await contests.load_by_person(person)
        for deadline in _list_own(each, now, await _load_lost_since(app, each.guild, now))
    ]
    left = [
        deadline
        for each in await contests.load_left_by_person(person, since)
        for deadline in _list_former(each)
    ]
    return [*own, *left]


async def _load_lost_since(app: App, guild: int, now: int) -> int | None:
    """Return since when a server is out of reach, so that no time runs there; None if it is not."""
    if guild not in app.lost:
        return None
    pauses = await app.store.pauses.load_relevant([], now, guild)
    return min((each.began for each in pauses if each.ended == NEVER), default=now)


def _list_own(contest: Contest, now: int, lost: int | None) -> Iterator[LeagueDeadline]:
    """Yield the deadlines of a contest in which somebody takes part.

    Where its server was `lost`, all of that time is given back once it is found again.
    """
    began = contest.began
    if contest.is_waiting:
        # Its season begins when its organisers say so, not at a time.
        return
    moved = 0 if lost is None or contest.paused is not None else now - max(lost, began or lost)
    if contest.state is ContestState.OPEN:
        at = contest.starts + moved
        yield LeagueDeadline(contest, at, is_sign_up=True, is_stopped=lost is not None)
    elif began is not None and began < contest.starts:
        # It was started before its time.
        yield LeagueDeadline(contest, contest.starts, is_sign_up=True, is_off=True)
    ends = find_deadline(contest, now)
    if ends is not None:
        is_stopped = lost is not None or contest.paused is not None
        yield LeagueDeadline(contest, ends + moved, is_sign_up=False, is_stopped=is_stopped)


def _list_former(contest: Contest) -> Iterator[LeagueDeadline]:
    """Yield what were the deadlines of a contest in which somebody plays no more."""
    yield LeagueDeadline(contest, contest.starts, is_sign_up=True, is_off=True)
    if contest.ends is not None:
        yield LeagueDeadline(contest, contest.ends, is_sign_up=False, is_off=True)


async def _load_challenge_deadlines(
    app: App, person: int, since: int, now: int
) -> list[ChallengeDeadline]:
    challenges = app.store.get(Challenges)
    waiting = [
        each
        for each in await challenges.load_open_by_person(person, now)
        if each.opponent == person
    ]
    over = await challenges.load_closed_to_person(person, since, now)
    names = await app.store.people.load_names({each.challenger for each in (*waiting, *over)})
    fields = distinguish_names(names)
    return [
        ChallengeDeadline(each, fields[each.challenger], is_off)
        for found, is_off in ((waiting, False), (over, True))
        for each in found
    ]
