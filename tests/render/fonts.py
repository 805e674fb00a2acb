"""Fonts of other scripts, installed for a test as a system has them."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import as_file, files
from pathlib import Path

from render import lettering

SCRIPTS = ("sc", "arabic", "hebrew", "devanagari")
"""Simplified Chinese (with Japanese and Cyrillic letters) and three scripts that need shaping."""


@contextmanager
def install_fonts(folder: Path, scripts: tuple[str, ...] = SCRIPTS) -> Iterator[None]:
    """Make the fonts of those scripts the only ones of the system; simcord brings them."""
    (folder / "fonts").mkdir(parents=True)
    with as_file(files("simcord").joinpath("preview", "static", "fonts")) as bundled:
        for script in scripts:
            (source,) = bundled.glob(f"noto-sans-{script}-v*.ttf")
            shutil.copy(source, folder / "fonts" / f"NotoSans{script.title()}-Regular.ttf")
    nowhere = str(folder / "nowhere")
    before = {name: os.environ.get(name) for name in ("XDG_DATA_HOME", "XDG_DATA_DIRS")}
    os.environ.update(XDG_DATA_HOME=str(folder), XDG_DATA_DIRS=nowhere)
    lettering.clear_font_caches()
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
        lettering.clear_font_caches()
