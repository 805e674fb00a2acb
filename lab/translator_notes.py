"""What translators are told of texts that no call says: the file each is in, and what it is.

These are the texts of games, lessons, puzzles and themes, and those of commands. Besides, what the
placeholders of any text hold is told from one list, so that a text needs a comment of its own only
where the list doesn't fit it.
"""

import ast
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path
from string import Formatter

from babel.messages.catalog import Catalog
from discord import app_commands

from bot.platform.i18n import reader
from bot.platform.ui import declarations
from bot.platform.ui.declarations import Commands
from engine.games import GAMES
from engine.games.unplayed import UNPLAYED
from lab.source_texts import NOTE, ROOT, Forms, SourceText, list_forms

PLACEHOLDERS: Mapping[str, str] = tomllib.loads(
    Path(__file__).with_name("placeholders.toml").read_text("utf-8")
)
"""What each placeholder holds, with an example."""
DATA = ("engine", "render")
"""The folders whose literals are the texts of games, lessons and puzzles."""
TITLE = f"{NOTE} a title; keep it, unless your language has its own."
SOURCE = f"{NOTE} a source; titles of books stay as they are."
MAX_PLACES = 4
"""Files and commands that are named of a text."""


def describe_placeholders(forms: Forms, notes: Iterable[str]) -> Iterator[str]:
    """Yield a comment for each placeholder of a text that its own comments don't name."""
    told = " ".join(notes)
    for name in list_placeholders(forms):
        if name in PLACEHOLDERS and f"{{{name}}}" not in told:
            yield f"{{{name}}}: {PLACEHOLDERS[name]}"


def list_placeholders(forms: str | Iterable[str]) -> list[str]:
    """Return the names of a text's placeholders, in its order."""
    names = (name for text in list_forms(forms) for _, name, _, _ in Formatter().parse(text))
    return [*dict.fromkeys(re.split(r"[.\[]", name)[0] for name in names if name)]


def list_data_texts() -> Iterator[SourceText]:
    """Yield the texts of games, lessons, puzzles and themes.

    A text that several games have, or several lessons, is in the context of all of them.
    """
    notes = {
        **dict.fromkeys(_list_sources(), (SOURCE,)),
        **dict.fromkeys(_list_titles(), (TITLE,)),
    }
    said: list[reader.Phrase] = [*reader.list_texts(), *reader.list_phrases()]
    files = _index_literals()
    by_context: dict[str, set[str]] = {}
    for context, forms in said:
        found = files.get(list_forms(forms)[0], set())
        if len(found) == 1:
            by_context.setdefault(context, set()).update(found)
    owners = Counter((reader.share_context(context), forms) for context, forms in {*said})
    for context, forms in said:
        kind, _, name = context.partition(":")
        if kind == "theme":
            places = {f"render/themes/{name}.toml"}
        elif kind == reader.PUZZLE:
            places = {"engine/players/puzzles.jsonl"}
        else:
            found = files.get(list_forms(forms)[0], set())
            own = by_context.get(context, set())
            # A text that is put together, or written in several files, is where others of its are.
            places = found & own or own or found
        told = notes.get((context, forms), ()) if isinstance(forms, str) else ()
        shared = kind if owners[kind, forms] > 1 else context
        for place in sorted(places)[:MAX_PLACES]:
            yield SourceText(place, 0, forms, told, shared)


def _list_titles() -> Iterator[reader.Text]:
    for game in GAMES.values():
        yield from ((reader.game_context(game.slug), each) for each in (game.title, *game.aliases))
    for page in UNPLAYED:
        yield from ((reader.game_context(page.slug), each) for each in (page.title, *page.aliases))


def _list_sources() -> Iterator[reader.Text]:
    for game in GAMES.values():
        yield from ((reader.game_context(game.slug), each) for each in game.provenance.sources)
    for page in UNPLAYED:
        yield from ((reader.game_context(page.slug), each) for each in page.sources)


@cache
def _index_literals() -> dict[str, set[str]]:
    """Return the files in which each literal of the rules stands."""
    found: dict[str, set[str]] = {}
    for folder in DATA:
        for file in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    found.setdefault(node.value, set()).add(file.relative_to(ROOT).as_posix())
    return found


@dataclass(frozen=True, slots=True)
class _Said:
    text: reader.Text
    file: str
    command: str


def list_command_texts() -> Iterator[SourceText]:
    """Yield the texts of commands and menus, with the commands that have them."""
    said = sorted(
        (*_list_said(declarations.collect_commands()), *_list_menu_said()),
        key=lambda each: each.text,
    )
    for (context, text), group in groupby(said, key=lambda each: each.text):
        each = [*group]
        commands = [*dict.fromkeys(one.command for one in each)]
        more = " and others" if len(commands) > MAX_PLACES else ""
        note = f"{NOTE} {', '.join(commands[:MAX_PLACES])}{more}"
        for file in sorted({one.file for one in each})[:MAX_PLACES]:
            yield SourceText(file, 0, text, (note,), context)


def _list_said(commands: Commands) -> Iterator[_Said]:
    for command in commands:
        file = _find_file(command)
        name = f"`/{command.qualified_name}`"
        if isinstance(command, app_commands.Group):
            yield _Said((reader.COMMAND_NAME, command.qualified_name), file, name)
            yield _Said((declarations.COMMAND, command.description), file, name)
            yield from _list_said(tuple(command.commands))
        else:
            yield from (_Said(text, file, name) for text in declarations.list_texts((command,)))


def _list_menu_said() -> Iterator[_Said]:
    for menu in declarations.collect_menus():
        for text in declarations.list_menu_texts((menu,)):
            yield _Said(text, _find_source(menu.callback), "an entry of a menu under Apps")


def _find_file(command: declarations.SlashCommand | app_commands.Group) -> str:
    while isinstance(command, app_commands.Group):
        command = next(iter(command.commands))
    return _find_source(command.callback)


def _find_source(callback: Callable[..., object]) -> str:
    # By the module, as a callback's code is where it's wrapped.
    return Path(str(sys.modules[callback.__module__].__file__)).relative_to(ROOT).as_posix()


def find_undescribed_placeholders(found: Catalog) -> list[str]:
    """Return the placeholders that neither the list nor a comment of the text describes."""
    return [
        f"{{{name}}} of {list_forms(message.id)[0]!r} is described neither by a comment "
        f"`# {NOTE} ...` nor in lab/placeholders.toml"
        for message in found
        for name in list_placeholders(message.id)
        if not any(f"{{{name}}}" in note for note in message.auto_comments)
    ]
