"""What the pages of one server are made of, read from the store."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from bot.features.contests.rows import Contest, ContestView
from bot.features.history.results import PastMatch
from bot.features.history.rows import MatchSearch
from bot.features.ladders.rows import LadderView
from bot.features.pages.page_texts import format_hidden_name
from bot.features.ratings.seasons import Season, find_season, make_season_scope
from bot.features.ratings.service import ENOUGH_GAMES, make_server_scope
from bot.features.ratings.standings import LeaderboardEntry, load_seasons
from bot.platform.context import App
from bot.platform.i18n.reader import Reader
from bot.platform.people import distinguish_names
from bot.store import PersonNames
from engine.games import find_game
from engine.refusal import Refusal
from render.scene import View

MOST_ENTRIES = 100
"""People on a leaderboard's page."""
MOST_CONTESTS = 50
"""Leagues and tournaments of a server, the latest."""
MOST_LADDERS = 25
MOST_MATCHES = 500
"""Finished matches of a server, the newest."""


@dataclass(frozen=True, slots=True)
class PublicServer:
    """A server as its pages know it: its name, who reads them, and how its boards are drawn."""

    id: int
    name: str
    say: Reader
    view: View


@dataclass(frozen=True, slots=True)
class BoardTable:
    """Those with most rating on a leaderboard, of a season or of all time."""

    season: Season | None
    entries: tuple[LeaderboardEntry, ...]


@dataclass(frozen=True, slots=True)
class PublicBoard:
    """The leaderboards of one pool: of all time, then of the seasons in which anybody has played.

    The latest season comes first; they go back as far as `/leaderboard` offers them.
    """

    pool: str
    tables: tuple[BoardTable, ...]


@dataclass(frozen=True)
class ServerSite:
    """All that a server's pages show; those who don't want to be named have another name here."""

    server: PublicServer
    boards: tuple[PublicBoard, ...]
    contests: tuple[ContestView, ...]
    ladders: tuple[LadderView, ...]
    matches: tuple[PastMatch, ...]
    people: Mapping[int, PersonNames]
    hidden: frozenset[int]

    @cached_property
    def names(self) -> Mapping[int, str]:
        """What to call everybody, no two alike but for those who are called a player."""
        return distinguish_names(self.people)

    @cached_property
    def contests_by_number(self) -> Mapping[int, Contest]:
        """The contests that have a page."""
        return {view.contest.id: view.contest for view in self.contests}


async def load_site(app: App, server: PublicServer) -> ServerSite:
    """Return what a server's pages show now."""
    store, guild = app.store, server.id
    hidden = await store.preferences.find_hidden_people()
    boards = await _load_boards(app, guild)
    found = await store.contests.load_latest(guild, MOST_CONTESTS)
    contests = [await store.contests.load_view(each.id) for each in found]
    ladders = [
        await store.ladders.load_view(each.id)
        for each in await store.ladders.load_latest(guild, MOST_LADDERS)
    ]
    numbers = await store.past_matches.load_numbers(MatchSearch(guild=guild), 0, MOST_MATCHES)
    matches = [PastMatch(row) for row in await store.matches.load_rows(numbers)]
    site = ServerSite(
        server,
        boards,
        tuple(filter(None, contests)),
        tuple(filter(None, ladders)),
        tuple(each for each in matches if _has_known_rules(each)),
        {},
        hidden,
    )
    people = await store.people.load_names(frozenset(_walk_people(site)))
    shown = {person: hide_name(server.say, person, each, hidden) for person, each in people.items()}
    return ServerSite(server, site.boards, site.contests, site.ladders, site.matches, shown, hidden)


def hide_name(say: Reader, person: int, names: PersonNames, hidden: frozenset[int]) -> PersonNames:
    """Return what pages call somebody."""
    return PersonNames(format_hidden_name(say)) if person in hidden else names


async def _load_boards(app: App, guild: int) -> tuple[PublicBoard, ...]:
    scope = make_server_scope(guild)
    seasons = [find_season(app.clock()), *await load_seasons(app, scope)]
    boards = []
    for pool in await app.store.ratings.load_pools(scope):
        tables = [
            BoardTable(each, await _load_entries(app, scope, pool, each))
            for each in (None, *seasons)
        ]
        boards.append(PublicBoard(pool, tuple(table for table in tables if table.entries)))
    return tuple(boards)


async def _load_entries(
    app: App, scope: str, pool: str, season: Season | None
) -> tuple[LeaderboardEntry, ...]:
    ratings, named = app.store.ratings, make_season_scope(scope, season)
    ranked = await ratings.load_board(named, pool, games=ENOUGH_GAMES, most=MOST_ENTRIES)
    rest = MOST_ENTRIES - len(ranked)
    placed = await ratings.load_board(named, pool, fewer=ENOUGH_GAMES, most=rest) if rest else []
    return (
        *(LeaderboardEntry(rank, person, row) for rank, (person, row) in enumerate(ranked, 1)),
        *(LeaderboardEntry(None, person, row) for person, row in placed),
    )


def _has_known_rules(match: PastMatch) -> bool:
    """Whether this program knows the rules by which a match was played."""
    try:
        find_game(match.row.game, match.row.edition)
    except Refusal:
        return False
    return True


def _walk_people(site: ServerSite) -> Iterable[int]:
    for board in site.boards:
        for table in board.tables:
            yield from (each.person for each in table.entries)
    for view in site.contests:
        yield from (each.person for each in view.entrants)
    for ladder in site.ladders:
        yield from ladder.people
        for challenge in ladder.challenges:
            yield from challenge.people
    for match in site.matches:
        yield from (seat.person for seat in match.row.seats)
        yield from (former.person for former in match.row.former)
