"""What is wrong with a translation, whatever it says: `make check` fails for it.

Nothing here asks for completeness: a text that isn't translated is English, and only a release
waits for it.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from gettext import c2py
from string import Formatter

from babel.messages.catalog import Catalog, Message

from bot.platform.i18n.reader import COMMAND_NAME, OPTION_NAME
from bot.platform.ui import declarations
from lab.source_texts import list_forms
from render.lettering import TEXT, has_all_glyphs

NAMES = (COMMAND_NAME, OPTION_NAME)
"""The contexts of what commands and their options are called."""
MAX_LABEL_LENGTH = 45
"""Characters of what may be a label: on a phone a longer one is cut."""
LABEL_WORDS = 3
ROOM = 12
"""Characters that a text may have beyond twice the English: all cards are tried with that."""

_MARK = re.compile(
    r"\*\*|~~|\|\||\]\(|https?://[^\s)]+|<[^<>\s]+>|\n|(?<!\w)_|_(?!\w)"
    r"|(?m:^(?:#{1,3} |-# |> |[•-] ))"
)
"""Discord's markup, addresses, mentions, times and line breaks, which a translation keeps."""
_CODE = re.compile(r"`[^`]*`?")
_INVISIBLE = re.compile("[\t\r\u00ad\u200b\ufeff]")
_ENDINGS = {
    ".": ".。।",
    ":": ":\uff1a",
    "?": "?\uff1f;؟",
    "!": "!\uff01",
    "…": "…",
}
"""How a text ends in any language that ends so in English."""
_ENTRY = re.compile(r'^(?:msgctxt ((?:".*"\n)+))?msgid ((?:".*"\n)+)', re.MULTILINE)
_LINE = re.compile(
    r'(?:(?:msgctxt|msgid|msgid_plural|msgstr(?:\[\d+\])?) )?"(?:[^"\\]|\\.)*"|#.*|\s*'
)
"""A line of the format; Babel drops the last letter of a text whose quotation mark is missing."""
_COUNTS = range(200)


def find_message_faults(message: Message, plurals: int) -> Iterator[str]:
    """Yield what is wrong with a translation, of a language with so many plural forms."""
    forms = list_forms(message.string)
    filled = [form for form in forms if form]
    if isinstance(message.id, tuple) and filled and len(filled) != plurals:
        yield f"{filled[0]!r} has {len(filled)} of {plurals} plural forms"
    for sentence in filled:
        for fault in (
            *_find_changed_parts(message, sentence),
            *_find_bad_characters(message, sentence),
            *_find_excess_length(message, sentence),
        ):
            yield f"{sentence!r} {fault}"


def _find_changed_parts(message: Message, sentence: str) -> Iterator[str]:
    """Yield the placeholders, marks and code that a translation lacks or has too often."""
    # A language may have more plural forms than English. Each must have what all English forms
    # have, and may have what any of them has.
    originals = list_forms(message.id)
    try:
        parts = _count_placeholders(sentence)
    except ValueError as error:
        yield f"cannot be filled in: {error}"
        return
    yield from _compare_parts([_count_placeholders(text) for text in originals], parts)
    if _list_code(sentence) not in [_list_code(text) for text in originals]:
        yield "changes what stands in backticks, which stays as in English"
    yield from _compare_parts([_count_marks(text) for text in originals], _count_marks(sentence))


def _compare_parts(originals: list[Counter[str]], parts: Counter[str]) -> Iterator[str]:
    least, most = originals[0], originals[0]
    for each in originals[1:]:
        least, most = least & each, most | each
    if missing := least - parts:
        yield f"lacks {_format_parts(missing)}"
    if foreign := parts.keys() - most.keys():
        yield f"has {_format_parts(foreign)}, which the English has not"
    if repeated := (parts - most).keys() & most.keys():
        yield f"has {_format_parts(repeated)} more often than the English"


def _format_parts(parts: Iterable[str]) -> str:
    return ", ".join(part if part.isprintable() else "a line break" for part in sorted(parts))


def _count_placeholders(text: str) -> Counter[str]:
    """Return the parts of a text, which are in braces; raises ValueError for bad braces."""
    return Counter(
        "".join(("{", name, f"!{conversion}" if conversion else "", f":{how}" if how else "", "}"))
        for _, name, how, conversion in Formatter().parse(text)
        if name is not None
    )


def _count_marks(text: str) -> Counter[str]:
    return Counter(_MARK.findall(re.sub(r"`[^`]*`", "`", text)))


def _list_code(text: str) -> list[str]:
    return sorted(_CODE.findall(text))


def _find_bad_characters(message: Message, sentence: str) -> Iterator[str]:
    """Yield what is wrong at the edges, between words, and with letters."""
    originals = list_forms(message.id)
    if _get_edges(sentence) not in [_get_edges(text) for text in originals]:
        yield "begins or ends with other spaces or line breaks than the English"
    if "  " in sentence and not any("  " in text for text in originals):
        yield "has two spaces side by side"
    if _INVISIBLE.search(sentence):
        yield "has characters that nobody sees"
    endings = _ENDINGS.get(originals[-1].rstrip()[-1:])
    if endings and sentence.rstrip()[-1:] not in endings:
        yield f"doesn't end in {endings[0]!r}, as the English does"
    letters = {each for each in sentence if each.isalnum() and not has_all_glyphs(TEXT, each)}
    if letters:
        yield f"has letters that pictures can't show: {' '.join(sorted(letters))}"


def _get_edges(text: str) -> tuple[str, str]:
    # A no-break space is a matter of the language, as before a French semicolon.
    inner = text.strip(" \n")
    before, _, after = text.partition(inner) if inner else (text, "", "")
    return before, after


def _find_excess_length(message: Message, sentence: str) -> Iterator[str]:
    """Yield the limits that a translation exceeds, of Discord's and of cards on a phone."""
    english = max(list_forms(message.id), key=len)
    if (
        message.context == declarations.COMMAND
        and len(sentence) > declarations.MAX_DESCRIPTION_LENGTH
    ):
        yield (
            f"is longer than the {declarations.MAX_DESCRIPTION_LENGTH} characters that Discord "
            "allows"
        )
    if message.context in NAMES and not declarations.is_valid_name(sentence):
        yield "is no name that Discord takes for a command or an option"
    if len(sentence) > 2 * len(english) + ROOM:
        yield f"has {len(sentence)} characters, over {2 * len(english) + ROOM}"
    if len(sentence) > MAX_LABEL_LENGTH and not message.context and _may_be_label(english):
        yield f"has {len(sentence)} characters, over the {MAX_LABEL_LENGTH} of a button"


def _may_be_label(english: str) -> bool:
    return len(english.split()) <= LABEL_WORDS and not re.search(r"[{.:;?!]", english)


def find_file_faults(text: str, catalogue: Catalog, language: str) -> Iterator[tuple[int, str]]:
    """Yield the line and what is wrong there with a language's file as a whole."""
    if str(catalogue.locale) != language:
        yield 1, f"the header names the language {catalogue.locale}, the folder {language}"
    usual = Catalog(language)
    if _list_plurals(catalogue) != _list_plurals(usual):
        yield 1, f"the header needs Plural-Forms: {usual.plural_forms}"
    for line, said in enumerate(text.splitlines(), start=1):
        if not _LINE.fullmatch(said):
            yield line, f"{said!r} lacks a quotation mark"
    known: dict[tuple[str, str], int] = {}
    for entry in _ENTRY.finditer(text):
        context, said = ("".join(re.findall('"(.*)"', part or "")) for part in entry.groups())
        line = text.count("\n", 0, entry.start()) + 1
        first = known.setdefault((context, said), line)
        if first != line:
            yield line, f"{said!r} is in line {first} too"


def _list_plurals(catalogue: Catalog) -> tuple[int, list[int]]:
    choose = c2py(catalogue.plural_expr)
    return catalogue.num_plurals, [int(choose(n)) for n in _COUNTS]
