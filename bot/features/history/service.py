"""Looking through finished matches: which of them somebody may see, page by page or in a file."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace

from bot.features.contests.store import Contests
from bot.features.contests.tables import Contest, ContestView
from bot.features.history.export import ExportFormat, MatchFile, write_contest_file
from bot.features.history.past_matches import Competitions, PastMatch
from bot.features.history.store import MatchSearch, PastMatches
from bot.features.ladders.store import Ladders
from bot.features.ladders.tables import Ladder
from bot.features.matches.loading import NoFinishedMatchError
from bot.features.matches.store import Matches
from bot.platform.context import NO_SERVER, App, find_hidden_channels
from bot.platform.i18n.common import Paging, find_page
from bot.platform.lines import Asker

PAGE = 10
"""Matches on a page."""
MAX_EXPORTED = 2_000
"""Matches in a file, the newest."""
BATCH = 100
"""Matches that are read and written to a file at once, so that nobody waits for a whole file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryView:
    """Who looks at which matches, and where.

    `person` is None for everyone in the `contest` or on the `ladder`; at most one is given.
    """

    reader: int
    guild: int
    person: int | None
    game: str = ""
    contest: Contest | None = None
    ladder: Ladder | None = None

    @property
    def search(self) -> MatchSearch:
        """What is looked for, in whatever channels.

        One's own matches are shown from everywhere, those of others in the server that they were
        played in. Direct messages have no server, so there others' are those with the reader.
        """
        search = MatchSearch(
            person=self.person,
            game=self.game,
            league=self.contest.id if self.contest else None,
            ladder=self.ladder.id if self.ladder else None,
        )
        if self.person == self.reader:
            return search
        if self.guild == NO_SERVER:
            return replace(search, witness=self.reader)
        return replace(search, guild=self.guild)

    @property
    def is_filtered(self) -> bool:
        """Whether more matches might be found with fewer options."""
        return bool(self.game) or self.is_of_competition

    @property
    def is_of_competition(self) -> bool:
        """Whether all the matches are those of one league, tournament or ladder."""
        return self.contest is not None or self.ladder is not None


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """One page of finished matches, the newest first, with what they were played in."""

    matches: Sequence[PastMatch]
    competitions: Competitions
    paging: Paging


@dataclass(frozen=True, slots=True)
class Export:
    """A file of matches: so many of the `count` that were found."""

    name: str
    content: bytes
    matches: int
    count: int


@dataclass(frozen=True, slots=True)
class ContestExport:
    """A file of a league's entrants, standings and pairings."""

    name: str
    content: bytes
    view: ContestView


async def _load_search(app: App, view: HistoryView) -> MatchSearch:
    """Return what is looked for: nothing that the reader may not see."""
    search = view.search
    if search.guild is None:
        return search
    channels = await app.store.get(PastMatches).load_channels(search)
    hidden = await find_hidden_channels(app, search.guild, channels, view.reader)
    return replace(search, hidden=hidden, reader=view.reader)


async def load_page(app: App, view: HistoryView, number: int) -> HistoryPage:
    """Return a page of matches; one past the end is the last."""
    store = app.store.get(PastMatches)
    search = await _load_search(app, view)
    paging = find_page(number, await store.count_matches(search), PAGE)
    found = await _load_matches(app, await store.load_numbers(search, paging.first, PAGE))
    return HistoryPage(found, await _load_competitions(app, found), paging)


async def export_matches(app: App, view: HistoryView, kind: ExportFormat) -> Export:
    """Return the newest matches in a file.

    Raises DeclinedError if there are none, or if somebody asks for too much.
    """
    store = app.store.get(PastMatches)
    search = await _load_search(app, view)
    count = await store.count_matches(search)
    numbers = await store.load_numbers(search, 0, MAX_EXPORTED)
    if not numbers:
        raise NoFinishedMatchError
    async with app.costly.hold(Asker(view.guild, view.reader)):
        file = MatchFile(kind, app.clock(), is_complete=count <= len(numbers))
        async for batch in _load_batches(app, numbers):
            await _write_batch(app, file, batch)
        content = await asyncio.to_thread(file.finish)
    return Export(f"matches.{kind}", content, len(numbers), count)


async def export_contest(app: App, view: ContestView, kind: ExportFormat) -> ContestExport:
    """Return a league or a tournament in a file."""
    names = await app.store.people.load_names([each.person for each in view.entrants])
    word = "tournament" if view.contest.is_tournament else "league"
    content = await asyncio.to_thread(write_contest_file, view, names, kind, app.clock())
    return ContestExport(f"{word}-{view.contest.id}.{kind}", content, view)


async def _load_batches(app: App, numbers: Sequence[int]) -> AsyncIterator[list[PastMatch]]:
    for at in range(0, len(numbers), BATCH):
        yield await _load_matches(app, numbers[at : at + BATCH])


async def _write_batch(app: App, file: MatchFile, batch: Sequence[PastMatch]) -> None:
    sat = {seat.person for each in batch for seat in (*each.row.seats, *each.row.seats_at(0))}
    names = await app.store.people.load_names(sat)
    competitions = await _load_competitions(app, batch)
    await asyncio.to_thread(file.add, batch, names, competitions)


async def _load_matches(app: App, numbers: Sequence[int]) -> list[PastMatch]:
    """Return the matches of those numbers, in their order, with the sides on which people sat."""
    rows = await app.store.get(Matches).load_rows(numbers)
    return [PastMatch(row) for row in rows]


async def _load_competitions(app: App, found: Sequence[PastMatch]) -> Competitions:
    leagues = {each.row.contest for each in found if each.row.contest is not None}
    ladders = {each.row.ladder for each in found if each.row.ladder is not None}
    return Competitions(
        await app.store.get(Contests).load_several(leagues) if leagues else {},
        await app.store.get(Ladders).load_several(ladders) if ladders else {},
    )
