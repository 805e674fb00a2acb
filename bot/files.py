"""Reading text files, whatever an editor or a shell made of them."""

import codecs
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


def parse_path(text: str) -> Path:
    """Return the path in an argument; raises ArgumentTypeError for an unknown user's home."""
    try:
        return Path(expand_home(text))
    except StoreError as error:
        raise ArgumentTypeError(str(error)) from None
