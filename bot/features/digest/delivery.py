"""Posting a club's week."""

from bot.features.digest.cards import DigestLinks, digest_card
from bot.features.digest.jobs import PostDigest
from bot.features.digest.service import WeekDigest, load_digest
from bot.features.matches.reach import find_match_link
from bot.features.schedules.delivery import PostTask, PreparedPost, post_on_schedule
from bot.features.schedules.rows import PostKind
from bot.features.schedules.service import PostSchedule
from bot.platform.jobs.handlers import handles
from bot.platform.jobs.runner import JobResult
from bot.platform.ui.app_client import AppClient
from bot.platform.ui.channels import ServerChannel
from bot.platform.ui.places import build_link
from bot.store import QueuedJob


@handles(PostDigest)
async def post_digest(client: AppClient, job: PostDigest, queued: QueuedJob) -> JobResult:
    """Post what happened in the week that is over where a server has chosen it."""
    task = PostTask(post=PostKind.DIGEST, prepare=_prepare_digest, make_job=job.make_job)
    return await post_on_schedule(client, job.server, task, queued)


async def _prepare_digest(channel: ServerChannel, schedule: PostSchedule) -> PreparedPost:
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
        {each.id: build_link(each.guild, each.channel, each.message) for each in contests},
        {each.id: build_link(each.guild, each.channel, each.message) for each in ladders},
    )
