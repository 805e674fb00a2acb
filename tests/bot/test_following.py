"""Following a match by direct message, and the news of a server."""

from dataclasses import replace

import discord
import pytest
import simcord

from bot.app import following, play
from bot.app.play import TOLD_AFTER
from bot.client import Tabula
from bot.store import Often
from tests.bot.conftest import Club, Seeded
from tests.bot.driver import begin, button, called, newest, parts, pictures, said, seen, step, text

pytestmark = pytest.mark.asyncio


def written(person: simcord.MemberActor) -> list[str]:
    """All that was written to somebody alone, the oldest first."""
    return [text(message) for message in person.user.dm_channel.history()]


def lines(club: Club, channel: simcord.ChannelHandle) -> list[str]:
    """The news in a channel."""
    return [text(message) for message in channel.history()]


async def play_a_turn(club: Club) -> None:
    """Let whoever is to act throw and play, so that somebody else is to act."""
    mover = (await play.load(club.bot.app, 1)).to_act
    while (await play.load(club.bot.app, 1)).to_act == mover:
        assert await step(club)


async def test_an_onlooker_is_told_at_the_end_and_no_more(club: Club) -> None:
    await begin(club, "zeno")
    told = said(await club.cyn.slash(club.channel, "follow", match=1))
    assert (
        told == "You're following match 1: I message you when it ends. "
        "Use `/follow match:1` again to stop."
    )
    assert len(written(club.cyn)) == 1
    assert written(club.cyn)[0].startswith(
        "You're following match 1: I message you here when it ends."
    )
    await play_a_turn(club)
    await club.later(TOLD_AFTER)
    assert len(written(club.cyn)) == 1
    await club.ana.slash(club.channel, "resign")
    shown = newest(club)
    await club.later(TOLD_AFTER)
    assert len(written(club.cyn)) == 2
    last = club.cyn.user.dm_channel.last_message
    # A mention would be a bare number to who has not met them.
    assert "**Ben (black) won**: Ana resigned." in text(last)
    assert "<@" not in text(last)
    (there,) = [part.url for part in parts(last) if isinstance(part, discord.ui.Button)]
    assert there == f"https://discord.com/channels/{club.guild.id}/{club.channel.id}/{shown.id}"
    assert len(pictures(last)) == 1
    assert await club.store.follows.of(1) == {}
    assert written(club.ana) == written(club.ben) == []
    assert "Match 1 is over." in said(await club.cyn.slash(club.channel, "follow", match=1))


async def test_whoever_wishes_it_is_told_of_every_turn_once(club: Club) -> None:
    await begin(club, "zeno")
    await club.cyn.slash(club.channel, "follow", match=1, how="turn")
    mover = called(club)
    await play_a_turn(club)
    # What is taken back at once is not told.
    before = await club.store.matches.get(1)
    assert before is not None
    await club.later(TOLD_AFTER // 2)
    assert len(written(club.cyn)) == 1
    await club.later(TOLD_AFTER // 2 + 1)
    assert len(written(club.cyn)) == 2
    assert f"{mover.user.global_name} rolled " in written(club.cyn)[1]
    assert " played `" in written(club.cyn)[1]
    assert "your turn to roll" in written(club.cyn)[1]
    await club.later(TOLD_AFTER)
    assert len(written(club.cyn)) == 2
    await play_a_turn(club)
    await club.later(TOLD_AFTER)
    assert len(written(club.cyn)) == 3


async def test_following_again_stops_it_and_can_be_changed(club: Club) -> None:
    await begin(club, "zeno")
    await club.cyn.slash(club.channel, "follow", match=1)
    assert "after every turn" in said(
        await club.cyn.slash(club.channel, "follow", match=1, how="turn")
    )
    assert await club.store.follows.of(1) == {club.cyn.id: Often.TURN}
    assert (
        said(await club.cyn.slash(club.channel, "follow", match=1))
        == "You're no longer following match 1."
    )
    assert await club.store.follows.of(1) == {}
    sent = len(written(club.cyn))
    await club.ana.slash(club.channel, "resign")
    await club.later(TOLD_AFTER)
    assert len(written(club.cyn)) == sent


async def test_the_wish_outlives_the_program(club: Club) -> None:
    await begin(club, "zeno")
    await club.cyn.slash(club.channel, "follow", match=1)
    await club.ana.slash(club.channel, "resign")
    club.bot = Tabula(club.store, clock=club.hands, entropy=Seeded())
    await club.env.restart_bot(club.bot)
    await club.later(TOLD_AFTER)
    assert len(written(club.cyn)) == 2


async def test_whoever_takes_no_direct_message_is_told_so_and_follows_nothing(club: Club) -> None:
    await begin(club, "zeno")
    club.env.inject_error("POST", "/users/@me/channels", status=403, code=50007)
    assert "I can't send you direct messages" in said(
        await club.cyn.slash(club.channel, "follow", match=1)
    )
    assert await club.store.follows.of(1) == {}


async def test_whoever_closes_their_direct_messages_follows_no_more(club: Club) -> None:
    await begin(club, "zeno")
    await club.cyn.slash(club.channel, "follow", match=1, how="turn")
    await play_a_turn(club)
    club.env.inject_error("POST", "/channels/*/messages", status=403, code=50007)
    await club.later(TOLD_AFTER)
    assert len(written(club.cyn)) == 1
    assert await club.store.follows.of(1) == {}
    assert await club.store.jobs.given_up() == []


@pytest.mark.sweep
async def test_nobody_follows_what_they_may_not_see_nor_too_many(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "MOST", 2)
    for _ in range(3):
        await begin(club, "zeno")
    for match in (1, 2):
        await club.cyn.slash(club.channel, "follow", match=match)
    assert said(await club.cyn.slash(club.channel, "follow", match=3)).startswith(
        "You're following 2 matches, the most"
    )
    # One that one follows already can be changed, and one that is over does not count.
    assert "every turn" in said(await club.cyn.slash(club.channel, "follow", match=2, how="turn"))
    await club.ana.slash(club.channel, "resign", match=1)
    assert said(await club.cyn.slash(club.channel, "follow", match=3)).startswith(
        "You're following match 3"
    )
    tavern = club.env.create_guild("Tavern", owner=club.cyn.user)
    stranger = tavern.add_member(club.env.create_user("dan", global_name="Dan"))
    hall = tavern.create_text_channel("hall")
    assert (
        said(await stranger.slash(hall, "follow", match=2))
        == "Match 2 is being played in another server."
    )
    assert said(await stranger.slash(hall, "follow", match=9)) == "There is no match 9."


async def test_a_server_is_told_which_matches_begin_and_end(club: Club) -> None:
    hall = club.guild.create_text_channel("news")
    told = said(await club.ana.slash(club.channel, "server news", channel=hall))
    assert f"Matches are announced in <#{hall.id}> when they start and end." in told
    assert "7 days a turn" in said(
        await club.ana.slash(club.channel, "server matches", pace="week")
    )
    await begin(club, "zeno")
    shown = newest(club)
    await club.later(TOLD_AFTER)
    there = f"https://discord.com/channels/{club.guild.id}/{club.channel.id}"
    players = f"<@{club.ana.id}> against <@{club.ben.id}>"
    assert lines(club, hall) == [f"[Zeno, match 1]({there}/{shown.id}) has started: {players}."]
    posts = [
        each
        for each in club.env.http_requests
        if each.path.endswith(f"/channels/{hall.id}/messages")
    ]
    assert [each.json["allowed_mentions"] for each in posts if each.json] == [{"parse": []}]
    await club.ana.slash(club.channel, "resign")
    await club.later(TOLD_AFTER)
    assert len(lines(club, hall)) == 2
    assert lines(club, hall)[1].startswith(
        f"[Zeno, match 1]({there}/{newest(club).id}) is over: {players}. **<@"
    )
    # Chosen again it stops; the pace stays.
    assert "announced in" not in said(
        await club.ana.slash(club.channel, "server news", channel=hall)
    )
    assert (await club.store.servers.get(club.guild.id)).pace == "week"
    await begin(club, "zeno")
    await club.later(TOLD_AFTER)
    assert len(lines(club, hall)) == 2


async def test_who_plays_alone_and_a_server_that_wants_none_make_no_news(club: Club) -> None:
    await begin(club, "zeno")
    hall = club.guild.create_text_channel("news")
    await club.later(TOLD_AFTER)
    await club.ana.slash(club.channel, "server news", channel=hall)
    await club.ana.slash(club.channel, "play", game="zeno")
    await club.ana.slash(club.channel, "resign", match=2)
    await club.later(TOLD_AFTER)
    assert lines(club, hall) == []


async def test_a_channel_in_which_nothing_can_be_said_is_refused_and_missed_by_nobody(
    club: Club,
) -> None:
    denied = discord.PermissionOverwrite(send_messages=False)
    hall = club.guild.create_text_channel("news", overwrites={club.guild.default_role: denied})
    told = said(await club.ana.slash(club.channel, "server news", channel=hall))
    assert told.startswith(f"I'm missing the permission Send Messages in <#{hall.id}>.")
    assert (await club.store.servers.get(club.guild.id)).news is None
    # Forbidden or deleted later, it holds up nothing.
    await club.store.servers.change(club.guild.id, lambda server: replace(server, news=hall.id))
    await begin(club, "zeno")
    await club.later(TOLD_AFTER)
    await club.store.servers.change(club.guild.id, lambda server: replace(server, news=77))
    await club.ana.slash(club.channel, "resign")
    await club.later(TOLD_AFTER)
    assert await club.store.jobs.given_up() == []
    assert "won**" in text(seen(club)[-1])
    assert button(newest(club), "rematch:1")
