"""The leaderboard: who has enough games to be ranked, and who is still being placed."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.features.ratings.service import ENOUGH_GAMES
from bot.platform.context import App
from bot.store import Leaderboard, RatingKey, RatingRow

PAGE = 10


@dataclass(frozen=True, slots=True)
class LeaderboardEntry:
    """One person on a board; `rank` is None while they have too few games."""

    rank: int | None
    person: int
    row: RatingRow


@dataclass(frozen=True, slots=True)
class LeaderboardPage:
    """One page of a leaderboard: its lines, the reader's own entry, and where this page lies.

    The reader's entry is there wherever it stands on the board.
    """

    lines: Sequence[LeaderboardEntry]
    mine: LeaderboardEntry | None
    number: int
    pages: int


async def load_page(
    app: App, scope: str, pool: str, asker: int, number: int = 0
) -> LeaderboardPage:
    """Return one page of a leaderboard, the ranked before those being placed.

    Pages count from 0.
    """
    key = RatingKey(scope, pool, asker)
    own = (await app.store.ratings.get([key])).get(key)
    counted = await app.store.ratings.count_ranks(key, own, ENOUGH_GAMES)
    # Negated twice, the floor division rounds up.
    pages = max(1, -(-(counted.enough + counted.fewer) // PAGE))
    # The button may be of a time when the board had more pages.
    number = min(max(number, 0), pages - 1)
    mine = None
    if own is not None:
        rank = counted.before + 1 if own.games >= ENOUGH_GAMES else None
        mine = LeaderboardEntry(rank, asker, own)
    return LeaderboardPage(
        await _load_entries(app, key.board, counted.enough, number * PAGE), mine, number, pages
    )


async def _load_entries(
    app: App, board: Leaderboard, ranked: int, first: int
) -> list[LeaderboardEntry]:
    """Return the lines of the page that begins at a place, which counts from 0."""
    ratings = app.store.ratings
    lines: list[LeaderboardEntry] = []
    if first < ranked:
        found = await ratings.load_board(*board, games=ENOUGH_GAMES, first=first, most=PAGE)
        lines += [
            LeaderboardEntry(rank, person, row)
            for rank, (person, row) in enumerate(found, first + 1)
        ]
    # The two groups meet on one page, whose end is filled from the second.
    if first + PAGE > ranked:
        after = max(first - ranked, 0)
        found = await ratings.load_board(
            *board, fewer=ENOUGH_GAMES, first=after, most=PAGE - len(lines)
        )
        lines += [LeaderboardEntry(None, person, row) for person, row in found]
    return lines
