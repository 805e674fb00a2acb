"""Which modules of the bot one press runs through: `python -m tests.bench.press_path`."""

import asyncio
import sys
import tempfile
import threading
from pathlib import Path
from types import FrameType

from lab.metrics import ROOT
from tests.support.club import open_club
from tests.support.driver import find_next_action, start_match

BOT = f"{ROOT / 'bot'}/"
WARM_PRESSES = 6
"""Presses before the one that is looked at, after which imports and caches are filled."""


class ModulePath:
    """The modules of the bot whose functions were called, in order, on each thread by itself."""

    def __init__(self) -> None:
        self.modules: set[str] = set()
        self.changes = 0
        self.is_noting = False
        self._last: dict[int, str] = {}

    def note_call(self, frame: FrameType, event: str, _: object) -> None:
        """Note a call, as `sys.setprofile` gives it."""
        module = frame.f_code.co_filename
        if not self.is_noting or event != "call" or not module.startswith(BOT):
            return
        self.modules.add(module)
        thread = threading.get_ident()
        self.changes += self._last.get(thread) not in {module, None}
        self._last[thread] = module


async def trace_press() -> ModulePath:
    """Press a button of a match that has gone on for a while, and return what ran for it."""
    path = ModulePath()
    # From the beginning, as threads take it over only when they start.
    threading.setprofile(path.note_call)
    sys.setprofile(path.note_call)
    with tempfile.TemporaryDirectory() as folder:
        async with open_club(Path(folder, "club.sqlite3")) as club:
            await start_match(club, "zeno")
            for _ in range(WARM_PRESSES):
                act = find_next_action(club)
                assert act is not None, "a match of Zeno lasts longer than this"
                await act()
            act = find_next_action(club)
            assert act is not None, "a match of Zeno lasts longer than this"
            path.is_noting = True
            await act()
            path.is_noting = False
    sys.setprofile(None)
    threading.setprofile(None)
    return path


if __name__ == "__main__":
    found = asyncio.run(trace_press())
    for name in sorted(found.modules):
        sys.stdout.write(f"{name.removeprefix(BOT)}\n")
    sys.stdout.write(f"{len(found.modules)} modules, {found.changes} changes of module\n")
