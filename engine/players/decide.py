"""What a computer player does now: its decisions at every level, and the best for comparison."""

from engine.events import Event, Resigned
from engine.match import DECIDING, Match, Phase, automatic
from engine.players import beginner
from engine.players.ahead import deepened
from engine.players.giving_up import hopeless
from engine.players.level import Level
from engine.players.prospects import best, prospects
from engine.players.worth import Prospect
from engine.refusal import Reason, Refusal


def ranked(match: Match, most: int = 3) -> list[Prospect]:
    """Return the best decisions now, best first.

    There are none where a throw is due or nothing can be done.
    """
    return deepened(match, prospects(match))[:most] if match.phase in DECIDING else []


def decide(match: Match, level: Level, seed: int) -> Event | None:
    """Return what a player of that level does now, or None to ask for the throw.

    The same seed gives the same answer: in the same position the same is done, however the match
    came to it. Raises Refusal when the match is over.
    """
    if match.phase is Phase.OVER:
        raise Refusal(Reason.OVER)
    if forced := automatic(match):
        return forced
    if match.phase not in DECIDING:
        return Resigned(match.turn) if hopeless(match) else None
    return choice(match, level, seed).event


def choice(match: Match, level: Level, seed: int) -> Prospect:
    """Return a level's decision where there is one to make, and its worth to that player."""
    if level is Level.BEGINNER:
        return beginner.choice(match, seed)
    if level is Level.COMPANION:
        return best(match)
    return deepened(match, prospects(match))[0]
