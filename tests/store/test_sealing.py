"""Dice secrets are sealed while a match runs, if there is a key, and revealed when it is over."""

import base64
import re
from pathlib import Path

import pytest
from cryptography.fernet import Fernet
from sqlalchemy import Connection, select

from bot.features.challenges.store import Challenges
from bot.features.challenges.tables import challenges
from bot.features.matches.rows import EndingUpdate, Seat
from bot.features.matches.store import Matches
from bot.features.matches.tables import matches
from bot.features.preferences.store import Blocks
from bot.features.privacy.store import PersonalData
from bot.platform.db.errors import StoreError
from bot.platform.db.sealing import MARK_KEY, generate_seal_key
from bot.platform.db.store import Store
from tests.store.test_privacy import dump_values
from tests.support.stored import (
    ANA,
    BEN,
    LIMITS,
    NOW,
    build_challenge,
    build_step,
    register_people,
    start_match,
)

pytestmark = pytest.mark.asyncio
SECRET = bytes(range(32))
KEY, OTHER = (
    "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWY=",
    "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=",
)
OVER = EndingUpdate("gold", "race")


async def load_sealed_secrets(store: Store) -> list[bytes]:
    """What is kept of the secrets of all matches, then of all challenges."""

    def work(connection: Connection) -> list[bytes]:
        return [
            secret
            for table in (matches, challenges)
            for (secret,) in connection.execute(select(table.c.secret))
        ]

    return await store._database.read(work)  # noqa: SLF001


async def load_secret(store: Store, match: int) -> bytes:
    """A match's secret as those who throw see it."""
    row = await store.get(Matches).load_row(match)
    assert row is not None
    return row.secret


async def test_a_running_match_is_sealed_and_a_finished_one_is_not(where: str | Path) -> None:
    async with await Store.open(where, [KEY]) as store:
        match = await start_match(store)
        assert [Fernet(KEY).decrypt(each) for each in await load_sealed_secrets(store)] == [
            SECRET
        ] * 2
        assert await load_secret(store, match) == SECRET
        await store.get(Matches).apply_update(match, build_step(0, "end", ending=OVER))
        assert (await load_sealed_secrets(store))[0] == SECRET
        assert await load_secret(store, match) == SECRET


async def test_a_file_alone_tells_no_secret(path: Path) -> None:
    async with await Store.open(path, [KEY]) as store:
        await start_match(store)
    written = b"".join(each.read_bytes() for each in path.parent.iterdir() if each.is_file())
    assert SECRET not in written
    assert SECRET.hex().encode() not in written


@pytest.mark.parametrize(
    ("keys", "complaint"), [([], "give TABULA_SEAL the key"), ([OTHER], "sealed with another key")]
)
async def test_without_the_key_nothing_is_opened(
    where: str | Path, keys: list[str], complaint: str
) -> None:
    async with await Store.open(where, [KEY]) as store:
        match = await start_match(store)
    with pytest.raises(StoreError, match=complaint):
        await Store.open(where, keys)
    async with await Store.open(where, [KEY]) as store:
        assert await load_secret(store, match) == SECRET


async def test_what_is_over_needs_no_key(where: str | Path) -> None:
    async with await Store.open(where, [KEY]) as store:
        match = await start_match(store)
        await store.get(Matches).apply_update(match, build_step(0, "end", ending=OVER))
    async with await Store.open(where) as store:
        assert await load_secret(store, match) == SECRET


async def test_a_key_that_is_given_later_seals_what_runs_and_what_is_offered(
    where: str | Path,
) -> None:
    async with await Store.open(where) as store:
        match = await start_match(store)
        await store.get(Challenges).create(build_challenge(), Seat("gold", 0, ANA, "ana's"), LIMITS)
        assert await load_sealed_secrets(store) == [SECRET] * 3
    async with await Store.open(where, [KEY]) as store:
        assert [Fernet(KEY).decrypt(each) for each in await load_sealed_secrets(store)] == [
            SECRET
        ] * 3
        assert await load_secret(store, match) == SECRET


async def test_a_key_is_changed(where: str | Path) -> None:
    async with await Store.open(where, [KEY]) as store:
        match = await start_match(store)
    async with await Store.open(where, [OTHER, KEY]) as store:
        before = await load_sealed_secrets(store)
        assert [Fernet(OTHER).decrypt(each) for each in before] == [SECRET] * 2
    async with await Store.open(where, [OTHER]) as store:
        assert await load_secret(store, match) == SECRET
        # What is sealed already is left as it is.
        assert await load_sealed_secrets(store) == before


async def test_an_offer_that_was_sealed_begins_a_match(where: str | Path) -> None:
    async with await Store.open(where, [KEY]) as store:
        await register_people(store, ANA, BEN)
        offered = await store.get(Challenges).create(
            build_challenge(), Seat("gold", 0, ANA, "ana's"), LIMITS
        )
        assert offered.challenge.secret == SECRET
    async with await Store.open(where, [KEY]) as store:
        result = await store.get(Challenges).join(
            offered.challenge.id, Seat("black", 0, BEN, "ben's"), 1, NOW + 1, LIMITS
        )
        assert result.match is not None
        assert await load_secret(store, result.match) == SECRET


async def test_what_is_no_key_is_told(where: str | Path) -> None:
    with pytest.raises(StoreError, match="TABULA_SEAL is no key"):
        await Store.open(where, ["hunter2"])
    async with await Store.open(where, [generate_seal_key()]) as store:
        await start_match(store)


async def keep_out(store: Store) -> None:
    """Let Ana have blocked Ben, who has his data deleted."""
    await register_people(store, ANA, BEN)
    await store.get(Blocks).add(ANA, BEN)
    await store.get(PersonalData).erase(BEN, NOW, lambda _: [])


async def load_mark_key(store: Store) -> bytes:
    """What is kept of the key by which people are recognised."""
    kept = await store.metadata.load_value(MARK_KEY)
    assert kept is not None
    return base64.b64decode(kept)


async def test_the_key_of_marks_is_sealed_and_follows_the_seal(where: str | Path) -> None:
    async with await Store.open(where) as store:
        await keep_out(store)
        key = await load_mark_key(store)
        assert len(key) == 32
    # A key that is given later seals it, and another one seals it anew; the marks stay the same.
    for keys in ([KEY], [OTHER, KEY], [OTHER]):
        async with await Store.open(where, keys) as store:
            assert Fernet(keys[0]).decrypt(await load_mark_key(store)) == key
            assert await store.get(Blocks).load_between(BEN, [ANA]) == [(ANA, BEN)]
    for keys in ([], [KEY]):
        with pytest.raises(StoreError, match="give TABULA_SEAL the key that sealed it"):
            await Store.open(where, keys)


async def test_a_mark_is_of_one_database_alone(where: str | Path, path: Path) -> None:
    marks = []
    for each in (where, path.with_name("other.db")):
        async with await Store.open(each) as store:
            await keep_out(store)
            marks.append((await dump_values(store))["exclusions.mark"])
            assert re.fullmatch(r'"[0-9a-f]{64}"', marks[-1][0])
    assert marks[0] != marks[1]
