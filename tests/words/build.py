"""Catalogues made for a test, in a folder of its own."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo


def compile_texts(
    folder: Path, language: str, texts: Mapping[Any, Any], context: str | None = None
) -> Path:
    """Compile a language's texts, of one context, into the folder.

    A pair of texts (singular, plural) has a tuple of forms.
    """
    catalogue = Catalog(language, fuzzy=False)
    for text, said in texts.items():
        catalogue.add(text, said, context=context)
    return compile_catalogue(folder, language, catalogue)


def compile_catalogue(folder: Path, language: str, catalogue: Catalog) -> Path:
    """Compile a catalogue into the folder, and return the folder."""
    file = folder / language / "LC_MESSAGES" / "tabula.mo"
    file.parent.mkdir(parents=True)
    with file.open("wb") as lines:
        write_mo(lines, catalogue)
    return folder
