"""Matches that are rated as the bot rates them, and all that their ratings say."""

from functools import partial
from typing import Any

from sqlalchemy import Connection, select

from bot.features.matches.rows import EndingUpdate
from bot.features.matches.store import Matches
from bot.features.matches.tables import matches, rating_changes
from bot.features.ratings import service as ratings
from bot.features.ratings.store import Ratings
from bot.features.ratings.tables import Result, find_day
from bot.features.ratings.tables import ratings as table
from bot.platform.db.store import Store
from tests.support.stored import build_step, start_match

ANNULLED = EndingUpdate("draw", "annulled", annuls=True)


async def finish_match(
    store: Store,
    gold: int,
    black: int,
    ended: int,
    *,
    winner: str = "gold",
    game: str = "zeno",
    guild: int = 1,
) -> Result:
    """Play a rated match of two registered people that ends then."""
    result = await begin_match(store, gold, black, ended, winner=winner, game=game, guild=guild)
    await store_result(store, result)
    return result


async def begin_match(
    store: Store,
    gold: int,
    black: int,
    ended: int,
    *,
    winner: str = "gold",
    game: str = "zeno",
    guild: int = 1,
) -> Result:
    """Begin such a match, and return how it is to end."""
    number = await start_match(store, game=game, guild=guild)
    row = await store.get(Matches).load_row(number)
    assert row is not None
    people = {"gold": (gold,), "black": (black,)}
    boards = ratings.list_boards(row, ended)
    return Result(number, ended, winner, boards, people, find_day(ended))


async def store_result(store: Store, result: Result) -> None:
    """Let a running match end so."""
    rate = partial(ratings.rate_result, result)
    ending = EndingUpdate(
        result.winner, "off", rate, result.rating_keys, sides=result.sides, day=result.day
    )
    await store.get(Matches).apply_update(
        result.match, build_step(0, "end", now=result.ended, ending=ending)
    )


async def annul_match(store: Store, match: int, now: int) -> None:
    """Annul a match that is over, and rate again what it touched, as the job does."""
    await store.get(Matches).apply_update(match, build_step(1, "annul", ending=ANNULLED))
    row = await store.get(Matches).load_row(match)
    assert row is not None
    boards = ratings.list_boards_to_rerate(row, now)
    await store.get(Ratings).rerate_after(match, boards, ratings.compute_strengths, now)


async def repair_boards(store: Store, results: list[Result]) -> None:
    """Forget all ratings, and work them out from results."""

    def forget(connection: Connection) -> None:
        for each in (rating_changes, table):
            connection.execute(each.delete())

    await store._database.write(forget)  # noqa: SLF001
    boards = {board for result in results for board in result.boards}
    await store.get(Ratings).rerate_boards(boards, results, ratings.compute_strengths)


async def dump_ratings(store: Store) -> tuple[list[Any], list[Any]]:
    """All ratings there are, and all that changed them, in the order of the ends."""
    change = rating_changes.c
    columns = [column for column in change if column.name != "match"]
    changes = (
        select(matches.c.ended, *columns)
        .join(matches)
        .order_by(matches.c.ended, change.match, change.scope, change.pool, change.person)
    )

    def work(connection: Connection) -> tuple[list[Any], list[Any]]:
        rows = connection.execute(select(table).order_by(*table.primary_key.columns))
        return [tuple(row) for row in rows], [tuple(row) for row in connection.execute(changes)]

    return await store._database.read(work)  # noqa: SLF001
