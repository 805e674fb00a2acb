"""Somebody's last rating change, with all that led to it."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.features.ratings.seasons import Season, find_season, make_season_scope
from bot.features.ratings.service import (
    ENOUGH_GAMES,
    compute_win_chance,
    make_pool_name,
    make_server_scope,
)
from bot.platform.context import App
from bot.platform.errors import DeclinedError, DeclineReason
from bot.store import MatchRow, RatingChangeWithSide, RatingKey, RatingRow
from engine.games import GAMES, find_game
from engine.players.level import Level


@dataclass(frozen=True, slots=True)
class SeasonSoFar:
    """Somebody's rating of the season that runs, their rank if they have one, and of how many."""

    season: Season
    row: RatingRow
    rank: int | None
    ranked: int


@dataclass(frozen=True, slots=True)
class RatingExplanation:
    """What a match did to somebody's rating in its game and server, and why.

    `partners` and `opponents` are the changes of the others in it; `chance` is what the ratings
    before gave the person's side, from 0 to 1. `season` is theirs so far in the same game, None if
    they have played no match of it.
    """

    row: MatchRow
    change: RatingChangeWithSide
    partners: Sequence[RatingChangeWithSide]
    opponents: Sequence[RatingChangeWithSide]
    chance: float
    season: SeasonSoFar | None


async def explain_last_change(
    app: App, guild: int, game: str | None, person: int, asker: int
) -> RatingExplanation:
    """Explain the last change of a person's rating in a server, in one game or in any.

    Raises DeclinedError if they have finished no rated match of that kind.
    """
    slugs = [find_game(game).slug] if game else [*GAMES]
    pools = [make_pool_name(slug, level) for slug in slugs for level in (None, *Level)]
    found = await app.store.ratings.load_latest_changes(make_server_scope(guild), pools, person)
    if found is None:
        raise DeclinedError(
            DeclineReason.NO_RATING,
            who=None if person == asker else person,
            game=slugs[0] if game else None,
        )
    (row,) = await app.store.matches.load_rows([found.match])
    change = next(each for each in found.changes if each.key.person == person)
    opponents = [each for each in found.changes if each.side != change.side]
    teams = {
        side: [each.before for each in found.changes if each.side == side]
        for side in (change.side, opponents[0].side)
    }
    return RatingExplanation(
        row,
        change,
        [each for each in found.changes if each.side == change.side and each != change],
        opponents,
        compute_win_chance(teams, change.side),
        await _load_season(app, change.key),
    )


async def _load_season(app: App, key: RatingKey) -> SeasonSoFar | None:
    """Return how the season goes for the person of a rating of all time."""
    season = find_season(app.clock())
    here = key._replace(scope=make_season_scope(key.scope, season))
    row = (await app.store.ratings.get([here])).get(here)
    if row is None:
        return None
    counted = await app.store.ratings.count_ranks(here, row, ENOUGH_GAMES)
    rank = counted.before + 1 if row.games >= ENOUGH_GAMES else None
    return SeasonSoFar(season, row, rank, counted.enough)
