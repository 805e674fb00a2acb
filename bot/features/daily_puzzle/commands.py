"""Where the puzzle of the day is posted: /server puzzle."""

import discord
from discord import app_commands

from bot.features.daily_puzzle.jobs import PostDailyPuzzle
from bot.features.daily_puzzle.service import stop_daily_puzzle
from bot.features.daily_puzzle.texts import format_puzzle_schedule
from bot.features.schedules.cards import schedule_card
from bot.features.schedules.delivery import require_postable
from bot.features.schedules.rows import PostKind
from bot.features.schedules.service import choose_schedule, load_schedule
from bot.features.servers.commands import server
from bot.features.servers.delivery import find_lacks
from bot.features.servers.settings_commands import require_manager
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.declarations import command


@command(group=server, name="puzzle")
@app_commands.describe(
    channel="Where it is posted; leave it out to see what is chosen",
    hour="At which hour, by the server's time zone (default: 9)",
    off="Post it no longer",
)
async def choose_daily_puzzle(
    answer: InteractionAnswer,
    channel: discord.TextChannel | discord.VoiceChannel | discord.Thread | None = None,
    hour: app_commands.Range[int, 0, 23] | None = None,
    off: bool = False,
) -> None:
    """Post the puzzle of the day in a channel, with the last one's solution."""
    require_manager(answer.interaction)
    app, guild, client = answer.app, answer.guild, answer.client
    if off:
        await stop_daily_puzzle(app, guild)
    schedule = await load_schedule(app, guild, PostKind.PUZZLE)
    before = schedule.chosen.channel if schedule else None
    place = channel.id if channel else before
    if not off and place is not None and (channel is not None or hour is not None):
        require_postable(client, guild, place, has_picture=True)
        make_job = PostDailyPuzzle(guild).make_job
        schedule = await choose_schedule(app, guild, PostKind.PUZZLE, place, hour, make_job)
    posted_in = schedule.chosen.channel if schedule else None
    lacks = find_lacks(client, guild, [] if posted_in is None else [posted_in])
    told = format_puzzle_schedule(answer.reader, schedule)
    await answer.send(schedule_card(answer.reader, told, schedule, lacks))
