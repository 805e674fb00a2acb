"""One whole random game of each kind as text, kept to be read and to show what a change changes.

`python -m tests.conformance.golden SLUG...` writes those games anew, and without a slug all.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

from bot.platform.i18n.common import format_ending
from bot.platform.i18n.reader import Reader
from engine.events import Battled, Chosen, Event, Left, Passed, Played, Thrown
from engine.games import GAMES, find_game
from engine.match import Match, Phase, apply_unchecked, new_match
from engine.notation import format_play
from engine.playout import choose_event
from engine.position_text import format_position

FOLDER = Path(__file__).with_name("golden")
SEEDS = {"quinze-tablas": 5, "emperador": 2}
"""Seeds of games that show more of their own rules than with 1."""


def format_transcript(slug: str) -> str:
    """Return a whole game of that kind, a line a turn."""
    return "\n".join(_format_lines(slug)) + "\n"


def _format_lines(slug: str) -> Iterator[str]:
    chance = Random(SEEDS.get(slug, 1))
    match = new_match(GAMES[slug], {})
    yield format_position(match.position, match.rules)
    line = ""
    while match.phase is not Phase.OVER:
        event = choose_event(match, chance)
        if isinstance(event, Battled | Thrown) and line:
            yield line
            line = ""
        line = f"{line} {_format_event(match, event)}".strip()
        match = apply_unchecked(match, event)
    yield line
    yield format_position(match.position, match.rules)
    assert match.outcome
    how = format_ending(Reader.ENGLISH, match.game, match.outcome)
    yield f"{match.outcome.winner or 'nobody'} wins, {match.outcome.points}: {how}"


def _format_event(match: Match, event: Event) -> str:
    match event:
        case Battled(gold, black):
            return f"battle {'-'.join(map(str, gold))} {'-'.join(map(str, black))}"
        case Thrown(dice):
            return f"{match.turn} {'-'.join(map(str, dice))}:"
        case Chosen(what, value):
            return f"{match.turn} {what} {value};"
        case Played(moves):
            owner = "" if match.phase is Phase.PLAY else f"({match.turn}) "
            return f"{owner}{format_play(moves, match.rules, match.position)}"
        case Passed():
            return "-"
        case Left():
            return f"({match.turn}) leaves"
    raise AssertionError(event)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for known in [find_game(name).slug for name in sys.argv[1:]] or GAMES:
        (FOLDER / f"{known}.txt").write_text(format_transcript(known), "utf-8")
