"""Random positions of backgammon in the middle of matches, with a throw to play."""

from collections.abc import Iterator
from random import Random

from engine.games import GAMES
from engine.match import Match, Phase, apply_unchecked, new_match
from engine.playout import choose_event
from engine.plays import list_legal_plays

BACKGAMMON = GAMES["backgammon"]


def generate_matches(count: int, seed: int) -> Iterator[Match]:
    """So many moments in which a throw waits to be played, from matches played at random."""
    chance = Random(seed)
    match = new_match(BACKGAMMON, {})
    while count:
        if match.phase is Phase.OVER:
            match = new_match(BACKGAMMON, {})
        if match.phase is Phase.PLAY:
            count -= 1
            yield match
        match = apply_unchecked(match, choose_event(match, chance))


def count_men(position_men: bytes) -> tuple[int, ...]:
    """The men on a to z, on the bar and borne off."""
    board = BACKGAMMON.rules.board
    return (*position_men[:24], board.count_waiting(position_men), position_men[board.off])


Placement = tuple[tuple[int, ...], tuple[int, ...]]


def list_ends(match: Match) -> set[Placement]:
    """Where both sides stand after each legal play; where they stand now if there is none."""
    plays = list_legal_plays(match.rules, match.position)
    after = [play.end for play in plays] or [match.position]
    return {(count_men(end.gold), count_men(end.black)) for end in after}
