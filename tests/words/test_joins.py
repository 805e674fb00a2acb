"""Texts put together in code, which every language has to be able to put together in its own way.

`bot/platform/i18n/common.py` and `render/words.py` write rows, clauses, sentences and labels.
"""

import ast
import re
from collections.abc import Iterator

import pytest

from lab.source_texts import ROOT, SOURCES

READERS = frozenset({"say", "reader", "joints"})
"""How those are called who know a language."""
MARKS = re.compile(r"\*\*|^#{1,3} |(?:^|\n)(?:-# |[-•] )|\n|\]\(|[`\[]")
"""Discord's markdown, which is the same in every language."""
PUNCTUATION = re.compile(r"[\s.,;:·–—→()/]+")
NO_TEXTS = {
    "bot/features/analysis/delivery.py:share_analysis": "what a post is known by",
    "bot/features/challenges/commands.py:_options_like": "house rules, as they are typed",
    "bot/features/contests/delivery.py:invite_directly": "what a message is known by",
    "bot/features/contests/delivery.py:notify_organiser": "what a message is known by",
    "bot/features/matches/replay.py:_format_score_turn": "plays, as they are typed",
    "bot/features/matches/replay.py:_write_score_turns": "the number of a line",
    "bot/features/ratings/texts.py:format_leaderboard_line": "a rank, which a text takes",
    "bot/platform/i18n/common.py:format_decimal": "how many decimals a number has",
}
"""Functions in which something else is put together beside texts."""
OPERATORS = ("bot/ops/", "bot/cli.py")
"""Where English alone is written, for those who run the bot."""


def find_joins(source: str) -> Iterator[tuple[str, str]]:
    """Yield functions that know a language and put texts together by hand, and how."""
    if not any(reader in source for reader in READERS):
        return
    for function in ast.walk(ast.parse(source)):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) and _reads(function):
            for part in filter(_joins, ast.walk(function)):
                yield function.name, ast.unparse(part)


def _reads(function: ast.AST) -> bool:
    names = (getattr(each, "id", getattr(each, "attr", "")) for each in ast.walk(function))
    return not READERS.isdisjoint(names)


def _joins(part: ast.AST) -> bool:
    """Whether code puts texts together with punctuation, or with a space alone."""
    match part:
        case ast.Call(func=ast.Attribute(attr="join", value=ast.Constant(value=str() as between))):
            # What somebody typed is put in one line.
            return ".split()" not in ast.unparse(part) and _is_punctuation(between)
        case ast.JoinedStr(values=values):
            return any(_is_punctuation(str(getattr(each, "value", ""))) for each in values)
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            return any(_is_punctuation(getattr(each, "value", None)) for each in (left, right))
    return False


def _is_punctuation(text: object) -> bool:
    """Whether a text has nothing but punctuation with a space in it, or a full stop."""
    rest = MARKS.sub("", text) if isinstance(text, str) else ""
    return PUNCTUATION.fullmatch(rest) is not None and (" " in rest or rest.endswith("."))


def test_texts_are_put_together_as_a_language_does() -> None:
    found = [
        f"{name}:{function}: {code}"
        for source in SOURCES
        for file in sorted((ROOT / source).rglob("*.py"))
        if not (name := str(file.relative_to(ROOT))).startswith(OPERATORS)
        for function, code in find_joins(file.read_text(encoding="utf-8"))
        if f"{name}:{function}" not in NO_TEXTS
    ]
    assert found == []


@pytest.mark.parametrize(
    "code",
    [
        'f"{say(1)} {say(2)}"',
        'f"{say(1)}: {name}"',
        'f"{say(1)}."',
        'f"**{say(1)}** · {name}"',
        '", ".join(map(say, texts))',
        '" ".join((say(1), say(2)))',
        'say(1) + "; " + say(2)',
    ],
)
def test_a_text_put_together_by_hand_is_found(code: str) -> None:
    assert [*find_joins(f"def write(say, name, texts):\n    return {code}\n")]


@pytest.mark.parametrize(
    "code",
    [
        'f"### {say(1)}"',
        'f"[{say(1)}]({name})"',
        'f"**{say(1)}**\\n- {name}"',
        'f"{name}:{number}"',
        '"\\n".join(map(say, texts))',
        '" ".join(say(name).split())',
    ],
)
def test_markdown_and_what_only_programs_read_is_not(code: str) -> None:
    assert [*find_joins(f"def write(say, name, number, texts):\n    return {code}\n")] == []
