"""One reader's language.

Every text that people see goes through a Reader, and is English where it has no translation. Texts
are found in gettext's catalogues under `locale/`; `make words` extracts them from the code, which
is why they are literals there, said by a reader called `say`:
`say("{name} threw {dice}.", name=..., dice=...)`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from gettext import NullTranslations, translation
from pathlib import Path
from typing import ClassVar

DOMAIN = "tabula"
"""The name of the catalogues."""
LOCALES = Path(__file__).parent / "locale"
"""The folder of the catalogues: `<language>/LC_MESSAGES/tabula.po` and `.mo`."""


_LOCALE_CODE = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")
_MAX_READERS = 64


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads: the language of their catalogue and the texts in it.

    The language is written as gettext does (`de`, `pt_BR`). Every text is a template: its parts are
    named in braces and given by name, and a brace itself is doubled. A text that the catalogue
    lacks is said in English. Readers of one language are equal. Raises KeyError where a part is
    missing.
    """

    ENGLISH: ClassVar["Reader"]

    language: str
    catalogue: NullTranslations = field(repr=False, compare=False)

    def __call__(self, text: str, /, **parts: object) -> str:
        """Say a text."""
        return self.catalogue.gettext(text).format_map(parts)

    def plural(self, one: str, other: str, n: int, /, **parts: object) -> str:
        """Say a text in the form that the language has for `n` things.

        `{n}` is one of its parts.
        """
        return self.catalogue.ngettext(one, other, n).format_map({"n": n, **parts})

    def in_context(self, context: str, text: str, /, **parts: object) -> str:
        """Say a text whose meaning depends on its context, such as a game's."""
        return self.catalogue.pgettext(context, text).format_map(parts)

    def plural_in_context(
        self, context: str, one: str, other: str, /, *, n: int, **parts: object
    ) -> str:
        """Say a text whose meaning depends on its context, in the form for `n` things."""
        return self.catalogue.npgettext(context, one, other, n).format_map({"n": n, **parts})

    def format_list(self, things: Sequence[str]) -> str:
        """Say several things as a list in words.

        It gives nothing, `Ana`, `Ana and Ben`, or `Ana, Ben and Cyn`.
        """
        if len(things) < 2:
            return "".join(things)
        *before, last = things
        return self.in_context(
            "list", "{before} and {last}", before=self._join_with_commas(before), last=last
        )

    def _join_with_commas(self, things: Sequence[str]) -> str:
        row = things[0]
        for thing in things[1:]:
            row = self.in_context("list", "{before}, {next}", before=row, next=thing)
        return row


Reader.ENGLISH = Reader("en", NullTranslations())


@lru_cache(_MAX_READERS)
def load_reader(locale: str, folder: Path = LOCALES) -> Reader:
    """Return the reader of a locale as Discord writes it.

    For `de-AT` that is its own, else that of `de`, else English.
    """
    # The locale becomes a part of a path, so nothing else may be in it.
    if not _LOCALE_CODE.fullmatch(locale):
        return Reader.ENGLISH
    try:
        catalogue = translation(DOMAIN, folder, _list_fallbacks(locale))
    except FileNotFoundError:
        return Reader.ENGLISH
    return Reader(catalogue.info()["language"], catalogue)


def _list_fallbacks(locale: str) -> list[str]:
    """Return a locale's names, each wider than the one before.

    `zh-Hant-TW` gives `zh_Hant_TW`, `zh_Hant`, `zh`.
    """
    subtags = locale.split("-")
    return ["_".join(subtags[:length]) for length in range(len(subtags), 0, -1)]
