"""A season of slow matches of all games, day by day.

The tests check what must hold after each day, and in the end.
"""

import re
from collections import Counter
from pathlib import Path

import discord
import pytest

from bot.app import clocks, play, record
from engine.clock import MINUTE, turn_of
from engine.events import Granted, Seated
from tests.bot.driver import controls, labels, text
from tests.bot.season import MATCHES, Post, Season, live_a_day, message_of, season, to_the_end

pytestmark = pytest.mark.asyncio


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("mode", "matches", "days"),
    [
        ("a message a match", MATCHES, 13),
        ("a message a turn", 10, 13),
        ("a thread a match", 10, 13),
    ],
)
async def test_a_season(tmp_path: Path, mode: str, matches: int, days: int) -> None:
    async with season(tmp_path / "season.sqlite3", mode, matches) as opened:
        while opened.day < days:
            await live_a_day(opened, turns=max(4, matches // 6))
            await holds(opened)
        await to_the_end(opened)
        await holds(opened)
        assert await opened.club.store.check() == []
        ends = [(await opened.row(match)).how for match in range(1, matches + 1)]
        # It was no season in which nothing happened.
        assert {"timed-out", "resigned"} & set(ends), ends
        kinds = Counter(post.text.count("your time in") for post in opened.posts)
        assert kinds[1], kinds


async def holds(opened: Season) -> None:
    """Hold the channel and its messages against what is stored."""
    rows = [await opened.row(match) for match in range(1, opened.matches + 1)]
    standing = {channel: messages_in(opened, channel) for channel in {row.channel for row in rows}}
    for row in rows:
        assert row.shown == row.version, row
        message = opened.message(row)
        everywhere = [each for each, said in standing[row.channel] if f"-# Match {row.id}:" in said]
        assert [each.id for each in everywhere if controls(each)] == (
            [] if row.ended else [message.id]
        )
        if row.ended is None:
            assert {each.split(":")[2] for each in controls(message)} == {str(row.version)}
            await offers_what_the_clock_says(opened, row.id, message)
        else:
            assert [each.id for each in everywhere if "Rematch" in labels(each)] == [message.id]
            await verifies(opened, row.id)
    nobody_is_notified_in_quiet_hours(opened)
    await nobody_is_reminded_twice_in_a_turn(opened)


def messages_in(opened: Season, channel: int) -> list[tuple[discord.Message, str]]:
    """The messages that stand in a channel, and what they say."""
    messages = [
        message_of(opened.club, channel, each) for each in opened.club.env.backend.messages[channel]
    ]
    return [(message, text(message)) for message in messages]


async def offers_what_the_clock_says(opened: Season, match: int, message: discord.Message) -> None:
    """Check that a match can be claimed from a minute after its time is over, not before."""
    sitting = await play.load(opened.club.bot.app, match)
    times = clocks.times(sitting)
    out = times is not None and opened.club.hands() > times.out + MINUTE
    assert ("Claim the win" in labels(message)) in (out, sitting.late)
    assert times is None or opened.club.hands() < times.ends + MINUTE


async def verifies(opened: Season, match: int) -> None:
    """The record of a match that is over is right, its dice and its clock."""
    opened.club.bot.app._sittings.clear()  # noqa: SLF001 - as after a restart
    sitting = await play.load(opened.club.bot.app, match)
    happened = await play.history(opened.club.bot.app, sitting.row)
    kept = record.to_file(sitting, record.events_of(sitting, happened))
    assert record.verify(kept).wrong is None


def nobody_is_notified_in_quiet_hours(opened: Season) -> None:
    """Check that messages in quiet hours make no sound.

    Each is about something that somebody did then, or could not wait for the end of those hours.
    """
    for post in opened.posts:
        quiet = opened.quiet(post.at)
        assert post.silent is quiet, post
        assert not (quiet and post.calls), post
        assert post.pressed or not quiet or could_not_wait(opened, post), post


def could_not_wait(opened: Season, post: Post) -> bool:
    """Return whether a message could not wait for the end of the quiet hours.

    Such a message says that a match ended by its clock, or reminds of a deadline in those hours.
    """
    runs_out = re.search(r"your time in .* runs out <t:(\d+):R>", post.text)
    return "ran out of time" in post.text or (
        runs_out is not None and opened.quiet(1000 * int(runs_out[1]))
    )


async def nobody_is_reminded_twice_in_a_turn(opened: Season) -> None:
    """Nobody is reminded twice in the same turn, unless its time was renewed between."""
    for match in range(1, opened.matches + 1):
        reminders = [
            post.at for post in opened.posts if f"your time in [match {match}," in post.text
        ]
        if len(reminders) < 2:
            continue
        row = await opened.row(match)
        happened = await play.history(opened.club.bot.app, row)
        begins = [
            each.at
            for each in happened
            if turn_of(each.before) != turn_of(each.after)
            or isinstance(each.event, Granted | Seated)
        ]
        turns = Counter(sum(begun <= at for begun in begins) for at in reminders)
        assert max(turns.values()) == 1, (match, reminders, begins)
