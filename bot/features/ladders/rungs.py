"""The order of a ladder, as it follows from all that has happened on it.

It is kept beside the ladder, so that a look need not go through its history; what is kept is what
a replay comes to.

Newcomers join at the bottom. A challenger who wins takes the loser's rung, and everyone
between moves one down; after anything else nobody moves. Who declines a challenge or lets it expire
has lost it by forfeit. A challenge that was withdrawn, and a match that was annulled, count for
nothing, as if there had been none. Whoever leaves a ladder, or is removed, loses first the match
that goes on then: so it counts from that moment. Those who are inactive drop one rung a week, but
never past each other. Who can't play in the server now stays in the order, but out of the way.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum, auto
from itertools import groupby

from bot.platform.people import is_pseudonym
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
"""The events that take somebody off a ladder."""
MAX_READMITTABLE = 25
"""People whom organisers can let back in: those who were removed last."""


@dataclass(frozen=True, slots=True)
class LadderEvent:
    """Something that happened on a ladder: when, to whom, and for a ruling by whom and why.

    Who joins by a ruling was removed before, and is let back in.
    """

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
    def is_played(self) -> bool:
        """Whether a match of it is over, and was not annulled."""
        return self.match is not None and self.is_counted

    @property
    def is_climbed(self) -> bool:
        """Whether the challenger has won the rung of the other."""
        return self.is_counted and self.winner == self.challenger


@dataclass(frozen=True, slots=True)
class LadderPlayer:
    """Somebody who has joined a ladder: their rung, None once they are off it, and what they did.

    `active` is when they last joined, or something that they took part in was over. `gone` is when
    it was noticed that they can't play in the server: they have left it, or lost its role.
    """

    person: int
    rung: int | None
    played: int = 0
    won: int = 0
    active: int = 0
    gone: int | None = None


def list_readmittable(rulings: Iterable[LadderEvent]) -> list[int]:
    """Return whom organisers have removed and not let back in, the latest first."""
    last = {each.person: each.action for each in rulings if each.person is not None}
    removed = [person for person, action in last.items() if action is LadderAction.REMOVE]
    return [each for each in reversed(removed) if not is_pseudonym(each)][:MAX_READMITTABLE]


def compute_rungs(
    events: Sequence[LadderEvent], challenges: Iterable[LadderChallenge]
) -> tuple[int, ...]:
    """Return who stands on which rung, the first on the top one.

    `events` are in the order in which they were stored. Nothing counts after the ladder closed.
    """
    departures = _list_departures(events)
    counted = [each for each in challenges if each.is_climbed]
    # The first climb last, to be taken off the end.
    climbs = sorted(
        ((_find_instant(each, departures), each.id, each) for each in counted), reverse=True
    )
    rungs: list[int] = []
    # People who drop together are stored together.
    for (at, is_drop), group in groupby(
        events, key=lambda each: (each.at, each.action is LadderAction.DROP)
    ):
        while climbs and climbs[-1][0] <= at:
            climb(rungs, climbs.pop()[2])
        if is_drop:
            drop(rungs, {each.person for each in group if each.person is not None})
            continue
        for event in group:
            _move(rungs, event)
    if not any(each.action is LadderAction.CLOSE for each in events):
        for *_, climbed in reversed(climbs):
            climb(rungs, climbed)
    return tuple(rungs)


def _list_departures(events: Iterable[LadderEvent]) -> Mapping[int, Sequence[int]]:
    """Return when each person left or was removed, the first time first."""
    found: dict[int, list[int]] = defaultdict(list)
    for event in events:
        if event.person is not None and event.action in DEPARTURES:
            found[event.person].append(event.at)
    return {person: sorted(instants) for person, instants in found.items()}


def _find_instant(challenge: LadderChallenge, departures: Mapping[int, Sequence[int]]) -> int:
    """Return when a challenge counts: once it is over, or as soon as one of the two has left.

    Players who had left before it was made had come back by then.
    """
    assert challenge.settled is not None
    instants = [challenge.settled]
    for person in challenge.people:
        left = departures.get(person, ())
        instants += left[bisect_left(left, challenge.made) :][:1]
    return min(instants)


def _move(rungs: list[int], event: LadderEvent) -> None:
    if event.person is None:
        return
    if event.action is LadderAction.JOIN and event.person not in rungs:
        rungs.append(event.person)
    elif event.action in DEPARTURES and event.person in rungs:
        rungs.remove(event.person)


def climb(rungs: list[int], won: LadderChallenge) -> None:
    """Let a challenger who has won take the rung of the other, unless they stand above by now."""
    if won.challenger not in rungs or won.challenged not in rungs:
        return
    below, above = rungs.index(won.challenger), rungs.index(won.challenged)
    if above < below:
        rungs.insert(above, rungs.pop(below))


def drop(rungs: list[int], dropping: Collection[int]) -> frozenset[int]:
    """Let people change places with those below them, but for others who drop with them.

    Return who has moved down by it.
    """
    moved = set()
    # From the bottom up, so that nobody drops two rungs or is lifted by another who drops.
    for at in reversed(range(len(rungs) - 1)):
        if rungs[at] in dropping and rungs[at + 1] not in dropping:
            moved.add(rungs[at])
            rungs[at], rungs[at + 1] = rungs[at + 1], rungs[at]
    return frozenset(moved)


def compute_players(
    events: Sequence[LadderEvent], challenges: Sequence[LadderChallenge]
) -> tuple[LadderPlayer, ...]:
    """Return everybody who has ever joined a ladder, those who are on it by rung and first."""
    rungs = compute_rungs(events, challenges)
    active: dict[int, int] = {}
    for event in events:
        if event.action is LadderAction.JOIN and event.person is not None:
            active[event.person] = max(active.get(event.person, 0), event.at)
    played: dict[int, int] = defaultdict(int)
    won: dict[int, int] = defaultdict(int)
    for each in challenges:
        for person in each.people & active.keys():
            active[person] = max(active[person], find_activity(each, person))
            played[person] += each.is_played
            won[person] += each.is_played and each.winner == person
    places = {person: rung for rung, person in enumerate(rungs, 1)}
    others = sorted(active.keys() - places.keys())
    return tuple(
        LadderPlayer(person, places.get(person), played[person], won[person], active[person])
        for person in (*rungs, *others)
    )


def find_activity(challenge: LadderChallenge, person: int) -> int:
    """Return when a challenge was over by which somebody showed that they play; 0 if it shows none.

    A challenge that expires wasn't answered; the challenger was there.
    """
    if challenge.settled is None or challenge.how == WITHDRAWN:
        return 0
    is_ignored = challenge.how == LAPSED and person == challenge.challenged
    return 0 if is_ignored else challenge.settled


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
    BLOCKING = auto()
    AWAY = auto()
    GONE = auto()


@dataclass(frozen=True, slots=True)
class Impediment:
    """An obstacle, and until when it lasts where that is known."""

    why: Obstacle
    until: int | None = None


@dataclass(frozen=True, slots=True)
class ChallengeRules:
    """What decides who may challenge whom at an instant.

    `rungs` are without those who are `gone`. `away` says until when people are on vacation;
    `blocked` are those between whom and the challenger a block stands, `blocking` those of them
    whom the challenger has blocked. These don't count as rungs.
    """

    rungs: Sequence[int]
    challenges: Sequence[LadderChallenge]
    now: int
    away: Mapping[int, int]
    blocked: frozenset[int] = frozenset()
    blocking: frozenset[int] = frozenset()
    gone: frozenset[int] = frozenset()

    def find_impediment(self, challenger: int, challenged: int) -> Impediment | None:
        """Return why one may not challenge another; None if they may."""
        if challenger == challenged:
            return Impediment(Obstacle.SELF)
        why = self._compare_places(challenger, challenged) or self._find_running(
            challenger, challenged
        )
        if why is not None:
            return Impediment(why)
        pair = frozenset({challenger, challenged})
        met = [
            each.settled + REMATCH_MS
            for each in self.challenges
            if each.is_counted and each.settled is not None and each.people == pair
        ]
        if met and max(met) > self.now:
            return Impediment(Obstacle.RECENT, max(met))
        if challenged in self.away:
            return Impediment(Obstacle.AWAY, self.away[challenged])
        return None

    def _compare_places(self, challenger: int, challenged: int) -> Obstacle | None:
        """Return why one can't reach another."""
        if challenged in self.gone:
            return Obstacle.GONE
        if challenger not in self.rungs or challenged not in self.rungs:
            return Obstacle.ABSENT
        below, above = self.rungs.index(challenger), self.rungs.index(challenged)
        if below < above:
            return Obstacle.BELOW
        if challenged in self.blocked:
            return Obstacle.BLOCKING if challenged in self.blocking else Obstacle.BLOCKED
        is_near = sum(each not in self.blocked for each in self.rungs[above:below]) <= REACH
        return None if is_near else Obstacle.TOO_FAR

    def _find_running(self, challenger: int, challenged: int) -> Obstacle | None:
        """Return what goes on by which one may not challenge another."""
        running = [each for each in self.challenges if each.is_running]
        pair = frozenset({challenger, challenged})
        if any(each.people == pair for each in running):
            return Obstacle.PLAYING
        if any(each.challenger == challenger for each in running):
            return Obstacle.CHALLENGING
        if any(each.challenged == challenged for each in running):
            return Obstacle.CHALLENGED
        return None


def find_inactive(
    players: Iterable[LadderPlayer],
    challenges: Iterable[LadderChallenge],
    returned: Mapping[int, int],
    since: int,
) -> frozenset[int]:
    """Return who of a ladder has neither challenged, answered nor played in it since an instant.

    Players with an open challenge or match are not among them. For those who come back from
    a vacation the time begins anew when they have `returned`.
    """
    busy = frozenset[int]().union(*(each.people for each in challenges if each.is_running))
    return frozenset(
        each.person
        for each in players
        if each.person not in busy and max(each.active, returned.get(each.person, 0)) <= since
    )
