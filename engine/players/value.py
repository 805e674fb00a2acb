"""What a position is worth, wherever it comes from."""

from engine.players.known import identify_game
from engine.players.midgame import build_match
from engine.players.prospects import evaluate_match
from engine.players.worth import Evaluation
from engine.position import Position
from engine.rules import Rules


def evaluate_position(rules: Rules, position: Position) -> Evaluation:
    """Return a position's worth to the side to move.

    Before a throw it is evaluated as it is, else by the best play.
    """
    return evaluate_match(build_match(identify_game(rules), rules, position), position.turn)
