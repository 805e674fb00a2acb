"""What is stored of a match's end; what features add to it, they declare."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from bot.features.matches.session import MatchSession
from bot.platform.features import ExtensionPoint
from bot.store import DRAW, EndingUpdate
from engine.match import Match
from engine.outcome import ANNULLED
from engine.position import Side

CompleteEnding: TypeAlias = Callable[[MatchSession, EndingUpdate, int], EndingUpdate]
"""Adds to the end of a rated match, given the match after its end, and the instant."""


ENDING_COMPLETIONS: ExtensionPoint[CompleteEnding] = ExtensionPoint()
"""What features add when a rated match ends in a way that may change ratings."""


def build_ending_update(session: MatchSession, match: Match, now: int) -> EndingUpdate | None:
    """Return what is stored if a match is over after an action; None while it goes on."""
    outcome = match.outcome
    if outcome is None:
        return None
    if outcome.how == ANNULLED:
        # An annulled match has no winner. It is stored as a draw without ratings, and the update
        # takes it out of those that it may have changed.
        return EndingUpdate(winner=DRAW, how=ANNULLED, swapped=match.swapped, annuls=True)
    winner = outcome.winner.value if outcome.winner else DRAW
    after = replace(session, match=match)
    sides = {person: side.value for side in Side for person in after.list_original_players(side)}
    ending = EndingUpdate(
        winner=winner,
        how=outcome.how,
        parts=outcome.parts,
        sides=sides,
        swapped=match.swapped,
    )
    if session.row.rated and outcome.is_rateable:
        for complete in ENDING_COMPLETIONS.list_functions():
            ending = complete(after, ending, now)
    return ending
