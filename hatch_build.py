"""The build hook of the package: it compiles the translations, which is all that there is to build.

`python hatch_build.py` does the same in a checkout.
"""

import os
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LOCALES = Path(__file__).parent / "bot" / "platform" / "i18n" / "locale"


class CompileTranslations(BuildHookInterface):  # type: ignore[type-arg]  # of any builder
    """Compiles them before the package is put together, or installed to be edited."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile them."""
        compile_catalogues(LOCALES)


def compile_catalogues(folder: Path) -> None:
    """Compile each language's `tabula.po` into the `tabula.mo` beside it, unless that is newer.

    A text without a translation, or with a fuzzy one, is left out and so stays English.
    """
    for source in sorted(folder.glob("*/LC_MESSAGES/*.po")):
        compiled = source.with_suffix(".mo")
        if compiled.exists() and compiled.stat().st_mtime_ns >= source.stat().st_mtime_ns:
            continue
        with source.open("rb") as lines:
            catalogue = read_po(lines)
        # Renamed when it is whole, since the bot or a test may be reading it, and under a name of
        # its own, since another process may be compiling it.
        unfinished = compiled.with_suffix(f".mo.{os.getpid()}")
        with unfinished.open("wb") as file:
            write_mo(file, catalogue)
        unfinished.replace(compiled)


if __name__ == "__main__":
    compile_catalogues(LOCALES)
