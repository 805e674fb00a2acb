"""The bot with a pause between loading a match and the decisions that depend on it.

It pauses only when a file asks for it.
"""

import asyncio
import os
import runpy
import sys
from pathlib import Path

from bot.features.matches import loading
from bot.features.matches.session import MatchSession
from bot.platform.context import App

PAUSE = "TORTURE_PAUSE"
"""The variable that names the file, which holds the seconds of the pause."""


def main() -> None:
    """Become the program."""
    file = Path(os.environ.pop(PAUSE))
    load = loading.load_session

    async def load_slowly(app: App, match_id: int) -> MatchSession:
        session = await load(app, match_id)
        if file.exists():
            await asyncio.sleep(float(file.read_text()))
        return session

    loading.load_session = load_slowly
    sys.argv[0] = "tabula"
    runpy.run_module("bot", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
