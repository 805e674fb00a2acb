"""The menu of a message of a match: its position analysed, its board turned round, its report."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import discord
import pytest
import simcord

from bot.features.analysis.store import Analyses
from bot.features.matches.loading import load_history, load_session
from bot.features.privacy.service import SETTLE_MS
from bot.features.reports.store import Reports
from bot.platform.db.store import Generation, Lineage
from bot.platform.i18n.reader import load_reader
from bot.platform.ui.declarations import collect_menus
from bot.platform.ui.layout import find_moment
from engine.position_text import format_position
from tests.bot.test_access import create_channel_hidden_from
from tests.bot.test_membership import leave_guild
from tests.support import driver
from tests.support.club import SimulatedClub, open_club
from tests.support.forging import Actor, make_message_use, send
from tests.support.panels import ask_server_data, change_server

pytestmark = pytest.mark.asyncio

ANALYSE, OWN_SIDE, REPORT = "Analyse", "Board from my side", "What went wrong?"
NO_MATCH = "That message doesn't show a match. Use this on a board in a match's own channel."


async def play_turns(club: SimulatedClub, count: int) -> None:
    """Let so many messages of turns be closed."""
    while len(driver.list_public_messages(club)) <= count:
        assert await driver.take_next_action(club)


def list_closed(club: SimulatedClub) -> list[discord.Message]:
    """The messages of turns that are over, which have no control any more."""
    return [
        each
        for each in driver.list_public_messages(club)
        if driver.list_pictures(each) and not driver.list_control_ids(each)
    ]


async def use_menu(
    club: SimulatedClub, person: simcord.MemberActor, name: str, message: discord.Message
) -> str:
    """What somebody reads, alone, who picks an entry from the menu of a message."""
    return driver.get_ephemeral_text(await person.context_menu(club.channel, name, message))


async def test_there_are_three_entries_of_messages_and_all_have_room(club: SimulatedClub) -> None:
    names = {each.name for each in collect_menus() if each.type is discord.AppCommandType.message}
    assert names == {ANALYSE, OWN_SIDE, REPORT}


async def test_every_message_of_a_match_shows_the_moment_of_its_board(club: SimulatedClub) -> None:
    await driver.start_match(club, "zeno", rated=False)
    await play_turns(club, 4)
    session = await load_session(club.bot.app, 1)
    happened = await load_history(club.bot.app, session.row)
    closed = list_closed(club)
    assert len(closed) > 1
    for message in closed:
        moment = find_moment(message)
        assert moment is not None
        assert moment.match == 1
        then = happened[moment.version].before
        answer = await club.cyn.context_menu(club.channel, ANALYSE, message)
        assert driver.get_ephemeral_text(answer).startswith("### Analysis: Zeno")
        analysis = await club.store.get(Analyses).load_analysis(closed.index(message) + 1)
        assert analysis is not None
        assert analysis.position == format_position(then.position, then.rules)
        board = driver.get_response(
            await club.cyn.context_menu(club.channel, OWN_SIDE, message)
        ).message
        # What is drawn is what the message shows.
        assert (
            driver.list_pictures(board)[0].description
            == driver.list_pictures(message)[0].description
        )
        assert driver.list_button_labels(board) == ["Go to match"]
    newest = find_moment(driver.get_newest_message(club))
    assert newest is not None
    assert newest.version == session.match.version


async def test_a_running_match_without_hints_is_not_analysed_for_its_players(
    club: SimulatedClub,
) -> None:
    await driver.start_match(club, "zeno", rated=True)
    await play_turns(club, 1)
    while "Roll" in driver.list_button_labels(driver.get_newest_message(club)):
        assert await driver.take_next_action(club)
    message = driver.get_newest_message(club)
    for person in (club.ana, club.ben):
        text = await use_menu(club, person, ANALYSE, message)
        assert text.startswith("This is, or nearly is, a position of match 1, which is played")
    # Anybody else could type it for `/analyse`.
    answer = await club.cyn.context_menu(club.channel, ANALYSE, message)
    assert "best" in driver.get_ephemeral_text(answer)
    # But may not show it to those who play.
    assert "Share" in driver.list_button_labels(driver.get_response(answer).message)
    shared = await club.cyn.click(driver.get_response(answer).message, label="Share")
    assert "a position of match 1" in driver.get_ephemeral_text(shared)


async def test_each_player_sees_the_present_board_from_their_own_side(
    club: SimulatedClub,
) -> None:
    await driver.start_match(club, "zeno", rated=False)
    message = driver.get_newest_message(club)
    drawn = {}
    for person in (club.ana, club.ben, club.cyn):
        answer = driver.get_response(await person.context_menu(club.channel, OWN_SIDE, message))
        assert "Match 1" in driver.extract_text(answer.message)
        drawn[person.name] = await answer.attachments[0].read()
    assert drawn["ana"] != drawn["ben"]
    assert driver.list_public_messages(club)[-1].id == message.id


async def test_what_went_wrong_is_asked_of_finished_matches(club: SimulatedClub) -> None:
    await driver.start_match(club, "zeno", rated=False)
    await play_turns(club, 3)
    closed = list_closed(club)[0]
    assert await use_menu(club, club.ana, REPORT, closed) == "Match 1 is not over yet."
    await driver.give_up(club, club.ana, club.channel)
    for message in (closed, driver.get_newest_message(club)):
        assert "match 1" in (await use_menu(club, club.ben, REPORT, message)).lower()
    await club.advance_clock(0)
    assert await club.store.get(Reports).load_report(1)
    # What was left to play for is there when somebody has resigned.
    text = await use_menu(club, club.ben, ANALYSE, driver.get_newest_message(club))
    assert text.startswith("### Analysis: Zeno")
    assert "resigned" in await use_menu(club, club.ben, OWN_SIDE, driver.get_newest_message(club))


async def test_the_match_of_a_server_whose_data_is_deleted_is_its_players(
    club: SimulatedClub,
) -> None:
    await driver.start_match(club, "zeno", rated=False)
    await driver.give_up(club, club.ana, club.channel)
    message = driver.get_newest_message(club)
    asked = driver.get_response(await ask_server_data(club.ana, club.channel, "delete")).message
    await club.ana.click(asked, label="Delete this server's data")
    await club.advance_clock(0)
    await club.advance_clock(SETTLE_MS)
    for name in (ANALYSE, OWN_SIDE, REPORT):
        own = await use_menu(club, club.ben, name, message)
        assert "1" in own
        assert await use_menu(club, club.cyn, name, message) == "There is no match 1."


async def test_a_message_without_a_match_says_so(club: SimulatedClub) -> None:
    theirs = await club.ben.send(club.channel, "Match 1 is mine")
    await club.ana.slash(club.channel, "challenge", game="zeno")
    await club.ana.slash(club.channel, "leaderboard")
    for message in (theirs, *driver.list_public_messages(club)):
        for name in (ANALYSE, OWN_SIDE, REPORT):
            assert await use_menu(club, club.cyn, name, message) == NO_MATCH


async def test_a_shared_replay_is_of_its_match(club: SimulatedClub) -> None:
    await driver.start_match(club, "zeno", rated=False)
    await play_turns(club, 2)
    await club.ana.slash(club.channel, "match replay", match=1, share=True)
    film = driver.get_newest_message(club)
    assert "Match 1" in await use_menu(club, club.ben, OWN_SIDE, film)


async def test_a_match_in_direct_messages_is_its_player_s(club: SimulatedClub) -> None:
    await club.ana.user.slash("play", game="zeno")
    await club.advance_clock(0)
    message = club.ana.user.dm_channel.last_message
    assert message is not None
    for person, own in ((club.ana, True), (club.cyn, False)):
        channel = person.user.dm_channel.id if own else club.channel.id
        actor = Actor(person.name, person.id, 0 if own else club.guild.id, channel)
        sent = send(club, actor, make_message_use(OWN_SIDE, message.channel.id, message.id))
        await club.env.settle()
        text = driver.get_ephemeral_text(sent)
        assert ("Match 1" in text) is own
        assert (text == "There is no match 1.") is not own


async def test_only_who_sees_the_channel_of_a_match_sees_it(club: SimulatedClub) -> None:
    await driver.start_match(club, "zeno", rated=False)
    message = driver.get_newest_message(club)
    cellar = create_channel_hidden_from(club, club.cyn)
    other = driver.create_second_guild(club, "Other")
    hall = other.create_text_channel("hall")
    cyn = other.add_member(club.cyn.user)
    for guild, channel in ((other.id, hall.id), (0, club.cyn.user.dm_channel.id)):
        for name in (ANALYSE, OWN_SIDE, REPORT):
            actor = Actor("cyn", cyn.id, guild, channel)
            sent = send(club, actor, make_message_use(name, club.channel.id, message.id))
            await club.env.settle()
            assert driver.get_ephemeral_text(sent) == "There is no match 1."
    await club.ana.slash(cellar, "match board", match=1, share=True)
    await club.advance_clock(0)
    assert await use_menu(club, club.cyn, OWN_SIDE, message) == "There is no match 1."


async def test_where_the_bot_is_no_member_nothing_is_shown(club: SimulatedClub) -> None:
    await driver.start_match(club, "zeno", rated=False)
    message = driver.get_newest_message(club)
    await leave_guild(club)
    for name in (ANALYSE, OWN_SIDE, REPORT):
        assert "I'm not a member of this server" in await use_menu(club, club.cyn, name, message)


async def test_a_message_that_a_restored_backup_has_lost_shows_nothing(
    club: SimulatedClub,
) -> None:
    await driver.start_match(club, "zeno", rated=False)
    message = driver.get_newest_message(club)
    posted = int(message.created_at.timestamp() * 1000)
    for began, is_lost in ((posted + 1000, False), (posted - 1000, True)):
        club.bot.app.lineage = Lineage((Generation("a1b2c3", began),))
        text = await use_menu(club, club.cyn, OWN_SIDE, message)
        assert (text == NO_MATCH) is is_lost
    # A message of the new generation says which that is.
    assert await driver.take_next_action(club)
    newest = find_moment(driver.get_newest_message(club))
    assert newest is not None
    assert newest.mark == "a1b2c3"
    assert "Match 1" in await use_menu(club, club.cyn, OWN_SIDE, driver.get_newest_message(club))


async def test_one_message_a_match_shows_its_present_moment(club: SimulatedClub) -> None:
    await change_server(club.ana, club.channel, single=True)
    await club.ana.slash(club.channel, "play", game="zeno")
    await club.advance_clock(0)
    for _ in range(3):
        (message,) = driver.list_live_messages(club)
        await club.ana.click(message, custom_id=driver.list_control_ids(message)[0])
        await club.advance_clock(0)
    (message,) = driver.list_live_messages(club)
    moment, session = find_moment(message), await load_session(club.bot.app, 1)
    assert moment is not None
    assert moment.version == session.match.version > 3
    assert (await use_menu(club, club.cyn, ANALYSE, message)).startswith("### Analysis: Zeno")
    assert (await use_menu(club, club.cyn, OWN_SIDE, message)).startswith("### Zeno")


async def test_entries_are_named_and_answered_in_the_language_of_whoever_asks(
    tmp_path: Path,
) -> None:
    async with open_club(tmp_path / "club.sqlite3", people="de") as club:
        told: Mapping[Any, Any] = club.env.backend.commands[None]
        entries = [each for each in told.values() if each["type"] == 3]
        assert len(entries) == 3
        await driver.start_match(club, "zeno", rated=False)
        text = await use_menu(club, club.cyn, OWN_SIDE, driver.get_newest_message(club))
        english = "### {game}\n-# Match {number}: {gold} against {black}"
        heading = load_reader("de")(english, game="Zeno", number=1, gold="|", black="")
        assert text.startswith(heading.partition("|")[0])
