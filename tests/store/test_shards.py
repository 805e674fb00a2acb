"""Which shard a server is of, and which shards a process serves."""

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import select

from bot.platform.db.engines import PATIENCE_S
from bot.platform.db.errors import StoreError
from bot.platform.db.migration import APPLICATION_ID
from bot.platform.db.preferences import servers
from bot.platform.db.rows import Outage, Pause
from bot.platform.db.shards import Shards, find_last_served
from bot.platform.db.store import Store
from tests.support.postgresql import PostgreSQLServer
from tests.support.stored import NOW

FIRST = 197038439483310086
"""An id whose instant is 46977624770: 2 of 16, 0 of 10."""


@pytest.mark.parametrize(
    ("text", "shards"),
    [
        ("0-3/16", Shards(0, 3, 16)),
        ("5/16", Shards(5, 5, 16)),
        ("0-0/1", Shards()),
        ("15-15/16", Shards(15, 15, 16)),
        (" 0-3/16 ", Shards(0, 3, 16)),
        ("\u0663/16", Shards(3, 3, 16)),
    ],
)
def test_shards_are_read_as_they_are_written(text: str, shards: Shards) -> None:
    assert Shards.parse(text) == shards
    assert Shards.parse(str(shards)) == shards


@pytest.mark.parametrize(
    "text",
    ["", "0-3", "3-0/16", "0-16/16", "16/16", "0/0", "-1/3", "a-b/c", "0-3 / 16", "0-3/16/2"],
)
def test_what_are_no_shards_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="shards"):
        Shards.parse(text)


def test_a_server_is_of_the_shard_that_discord_says() -> None:
    assert FIRST >> 22 == 46977624770
    assert Shards(0, 0, 10).get_shard(FIRST) == 0
    assert Shards(0, 15, 16).get_shard(FIRST) == 2
    assert Shards(0, 3, 16).has_server(FIRST)
    assert not Shards(3, 15, 16).has_server(FIRST)
    assert Shards(0, 1, 16).has_server(0)
    assert not Shards(1, 15, 16).has_server(0)


@pytest.mark.parametrize(
    ("served", "at"),
    [
        ({}, None),
        ({(3, 16): 50}, 50),
        # The servers of 3 of 16 were all of the only shard, or all of 1 of 2, but never of 0 of 2.
        ({(0, 1): 50}, 50),
        ({(1, 2): 50, (0, 2): 90}, 50),
        ({(0, 2): 90}, None),
        # Of 32 they were of the shards 3 and 19: served as long as both were.
        ({(3, 32): 50, (19, 32): 40, (4, 32): 30}, 40),
        # What was noted for another number of shards counts as long as nothing later was.
        ({(3, 16): 50, (0, 1): 90}, 90),
        ({(3, 16): 50, (0, 1): 10}, 50),
    ],
)
def test_when_a_shard_was_served_last(served: dict[tuple[int, int], int], at: int | None) -> None:
    assert find_last_served(served, 3, 16) == at


@pytest.mark.asyncio
async def test_the_database_counts_as_the_program_does(store: Store) -> None:
    shards = Shards(1, 2, 4)
    guilds = [FIRST + (number << 22) + number for number in range(9)] + [0, 1]
    for guild in guilds:
        await store.servers.update_settings(guild, lambda before: before)
    query = select(servers.c.guild).where(shards.build_server_filter(servers.c.guild))
    found = await store._database.read(  # noqa: SLF001
        lambda connection: connection.execute(query).scalars().all()
    )
    assert sorted(found) == sorted(guild for guild in guilds if shards.has_server(guild))
    assert len(found) == 5


@pytest.mark.asyncio
async def test_an_outage_bears_on_the_servers_of_its_shard(store: Store) -> None:
    await store.pauses.record_presence(
        [1, 2], 16, NOW, [Outage(2, 16, NOW - 9, NOW), Outage(1, 16, NOW - 9, NOW)]
    )
    await store.pauses.record_presence([0], 1, NOW + 1, [Outage(0, 1, NOW - 5, NOW)])
    everywhere = Pause(None, NOW - 5, NOW)
    assert await store.pauses.load_relevant([], NOW - 20, FIRST) == [
        Pause(None, NOW - 9, NOW),
        everywhere,
    ]
    assert await store.pauses.load_relevant([], NOW - 20, FIRST + (1 << 22)) == [everywhere]
    assert await store.pauses.load_last_served() == {(1, 16): NOW, (2, 16): NOW, (0, 1): NOW + 1}


@pytest.mark.asyncio
async def test_a_file_is_for_one_program_that_serves_all(path: Path) -> None:
    with pytest.raises(
        StoreError,
        match=r"is a file, which one program alone uses, .* `tabula move-to` carries a file over",
    ):
        await Store.open(path, shards=Shards(0, 3, 16))
    assert not path.exists()
    async with await Store.open(path, shards=Shards(0, 15, 16)) as store:
        await store.acquire_shards()


@pytest.mark.asyncio
async def test_nobody_serves_what_another_serves(
    server: PostgreSQLServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.platform.db.shards.LOOKS", 2)
    where = server.create_database()
    async with (
        await Store.open(where, shards=Shards(0, 3, 16)) as first,
        await Store.open(where, shards=Shards(4, 7, 16)) as beside,
    ):
        await first.acquire_shards()
        await beside.acquire_shards()
        await first.keep_shards()
        async with await Store.open(where, shards=Shards(3, 4, 16)) as late:
            with pytest.raises(
                StoreError, match=r"another Tabula serves some of the shards 3-4/16; stop that one"
            ):
                await late.acquire_shards()
        async with await Store.open(where, shards=Shards(20, 20, 32)) as otherwise:
            with pytest.raises(
                StoreError, match=r"another Tabula serves it with 16 shards in all, not 32"
            ):
                await otherwise.acquire_shards()
        await first.close()
        async with await Store.open(where, shards=Shards(0, 3, 16)) as after:
            await after.acquire_shards()


@pytest.mark.asyncio
async def test_a_hold_that_was_lost_is_taken_again(
    server: PostgreSQLServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.platform.db.shards.LOOKS", 2)
    where = server.create_database()
    name = where.rpartition("/")[2]
    cut = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
    async with await Store.open(where) as store, await Store.open(where) as rival:
        await store.acquire_shards()
        server.execute_sql(cut)
        await store.keep_shards()
        with pytest.raises(StoreError, match="another Tabula serves"):
            await rival.acquire_shards()
        server.execute_sql(cut)
        await rival.acquire_shards()
        with pytest.raises(StoreError, match="another Tabula serves"):
            await store.keep_shards()


@pytest.mark.asyncio
async def test_whoever_starts_while_another_brings_the_tables_up_waits_for_it(
    server: PostgreSQLServer,
) -> None:
    where = server.create_database()
    slow = f"SELECT pg_advisory_xact_lock({APPLICATION_ID}), pg_sleep({PATIENCE_S + 1})"
    other = asyncio.create_task(
        asyncio.to_thread(server.execute_sql, slow, where.rpartition("/")[2])
    )
    await asyncio.sleep(0.5)
    async with await Store.open(where) as store:
        assert await store.find_problems() == []
    await other
