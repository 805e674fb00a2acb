"""A made-up language: each text is in guillemets and a third longer, so that none can hide.

What a text keeps whole in any language stays whole: its parts in braces, what stands in backticks,
mentions, addresses, and the marks of Discord's markdown, which begin a line before the bracket.
Punctuation that stands between texts stays too: it would make a page longer than a language does.
"""

import re
from collections.abc import Callable, Iterable
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from bot.platform.i18n.reader import DOMAIN, LOCALES
from tests.words.build import compile_catalogue

LANGUAGE = "en_XA"
"""The language as gettext names it; no language of people has this code."""
LOCALE = "en-XA"
"""The same as Discord would write it."""

VERBATIM = re.compile(
    r"(\{[^{}]*\}|\{\{|\}\}|`[^`]*`|</[^<>:]+:[0-9]+>|<[^<>\s]+>|https?://[^\s»]+)"
)
# Fractions are digits to people, but not to the expression's \d.
WORD = re.compile(r"[^\W\d_½¼¾]+")
BEGINS_LINE = re.compile(r"(?:#{1,3} |-# |> |[•-] )?")


def pseudo_translate(text: str) -> str:
    """Return a text in the made-up language."""
    mark = BEGINS_LINE.match(text)
    assert mark is not None
    words = text[mark.end() :]
    stretched = "".join(
        part if VERBATIM.fullmatch(part) else _stretch_words(part) for part in VERBATIM.split(words)
    )
    return f"{mark[0]}«{stretched}»"


def _stretch_words(words: str) -> str:
    """Lengthen every word by a third of it, at least by a letter: its last letter goes on."""
    return WORD.sub(lambda word: word[0] + word[0][-1] * -(-len(word[0]) // 3), words)


def double_words(text: str) -> str:
    """Return a text whose words are twice as long, as those of some languages are."""
    parts = VERBATIM.split(text)
    return "".join(
        part if VERBATIM.fullmatch(part) else WORD.sub(lambda word: word[0] * 2, part)
        for part in parts
    )


def compile_pseudo_folder(
    folder: Path,
    template: Catalog,
    language: str = LANGUAGE,
    say: Callable[[str], str] = pseudo_translate,
) -> Path:
    """Compile a template's texts in the made-up language into the folder; return the folder.

    `language` is the one whose place it takes, where people can only read one that Discord has.
    """
    catalogue = Catalog(language, fuzzy=False)
    for message in template:
        if not message.id:
            continue  # the header
        if _is_punctuation(message):
            said = message.id
        else:
            said = say(message.id) if isinstance(message.id, str) else tuple(map(say, message.id))
        catalogue.add(message.id, said, context=message.context)
    return compile_catalogue(folder, language, catalogue)


def _is_punctuation(message: Message) -> bool:
    """Whether a message has no word, and a context that says where it stands instead."""
    return bool(message.context) and not WORD.search(VERBATIM.sub("", str(message.id)))


def read_template() -> Catalog:
    """Return the template that translators get.

    To read it takes a hundredth of the time of building it from the sources, and a test of the
    translations holds that both are the same.
    """
    with (LOCALES / f"{DOMAIN}.pot").open("rb") as lines:
        return read_po(lines)


def collect_words(template: Catalog) -> frozenset[str]:
    """Return every word of the made-up language."""
    texts = (text for message in template if message.id for text in list_forms(message.id))
    return frozenset(
        word for text in texts for word in WORD.findall(VERBATIM.sub(" ", pseudo_translate(text)))
    )


def list_forms(text: str | Iterable[str]) -> tuple[str, ...]:
    """Return the forms of a text: one, or one for each number."""
    return (text,) if isinstance(text, str) else tuple(text)
