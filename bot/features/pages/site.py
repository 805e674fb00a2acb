"""What the pages of one server are made of, read from the store."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from bot.features.contests.store import Contests
from bot.features.contests.tables import Contest, ContestView
from bot.features.history.past_matches import PastMatch
from bot.features.history.store import MatchSearch, PastMatches
from bot.features.ladders.store import Ladders
from bot.features.ladders.tables import LadderView
from bot.features.matches.store import Matches
from bot.features.pages.folder import WrittenPages
from bot.features.pages.page_texts import format_hidden_name
from bot.features.ratings import service
from bot.features.ratings.leaderboards import LeaderboardEntry, load_seasons
from bot.features.ratings.store import Ratings
from bot.platform.context import App, find_closed_channels
from bot.platform.db.rows import PersonNames
from bot.platform.i18n.reader import Reader
from bot.platform.people import distinguish_names
from engine.games import find_game
from engine.refusal import Refusal
from render.scene import View

MAX_ENTRIES = 100
"""People on a leaderboard's page."""
MAX_CONTESTS = 50
"""Leagues and tournaments of a server, the latest."""
MAX_LADDERS = 25
MAX_MATCHES = 500
"""Finished matches of a server, the newest."""


@dataclass(frozen=True, slots=True)
class PublicServer:
    """A server as its pages know it: its name, who reads them, and how its boards are drawn.

    While it is out of reach nobody knows who sees its channels; `written` are its pages then.
    """

    id: int
    name: str
    say: Reader
    view: View
    written: WrittenPages | None = None


@dataclass(frozen=True, slots=True)
class BoardTable:
    """Those with most rating on a leaderboard, of a season or of all time."""

    season: service.Season | None
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


@dataclass(frozen=True, slots=True)
class _ChosenPages:
    """The numbers of the matches, contests and ladders that are shown, the newest first."""

    matches: Sequence[int]
    contests: Sequence[int]
    ladders: Sequence[int]


async def _choose_pages(app: App, server: PublicServer) -> _ChosenPages:
    """Return what is shown: only what all members of the server see there.

    Of a server out of reach that is what has been shown.
    """
    store, guild, written = app.store, server.id, server.written
    search = MatchSearch(guild=guild)
    contests = await store.get(Contests).load_latest(guild, MAX_CONTESTS)
    ladders = await store.get(Ladders).load_latest(guild, MAX_LADDERS)
    past_matches = store.get(PastMatches)
    if written is not None:
        numbers = await past_matches.load_numbers(search, 0, MAX_MATCHES)
        return _ChosenPages(
            [each for each in numbers if each in written.matches],
            [each.id for each in contests if each.id in written.contests],
            [each.id for each in ladders if each.id in written.ladders],
        )
    channels = {
        *await past_matches.load_channels(search),
        *(each.channel for each in contests),
        *(each.channel for each in ladders),
    }
    hidden = await find_closed_channels(app, guild, channels)
    return _ChosenPages(
        await past_matches.load_numbers(replace(search, hidden=hidden), 0, MAX_MATCHES),
        [each.id for each in contests if each.channel not in hidden],
        [each.id for each in ladders if each.channel not in hidden],
    )


async def load_site(app: App, server: PublicServer) -> ServerSite:
    """Return what a server's pages show now."""
    store, guild = app.store, server.id
    hidden = await store.preferences.find_hidden_people()
    boards = await _load_boards(app, guild)
    numbers = await _choose_pages(app, server)
    contests = [await store.get(Contests).load_view(each) for each in numbers.contests]
    ladders = [await store.get(Ladders).load_view(each) for each in numbers.ladders]
    matches = [PastMatch(row) for row in await store.get(Matches).load_rows(numbers.matches)]
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
    if person in hidden:
        return PersonNames(format_hidden_name(say))
    return PersonNames(say.name_person(person, names.name), names.account)


async def _load_boards(app: App, guild: int) -> tuple[PublicBoard, ...]:
    scope = service.build_server_scope(guild)
    seasons = [service.find_season(app.clock()), *await load_seasons(app, scope)]
    boards = []
    for pool in await app.store.get(Ratings).load_pools(scope):
        tables = [
            BoardTable(each, await _load_entries(app, scope, pool, each))
            for each in (None, *seasons)
        ]
        boards.append(PublicBoard(pool, tuple(table for table in tables if table.entries)))
    return tuple(boards)


async def _load_entries(
    app: App, scope: str, pool: str, season: service.Season | None
) -> tuple[LeaderboardEntry, ...]:
    ratings, named = app.store.get(Ratings), service.build_season_scope(scope, season)
    ranked = await ratings.load_board(named, pool, games=service.ENOUGH_GAMES, most=MAX_ENTRIES)
    rest = MAX_ENTRIES - len(ranked)
    placed = (
        await ratings.load_board(named, pool, fewer=service.ENOUGH_GAMES, most=rest) if rest else []
    )
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
