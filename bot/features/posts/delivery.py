"""Posting what a server has scheduled, once for each day, and the digest of its week."""

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import discord

from bot.features.matches.places import find_match_link
from bot.features.posts import texts as words
from bot.features.posts.rows import PostKind, ScheduledPost
from bot.features.posts.service import PostSchedule, WeekDigest, load_digest, load_schedule
from bot.features.posts.store import ScheduledPosts
from bot.features.servers.service import CHECKED_CHANNELS, ZONE_JOBS
from bot.platform.context import App
from bot.platform.db.jobs import JobPayload, Subject
from bot.platform.db.rows import Job, QueuedJob
from bot.platform.i18n.reader import Reader
from bot.platform.jobs.handlers import handles
from bot.platform.jobs.runner import Done, JobResult, Removed, Reschedule
from bot.platform.ui import channels
from bot.platform.ui.app_client import AppClient
from bot.platform.ui.card import Card
from bot.platform.ui.controls import list_control_ids
from bot.platform.ui.layout import build_layout
from engine.clock import DAY

log = logging.getLogger(__name__)

LATEST_MS = {PostKind.PUZZLE: DAY // 2, PostKind.DIGEST: 2 * DAY}
"""Milliseconds after which something is no longer posted that was due while nothing could be."""
EXAMINED_MESSAGES = 50
"""The latest messages among which is looked for one that may have been posted."""


@dataclass(frozen=True, slots=True)
class DigestLinks:
    """Where the things of a week are shown.

    Those are its longest match, the match of its luckiest throw, and contests and ladders by id.
    """

    longest: str | None = None
    luckiest: str | None = None
    contests: Mapping[int, str] = field(default_factory=dict)
    ladders: Mapping[int, str] = field(default_factory=dict)


def digest_card(say: Reader, digest: WeekDigest, links: DigestLinks) -> Card:
    """Return what happened in a server within a week."""
    lines = (
        words.format_week_matches(say, digest),
        words.format_week_wins(say, digest),
        words.format_week_longest(say, digest, links.longest),
        words.format_luckiest_throw(say, digest, links.luckiest),
    )
    texts = (
        words.format_digest_heading(say, digest),
        "\n".join(filter(None, lines)),
        words.format_won_contests(say, digest, links.contests),
        words.format_ladder_changes(say, digest, links.ladders),
        words.format_next_deadlines(say, digest, links.contests),
    )
    return Card(texts=tuple(filter(None, texts)), small=words.explain_digest(say))


class PostDigest(
    JobPayload,
    kind="post digest",
    about=Subject.SERVER,
    is_timed=True,
    needs_server=True,
    posts_elsewhere=True,
):
    """Post what happened in a server in the week that is over."""

    server: int


@ZONE_JOBS.add(1)
def follow_digest_zone(server: int, now: int) -> Job:
    """Post the digest by the new clocks of a server."""
    return PostDigest(server).build_job(now)


@dataclass(frozen=True, slots=True)
class PreparedPost:
    """The card of a post, and what it shows; without a card there is nothing to be posted."""

    card: Card | None
    subject: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PostTask:
    """How something is posted.

    `prepare` makes the card for those who read in a channel. `build_job` gives the job of the next
    time, and `list_jobs` what else follows, given the post before and the new one.
    """

    post: PostKind
    prepare: Callable[[channels.ServerChannel, PostSchedule], Awaitable[PreparedPost]]
    build_job: Callable[[int], Job]
    list_jobs: Callable[[ScheduledPost, ScheduledPost, int], Sequence[Job]] = lambda *_: ()


async def post_on_schedule(
    client: AppClient, guild: int, task: PostTask, queued: QueuedJob
) -> JobResult:
    """Post what is due in a server, unless that is done; days that were missed are left out."""
    app = client.app
    schedule = await load_schedule(app, guild, task.post)
    if schedule is None or schedule.chosen.channel is None:
        return Done()
    following = task.build_job(schedule.following.at)
    due = schedule.latest
    late_ms = app.clock() - due.at
    if due.day <= schedule.chosen.day or late_ms > LATEST_MS[task.post]:
        return Reschedule(following)
    channel = channels.ServerChannel(client, guild, schedule.chosen.channel)
    if not channels.can_post(client, guild, channel.id):
        # Those who manage the server see it in its settings.
        log.info("could not post the %s in channel %d: it is gone or closed", task.post, channel.id)
        return Reschedule(following)
    prepared = await task.prepare(channel, schedule)
    posted = replace(schedule.chosen, day=due.day)
    if prepared.card is not None:
        try:
            message = await _post_once(channel, schedule, prepared.card)
        except (discord.Forbidden, discord.NotFound) as error:
            if error.code == 0:
                # It is not Discord's own answer, and may be wrong.
                raise
            log.info("could not post the %s in channel %d: %s", task.post, channel.id, error)
            return Reschedule(following)
        posted = replace(posted, place=channel.id, message=message, subject=prepared.subject)
    jobs = task.list_jobs(schedule.chosen, posted, app.clock())
    after = await app.store.get(ScheduledPosts).finish(posted, queued, following, jobs)
    if after is None:
        await _delete_duplicate(client, channel, posted)
        return Reschedule(following)
    app.take(after)
    return Removed()


async def _post_once(channel: channels.ServerChannel, schedule: PostSchedule, card: Card) -> int:
    """Post a card, or find the message in which an earlier attempt has posted it."""
    chosen, day = schedule.chosen, schedule.latest.day
    is_new = await channel.client.app.store.get(ScheduledPosts).begin(
        chosen.guild, chosen.post, day
    )
    if not is_new and (found := await _find_posted(channel, chosen, card)) is not None:
        return found
    return await channel.post(card, f"{chosen.post} of {chosen.guild} on {day}")


async def _find_posted(
    channel: channels.ServerChannel, chosen: ScheduledPost, card: Card
) -> int | None:
    """Return the message of ours that shows a card already.

    The program may have died after it was posted, and Discord knows its name only for minutes.
    """
    client = channel.client
    wanted = _describe(build_layout(card))
    try:
        messages = client.get_partial_messageable(channel.id).history(limit=EXAMINED_MESSAGES)
        async for message in messages:
            is_own = client.user is not None and message.author.id == client.user.id
            if is_own and message.id != chosen.message:
                shown = discord.ui.LayoutView.from_message(message)
                if _describe(shown) == wanted:
                    return message.id
    except discord.Forbidden as error:
        # It may write there, but not read.
        log.info("could not look for the %s in channel %d: %s", chosen.post, channel.id, error)
    return None


def _describe(layout: discord.ui.LayoutView) -> tuple[str, frozenset[str]]:
    """Return the heading of a message and the ids of its controls."""
    texts = (
        item.content for item in layout.walk_children() if isinstance(item, discord.ui.TextDisplay)
    )
    return next(texts, ""), frozenset(list_control_ids(layout))


async def _delete_duplicate(
    client: AppClient, channel: channels.ServerChannel, made: ScheduledPost
) -> None:
    """Delete what another process had posted already, unless Discord gave us its message."""
    kept = await client.app.store.get(ScheduledPosts).load_post(made.guild, made.post)
    if made.message is not None and kept is not None and kept.message != made.message:
        await channels.delete_message(client, channel.id, made.message)


def require_postable(client: AppClient, guild: int, channel: int) -> None:
    """Raise DeclinedError naming the permissions that the bot lacks to post something there."""
    missing = channels.find_missing_permissions(client, guild, channel)
    if missing:
        raise channels.MissingPermissionsError(permissions=missing, channel=channel)


@CHECKED_CHANNELS.add()
async def load_post_channels(app: App, guild: int) -> Sequence[int]:
    """Return the channels in which something is posted in a server, to check the permissions."""
    return await app.store.get(ScheduledPosts).load_channels(guild)


@handles(PostDigest)
async def post_digest(client: AppClient, job: PostDigest, queued: QueuedJob) -> JobResult:
    """Post what happened in the week that is over where a server has chosen it."""
    task = PostTask(post=PostKind.DIGEST, prepare=_build_digest, build_job=job.build_job)
    return await post_on_schedule(client, job.server, task, queued)


async def _build_digest(channel: channels.ServerChannel, schedule: PostSchedule) -> PreparedPost:
    digest = await load_digest(channel.client.app, schedule)
    if digest is None:
        return PreparedPost(None)
    links = await _find_links(channel.client, digest)
    return PreparedPost(digest_card(channel.reader, digest, links))


async def _find_links(client: AppClient, digest: WeekDigest) -> DigestLinks:
    longest = await find_match_link(client, digest.longest) if digest.longest else None
    contests = [
        *(each.contest for each in digest.won),
        *(each.contest for each in digest.deadlines),
    ]
    ladders = [each.ladder for each in digest.ladders]
    luckiest = await find_match_link(client, digest.luckiest.row) if digest.luckiest else None
    return DigestLinks(
        longest,
        luckiest,
        {each.id: channels.build_link(each.guild, each.channel, each.message) for each in contests},
        {each.id: channels.build_link(each.guild, each.channel, each.message) for each in ladders},
    )
