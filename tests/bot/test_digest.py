"""A club's week: posted on Mondays by its clocks, once, and not at all if nobody played."""

import asyncio

import discord
import pytest

from bot.features.contests.store import Contests
from bot.features.matches.loading import load_history, load_session
from bot.features.posts.delivery import PostDigest
from bot.features.posts.rows import PostKind
from bot.features.posts.store import ScheduledPosts
from bot.features.reports.service import load_report
from bot.features.reports.store import Reports
from bot.platform.db.tables import now_ms
from engine.clock import DAY, HOUR, MINUTE
from tests.bot.test_ladders import begin, open_ladder
from tests.bot.test_tournaments import play_out, start_tournament
from tests.support import driver
from tests.support.club import SimulatedClub
from tests.support.contests import create_contest
from tests.support.finished import parse_instant, store_matches
from tests.support.moments import run_job, turn_clock_to
from tests.support.panels import SERVER_IDS, change_server, get_chosen, open_server_section

pytestmark = pytest.mark.asyncio

MONDAY = "2027-03-22 08:00"
"""Nine in Berlin, a week before its clocks change."""


async def choose_digest(club: SimulatedClub, at: str) -> str:
    """Have the digest posted from an instant on; returns what is told."""
    club.hands.ahead = parse_instant(at) - now_ms()
    await change_server(club.ana, club.channel, zone="Berlin")
    answer = await change_server(club.ana, club.channel, digest=club.channel)
    return driver.get_ephemeral_text(answer)


def list_digests(club: SimulatedClub) -> list[discord.Message]:
    """The digests that were posted, the oldest first."""
    return driver.list_posts(club, "### The week from ")


async def test_a_week_is_told_on_monday_and_one_without_matches_is_not(
    club: SimulatedClub,
) -> None:
    text = await choose_digest(club, "2027-03-17 12:00")
    assert (
        f"Saved. The digest of the week is posted in <#{club.channel.id}> on Mondays at 9:00 "
        "(Europe/Berlin), unless no match was finished. The next one comes <t:1805702400:R>."
    ) in text
    ana, ben, cyn = club.ana.id, club.ben.id, club.cyn.id
    # Midnight in Berlin is 23:00 UTC.
    begins, ends = parse_instant("2027-03-14 23:00"), parse_instant("2027-03-21 23:00")
    inside = [
        (begins, ana, ben, "gold"),
        (ends - 1, ana, cyn, "gold"),
        (ends - HOUR, ben, cyn, "black"),
    ]
    outside = [(begins - 1, ana, ben, "black"), (ends, ben, ana, "gold")]
    await store_matches(
        club.store, inside, guild=club.guild.id, channel=club.channel.id, turns=(20, 61, 7)
    )
    await store_matches(
        club.store, outside, guild=club.guild.id, channel=club.channel.id, turns=(99, 99)
    )
    await store_matches(
        club.store,
        [(begins, ben, ana, "gold")],
        guild=club.guild.id,
        channel=club.channel.id,
        game="pyf",
    )
    annulled = [(begins + DAY, ben, ana, "gold")]
    await store_matches(
        club.store, annulled, guild=club.guild.id, channel=club.channel.id, how="annulled"
    )
    await store_matches(club.store, [(begins, ben, ana, "gold")], guild=5)
    await turn_clock_to(club, parse_instant("2027-03-22 07:59"))
    assert list_digests(club) == []
    await turn_clock_to(club, parse_instant("2027-03-22 08:01"))
    (digest,) = list_digests(club)
    heading, *lines = driver.extract_text(digest).splitlines()
    # From noon to noon: 15 and 21 March at 12:00 in Berlin.
    assert heading == "### The week from <t:1805108400:D> to <t:1805626800:D>"
    assert lines[:2] == [
        "**Matches**: 4 finished by 3 players. Most played: Zeno (3) and Pyf (1).",
        f"**Most wins**: <@{ana}> (2), <@{ben}> (1) and <@{cyn}> (1)",
    ]
    there = f"https://discord.com/channels/{club.guild.id}/{club.channel.id}"
    longest = f"[match 2]({there}), Zeno, <@{ana}> against <@{cyn}>, 61 turns"
    assert lines[2] == f"**Longest match**: {longest}"
    assert "Leagues and tournaments won" not in driver.extract_text(digest)
    # The one of Monday early is of the next week, which is told an hour earlier by UTC.
    await turn_clock_to(club, parse_instant("2027-03-29 06:59"))
    assert len(list_digests(club)) == 1
    await turn_clock_to(club, parse_instant("2027-03-29 07:01"))
    assert len(list_digests(club)) == 2
    assert "**Matches**: 1 finished by 2 players." in driver.extract_text(list_digests(club)[1])
    await turn_clock_to(club, parse_instant("2027-04-12 07:01"))
    assert len(list_digests(club)) == 2


async def test_who_won_what_and_what_comes_next(club: SimulatedClub) -> None:
    await choose_digest(club, "2027-03-17 12:00")
    ids = await start_tournament(club, 4, format="knock-out", game="fallas")
    await play_out(club, ids)
    people = await open_ladder(club, 3)
    await create_contest(club.ana, club.channel, "league", name="Spring *league*", game="zeno")
    await turn_clock_to(club, parse_instant("2027-03-17 18:00"))
    assert list_digests(club) == []
    await turn_clock_to(club, parse_instant("2027-03-22 08:01"))
    (digest,) = list_digests(club)
    text = driver.extract_text(digest)
    assert "**Leagues and tournaments won**\n- [" in text
    assert f"): <@{ids[0]}>\n" in text
    assert f"- [Club ladder](https://discord.com/channels/{club.guild.id}/" in text
    assert f"): <@{people[0].id}> leads." in text
    number = await begin(club, people[2], people[0])
    await driver.give_up(club, people[0], club.channel, number)
    await turn_clock_to(club, parse_instant("2027-03-29 07:01"))
    text = driver.extract_text(list_digests(club)[1])
    assert f"<@{people[2].id}> leads now, in place of <@{people[0].id}>." in text
    assert "Leagues and tournaments won" not in text


async def test_the_next_deadlines_are_told(club: SimulatedClub) -> None:
    await choose_digest(club, "2027-03-21 12:00")
    ana, ben = club.ana.id, club.ben.id
    when = parse_instant("2027-03-20 12:00")
    await store_matches(
        club.store, [(when, ana, ben, "gold")], guild=club.guild.id, channel=club.channel.id
    )
    await create_contest(club.ana, club.channel, "league", name="Spring *league*", game="zeno")
    (league,) = await club.store.get(Contests).load_by_server(club.guild.id)
    await turn_clock_to(club, parse_instant("2027-03-22 08:01"))
    text = driver.extract_text(list_digests(club)[0])
    assert "**Next deadlines**\n- [Spring \\*league\\*](https://discord.com/" in text
    assert f"): sign-up closes <t:{league.starts // 1000}:R>" in text


async def test_the_luckiest_throw_of_matches_with_a_report_is_told(club: SimulatedClub) -> None:
    await choose_digest(club, "2027-03-17 12:00")
    # Until somebody had luck; a match of Fallas could be over by then.
    await driver.start_match(club, "backgammon", rated=False)
    while (await load_session(club.bot.app, 1)).match.version < 24:
        assert await driver.take_next_action(club)
    await driver.give_up(club, club.ana, club.channel)
    await club.ana.slash(club.channel, "match report", match=1)
    async with asyncio.timeout(60):
        while await club.store.get(Reports).load_report(1) is None:  # noqa: ASYNC110 - another process makes it
            await asyncio.sleep(0.05)
    session = await load_session(club.bot.app, 1)
    report = await load_report(club.bot.app, session)
    assert report is not None
    best = max((each for each in report.judged if each.thrown), key=lambda each: each.luck)
    happened = await load_history(club.bot.app, session.row)
    thrown = happened[best.version - 1].after.thrown
    (thrower,) = session.list_players(best.side)
    await turn_clock_to(club, parse_instant("2027-03-22 08:01"))
    text = driver.extract_text(list_digests(club)[0])
    dice = "-".join(map(str, thrown))
    assert f"**Luckiest throw**: {dice} by <@{thrower}> in [match 1](https://" in text
    assert f"), {best.luck:+.2f} over an average throw" in text


async def test_run_twice_or_by_two_processes_it_is_posted_once(club: SimulatedClub) -> None:
    await choose_digest(club, "2027-03-21 12:00")
    ana, ben = club.ana.id, club.ben.id
    when = parse_instant("2027-03-20 12:00")
    await store_matches(
        club.store, [(when, ana, ben, "gold")], guild=club.guild.id, channel=club.channel.id
    )
    club.hands.ahead += parse_instant(MONDAY) - club.hands() + MINUTE
    await asyncio.gather(
        run_job(club, PostDigest(club.guild.id)), run_job(club, PostDigest(club.guild.id))
    )
    await run_job(club, PostDigest(club.guild.id))
    await turn_clock_to(club, parse_instant("2027-03-22 08:05"))
    assert len(list_digests(club)) == 1


async def test_off_by_default_and_off_again(club: SimulatedClub) -> None:
    ana, ben = club.ana.id, club.ben.id
    when = parse_instant("2027-03-20 12:00")
    await store_matches(
        club.store, [(when, ana, ben, "gold")], guild=club.guild.id, channel=club.channel.id
    )
    shown = driver.get_response(await open_server_section(club.ana, club.channel, "posts")).message
    assert get_chosen(shown, SERVER_IDS["digest"]) == []
    await choose_digest(club, "2027-03-21 12:00")
    off = driver.get_ephemeral_text(await change_server(club.ana, club.channel, digest=[]))
    assert "Saved. No weekly digest is posted in this server." in off
    await turn_clock_to(club, parse_instant("2027-03-22 08:01"))
    assert list_digests(club) == []
    post = await club.store.get(ScheduledPosts).load_post(club.guild.id, PostKind.DIGEST)
    assert post is not None
    assert post.channel is None
