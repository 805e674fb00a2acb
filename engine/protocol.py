"""The engine protocol: one JSON request a line in, one JSON answer a line out, in order.

Other parts of the program add requests of their own (see `Handler`) when they call `serve`.
"""

import re
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
from engine.strict_json import read_json, write_json

Request: TypeAlias = Mapping[str, Any]
Answer: TypeAlias = dict[str, Any]
Clock: TypeAlias = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Speaker:
    """Makes sentences of the engine's values: why something is refused, how a game has ended."""

    refused: Callable[[Refusal], str]
    ended: Callable[[Game, Outcome | None], str]


Handler: TypeAlias = Callable[[Request, Clock, Speaker], Answer]
"""Answers one kind of request; raises Refusal where it cannot."""

MOST_THROWS = 100_000
"""Throws after which a random game counts as unfinished."""

_FOREIGN = re.compile("[\\0\\udc80-\\udcff]")
"""What shows UTF-16 or broken UTF-8 in a line: zero bytes, and lone halves of characters."""
MOST_GAMES = 100_000
"""The most random games in one request.

They take about an hour, in which nothing else is answered.
"""


def serve(
    lines: Iterable[str],
    clock: Clock,
    speaker: Speaker,
    requests: Mapping[str, Handler] | None = None,
) -> Iterator[str]:
    """Answer each line; one that is no request gets an error, and reading goes on.

    `clock` gives seconds. `requests` are what may be asked for, by the name in `do`: those of this
    module where nothing else is said.
    """
    for line in lines:
        if line.strip():
            yield write_json(answer_line(line, clock, speaker, requests or REQUESTS))


def answer_line(
    line: str, clock: Clock, speaker: Speaker, requests: Mapping[str, Handler]
) -> Answer:
    """Answer one line of JSON."""
    echo: Answer = {}
    try:
        request = _request(line)
        echo = {"id": request["id"]} if "id" in request else {}
        return {**echo, **_handler(request, requests)(request, clock, speaker)}
    except Refusal as refusal:
        return {**echo, "error": speaker.refused(refusal)}


def _request(line: str) -> Request:
    if _FOREIGN.search(line):
        raise Refusal(Reason.ENCODING)
    try:
        request = read_json(line)
    except (ValueError, RecursionError):
        raise Refusal(Reason.REQUEST) from None
    if not isinstance(request, dict):
        raise Refusal(Reason.REQUEST)
    return request


def _handler(request: Request, requests: Mapping[str, Handler]) -> Handler:
    asked = request.get("do")
    if not isinstance(asked, str) or asked not in requests:
        raise Refusal(Reason.DO, known=tuple(requests))
    return requests[asked]


def _games(request: Request, clock: Clock, speaker: Speaker) -> Answer:
    return {"games": [_listed(game) for game in GAMES.values()]}


def _start(request: Request, clock: Clock, speaker: Speaker) -> Answer:
    rules = rules_in(request)
    return {"position": format_position(rules.start, rules)}


def _listed(game: Game) -> Answer:
    return {
        "slug": game.slug,
        "title": game.title,
        "points": list(game.rules.board.points),
        "dice": game.rules.dice.count + len(game.rules.dice.fixed),
        "options": {
            option.name: [value.name for value in option.values] for option in game.options
        },
    }


def field_of(request: Request, name: str, kind: type) -> Any:  # noqa: ANN401 - JSON
    """Return a field of a request; raises Refusal where it is missing or of another type."""
    value = request.get(name)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise Refusal(Reason.FIELD, name=name, kind=kind.__name__)
    return value


def game_in(request: Request) -> tuple[Game, dict[str, str]]:
    """Return the game and the options that a request names; raises Refusal for what is not here."""
    options = request.get("options", {})
    if not isinstance(options, dict):
        raise Refusal(Reason.OPTIONS)
    return find_game(field_of(request, "game", str)), {
        name: str(value) for name, value in options.items()
    }


def rules_in(request: Request) -> Rules:
    """Return the rules that a request names; raises Refusal for what is not here."""
    game, options = game_in(request)
    return game.rules_with(options)


def position_in(request: Request, rules: Rules) -> Position:
    """Return the position that a request gives; raises Refusal for what is none."""
    return parse_position(field_of(request, "position", str), rules)


def _plays(request: Request, clock: Clock, speaker: Speaker) -> Answer:
    rules = rules_in(request)
    position = position_in(request, rules)
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


def _play(request: Request, clock: Clock, speaker: Speaker) -> Answer:
    rules = rules_in(request)
    position = position_in(request, rules)
    if judge(rules, position):
        raise Refusal(Reason.GAME_OVER)
    for move in parse_play(field_of(request, "play", str), rules, position):
        position = make(rules, position, move)
    return {"position": format_position(position, rules)}


def _result(request: Request, clock: Clock, speaker: Speaker) -> Answer:
    game, options = game_in(request)
    rules = game.rules_with(options)
    position = position_in(request, rules)
    outcome = judge(rules, position) or dead(rules, position)
    if outcome is None:
        return {"result": None, "by": speaker.ended(game, None)}
    return {
        "result": outcome.winner or "draw",
        "by": speaker.ended(game, valued(rules, position, outcome)),
    }


def _random(request: Request, clock: Clock, speaker: Speaker) -> Answer:
    game, options = game_in(request)
    chance = Random(field_of(request, "seed", int))  # noqa: S311 - a reproducible playout
    games = field_of(request, "games", int)
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


REQUESTS: Mapping[str, Handler] = {
    "games": _games,
    "start": _start,
    "plays": _plays,
    "play": _play,
    "result": _result,
    "random": _random,
}
"""What may be asked of the rules alone."""
