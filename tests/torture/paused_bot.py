"""The bot with a pause between loading a match and the decisions that depend on it.

It pauses only when a file asks for it.
"""

import asyncio
import math
import os
import runpy
import sys
from pathlib import Path

from bot.features.matches import loading, session
from bot.features.matches.session import MatchSession
from bot.platform.context import App
from bot.platform.ui import app_client as failures

PAUSE = "TORTURE_PAUSE"
"""The variable that names the file, which holds the seconds of the pause."""

THROW_DELAY_MS = 300
"""Milliseconds until the bot throws for somebody: each fault would wait for some of them."""


def main() -> None:
    """Become the program."""
    file = Path(os.environ.pop(PAUSE))
    load = loading.load_session

    async def load_slowly(app: App, match_id: int) -> MatchSession:
        loaded = await load(app, match_id)
        if file.exists():
            await asyncio.sleep(float(file.read_text()))
        return loaded

    loading.load_session = load_slowly
    session.THROW_DELAY_MS = THROW_DELAY_MS
    # The server's clock is not set with the bot's: jumps are tried here, not a clock that stays
    # wrong, by which nothing is done that has a time.
    failures.MAX_SKEW_S = math.inf
    sys.argv[0] = "tabula"
    runpy.run_module("bot", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
