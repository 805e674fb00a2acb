"""The terms of each language, as far as a program can hold a translation to them.

A language's page `docs/translating/<language>.md` says which word each term has and why. Beside it,
`<language>.toml` says how that is seen in a text: by what a translation must have where the English
has the term, and by what it must not have.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from babel.messages.catalog import Catalog, Message

from bot.platform.i18n.reader import COMMAND_NAME
from lab.source_texts import ROOT, list_forms

FOLDER = ROOT / "docs" / "translating"
_KEPT = re.compile(r"`[^`]*`|\{[^{}]*\}|https?://\S+")
"""What a translation keeps as it is, where no word is the translator's."""


@dataclass(frozen=True, slots=True)
class Term:
    """A term, with the expressions by which it is looked for; all ignore capitals.

    `texts` finds the English texts that are looked at, without those that `save` finds. Their
    translation must match `use`, and must not match `never`; where one is empty, it isn't asked.
    """

    english: str
    texts: str = ""
    save: str = ""
    use: str = ""
    never: str = ""


def load_terms(language: str, folder: Path = FOLDER) -> tuple[Term, ...]:
    """Return a language's terms; none where it has no list yet.

    Raises TypeError for a key that no term has.
    """
    file = folder / f"{language}.toml"
    if not file.exists():
        return ()
    return tuple(Term(**term) for term in tomllib.loads(file.read_text("utf-8"))["term"])


def find_wrong_terms(catalogue: Catalog, terms: tuple[Term, ...]) -> Iterator[tuple[int, str]]:
    """Yield the line of each translation with a word that isn't its term's, and what is wrong."""
    looked_for = [(term, re.compile(term.texts, re.IGNORECASE)) for term in terms]
    for message in catalogue:
        if message.id and any(list_forms(message.string)) and not message.fuzzy:
            for fault in _find_in_message(message, looked_for):
                yield message.lineno or 0, fault


def _find_in_message(
    message: Message, looked_for: list[tuple[Term, re.Pattern[str]]]
) -> Iterator[str]:
    forms = list_forms(message.id)
    if message.context == COMMAND_NAME:
        # A command in a group is translated alone.
        forms = [forms[0].split()[-1]]
    english = _drop_kept(" ".join(forms))
    said = _drop_kept(" ".join(list_forms(message.string)))
    for term, texts in looked_for:
        if not texts.search(english) or (term.save and _has(term.save, english)):
            continue
        if term.never and (found := re.search(term.never, said, re.IGNORECASE)):
            yield f"{found[0]!r} isn't the word for {term.english!r}: {said!r}"
        if not _has(term.use, said):
            yield f"the word for {term.english!r} is missing: {said!r}"


def _drop_kept(text: str) -> str:
    return _KEPT.sub("…", text)


def _has(expression: str, text: str) -> bool:
    return bool(re.search(expression, text, re.IGNORECASE))


def list_page_terms(page: str) -> Mapping[str, str]:
    """Return the rows of a page's table: each English term, without what explains it in brackets.

    Their values are the translations.
    """
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \|", page, re.MULTILINE)
    return {re.sub(r" \([^)]*\)", "", english): said for english, said in rows}
