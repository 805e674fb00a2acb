"""One turn of a reported match, with the board on which it was played."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.features.matches.session import Transition
from bot.features.reports.service import MatchReport, is_error
from engine.events import Event, Played, SetUp, Thrown
from engine.match import Match, Phase
from engine.move import Move
from engine.players.worth import Evaluation
from engine.position import Side
from engine.position_text import format_position


@dataclass(frozen=True, slots=True)
class ReviewedTurn:
    """A turn by its number, from 1: the match before its play, and what was done.

    `opening` begins another match where this turn does; it is None where nothing was to be decided.
    `luck` is None where nothing was thrown, `error` where nothing was to be decided. `best` is the
    best alternative, and `worth` what the match was worth to the side after the turn.
    """

    number: int
    side: Side
    before: Match
    done: tuple[Event, ...]
    best: tuple[Event, ...]
    luck: float | None
    error: float | None
    worth: Evaluation
    is_error: bool
    opening: SetUp | None


def review_turn(
    report: MatchReport, happened: Sequence[Transition], number: int
) -> ReviewedTurn | None:
    """Return a turn of a match; None if it has no turn of that number."""
    if not 0 < number <= len(report.turns):
        return None
    turn = report.turns[number - 1]
    throw, decision = turn.throw, turn.decision
    side = turn.last.side
    worth = turn.last.worth
    if decision:
        before, done, best = happened[decision.first].before, decision.done, decision.best
    else:
        before = happened[turn.last.version - 1].after
        done, best = _find_forced_play(before, happened[turn.last.version :]), ()
    return ReviewedTurn(
        number=number,
        side=side,
        before=before,
        done=done,
        best=best,
        luck=throw.luck if throw else None,
        error=decision.error if decision else None,
        # Evaluations are gold's.
        worth=worth if side is Side.GOLD else worth.opposite,
        is_error=decision is not None and is_error(decision),
        opening=_find_opening(happened, decision.first) if decision else None,
    )


def _find_opening(happened: Sequence[Transition], first: int) -> SetUp | None:
    """Return how a match begins with the throw of a decision; None where others threw it."""
    before = happened[first].before
    if before.rules.players > 1 or before.phase not in (Phase.CHOOSE, Phase.PLAY):
        return None
    for each in reversed(happened[:first]):
        if isinstance(each.event, SetUp | Thrown):
            at = each.after if isinstance(each.event, SetUp) else each.before
            position = at.position._replace(dice=())
            return SetUp(format_position(position, at.rules), each.event.dice)
    return None


def _find_forced_play(before: Match, later: Sequence[Transition]) -> tuple[Event, ...]:
    """Return the play that a throw forced, if anything could be played."""
    moves: list[Move] = []
    for each in later:
        # What cannot be played may be offered to the other side, which is a turn of its own.
        if (each.before.turn, each.before.drawn) != (before.turn, before.drawn):
            break
        if isinstance(each.event, Played):
            moves += each.event.moves
    return (Played(tuple(moves)),) if moves else ()
