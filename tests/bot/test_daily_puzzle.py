"""The puzzle that posts itself: once a day by the server's clocks, with the last solution."""

import asyncio
from datetime import UTC, datetime, timedelta

import discord
import pytest
import simcord
from sqlalchemy import update

from bot.client import now_ms
from bot.features.daily_puzzle.jobs import PostDailyPuzzle
from bot.features.puzzles import service as puzzles
from bot.features.puzzles.match_puzzles import (
    MATCH_PUZZLE_EVERY,
    MatchPuzzle,
    MatchPuzzleCache,
)
from bot.features.puzzles.service import SERVER, PuzzlePlace
from bot.features.schedules.rows import PostKind, ScheduledPost
from bot.features.schedules.store import table as scheduled_posts
from engine.clock import DAY, HOUR, MINUTE
from engine.players.puzzles import Puzzle
from tests.bot.conftest import SimulatedClub
from tests.bot.driver import (
    extract_text,
    get_ephemeral_text,
    get_response,
    list_button_labels,
    list_menus,
    list_pictures,
    list_public_messages,
)
from tests.bot.moments import run_job, turn_clock_to
from tests.bot.panels import change_server, change_settings
from tests.bot.test_puzzles import play_badly
from tests.store.finished import parse_instant

pytestmark = pytest.mark.asyncio


async def post_daily(club: SimulatedClub, at: str, zone: str = "Berlin", hour: int = 9) -> str:
    """Have the puzzle posted in the club's channel from an instant on; returns what is told."""
    club.hands.ahead = parse_instant(at) - now_ms()
    await change_server(club.ana, club.channel, zone=zone)
    told = await club.ana.slash(club.channel, "server puzzle", channel=club.channel, hour=hour)
    return get_ephemeral_text(told)


def list_posts(club: SimulatedClub) -> list[discord.Message]:
    """The puzzles that were posted, the oldest first."""
    return [
        message
        for message in list_public_messages(club)
        if extract_text(message).startswith("### Puzzle of the day: ")
    ]


async def load_puzzle(club: SimulatedClub) -> Puzzle:
    """The server's present puzzle."""
    place = PuzzlePlace(SERVER, club.guild.id)
    return (await puzzles.load_daily_puzzle(club.bot.app, place, 0)).puzzle


async def answer_post(
    club: SimulatedClub, person: simcord.MemberActor, *, right: bool = True
) -> str:
    """Somebody opens the puzzle by the button of its post and plays; returns what they are told."""
    opened = get_response(await person.click(list_posts(club)[-1], label="Solve it"))
    assert opened.ephemeral
    play = (await load_puzzle(club)).answers[0 if right else -1].play
    return get_ephemeral_text(await person.slash(club.channel, "move", play=play))


@pytest.mark.parametrize(
    ("first", "changed", "before", "after"),
    [
        # At 2:00 by the clocks of Berlin, an hour that is skipped on 28 March 2027.
        ("2027-03-15", "2027-03-29", timedelta(hours=1), timedelta(hours=0)),
        # It comes twice on 31 October, and the first time counts.
        ("2027-10-16", "2027-11-01", timedelta(hours=0), timedelta(hours=1)),
    ],
)
async def test_a_month_of_puzzles_comes_once_a_day_while_the_clocks_change(
    club: SimulatedClub, first: str, changed: str, before: timedelta, after: timedelta
) -> None:
    begin = datetime.fromisoformat(first).replace(tzinfo=UTC)
    await post_daily(club, f"{(begin - timedelta(hours=4)).replace(tzinfo=None)}", hour=2)
    assert list_posts(club) == []
    seen: list[str] = []
    for number in range(30):
        day = begin + timedelta(days=number)
        later = day.replace(tzinfo=None) >= datetime.fromisoformat(changed)
        due = round((day + (after if later else before)).timestamp() * 1000)
        await turn_clock_to(club, due - 2 * MINUTE)
        assert len(list_posts(club)) == number
        await turn_clock_to(club, due + MINUTE)
        posts = list_posts(club)
        assert len(posts) == number + 1
        # Only the newest can be answered.
        assert [list_button_labels(post) for post in posts] == [
            *([[]] * number),
            ["Solve it"],
        ]
        text = extract_text(posts[-1])
        puzzle = await load_puzzle(club)
        assert puzzle.id not in seen
        seen.append(puzzle.id)
        if number > 1:
            solvers = f"<@{club.ana.id}>" + (f" and <@{club.ben.id}>" if number % 2 else "")
            assert f" Solved by {solvers}." in text
            assert f"**Longest streaks**: <@{club.ana.id}> ({number} days)" in text
            assert f"<@{club.cyn.id}>" not in text
        assert "### Correct!" in await answer_post(club, club.ana)
        if number % 2 == 0:
            await answer_post(club, club.ben)
        elif not puzzle.is_forced:
            assert "### There was a better play" in await answer_post(club, club.ben, right=False)
        assert len(list_posts(club)) == number + 1
    streak = await club.store.puzzles.get_streak(club.ana.id)
    assert streak is not None
    assert streak.streak == 30


async def test_a_post_says_what_the_last_solution_was_and_gives_nothing_away(
    club: SimulatedClub,
) -> None:
    told = await post_daily(club, "2027-03-01 08:30")
    assert told.startswith(
        f"The daily puzzle is posted in <#{club.channel.id}> every day at 9:00 (Europe/Berlin), "
        "next <t:"
    )
    # It was 9:30 in Berlin, so the first comes tomorrow.
    await turn_clock_to(club, parse_instant("2027-03-01 23:30"))
    assert list_posts(club) == []
    await turn_clock_to(club, parse_instant("2027-03-02 08:01"))
    (first,) = list_posts(club)
    text = extract_text(first)
    assert text.startswith("### Puzzle of the day: Zeno\n-# Bring all fifteen men round the board")
    assert "**Gold** has 6-5-2 to play and only one legal play. Find it." in text
    assert "Only you see your answer, and the first one counts." in text
    assert "The solution, with the names of those who solved it, and the next puzzle come" in text
    assert "Solution" not in text
    assert "k-q" not in text
    (picture,) = list_pictures(first)
    assert "Gold (you): 7 on f" in (picture.description or "")
    opened = get_response(await club.ana.click(first, label="Solve it"))
    assert opened.ephemeral
    assert "The next puzzle comes <t:" in extract_text(opened.message)
    assert list_menus(opened.message)
    assert "Correct!" in get_ephemeral_text(
        await club.ana.slash(club.channel, "move", play="k-q t-z u-x")
    )
    assert "k-q" not in extract_text(list_posts(club)[0])
    # By UTC another day has begun, but the puzzle is the one that is posted.
    await turn_clock_to(club, parse_instant("2027-03-03 07:50"))
    assert "Correct!" in await answer_post(club, club.ben)
    assert (await load_puzzle(club)).game == "zeno"
    await turn_clock_to(club, parse_instant("2027-03-03 08:01"))
    closed, second = list_posts(club)
    assert (
        f"**Solution of the last puzzle**: in [Zeno]({closed.jump_url}) the only legal play was "
        f"k-q t-z u-x. Solved by <@{club.ana.id}> and <@{club.ben.id}>."
    ) in extract_text(second).replace("`", "")
    assert "Longest streaks" not in extract_text(second)
    assert list_button_labels(closed) == []
    assert f"This puzzle is over. [Its solution]({second.jump_url})" in extract_text(closed)
    assert len(list_pictures(closed)) == 1
    # The third says that nobody answered the second.
    await turn_clock_to(club, parse_instant("2027-03-04 08:01"))
    assert "Nobody answered." in extract_text(list_posts(club)[-1])


async def test_a_card_that_was_opened_before_the_next_post_no_longer_counts(
    club: SimulatedClub,
) -> None:
    await post_daily(club, "2027-03-01 07:00")
    await turn_clock_to(club, parse_instant("2027-03-01 08:01"))
    await club.ana.click(list_posts(club)[0], label="Solve it")
    await turn_clock_to(club, parse_instant("2027-03-02 08:01"))
    told = get_ephemeral_text(await club.ana.slash(club.channel, "move", play="k-q t-z u-x"))
    assert "Correct!" not in told
    assert await club.store.puzzles.get_streak(club.ana.id) is None


async def test_days_that_were_missed_are_not_posted_one_after_another(
    club: SimulatedClub,
) -> None:
    await post_daily(club, "2027-03-01 07:00")
    await turn_clock_to(club, parse_instant("2027-03-01 08:01"))
    assert len(list_posts(club)) == 1
    # The machine is off for three days, and is back in the afternoon.
    await turn_clock_to(club, parse_instant("2027-03-05 15:00"))
    assert len(list_posts(club)) == 2
    await turn_clock_to(club, parse_instant("2027-03-06 08:01"))
    assert len(list_posts(club)) == 3
    # Back just before the next one is due it leaves out the last.
    await turn_clock_to(club, parse_instant("2027-03-09 07:50"))
    assert len(list_posts(club)) == 3
    await turn_clock_to(club, parse_instant("2027-03-09 08:01"))
    assert len(list_posts(club)) == 4


async def get_post(club: SimulatedClub) -> ScheduledPost:
    """What is stored of the club's puzzle."""
    post = await club.store.scheduled_posts.get(club.guild.id, PostKind.PUZZLE)
    assert post is not None
    return post


async def test_run_twice_or_by_two_processes_it_is_posted_once(club: SimulatedClub) -> None:
    await post_daily(club, "2027-03-01 07:00")
    club.hands.ahead += HOUR + MINUTE
    await asyncio.gather(
        run_job(club, PostDailyPuzzle(club.guild.id)), run_job(club, PostDailyPuzzle(club.guild.id))
    )
    assert len(list_posts(club)) == 1
    await run_job(club, PostDailyPuzzle(club.guild.id))
    await turn_clock_to(club, club.hands() + MINUTE)
    assert len(list_posts(club)) == 1
    assert (await get_post(club)).message == list_posts(club)[0].id


async def test_killed_after_it_was_posted_it_is_found_again(club: SimulatedClub) -> None:
    await post_daily(club, "2027-03-01 07:00")
    before = await get_post(club)
    await turn_clock_to(club, parse_instant("2027-03-01 08:01"))
    (posted,) = list_posts(club)
    # What was posted was not saved, and Discord, as here, no longer knows the message's name.
    await forget_result(club, before)
    await run_job(club, PostDailyPuzzle(club.guild.id))
    assert [message.id for message in list_posts(club)] == [posted.id]
    after = await get_post(club)
    assert (after.message, after.day) == (posted.id, before.day + 1)


async def forget_result(club: SimulatedClub, before: ScheduledPost) -> None:
    """Let it be stored that a post was begun, and no more."""
    forgotten = update(scheduled_posts).values(
        day=before.day, begun=before.day + 1, place=None, message=None, subject=None
    )
    await club.store._database.write(  # noqa: SLF001
        lambda connection: connection.execute(forgotten)
    )


async def test_without_the_channel_or_a_permission_it_is_quiet_and_the_settings_say_so(
    club: SimulatedClub,
) -> None:
    hall = club.guild.create_text_channel("hall")
    club.hands.ahead = parse_instant("2027-03-01 07:00") - now_ms()
    await club.ana.slash(club.channel, "server puzzle", channel=hall, hour=8)
    club.env.backend.delete_channel(hall.id)
    await club.env.settle()
    await turn_clock_to(club, parse_instant("2027-03-01 09:00"))
    assert await club.store.jobs.load_failed(club.guild.id) == []
    assert await club.store.jobs.load_given_up() == []
    told = get_ephemeral_text(await change_server(club.ana, club.channel))
    assert f"- In <#{hall.id}> I'm missing View Channel" in told
    told = get_ephemeral_text(await club.ana.slash(club.channel, "server puzzle"))
    assert f"- In <#{hall.id}> I'm missing View Channel" in told
    # In another channel it comes again on the next day, with no word of what was missed.
    await club.ana.slash(club.channel, "server puzzle", channel=club.channel)
    await turn_clock_to(club, parse_instant("2027-03-02 08:01"))
    (post,) = list_posts(club)
    assert "Solution" not in extract_text(post)
    mute = discord.PermissionOverwrite(send_messages=False)
    attic = club.guild.create_text_channel("attic", overwrites={club.guild.default_role: mute})
    refused = get_ephemeral_text(await club.ana.slash(club.channel, "server puzzle", channel=attic))
    assert "Send Messages" in refused
    assert (await get_post(club)).channel == club.channel.id


async def test_discord_refusing_once_does_not_lose_the_day(club: SimulatedClub) -> None:
    await post_daily(club, "2027-03-01 07:00")
    club.env.inject_error("POST", f"/channels/{club.channel.id}/messages", status=500)
    await turn_clock_to(club, parse_instant("2027-03-01 08:01"))
    await club.advance_clock(10 * MINUTE)
    assert len(list_posts(club)) == 1


async def test_off_stops_it_and_on_again_posts_no_second_one_that_day(
    club: SimulatedClub,
) -> None:
    await post_daily(club, "2027-03-01 07:00")
    await turn_clock_to(club, parse_instant("2027-03-01 08:01"))
    await answer_post(club, club.ana)
    off = get_ephemeral_text(await club.ana.slash(club.channel, "server puzzle", off=True))
    assert off.startswith("The daily puzzle isn't posted in this server.")
    told = get_ephemeral_text(
        await club.ana.slash(club.channel, "server puzzle", channel=club.channel, hour=17)
    )
    assert "every day at 17:00 (Europe/Berlin)" in told
    await turn_clock_to(club, parse_instant("2027-03-01 16:01"))
    assert len(list_posts(club)) == 1
    await turn_clock_to(club, parse_instant("2027-03-02 16:01"))
    assert len(list_posts(club)) == 2
    await club.ana.slash(club.channel, "server puzzle", off=True)
    await turn_clock_to(club, parse_instant("2027-03-09 16:01"))
    assert len(list_posts(club)) == 2
    assert await club.store.puzzles.load_day_result(club.guild.id, 0) == (
        await club.store.puzzles.load_day_result(club.guild.id, parse_instant("2027-03-01") // DAY)
    )


async def test_another_time_zone_holds_at_once(club: SimulatedClub) -> None:
    await post_daily(club, "2027-03-01 10:00")
    await change_server(club.ana, club.channel, zone="America/New_York")
    await turn_clock_to(club, parse_instant("2027-03-01 13:59"))
    assert list_posts(club) == []
    # In New York it is nine at 14:00 UTC, but that day was over in Berlin.
    await turn_clock_to(club, parse_instant("2027-03-02 13:59"))
    assert list_posts(club) == []
    await turn_clock_to(club, parse_instant("2027-03-02 14:01"))
    assert len(list_posts(club)) == 1


async def find_match_puzzle_day(club: SimulatedClub) -> Puzzle | None:
    """Let days go by until a puzzle from a match is posted, if any is within two rounds."""
    for _ in range(2 * MATCH_PUZZLE_EVERY):
        await turn_clock_to(club, club.hands() + DAY)
        puzzle = await load_puzzle(club)
        if isinstance(puzzle, MatchPuzzle):
            return puzzle
    return None


async def test_positions_of_matches_become_puzzles_by_permission_alone(
    club: SimulatedClub,
) -> None:
    await play_badly(club, 4)
    await post_daily(club, "2027-03-01 07:00")
    await turn_clock_to(club, parse_instant("2027-03-01 08:01"))
    # Nobody has allowed it.
    assert await find_match_puzzle_day(club) is None
    told = get_ephemeral_text(await change_settings(club.ana, club.channel, shares=True))
    assert "Positions of your matches can become the daily puzzle of the server" in told
    puzzle = await find_match_puzzle_day(club)
    assert puzzle is not None
    assert puzzle.game == "backgammon"
    text = extract_text(list_posts(club)[-1])
    assert text.startswith("### Puzzle of the day: Backgammon")
    assert "From a match in this server, with its players' permission." in text
    assert f"<@{club.ana.id}>" not in text
    # It is the same after a restart, and others solve it as any other.
    club.bot.app.get_part(MatchPuzzleCache).found.clear()
    assert await load_puzzle(club) == puzzle
    assert "### Correct!" in await answer_post(club, club.ben)
    await turn_clock_to(club, club.hands() + DAY)
    closed, newest = list_posts(club)[-2:]
    assert f"in [Backgammon]({closed.jump_url}) the best play" in extract_text(newest)
    assert f"Solved by <@{club.ben.id}>." in extract_text(newest)
    assert list_button_labels(closed) == []
    # None comes once the permission is withdrawn.
    await change_settings(club.ana, club.channel, shares=False)
    assert await find_match_puzzle_day(club) is None


async def test_only_managers_choose_where_it_is_posted(club: SimulatedClub) -> None:
    (server,) = [each for each in await club.bot.tree.fetch_commands() if each.name == "server"]
    # A server can offer its commands to others, who still may not manage it.
    club.guild.set_command_permissions(server, {club.ben: True})
    told = get_ephemeral_text(
        await club.ben.slash(club.channel, "server puzzle", channel=club.channel)
    )
    assert told == "Only members who may manage this server can change its settings."
    assert await club.store.scheduled_posts.get(club.guild.id, PostKind.PUZZLE) is None
