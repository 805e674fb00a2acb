"""Nightly copies of the database, a fixed number of them, made by a program beside the bot."""

import asyncio
import logging
import os
import re
import shutil
import sys
from asyncio.subprocess import PIPE
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from pathlib import Path

from discord.ext import tasks

from bot.platform.context import Clock
from bot.platform.db.copies import TEMPORARY_PREFIX

log = logging.getLogger(__name__)

CHECK_INTERVAL_MIN = 10
"""Minutes until the next look at whether a copy is due, if it was too early or failed."""
STALE_COPY_MS = 86_400_000
"""Milliseconds after which a copy that was begun is no longer being made."""
NAME_TEMPLATE = "tabula-{day}.sqlite3"
_NAME_PATTERN = re.compile(r"tabula-[0-9]{4}-[0-9]{2}-[0-9]{2}\.sqlite3")


@dataclass(frozen=True, slots=True)
class BackupPlan:
    """Copies of a database in a folder: how many to keep, and when (UTC) the next is made.

    `folder` is a full path.
    """

    database: str
    folder: Path
    kept: int
    at: time


class NightlyBackups:
    """Makes the copies while the bot runs; use as an async context manager."""

    def __init__(self, plan: BackupPlan, clock: Clock) -> None:
        self._plan = plan
        self._clock = clock

    async def __aenter__(self) -> None:
        self._make_if_due.start()

    async def __aexit__(self, *_: object) -> None:
        looking = self._make_if_due.get_task()
        self._make_if_due.cancel()
        if looking is not None:
            await asyncio.gather(looking, return_exceptions=True)

    @tasks.loop(minutes=CHECK_INTERVAL_MIN)
    async def _make_if_due(self) -> None:
        due = self.find_due_copy()
        if due is None:
            return
        try:
            await self._make_copy(due)
        except OSError as error:
            log.warning(
                "backup to %s failed, retrying in %d min: %s",
                self._plan.folder,
                CHECK_INTERVAL_MIN,
                error,
            )

    def find_due_copy(self) -> Path | None:
        """Return the copy that is to be made now; None if that of the last night exists."""
        now = datetime.fromtimestamp(self._clock() / 1000, UTC)
        night = datetime.combine(now.date(), self._plan.at, UTC)
        if night > now:
            night -= timedelta(days=1)
        file = self._plan.folder / NAME_TEMPLATE.format(day=night.date())
        return None if file.exists() else file

    async def _make_copy(self, file: Path) -> None:
        """Make a copy, and remove those that are too old; raises OSError.

        A program of its own does it, which spares the event loop the work and frees the memory at
        its end.
        """
        await asyncio.to_thread(self._plan.folder.mkdir, parents=True, exist_ok=True)
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bot", "backup", "--gently", str(file)),
            # That command knows its database from the settings alone.
            env={**os.environ, "TABULA_DATABASE": self._plan.database},
            stdout=PIPE,
            stderr=PIPE,
        )
        try:
            told, complaint = await process.communicate()
        finally:
            if process.returncode is None:
                # The bot is ending: the copy must not go on without it.
                process.terminate()
                await process.wait()
        said = " ".join((told + complaint).decode(errors="replace").split())
        if process.returncode == 0:
            log.info("%s", said)
            await asyncio.to_thread(self._remove_old_copies)
        elif await asyncio.to_thread(file.exists):
            # What is sound is not given up for what is not.
            log.warning("the newest backup is not sound, so the older ones are kept: %s", said)
        else:
            log.warning("backup failed, retrying in %d min: %s", CHECK_INTERVAL_MIN, said)

    def _remove_old_copies(self) -> None:
        """Remove the copies that are too old, and what was left of those that were broken off."""
        copies = sorted(
            file for file in self._plan.folder.iterdir() if _NAME_PATTERN.fullmatch(file.name)
        )
        # The names hold the day, so sorted by name the oldest come first.
        for file in copies[: -self._plan.kept]:
            file.unlink()
        for folder in self._plan.folder.glob(f"{TEMPORARY_PREFIX}*"):
            # A copy that is being made lies in such a folder, too, and is much younger.
            if folder.stat().st_mtime * 1000 < self._clock() - STALE_COPY_MS:
                shutil.rmtree(folder, ignore_errors=True)
