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
from bot.features.matches.session_cache import SessionCache
from engine.clock import MINUTE, find_turn
from engine.events import Granted, Seated
from engine.games import GAMES
from tests.bot.driver import extract_text, list_button_labels, list_control_ids
from tests.bot.season import (
    DiscordSeason,
    Post,
    get_message_by_id,
    open_season,
    simulate_day,
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
    async with open_season(path, mode, matches, first_game=first_game) as opened:
        while opened.day < DAYS:
            await simulate_day(opened, turns=max(4, matches // 6))
            await check_channel(opened)
        await wait_out_clocks(opened)
        await check_channel(opened)
        assert await opened.club.store.find_problems() == []
        ends = [(await opened.load_row(match)).how for match in range(1, matches + 1)]
        # It was no season in which nothing happened.
        assert {"timed-out", "resigned"} & set(ends), ends
        kinds = Counter(post.text.count("your time in") for post in opened.posts)
        assert kinds[1], kinds


async def check_channel(opened: DiscordSeason) -> None:
    """Hold the channel and its messages against what is stored."""
    rows = [await opened.load_row(match) for match in range(1, opened.matches + 1)]
    standing = {
        channel: list_channel_messages(opened, channel) for channel in {row.channel for row in rows}
    }
    for row in rows:
        assert row.shown == row.version, row
        message = opened.get_message(row)
        everywhere = [each for each, said in standing[row.channel] if f"-# Match {row.id}:" in said]
        assert [each.id for each in everywhere if list_control_ids(each)] == (
            [] if row.ended else [message.id]
        )
        if row.ended is None:
            assert {each.split(":")[2] for each in list_control_ids(message)} == {str(row.version)}
            await check_claim_button(opened, row.id, message)
        else:
            assert [each.id for each in everywhere if "Rematch" in list_button_labels(each)] == [
                message.id
            ]
            await verify_record(opened, row.id)
    check_quiet_hours(opened)
    await check_reminders(opened)


def list_channel_messages(opened: DiscordSeason, channel: int) -> list[tuple[discord.Message, str]]:
    """The messages that stand in a channel, and what they say."""
    messages = [
        get_message_by_id(opened.club, channel, each)
        for each in opened.club.env.backend.messages[channel]
    ]
    return [(message, extract_text(message)) for message in messages]


async def check_claim_button(opened: DiscordSeason, match: int, message: discord.Message) -> None:
    """Check that a match can be claimed from a minute after its time is over, not before."""
    session = await loading.load_session(opened.club.bot.app, match)
    times = clocks.compute_deadlines(session)
    out = times is not None and opened.club.hands() > times.out + MINUTE
    assert ("Claim the win" in list_button_labels(message)) in (out, session.late)
    assert times is None or opened.club.hands() < times.ends + MINUTE


async def verify_record(opened: DiscordSeason, match: int) -> None:
    """The record of a match that is over is right, its dice and its clock."""
    opened.club.bot.app.get_part(SessionCache).clear()
    session = await loading.load_session(opened.club.bot.app, match)
    happened = await loading.load_history(opened.club.bot.app, session.row)
    kept = record.build_record(session, record.encode_events(session, happened))
    assert record.verify_record(kept).wrong is None


def check_quiet_hours(opened: DiscordSeason) -> None:
    """Check that messages in quiet hours make no sound.

    Each is about something that somebody did then, or could not wait for the end of those hours.
    """
    for post in opened.posts:
        quiet = opened.is_quiet(post.at)
        assert post.silent is quiet, post
        assert not (quiet and post.calls), post
        assert post.pressed or not quiet or is_urgent(opened, post), post


def is_urgent(opened: DiscordSeason, post: Post) -> bool:
    """Return whether a message could not wait for the end of the quiet hours.

    Such a message says that a match ended by its clock, or reminds of a deadline in those hours.
    """
    runs_out = re.search(r"your time in .* runs out <t:(\d+):R>", post.text)
    return "ran out of time" in post.text or (
        runs_out is not None and opened.is_quiet(1000 * int(runs_out[1]))
    )


async def check_reminders(opened: DiscordSeason) -> None:
    """Nobody is reminded twice in the same turn, unless its time was renewed between."""
    for match in range(1, opened.matches + 1):
        reminders = [
            post.at for post in opened.posts if f"your time in [match {match}," in post.text
        ]
        if len(reminders) < 2:
            continue
        row = await opened.load_row(match)
        happened = await loading.load_history(opened.club.bot.app, row)
        begins = [
            each.at
            for each in happened
            if find_turn(each.before) != find_turn(each.after)
            or isinstance(each.event, Granted | Seated)
        ]
        turns = Counter(sum(begun <= at for begun in begins) for at in reminders)
        assert max(turns.values()) == 1, (match, reminders, begins)
