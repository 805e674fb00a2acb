"""Ratings: one row for each board and person."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, fields, replace
from itertools import chain
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.sql.elements import ColumnElement

from bot.features.matches.rows import (
    EndingUpdate,
    Leaderboard,
    MatchUpdate,
    Rate,
    RatingChange,
    RatingKey,
    RatingRow,
    build_change,
    build_change_with_side,
)
from bot.features.matches.store import END_WRITERS
from bot.features.matches.tables import SIGHT_CHANNEL, is_in_sight, matches, rating_changes
from bot.features.ratings import tables
from bot.features.ratings.service import carry_over, list_earlier_boards
from bot.features.ratings.store import inspection, rerating
from bot.platform.db.database import StorePart, lock_people, upsert_rows
from bot.platform.db.preferences import select_people_everywhere
from bot.platform.db.tables import people

_KEY = [tables.ratings.c[name] for name in RatingKey._fields]
_COLUMNS = [tables.ratings.c[field.name] for field in fields(RatingRow)]


class RankCounts(NamedTuple):
    """How many on a board have enough games for a rank, how many fewer, and how many rank higher.

    `before` counts those who are ranked before somebody.
    """

    enough: int
    fewer: int
    before: int


class WrongRatings(NamedTuple):
    """Ratings that their matches do not lead to, and matches that were limited wrongly."""

    keys: Sequence[RatingKey]
    limits: Sequence[tuple[int, Leaderboard]]


class Ratings(StorePart):
    """Ratings by board."""

    async def load_board(
        self,
        scope: str,
        pool: str,
        *,
        games: int = 0,
        fewer: int | None = None,
        first: int = 0,
        most: int | None = None,
        chosen_or: Collection[int] | None = None,
    ) -> list[tuple[int, RatingRow]]:
        """Return the people on a board with a number of games, the best by what is certain first.

        They have `games` at least, and `fewer` than that. `most` limits the people, from the place
        `first` on, which counts from 0. With `chosen_or` they are those who chose to be shown to
        people of all servers, or one of these.
        """
        here = (
            tables.ratings.c.scope == scope,
            tables.ratings.c.pool == pool,
            tables.ratings.c.games >= games,
        )
        # Where few chose it each of them is looked up and sorted; by the same expression as in the
        # index, everybody on the board would be read in its order until enough are found.
        strength = tables.STRENGTH if chosen_or is None else tables.STRENGTH + 0
        query = (
            sa.select(tables.ratings.c.person, *_COLUMNS)
            .where(*here, *_choose_people(chosen_or))
            .order_by(strength.desc(), tables.ratings.c.person)
            .offset(first)
            .limit(most)
        )
        rows = await self._load_rows(
            query if fewer is None else query.where(tables.ratings.c.games < fewer)
        )
        return [(row[0], RatingRow(*row[1:])) for row in rows]

    async def find_used_scopes(self, scopes: Sequence[str]) -> set[str]:
        """Return which of some scopes have any rating."""
        # Each by itself, so that the database looks for one row of each and no more.
        used = [
            sa.select(sa.literal(scope)).where(sa.exists().where(tables.ratings.c.scope == scope))
            for scope in scopes
        ]
        return set(
            await self._database.read(
                lambda connection: connection.execute(sa.union_all(*used)).scalars().all()
            )
        )

    async def load_pools(self, scope: str) -> list[str]:
        """Return the pools in which anybody has a rating in a scope, in their order."""
        query = (
            sa.select(tables.ratings.c.pool)
            .where(tables.ratings.c.scope == scope)
            .distinct()
            .order_by(tables.ratings.c.pool)
        )
        return await self._load_column(query)

    async def count_ranks(
        self,
        key: RatingKey,
        own: RatingRow | None,
        games: int,
        chosen_or: Collection[int] | None = None,
    ) -> RankCounts:
        """Return how many are on somebody's board, and before them if they are there themselves.

        With `chosen_or` those count who chose to be shown to people of all servers, or are of them.
        """
        # The whole board is counted, in its stored order: looking up the rows before theirs takes
        # longer.
        enough = tables.ratings.c.games >= games
        before: ColumnElement[bool] = sa.false()
        if own is not None:
            # The same expression as in the index, so that equal people compare as equal.
            strength = own.mu - 3 * own.sigma
            as_strong = sa.and_(strength <= tables.STRENGTH, tables.ratings.c.person < key.person)
            before = sa.and_(enough, sa.or_(strength < tables.STRENGTH, as_strong))
        counts = [sa.func.count().filter(which) for which in (enough, sa.not_(enough), before)]
        here = tables.on_board(tables.ratings, key.board), *_choose_people(chosen_or)
        (row,) = await self._load_rows(sa.select(*counts).where(*here))
        return RankCounts._make(row)

    async def load_by_person(self, scope: str, person: int) -> list[tuple[str, RatingRow]]:
        """Return a person's ratings in a scope, by pool."""
        query = sa.select(tables.ratings.c.pool, *_COLUMNS).where(
            tables.ratings.c.scope == scope, tables.ratings.c.person == person
        )
        rows = await self._load_rows(query)
        return [(row[0], RatingRow(*row[1:])) for row in rows]

    async def load_progress(self, scope: str, pool: str, person: int) -> list[tuple[float, float]]:
        """Return a person's mean and uncertainty after each of their matches, oldest first."""
        changes = rating_changes.c
        query = (
            sa.select(changes.after_mu, changes.after_sigma)
            .join(matches)
            .where(changes.scope == scope, changes.pool == pool, changes.person == person)
            .order_by(matches.c.ended, matches.c.id)
        )
        rows = await self._load_rows(query)
        return [(row[0], row[1]) for row in rows]

    async def load_changes(self, match: int) -> tuple[RatingChange, ...]:
        """Return what a match did to the ratings; empty if it was not rated."""
        query = sa.select(rating_changes).where(rating_changes.c.match == match)
        rows = await self._load_rows(query)
        return tuple(build_change(row._asdict()) for row in rows)

    async def load_channels(self, scope: str, pools: Collection[str], person: int) -> list[int]:
        """Return the channels that decide who sees somebody's rated matches in some pools."""
        change = rating_changes.c
        mine = (change.scope == scope, change.pool.in_(pools), change.person == person)
        query = (
            sa.select(SIGHT_CHANNEL)
            .select_from(rating_changes)
            .join(matches)
            .where(*mine)
            .distinct()
        )
        return await self._load_column(query)

    async def load_latest_changes(
        self,
        scope: str,
        pools: Collection[str],
        person: int,
        *,
        hidden: Collection[int] = (),
        reader: int | None = None,
    ) -> tables.BoardChanges | None:
        """Return what the last match of somebody in any of some pools did to ratings in its own.

        None if they have played none. Those in `hidden` channels are left out, except the reader's.
        """
        change = rating_changes.c
        mine = (
            change.scope == scope,
            change.pool.in_(pools),
            change.person == person,
            is_in_sight(hidden, reader),
        )
        latest = (
            sa.select(change.match, change.pool)
            .join(matches)
            .where(*mine)
            .order_by(matches.c.ended.desc(), matches.c.id.desc())
            .limit(1)
            .subquery()
        )
        same = sa.and_(change.match == latest.c.match, change.pool == latest.c.pool)
        query = (
            sa.select(rating_changes)
            .join(latest, same)
            .where(change.scope == scope)
            .order_by(change.person)
        )
        rows = [row._asdict() for row in await self._load_rows(query)]
        if not rows:
            return None
        return tables.BoardChanges(rows[0]["match"], tuple(map(build_change_with_side, rows)))

    async def load_ratings(self, keys: Sequence[RatingKey]) -> dict[RatingKey, RatingRow]:
        """Return the ratings that exist."""
        return await self._database.read(lambda connection: _load_ratings(connection, keys))

    async def rerate_after(
        self, match: int, boards: Iterable[Leaderboard], rerate: tables.Rerate, until: int
    ) -> None:
        """Rate again, on some boards, all matches that ended after one that was annulled.

        It takes many short transactions, and all that ended by `until` must have been stored.
        """
        for board in boards:
            await rerating.rerate_after(self._database, board, match, rerate, until)

    async def rerate_boards(
        self,
        boards: Collection[Leaderboard],
        results: Sequence[tables.Result],
        rerate: tables.Rerate,
    ) -> None:
        """Replace all that boards hold by what the results of their matches come to."""
        await self._database.write(
            lambda connection: rerating.rerate_boards(connection, boards, results, rerate)
        )

    async def find_wrong_ratings(
        self, rating_anew: str, boards: inspection.BoardsOf
    ) -> WrongRatings:
        """Return the ratings that differ from what people's matches made of them.

        They differ in results, mean or uncertainty. A job of the kind `rating_anew`, whose key is a
        match, is still to correct mean and uncertainty on the boards of that match: until then only
        the results are judged there. A job that was given up is itself what is wrong.
        """

        def work(connection: sa.Connection) -> WrongRatings:
            unsettled = inspection.find_unsettled_boards(connection, rating_anew, boards)
            return WrongRatings(
                list(inspection.find_wrong_ratings(connection, unsettled)),
                list(inspection.find_wrong_limits(connection, unsettled)),
            )

        # At one moment: a match that ends between two queries would look like an inconsistency.
        async with self._database.open_read_transaction() as moment:
            return await moment.run_sync(work)


def _choose_people(chosen_or: Collection[int] | None) -> Sequence[ColumnElement[bool]]:
    """Return the condition for those who chose to be shown in all servers, or for these."""
    if chosen_or is None:
        return ()
    # One list, by which each is looked up; two conditions would be tried on everybody.
    others = sa.select(people.c.id).where(people.c.id.in_(chosen_or))
    return (tables.ratings.c.person.in_(select_people_everywhere().union_all(others)),)


@END_WRITERS.add(1)
def write_update(
    connection: sa.Connection, match: int, step: MatchUpdate, winner_before: str | None
) -> None:
    """Write what an action does to ratings: a match's end rates, and its annulment takes back."""
    if winner_before:
        rerating.remove_match(connection, match, winner_before)
    if step.ending and step.ending.rate:
        _write_ratings(connection, match, step.ending, step.ending.rate)


def _write_ratings(connection: sa.Connection, match: int, ended: EndingUpdate, rate: Rate) -> None:
    # First this lock and then the rows of people: a transaction that rates again holds it alone,
    # and would otherwise wait for people whose holders wait for the lock.
    tables.lock_ratings_shared(connection)
    lock_people(connection, [key.person for key in ended.keys])
    # Read under the locks: of two matches that end at once the second starts from the first's
    # ratings.
    before = _load_ratings_before(connection, ended.keys)
    limited = _find_limited_boards(connection, match, ended)
    after = {
        key: _keep_skill(row, before[key]) if key.board in limited else row
        for key, row in rate(before).items()
    }
    changes = tuple(RatingChange(key, before.get(key), row) for key, row in after.items())
    upsert_rows(
        connection, tables.ratings, [{**key._asdict(), **asdict(row)} for key, row in after.items()]
    )
    if changes:
        connection.execute(
            sa.insert(rating_changes),
            [
                tables.build_change_row(match, each, ended.sides[each.key.person], ended.day)
                for each in changes
            ],
        )


def _load_ratings_before(
    connection: sa.Connection, keys: Sequence[RatingKey]
) -> dict[RatingKey, RatingRow]:
    """Return the ratings from which a match starts, those carried over from earlier seasons too."""
    earlier = {
        key: {RatingKey(*board, key.person): board for board in list_earlier_boards(key.board)}
        for key in keys
    }
    wanted = [*keys, *chain.from_iterable(earlier.values())]
    found = _load_ratings(connection, wanted)
    before = {}
    for key, older in earlier.items():
        if key in found:
            before[key] = found[key]
        elif carried := carry_over(
            key.board, {board: found[each] for each, board in older.items() if each in found}
        ):
            before[key] = RatingRow(*carried, games=0, won=0, drawn=0, lost=0, updated=0)
    return before


def _keep_skill(row: RatingRow, before: RatingRow) -> RatingRow:
    """Return a row that counts a result and leaves the rating as it was."""
    return replace(row, mu=before.mu, sigma=before.sigma)


def _find_limited_boards(
    connection: sa.Connection, match: int, ended: EndingUpdate
) -> set[Leaderboard]:
    """Return the boards on which the people of a match have met as often that day as counts."""
    if ended.day is None:
        return set()
    boards = {key.board for key in ended.keys}
    change = rating_changes.c
    game = sa.select(matches.c.game).where(matches.c.id == match).scalar_subquery()
    query = (
        sa.select(change.scope, change.pool, change.match, change.person, change.side)
        .join(matches)
        .where(
            change.scope.in_({board.scope for board in boards}),
            change.pool.in_({board.pool for board in boards}),
            change.person.in_(ended.sides),
            change.day == ended.day,
            matches.c.game == game,
        )
    )
    # Those that ended later and were stored first count too: so never more move ratings than may.
    met: dict[Leaderboard, dict[int, dict[int, str]]] = {}
    for row in connection.execute(query):
        found = met.setdefault(Leaderboard(row.scope, row.pool), {})
        found.setdefault(row.match, {})[row.person] = row.side
    return {
        board
        for board, found in met.items()
        if tables.has_reached_limit(found.values(), ended.sides)
    }


def _load_ratings(
    connection: sa.Connection, keys: Sequence[RatingKey]
) -> dict[RatingKey, RatingRow]:
    if not keys:
        return {}
    # Asked for several keys as rows of values, SQLite would read all ratings there are. Column by
    # column more may be found, since not every board has each person among the keys.
    columns = zip(_KEY, map(set, zip(*keys, strict=True)), strict=True)
    query = sa.select(*_KEY, *_COLUMNS).where(*(column.in_(wanted) for column, wanted in columns))
    rows = connection.execute(query)
    found = {RatingKey(*row[: len(_KEY)]): RatingRow(*row[len(_KEY) :]) for row in rows}
    return {key: found[key] for key in keys if key in found}
