"""The texts in the code: what readers say there, and what translators could not find or tell."""

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from string import Formatter
from typing import TypeAlias

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from jinja2 import Environment, nodes

ROOT = Path(__file__).parents[1]
SOURCES = ("bot", "render")
"""The folders in which a reader says something."""
METHODS = [("**.py", "python"), ("**/templates/*.html", "jinja2")]
"""What texts are found in, and how."""
TEXT_ARGUMENTS = {"say": None, "mark_text": None, "plural": (1, 2), "in_context": ((1, "c"), 2)}
"""Which arguments of which calls are texts; `c` marks a context."""
LITERALS = {"say": 1, "mark_text": 1, "plural": 2}
"""How many arguments of which calls must be literals, or the text would not be found."""
NOTE = "Translators:"
"""How a comment for translators begins."""

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_TIMESTAMP = re.compile(r"<t:\{\w+\}(?::\w)?>")
"""A time as Discord writes it for each reader, whose letters are no words."""

Forms: TypeAlias = str | tuple[str, ...]
"""A text, or the forms of one for a single thing and for several."""


@dataclass(frozen=True, slots=True)
class SourceText:
    """A text that a reader says at a place in the code, and what translators are told about it."""

    file: str
    line: int
    forms: Forms
    notes: tuple[str, ...]
    context: str | None


def extract_texts(root: Path = ROOT) -> Iterator[SourceText]:
    """Yield what readers say in the sources that lie under `root`."""
    for source in SOURCES:
        said = extract_from_dir(
            root / source, METHODS, keywords=TEXT_ARGUMENTS, comment_tags=(NOTE,)
        )
        for file, line, forms, notes, context in said:
            if file.endswith(".html"):
                # Jinja takes the tag off a note, and leaves its lines as they are.
                notes = [" ".join([NOTE, *note.split()]) for note in notes]
            yield SourceText(f"{source}/{file}", line, forms, tuple(notes), context)


def find_unexplained_texts(root: Path = ROOT) -> list[str]:
    """Return the places where a text doesn't tell its meaning, and nothing else does.

    It is a single word, or nothing but placeholders, and has neither a note nor a context.
    """
    return [
        f"{said.file}:{said.line}: {said.forms!r} can mean several things; "
        f"say what it means in a comment `# {NOTE} ...` above, or give it a context"
        for said in extract_texts(root)
        if not said.notes
        and said.context is None
        and all(_is_ambiguous(text) for text in list_forms(said.forms))
    ]


def _is_ambiguous(text: str) -> bool:
    """Whether a text is a single word, or has no word beside two or more placeholders."""
    parts = [*Formatter().parse(_TIMESTAMP.sub("{time}", text))]
    placeholders = sum(name is not None for _, name, _, _ in parts)
    # A digit in place of a placeholder keeps the words on its sides apart.
    words = len(_WORD.findall("0".join(literal for literal, *_ in parts)))
    return words <= 1 if placeholders == 0 else words == 0 and placeholders > 1


def find_non_literals(root: Path = ROOT) -> list[str]:
    """Return the places where a reader says something not literal.

    No translator would see it.
    """
    return [
        f"{file.relative_to(root)}:{call.lineno}: "
        "a reader's text is a literal, or translators do not see it"
        for source in SOURCES
        for file in sorted((root / source).rglob("*.py"))
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and not _has_only_literals(call)
    ] + [
        f"{file.relative_to(root)}:{call.lineno}: a template says literals, and by `say` alone"
        for source in SOURCES
        for file in sorted((root / source).rglob("templates/*.html"))
        for call in Environment(autoescape=True)
        .parse(file.read_text(encoding="utf-8"))
        .find_all(nodes.Call)
        if _says_something_else(call)
    ]


def _says_something_else(call: nodes.Call) -> bool:
    """Whether a call in a template says what would not be found: no literal, or by a method."""
    said = call.node
    if isinstance(said, nodes.Name) and said.name == "say":
        return not (call.args and isinstance(call.args[0], nodes.Const))
    return isinstance(said, nodes.Getattr) and said.attr in LITERALS


def find_missed_texts(found: Catalog, root: Path = ROOT) -> list[str]:
    """Return the places where a text that is said was not found.

    It is in an f-string, or around something else that is said.
    """
    known = {text for message in found for text in list_forms(message.id)}
    return [
        f"{file.relative_to(root)}:{call.lineno}: "
        f"{text!r} is overlooked; say it on a line of its own"
        for source in SOURCES
        for file in sorted((root / source).rglob("*.py"))
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call)
        for text in _list_literals(call)
        if text not in known
    ]


def list_forms(text: str | Iterable[str] | None) -> list[str]:
    """Return a text, or each of its forms."""
    return [text] if isinstance(text, str) else list(text or ())


def _list_literals(call: ast.Call) -> list[str]:
    """Return the texts that a call says, if it is a reader's and they are literals."""
    said = call.args[: LITERALS.get(_get_call_name(call), 0)]
    return [
        text.value
        for text in said
        if isinstance(text, ast.Constant) and isinstance(text.value, str)
    ]


def _get_call_name(call: ast.Call) -> str:
    return str(getattr(call.func, "attr", getattr(call.func, "id", "")))


def _has_only_literals(call: ast.Call) -> bool:
    """Whether the texts that a call says, if it is a reader's, are literals."""
    texts_said = call.args[: LITERALS.get(_get_call_name(call), 0)]
    return all(isinstance(text, ast.Constant) for text in texts_said)
