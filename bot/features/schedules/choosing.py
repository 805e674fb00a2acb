"""How managers choose where and when something is posted: the commands of those posts."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import discord

from bot.features.schedules.cards import schedule_card
from bot.features.schedules.delivery import require_postable
from bot.features.schedules.rows import PostKind
from bot.features.schedules.service import PostSchedule, choose_schedule, load_schedule
from bot.features.servers.delivery import find_lacks
from bot.platform.i18n.reader import Reader
from bot.platform.ui.answers import InteractionAnswer
from bot.store import Job

PostChannel: TypeAlias = discord.TextChannel | discord.VoiceChannel | discord.Thread
"""Where something can be posted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PostChoice:
    """What is chosen: the kind, the job that posts it, and what is told."""

    post: PostKind
    make_job: Callable[[int], Job]
    format_schedule: Callable[[Reader, PostSchedule | None], str]


async def answer_choice(
    answer: InteractionAnswer, choice: PostChoice, channel: int | None, hour: int | None
) -> None:
    """Keep where and when something is posted, and show it; without either it is only shown."""
    app, guild, client = answer.app, answer.guild, answer.client
    schedule = await load_schedule(app, guild, choice.post)
    place = channel if channel is not None or schedule is None else schedule.chosen.channel
    if place is not None and (channel is not None or hour is not None):
        require_postable(client, guild, place)
        schedule = await choose_schedule(app, guild, choice.post, place, hour, choice.make_job)
    posted_in = schedule.chosen.channel if schedule else None
    lacks = find_lacks(client, guild, [] if posted_in is None else [posted_in])
    told = choice.format_schedule(answer.reader, schedule)
    await answer.send(schedule_card(answer.reader, told, schedule, lacks))
