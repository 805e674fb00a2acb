"""The deletions, in files beside the database: a backup that is restored must not undo them.

Such a file holds the ids of people and when they were deleted, a line of JSON each; neither a name
nor a pseudonym. What was deleted before every backup that could be restored is dropped from it.
"""

import json
import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock

from engine.clock import DAY

FILE_NAME = "tabula.deletions"
"""The name of such a file in a folder of backups, and beside a database on a server."""
FILE_SUFFIX = ".deletions"
"""The end of its name beside a database file."""
KEPT_MS = 400 * DAY
"""Milliseconds for which a deletion is listed: no backup may be kept longer."""
OWNER_ONLY_MODE = 0o600
_BEGINNING = b'{"person": "'
"""How every line begins."""


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
        """Add a deletion to every file; raises OSError if one cannot be written.

        Raises ValueError naming a file that says something else.
        """
        for file in self.files:
            _append(file, deletion)


def read_deletions(files: Iterable[Path]) -> list[Deletion]:
    """Return the deletions of all those files that exist, the oldest first, each once.

    Raises ValueError naming the file in which a line says something else.
    """
    found = {deletion for file in files if file.is_file() for deletion in _read_file(file)}
    return sorted(found, key=lambda each: (each.at, each.person))


def _read_file(file: Path) -> Sequence[Deletion]:
    *whole, begun = file.read_bytes().split(b"\n")
    found = [_parse_line(file, line) for line in whole if line.strip()]
    # A line without an end was being written when the machine lost its power or the disk was full:
    # nobody was told that it is there.
    if begun and not _BEGINNING.startswith(begun[: len(_BEGINNING)]):
        raise _build_error(file)
    with suppress(ValueError):
        found += [_parse_line(file, begun)]
    return found


def _parse_line(file: Path, line: bytes) -> Deletion:
    try:
        stored = json.loads(line)
        return Deletion(int(stored["person"]), int(stored["at"]))
    except (ValueError, KeyError, TypeError):
        raise _build_error(file) from None


def _build_error(file: Path) -> ValueError:
    return ValueError(f"{file} is not a list of deletions")


def _format_line(deletion: Deletion) -> bytes:
    line = json.dumps({"person": str(deletion.person), "at": deletion.at})
    return f"{line}\n".encode()


def _append(file: Path, deletion: Deletion) -> None:
    """Add a deletion to a file, and leave out what no backup can bring back any more."""
    file.parent.mkdir(parents=True, exist_ok=True)
    # Several processes may do so, and one that replaced it would lose what another has added.
    with FileLock(file.with_name(f"{file.name}.lock"), mode=OWNER_ONLY_MODE):
        known = _read_file(file) if file.is_file() else []
        kept = [each for each in known if each.at >= deletion.at - KEPT_MS]
        beside = file.with_name(f"{file.name}.new")
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, OWNER_ONLY_MODE)
        with os.fdopen(descriptor, "wb") as opened:
            opened.writelines(map(_format_line, [*kept, deletion]))
            opened.flush()
            os.fsync(descriptor)
        beside.replace(file)
