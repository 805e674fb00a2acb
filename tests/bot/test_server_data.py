"""A server's data: its owner gets and deletes it, and a month after the bot was removed it goes."""

from pathlib import Path

import pytest

from bot.features.matches import loading
from bot.features.matches.store import Matches
from bot.features.privacy.service import KEPT_MS, SETTLE_MS, note_departures
from bot.platform.db.preferences import ServerSettings
from engine.match import Phase
from engine.outcome import ANNULLED
from tests.bot.test_membership import leave_guild
from tests.bot.test_privacy import read_archive
from tests.bot.test_record_page import load_validator
from tests.store.test_privacy import dump_values, find_traces
from tests.support import driver
from tests.support.club import SimulatedClub
from tests.support.contests import create_contest
from tests.support.panels import ask_server_data, change_server, open_server_section
from tests.upkeep.test_doctor import call_doctor

pytestmark = pytest.mark.asyncio


async def fill_server(club: SimulatedClub) -> None:
    """Let a server have a bit of everything: a match that is over, and all that can go on."""
    await change_server(club.ana, club.channel, numbers=True)
    await driver.start_match(club, "twelve-dogs")
    while await driver.take_next_action(club):
        pass
    await create_contest(
        club.ana, club.channel, "league", name="The Hawks", game="zeno", weeks=4, pace="week"
    )
    await create_contest(club.ana, club.channel, "ladder", name="The Hawks' ladder", game="fallas")
    await club.cyn.slash(club.channel, "notify", game="zeno")
    await driver.start_match(club, "zeno")
    await club.ana.slash(club.channel, "server end", match=2, how="draw", reason="the hawks say so")
    await driver.start_match(club, "zeno")
    await club.cyn.slash(club.channel, "challenge", game="zeno")
    await club.advance_clock(0)


async def require_gone(club: SimulatedClub) -> None:
    """Nothing names the server, or what was written there."""
    left = await dump_values(club.store)
    # Its deletion in a month is all that may wait.
    traces = find_traces(left, str(club.guild.id), "hawks")
    assert traces - {"jobs.guild", "jobs.key"} == set()
    assert await club.store.servers.load_settings(club.guild.id) == ServerSettings()


async def require_players_keep_theirs(club: SimulatedClub) -> None:
    """The matches are in the players' histories, and those that went on count for nothing."""
    matches = club.store.get(Matches)
    over = await matches.load_ended_by_person(club.ben.id, 9)
    assert sorted(row.id for row in over) == [1, 2, 3]
    session = await loading.load_session(club.bot.app, 3)
    assert session.match.phase is Phase.OVER
    assert session.row.how == ANNULLED
    assert await matches.load_running_in_server(club.guild.id) == []
    first = await matches.load_row(1)
    assert first is not None
    assert 0 < first.guild < 1 << 44
    assert (first.channel, first.message, first.contest) == (0, None, None)


@pytest.mark.usefixtures("own_throws")
async def test_the_owner_deletes_a_servers_data(club: SimulatedClub, tmp_path: Path) -> None:
    await fill_server(club)
    assert find_traces(await dump_values(club.store), "hawks")
    guild = club.bot.get_guild(club.guild.id)
    assert guild is not None
    panel = driver.get_response(await open_server_section(club.ana, club.channel, "public")).message
    guild.owner_id = club.ben.id
    text = driver.get_ephemeral_text(await club.ana.click(panel, custom_id="serverdata:delete"))
    assert text == "Only the owner of this server can get or delete its data."
    guild.owner_id = club.ana.id
    message = driver.get_response(await ask_server_data(club.ana, club.channel, "delete")).message
    assert driver.list_button_labels(message) == ["Delete this server's data", "Keep it"]
    assert driver.extract_text(message).startswith("### Delete the data of Club?")
    kept = driver.get_response(await club.ana.click(message, label="Keep it")).message
    assert driver.extract_text(kept) == "Nothing was deleted."
    message = driver.get_response(await ask_server_data(club.ana, club.channel, "delete")).message
    await club.ana.click(message, label="Delete this server's data")
    await club.advance_clock(0)
    # What went on is shown to have ended, before its places are forgotten.
    assert (await loading.load_session(club.bot.app, 3)).row.how == ANNULLED
    await club.advance_clock(SETTLE_MS)
    await require_gone(club)
    await require_players_keep_theirs(club)
    # The server can go on, as one that is new.
    await driver.start_match(club, "zeno")
    assert driver.find_button(driver.get_newest_message(club), ":roll")
    await club.bot.close()
    await club.store.close()
    assert await call_doctor(str(tmp_path / "club.sqlite3")) == (True, ["Nothing is wrong."])


async def test_a_server_that_removes_the_bot_is_forgotten_after_a_month(
    club: SimulatedClub,
) -> None:
    await fill_server(club)
    await leave_guild(club)
    await club.advance_clock(KEPT_MS - SETTLE_MS)
    assert find_traces(await dump_values(club.store), "hawks")
    await club.advance_clock(2 * SETTLE_MS)
    await require_gone(club)
    await require_players_keep_theirs(club)


async def test_a_server_that_comes_back_keeps_its_data(club: SimulatedClub) -> None:
    await fill_server(club)
    before = find_traces(await dump_values(club.store), "hawks")
    guild = club.bot.get_guild(club.guild.id)
    assert guild is not None
    await club.bot.on_guild_remove(guild)
    await club.bot.on_guild_join(guild)
    await club.advance_clock(KEPT_MS + SETTLE_MS)
    assert find_traces(await dump_values(club.store), "hawks") == before
    assert [job for job in await club.store.jobs.load_all() if job.kind == "delete server"] == []


async def test_the_owner_gets_a_servers_data(club: SimulatedClub) -> None:
    await fill_server(club)
    text = driver.get_ephemeral_text(await ask_server_data(club.ana, club.channel, "export"))
    assert text == "This server's data is being collected. You get it by direct message."
    await club.advance_clock(0)
    files = await read_archive(club.ana.user.dm_channel.last_message)
    assert set(files) == {"data.json"}
    data = files["data.json"]
    load_validator("data").validate(data)
    assert data["server"] == str(club.guild.id)
    tables = data["tables"]
    assert tables["contests"][0]["name"] == "The Hawks"
    assert tables["ladders"][0]["name"] == "The Hawks' ladder"
    assert tables["audit"][0]["reason"] == "the hawks say so"
    assert {row["id"] for row in tables["matches"]} == {1, 2, 3}
    assert tables["ratings"]
    assert "jobs" not in tables
    assert not any("secret" in row for rows in tables.values() for row in rows)


async def test_a_server_that_left_while_the_bot_was_away_is_noticed(club: SimulatedClub) -> None:
    await fill_server(club)
    app, shard = club.bot.app, club.bot.app.shards.get_shard(club.guild.id)
    await note_departures(app, shard, {club.guild.id})
    assert "delete server" not in {job.kind for job in await club.store.jobs.load_all()}
    for _ in range(2):
        await note_departures(app, shard, set())
        waiting = [job for job in await club.store.jobs.load_all() if job.guild]
        found = [job for job in waiting if job.kind == "delete server"]
        assert [(job.key, job.revision) for job in found] == [(str(club.guild.id), 1)]
    # Before Discord says which servers have the bot, nobody knows whether it is back.
    app.reached.clear()
    await leave_guild(club)
    await club.advance_clock(KEPT_MS + SETTLE_MS)
    assert find_traces(await dump_values(club.store), "hawks")
