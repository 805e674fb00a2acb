"""What the computer players add to the engine protocol: `value` and `choose`."""

from collections.abc import Mapping
from functools import partial, reduce

from engine.events import Played
from engine.moves import make
from engine.notation import format_play
from engine.players.decide import choice
from engine.players.level import Level
from engine.players.prospects import worth_of
from engine.players.value import match_at, value
from engine.players.worth import Worth
from engine.position_text import format_position
from engine.protocol import (
    Answer,
    Clock,
    Handler,
    Request,
    Speaker,
    field_of,
    game_in,
    position_in,
    rules_in,
)
from engine.refusal import Reason, Refusal


def _value(request: Request, clock: Clock, speaker: Speaker) -> Answer:
    rules = rules_in(request)
    return _written(value(rules, position_in(request, rules)))


def _choose(request: Request, clock: Clock, speaker: Speaker) -> Answer:
    game, options = game_in(request)
    rules = game.rules_with(options)
    position = position_in(request, rules)
    level = _level(request)
    seed = field_of(request, "seed", int)
    if not position.dice:
        raise Refusal(Reason.NO_DICE)
    match = match_at(game, rules, position)
    if not match.plays:
        return {
            "play": "",
            "position": format_position(position, rules),
            **_written(worth_of(match, match.turn)),
        }
    chosen = choice(match, level, seed)
    assert isinstance(chosen.event, Played)
    end = reduce(partial(make, rules), chosen.event.moves, position)
    play = format_play(chosen.event.moves, rules, position)
    return {"play": play, "position": format_position(end, rules), **_written(chosen.worth)}


def _written(worth: Worth) -> Answer:
    return {"win": round(worth.win, 6), "points": round(worth.points, 6)}


def _level(request: Request) -> Level:
    name = field_of(request, "level", str)
    if name not in list(Level):
        raise Refusal(Reason.LEVEL, known=tuple(Level))
    return Level(name)


PLAYERS: Mapping[str, Handler] = {"value": _value, "choose": _choose}
"""What may be asked of the players, by the name in `do`."""
