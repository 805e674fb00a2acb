"""A season of slow matches of all games, day by day.

The tests check what must hold after each day, and in the end.
"""

import re
from collections import Counter
from pathlib import Path

import discord
import pytest

from bot.features.matches import clock as clocks
from bot.features.matches import loading, record
from bot.features.matches.session import SessionCache
from engine.clock import MINUTE, find_turn
from engine.events import Granted, Seated
from engine.games import GAMES
from tests.support.driver import extract_text, list_button_labels, list_control_ids
from tests.support.season import (
    HOURS,
    DiscordSeason,
    Post,
    get_message_by_id,
    open_season,
    simulate_day,
    start_match,
    wait_out_clocks,
)

pytestmark = pytest.mark.asyncio

DAYS = 13


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("mode", "matches", "first_game"),
    [
        ("a message a match", len(GAMES) - 20, 20),
        ("a message a turn", 10, 0),
        ("a thread a match", 10, 10),
    ],
)
async def test_a_season(tmp_path: Path, mode: str, matches: int, first_game: int) -> None:
    path = tmp_path / "season.sqlite3"
    async with open_season(path, mode, matches, first_game=first_game) as season:
        while season.day < DAYS:
            await simulate_day(season, turns=max(4, matches // 6))
            await check_channel(season)
        # One match more, in which nobody moves: by chance the others may all be over by now.
        await season.wait_until_hour(HOURS[1])
        with season.mark_as_answer():
            # Of ten days an eighth is longer than the steps of a day in which time goes by.
            await start_match(season, season.club.ana, season.club.ben, "backgammon", "10d+12h")
        season.matches += 1
        await wait_out_clocks(season)
        await check_channel(season)
        assert await season.club.store.find_problems() == []
        assert (await season.load_row(season.matches)).how == "timed-out"
        reminder = f"your time in [match {season.matches},"
        assert sum(reminder in post.text for post in season.posts) == 1


async def check_channel(season: DiscordSeason) -> None:
    """Hold the channel and its messages against what is stored."""
    rows = [await season.load_row(match) for match in range(1, season.matches + 1)]
    standing = {
        channel: list_channel_messages(season, channel) for channel in {row.channel for row in rows}
    }
    for row in rows:
        assert row.shown == row.version, row
        message = season.get_message(row)
        everywhere = [each for each, text in standing[row.channel] if f"-# Match {row.id}:" in text]
        assert [each.id for each in everywhere if list_control_ids(each)] == (
            [] if row.ended else [message.id]
        )
        if row.ended is None:
            assert {each.split(":")[2] for each in list_control_ids(message)} == {str(row.version)}
            await check_claim_button(season, row.id, message)
        else:
            assert [
                each.id
                for each in everywhere
                if "Rematch, sides swapped" in list_button_labels(each)
            ] == [message.id]
            await verify_record(season, row.id)
    check_quiet_hours(season)
    await check_reminders(season)


def list_channel_messages(season: DiscordSeason, channel: int) -> list[tuple[discord.Message, str]]:
    """The messages that stand in a channel, and what they say."""
    messages = [
        get_message_by_id(season.club, channel, each)
        for each in season.club.env.backend.messages[channel]
    ]
    return [(message, extract_text(message)) for message in messages]


async def check_claim_button(season: DiscordSeason, match: int, message: discord.Message) -> None:
    """Check that a match can be claimed from a minute after its time is over, not before."""
    session = await loading.load_session(season.club.bot.app, match)
    times = clocks.compute_deadlines(session)
    out = times is not None and season.club.hands() > times.out + MINUTE
    assert ("Claim the win" in list_button_labels(message)) in (out, session.late)
    assert times is None or season.club.hands() < times.ends + MINUTE


async def verify_record(season: DiscordSeason, match: int) -> None:
    """The record of a match that is over is right, its dice and its clock."""
    season.club.bot.app.get_part(SessionCache).clear()
    session = await loading.load_session(season.club.bot.app, match)
    happened = await loading.load_history(season.club.bot.app, session.row)
    kept = record.build_record(session, record.encode_events(session, happened))
    assert record.verify_record(kept).wrong is None


def check_quiet_hours(season: DiscordSeason) -> None:
    """Check that messages in quiet hours make no sound.

    Each is about something that somebody did then, or could not wait for the end of those hours.
    """
    for post in season.posts:
        quiet = season.is_quiet(post.at)
        assert post.silent is quiet, post
        assert not (quiet and post.calls), post
        assert post.pressed or not quiet or is_urgent(season, post), post


def is_urgent(season: DiscordSeason, post: Post) -> bool:
    """Return whether a message could not wait for the end of the quiet hours.

    Such a message says that a match ended by its clock, or reminds of a deadline in those hours.
    """
    runs_out = re.search(r"your time in .* runs out <t:(\d+):R>", post.text)
    return "ran out of time" in post.text or (
        runs_out is not None and season.is_quiet(1000 * int(runs_out[1]))
    )


async def check_reminders(season: DiscordSeason) -> None:
    """Nobody is reminded twice in the same turn, unless its time was renewed between."""
    for match in range(1, season.matches + 1):
        reminders = [
            post.at for post in season.posts if f"your time in [match {match}," in post.text
        ]
        if len(reminders) < 2:
            continue
        row = await season.load_row(match)
        happened = await loading.load_history(season.club.bot.app, row)
        begins = [
            each.at
            for each in happened
            if find_turn(each.before) != find_turn(each.after)
            or isinstance(each.event, Granted | Seated)
        ]
        turns = Counter(sum(begun <= at for begun in begins) for at in reminders)
        assert max(turns.values()) == 1, (match, reminders, begins)
