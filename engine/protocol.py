"""The engine protocol: one JSON request a line in, one JSON answer a line out, in order.

Other parts of the program add requests of their own (see `RequestHandler`) when they call
`serve_lines`.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, TypeAlias

from engine.ending import find_deadlock, find_outcome, score_outcome
from engine.games import GAMES, find_game
from engine.match import Phase, new_match
from engine.notation import format_play, parse_play
from engine.outcome import GameOutcome
from engine.playout import play_out
from engine.plays import list_legal_plays, make_move
from engine.position import Position
from engine.position_text import format_position, parse_position
from engine.refusal import Reason, Refusal
from engine.rules import Game, Rules
from engine.strict_json import parse_json, write_json
from engine.throws import list_numbers, list_turned_throws, parse_throw

EngineRequest: TypeAlias = Mapping[str, Any]
EngineResponse: TypeAlias = dict[str, Any]
SecondsClock: TypeAlias = Callable[[], float]


@dataclass(frozen=True, slots=True)
class SentenceFormatter:
    """Makes sentences of the engine's values: why something is refused, how a game has ended."""

    refused: Callable[[Refusal], str]
    ended: Callable[[Game, GameOutcome | None], str]


RequestHandler: TypeAlias = Callable[
    [EngineRequest, SecondsClock, SentenceFormatter], EngineResponse
]
"""Answers one kind of request; raises Refusal where it cannot."""

MAX_THROWS = 100_000
"""Throws after which a random game counts as unfinished."""

# `tabula` reads its input with `surrogateescape`, which makes such a half of every wrong byte.
_NOT_UTF8 = re.compile("[\\0\\udc80-\\udcff]")
"""What shows UTF-16 or broken UTF-8 in a line: zero bytes, and lone halves of characters."""
MAX_GAMES = 100_000
"""The most random games in one request.

They take about an hour, in which nothing else is answered.
"""


def serve_lines(
    lines: Iterable[str],
    clock: SecondsClock,
    speaker: SentenceFormatter,
    requests: Mapping[str, RequestHandler] | None = None,
) -> Iterator[str]:
    """Answer each line; one that is no request gets an error, and reading goes on.

    `clock` gives seconds. `requests` are what may be asked for, by the name in `do`: those of this
    module where nothing else is said.
    """
    for line in lines:
        if line.strip():
            yield write_json(respond_to_line(line, clock, speaker, requests or REQUESTS))


def respond_to_line(
    line: str,
    clock: SecondsClock,
    speaker: SentenceFormatter,
    requests: Mapping[str, RequestHandler],
) -> EngineResponse:
    """Answer one line of JSON."""
    echo: EngineResponse = {}
    try:
        request = _parse_request(line)
        # Known before anything can be refused, since an error needs its request's id as well.
        echo = {"id": request["id"]} if "id" in request else {}
        return {**echo, **_find_handler(request, requests)(request, clock, speaker)}
    except Refusal as refusal:
        return {**echo, "error": speaker.refused(refusal)}


def _parse_request(line: str) -> EngineRequest:
    if _NOT_UTF8.search(line):
        raise Refusal(Reason.ENCODING)
    try:
        request = parse_json(line)
    # Brackets nested too deeply exhaust the parser's stack, which must not end the program.
    except (ValueError, RecursionError):
        raise Refusal(Reason.REQUEST) from None
    if not isinstance(request, dict):
        raise Refusal(Reason.REQUEST)
    return request


def _find_handler(request: EngineRequest, requests: Mapping[str, RequestHandler]) -> RequestHandler:
    asked = request.get("do")
    if not isinstance(asked, str) or asked not in requests:
        raise Refusal(Reason.DO, known=tuple(requests))
    return requests[asked]


def _handle_games(
    request: EngineRequest, clock: SecondsClock, speaker: SentenceFormatter
) -> EngineResponse:
    return {"games": [_describe_game(game) for game in GAMES.values()]}


def _handle_start(
    request: EngineRequest, clock: SecondsClock, speaker: SentenceFormatter
) -> EngineResponse:
    rules = find_requested_rules(request)
    return {"position": format_position(rules.start_position, rules)}


def _describe_game(game: Game) -> EngineResponse:
    return {
        "slug": game.slug,
        "edition": game.edition,
        "title": game.title,
        "points": list(game.rules.board.points),
        "dice": game.rules.dice.count + len(game.rules.dice.fixed),
        "thrown": game.rules.dice.count,
        "options": {
            option.name: [value.name for value in option.values] for option in game.options
        },
    }


def get_field(request: EngineRequest, name: str, kind: type) -> Any:  # noqa: ANN401 - JSON
    """Return a field of a request; raises Refusal where it is missing or of another type."""
    value = request.get(name)
    # To Python a truth value is an int, but in JSON `true` is no number.
    if not isinstance(value, kind) or isinstance(value, bool):
        raise Refusal(Reason.FIELD, name=name, kind=kind.__name__)
    return value


def find_requested_game(request: EngineRequest) -> tuple[Game, dict[str, str]]:
    """Return the game and the options that a request names; raises Refusal for what is not here."""
    options = request.get("options", {})
    if not isinstance(options, dict):
        raise Refusal(Reason.OPTIONS)
    return find_game(get_field(request, "game", str)), {
        name: str(value) for name, value in options.items()
    }


def find_requested_rules(request: EngineRequest) -> Rules:
    """Return the rules that a request names; raises Refusal for what is not here."""
    game, options = find_requested_game(request)
    return game.resolve_rules(options)


def parse_requested_position(request: EngineRequest, rules: Rules) -> Position:
    """Return the position that a request gives; raises Refusal for what is none."""
    return parse_position(get_field(request, "position", str), rules)


def _handle_numbers(
    request: EngineRequest, clock: SecondsClock, speaker: SentenceFormatter
) -> EngineResponse:
    dice = find_requested_rules(request).dice
    thrown = parse_throw(get_field(request, "thrown", str), dice)
    turned = [list_numbers(dice, each) for each in list_turned_throws(dice, thrown)]
    return {"numbers": ["-".join(map(str, numbers)) for numbers in turned]}


def _handle_plays(
    request: EngineRequest, clock: SecondsClock, speaker: SentenceFormatter
) -> EngineResponse:
    rules = find_requested_rules(request)
    position = parse_requested_position(request, rules)
    if not position.dice:
        raise Refusal(Reason.NO_DICE)
    # The text of a position may have numbers left although the game is over in it.
    plays = [] if find_outcome(rules, position) else list_legal_plays(rules, position)
    # Sorted, since the order in which the search finds plays means nothing to other programs.
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


def _handle_play(
    request: EngineRequest, clock: SecondsClock, speaker: SentenceFormatter
) -> EngineResponse:
    rules = find_requested_rules(request)
    position = parse_requested_position(request, rules)
    if find_outcome(rules, position):
        raise Refusal(Reason.GAME_OVER)
    for move in parse_play(get_field(request, "play", str), rules, position):
        position = make_move(rules, position, move)
    return {"position": format_position(position, rules)}


def _handle_result(
    request: EngineRequest, clock: SecondsClock, speaker: SentenceFormatter
) -> EngineResponse:
    game, options = find_requested_game(request)
    rules = game.resolve_rules(options)
    position = parse_requested_position(request, rules)
    outcome = find_outcome(rules, position) or find_deadlock(rules, position)
    if outcome is None:
        return {"result": None, "by": speaker.ended(game, None)}
    return {
        "result": outcome.winner or "draw",
        "by": speaker.ended(game, score_outcome(rules, position, outcome)),
    }


def _handle_random(
    request: EngineRequest, clock: SecondsClock, speaker: SentenceFormatter
) -> EngineResponse:
    game, options = find_requested_game(request)
    chance = Random(get_field(request, "seed", int))  # noqa: S311 - a reproducible playout
    games = get_field(request, "games", int)
    if not 1 <= games <= MAX_GAMES:
        raise Refusal(Reason.GAMES, most=MAX_GAMES)
    counts = {"turns": 0, "gold": 0, "black": 0, "draw": 0, "unfinished": 0}
    began = clock()
    for _ in range(games):
        match = play_out(new_match(game, options), chance, MAX_THROWS)
        # Both throws of each opening roll are drawn as well, but are nobody's turn.
        counts["turns"] += match.drawn - 2 * len(match.battle)
        counts[_classify_end(match.outcome.winner if match.outcome else None, match.phase)] += 1
    return {"games": games, **counts, "seconds": round(clock() - began, 6)}


def _classify_end(winner: str | None, phase: Phase) -> str:
    return winner or ("draw" if phase is Phase.OVER else "unfinished")


REQUESTS: Mapping[str, RequestHandler] = {
    "games": _handle_games,
    "start": _handle_start,
    "numbers": _handle_numbers,
    "plays": _handle_plays,
    "play": _handle_play,
    "result": _handle_result,
    "random": _handle_random,
}
"""What may be asked of the rules alone."""
