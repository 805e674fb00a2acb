"""Private notes, when people come and go."""

import pytest

from bot.platform.db.store import Store
from tests.bot.test_membership import leave_guild
from tests.bot.test_privacy import delete_data
from tests.store.test_privacy import dump_values
from tests.support.club import SimulatedClub
from tests.support.driver import get_ephemeral_text, give_up, start_match

pytestmark = pytest.mark.asyncio

NOTE = "mind the ace point"


async def list_notes(store: Store) -> list[str]:
    """Every note that is stored."""
    return (await dump_values(store))["memos.text"]


async def test_a_note_goes_with_its_writer_and_not_with_the_opponent(club: SimulatedClub) -> None:
    await start_match(club, "zeno")
    await club.ana.slash(club.channel, "match note", match=1, text=NOTE)
    await club.ben.slash(club.channel, "match note", match=1, text=f"ask <@{club.ana.id}>")
    await delete_data(club, club.ana)
    assert await list_notes(club.store) == ['"ask deleted player"']
    # Ana is a stranger to the match from now on, as anybody in the server.
    board = get_ephemeral_text(await club.ana.slash(club.channel, "match board", match=1))
    assert NOTE not in board
    text = get_ephemeral_text(await club.ben.slash(club.channel, "match board", match=1))
    assert "Your note: ask deleted player" in text


async def test_a_note_is_read_by_its_writer_after_the_server_is_gone(club: SimulatedClub) -> None:
    await start_match(club, "zeno")
    await club.ana.slash(club.channel, "match note", match=1, text=NOTE)
    await give_up(club, club.ana, club.channel)
    await leave_guild(club)
    text = get_ephemeral_text(await club.ana.user.slash("match board", match=1))
    assert f"Your note: {NOTE}" in text
    changed = get_ephemeral_text(await club.ana.user.slash("match note", match=1, text=""))
    assert changed == f"Note on match 1 deleted: {NOTE}"
    assert await list_notes(club.store) == []


async def test_a_note_outlives_an_annulment_and_is_kept_once(club: SimulatedClub) -> None:
    await start_match(club, "zeno")
    for _ in range(2):
        await club.ana.slash(club.channel, "match note", match=1, text=NOTE)
    await club.ana.slash(club.channel, "server end", match=1, how="annul", reason="a slip")
    assert await list_notes(club.store) == [f'"{NOTE}"']
    text = get_ephemeral_text(await club.ana.slash(club.channel, "match board", match=1))
    assert f"Your note: {NOTE}" in text
