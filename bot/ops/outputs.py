"""Files that a command is told to write: what may be replaced by them."""

import os
from pathlib import Path


def resolve_output(file: Path, beginning: bytes, otherwise: str) -> Path:
    """Return where a file that begins so is to lie, with links followed.

    Raises OSError, saying `otherwise`, if something else would be lost than an earlier file of its
    kind; also for a missing folder.
    """
    # A link itself would be replaced, and leave what it leads to as it was.
    file = Path(os.path.realpath(file))
    if not file.parent.is_dir():
        raise FileNotFoundError(f"there is no folder {file.parent}")
    # What is still a link leads in a circle.
    if not file.exists() and not file.is_symlink():
        return file
    if not file.is_file():
        raise FileExistsError(f"{file} is not a file that could be replaced")
    with file.open("rb") as opened:
        if opened.read(len(beginning)) not in (b"", beginning):
            raise FileExistsError(f"{file} exists already, and {otherwise}")
    return file
