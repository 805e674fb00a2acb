"""The engine protocol: one JSON request a line in, one JSON answer a line out, in order."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, TypeAlias

from engine.ending import dead, judge, valued
from engine.games import GAMES, find_game
from engine.match import Phase, new_match
from engine.moves import legal_plays, make
from engine.notation import format_play, parse_play
from engine.outcome import Outcome
from engine.playout import play_out
from engine.position import Position
from engine.position_text import format_position, parse_position
from engine.refusal import Reason, Refusal
from engine.rules import Game, Rules

Request: TypeAlias = Mapping[str, Any]
Answer: TypeAlias = dict[str, Any]
Clock: TypeAlias = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Speaker:
    """Makes sentences of what the engine only has as values: why something is refused, and how a game has ended."""

    refused: Callable[[Refusal], str]
    ended: Callable[[Game, Outcome | None], str]


DO = ("games", "start", "plays", "play", "result", "random")
"""What may be asked for."""

MOST_THROWS = 100_000
"""Throws after which a random game counts as unfinished."""

MOST_GAMES = 100_000
"""The most random games that one request may ask for: an hour or so of them, in which nothing else is answered."""


def serve(lines: Iterable[str], clock: Clock, speaker: Speaker) -> Iterator[str]:
    """Answer each line; what is no request gets an error and the next line is read. `clock` gives seconds."""
    for line in lines:
        if line.strip():
            yield json.dumps(answer_line(line, clock, speaker))


def answer_line(line: str, clock: Clock, speaker: Speaker) -> Answer:
    """Answer one line of JSON."""
    echo: Answer = {}
    try:
        request = _request(line)
        echo = {"id": request["id"]} if "id" in request else {}
        return {**echo, **_answer(request, clock, speaker)}
    except Refusal as refusal:
        return {**echo, "error": speaker.refused(refusal)}


def _request(line: str) -> Request:
    try:
        request = json.loads(line, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise Refusal(Reason.REQUEST) from None
    if not isinstance(request, dict):
        raise Refusal(Reason.REQUEST)
    return request


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _answer(request: Request, clock: Clock, speaker: Speaker) -> Answer:
    match request.get("do"):
        case "games":
            return {"games": [_listed(game) for game in GAMES.values()]}
        case "start":
            rules = _rules(request)
            return {"position": format_position(rules.start, rules)}
        case "plays":
            return _plays(request)
        case "play":
            return _play(request)
        case "result":
            return _result(request, speaker)
        case "random":
            return _random(request, clock)
    raise Refusal(Reason.DO, known=DO)


def _listed(game: Game) -> Answer:
    return {
        "slug": game.slug,
        "title": game.title,
        "points": list(game.rules.board.points),
        "dice": game.rules.dice.count + len(game.rules.dice.fixed),
        "options": {option.name: [value.name for value in option.values] for option in game.options},
    }


def _field(request: Request, name: str, kind: type) -> Any:  # noqa: ANN401 - JSON
    value = request.get(name)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise Refusal(Reason.FIELD, name=name, kind=kind.__name__)
    return value


def _game(request: Request) -> tuple[Game, dict[str, str]]:
    options = request.get("options", {})
    if not isinstance(options, dict):
        raise Refusal(Reason.OPTIONS)
    return find_game(_field(request, "game", str)), {name: str(value) for name, value in options.items()}


def _rules(request: Request) -> Rules:
    game, options = _game(request)
    return game.rules_with(options)


def _position(request: Request, rules: Rules) -> Position:
    return parse_position(_field(request, "position", str), rules)


def _plays(request: Request) -> Answer:
    rules = _rules(request)
    position = _position(request, rules)
    if not position.dice:
        raise Refusal(Reason.NO_DICE)
    plays = [] if judge(rules, position) else legal_plays(rules, position)
    listed = sorted(
        (
            format_position(play.end, rules),
            format_play(play.moves, rules, position),
        )
        for play in plays
    )
    return {
        "plays": [{"play": text, "position": end} for end, text in listed],
        "count": len(listed),
    }


def _play(request: Request) -> Answer:
    rules = _rules(request)
    position = _position(request, rules)
    if judge(rules, position):
        raise Refusal(Reason.GAME_OVER)
    for move in parse_play(_field(request, "play", str), rules, position):
        position = make(rules, position, move)
    return {"position": format_position(position, rules)}


def _result(request: Request, speaker: Speaker) -> Answer:
    game, options = _game(request)
    rules = game.rules_with(options)
    position = _position(request, rules)
    outcome = judge(rules, position) or dead(rules, position)
    if outcome is None:
        return {"result": None, "by": speaker.ended(game, None)}
    return {"result": outcome.winner or "draw", "by": speaker.ended(game, valued(rules, position, outcome))}


def _random(request: Request, clock: Clock) -> Answer:
    game, options = _game(request)
    chance = Random(_field(request, "seed", int))  # noqa: S311 - a reproducible playout, no secret
    games = _field(request, "games", int)
    if not 1 <= games <= MOST_GAMES:
        raise Refusal(Reason.GAMES, most=MOST_GAMES)
    counts = {"turns": 0, "gold": 0, "black": 0, "draw": 0, "unfinished": 0}
    began = clock()
    for _ in range(games):
        match = play_out(new_match(game, options), chance, MOST_THROWS)
        counts["turns"] += match.drawn - 2 * len(match.battle)
        counts[_ended(match.outcome.winner if match.outcome else None, match.phase)] += 1
    return {"games": games, **counts, "seconds": round(clock() - began, 6)}


def _ended(winner: str | None, phase: Phase) -> str:
    return winner or ("draw" if phase is Phase.OVER else "unfinished")
