"""The deletions, in files beside the database: a backup that is restored must not undo them.

Such a file holds the ids of people and when they were deleted, a line of JSON each; neither a name
nor a pseudonym. What was deleted before every backup that could be restored is dropped from it.
"""

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.clock import DAY

FILE_NAME = "tabula.deletions"
"""The name of such a file in a folder of backups, and beside a database on a server."""
FILE_SUFFIX = ".deletions"
"""The end of its name beside a database file."""
KEPT_MS = 400 * DAY
"""Milliseconds for which a deletion is listed: no backup may be kept longer."""
OWNER_ONLY_MODE = 0o600


@dataclass(frozen=True, slots=True)
class Deletion:
    """A person whose data was deleted, and when."""

    person: int
    at: int


@dataclass(frozen=True, slots=True)
class DeletionLog:
    """The files to which each deletion is added; none in tests and on the playground."""

    files: tuple[Path, ...] = ()

    def append(self, deletion: Deletion) -> None:
        """Add a deletion to every file; raises OSError if one cannot be written."""
        line = json.dumps({"person": str(deletion.person), "at": deletion.at})
        for file in self.files:
            _drop_old_lines(file, deletion.at - KEPT_MS)
            _append_line(file, line)


def read_deletions(files: Iterable[Path]) -> list[Deletion]:
    """Return the deletions of all those files that exist, the oldest first, each once.

    Raises ValueError naming the file in which a line says something else.
    """
    found = {deletion for file in files if file.is_file() for deletion in _read_file(file)}
    return sorted(found, key=lambda each: (each.at, each.person))


def _read_file(file: Path) -> Sequence[Deletion]:
    lines = file.read_text(encoding="utf-8").splitlines()
    try:
        return [_parse_line(line) for line in lines if line.strip()]
    except (ValueError, KeyError, TypeError):
        raise ValueError(f"{file} is not a list of deletions") from None


def _parse_line(line: str) -> Deletion:
    stored = json.loads(line)
    return Deletion(int(stored["person"]), int(stored["at"]))


def _append_line(file: Path, line: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, OWNER_ONLY_MODE)
    # Several processes may add to it: a line that is written at once stays whole.
    with os.fdopen(descriptor, "ab", buffering=0) as opened:
        opened.write(f"{line}\n".encode())
        os.fsync(descriptor)


def _drop_old_lines(file: Path, before: int) -> None:
    if not file.is_file():
        return
    lines = file.read_text(encoding="utf-8").splitlines()
    kept = [line for line in lines if line.strip() and _parse_line(line).at >= before]
    if len(kept) == len(lines):
        return
    path = file.with_name(f"{file.name}.new")
    path.write_text("".join(f"{line}\n" for line in kept), encoding="utf-8")
    path.chmod(OWNER_ONLY_MODE)
    path.replace(file)
