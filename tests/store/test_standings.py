"""Leaderboards page by page, and where somebody stands.

The ranked come first, then those still being placed.
"""

import pytest
import pytest_asyncio
from sqlalchemy import Connection, delete, update

from bot.features.matches.rows import RatingKey, RatingRow
from bot.features.ratings import leaderboards as standings
from bot.features.ratings.leaderboards import PAGE, LeaderboardEntry
from bot.features.ratings.store import Ratings
from bot.features.ratings.tables import ratings
from bot.platform.context import App
from bot.platform.db.database import upsert_rows
from bot.platform.db.preferences import PlayerPreferences
from bot.platform.db.store import Store
from bot.platform.people import COMPUTERS
from tests.support.stored import NOW, register_people

pytestmark = pytest.mark.asyncio
SCOPE, POOL = "server:70", "zeno"
RANKED = 2 * PAGE + 3
PLACING = PAGE
ENOUGH, FEW = 5, 4
"""Games that give a rank, and games that do not yet."""


def _build_row(strength: float, games: int) -> RatingRow:
    return RatingRow(strength + 3, 1.0, games, games, 0, 0, NOW)


ROWS = {
    # The first are the strongest; two of them are as strong as each other.
    **{person: _build_row(50.0 - max(person, 2), ENOUGH) for person in range(1, RANKED + 1)},
    # Those still being placed are stronger than all of them, and still stand below.
    **{100 + person: _build_row(90.0 - person, FEW) for person in range(1, PLACING + 1)},
}
ORDER = [LeaderboardEntry(person, person, ROWS[person]) for person in range(1, RANKED + 1)]
ORDER += [
    LeaderboardEntry(None, 100 + person, ROWS[100 + person]) for person in range(1, PLACING + 1)
]


@pytest_asyncio.fixture
async def app(store: Store) -> App:
    """Return an app whose store has people on one board, and one of them on another as well."""
    await register_people(store, *ROWS)

    def work(connection: Connection) -> None:
        for pool, rows in ((POOL, ROWS), ("pyf", {1: ROWS[1]})):
            for person, row in rows.items():
                values = {name: getattr(row, name) for name in RatingRow.__slots__}
                upsert_rows(
                    connection,
                    ratings,
                    [{"scope": SCOPE, "pool": pool, "person": person, **values}],
                )

    await store._database.write(work)  # noqa: SLF001 - so many matches would take long
    return App(store, lambda: NOW, bytes)


async def test_every_page_follows_the_one_before(app: App) -> None:
    pages = [await standings.load_page(app, SCOPE, POOL, 1, number) for number in range(4)]
    assert [len(page.lines) for page in pages] == [PAGE, PAGE, PAGE, 3]
    assert [line for page in pages for line in page.lines] == ORDER
    assert {page.paging.pages for page in pages} == {4}


@pytest.mark.parametrize("person", [1, 2, RANKED, 101, 100 + PLACING])
async def test_whoever_asks_is_told_where_they_stand_on_any_page(app: App, person: int) -> None:
    own = next(line for line in ORDER if line.person == person)
    for number in range(4):
        assert (await standings.load_page(app, SCOPE, POOL, person, number)).mine == own


async def test_pages_that_are_not_there_are_the_last_and_the_first(app: App) -> None:
    assert (await standings.load_page(app, SCOPE, POOL, 1, 9)).paging.number == 3
    assert (await standings.load_page(app, SCOPE, POOL, 1, -1)).paging.number == 0


async def test_an_empty_board_has_one_page_without_anybody(app: App) -> None:
    page = await standings.load_page(app, SCOPE, "tabula", 1)
    assert (page.lines, page.mine, page.paging.pages) == ([], None, 1)
    assert (await standings.load_page(app, SCOPE, POOL, 999)).mine is None


async def test_several_ratings_are_asked_for_at_once(app: App) -> None:
    keys = [RatingKey(SCOPE, POOL, 1), RatingKey(SCOPE, "pyf", 1), RatingKey(SCOPE, "pyf", 2)]
    assert await app.store.get(Ratings).load_ratings(keys) == dict.fromkeys(keys[:2], ROWS[1])


async def test_the_pools_of_a_scope_are_listed_once_each(app: App) -> None:
    assert await app.store.get(Ratings).load_pools(SCOPE) == sorted({POOL, "pyf"})
    assert await app.store.get(Ratings).load_pools("elsewhere") == []


@pytest.mark.parametrize("scope", ["everywhere", "everywhere@2026-Q4"])
async def test_of_all_servers_only_those_are_ranked_who_chose_it(app: App, scope: str) -> None:
    def work(connection: Connection) -> None:
        connection.execute(update(ratings).values(scope=scope).where(ratings.c.scope == SCOPE))
        # Their ids are those of the computer's levels, which is asked nothing.
        connection.execute(delete(ratings).where(ratings.c.person.in_(COMPUTERS)))

    await app.store._database.write(work)  # noqa: SLF001 - so many matches would take long
    page = await standings.load_page(app, scope, POOL, 3)
    assert (page.lines, page.mine, page.paging.pages) == ([], None, 1)
    chosen = PlayerPreferences(everywhere=True)
    for person in (2, 5, 108):
        await app.store.preferences.save(person, chosen)
    # What somebody else has chosen is another matter.
    await app.store.preferences.save(4, PlayerPreferences(shares=True))
    page = await standings.load_page(app, scope, POOL, 5)
    assert [(line.rank, line.person) for line in page.lines] == [(1, 2), (2, 5), (None, 108)]
    assert page.mine == page.lines[1]
    assert (await standings.load_page(app, scope, POOL, 4)).mine is None
    await app.store.preferences.save(2, PlayerPreferences())
    page = await standings.load_page(app, scope, POOL, 5)
    assert [(line.rank, line.person) for line in page.lines] == [(1, 5), (None, 108)]


async def test_the_computer_is_asked_nothing(app: App) -> None:
    computer = next(iter(COMPUTERS))

    def work(connection: Connection) -> None:
        values = {name: getattr(ROWS[1], name) for name in RatingRow.__slots__}
        row = {"scope": "everywhere", "pool": POOL, "person": computer, **values}
        upsert_rows(connection, ratings, [row])

    await register_people(app.store, computer)
    await app.store._database.write(work)  # noqa: SLF001 - so many matches would take long
    page = await standings.load_page(app, "everywhere", POOL, 1)
    assert [line.person for line in page.lines] == [computer]
