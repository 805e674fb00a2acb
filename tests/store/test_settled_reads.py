"""What seldom changes is read once, and read again as soon as it has changed."""

import asyncio
from dataclasses import replace

import pytest
from sqlalchemy import text

from bot.features.matches.store import Matches
from bot.platform.db.errors import StoreError
from bot.platform.db.preferences import BoardStyle, PlayerPreferences, ServerSettings
from bot.platform.db.rows import Pause
from bot.platform.db.store import Store
from engine.clock import DAY
from tests.store.test_group_commit import where as where
from tests.store.test_statements import capture_store_statements, list_verbs
from tests.support.stored import ANA, BEN, NOW, build_step, register_people, start_match

pytestmark = pytest.mark.asyncio


async def _read_all(store: Store) -> None:
    await store.preferences.load_with_names([ANA, BEN])
    await store.pauses.load_relevant([ANA], NOW, 1, [1])
    await store.board_styles.load_style("server", 1)
    await store.servers.load_settings(1)


async def test_what_has_not_changed_is_read_once_whatever_is_played(store: Store) -> None:
    match = await start_match(store)
    await _read_all(store)
    await store.get(Matches).apply_update(match, build_step(0, "roll"))
    with capture_store_statements(store) as said:
        await _read_all(store)
    assert not said


async def test_who_comes_makes_others_ask_again_for_people_alone(store: Store) -> None:
    await register_people(store, ANA)
    await _read_all(store)
    await register_people(store, BEN)
    with capture_store_statements(store) as said:
        await _read_all(store)
    ((question, _),) = said
    assert "FROM people" in question


async def test_the_acts_of_a_day_ask_once_for_what_stops_its_clocks(store: Store) -> None:
    await register_people(store, ANA)
    began = NOW - NOW % DAY
    await store.pauses.add_absence(Pause(ANA, began + 1, began + 2))
    found = await store.pauses.load_relevant([ANA], began, 1, [1])
    with capture_store_statements(store) as said:
        later = await store.pauses.load_relevant([ANA], began + 3, 1, [1])
    assert [(pause.began, pause.ended) for pause in found] == [(began + 1, began + 2)]
    assert not later
    assert not said


async def test_each_change_is_seen_by_the_next_read(store: Store) -> None:
    await register_people(store, ANA, BEN)
    await _read_all(store)
    await store.people.save_name(ANA, "Anna", NOW)
    await store.preferences.save(BEN, PlayerPreferences(throws=False))
    names, preferences = await store.preferences.load_with_names([ANA, BEN])
    assert names[ANA].name == "Anna"
    assert not preferences[BEN].throws
    await store.board_styles.save("server", 1, BoardStyle(seat="black"))
    assert (await store.board_styles.load_style("server", 1)).seat == "black"
    await store.servers.update_settings(1, lambda before: replace(before, single=True))
    assert await store.servers.load_settings(1) == replace(ServerSettings(), single=True)


async def test_a_change_by_any_statement_is_seen(store: Store) -> None:
    await register_people(store, ANA)
    await _read_all(store)
    await store._database.write(  # noqa: SLF001
        lambda connection: connection.execute(text("UPDATE people SET name = 'Zoe'"))
    )
    names, _ = await store.preferences.load_with_names([ANA])
    assert names[ANA].name == "Zoe"


async def test_what_changes_while_it_is_read_is_read_again(store: Store) -> None:
    await register_people(store, ANA)
    for number in range(20):
        name = f"Ana {number}"
        await asyncio.gather(
            store.preferences.load_with_names([ANA]),
            store.people.save_name(ANA, name, NOW + number),
            store.preferences.load_with_names([ANA]),
        )
        names, _ = await store.preferences.load_with_names([ANA])
        assert names[ANA].name == name


async def test_what_was_undone_is_not_seen(store: Store) -> None:
    await register_people(store, ANA)
    before, _ = await store.preferences.load_with_names([ANA])
    with pytest.raises(StoreError):
        await store._database.write(  # noqa: SLF001
            lambda connection: [
                connection.execute(text("UPDATE people SET name = 'Zoe'")),
                connection.execute(text("INSERT INTO nowhere VALUES (1)")),
            ]
        )
    with capture_store_statements(store) as said:
        after, _ = await store.preferences.load_with_names([ANA])
    assert after == before
    assert list_verbs(said) == ["SELECT"]
