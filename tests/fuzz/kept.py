"""The cases that are kept, a file for each target with a case a line, in hexadecimal."""

from collections.abc import Iterable
from pathlib import Path

FOLDER = Path(__file__).parent / "corpus"


def load_cases(name: str) -> list[bytes]:
    """Return the cases of a target, none for a new one."""
    file = FOLDER / f"{name}.hex"
    return [bytes.fromhex(line) for line in file.read_text().splitlines()] if file.exists() else []


def save_cases(name: str, found: Iterable[bytes]) -> None:
    """Keep these cases of a target, and no others."""
    (FOLDER / f"{name}.hex").write_text("".join(f"{case.hex()}\n" for case in sorted(found)))
