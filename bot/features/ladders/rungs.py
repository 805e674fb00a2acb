"""The order of a ladder, computed from all that has happened on it; it is stored nowhere.

Newcomers join at the bottom. A challenger who wins takes the rung of whoever lost, and everyone
between moves one down; after anything else nobody moves. Who declines a challenge or lets it expire
has lost it by forfeit. A challenge that was withdrawn, and a match that was annulled, count for
nothing, as if there had been none. Whoever leaves a ladder, or is removed, loses first the match
that goes on then: so it counts from that moment. Those who are inactive drop one rung a week, but
never past each other.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum, auto
from itertools import groupby

from engine.clock import DAY
from engine.outcome import ANNULLED

REACH = 3
"""How many rungs above one's own one may challenge."""
ANSWER_MS = 7 * DAY
"""Milliseconds in which a challenge can be answered."""
REMATCH_MS = 14 * DAY
"""Milliseconds for which two people who have met do not challenge each other again."""
INACTIVE_MS = 28 * DAY
"""Milliseconds without a match after which somebody begins to drop."""
DECLINED, LAPSED, WITHDRAWN = "declined", "lapsed", "withdrawn"
"""How a challenge ends that was not accepted; the words are those of challenges."""
UNANSWERED = frozenset({DECLINED, LAPSED})
"""How a challenge ends that its challenger wins without a match."""
_COUNTS_NOT = frozenset({ANNULLED, WITHDRAWN})


class LadderAction(StrEnum):
    """What happens on a ladder besides challenges; the last two are organisers' rulings."""

    JOIN = auto()
    LEAVE = auto()
    DROP = auto()
    REMOVE = auto()
    CLOSE = auto()


DEPARTURES = frozenset({LadderAction.LEAVE, LadderAction.REMOVE})
"""By what somebody is on a ladder no more."""


@dataclass(frozen=True, slots=True)
class LadderEvent:
    """Something that happened on a ladder: when, to whom, and for a ruling by whom and why."""

    at: int
    action: LadderAction
    person: int | None = None
    moderator: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class LadderChallenge:
    """A challenge on a ladder, and the match that came of it.

    It can be answered until it `expires`. `settled` is when it was over, and None while it can be
    answered or is played; `how` is then how it ended, and `winner` who won it, if anybody did.
    """

    id: int
    challenger: int
    challenged: int
    made: int
    expires: int = 0
    match: int | None = None
    settled: int | None = None
    winner: int | None = None
    how: str | None = None

    @property
    def people(self) -> frozenset[int]:
        """Those whom it concerns."""
        return frozenset({self.challenger, self.challenged})

    @property
    def is_running(self) -> bool:
        """Whether it can still be answered, or is being played."""
        return self.settled is None

    @property
    def is_counted(self) -> bool:
        """Whether it is over, and was neither withdrawn nor annulled."""
        return self.settled is not None and self.how not in _COUNTS_NOT

    @property
    def is_climbed(self) -> bool:
        """Whether the challenger has won the rung of the other."""
        return self.is_counted and self.winner == self.challenger


def compute_rungs(
    events: Sequence[LadderEvent], challenges: Iterable[LadderChallenge]
) -> tuple[int, ...]:
    """Return who stands on which rung, the first on the top one.

    `events` are in the order in which they were stored. Nothing counts after the ladder closed.
    """
    ends = min((each.at for each in events if each.action is LadderAction.CLOSE), default=None)
    counted = [each for each in challenges if each.is_climbed]
    climbs = sorted((_find_instant(each, events), each.id, each) for each in counted)
    rungs: list[int] = []
    # People who drop together are stored together.
    for (at, is_drop), group in groupby(
        events, key=lambda each: (each.at, each.action is LadderAction.DROP)
    ):
        while climbs and climbs[0][0] <= at:
            _climb(rungs, climbs.pop(0)[2])
        if is_drop:
            _drop(rungs, frozenset(each.person for each in group if each.person is not None))
            continue
        for event in group:
            _move(rungs, event)
    for at, _, climbed in climbs:
        if ends is None or at <= ends:
            _climb(rungs, climbed)
    return tuple(rungs)


def _find_instant(challenge: LadderChallenge, events: Sequence[LadderEvent]) -> int:
    """Return when a challenge counts: once it is over, or as soon as one of the two has left."""
    assert challenge.settled is not None
    left = (
        each.at
        for each in events
        if each.person in challenge.people
        and each.action in DEPARTURES
        and challenge.made <= each.at
    )
    return min((challenge.settled, *left))


def _move(rungs: list[int], event: LadderEvent) -> None:
    if event.person is None:
        return
    if event.action is LadderAction.JOIN and event.person not in rungs:
        rungs.append(event.person)
    elif event.action in DEPARTURES and event.person in rungs:
        rungs.remove(event.person)


def _climb(rungs: list[int], won: LadderChallenge) -> None:
    if won.challenger not in rungs or won.challenged not in rungs:
        return
    below, above = rungs.index(won.challenger), rungs.index(won.challenged)
    if above < below:
        rungs.insert(above, rungs.pop(below))


def _drop(rungs: list[int], dropping: frozenset[int]) -> None:
    """Let people change places with those below them, but for others who drop with them."""
    # From the bottom up, so that nobody drops two rungs or is lifted by another who drops.
    for at in reversed(range(len(rungs) - 1)):
        if rungs[at] in dropping and rungs[at + 1] not in dropping:
            rungs[at], rungs[at + 1] = rungs[at + 1], rungs[at]


class Obstacle(StrEnum):
    """Why somebody may not challenge another on a ladder now."""

    SELF = auto()
    ABSENT = auto()
    BELOW = auto()
    TOO_FAR = auto()
    CHALLENGING = auto()
    PLAYING = auto()
    CHALLENGED = auto()
    RECENT = auto()
    BLOCKED = auto()
    AWAY = auto()


@dataclass(frozen=True, slots=True)
class Impediment:
    """An obstacle, and until when it lasts where that is known."""

    why: Obstacle
    until: int | None = None


@dataclass(frozen=True, slots=True)
class ChallengeRules:
    """What decides who may challenge whom at an instant.

    `away` says until when people are on vacation; `blocked` are those between whom and the
    challenger a block stands.
    """

    rungs: Sequence[int]
    challenges: Sequence[LadderChallenge]
    now: int
    away: dict[int, int]
    blocked: frozenset[int] = frozenset()

    def find_impediment(self, challenger: int, challenged: int) -> Impediment | None:
        """Return why one may not challenge another; None if they may."""
        if challenger == challenged:
            return Impediment(Obstacle.SELF)
        if challenger not in self.rungs or challenged not in self.rungs:
            return Impediment(Obstacle.ABSENT)
        height = self.rungs.index(challenger) - self.rungs.index(challenged)
        if height < 0:
            return Impediment(Obstacle.BELOW)
        if height > REACH:
            return Impediment(Obstacle.TOO_FAR)
        running = [each for each in self.challenges if each.is_running]
        pair = frozenset({challenger, challenged})
        if any(each.people == pair for each in running):
            return Impediment(Obstacle.PLAYING)
        if any(each.challenger == challenger for each in running):
            return Impediment(Obstacle.CHALLENGING)
        if any(each.challenged == challenged for each in running):
            return Impediment(Obstacle.CHALLENGED)
        met = [
            each.settled + REMATCH_MS
            for each in self.challenges
            if each.is_counted and each.settled is not None and each.people == pair
        ]
        if met and max(met) > self.now:
            return Impediment(Obstacle.RECENT, max(met))
        if challenged in self.blocked:
            return Impediment(Obstacle.BLOCKED)
        if challenged in self.away:
            return Impediment(Obstacle.AWAY, self.away[challenged])
        return None


def find_inactive(
    events: Sequence[LadderEvent], challenges: Sequence[LadderChallenge], now: int
) -> frozenset[int]:
    """Return who of a ladder has neither challenged, answered nor played in it for long.

    Whoever has a challenge or a match that goes on is not among them.
    """
    return frozenset(
        person
        for person in compute_rungs(events, challenges)
        if now - _find_last_activity(person, events, challenges, now) >= INACTIVE_MS
    )


def _find_last_activity(
    person: int,
    events: Sequence[LadderEvent],
    challenges: Sequence[LadderChallenge],
    now: int,
) -> int:
    joined = (
        each.at for each in events if each.person == person and each.action is LadderAction.JOIN
    )
    acted = (
        now if each.settled is None else each.settled
        for each in challenges
        if person in each.people and each.how != WITHDRAWN
        # Whoever lets a challenge expire has not answered it; their challenger was there.
        if person == each.challenger or each.how != LAPSED
    )
    return max((*joined, *acted))
