"""Tabula as it acknowledged once: whatever comes, at once and before anything else is done."""

import sys

from bot import cli
from bot.platform.context import RequestOutcome
from bot.platform.ui import dispatch
from bot.platform.ui.access import Where
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.dispatch import Work

EAGER_BOT = (sys.executable, __file__)
"""What starts it."""


async def acknowledge_first(
    answer: InteractionAnswer, work: Work, *, where: Where
) -> RequestOutcome:
    """Acknowledge, then work."""
    await answer.acknowledge()
    return await dispatch._run_work(answer, work, where=where)  # noqa: SLF001 - the other design


if __name__ == "__main__":
    dispatch._run_and_acknowledge = acknowledge_first  # noqa: SLF001 - the other design
    cli.main(["run"])
