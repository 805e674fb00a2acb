"""Where the puzzle of the day is posted: /server puzzle."""

from discord import app_commands

from bot.features.daily_puzzle.jobs import PostDailyPuzzle
from bot.features.daily_puzzle.service import forget_answers
from bot.features.daily_puzzle.texts import format_puzzle_schedule
from bot.features.schedules.choosing import PostChannel, PostChoice, answer_choice
from bot.features.schedules.rows import PostKind
from bot.features.servers.commands import server
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
    channel: PostChannel | None = None,
    hour: app_commands.Range[int, 0, 23] | None = None,
    off: bool = False,
) -> None:
    """Post the puzzle of the day in a channel, with the last one's solution."""
    choice = PostChoice(
        post=PostKind.PUZZLE,
        make_job=PostDailyPuzzle(answer.guild).make_job,
        format_schedule=format_puzzle_schedule,
        clean_up=forget_answers,
    )
    await answer_choice(answer, choice, channel, hour, off=off)
