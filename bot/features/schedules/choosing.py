"""How managers choose where and when something is posted: the commands of those posts."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias

import discord

from bot.features.schedules.cards import schedule_card
from bot.features.schedules.delivery import require_postable
from bot.features.schedules.rows import PostKind
from bot.features.schedules.service import PostSchedule, choose_schedule, load_schedule
from bot.features.servers.delivery import find_lacks
from bot.features.servers.settings_commands import require_manager
from bot.platform.context import App
from bot.platform.i18n.reader import Reader
from bot.platform.ui.answers import InteractionAnswer
from bot.store import Job

PostChannel: TypeAlias = discord.TextChannel | discord.VoiceChannel | discord.Thread
"""Where something can be posted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PostChoice:
    """What is chosen: the kind, the job that posts it, what is told, and what ends with it.

    `clean_up` removes what is stored of a server for its posts alone, once they are stopped.
    """

    post: PostKind
    make_job: Callable[[int], Job]
    format_schedule: Callable[[Reader, PostSchedule | None], str]
    clean_up: Callable[[App, int], Awaitable[None]] | None = None


async def answer_choice(
    answer: InteractionAnswer,
    choice: PostChoice,
    channel: PostChannel | None,
    hour: int | None,
    *,
    off: bool,
) -> None:
    """Keep where and when something is posted, or end it, and show what is chosen.

    Without any of them it is only shown. Raises DeclinedError unless whoever asks may manage the
    server.
    """
    require_manager(answer.interaction)
    app, guild, client = answer.app, answer.guild, answer.client
    if off:
        await app.store.scheduled_posts.stop(guild, choice.post)
        if choice.clean_up:
            await choice.clean_up(app, guild)
        channel = hour = None
    schedule = await load_schedule(app, guild, choice.post)
    before = schedule.chosen.channel if schedule else None
    place = channel.id if channel else before
    if place is not None and (channel is not None or hour is not None):
        require_postable(client, guild, place)
        schedule = await choose_schedule(app, guild, choice.post, place, hour, choice.make_job)
    posted_in = schedule.chosen.channel if schedule else None
    lacks = find_lacks(client, guild, [] if posted_in is None else [posted_in])
    told = choice.format_schedule(answer.reader, schedule)
    await answer.send(schedule_card(answer.reader, told, schedule, lacks))
