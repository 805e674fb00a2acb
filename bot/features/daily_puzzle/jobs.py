"""The jobs of the puzzle that is posted every day."""

from bot.features.servers.extensions import ZONE_JOBS
from bot.platform.jobs.payloads import JobPayload, Subject
from bot.store import Job


class PostDailyPuzzle(
    JobPayload,
    kind="post puzzle",
    about=Subject.SERVER,
    is_timed=True,
    needs_server=True,
    posts_elsewhere=True,
):
    """Post the puzzle of the day in a server, with the solution of the last one."""

    server: int


class ClosePuzzlePost(
    JobPayload,
    kind="close puzzle",
    about=Subject.SERVER,
    key="{server} {message}",
    needs_server=True,
    posts_elsewhere=True,
):
    """Close the message of a puzzle whose solution is told in the message of the next one."""

    server: int
    message: int
    channel: int
    puzzle: str
    next_channel: int
    next_message: int


@ZONE_JOBS.add()
def follow_zone(server: int, now: int) -> Job:
    """Post the puzzle by the new clocks of a server."""
    return PostDailyPuzzle(server).make_job(now)
