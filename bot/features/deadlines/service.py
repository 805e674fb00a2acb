"""What somebody has to do by when: the leagues they take part in, and the matches they play."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.features.contests.rows import Contest, ContestState
from bot.features.matches.clock import compute_deadlines
from bot.features.matches.lookup import load_running_sessions
from bot.features.matches.session import MatchSession
from bot.platform.context import App


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
class DeadlineList:
    """All deadlines of one person, as they are `now`."""

    person: int
    leagues: Sequence[LeagueDeadline]
    turns: Sequence[TurnDeadline]
    now: int

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.leagues) + len(self.turns)


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
    return DeadlineList(person, leagues, turns, app.clock())
