"""A server's settings for matches: where they start, who plays whom, rated or not, and blocks."""

import discord
import pytest
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.features.challenges.service import LIMITS
from bot.features.challenges.store import Challenges
from bot.features.preferences.store import Blocks
from tests.support.club import SimulatedClub
from tests.support.driver import (
    create_second_guild,
    extract_text,
    find_button,
    forge_press,
    get_ephemeral_text,
    get_newest_message,
    get_response,
    give_up,
    list_public_messages,
    start_match,
)
from tests.support.panels import change_server, get_chosen

pytestmark = pytest.mark.asyncio


async def test_matches_start_where_the_server_lets_them(club: SimulatedClub) -> None:
    hall = club.guild.create_text_channel("hall")
    text = get_ephemeral_text(await change_server(club.ana, club.channel, channels=[]))
    assert "Saved. Matches can start in every channel." in text
    text = get_ephemeral_text(await change_server(club.ana, club.channel, channels=[hall]))
    assert f"Matches can start in <#{hall.id}>." in text
    refusal = f"Matches can't be started in this channel. Start yours in <#{hall.id}>."
    assert (
        get_ephemeral_text(await club.ben.slash(club.channel, "challenge", game="zeno")) == refusal
    )
    assert get_ephemeral_text(await club.ben.slash(club.channel, "play", game="zeno")) == refusal
    assert list_public_messages(club) == []
    await club.ben.slash(hall, "challenge", game="zeno")
    assert "challenges anyone" in extract_text(hall.history()[-1])
    text = get_ephemeral_text(
        await change_server(club.ana, club.channel, channels=[club.channel, hall])
    )
    assert f"Matches can start in <#{club.channel.id}> and <#{hall.id}>." in text
    text = get_ephemeral_text(await change_server(club.ana, club.channel, channels=[club.channel]))
    assert f"Matches can start in <#{club.channel.id}>." in text
    await club.ben.slash(club.channel, "challenge", game="zeno")
    assert len(list_public_messages(club)) == 1


async def test_a_thread_belongs_to_its_channel(club: SimulatedClub) -> None:
    hall = club.guild.create_text_channel("hall")
    club.env.backend.create_thread(club.channel.id, "corner", club.ana.id)
    (thread,) = club.channel.threads
    await change_server(club.ana, club.channel, channels=hall)
    assert "Matches can't be started in this channel" in get_ephemeral_text(
        await club.ben.slash(thread, "challenge", game="zeno")
    )
    await change_server(club.ana, club.channel, channels=club.channel)
    await club.ben.slash(thread, "challenge", game="zeno")
    assert "challenges anyone" in extract_text(thread.history()[-1])


async def test_a_channel_that_is_deleted_is_chosen_no_longer(club: SimulatedClub) -> None:
    hall = club.guild.create_text_channel("hall")
    role = club.guild.create_role("Players")
    await change_server(club.ana, club.channel, channels=hall, role=role)
    club.env.backend.delete_channel(hall.id)
    club.env.backend.delete_role(club.guild.id, role.id)
    await club.env.settle()
    chosen = await club.store.servers.load_settings(club.guild.id)
    assert (chosen.channels, chosen.role) == ((), None)
    panel = get_response(await change_server(club.ana, club.channel)).message
    assert get_chosen(panel, "serverset:channels") == get_chosen(panel, "serverset:role") == []


async def test_matches_do_not_count_unless_they_are_wished_to(club: SimulatedClub) -> None:
    assert "not rated" in get_ephemeral_text(
        await change_server(club.ana, club.channel, rated=False)
    )
    await club.ana.slash(club.channel, "challenge", game="zeno")
    assert "Not rated" in extract_text(get_newest_message(club))
    await club.ana.slash(club.channel, "challenge", game="zeno", rated=True)
    assert "Rated" in extract_text(get_newest_message(club))
    helped = get_response(await club.ben.slash(club.channel, "help")).message
    await forge_press(club, club.ben, helped, "begin:zeno")
    assert "Not rated" in extract_text(get_newest_message(club))


@pytest.mark.sweep
async def test_only_members_of_a_role_challenge_each_other(club: SimulatedClub) -> None:
    role = club.guild.create_role("Players")
    club.env.backend.add_member_role(club.guild.id, club.ana.id, role.id)
    await club.ana.slash(club.channel, "challenge", game="zeno", opponent=club.ben)
    earlier = get_newest_message(club)
    text = get_ephemeral_text(await change_server(club.ana, club.channel, role=role))
    assert f"Only members of <@&{role.id}> can challenge each other." in text
    refusal = f"Only members of <@&{role.id}> can challenge each other here, and Ben isn't one"
    assert get_ephemeral_text(
        await club.ben.slash(club.channel, "challenge", game="zeno")
    ).startswith(refusal)
    assert get_ephemeral_text(
        await club.ana.slash(club.channel, "challenge", game="zeno", opponent=club.ben)
    ).startswith(refusal)
    assert get_ephemeral_text(
        await club.ben.click(earlier, custom_id=find_button(earlier, ":accept"))
    ).startswith(refusal)
    assert len(list_public_messages(club)) == 1
    await club.ben.slash(club.channel, "play", game="zeno")
    assert len(list_public_messages(club)) == 2
    club.env.backend.add_member_role(club.guild.id, club.ben.id, role.id)
    await club.env.settle()
    await club.ben.click(earlier, custom_id=find_button(earlier, ":accept"))
    assert "Match 2" in extract_text(get_newest_message(club))
    everyone = club.guild.default_role
    assert "Everyone can challenge everyone." in get_ephemeral_text(
        await change_server(club.ana, club.channel, role=everyone)
    )
    await club.cyn.slash(club.channel, "challenge", game="zeno")
    assert "challenges anyone" in extract_text(get_newest_message(club))


@pytest.mark.sweep
async def test_people_who_do_not_wish_to_meet_do_not(club: SimulatedClub) -> None:
    await start_match(club, "zeno")
    await club.ana.slash(club.channel, "challenge", game="zeno", opponent=club.ben)
    earlier = get_newest_message(club)
    await give_up(club, club.ana, club.channel)
    over = get_newest_message(club)
    text = get_ephemeral_text(await club.ben.slash(club.channel, "me block", person=club.ana))
    assert text.startswith(f"You've blocked <@{club.ana.id}>.")
    before = len(list_public_messages(club))
    refusal = (
        "Ben can't be challenged. Choose somebody else, or leave the opponent out so that anyone "
        "can accept."
    )
    assert (
        get_ephemeral_text(
            await club.ana.slash(club.channel, "challenge", game="zeno", opponent=club.ben)
        )
        == refusal
    )
    assert get_ephemeral_text(await club.ana.click(over, label="Rematch, sides swapped")) == refusal
    mine = "You've blocked Ana. You can unblock them with `/me block`."
    assert (
        get_ephemeral_text(
            await club.ben.slash(club.channel, "challenge", game="zeno", opponent=club.ana)
        )
        == mine
    )
    assert (
        get_ephemeral_text(await club.ben.click(earlier, custom_id=find_button(earlier, ":accept")))
        == mine
    )
    assert len(list_public_messages(club)) == before
    await club.ben.click(earlier, custom_id=find_button(earlier, ":decline"))
    await club.ben.slash(club.channel, "challenge", game="zeno")
    assert "You can't accept this challenge" in get_ephemeral_text(
        await club.ana.click(get_newest_message(club), label="Accept")
    )
    assert "Play the computer" in get_ephemeral_text(await club.ana.slash(club.channel, "play"))
    text = get_ephemeral_text(
        await club.ben.slash(club.channel, "me block", person=club.ana, lift=True)
    )
    assert text == "You haven't blocked anybody."
    await club.ana.slash(club.channel, "play")
    assert "Match 2" in extract_text(get_newest_message(club))


async def test_only_other_people_are_blocked(club: SimulatedClub) -> None:
    robot = club.guild.add_member(club.env.create_user("robot", global_name="Robot", bot=True))
    for nobody in (club.ana, robot):
        assert (
            get_ephemeral_text(await club.ana.slash(club.channel, "me block", person=nobody))
            == "You can only block other people."
        )
    assert await club.store.get(Blocks).load_blocked(club.ana.id) == []


@pytest.mark.sweep
async def test_nobody_floods_a_channel_with_challenges(club: SimulatedClub) -> None:
    assert LIMITS.a_minute
    for _ in range(LIMITS.a_minute):
        await club.ana.slash(club.channel, "challenge", game="zeno")
        await club.ana.click(
            get_newest_message(club), custom_id=find_button(get_newest_message(club), ":decline")
        )
    text = get_ephemeral_text(await club.ana.slash(club.channel, "challenge", game="zeno"))
    assert (
        text == f"You've requested {LIMITS.a_minute} matches within a minute. Please wait a little."
    )
    assert get_ephemeral_text(await club.ana.slash(club.channel, "play", game="zeno")) == text
    await club.ben.slash(club.channel, "challenge", game="zeno")
    await club.advance_clock(61_000)
    await club.ana.slash(club.channel, "challenge", game="zeno")
    assert len(list_public_messages(club)) == LIMITS.a_minute + 2


async def test_what_the_bot_lacks_is_named_with_its_channel(club: SimulatedClub) -> None:
    text = get_ephemeral_text(await change_server(club.ana, club.channel))
    assert "I have all the permissions I need in those channels." in text
    everyone = club.guild.default_role
    mute = discord.PermissionOverwrite(send_messages=False, attach_files=False)
    hidden = discord.PermissionOverwrite(view_channel=False)
    hall = club.guild.create_text_channel("hall", overwrites={everyone: mute})
    attic = club.guild.create_text_channel("attic", overwrites={everyone: hidden})
    text = get_ephemeral_text(await change_server(club.ana, club.channel))
    assert f"- In <#{hall.id}> I'm missing Send Messages and Attach Files.\nA moderator can" in text
    assert f"<#{attic.id}>" not in text
    text = get_ephemeral_text(await change_server(club.ana, club.channel, channels=attic))
    assert f"- In <#{attic.id}> I'm missing View Channel" in text
    assert f"<#{hall.id}>" not in text


async def test_a_server_that_invites_the_bot_is_greeted_once_with_what_is_missing(
    club: SimulatedClub,
) -> None:
    other = create_second_guild(club, "Inn")
    mute = discord.PermissionOverwrite(send_messages=False)
    bare = discord.PermissionOverwrite(attach_files=False)
    other.create_text_channel("rules", overwrites={other.default_role: mute})
    parlour = other.create_text_channel("parlour", overwrites={other.default_role: bare})
    await club.env.settle()
    await club.advance_clock(0)
    (greeting,) = parlour.history()
    assert extract_text(greeting).startswith("### Welcome to the tables")
    assert f"- In <#{parlour.id}> I'm missing Attach Files." in extract_text(greeting)
    assert list_public_messages(club) == []


async def test_where_the_bot_may_write_nowhere_the_owner_is_greeted(club: SimulatedClub) -> None:
    other = create_second_guild(club, "Inn")
    hidden = discord.PermissionOverwrite(view_channel=False)
    cellar = other.create_text_channel("cellar", overwrites={other.default_role: hidden})
    await club.env.settle()
    await club.advance_clock(0)
    assert f"- In <#{cellar.id}> I'm missing View Channel" in extract_text(
        club.ben.user.dm_channel.last_message
    )


@pytest.mark.sweep
async def test_matches_start_in_every_kind_of_channel_that_takes_messages(
    club: SimulatedClub,
) -> None:
    voice = club.guild.create_voice_channel("voice")
    stage = club.guild.create_stage_channel("stage")
    news = club.guild.create_news_channel("news")
    club.env.backend.create_thread(club.channel.id, "corner", club.ana.id)
    (thread,) = club.channel.threads
    places = (voice, stage, news, thread)
    for number, place in enumerate(places):
        chosen = places[: number + 1]
        text = get_ephemeral_text(await change_server(club.ana, club.channel, channels=chosen))
        assert f"<#{place.id}>" in text
        await club.ben.slash(place, "challenge", game="zeno")
        assert "challenges anyone" in extract_text(place.history()[-1])
        assert (await club.store.servers.load_settings(club.guild.id)).channels[number] == place.id
    assert "Matches can't be started in this channel" in get_ephemeral_text(
        await club.ben.slash(club.channel, "challenge", game="zeno")
    )
    text = get_ephemeral_text(await change_server(club.ana, club.channel, channels=places[1:]))
    assert f"<#{voice.id}>" not in text
    club.env.backend.delete_channel(thread.id)
    await club.env.settle()
    assert (await club.store.servers.load_settings(club.guild.id)).channels == (stage.id, news.id)


async def test_matches_of_a_forum_start_in_its_posts(club: SimulatedClub) -> None:
    forum = club.guild.create_forum_channel("forum")
    text = get_ephemeral_text(await change_server(club.ana, club.channel, channels=forum))
    assert f"Matches can start in <#{forum.id}>." in text
    club.env.backend.create_thread(forum.id, "a post", club.ana.id)
    (post,) = forum.threads
    await club.ben.slash(post, "challenge", game="zeno")
    assert "challenges anyone" in extract_text(post.history()[-1])


async def test_news_are_told_in_every_kind_of_channel_that_takes_messages(
    club: SimulatedClub,
) -> None:
    voice = club.guild.create_voice_channel("voice")
    text = get_ephemeral_text(await change_server(club.ana, club.channel, news=voice))
    assert f"<#{voice.id}>" in text


async def test_what_a_voice_channel_lacks_is_named(club: SimulatedClub) -> None:
    closed = discord.PermissionOverwrite(connect=False)
    voice = club.guild.create_voice_channel("voice")
    everyone = club.guild.default_role
    club.env.backend.set_overwrite(
        voice.id, Overwrite(everyone.id, OverwriteType.ROLE, deny=closed.pair()[1].value)
    )
    await club.env.settle()
    text = get_ephemeral_text(await change_server(club.ana, club.channel, channels=voice))
    assert f"- In <#{voice.id}> I'm missing Connect" in text


async def test_a_locked_thread_is_named_as_such(club: SimulatedClub) -> None:
    club.env.backend.create_thread(club.channel.id, "corner", club.ana.id)
    (thread,) = club.channel.threads
    me = club.bot.user
    assert me is not None
    manage = discord.Permissions(manage_threads=True).value
    club.env.backend.set_overwrite(
        club.channel.id, Overwrite(me.id, OverwriteType.MEMBER, deny=manage)
    )
    stored = club.env.backend.get_channel(thread.id).thread_metadata
    assert stored is not None
    stored.locked = True
    club.env.backend.announce_channel_update(thread.id)
    await club.env.settle()
    refusal = (
        "This thread is locked, so I can't post here. Ask a moderator to unlock it, or use "
        "another channel."
    )
    for command, options in (("challenge", {"game": "zeno"}), ("play", {"game": "zeno"})):
        assert get_ephemeral_text(await club.ana.slash(thread, command, **options)) == refusal
    assert await club.store.get(Challenges).load_challenge(1) is None


@pytest.mark.sweep
async def test_a_command_in_a_channel_that_the_bot_cannot_see_is_answered_privately(
    club: SimulatedClub,
) -> None:
    await start_match(club, "zeno")
    me = club.bot.user
    assert me is not None
    hidden = Overwrite(
        me.id, OverwriteType.MEMBER, deny=discord.Permissions(view_channel=True).value
    )
    club.env.backend.set_overwrite(club.channel.id, hidden)
    await club.env.settle()
    message = get_response(await club.ana.slash(club.channel, "match resign")).message
    text = get_ephemeral_text(await club.ana.click(message, label="Leave the match"))
    assert text.startswith(
        "Done in match 1, but I can't show it here: I'm missing the permission View Channel"
    )
    refusal = get_ephemeral_text(await club.ana.slash(club.channel, "challenge", game="zeno"))
    assert refusal.startswith("I'm missing the permission View Channel")
    assert "Closed" in get_ephemeral_text(
        await club.ben.slash(club.channel, "match board", match=1)
    )
