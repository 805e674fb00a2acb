"""What the computer players add to the engine protocol: `value` and `choose`."""

from collections.abc import Mapping
from functools import partial, reduce

from engine.events import Played
from engine.notation import format_play
from engine.players.batch_evaluation import Judge, evaluate_by_net, evaluate_positions
from engine.players.decide import choose_prospect
from engine.players.evaluation import Evaluation
from engine.players.level import Level
from engine.players.midgame import build_match
from engine.players.prospects import evaluate_match
from engine.players.variants import identify_game
from engine.plays import make_move
from engine.position import Position
from engine.position_text import format_position
from engine.protocol import (
    EngineRequest,
    EngineResponse,
    RequestHandler,
    SecondsClock,
    SentenceFormatter,
    find_requested_game,
    find_requested_rules,
    get_field,
    parse_requested_position,
)
from engine.refusal import Reason, Refusal
from engine.rules import Rules


def _handle_value(
    request: EngineRequest, clock: SecondsClock, speaker: SentenceFormatter
) -> EngineResponse:
    rules = find_requested_rules(request)
    position = parse_requested_position(request, rules)
    judge = _parse_judge(request)
    return _format_evaluation(evaluate_position(rules, position, judge))


def _handle_choose(
    request: EngineRequest, clock: SecondsClock, speaker: SentenceFormatter
) -> EngineResponse:
    game, options = find_requested_game(request)
    rules = game.resolve_rules(options)
    position = parse_requested_position(request, rules)
    level = _parse_level(request)
    seed = get_field(request, "seed", int)
    judge = _parse_judge(request)
    if not position.dice:
        raise Refusal(Reason.NO_DICE)
    match = build_match(game, rules, position)
    if not match.plays:
        return {
            "play": "",
            "position": format_position(position, rules),
            **_format_evaluation(evaluate_match(match, match.turn, judge)),
        }
    chosen = choose_prospect(match, level, seed, judge)
    assert isinstance(chosen.event, Played)
    end = reduce(partial(make_move, rules), chosen.event.moves, position)
    play = format_play(chosen.event.moves, rules, position)
    return {
        "play": play,
        "position": format_position(end, rules),
        **_format_evaluation(chosen.evaluation),
    }


def _format_evaluation(evaluation: Evaluation) -> EngineResponse:
    return {
        "win": round(evaluation.win, 6),
        "points": round(evaluation.points, 6),
        "exact": evaluation.exact,
    }


def _parse_judge(request: EngineRequest) -> Judge:
    """Return what evaluates positions: the net alone where a request wants no `tables`."""
    tables = request.get("tables", True)
    if not isinstance(tables, bool):
        raise Refusal(Reason.FIELD, name="tables", kind="bool")
    return evaluate_positions if tables else evaluate_by_net


def _parse_level(request: EngineRequest) -> Level:
    name = get_field(request, "level", str)
    if name not in list(Level):
        raise Refusal(Reason.LEVEL, known=tuple(Level))
    return Level(name)


PLAYERS: Mapping[str, RequestHandler] = {"value": _handle_value, "choose": _handle_choose}
"""What may be asked of the players, by the name in `do`."""


def evaluate_position(
    rules: Rules, position: Position, judge: Judge = evaluate_positions
) -> Evaluation:
    """Return a position's evaluation for the side to move.

    Before a throw it is evaluated as it is, else by the best play.
    """
    return evaluate_match(build_match(identify_game(rules), rules, position), position.turn, judge)
