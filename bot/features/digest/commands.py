"""Where a club's week is posted: /server digest."""

from discord import app_commands

from bot.features.digest.jobs import PostDigest
from bot.features.digest.texts import format_digest_schedule
from bot.features.schedules.choosing import PostChannel, PostChoice, answer_choice
from bot.features.schedules.rows import PostKind
from bot.features.servers.commands import server
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.declarations import command


@command(group=server, name="digest")
@app_commands.describe(
    channel="Where it is posted; leave it out to see what is chosen",
    hour="At which hour of Monday, by the server's time zone (default: 9)",
    off="Post it no longer",
)
async def choose_digest(
    answer: InteractionAnswer,
    channel: PostChannel | None = None,
    hour: app_commands.Range[int, 0, 23] | None = None,
    off: bool = False,
) -> None:
    """Post what happened here each week in a channel, on Mondays."""
    choice = PostChoice(
        post=PostKind.DIGEST,
        make_job=PostDigest(answer.guild).make_job,
        format_schedule=format_digest_schedule,
    )
    await answer_choice(answer, choice, channel, hour, off=off)
