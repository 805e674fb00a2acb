"""Autocomplete for a play that is being typed: legal continuations, in the order of the board.

They are never ranked by how good they are: nobody is to be helped by where an entry stands.
"""

import re
from functools import lru_cache

from engine.folding import fold_text
from engine.match import Match
from engine.notation import format_play, list_remarks, parse_play
from engine.plays import Duty, Play, list_legal_plays, list_next_moves, make_move
from engine.position import Position
from engine.refusal import Refusal
from engine.rules import Remark, Rules

MAX_SUGGESTIONS = 25
"""Suggestions that Discord shows."""
MAX_REMEMBERED = 32
"""Positions of which the plays are remembered as they are typed; a long list takes 0.5 MB."""


def suggest_plays(match: Match, typed: str) -> list[str]:
    """List whole plays and next moves that go on from what was typed, as they would be typed."""
    wanted = _normalise_text(typed)
    known = _list_typed_plays(match.rules, match.position, match.duty) if match.plays else ()
    whole = [text for text, written in known if written.startswith(wanted)]
    # A whole play of a single move is among the next moves as well, and is listed once.
    return list(dict.fromkeys([*whole, *_list_next_moves(match, typed)]))[:MAX_SUGGESTIONS]


@lru_cache(maxsize=MAX_REMEMBERED)
def _list_typed_plays(rules: Rules, position: Position, duty: Duty) -> tuple[tuple[str, str], ...]:
    """List the legal plays as they are typed, each also as it is compared with what was typed.

    There can be thousands, and they are asked for at every letter.
    """
    plays = sorted(list_legal_plays(rules, position, duty), key=lambda play: play.moves)
    texts = [format_play(play.moves, rules, position) for play in plays]
    return tuple((text, _normalise_text(text)) for text in texts)


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
