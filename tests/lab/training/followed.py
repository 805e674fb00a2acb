"""A kernel's game followed by a match: what a turn can lead to, and the way there."""

from collections.abc import Iterator

from engine.events import Battled, Chosen, Event, Left, Played
from engine.match import SIX, Match, Phase, apply_unchecked, find_forced_event
from engine.position import Side
from engine.rules import Rules
from lab.training import layout as at
from lab.training.endings import count_points
from lab.training.layout import Row
from lab.training.rows import read_row
from lab.training.tables import build_tables

SIDES = tuple(Side)
Step = tuple[Match, Event]
"""A match, and what was done then."""

TurnEnd = tuple[bytes, bytes, Side | None, int, int, Side | None, int]


def extract_turn_end(match: Match) -> TurnEnd:
    """Return where the men stand after a turn, and whose throw is next or how the game ended."""
    gold, black, turn, _, memory = match.position
    if match.outcome is None:
        return gold, black, turn, memory, match.player, None, -1
    counts = match.outcome.points if match.outcome.winner else 0
    return gold, black, None, 0, 0, match.outcome.winner, counts


def extract_kernel_turn_end(rules: Rules, nodes: Row) -> TurnEnd:
    """The same as the kernel has it."""
    gold, black, turn, _, memory = read_row(rules, nodes, at.GAME // at.ROW)
    outcome = nodes[at.GAME + at.OUTCOME]
    if outcome == at.GOING_ON:
        return gold, black, turn, memory, int(nodes[at.GAME + at.PLAYER]), None, -1
    winner = None if outcome == at.DRAWN else SIDES[outcome - 1]
    return gold, black, None, 0, 0, winner, count_points(build_tables(rules), nodes, at.GAME)


def list_turn_events(match: Match) -> Iterator[Event]:
    """Every event that may follow within a turn."""
    forced = find_forced_event(match)
    match match.phase:
        case _ if forced:
            yield forced
        case Phase.CHOOSE:
            yield from (Chosen(SIX, str(number)) for number in sorted(set(match.thrown)))
        case Phase.OFFER:
            yield Left()
            yield from (Played(play.moves) for play in match.plays)
        case Phase.PLAY:
            yield from (Played(play.moves) for play in match.plays)
        case Phase.BREAK_ROLL:
            yield from (Battled((6,), (1,)), Battled((1,), (6,)))
        case Phase.BREAK if match.choice:
            yield from (Chosen(match.choice.name, value.name) for value in match.choice.values)


def find_way(match: Match, wanted: TurnEnd) -> tuple[Step, ...] | None:
    """One way in which the turn can lead to that moment, or None where there is none."""
    going_on: list[tuple[Match, tuple[Step, ...]]] = [(match, ())]
    while going_on:
        here, way = going_on.pop()
        # Offered numbers may also be played in part and then left:
        # both are among the plays and leaving.
        if here.phase not in (Phase.THROW, Phase.OVER):
            going_on += [
                (apply_unchecked(here, event), (*way, (here, event)))
                for event in list_turn_events(here)
            ]
        elif extract_turn_end(here) == wanted:
            return way
    return None
