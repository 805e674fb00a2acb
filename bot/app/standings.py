"""The leaderboard: who has enough games to be ranked, and who is still being placed."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.app.context import App
from bot.app.ratings import ENOUGH_GAMES
from bot.store import RatingRow

PAGE = 10


@dataclass(frozen=True, slots=True)
class Standing:
    """One person on a board; `rank` is None while they have too few games."""

    rank: int | None
    person: int
    row: RatingRow


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a board: its lines, the asker's own standing wherever it is, and where this page lies."""

    lines: Sequence[Standing]
    mine: Standing | None
    number: int
    pages: int


async def page(app: App, scope: str, pool: str, asker: int, number: int = 0) -> Page:
    """Return one page of a board, the ranked before those still being placed; pages count from 0."""
    rows = await app.store.ratings.board(scope, pool)
    ranked = [(person, row) for person, row in rows if row.games >= ENOUGH_GAMES]
    placing = [(person, row) for person, row in rows if row.games < ENOUGH_GAMES]
    lines = [Standing(rank, person, row) for rank, (person, row) in enumerate(ranked, 1)]
    lines += [Standing(None, person, row) for person, row in placing]
    pages = max(1, -(-len(lines) // PAGE))
    number = min(max(number, 0), pages - 1)
    mine = next((line for line in lines if line.person == asker), None)
    return Page(lines[number * PAGE : (number + 1) * PAGE], mine, number, pages)
