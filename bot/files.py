"""Reading text files, whatever an editor or a shell made of them, and who else can read files."""

import codecs
import os
import stat
from argparse import ArgumentTypeError
from pathlib import Path

from bot.store import StoreError, expand_home

_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def read_text(file: Path) -> str:
    """Return the text of a file in UTF-8, with or without a byte order mark.

    Raises ValueError, naming the file and what to do, for another encoding.
    """
    written = file.read_bytes()
    # Windows writes UTF-16 also without its mark; then every other byte is zero.
    if written.startswith(_UTF_16) or b"\0" in written:
        raise ValueError(f"{file} is in UTF-16, or no text file; save it as UTF-8")
    try:
        return written.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = written.count(b"\n", 0, error.start) + 1
        raise ValueError(
            f"{file} is not in UTF-8 (line {line}), but perhaps in Latin-1; save it as UTF-8"
        ) from None


def is_exposed(file: Path) -> bool:
    """Return whether other users of the machine can read or change an existing file.

    Where there is no such file, or permissions are of another kind, as on Windows, it is False.
    """
    if os.name != "posix":
        return False
    try:
        return bool(file.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO))
    except OSError:
        return False


def parse_path(text: str) -> Path:
    """Return the path in an argument; raises ArgumentTypeError for an unknown user's home."""
    try:
        return Path(expand_home(text))
    except StoreError as error:
        raise ArgumentTypeError(str(error)) from None
