"""What a bot does with a database that was put back from a backup, of either kind."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.client import Tabula
from bot.features.challenges.store import Challenges
from bot.features.matches.store import Matches
from bot.features.privacy.deletion_log import DeletionLog
from bot.ops.checked_backups import restore_backup
from bot.platform.db.backups import back_up_database
from bot.platform.db.store import Generation, Lineage, Store
from bot.platform.ui.controls import parse_control_id
from tests.store.conftest import DATABASES
from tests.store.test_privacy import dump_values, find_traces
from tests.support.club import SeededEntropy, SimulatedClub, open_club, poll_rarely
from tests.support.driver import (
    extract_text,
    get_newest_message,
    list_control_ids,
    start_match,
    take_next_action,
)
from tests.support.panels import ask_deletion
from tests.support.postgresql import PostgreSQLServer


@pytest.fixture(params=DATABASES)
def empty(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Where an empty database is, of each kind."""
    if request.param == "sqlite":
        return str(tmp_path / "club.db")
    poll_rarely(monkeypatch)
    server: PostgreSQLServer = request.getfixturevalue("server")
    return server.create_database()


@asynccontextmanager
async def restart_from_backup(
    club: SimulatedClub, where: str, copy: Path, deletions: Sequence[Path] = ()
) -> AsyncIterator[None]:
    """End the bot of a club, put a backup back, and let another bot find it there."""
    await club.bot.close()
    await club.store.close()
    await restore_backup(copy, where, club.hands, replace=True, unsound=False, deletions=deletions)
    async with await Store.open(where) as store:
        bot = Tabula(store, clock=club.hands, entropy=SeededEntropy())
        await club.env.restart_bot(bot)
        club.bot, club.store = bot, store
        await club.advance_clock(0)
        yield
        await bot.close()


@pytest.mark.asyncio
@pytest.mark.sweep
async def test_each_restore_begins_a_generation(empty: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    async with open_club(empty) as club:
        await start_match(club, "zeno")
        assert {
            parse_control_id(each).mark for each in list_control_ids(get_newest_message(club))
        } == {""}
        await back_up_database(empty, copy)
        await take_next_action(club)
        await take_next_action(club)
        marks = [""]
        for _ in range(2):
            async with restart_from_backup(club, empty, copy):
                message = get_newest_message(club)
                assert "I was restored from a backup" in extract_text(message)
                row = await club.store.get(Matches).load_row(1)
                assert row is not None
                assert (row.message, row.shown) == (message.id, row.version)
                (mark,) = {parse_control_id(each).mark for each in list_control_ids(message)}
                assert mark not in marks
                marks.append(mark)
                # The copy knows nothing of the restore before.
                assert [each.mark for each in await club.store.generations.load()] == [mark]
                assert await club.store.generations.load_copy_instant() is None


@pytest.mark.asyncio
@pytest.mark.sweep
async def test_a_backup_of_a_restored_database_knows_both_generations(
    empty: str, tmp_path: Path
) -> None:
    async with open_club(empty) as club:
        await start_match(club, "zeno")
        generations: Sequence[Generation] = ()
        for name in ("first.db", "second.db"):
            await back_up_database(empty, tmp_path / name)
            async with restart_from_backup(club, empty, tmp_path / name):
                generations = await club.store.generations.load()
    first, second = generations
    assert first.mark != second.mark
    assert first.began < second.began


LINEAGE = Lineage((Generation("a1", 100), Generation("b2", 200)))


@pytest.mark.parametrize(
    ("mark", "posted", "lost"),
    [
        ("", 100, False),
        ("", 101, True),
        ("a1", 200, False),
        ("a1", 201, True),
        ("b2", 900, False),
        ("c3", 1, True),
    ],
)
def test_what_is_lost_follows_from_mark_and_instant(mark: str, posted: int, lost: bool) -> None:
    assert LINEAGE.mark == "b2"
    assert LINEAGE.is_lost(mark, posted) is lost


def test_a_database_that_was_never_restored_has_no_mark() -> None:
    assert Lineage().mark == ""
    assert not Lineage().is_lost("", 1_800_000_000_000)


@pytest.mark.asyncio
async def test_who_was_deleted_after_the_backup_plays_no_more(empty: str, tmp_path: Path) -> None:
    copy, log = tmp_path / "copy.db", tmp_path / "tabula.deletions"
    word = "my granny's goose"
    async with open_club(empty) as club:
        club.bot.app.set_part(DeletionLog, DeletionLog((log,)))
        await start_match(club, "twelve-dogs", word=word)
        while await take_next_action(club):
            pass
        await start_match(club, "zeno", word=word)
        for _ in range(6):
            await take_next_action(club)
        await club.ana.slash(club.channel, "challenge", game="zeno")
        await back_up_database(empty, copy)
        message = await ask_deletion(club.ana, club.channel)
        await club.ana.click(message, label="Delete my data")
        await club.advance_clock(0)
        before = await club.store.get(Matches).load_row(1)
        assert before is not None
        ended = [(1, before.how), (2, "resigned")]
        traces = (str(club.ana.id), word, '"Ana"')
        assert find_traces(await dump_values(club.store), *traces) == set()
        async with restart_from_backup(club, empty, copy, [log]):
            assert find_traces(await dump_values(club.store), *traces) == set()
            over = await club.store.get(Matches).load_ended_by_person(club.ben.id, 9)
            assert sorted((row.id, row.how) for row in over) == ended
            challenge = await club.store.get(Challenges).load_challenge(3)
            assert challenge is not None
            assert challenge.state == "withdrawn"
            assert all(row.proof_throws for row in over)
            assert "resigned" in extract_text(get_newest_message(club))
