"""The leaderboard: who has enough games to be ranked, and who is still being placed."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from bot.features.ratings.seasons import Season, find_season, make_season_scope, parse_season
from bot.features.ratings.service import ENOUGH_GAMES, is_everywhere
from bot.platform.computers import COMPUTERS
from bot.platform.context import App
from bot.platform.errors import DeclinedError, DeclineReason
from bot.store import Leaderboard, RatingKey, RatingRow
from engine.folding import fold_text

PAGE = 10
OFFERED = 12
"""Seasons that are offered, if anybody played in them: those of three years."""
NOW = "now"
"""How the season that runs is typed."""


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


def require_season(typed: str, now: int) -> Season | None:
    """Return the season that was typed, None for all time; raises DeclinedError if it is none."""
    if not typed:
        return None
    season = find_season(now) if fold_text(typed) == NOW else parse_season(typed)
    if season is None:
        raise DeclinedError(DeclineReason.NO_SEASON, season=find_season(now))
    return season


async def load_seasons(app: App, scope: str) -> list[Season]:
    """Return the seasons before this one in which somebody was rated in a scope, newest first."""
    here = find_season(app.clock())
    by_scope = {
        make_season_scope(scope, season): season
        for season in (here.shift(-back) for back in range(1, OFFERED + 1))
    }
    used = await app.store.ratings.find_used_scopes([*by_scope])
    return [season for name, season in by_scope.items() if name in used]


async def load_page(
    app: App, scope: str, pool: str, asker: int, number: int = 0
) -> LeaderboardPage:
    """Return one page of a leaderboard, the ranked before those being placed.

    Pages count from 0. In all servers together only those are ranked who chose to be shown there.
    """
    key = RatingKey(scope, pool, asker)
    # The computer has nothing to choose.
    chosen_or = COMPUTERS if is_everywhere(scope) else None
    own = None
    if chosen_or is None or (await app.store.preferences.get(asker)).everywhere:
        own = (await app.store.ratings.get([key])).get(key)
    counted = await app.store.ratings.count_ranks(key, own, ENOUGH_GAMES, chosen_or)
    # Negated twice, the floor division rounds up.
    pages = max(1, -(-(counted.enough + counted.fewer) // PAGE))
    # The button may be of a time when the board had more pages.
    number = min(max(number, 0), pages - 1)
    mine = None
    if own is not None:
        rank = counted.before + 1 if own.games >= ENOUGH_GAMES else None
        mine = LeaderboardEntry(rank, asker, own)
    return LeaderboardPage(
        await _load_entries(app, key.board, counted.enough, number * PAGE, chosen_or),
        mine,
        number,
        pages,
    )


async def _load_entries(
    app: App, board: Leaderboard, ranked: int, first: int, chosen_or: Collection[int] | None
) -> list[LeaderboardEntry]:
    """Return the lines of the page that begins at a place, which counts from 0."""
    ratings = app.store.ratings
    lines: list[LeaderboardEntry] = []
    if first < ranked:
        found = await ratings.load_board(
            *board, games=ENOUGH_GAMES, first=first, most=PAGE, chosen_or=chosen_or
        )
        lines += [
            LeaderboardEntry(rank, person, row)
            for rank, (person, row) in enumerate(found, first + 1)
        ]
    # The two groups meet on one page, whose end is filled from the second.
    if first + PAGE > ranked:
        after = max(first - ranked, 0)
        found = await ratings.load_board(
            *board,
            fewer=ENOUGH_GAMES,
            first=after,
            most=PAGE - len(lines),
            chosen_or=chosen_or,
        )
        lines += [LeaderboardEntry(None, person, row) for person, row in found]
    return lines
