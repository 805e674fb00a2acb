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
WARM_PRESSES = 8
"""Presses before those that are looked at: caches are filled, and the match is no longer young."""
TRACED_PRESSES = 3
"""Presses that are looked at, since a job that falls due meanwhile runs beside one of them."""


class ModulePath:
    """The modules of the bot whose functions were called, in order, on each thread by itself."""

    def __init__(self) -> None:
        self.modules: set[str] = set()
        self.changes = 0
        self._last: dict[int, str] = {}

    def note_call(self, module: str) -> None:
        """Note that a function of a module was called."""
        self.modules.add(module)
        thread = threading.get_ident()
        self.changes += self._last.get(thread) not in {module, None}
        self._last[thread] = module


async def trace_press() -> ModulePath:
    """Press buttons of a match that has gone on for a while, and return what ran for one alone."""
    paths = [ModulePath()]

    def note(frame: FrameType, event: str, _: object) -> None:
        module = frame.f_code.co_filename
        if event == "call" and module.startswith(BOT):
            paths[-1].note_call(module)

    # From the beginning, as threads take it over only when they start.
    threading.setprofile(note)
    sys.setprofile(note)
    with tempfile.TemporaryDirectory() as folder:
        async with open_club(Path(folder, "club.sqlite3")) as club:
            await start_match(club, "zeno")
            for at in range(WARM_PRESSES + TRACED_PRESSES):
                if at >= WARM_PRESSES:
                    paths.append(ModulePath())
                act = find_next_action(club)
                assert act is not None, "a match of Zeno lasts longer than this"
                await act()
            paths.append(ModulePath())
    sys.setprofile(None)
    threading.setprofile(None)
    return min(paths[1:-1], key=lambda path: len(path.modules))


if __name__ == "__main__":
    found = asyncio.run(trace_press())
    for name in sorted(found.modules):
        sys.stdout.write(f"{name.removeprefix(BOT)}\n")
    sys.stdout.write(f"{len(found.modules)} modules, {found.changes} changes of module\n")
