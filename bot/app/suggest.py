"""Autocomplete for a play that is being typed: legal continuations, the best guesses first."""

import re

from engine.folding import fold
from engine.match import Match
from engine.moves import make, next_moves
from engine.notation import format_play, parse_play, remarks
from engine.position import Position
from engine.refusal import Refusal
from engine.rules import Remark

MOST = 25
"""Suggestions that Discord shows."""


def suggestions(match: Match, typed: str) -> list[str]:
    """List whole plays and next moves that go on from what was typed, as they would be typed."""
    wanted = _tidy(typed)
    whole = [text for text in whole_plays(match) if _tidy(text).startswith(wanted)]
    return list(dict.fromkeys([*whole, *_onward(match, typed)]))[:MOST]


def whole_plays(match: Match) -> list[str]:
    """List the legal plays as they are typed, the most promising first."""
    return [text for text, _ in whole_plays_with_remarks(match)]


def whole_plays_with_remarks(match: Match) -> list[tuple[str, Remark | None]]:
    """List the legal plays, each with a remark if others lead to the same men in another way."""
    plays = sorted(match.plays, key=lambda play: _promise(match, play.end), reverse=True)
    texts = (format_play(play.moves, match.rules, match.position) for play in plays)
    return list(zip(texts, remarks(plays, match.rules), strict=True))


def _promise(match: Match, after: Position) -> tuple[int, int]:
    """Rank where a play leads: men left on the opponent's bar first, then few blots of your own."""
    side, board = match.turn, match.rules.board
    return board.waiting(after.men(side.other)), -after.men(side)[: board.size].count(1)


def _onward(match: Match, typed: str) -> list[str]:
    """Take typed text as moves already made, except its last word, which may be incomplete."""
    for done, begun in ((typed, ""), (typed.rpartition(" ")[0], typed.rpartition(" ")[2])):
        try:
            moves = (
                parse_play(done, match.rules, match.position, match.duty) if done.strip() else ()
            )
        except Refusal:
            continue
        position = match.position
        for move in moves:
            position = make(match.rules, position, move)
        onward = (
            format_play((move,), match.rules, position)
            for move in next_moves(match.rules, position, match.duty)
        )
        return [
            f"{done.strip()} {text}".strip()
            for text in onward
            if _tidy(text).startswith(_tidy(begun))
        ]
    return []


def _tidy(text: str) -> str:
    return " ".join(re.sub("[/>]", "-", fold(text)).replace(",", " ").replace("*", "").split())
