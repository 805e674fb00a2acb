"""A lesson as data: a few turns of a game with prepared throws, which a newcomer plays.

Each lesson lies beside its game, in `engine/games/lessons`; `engine.teaching` runs it by the rules.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from engine.position import Side


class Goal(StrEnum):
    """What the learner is to do with a throw."""

    PLAY = "play"  # one of the plays that the step names
    ANY = "any"  # any legal play
    HIT = "hit"  # a play that hits
    SHUT_OUT = "shut-out"  # a play after which no throw moves the other side
    WIN = "win"  # a play that wins


@dataclass(frozen=True, kw_only=True)
class PreparedReply:
    """A turn of the opponent: its throw, and the play as it is typed; empty where it has none."""

    throw: tuple[int, ...]
    play: str = ""


@dataclass(frozen=True, kw_only=True)
class LessonStep:
    """One turn of the learner, with a throw that is prepared.

    A step goes on from where the one before ended, or begins in a `position` of its own, which has
    no numbers to play. Where a die is to be turned to a six, `six` is the number that it shows;
    empty if any will do.

    `title` and `task` say what to do, `hint` why another play is not what is asked for, and
    `hints` the same of particular moves, as they are written. `done` says what the play did, with
    what the opponent does then.
    """

    title: str
    task: str
    throw: tuple[int, ...]
    position: str = ""
    six: str = ""
    goal: Goal = Goal.PLAY
    plays: tuple[str, ...] = ()
    hint: str = ""
    hints: Mapping[str, str] = field(default_factory=dict)
    done: str
    replies: tuple[PreparedReply, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """A lesson of a game, which also teaches the others of `games` in the main.

    `rank` is its place among the lessons, and `summary` what the learner now knows.
    """

    game: str
    rank: int
    tagline: str
    steps: tuple[LessonStep, ...]
    summary: str
    games: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    side: Side = Side.GOLD
