"""One reader's language.

Every text that people see goes through a Reader, and is English where it has no translation. Texts
are found in gettext's catalogues under `locale/`; `make words` extracts them from the code, which
is why they are literals there, said by a reader called `say`:
`say("{name} threw {dice}.", name=..., dice=...)`.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from gettext import NullTranslations, translation
from pathlib import Path
from typing import ClassVar

from bot.platform.i18n.command_names import COMMAND_NAME, localise_commands

DOMAIN = "tabula"
"""The name of the catalogues."""
LOCALES = Path(__file__).parent / "locale"
"""The folder of the catalogues: `<language>/LC_MESSAGES/tabula.po` and `.mo`."""


_LOCALE_CODE = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")
_MAX_READERS = 64
DELETED_NAME = "deleted player"
"""What everyone who has had their data deleted is called, to be translated."""
_NOBODY = "<@-"
_DELETED_MENTION = re.compile(r"<@-[0-9]+>")
"""How those are mentioned: their ids are below zero, and Discord would show them as numbers."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads: the language of their catalogue and the texts in it.

    The language is written as gettext does (`de`, `pt_BR`). Every text is a template: its parts are
    named in braces and given by name, and a brace itself is doubled. A text that the catalogue
    lacks is said in English. Readers of one language in one folder are equal. Raises KeyError where
    a part is missing.
    """

    ENGLISH: ClassVar["Reader"]

    language: str
    catalogue: NullTranslations = field(repr=False, compare=False)
    localised: dict[str, str] = field(default_factory=dict, repr=False, compare=False)
    """Texts with the names that commands have in the language, as they were needed."""
    folder: Path = field(default=LOCALES, repr=False)
    """Where the catalogue is, for another process to load it again."""

    def __reduce__(self) -> tuple[Callable[[str, Path], "Reader"], tuple[str, Path]]:
        # What gettext makes of a catalogue can't be sent to another process.
        return load_reader, (self.language.replace("_", "-"), self.folder)

    def __call__(self, text: str, /, **parts: object) -> str:
        """Say a text."""
        return self._fill(self.catalogue.gettext(text), parts)

    def plural(self, one: str, other: str, n: int, /, **parts: object) -> str:
        """Say a text in the form that the language has for `n` things.

        `{n}` is one of its parts.
        """
        said = self.catalogue.ngettext(one, other, n)
        return self._fill(said, {"n": n, **parts})

    def in_context(self, context: str, text: str, /, **parts: object) -> str:
        """Say a text whose meaning depends on its context, such as a game's."""
        return self._fill(self.catalogue.pgettext(context, text), parts)

    def plural_in_context(
        self, context: str, one: str, other: str, /, *, n: int, **parts: object
    ) -> str:
        """Say a text whose meaning depends on its context, in the form for `n` things."""
        said = self.catalogue.npgettext(context, one, other, n)
        return self._fill(said, {"n": n, **parts})

    def _fill(self, said: str, parts: Mapping[str, object]) -> str:
        """Return a text with its parts; a mention of nobody is a deleted player."""
        filled = self._localise(said).format_map(parts)
        if _NOBODY not in filled:
            return filled
        return _DELETED_MENTION.sub(self.catalogue.gettext(DELETED_NAME), filled)

    def name_command(self, command: str) -> str:
        """Return what a command that stands in no group is called."""
        return self.catalogue.pgettext(COMMAND_NAME, command)

    def _localise(self, said: str) -> str:
        """Return a text with the names that commands have in its language."""
        if "`" not in said or self is Reader.ENGLISH:
            return said
        # Texts are finite in number, since what varies in them is filled in afterwards.
        if said not in self.localised:
            self.localised[said] = localise_commands(self.catalogue, said)
        return self.localised[said]

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
    return Reader(catalogue.info()["language"], catalogue, folder=folder)


@lru_cache(_MAX_READERS)
def list_languages(folder: Path = LOCALES) -> Mapping[str, str]:
    """Return the languages that people can read, by Discord's names of them, as `pt-BR`.

    Each is called as those who speak it call it.
    """
    codes = ("en", *sorted(file.parts[-3] for file in folder.glob(f"*/LC_MESSAGES/{DOMAIN}.mo")))
    locales = [code.replace("_", "-") for code in codes]
    return {locale: _name_language(load_reader(locale, folder), locale) for locale in locales}


def _name_language(say: Reader, locale: str) -> str:
    # Translators: the name of the language into which you translate, in that language.
    name = say.in_context("language", "English")
    # Without its own name a language can still be told from English.
    return locale if name == "English" and locale != "en" else name


def _list_fallbacks(locale: str) -> list[str]:
    """Return a locale's names, each wider than the one before.

    `zh-Hant-TW` gives `zh_Hant_TW`, `zh_Hant`, `zh`.
    """
    subtags = locale.split("-")
    return ["_".join(subtags[:length]) for length in range(len(subtags), 0, -1)]
