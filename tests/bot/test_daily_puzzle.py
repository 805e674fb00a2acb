"""The puzzle that posts itself: once a day by the server's clocks, with the last solution."""

import asyncio
from datetime import UTC, datetime, timedelta

import discord
import pytest
import simcord
from sqlalchemy import update

from bot.features.posts.rows import PostKind, ScheduledPost
from bot.features.posts.store import ScheduledPosts
from bot.features.posts.store import table as scheduled_posts
from bot.features.puzzles import service as puzzles
from bot.features.puzzles.commands import PostDailyPuzzle
from bot.features.puzzles.match_puzzles import (
    MATCH_PUZZLE_EVERY,
    MatchPuzzle,
    MatchPuzzleCache,
)
from bot.features.puzzles.service import SERVER, PuzzlePlace
from bot.features.puzzles.store import Puzzles
from bot.platform.db.tables import now_ms
from engine.clock import DAY, HOUR, MINUTE
from engine.players.puzzles import Puzzle
from tests.bot.test_puzzles import EVERY, EXACT, MOVING, play_badly, set_puzzle
from tests.support.club import SimulatedClub
from tests.support.driver import (
    extract_text,
    get_ephemeral_text,
    get_response,
    list_button_labels,
    list_menus,
    list_pictures,
    list_posts,
)
from tests.support.finished import parse_instant
from tests.support.moments import run_job, turn_clock_to
from tests.support.panels import (
    SERVER_IDS,
    SERVER_SETTINGS,
    change_server,
    change_settings,
    choose,
    get_chosen,
    open_server_section,
)
from tests.support.stored import load_given_up

pytestmark = pytest.mark.asyncio


async def post_daily(club: SimulatedClub, at: str, zone: str = "Berlin", hour: int = 9) -> str:
    """Have the puzzle posted in the club's channel from an instant on; returns what is told."""
    club.hands.ahead = parse_instant(at) - now_ms()
    await change_server(club.ana, club.channel, zone=zone)
    answer = await change_server(club.ana, club.channel, puzzle=club.channel, puzzle_hour=hour)
    return get_ephemeral_text(answer)


def list_puzzles(club: SimulatedClub) -> list[discord.Message]:
    """The puzzles that were posted, the oldest first."""
    return list_posts(club, "### Puzzle of the day: ")


async def load_puzzle(club: SimulatedClub) -> Puzzle:
    """The server's present puzzle."""
    place = PuzzlePlace(SERVER, club.guild.id)
    return (await puzzles.load_daily_puzzle(club.bot.app, place, 0)).puzzle


async def answer_post(
    club: SimulatedClub, person: simcord.MemberActor, *, right: bool = True
) -> str:
    """Somebody opens the puzzle by the button of its post and plays; returns what they are told."""
    answer = get_response(await person.click(list_puzzles(club)[-1], label="Solve it"))
    assert answer.ephemeral
    play = (await load_puzzle(club)).answers[0 if right else -1].play
    return get_ephemeral_text(await person.slash(club.channel, "move", play=play))


@pytest.mark.parametrize("days", [8, pytest.param(30, marks=pytest.mark.sweep)])
@pytest.mark.parametrize(
    ("first", "changed", "before", "after"),
    [
        # At 2:00 by the clocks of Berlin, an hour that is skipped on 28 March 2027.
        ("2027-03-25", "2027-03-29", timedelta(hours=1), timedelta(hours=0)),
        # It comes twice on 31 October, and the first time counts.
        ("2027-10-28", "2027-11-01", timedelta(hours=0), timedelta(hours=1)),
    ],
)
async def test_a_month_of_puzzles_comes_once_a_day_while_the_clocks_change(
    club: SimulatedClub, first: str, changed: str, before: timedelta, after: timedelta, days: int
) -> None:
    begin = datetime.fromisoformat(first).replace(tzinfo=UTC)
    await post_daily(club, f"{(begin - timedelta(hours=4)).replace(tzinfo=None)}", hour=2)
    assert list_puzzles(club) == []
    texts: list[str] = []
    for number in range(days):
        day = begin + timedelta(days=number)
        later = day.replace(tzinfo=None) >= datetime.fromisoformat(changed)
        due = round((day + (after if later else before)).timestamp() * 1000)
        await turn_clock_to(club, due - 2 * MINUTE)
        assert len(list_puzzles(club)) == number
        await turn_clock_to(club, due + MINUTE)
        posts = list_puzzles(club)
        assert len(posts) == number + 1
        # Only the newest can be answered.
        assert [list_button_labels(post) for post in posts] == [
            *([[]] * number),
            ["Solve it", "The rules"],
        ]
        text = extract_text(posts[-1])
        puzzle = await load_puzzle(club)
        assert puzzle.id not in texts
        texts.append(puzzle.id)
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
        assert len(list_puzzles(club)) == number + 1
    streak = await club.store.get(Puzzles).load_streak(club.ana.id)
    assert streak is not None
    assert streak.streak == days


async def test_a_post_says_what_the_last_solution_was_and_gives_nothing_away(
    club: SimulatedClub,
) -> None:
    sentence = await post_daily(club, "2027-03-01 08:30")
    assert (
        f"Saved. The daily puzzle is posted in <#{club.channel.id}> every day at 9:00 "
        "(Europe/Berlin). The next one comes <t:"
    ) in sentence
    # It was 9:30 in Berlin, so the first comes tomorrow.
    await turn_clock_to(club, parse_instant("2027-03-01 23:30"))
    assert list_puzzles(club) == []
    await turn_clock_to(club, parse_instant("2027-03-02 08:01"))
    (first,) = list_puzzles(club)
    text = extract_text(first)
    assert text.startswith("### Puzzle of the day: Zeno\n-# Bring all fifteen men round the board")
    assert "**Gold** has 6-5-2 to play and only one legal play. Find it." in text
    assert "Only you see your answer, and the first one counts." in text
    assert "The solution, with the names of those who solved it, and the next puzzle come" in text
    assert "Solution" not in text
    assert "k-q" not in text
    (picture,) = list_pictures(first)
    assert "Gold (you): 7 on f" in (picture.description or "")
    answer = get_response(await club.ana.click(first, label="Solve it"))
    assert answer.ephemeral
    assert "The next puzzle comes <t:" in extract_text(answer.message)
    assert list_menus(answer.message)
    assert "Correct!" in get_ephemeral_text(
        await club.ana.slash(club.channel, "move", play="k-q t-z u-x")
    )
    assert "k-q" not in extract_text(list_puzzles(club)[0])
    # By UTC another day has begun, but the puzzle is the one that is posted.
    await turn_clock_to(club, parse_instant("2027-03-03 07:50"))
    assert "Correct!" in await answer_post(club, club.ben)
    assert (await load_puzzle(club)).game == "zeno"
    await turn_clock_to(club, parse_instant("2027-03-03 08:01"))
    closed, second = list_puzzles(club)
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
    assert "Nobody answered." in extract_text(list_puzzles(club)[-1])


async def test_a_post_of_a_solved_game_says_its_rules_and_that_its_answer_is_proven(
    club: SimulatedClub,
) -> None:
    await post_daily(club, "2027-03-01 08:30")
    posted = parse_instant("2027-03-02 08:01")
    puzzle = EVERY[-1]
    assert puzzle.exact
    await set_puzzle(club, posted // DAY, puzzle.id)
    await turn_clock_to(club, posted)
    (first,) = list_puzzles(club)
    lines = extract_text(first).splitlines()
    assert lines[0] == "### Puzzle of the day: Doblet"
    assert MOVING in lines
    assert f"-# {EXACT}" in lines
    assert "Correct!" in await answer_post(club, club.ana)
    await turn_clock_to(club, parse_instant("2027-03-03 08:01"))
    closed, second = list_puzzles(club)
    best = puzzle.answers[0].play
    assert (
        f"the best play was {best}. That is proven. Solved by <@{club.ana.id}>."
    ) in extract_text(second).replace("`", "")
    # By which rules it was stands above the picture still.
    assert MOVING in extract_text(closed).splitlines()


async def test_a_card_that_was_opened_before_the_next_post_no_longer_counts(
    club: SimulatedClub,
) -> None:
    await post_daily(club, "2027-03-01 07:00")
    await turn_clock_to(club, parse_instant("2027-03-01 08:01"))
    await club.ana.click(list_puzzles(club)[0], label="Solve it")
    await turn_clock_to(club, parse_instant("2027-03-02 08:01"))
    text = get_ephemeral_text(await club.ana.slash(club.channel, "move", play="k-q t-z u-x"))
    assert "Correct!" not in text
    assert await club.store.get(Puzzles).load_streak(club.ana.id) is None


async def test_days_that_were_missed_are_not_posted_one_after_another(
    club: SimulatedClub,
) -> None:
    await post_daily(club, "2027-03-01 07:00")
    await turn_clock_to(club, parse_instant("2027-03-01 08:01"))
    assert len(list_puzzles(club)) == 1
    # The machine is off for three days, and is back in the afternoon.
    await turn_clock_to(club, parse_instant("2027-03-05 15:00"))
    assert len(list_puzzles(club)) == 2
    await turn_clock_to(club, parse_instant("2027-03-06 08:01"))
    assert len(list_puzzles(club)) == 3
    # Back just before the next one is due it leaves out the last.
    await turn_clock_to(club, parse_instant("2027-03-09 07:50"))
    assert len(list_puzzles(club)) == 3
    await turn_clock_to(club, parse_instant("2027-03-09 08:01"))
    assert len(list_puzzles(club)) == 4


async def get_post(club: SimulatedClub) -> ScheduledPost:
    """What is stored of the club's puzzle."""
    post = await club.store.get(ScheduledPosts).load_post(club.guild.id, PostKind.PUZZLE)
    assert post is not None
    return post


async def test_run_twice_or_by_two_processes_it_is_posted_once(club: SimulatedClub) -> None:
    await post_daily(club, "2027-03-01 07:00")
    club.hands.ahead += HOUR + MINUTE
    await asyncio.gather(
        run_job(club, PostDailyPuzzle(club.guild.id)), run_job(club, PostDailyPuzzle(club.guild.id))
    )
    assert len(list_puzzles(club)) == 1
    await run_job(club, PostDailyPuzzle(club.guild.id))
    await turn_clock_to(club, club.hands() + MINUTE)
    assert len(list_puzzles(club)) == 1
    assert (await get_post(club)).message == list_puzzles(club)[0].id


async def test_killed_after_it_was_posted_it_is_found_again(club: SimulatedClub) -> None:
    await post_daily(club, "2027-03-01 07:00")
    before = await get_post(club)
    await turn_clock_to(club, parse_instant("2027-03-01 08:01"))
    (posted,) = list_puzzles(club)
    # What was posted was not saved, and Discord, as here, no longer knows the message's name.
    await forget_result(club, before)
    await run_job(club, PostDailyPuzzle(club.guild.id))
    assert [message.id for message in list_puzzles(club)] == [posted.id]
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
    await change_server(club.ana, club.channel, puzzle=hall, puzzle_hour=8)
    club.env.backend.delete_channel(hall.id)
    await club.env.settle()
    await turn_clock_to(club, parse_instant("2027-03-01 09:00"))
    assert await club.store.jobs.load_failed(club.guild.id) == []
    assert await load_given_up(club.store.jobs) == []
    text = get_ephemeral_text(await change_server(club.ana, club.channel))
    assert f"- In <#{hall.id}> I'm missing View Channel" in text
    text = get_ephemeral_text(await open_server_section(club.ana, club.channel, "posts"))
    assert f"- In <#{hall.id}> I'm missing View Channel" in text
    # In another channel it comes again on the next day, with no word of what was missed.
    await change_server(club.ana, club.channel, puzzle=club.channel)
    await turn_clock_to(club, parse_instant("2027-03-02 08:01"))
    (post,) = list_puzzles(club)
    assert "Solution" not in extract_text(post)
    mute = discord.PermissionOverwrite(send_messages=False)
    attic = club.guild.create_text_channel("attic", overwrites={club.guild.default_role: mute})
    refusal = get_ephemeral_text(await change_server(club.ana, club.channel, puzzle=attic))
    assert "Send Messages" in refusal
    assert (await get_post(club)).channel == club.channel.id


async def test_discord_refusing_once_does_not_lose_the_day(club: SimulatedClub) -> None:
    await post_daily(club, "2027-03-01 07:00")
    club.env.inject_error("POST", f"/channels/{club.channel.id}/messages", status=500)
    await turn_clock_to(club, parse_instant("2027-03-01 08:01"))
    await club.advance_clock(10 * MINUTE)
    assert len(list_puzzles(club)) == 1


async def test_off_stops_it_and_on_again_posts_no_second_one_that_day(
    club: SimulatedClub,
) -> None:
    await post_daily(club, "2027-03-01 07:00")
    await turn_clock_to(club, parse_instant("2027-03-01 08:01"))
    await answer_post(club, club.ana)
    off = get_ephemeral_text(await change_server(club.ana, club.channel, puzzle=[]))
    assert "Saved. The daily puzzle isn't posted in this server." in off
    text = get_ephemeral_text(
        await change_server(club.ana, club.channel, puzzle=club.channel, puzzle_hour=17)
    )
    assert "every day at 17:00 (Europe/Berlin)" in text
    await turn_clock_to(club, parse_instant("2027-03-01 16:01"))
    assert len(list_puzzles(club)) == 1
    await turn_clock_to(club, parse_instant("2027-03-02 16:01"))
    assert len(list_puzzles(club)) == 2
    await change_server(club.ana, club.channel, puzzle=[])
    await turn_clock_to(club, parse_instant("2027-03-09 16:01"))
    assert len(list_puzzles(club)) == 2
    assert await club.store.get(Puzzles).load_day_result(club.guild.id, 0) == (
        await club.store.get(Puzzles).load_day_result(
            club.guild.id, parse_instant("2027-03-01") // DAY
        )
    )


async def test_an_hour_that_is_chosen_once_it_was_stopped_starts_nothing(
    club: SimulatedClub,
) -> None:
    await post_daily(club, "2027-03-01 07:00")
    shown = await open_server_section(club.ana, club.channel, "posts")
    panel = get_response(shown).message
    assert get_chosen(panel, SERVER_IDS["puzzle"]) == [club.channel.id]
    assert get_chosen(panel, SERVER_IDS["puzzle_hour"]) == ["9"]
    await change_server(club.ana, club.channel, puzzle=[])
    refusal = get_ephemeral_text(await choose(club.ana, panel, SERVER_IDS["puzzle_hour"], "7"))
    assert refusal.startswith("That button no longer works.")
    assert (await get_post(club)).channel is None


async def test_another_time_zone_holds_at_once(club: SimulatedClub) -> None:
    await post_daily(club, "2027-03-01 10:00")
    await change_server(club.ana, club.channel, zone="America/New_York")
    await turn_clock_to(club, parse_instant("2027-03-01 13:59"))
    assert list_puzzles(club) == []
    # In New York it is nine at 14:00 UTC, but that day was over in Berlin.
    await turn_clock_to(club, parse_instant("2027-03-02 13:59"))
    assert list_puzzles(club) == []
    await turn_clock_to(club, parse_instant("2027-03-02 14:01"))
    assert len(list_puzzles(club)) == 1


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
    sentence = get_ephemeral_text(await change_settings(club.ana, club.channel, shares=True))
    assert "Positions of your matches can become the daily puzzle of the server" in sentence
    puzzle = await find_match_puzzle_day(club)
    assert puzzle is not None
    assert puzzle.game == "backgammon"
    text = extract_text(list_puzzles(club)[-1])
    assert text.startswith("### Puzzle of the day: Backgammon")
    assert "From a match in this server, with its players' permission." in text
    assert f"<@{club.ana.id}>" not in text
    # It is the same after a restart, and others solve it as any other.
    club.bot.app.get_part(MatchPuzzleCache).found.clear()
    assert await load_puzzle(club) == puzzle
    assert "### Correct!" in await answer_post(club, club.ben)
    await turn_clock_to(club, club.hands() + DAY)
    closed, newest = list_puzzles(club)[-2:]
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
    text = get_ephemeral_text(await club.ben.slash(club.channel, SERVER_SETTINGS))
    assert text == "Only people with the permission Manage Server can do that."
    assert await club.store.get(ScheduledPosts).load_post(club.guild.id, PostKind.PUZZLE) is None
