"""What a computer player does now: its decisions at every level, and the best for comparison."""

from engine.events import Event, Resigned
from engine.match import DECISION_PHASES, Match, Phase, find_forced_event
from engine.players import beginner
from engine.players.ahead import deepen_prospects
from engine.players.giving_up import is_hopeless
from engine.players.level import Level
from engine.players.prospects import find_best, list_prospects
from engine.players.worth import Prospect
from engine.refusal import Reason, Refusal


def rank_decisions(match: Match, most: int = 3) -> list[Prospect]:
    """Return the best decisions now, best first.

    There are none where a throw is due or nothing can be done.
    """
    return (
        deepen_prospects(match, list_prospects(match))[:most]
        if match.phase in DECISION_PHASES
        else []
    )


def decide_event(match: Match, level: Level, seed: int) -> Event | None:
    """Return what a player of that level does now, or None to ask for the throw.

    The same seed gives the same answer: in the same position the same is done, however the match
    came to it. Raises Refusal when the match is over.
    """
    if match.phase is Phase.OVER:
        raise Refusal(Reason.OVER)
    if forced := find_forced_event(match):
        return forced
    if match.phase not in DECISION_PHASES:
        return Resigned(match.turn) if is_hopeless(match) else None
    return choose_prospect(match, level, seed).event


def choose_prospect(match: Match, level: Level, seed: int) -> Prospect:
    """Return a level's decision where there is one to make, and its worth to that player."""
    if level is Level.BEGINNER:
        return beginner.choose_prospect(match, seed)
    if level is Level.COMPANION:
        return find_best(match)
    return deepen_prospects(match, list_prospects(match))[0]
