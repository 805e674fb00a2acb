"""Evaluations of positions, plays and throws, as shown to users; needs no numpy."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from engine.events import Event
from engine.outcome import GameOutcome
from engine.position import Side

EXACT_TIE = 0.00005
"""Points by which exact values may differ that are the same: tables are rounded."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What one side may expect of a position: its chance to win, from 0 to 1, and its points.

    They are `exact` where the position is solved or the game over, else an estimate.
    """

    win: float
    points: float
    exact: bool = field(default=False, compare=False)

    @property
    def opposite(self) -> "Evaluation":
        """The same for the other side."""
        return Evaluation(1 - self.win, -self.points, self.exact)


class Prospect(NamedTuple):
    """Something that may be done now, and what it is worth to the player who does it."""

    event: Event
    evaluation: Evaluation


class Aspect(StrEnum):
    """What the evaluation weighs beside where each man stands, and its figure for a reason.

    `RACE`: the pips by which the other side has farther to go. `DANGER`: the chance that its next
    throw hits a man. `THREAT`: the chance that the next throw of one's own hits one of its men, if
    they stay. `BLOCK`: the pips that points held cost its men, by a throw each. `ESCAPE`: the pips
    that points held by it cost one's own.
    """

    RACE = "race"
    DANGER = "danger"
    THREAT = "threat"
    BLOCK = "block"
    ESCAPE = "escape"


@dataclass(frozen=True, slots=True)
class PlayReason:
    """In which aspect a play differs from another, by their figures.

    `points` are those that the evaluation gives the play for that: fewer than none where the other
    is better in it.
    """

    aspect: Aspect
    points: float
    own: float
    other: float


@dataclass(frozen=True, slots=True)
class ExplainedProspect:
    """Something that may be done now, its evaluation, and what speaks for and against it.

    `against` is the place in the ranking of what it is compared with. `reasons` begin with the one
    that weighs most; they are None where the two cannot be compared.
    """

    event: Event
    evaluation: Evaluation
    against: int = 0
    reasons: tuple[PlayReason, ...] | None = None


@dataclass(frozen=True, slots=True)
class StepAnalysis:
    """One throw of a match, or one decision: all that a side did with a throw.

    `first` is the version of the match before it, `version` that after it, `side` whose it was. A
    throw has `luck`, a decision an `error`, never below zero, both in points; the other of the two
    is zero. `done` is what was decided and `best` the best alternative, as few events as possible;
    `reasons` say in what that differs from what was done, where something was lost and the two can
    be compared. `evaluation` is the match's for gold after it, and `average` what the average throw
    is worth to gold there, in points, where one follows a decision. `exact` says that neither what
    was done nor the best alternative is estimated.
    """

    first: int
    version: int
    side: Side
    thrown: bool
    luck: float
    error: float
    done: tuple[Event, ...]
    best: tuple[Event, ...]
    evaluation: Evaluation
    average: float | None = None
    reasons: tuple[PlayReason, ...] = ()
    exact: bool = False


def evaluate_outcome(outcome: GameOutcome, side: Side) -> Evaluation:
    """Return what a game that has ended is worth to a side; a draw is half a win, and no points."""
    if outcome.winner is None:
        return Evaluation(0.5, 0.0, exact=True)
    return (
        Evaluation(1.0, float(outcome.points), exact=True)
        if outcome.winner is side
        else Evaluation(0.0, -float(outcome.points), exact=True)
    )
