"""Puzzles from the matches of a server whose players have given their leave.

They are made where the puzzle is posted every day, from plays that a report has found bad. Nobody
is named in them.
"""

from collections import OrderedDict
from dataclasses import dataclass, field

from bot.features.puzzles.own import MOST_KEPT, build_own_puzzle
from bot.platform.computers import COMPUTERS
from bot.platform.context import App
from bot.platform.errors import DeclinedError
from engine.players.puzzles import Puzzle, format_puzzle_row, load_puzzles, parse_puzzle_row
from engine.refusal import Refusal

MATCH_PUZZLE_EVERY = 3
"""Of so many days one has a puzzle from a match, if there is any."""
MOST_TRIED = 3
"""Plays that are looked at on one day; each takes the computer a while."""


@dataclass(frozen=True, kw_only=True)
class MatchPuzzle(Puzzle):
    """A puzzle from a match of the server in which it is given."""


@dataclass
class MatchPuzzleCache:
    """Puzzles from matches that were used lately, by id."""

    found: "OrderedDict[str, MatchPuzzle]" = field(default_factory=OrderedDict)

    def add(self, puzzle: MatchPuzzle) -> None:
        """Keep a puzzle."""
        self.found[puzzle.id] = puzzle
        while len(self.found) > MOST_KEPT:
            self.found.popitem(last=False)


async def find_puzzle(app: App, name: str | None) -> Puzzle | None:
    """Return a puzzle by its id, None for none or for one that is no longer known."""
    if name is None:
        return None
    cache = app.get_part(MatchPuzzleCache)
    known = load_puzzles().get(name) or cache.found.get(name)
    if known is not None:
        return known
    document = await app.store.puzzles.get_match_puzzle(name)
    if document is None:
        return None
    try:
        puzzle = MatchPuzzle(**vars(parse_puzzle_row(document)))
        # Whether its rules still know the position shows when it is set up.
        _ = puzzle.match
    except (KeyError, Refusal):
        return None
    cache.add(puzzle)
    return puzzle


async def choose_match_puzzle(app: App, guild: int, day: int) -> Puzzle | None:
    """Return a puzzle of a server's matches for a day and keep it; None if there is no good one."""
    for _ in range(MOST_TRIED):
        blunder = await app.store.puzzles.find_given_blunder(guild, COMPUTERS)
        if blunder is None:
            return None
        try:
            own = await build_own_puzzle(app, blunder)
        except (DeclinedError, Refusal):
            own = None
        if own is None:
            # A closer look finds the play not so bad, or another edition of the rules has come.
            await app.store.blunders.remove(blunder.person, blunder.match, blunder.version)
            continue
        puzzle = MatchPuzzle(
            game=own.game,
            options=own.options,
            position=own.position,
            thrown=own.thrown,
            answers=own.answers,
            error=own.error,
        )
        kept = await app.store.puzzles.keep_match_puzzle(
            guild, day, puzzle.id, blunder, format_puzzle_row(puzzle)
        )
        # Somebody else may have had the day's puzzle chosen meanwhile.
        return await find_puzzle(app, kept)
    return None
