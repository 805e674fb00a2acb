"""Following a match by direct message, and the news of a server."""

from dataclasses import replace

import discord
import pytest
import simcord

from bot.features.matches import loading
from bot.features.matches.store import Matches
from bot.features.notifications import service
from bot.features.notifications.jobs import NOTIFY_DELAY_MS, NotifyFollowers, NotifyWhen
from bot.features.notifications.store import Follows
from bot.platform.people import DiscordPerson
from tests.support import driver
from tests.support.club import SimulatedClub
from tests.support.driver import list_direct_texts
from tests.support.panels import change_server
from tests.support.stored import load_given_up

pytestmark = pytest.mark.asyncio


def list_news(club: SimulatedClub, channel: simcord.ChannelHandle) -> list[str]:
    """The news in a channel."""
    return [driver.extract_text(message) for message in channel.history()]


async def play_turn(club: SimulatedClub) -> None:
    """Let whoever is to act throw and play, so that somebody else is to act."""
    mover = (await loading.load_session(club.bot.app, 1)).person_to_act
    while (await loading.load_session(club.bot.app, 1)).person_to_act == mover:
        assert await driver.take_next_action(club)


async def test_an_onlooker_is_told_at_the_end_and_no_more(club: SimulatedClub) -> None:
    await driver.start_match(club, "zeno")
    text = driver.get_ephemeral_text(await club.cyn.slash(club.channel, "match follow", match=1))
    assert (
        text == "You're following match 1: I message you when it ends. "
        "Use `/match follow match:1` again to stop."
    )
    assert len(list_direct_texts(club.cyn)) == 1
    assert list_direct_texts(club.cyn)[0].startswith(
        "You're following match 1: I message you here when it ends."
    )
    await play_turn(club)
    await club.advance_clock(NOTIFY_DELAY_MS)
    assert len(list_direct_texts(club.cyn)) == 1
    await driver.give_up(club, club.ana, club.channel)
    message = driver.get_newest_message(club)
    await club.advance_clock(NOTIFY_DELAY_MS)
    assert len(list_direct_texts(club.cyn)) == 2
    last = club.cyn.user.dm_channel.last_message
    # A mention would be a bare number to who has not met them.
    assert "**Ben (black) won**: Ana resigned." in driver.extract_text(last)
    assert "<@" not in driver.extract_text(last)
    (there,) = [part.url for part in driver.walk_parts(last) if isinstance(part, discord.ui.Button)]
    assert there == f"https://discord.com/channels/{club.guild.id}/{club.channel.id}/{message.id}"
    assert len(driver.list_pictures(last)) == 1
    assert await club.store.get(Follows).load_followers(1) == {}
    assert list_direct_texts(club.ana) == list_direct_texts(club.ben) == []
    assert "Match 1 is over." in driver.get_ephemeral_text(
        await club.cyn.slash(club.channel, "match follow", match=1)
    )


@pytest.mark.usefixtures("own_throws")
async def test_whoever_wishes_it_is_told_of_every_turn_once(club: SimulatedClub) -> None:
    await driver.start_match(club, "zeno")
    await club.cyn.slash(club.channel, "match follow", match=1, how="turn")
    mover = driver.find_mentioned_player(club)
    await play_turn(club)
    # What is taken back at once is not told.
    before = await club.store.get(Matches).load_row(1)
    assert before is not None
    await club.advance_clock(NOTIFY_DELAY_MS // 2)
    assert len(list_direct_texts(club.cyn)) == 1
    await club.advance_clock(NOTIFY_DELAY_MS // 2 + 1)
    assert len(list_direct_texts(club.cyn)) == 2
    assert f"{mover.user.global_name} rolled " in list_direct_texts(club.cyn)[1]
    assert " played `" in list_direct_texts(club.cyn)[1]
    assert "your turn to roll" in list_direct_texts(club.cyn)[1]
    await club.advance_clock(NOTIFY_DELAY_MS)
    assert len(list_direct_texts(club.cyn)) == 2
    await play_turn(club)
    await club.advance_clock(NOTIFY_DELAY_MS)
    assert len(list_direct_texts(club.cyn)) == 3


@pytest.mark.sweep
async def test_following_again_stops_it_and_can_be_changed(club: SimulatedClub) -> None:
    await driver.start_match(club, "zeno")
    await club.cyn.slash(club.channel, "match follow", match=1)
    assert "after every turn" in driver.get_ephemeral_text(
        await club.cyn.slash(club.channel, "match follow", match=1, how="turn")
    )
    assert await club.store.get(Follows).load_followers(1) == {club.cyn.id: NotifyWhen.TURN}
    assert (
        driver.get_ephemeral_text(await club.cyn.slash(club.channel, "match follow", match=1))
        == "You're no longer following match 1."
    )
    assert await club.store.get(Follows).load_followers(1) == {}
    sent = len(list_direct_texts(club.cyn))
    await driver.give_up(club, club.ana, club.channel)
    await club.advance_clock(NOTIFY_DELAY_MS)
    assert len(list_direct_texts(club.cyn)) == sent


async def test_the_wish_outlives_the_program(club: SimulatedClub) -> None:
    await driver.start_match(club, "zeno")
    await club.cyn.slash(club.channel, "match follow", match=1)
    await driver.give_up(club, club.ana, club.channel)
    club.bot = await club.restart_bot()
    await club.advance_clock(NOTIFY_DELAY_MS)
    assert len(list_direct_texts(club.cyn)) == 2


async def test_whoever_takes_no_direct_message_is_told_so_and_follows_nothing(
    club: SimulatedClub,
) -> None:
    await driver.start_match(club, "zeno")
    club.env.inject_error("POST", "/users/@me/channels", status=403, code=50007)
    assert "I can't send you direct messages" in driver.get_ephemeral_text(
        await club.cyn.slash(club.channel, "match follow", match=1)
    )
    assert await club.store.get(Follows).load_followers(1) == {}


@pytest.mark.sweep
async def test_whoever_closes_their_direct_messages_follows_no_more(club: SimulatedClub) -> None:
    await driver.start_match(club, "zeno")
    await club.cyn.slash(club.channel, "match follow", match=1, how="turn")
    await play_turn(club)
    club.env.inject_error("POST", "/channels/*/messages", status=403, code=50007)
    await club.advance_clock(NOTIFY_DELAY_MS)
    assert len(list_direct_texts(club.cyn)) == 1
    assert await club.store.get(Follows).load_followers(1) == {}
    assert await load_given_up(club.store.jobs) == []


async def test_whoever_was_removed_from_the_server_is_told_no_more(club: SimulatedClub) -> None:
    dan = driver.add_member(club, "dan")
    await driver.start_match(club, "zeno")
    for person in (club.ana, club.ben, club.cyn, dan):
        await person.slash(club.channel, "match follow", match=1, how="turn")
    # Ben was removed as well, but plays: who has a seat is told of their match.
    for person in (club.ben, club.cyn):
        club.guild.remove_member(person)
    await club.bot.app.enqueue(club.guild.id, [NotifyFollowers(1).build_job(club.hands())])
    await club.advance_clock(0)
    recipients = [len(list_direct_texts(person)) for person in (club.ana, club.ben, club.cyn, dan)]
    assert recipients == [2, 2, 1, 2]
    assert set(await club.store.get(Follows).load_followers(1)) == {
        club.ana.id,
        club.ben.id,
        dan.id,
    }
    assert await load_given_up(club.store.jobs) == []


async def test_a_follower_of_whom_discord_tells_nothing_counts_as_present(
    club: SimulatedClub,
) -> None:
    await driver.start_match(club, "zeno")
    await club.cyn.slash(club.channel, "match follow", match=1, how="turn")
    club.env.inject_error("GET", "/guilds/*/members/*", status=403, code=50001)
    await play_turn(club)
    await club.advance_clock(NOTIFY_DELAY_MS)
    assert len(list_direct_texts(club.cyn)) == 2
    assert set(await club.store.get(Follows).load_followers(1)) == {club.cyn.id}


async def test_a_stranger_s_following_of_a_match_in_direct_messages_ends(
    club: SimulatedClub,
) -> None:
    await club.ana.user.slash("play", game="zeno")
    await club.advance_clock(0)
    # As it could be stored while such matches were open to everybody.
    await club.bot.app.save_people(DiscordPerson(club.cyn.id, "Cyn"))
    assert await club.store.get(Follows).save(1, club.cyn.id, NotifyWhen.TURN, most=20)
    sent = len(list_direct_texts(club.cyn))
    await club.bot.app.enqueue(0, [NotifyFollowers(1).build_job(club.hands())])
    await club.advance_clock(0)
    assert len(list_direct_texts(club.cyn)) == sent
    assert await club.store.get(Follows).load_followers(1) == {}


@pytest.mark.sweep
async def test_nobody_follows_what_they_may_not_see_nor_too_many(
    club: SimulatedClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "MAX_FOLLOWS", 2)
    for _ in range(3):
        await driver.start_match(club, "zeno")
    for match in (1, 2):
        await club.cyn.slash(club.channel, "match follow", match=match)
    assert driver.get_ephemeral_text(
        await club.cyn.slash(club.channel, "match follow", match=3)
    ).startswith("You're following 2 matches, the most")
    # One that one follows already can be changed, and one that is over does not count.
    assert "every turn" in driver.get_ephemeral_text(
        await club.cyn.slash(club.channel, "match follow", match=2, how="turn")
    )
    await driver.give_up(club, club.ana, club.channel, match=1)
    assert driver.get_ephemeral_text(
        await club.cyn.slash(club.channel, "match follow", match=3)
    ).startswith("You're following match 3")
    tavern = club.env.create_guild("Tavern", owner=club.cyn.user)
    stranger = tavern.add_member(club.env.create_user("dan", global_name="Dan"))
    hall = tavern.create_text_channel("hall")
    assert (
        driver.get_ephemeral_text(await stranger.slash(hall, "match follow", match=2))
        == "There is no match 2."
    )
    assert (
        driver.get_ephemeral_text(await stranger.slash(hall, "match follow", match=9))
        == "There is no match 9."
    )


async def test_a_server_is_told_which_matches_begin_and_end(club: SimulatedClub) -> None:
    hall = club.guild.create_text_channel("news")
    text = driver.get_ephemeral_text(await change_server(club.ana, club.channel, news=hall))
    assert f"Matches are announced in <#{hall.id}> when they start and end." in text
    assert "7 days a turn" in driver.get_ephemeral_text(
        await change_server(club.ana, club.channel, pace="week")
    )
    await driver.start_match(club, "zeno")
    message = driver.get_newest_message(club)
    await club.advance_clock(NOTIFY_DELAY_MS)
    there = f"https://discord.com/channels/{club.guild.id}/{club.channel.id}"
    players = f"<@{club.ana.id}> against <@{club.ben.id}>"
    assert list_news(club, hall) == [
        f"[Zeno, match 1]({there}/{message.id}) has started: {players}."
    ]
    posts = [
        each
        for each in club.env.http_requests
        if each.path.endswith(f"/channels/{hall.id}/messages")
    ]
    assert [each.json["allowed_mentions"] for each in posts if each.json] == [{"parse": []}]
    await driver.give_up(club, club.ana, club.channel)
    await club.advance_clock(NOTIFY_DELAY_MS)
    assert len(list_news(club, hall)) == 2
    assert list_news(club, hall)[1].startswith(
        f"[Zeno, match 1]({there}/{driver.get_newest_message(club).id}) is over: {players}. **<@"
    )
    # Without a channel it stops; the pace stays.
    assert "Match announcements are off." in driver.get_ephemeral_text(
        await change_server(club.ana, club.channel, news=[])
    )
    assert (await club.store.servers.load_settings(club.guild.id)).pace == "week"
    await driver.start_match(club, "zeno")
    await club.advance_clock(NOTIFY_DELAY_MS)
    assert len(list_news(club, hall)) == 2


@pytest.mark.sweep
async def test_who_plays_alone_and_a_server_that_wants_none_make_no_news(
    club: SimulatedClub,
) -> None:
    await driver.start_match(club, "zeno")
    hall = club.guild.create_text_channel("news")
    await club.advance_clock(NOTIFY_DELAY_MS)
    await change_server(club.ana, club.channel, news=hall)
    await club.ana.slash(club.channel, "play", game="zeno")
    await driver.give_up(club, club.ana, club.channel, match=2)
    await club.advance_clock(NOTIFY_DELAY_MS)
    assert list_news(club, hall) == []


@pytest.mark.sweep
async def test_a_channel_in_which_nothing_can_be_said_is_refused_and_missed_by_nobody(
    club: SimulatedClub,
) -> None:
    denied = discord.PermissionOverwrite(send_messages=False)
    hall = club.guild.create_text_channel("news", overwrites={club.guild.default_role: denied})
    text = driver.get_ephemeral_text(await change_server(club.ana, club.channel, news=hall))
    assert text.startswith(f"I'm missing the permission Send Messages in <#{hall.id}>.")
    assert (await club.store.servers.load_settings(club.guild.id)).news is None
    # Forbidden or deleted later, it holds up nothing.
    await club.store.servers.update_settings(
        club.guild.id, lambda server: replace(server, news=hall.id)
    )
    await driver.start_match(club, "zeno")
    await club.advance_clock(NOTIFY_DELAY_MS)
    await club.store.servers.update_settings(club.guild.id, lambda server: replace(server, news=77))
    await driver.give_up(club, club.ana, club.channel)
    await club.advance_clock(NOTIFY_DELAY_MS)
    assert await load_given_up(club.store.jobs) == []
    assert "won**" in driver.extract_text(driver.list_public_messages(club)[-1])
    assert driver.find_button(driver.get_newest_message(club), "rematch:1")
