"""Autocomplete for a play that is being typed: legal continuations, in the order of the board.

They are never ranked by how good they are: nobody is to be helped by where an entry stands.
"""

import re

from engine.folding import fold_text
from engine.match import Match
from engine.notation import format_play, list_remarks, parse_play
from engine.plays import Play, list_next_moves, make_move
from engine.refusal import Refusal
from engine.rules import Remark

MAX_SUGGESTIONS = 25
"""Suggestions that Discord shows."""


def suggest_plays(match: Match, typed: str) -> list[str]:
    """List whole plays and next moves that go on from what was typed, as they would be typed."""
    wanted = _normalise_text(typed)
    whole = [text for text in list_plays(match) if _normalise_text(text).startswith(wanted)]
    # A whole play of a single move is among the next moves as well, and is listed once.
    return list(dict.fromkeys([*whole, *_list_next_moves(match, typed)]))[:MAX_SUGGESTIONS]


def list_plays(match: Match) -> list[str]:
    """List the legal plays as they are typed, in the order of the board."""
    return [text for text, _, _ in list_plays_with_remarks(match)]


def list_plays_with_remarks(match: Match) -> list[tuple[str, Play, Remark | None]]:
    """List the legal plays as they are typed, and as they are.

    Each has a remark if others lead to the same men in another way.
    """
    plays = sorted(match.plays, key=lambda play: play.moves)
    texts = [format_play(play.moves, match.rules, match.position) for play in plays]
    return list(zip(texts, plays, list_remarks(plays, match.rules), strict=True))


def _list_next_moves(match: Match, typed: str) -> list[str]:
    """Take typed text as moves already made, except its last word, which may be incomplete."""
    # The last word may be a whole move, or the beginning of one, and the first is tried first.
    for done, begun in ((typed, ""), (typed.rpartition(" ")[0], typed.rpartition(" ")[2])):
        try:
            moves = (
                parse_play(done, match.rules, match.position, match.duty) if done.strip() else ()
            )
        except Refusal:
            continue
        position = match.position
        for move in moves:
            position = make_move(match.rules, position, move)
        onward = (
            format_play((move,), match.rules, position)
            for move in list_next_moves(match.rules, position, match.duty)
        )
        return [
            f"{done.strip()} {text}".strip()
            for text in onward
            if _normalise_text(text).startswith(_normalise_text(begun))
        ]
    return []


def _normalise_text(text: str) -> str:
    # Other notations write a slash or an arrow for the hyphen, and mark a hit with an asterisk.
    return " ".join(re.sub("[/>]", "-", fold_text(text)).replace(",", " ").replace("*", "").split())
