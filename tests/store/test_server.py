"""What only a server brings: other programs at the same database, and connections that break."""

import asyncio
import re

import pytest
from sqlalchemy import Connection, event, make_url
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.features.matches.store import Matches
from bot.platform.db import engines
from bot.platform.db.address import format_address, parse_address
from bot.platform.db.errors import SaveOutcome, StoreError
from bot.platform.db.store import Store
from tests.store.test_opening import find_refusal
from tests.support import stored
from tests.support.postgresql import PostgreSQLServer

pytestmark = pytest.mark.asyncio


@pytest.fixture
def where(server: PostgreSQLServer) -> str:
    """Where the database is: here always on the server."""
    return server.create_database()


def get_database_name(where: str) -> str:
    """The name of the database."""
    return make_url(where).database or ""


async def test_many_open_a_new_database_at_once(where: str) -> None:
    stores = await asyncio.gather(*(Store.open(where) for _ in range(4)))
    for store in stores:
        assert await store.find_problems() == []
        await store.close()


async def test_what_one_program_saves_another_reads(store: Store, rival: Store) -> None:
    match = await stored.start_match(store)
    await rival.get(Matches).apply_update(match, stored.build_step(0, "roll"))
    row = await store.get(Matches).load_row(match)
    assert row is not None
    assert row.version == 1


async def test_a_connection_that_the_server_cut_is_made_anew(
    server: PostgreSQLServer, store: Store
) -> None:
    match = await stored.start_match(store)
    matches = store.get(Matches)
    await matches.load_row(match)
    for version in range(3):
        server.execute_sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE application_name <> 'psql'"
        )
        assert await stored.load_display_names(store.people, [stored.ANA])
        await matches.apply_update(match, stored.build_step(version, f"action {version}"))
    assert len(await matches.load_events(match)) == 3


async def test_a_connection_that_breaks_while_it_saves_is_not_said_to_have_saved_nothing(
    server: PostgreSQLServer, store: Store
) -> None:
    match = await stored.start_match(store)
    writer = store._database._writer.sync_engine  # noqa: SLF001

    def cut(_: Connection) -> None:
        server.execute_sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE application_name <> 'psql'"
        )

    event.listen(writer, "commit", cut)
    with pytest.raises(StoreError) as error:
        await store.get(Matches).apply_update(match, stored.build_step(0, "roll"))
    event.remove(writer, "commit", cut)
    assert error.value.saved is SaveOutcome.UNKNOWN
    assert (await store.get(Matches).apply_update(match, stored.build_step(0, "roll"))).version == 1


async def test_what_another_program_holds_is_waited_for_no_longer_than_discord_waits(
    store: Store, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await stored.start_match(store)
    before = await stored.dump_tables(store)
    monkeypatch.setattr(engines, "PATIENCE_S", 0.2)
    writer = store._database._writer  # noqa: SLF001
    assert isinstance(writer, AsyncEngine)
    async with await Store.open(where) as impatient, writer.connect() as held:
        await held.exec_driver_sql("LOCK TABLE matches IN ACCESS EXCLUSIVE MODE")
        with pytest.raises(StoreError) as error:
            await impatient.get(Matches).apply_update(match, stored.build_step(0, "roll"))
        with pytest.raises(StoreError) as unread:
            await impatient.get(Matches).load_row(match)
    assert (
        str(error.value)
        == f"{format_address(parse_address(where))} is locked by another program; nothing was saved"
    )
    assert error.value.saved is SaveOutcome.NOTHING
    assert unread.value.saved is SaveOutcome.NOT_ASKED
    assert await stored.dump_tables(store) == before


async def test_a_database_of_a_newer_version_is_refused(
    server: PostgreSQLServer, store: Store, where: str
) -> None:
    await store.close()
    server.execute_sql("UPDATE tabula_version SET version_num = '99'", get_database_name(where))
    name = format_address(parse_address(where))
    advice = "update the program"
    assert await find_refusal(where) == f"{name} was written by a newer version of Tabula; {advice}"


async def test_the_database_of_another_program_is_refused(
    server: PostgreSQLServer, where: str
) -> None:
    server.execute_sql("CREATE TABLE recipes (name TEXT)", get_database_name(where))
    assert (
        await find_refusal(where)
        == f"{format_address(parse_address(where))} is the database of another program"
    )


async def test_a_migration_that_fails_leaves_nothing(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise OSError

    with monkeypatch.context() as patch:
        patch.setattr("alembic.op.rename_table", interrupted)
        await find_refusal(where)
    async with await Store.open(where) as store:
        await stored.register_people(store, stored.ANA)
        assert await store.find_problems() == []


async def test_a_server_that_is_not_there(where: str) -> None:
    gone = make_url(where).set(port=1).render_as_string()
    assert (
        await find_refusal(gone)
        == f"the database {get_database_name(where)} on 127.0.0.1:1 cannot be reached"
    )


async def test_a_database_that_is_not_there(where: str) -> None:
    gone = make_url(where).set(database="nowhere")
    text = (
        f"the database nowhere on 127.0.0.1:{gone.port} does not exist on its server; "
        "createdb makes it"
    )
    assert await find_refusal(gone.render_as_string()) == text


async def test_a_user_who_is_not_known_and_no_sentence_names_the_password(where: str) -> None:
    stranger = (
        make_url(where)
        .set(username="stranger", password="hunter2")
        .render_as_string(hide_password=False)
    )
    text = await find_refusal(stranger)
    assert re.search("does not know this user and password$", text)
    assert "hunter2" not in text
