"""What somebody has to do by when: their leagues, matches, and challenges to them."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.features.contests.rows import Contest, ContestState
from bot.features.matches.clock import compute_deadlines
from bot.features.matches.lookup import load_running_sessions
from bot.features.matches.session import MatchSession
from bot.platform.context import App
from bot.platform.people import distinguish_names
from bot.store import Challenge


@dataclass(frozen=True, slots=True)
class LeagueDeadline:
    """When sign-up for a league ends, or the time to play in it."""

    league: Contest
    at: int


@dataclass(frozen=True, slots=True)
class TurnDeadline:
    """When the time of the one to act in a match runs out."""

    session: MatchSession
    at: int


@dataclass(frozen=True, slots=True)
class ChallengeDeadline:
    """When a challenge to somebody expires, on a ladder at the cost of their rung.

    `challenger` is the plain name of who made it.
    """

    challenge: Challenge
    challenger: str


@dataclass(frozen=True, slots=True)
class DeadlineList:
    """All deadlines of one person, as they are `now`."""

    person: int
    leagues: Sequence[LeagueDeadline]
    turns: Sequence[TurnDeadline]
    challenges: Sequence[ChallengeDeadline]
    now: int

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.leagues) + len(self.turns) + len(self.challenges)


async def load_deadlines(app: App, person: int) -> DeadlineList:
    """Return somebody's deadlines, in every server; matches without a running clock have none."""
    leagues = [
        LeagueDeadline(each, at)
        for each in await app.store.contests.load_by_person(person)
        if (at := each.starts if each.state is ContestState.OPEN else each.ends) is not None
    ]
    turns = [
        TurnDeadline(session, times.out)
        for session in await load_running_sessions(app, person)
        if (times := compute_deadlines(session)) is not None
    ]
    now = app.clock()
    challenges = await _load_challenge_deadlines(app, person, now)
    return DeadlineList(person, leagues, turns, challenges, now)


async def _load_challenge_deadlines(app: App, person: int, now: int) -> list[ChallengeDeadline]:
    waiting = [
        each
        for each in await app.store.challenges.load_open_by_person(person, now)
        if each.opponent == person
    ]
    names = await app.store.people.load_names({each.challenger for each in waiting})
    told = distinguish_names(names)
    return [ChallengeDeadline(each, told[each.challenger]) for each in waiting]
