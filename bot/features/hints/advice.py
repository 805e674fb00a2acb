"""Advice: the best things that may be done, one of which is looked at."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

from engine.events import Played
from engine.match import Match
from engine.players.worth import ExplainedProspect
from engine.plays import Play, make_move

MAX_PROSPECTS = 3
"""Things that are compared."""


@dataclass(frozen=True, slots=True)
class Advice:
    """The best things to do in a match as it stands, the best first, and which is looked at."""

    match: Match
    best: Sequence[ExplainedProspect]
    shown: int = 0

    @property
    def prospect(self) -> ExplainedProspect:
        """The one that is looked at."""
        return self.best[self.shown]

    @property
    def play(self) -> Play | None:
        """The play that is looked at; None for anything else that may be done."""
        if not isinstance(self.prospect.event, Played):
            return None
        moves = self.prospect.event.moves
        rules = self.match.rules
        end = reduce(
            lambda position, move: make_move(rules, position, move), moves, self.match.position
        )
        return Play(moves, end)
