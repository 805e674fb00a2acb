"""The folder of the pages: what is written there, and that nothing else is touched."""

import os
import re
import shutil
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

MARK = ".tabula-pages"
"""The file by which a folder of ours is known, so that no other's files are replaced."""
_MARK_TEXT = b"Tabula writes this folder: what is in it is replaced and removed.\n"
SERVERS = "servers"
MATCHES = "matches"
MIN_FREE_BYTES = 16_000_000
"""The free space below which a disk counts as full, for the doctor."""
_NUMBER = re.compile(r"[1-9][0-9]{0,18}")
_TEMPORARY = ".tmp"
_FILE_MODE, _FOLDER_MODE = 0o644, 0o755
"""Everybody may read what is public, also where the bot's other files are its own alone."""


class PageFolderError(OSError):
    """The folder can't be used; the message is one sentence that says why."""


@dataclass(frozen=True, slots=True)
class WrittenPages:
    """The numbers of the matches, contests and ladders that have a page."""

    matches: frozenset[int]
    contests: frozenset[int]
    ladders: frozenset[int]


class PageFolder:
    """Files of pages by their path in the folder; every method may raise OSError.

    A file is written beside its place and then moved there, so that nobody reads half of one.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def require_usable(self) -> None:
        """Raise PageFolderError unless pages can be written here, and mark the folder as ours."""
        if problem := find_folder_problem(self.path):
            raise PageFolderError(problem)
        self.write(MARK, _MARK_TEXT)

    def write(self, name: str, content: bytes) -> bool:
        """Write a file unless it has that content already; return whether it was written."""
        place = self.path / name
        if _read(place) == content:
            return False
        self._create_folder(place.parent)
        temporary = place.with_name(f"{place.name}.{os.getpid()}{_TEMPORARY}")
        try:
            temporary.write_bytes(content)
            temporary.chmod(_FILE_MODE)
            temporary.replace(place)
        except OSError:
            temporary.unlink(missing_ok=True)
            raise
        return True

    def _create_folder(self, place: Path) -> None:
        """Make a folder within this one, and those that it is in."""
        if place.is_dir():
            return
        self._create_folder(place.parent)
        place.mkdir(exist_ok=True)
        place.chmod(_FOLDER_MODE)

    def read_start(self, name: str, length: int) -> str:
        """Return how a file begins; empty where there is none."""
        try:
            with (self.path / name).open("rb") as file:
                return file.read(length).decode(errors="replace")
        except FileNotFoundError:
            return ""

    def read(self, name: str) -> bytes | None:
        """Return what a file holds; None where there is none."""
        return _read(self.path / name)

    def list_servers(self) -> list[int]:
        """Return the numbers of the servers that have a folder."""
        return [int(name) for name in self._list(SERVERS) if _NUMBER.fullmatch(name)]

    def list_matches(self, guild: int) -> set[int]:
        """Return the numbers of the matches of which a server has any file."""
        return {*self._list_numbers(f"{SERVERS}/{guild}/{MATCHES}")}

    def _list_numbers(self, folder: str) -> frozenset[int]:
        names = (name.partition(".")[0] for name in self._list(folder))
        return frozenset(int(name) for name in names if _NUMBER.fullmatch(name))

    def list_pages(self, guild: int) -> WrittenPages:
        """Return the numbers of all that has a page of a server."""
        return WrittenPages(
            *(
                self._list_numbers(f"{SERVERS}/{guild}/{name}")
                for name in (MATCHES, "contests", "ladders")
            )
        )

    def _list(self, name: str) -> list[str]:
        try:
            return sorted(each.name for each in (self.path / name).iterdir())
        except FileNotFoundError:
            return []

    def remove_server(self, guild: int) -> None:
        """Remove all of a server."""
        # First what leads to it: a reader who comes in between finds no page, and not half of one.
        place = self.path / SERVERS / str(guild)
        (place / "index.html").unlink(missing_ok=True)
        if place.exists():
            shutil.rmtree(place)

    def remove_match(self, guild: int, match: int) -> None:
        """Remove all of a match."""
        place = self.path / SERVERS / str(guild) / MATCHES
        # The page, its record, and what was left of either when the program died.
        for file in list(place.glob(f"{match}.*")):
            file.unlink(missing_ok=True)
        if (place / str(match)).exists():
            shutil.rmtree(place / str(match))

    def remove_others(self, guild: int, kept: Collection[str]) -> None:
        """Remove what a server has beside the files of that path and those of its matches."""
        place = self.path / SERVERS / str(guild)
        # Matches have by far the most files, and are looked after by themselves.
        for top in [each for each in place.iterdir() if each.name != MATCHES]:
            for file in [top] if top.is_file() else list(top.iterdir()):
                if file.relative_to(place).as_posix() not in kept:
                    file.unlink()


def write_server_files(folder: PageFolder, guild: int, files: Mapping[str, bytes]) -> None:
    """Write what a server has beside its matches, and remove what it has no more."""
    for name, content in files.items():
        folder.write(f"{SERVERS}/{guild}/{name}", content)
    folder.remove_others(guild, files)


def find_folder_problem(path: Path) -> str:
    """Return in one sentence why pages can't be written in a folder; empty where they can."""
    if not path.is_dir():
        return f"no pages are written, since their folder {path} doesn't exist"
    if not os.access(path, os.R_OK | os.W_OK | os.X_OK):
        return f"no pages are written, since I may not write in their folder {path}"
    if not (path / MARK).is_file() and _has_foreign_files(path.iterdir()):
        return (
            f"no pages are written, since their folder {path} has other files in it; "
            "TABULA_PAGES needs a folder of its own"
        )
    return ""


def find_space_problem(path: Path) -> str:
    """Return in one sentence that a folder's disk is full; empty where it isn't."""
    free = shutil.disk_usage(path).free
    if free >= MIN_FREE_BYTES:
        return ""
    return f"the disk of the pages' folder {path} is full: {free // 1_000_000} MB are free"


def _has_foreign_files(files: Iterable[Path]) -> bool:
    # What file systems and version control put there belongs to nobody.
    return any(not file.name.startswith(".") and file.name != "lost+found" for file in files)


def _read(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except FileNotFoundError:
        return None
