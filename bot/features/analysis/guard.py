"""What nobody is told of: positions of matches in which they would get no hint."""

from bot.features.hints.service import is_hint_given
from bot.features.matches.lookup import load_running_sessions
from bot.platform.context import App
from bot.platform.errors import DeclinedError, DeclineReason
from engine.match import Match
from engine.position import Position, Side
from engine.rules import Rules

Standing = frozenset[tuple[int, ...]]
"""How both sides stand, each along its own way: a board seen from the other end is the same."""


async def require_free_position(app: App, person: int, match: Match) -> None:
    """Raise DeclinedError for a position of a match in which somebody would get no hint.

    That is the position as it stands, or after any play that they may make in it.
    """
    asked = measure_standing(match.rules, match.position)
    for session in await load_running_sessions(app, person):
        played = session.match
        if played.game.slug != match.game.slug or await is_hint_given(app, session):
            continue
        positions = (played.position, *(play.end for play in played.plays))
        if asked in {measure_standing(played.rules, each) for each in positions}:
            raise DeclinedError(DeclineReason.POSITION_IN_PLAY, match=session.id)


def measure_standing(rules: Rules, position: Position) -> Standing:
    """Return how both sides stand, whichever of them is gold."""
    board = rules.board
    beside = (board.hand, board.off, *board.bars)
    return frozenset(
        tuple(position.men(side)[place] for place in (*rules.course(side), *beside))
        for side in Side
    )
