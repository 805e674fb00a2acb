"""What is played in a channel that some can't see, which is shown only to those who can.

Cyn sees neither the cellar nor, as far as she is told anything, that there are matches in it.
"""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import discord
import pytest
import simcord
from simcord.enums import ChannelType

from bot.features.matches.places import ARCHIVE_DELAY_MS
from bot.features.notifications.jobs import NOTIFY_DELAY_MS
from bot.features.notifications.store import Follows
from bot.features.pages.service import PagePlan
from bot.platform.db.tables import now_ms
from engine.clock import DAY
from tests.bot.test_access import SHOWN, create_channel_hidden_from, hide_channel, list_posts
from tests.bot.test_daily_puzzle import find_match_puzzle_day, post_daily
from tests.bot.test_puzzles import play_badly
from tests.bot.test_threads import enable_threads
from tests.bot.test_visibility import require_same_answers
from tests.support.club import SimulatedClub
from tests.support.contests import create_contest, press_standings
from tests.support.driver import (
    add_member,
    extract_text,
    find_button,
    forge_press,
    get_ephemeral_text,
    get_response,
    give_up,
    start_match,
)
from tests.support.finished import parse_instant, store_matches
from tests.support.moments import turn_clock_to
from tests.support.panels import ask_last_change, change_server, change_settings
from tests.support.public_pages import list_files, open_pages

pytestmark = pytest.mark.asyncio

UNKNOWN = "There is no match 1."


def move_into(club: SimulatedClub, channel: simcord.ChannelHandle) -> SimulatedClub:
    """The club as those know it who play in another of its channels."""
    return replace(club, channel=channel)


async def play_in_cellar(club: SimulatedClub, game: str = "zeno") -> simcord.ChannelHandle:
    """Ana and Ben begin a match in a channel that Cyn can't see."""
    cellar = create_channel_hidden_from(club, club.cyn)
    await start_match(move_into(club, cellar), game)
    return cellar


async def finish_in_cellar(club: SimulatedClub, game: str = "zeno") -> simcord.ChannelHandle:
    """They play one to its end there."""
    cellar = await play_in_cellar(club, game)
    await give_up(club, club.ben, cellar)
    return cellar


async def look(club: SimulatedClub, person: simcord.MemberActor) -> str:
    """What somebody is told in the hall who asks for match 1."""
    return get_ephemeral_text(await person.slash(club.channel, "match board", match=1))


async def open_channel(club: SimulatedClub, channel: simcord.ChannelHandle) -> None:
    """Let Cyn see a channel again, by no rule of her own."""
    club.env.backend.delete_overwrite(channel.id, club.cyn.id)
    await club.env.settle()


@pytest.mark.parametrize("play", [play_in_cellar, finish_in_cellar])
async def test_who_cannot_see_a_channel_is_answered_as_if_it_had_no_match(
    club: SimulatedClub, play: Callable[[SimulatedClub], Awaitable[simcord.ChannelHandle]]
) -> None:
    await play(club)
    pressed = get_response(await club.cyn.slash(club.channel, "help")).message
    ask = partial(club.cyn.slash, club.channel)
    assert await require_same_answers(club, club.cyn, ask, pressed, direct=False) > 70


async def test_its_players_see_it_wherever_they_ask_and_so_does_who_sees_its_channel(
    club: SimulatedClub,
) -> None:
    cellar = await play_in_cellar(club)
    dan = add_member(club, "dan")
    before = len(club.env.http_requests)
    for person in (club.ana, club.ben, dan):
        assert "Match 1" in await look(club, person)
    # Discord says with what somebody asks which roles they have, so it isn't asked again.
    questions = [each.path for each in club.env.http_requests[before:] if each.method == "GET"]
    assert questions == []
    # Those who play it keep it, also where they may no longer see its channel.
    await hide_channel(club, cellar, club.ben)
    assert "Match 1" in await look(club, club.ben)
    assert "Match 1" in get_ephemeral_text(await club.ben.user.slash("match board", match=1))


async def test_a_channel_that_is_hidden_later_or_shown_again_decides_at_once(
    club: SimulatedClub,
) -> None:
    await start_match(club, "zeno")
    hall = club.guild.create_text_channel("hall")
    inside = move_into(club, hall)
    assert "Match 1" in await look(inside, club.cyn)
    await hide_channel(club, club.channel, club.cyn)
    assert await look(inside, club.cyn) == UNKNOWN
    await open_channel(club, club.channel)
    assert "Match 1" in await look(inside, club.cyn)
    # Of a channel that is gone nobody knows who saw it.
    club.env.backend.delete_channel(club.channel.id)
    await club.env.settle()
    assert await look(inside, club.cyn) == UNKNOWN
    assert "Match 1" in await look(inside, club.ana)


async def test_the_role_of_everyone_hides_a_channel_and_a_role_of_one_s_own_shows_it(
    club: SimulatedClub,
) -> None:
    friends = club.guild.create_role("Friends")
    assert club.bot.user is not None
    cellar = club.guild.create_text_channel(
        "cellar",
        overwrites={
            club.guild.default_role: discord.PermissionOverwrite(view_channel=False),
            friends: SHOWN,
            club.bot.user: SHOWN,
        },
    )
    club.env.backend.add_member_role(club.guild.id, club.ben.id, friends.id)
    await club.env.settle()
    await start_match(move_into(club, cellar), "zeno")
    assert await look(club, club.cyn) == UNKNOWN
    club.env.backend.add_member_role(club.guild.id, club.cyn.id, friends.id)
    await club.env.settle()
    assert "Match 1" in await look(club, club.cyn)


async def test_a_private_thread_shows_its_match_to_those_in_it(club: SimulatedClub) -> None:
    backend = club.env.backend
    thread = backend.create_thread(
        club.channel.id, "corner", club.ana.id, type=ChannelType.PRIVATE_THREAD
    )
    for person in (club.bot.application_id or 0, club.ben.id):
        thread.thread_members[person] = backend.now_iso()
    await club.env.settle()
    (corner,) = club.channel.threads
    await start_match(move_into(club, corner), "zeno")
    hall = club.guild.create_text_channel("news")
    await change_server(club.ana, club.channel, news=hall)
    inside = move_into(club, hall)
    assert await look(inside, club.cyn) == UNKNOWN
    thread.thread_members[club.cyn.id] = backend.now_iso()
    assert "Match 1" in await look(inside, club.cyn)
    # Where Discord doesn't answer, nothing is shown.
    club.env.inject_error("GET", "/channels/*/thread-members/*", status=500)
    assert await look(inside, club.cyn) == UNKNOWN
    await club.advance_clock(NOTIFY_DELAY_MS)
    assert list_posts(hall) == []


async def test_the_archived_thread_of_a_match_is_as_its_channel(club: SimulatedClub) -> None:
    await enable_threads(club)
    await start_match(club, "zeno")
    (thread,) = club.channel.threads
    await give_up(club, club.ben, thread, match=1)
    await club.advance_clock(ARCHIVE_DELAY_MS)
    hall = club.guild.create_text_channel("hall")
    inside = move_into(club, hall)
    before = len(club.env.http_requests)
    assert "Match 1" in await look(inside, club.cyn)
    questions = [each.path for each in club.env.http_requests[before:] if each.method == "GET"]
    assert not [each for each in questions if "channels" in each]
    await hide_channel(club, club.channel, club.cyn)
    assert await look(inside, club.cyn) == UNKNOWN


async def test_an_archived_thread_of_somebody_else_s_is_fetched_once(club: SimulatedClub) -> None:
    backend = club.env.backend
    backend.create_thread(club.channel.id, "corner", club.ana.id, type=ChannelType.PUBLIC_THREAD)
    await club.env.settle()
    (corner,) = club.channel.threads
    await start_match(move_into(club, corner), "zeno")
    await give_up(club, club.ben, corner, match=1)
    stored = backend.get_channel(corner.id).thread_metadata
    assert stored is not None
    stored.archived = True
    backend.announce_channel_update(corner.id)
    await club.env.settle()
    server = club.bot.get_guild(club.guild.id)
    assert server is not None
    assert server.get_thread(corner.id) is None
    before = len(club.env.http_requests)
    for _ in range(2):
        assert "Match 1" in await look(club, club.cyn)
    questions = [each.path for each in club.env.http_requests[before:] if each.method == "GET"]
    assert len([each for each in questions if each.endswith(f"/channels/{corner.id}")]) == 1


async def test_neither_history_nor_its_file_nor_a_rating_tells_of_it(club: SimulatedClub) -> None:
    await finish_in_cellar(club)
    hall = move_into(club, club.channel)

    async def read(person: simcord.MemberActor, command: str) -> str:
        answer = await person.slash(hall.channel, command, player=club.ana)
        return get_ephemeral_text(answer)

    async def explain(person: simcord.MemberActor) -> str:
        return get_ephemeral_text(await ask_last_change(person, hall.channel, club.ana))

    assert "atch 1" not in await read(club.cyn, "history")
    assert await explain(club.cyn) == "No rated match that you can see explains this rating."
    dan = add_member(club, "dan")
    assert "atch 1" in await read(dan, "history")
    assert "atch 1" in await explain(dan)
    assert "atch 1" in await read(club.ben, "history")
    # With an open match beside it the open one alone is listed, counted, and in the file.
    await start_match(club, "fallas")
    await give_up(club, club.ana, club.channel, match=2)
    message = get_response(await club.cyn.slash(club.channel, "history", player=club.ana)).message
    text = extract_text(message)
    assert "atch 2" in text
    assert "atch 1" not in text
    saved = await club.cyn.click(message, custom_id=find_button(message, ":json"))
    (file,) = get_response(saved).message.attachments
    content = (await file.read()).decode()
    assert '"number": 2' in content
    assert '"number": 1,' not in content
    assert "atch 2" in await explain(club.cyn)


async def test_it_is_news_only_where_the_same_people_read(club: SimulatedClub) -> None:
    hall = club.guild.create_text_channel("news")
    await change_server(club.ana, club.channel, news=hall)
    cellar = await play_in_cellar(club)
    await give_up(club, club.ben, cellar)
    await club.advance_clock(NOTIFY_DELAY_MS)
    assert list_posts(hall) == []
    # In the cellar itself, and in another channel that is hidden from the same people, it is.
    for name in ("cellar", "attic"):
        where = cellar
        if name == "attic":
            where = create_channel_hidden_from(club, club.cyn, name=name)
        before = len(list_posts(where))
        await change_server(club.ana, club.channel, news=where)
        await start_match(move_into(club, cellar), "zeno")
        await club.advance_clock(NOTIFY_DELAY_MS)
        news = [each for each in list_posts(where)[before:] if "has started" in each]
        assert len(news) == 1, name


async def test_a_replay_is_shared_only_where_all_could_see_the_match(club: SimulatedClub) -> None:
    cellar = await finish_in_cellar(club)
    for person in (club.ana, club.ben):
        answer = await person.slash(club.channel, "match replay", match=1, share=True)
        assert get_ephemeral_text(answer) == (
            f"Not everyone here can see <#{cellar.id}>, so I won't show here what is played "
            "there. Share it in that channel."
        )
    assert list_posts(club.channel) == []
    before = len(list_posts(cellar))
    await club.ben.slash(cellar, "match replay", match=1, share=True)
    assert len(list_posts(cellar)) == before + 1


async def test_who_follows_it_stops_once_its_channel_is_hidden(club: SimulatedClub) -> None:
    await start_match(club, "zeno")
    await club.cyn.slash(club.channel, "match follow", match=1)
    dan = add_member(club, "dan")
    await dan.slash(club.channel, "match follow", match=1)
    before = len(list(club.cyn.user.dm_channel.history()))
    await hide_channel(club, club.channel, club.cyn)
    await give_up(club, club.ben, club.channel)
    await club.advance_clock(NOTIFY_DELAY_MS)
    assert len(list(club.cyn.user.dm_channel.history())) == before
    assert await club.store.get(Follows).load_followers(1) == {}
    assert "Ben resigned" in extract_text(dan.user.dm_channel.last_message)


async def test_public_pages_leave_it_out_and_remove_it_once_it_is_hidden(
    club: SimulatedClub, tmp_path: Path
) -> None:
    writer = await open_pages(club, tmp_path / "pages")
    await finish_in_cellar(club)
    await start_match(club, "fallas")
    await give_up(club, club.ana, club.channel, match=2)
    await writer.write_pages()

    def list_pages() -> list[str]:
        return [name for name in list_files(tmp_path / "pages") if "/matches/" in name]

    def is_shown(text: str) -> bool:
        return any(text.encode() in each for each in list_files(tmp_path / "pages").values())

    assert [name for name in list_pages() if name.endswith(".html")] == [
        f"servers/{club.guild.id}/matches/2.html"
    ]
    assert not is_shown("matches/1.html")
    assert not is_shown("match 1,")
    plan = club.bot.app.get_part(PagePlan)
    plan.due.clear()
    await hide_channel(club, club.channel, club.cyn)
    # They are written at once, and not at their next turn.
    assert plan.due.is_set()
    await writer.write_pages()
    assert list_pages() == []
    await open_channel(club, club.channel)
    await writer.write_pages()
    assert f"servers/{club.guild.id}/matches/2.html" in list_pages()


async def test_the_digest_counts_and_names_only_what_its_readers_can_see(
    club: SimulatedClub,
) -> None:
    club.hands.ahead = parse_instant("2027-03-17 12:00") - now_ms()
    hall = club.guild.create_text_channel("digests")
    await change_server(club.ana, club.channel, digest=hall)
    cellar = await finish_in_cellar(club)
    inside = move_into(club, cellar)
    await create_contest(club.ana, cellar, "league", name="Secret league", game="fallas")
    await create_contest(club.ana, cellar, "ladder", name="Secret ladder", game="fallas")
    await turn_clock_to(club, parse_instant("2027-03-22 09:01"))
    assert list_posts(hall) == []
    await start_match(club, "fallas")
    await give_up(club, club.ana, club.channel, match=2)
    await start_match(inside, "pyf")
    await give_up(inside, club.ana, cellar, match=3)
    await turn_clock_to(club, parse_instant("2027-03-29 09:01"))
    (digest,) = list_posts(hall)
    assert "1 finished by 2 players" in digest
    assert "Pyf" not in digest
    assert "Secret" not in digest


async def test_a_manager_who_cannot_see_it_is_not_told_of_the_longest_match(
    club: SimulatedClub,
) -> None:
    cellar = await finish_in_cellar(club)
    season = [(club.hands() - DAY, club.ana.id, club.ben.id, "gold")] * 5
    await store_matches(
        club.store, season, guild=club.guild.id, channel=cellar.id, turns=(60, 61, 62, 63, 64)
    )
    staff = club.guild.create_role("Staff", permissions=discord.Permissions(manage_guild=True))
    for person in (club.cyn, club.ben):
        club.env.backend.add_member_role(club.guild.id, person.id, staff.id)
    await club.env.settle()
    answer = await club.cyn.slash(club.channel, "server stats")
    assert "Longest match" not in get_ephemeral_text(answer)
    assert "Longest match" in get_ephemeral_text(await club.ben.slash(club.channel, "server stats"))
    await club.ben.slash(club.channel, "server stats", share=True)
    assert "Longest match" not in list_posts(club.channel)[-1]


async def test_no_puzzle_is_made_of_it_while_it_is_hidden(club: SimulatedClub) -> None:
    await play_badly(club, 4)
    await post_daily(club, "2027-03-01 07:00")
    await turn_clock_to(club, parse_instant("2027-03-01 08:01"))
    await change_settings(club.ana, club.channel, shares=True)
    await hide_channel(club, club.channel, club.cyn)
    assert await find_match_puzzle_day(club) is None
    await open_channel(club, club.channel)
    assert await find_match_puzzle_day(club) is not None


async def test_a_league_and_a_ladder_are_shown_to_those_who_see_their_channel(
    club: SimulatedClub,
) -> None:
    cellar = create_channel_hidden_from(club, club.cyn)
    await create_contest(club.ana, cellar, "league", name="Secret league", game="fallas")
    await create_contest(club.ana, cellar, "ladder", name="Secret ladder", game="fallas")
    await press_standings(club.ben, cellar, "league", "join")
    await press_standings(club.ben, cellar, "ladder", "join")
    refusal = (
        f"You can't see <#{cellar.id}>, where the matches are played. "
        "Ask a moderator to let you in."
    )
    asked = [
        ("league standings", {}),
        ("ladder standings", {}),
        ("history", {"contest": "1"}),
        ("history", {"ladder": "1"}),
    ]
    for name, options in asked:
        answer = await club.cyn.slash(club.channel, name, **options)
        assert get_ephemeral_text(answer) == refusal, name
    pressed = get_response(await club.cyn.slash(club.channel, "help")).message
    for custom_id in ("leaguetable:1", f"history:{club.ana.id}::1:0", "standingsfile:1:csv"):
        answer = await forge_press(club, club.cyn, pressed, custom_id)
        assert get_ephemeral_text(answer) == refusal, custom_id
    for name, option in (("league standings", "league"), ("ladder standings", "ladder")):
        assert await club.cyn.autocomplete(club.channel, name, option, "") == []
        assert len(await club.ben.autocomplete(club.channel, name, option, "")) == 1
    # Nor is it shared where not everyone sees it, whoever asks.
    for name in ("league standings", "ladder standings"):
        answer = await club.ben.slash(club.channel, name, share=True)
        assert get_ephemeral_text(answer).startswith(f"Not everyone here can see <#{cellar.id}>")
    assert list_posts(club.channel) == []
    # Who takes part sees it, also where the channel is hidden from them by now.
    await hide_channel(club, cellar, club.ben)
    answer = await club.ben.slash(club.channel, "league standings")
    assert "Secret league" in get_ephemeral_text(answer)
