"""The job of the digest that is posted every week."""

from bot.features.servers.extensions import ZONE_JOBS
from bot.platform.jobs.payloads import JobPayload, Subject
from bot.store import Job


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


@ZONE_JOBS.add()
def follow_digest_zone(server: int, now: int) -> Job:
    """Post the digest by the new clocks of a server."""
    return PostDigest(server).make_job(now)
