"""What people look at of ratings: leaderboards, profiles, and why a rating has changed."""

from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from bot.features.matches import rows
from bot.features.matches.store import Matches
from bot.features.ratings import service
from bot.features.ratings.store import Ratings
from bot.platform.context import App, find_hidden_channels
from bot.platform.features import ExtensionPoint
from bot.platform.i18n.common import Paging, find_page
from bot.platform.i18n.reader import DeclinedError, Reader, mark_text
from bot.platform.people import COMPUTERS, DiscordPerson
from engine.folding import fold_text
from engine.games import GAMES
from engine.players.level import Level

PAGE = 10
OFFERED = 12
"""Seasons that are offered, if anybody played in them: those of three years."""
NOW = "now"
"""How the season that runs is typed."""
MAX_SHOWN = 200
"""Matches of a curve: the latest."""

LoadProfileSection: TypeAlias = Callable[[App, Reader, int, int], Awaitable[str]]
"""Loads it by the server and the person."""
PROFILE_SECTIONS: ExtensionPoint[LoadProfileSection] = ExtensionPoint()
"""What features say of somebody in a server; an empty text is left out."""


class UnknownSeasonError(DeclinedError):
    """What was typed is no season; `season` is an example."""

    season: service.Season

    def _format(self, say: Reader) -> str:
        return say(
            "A season is a quarter of a year: type it as `{season}`, or `now` for this one.",
            season=self.season,
        )


@dataclass(frozen=True, slots=True)
class LeaderboardEntry:
    """One person on a board; `rank` is None while they have too few games."""

    rank: int | None
    person: int
    row: rows.RatingRow


@dataclass(frozen=True, slots=True)
class LeaderboardPage:
    """One page of a leaderboard: its lines, the reader's own entry, and where this page lies.

    The reader's entry is there wherever it stands on the board.
    """

    lines: Sequence[LeaderboardEntry]
    mine: LeaderboardEntry | None
    paging: Paging


def require_season(typed: str, now: int) -> service.Season | None:
    """Return the season that was typed, None for all time; raises DeclinedError if it is none."""
    if not typed:
        return None
    season = service.find_season(now) if fold_text(typed) == NOW else service.parse_season(typed)
    if season is None:
        raise UnknownSeasonError(service.find_season(now))
    return season


async def load_seasons(app: App, scope: str) -> list[service.Season]:
    """Return the seasons before this one in which somebody was rated in a scope, newest first."""
    here = service.find_season(app.clock())
    by_scope = {
        service.build_season_scope(scope, season): season
        for season in (here.shift(-back) for back in range(1, OFFERED + 1))
    }
    used = await app.store.get(Ratings).find_used_scopes([*by_scope])
    return [season for name, season in by_scope.items() if name in used]


async def load_page(
    app: App, scope: str, pool: str, asker: int, number: int = 0
) -> LeaderboardPage:
    """Return one page of a leaderboard, the ranked before those being placed.

    Pages count from 0. In all servers together only those are ranked who chose to be shown there.
    """
    key = rows.RatingKey(scope, pool, asker)
    # The computer has nothing to choose.
    chosen_or = COMPUTERS if service.is_everywhere(scope) else None
    own = None
    if chosen_or is None or (await app.store.preferences.load_preferences(asker)).everywhere:
        own = (await app.store.get(Ratings).load_ratings([key])).get(key)
    counted = await app.store.get(Ratings).count_ranks(key, own, service.ENOUGH_GAMES, chosen_or)
    paging = find_page(number, counted.enough + counted.fewer, PAGE)
    mine = None
    if own is not None:
        rank = counted.before + 1 if own.games >= service.ENOUGH_GAMES else None
        mine = LeaderboardEntry(rank, asker, own)
    return LeaderboardPage(
        await _load_entries(app, key.board, counted.enough, paging.first, chosen_or), mine, paging
    )


async def _load_entries(
    app: App, board: rows.Leaderboard, ranked: int, first: int, chosen_or: Collection[int] | None
) -> list[LeaderboardEntry]:
    """Return the lines of the page that begins at a place, which counts from 0."""
    ratings = app.store.get(Ratings)
    lines: list[LeaderboardEntry] = []
    if first < ranked:
        found = await ratings.load_board(
            *board, games=service.ENOUGH_GAMES, first=first, most=PAGE, chosen_or=chosen_or
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
            fewer=service.ENOUGH_GAMES,
            first=after,
            most=PAGE - len(lines),
            chosen_or=chosen_or,
        )
        lines += [LeaderboardEntry(None, person, row) for person, row in found]
    return lines


class NotEverywhereError(DeclinedError):
    person: str
    sentence = mark_text(
        "{person} doesn't show their results in all servers. Leave out `scope` for those in "
        "this server."
    )


@dataclass(frozen=True, slots=True)
class Profile:
    """A person's ratings in one scope: by pool, all games first, and one pool over time."""

    scope: str
    pool: str
    records: Sequence[tuple[str, rows.RatingRow]]
    curve: Sequence[int]


async def require_shown_everywhere(app: App, asker: int, person: DiscordPerson) -> None:
    """Raise DeclinedError unless somebody may see another's results in all servers.

    Everybody sees their own, and those of people who chose that in their settings.
    """
    if person.id == asker or (await app.store.preferences.load_preferences(person.id)).everywhere:
        return
    raise NotEverywhereError(person.name)


async def load_profile(app: App, scope: str, pool: str, person: int) -> Profile:
    """Return what a person has played in a scope, with the course of the rating in one pool."""
    records = await app.store.get(Ratings).load_by_person(scope, person)
    course = await app.store.get(Ratings).load_progress(scope, pool, person)
    ordered = sorted(
        records, key=lambda record: (record[0] != service.ALL_GAMES, -record[1].games, record[0])
    )
    return Profile(
        scope,
        pool,
        ordered,
        [service.compute_display_rating(mu, sigma) for mu, sigma in course[-MAX_SHOWN:]],
    )


async def load_profile_sections(app: App, say: Reader, guild: int, person: int) -> tuple[str, ...]:
    """Return what all features say of somebody in a server, in order."""
    sections = [await load(app, say, guild, person) for load in PROFILE_SECTIONS.list_functions()]
    return tuple(filter(None, sections))


class NoVisibleChangeError(DeclinedError):
    sentence = mark_text("No rated match that you can see explains this rating.")


@dataclass(frozen=True, slots=True)
class SeasonSoFar:
    """Somebody's rating of the season that runs, their rank if they have one, and of how many."""

    season: service.Season
    row: rows.RatingRow
    rank: int | None
    ranked: int


@dataclass(frozen=True, slots=True)
class RatingExplanation:
    """What a match did to somebody's rating in its game and server, and why.

    `partners` and `opponents` are the changes of the others in it; `chance` is what the ratings
    before gave the person's side, from 0 to 1. `season` is theirs so far in the same game, None if
    they have played no match of it.
    """

    row: rows.MatchRow
    change: rows.RatingChangeWithSide
    partners: Sequence[rows.RatingChangeWithSide]
    opponents: Sequence[rows.RatingChangeWithSide]
    chance: float
    season: SeasonSoFar | None


async def load_changes(app: App, match: int) -> tuple[rows.RatingChange, ...]:
    """Return what a match did to the ratings; empty if it was not rated."""
    return await app.store.get(Ratings).load_changes(match)


async def explain_last_change(
    app: App, guild: int, pool: str, person: int, asker: int
) -> RatingExplanation:
    """Explain the last change of a person's rating in a server, in a pool's game or in any.

    It is that of the last match which the asker may see. Raises DeclinedError if they have finished
    no such rated match of that kind.
    """
    game, _ = service.parse_pool_name(pool)
    slugs = [*GAMES] if game == service.ALL_GAMES else [game]
    pools = [service.build_pool_name(slug, level) for slug in slugs for level in (None, *Level)]
    scope, ratings = service.build_server_scope(guild), app.store.get(Ratings)
    hidden: frozenset[int] = frozenset()
    if person != asker:
        channels = await ratings.load_channels(scope, pools, person)
        hidden = await find_hidden_channels(app, guild, channels, asker)
    found = await ratings.load_latest_changes(scope, pools, person, hidden=hidden, reader=asker)
    if found is None:
        raise NoVisibleChangeError
    (row,) = await app.store.get(Matches).load_rows([found.match])
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
        service.compute_win_chance(teams, change.side),
        await _load_season(app, change.key),
    )


async def _load_season(app: App, key: rows.RatingKey) -> SeasonSoFar | None:
    """Return how the season goes for the person of a rating of all time."""
    season = service.find_season(app.clock())
    here = key._replace(scope=service.build_season_scope(key.scope, season))
    row = (await app.store.get(Ratings).load_ratings([here])).get(here)
    if row is None:
        return None
    counted = await app.store.get(Ratings).count_ranks(here, row, service.ENOUGH_GAMES)
    rank = counted.before + 1 if row.games >= service.ENOUGH_GAMES else None
    return SeasonSoFar(season, row, rank, counted.enough)
