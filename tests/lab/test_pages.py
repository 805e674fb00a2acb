"""Pages and code name what exists: pages, headings, commands, options, labels."""

import re
import subprocess
import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po
from discord import app_commands

from bot.platform.ui.declarations import collect_commands, collect_menus
from lab.commands_page import list_commands
from lab.source_texts import list_forms
from lab.translations import build_template

ROOT = Path(__file__).parents[2]
TEMPLATE = ROOT / "bot/platform/i18n/locale/tabula.pot"
LABELLED = ("docs/playing.md", "docs/clubs.md")
"""Pages in which bold and slanted words are what the bot shows."""

FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`((?:[^`\n]|\n(?!\n))+)`")
LINK = re.compile(r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"")
HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)
COMMAND = re.compile(r"/[a-z]+(?: .*|$)")
PAGE_IN_CODE = re.compile(r"(?<![\w/.])(?:docs/[\w/-]+|[A-Z]{5,})\.md(?:#[\w-]+)?")
MODULE = re.compile(r"[\w./-]*\w\.(?:py|toml)")
LABEL = re.compile(r"(?<![\w*])\*{1,2}(?=[^\s*])([^*]+?)(?<=[^\s*])\*{1,2}(?![\w*])")
NO_COMMANDS = frozenset({"/health", "/metrics", "/retar"})
"""Addresses of the bot's own, and a command in another language."""

NO_LABELS = frozenset({"Apps", "Manage Events", "Manage Server", "Pin Messages"})
"""What Discord calls something of its own."""


@cache
def list_files(*patterns: str) -> list[str]:
    """Return the committed files that match."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *patterns],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    return [file for file in listed.stdout.splitlines() if (ROOT / file).is_file()]


PAGES = list_files("*.md")
WITH_OTHER_COMMANDS = ("CHANGELOG.md", *list_files("docs/translating/*"))
"""Pages that quote commands of earlier versions, or in other languages."""


@cache
def read_page(page: str) -> str:
    """Return a page without its blocks of code."""
    return FENCED.sub("", (ROOT / page).read_text("utf-8"))


@cache
def list_anchors(page: str) -> frozenset[str]:
    """Return what a link to a heading of a page says after the hash, as GitHub makes it."""
    anchors: dict[str, int] = {}
    for heading in HEADING.findall(read_page(page)):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)|[`*]", r"\1", heading).strip().lower()
        kept = "".join(
            each for each in plain if each in " -_" or unicodedata.category(each)[0] in "LN"
        )
        slug = kept.replace(" ", "-")
        seen = anchors[slug] = anchors.get(slug, -1) + 1
        if seen:
            anchors[f"{slug}-{seen}"] = 0
    return frozenset(anchors)


def is_found(target: str, folder: Path) -> bool:
    """Tell whether a page of that path is there, with that heading where one is named."""
    path, _, anchor = target.partition("#")
    file = (folder / path).resolve()
    if not file.exists() or not file.is_relative_to(ROOT):
        return False
    return not anchor or anchor in list_anchors(str(file.relative_to(ROOT)))


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    file = ROOT / page
    text = CODE.sub("", read_page(page))
    targets = [first or second for first, second in LINK.findall(text)]
    inner = [each for each in targets if not re.match(r"[a-z]+:", each)]
    lost = [
        each
        for each in inner
        if not is_found(file.name + each if each.startswith("#") else each, file.parent)
    ]
    assert lost == []


def test_a_lost_heading_is_noticed() -> None:
    assert is_found("CONTRIBUTING.md#add-a-game", ROOT)
    assert not is_found("CONTRIBUTING.md#add-a-gnome", ROOT)
    assert not is_found("docs/nowhere.md", ROOT)


def test_every_page_is_in_the_index() -> None:
    listed = {target for target, _ in LINK.findall(read_page("docs/README.md"))}
    pages = {page.removeprefix("docs/") for page in PAGES if page.startswith("docs/")}
    own = {page for page in pages if not page.startswith("translating/")} - {"README.md"}
    assert own - listed == set()


def test_pages_that_code_names_exist() -> None:
    # Not the catalogues: `make check` holds what is in their backticks to the code.
    files = list_files("*.py", "*.toml", "Makefile", ".env.example", "deploy/*", ".ci/*")
    named = {
        (file, page)
        for file in files
        if file != "tests/lab/test_pages.py"
        for page in PAGE_IN_CODE.findall((ROOT / file).read_text("utf-8", "replace"))
    }
    assert ("bot/features/privacy/texts.py", "PRIVACY.md") in named
    assert {(file, page) for file, page in named if not is_found(page, ROOT)} == set()


@pytest.mark.parametrize("page", [page for page in PAGES if page != "CHANGELOG.md"])
def test_modules_that_pages_name_exist(page: str) -> None:
    files = [f"/{file}" for file in list_files("*.py", "*.toml")]
    named = {code for code in CODE.findall(read_page(page)) if MODULE.fullmatch(code)}
    lost = {name for name in named if not any(file.endswith(f"/{name}") for file in files)}
    assert {name for name in lost if "NAME" not in name} == set()


@cache
def map_commands() -> dict[str, frozenset[str]]:
    """Return the options of each command by its full name; a group has none."""
    found: dict[str, frozenset[str]] = {
        command.qualified_name: frozenset(each.display_name for each in command.parameters)
        for command in list_commands()
    }
    groups = [top for top in collect_commands() if isinstance(top, app_commands.Group)]
    return {**{group.name: frozenset() for group in groups}, **found}


def find_unknown_parts(typed: str) -> Iterator[str]:
    """Find what a command as it is quoted has that Discord doesn't show."""
    words = typed.removeprefix("/").split()
    commands = map_commands()
    name = next((each for n in (2, 1) if (each := " ".join(words[:n])) in commands), None)
    if name is None or (
        name in {each.split()[0] for each in commands if " " in each} and words[1:]
    ):
        yield typed
        return
    for option in re.findall(r"(?<!\S)([a-z]+):", typed):
        if option not in commands[name]:
            yield option


@pytest.mark.parametrize("page", [each for each in PAGES if each not in WITH_OTHER_COMMANDS])
def test_commands_and_options_exist(page: str) -> None:
    quoted = [" ".join(code.split()) for code in CODE.findall(read_page(page))]
    typed = [code for code in quoted if COMMAND.fullmatch(code) and code not in NO_COMMANDS]
    assert [part for code in typed for part in find_unknown_parts(code)] == []


@pytest.mark.parametrize(
    "typed", ["/leagues", "/league next", "/play games:zeno", "/match tri a-g"]
)
def test_a_command_that_is_gone_is_noticed(typed: str) -> None:
    assert list(find_unknown_parts(typed))


@pytest.mark.parametrize("typed", ["/league", "/play game:zeno", "/match try a-g", "/move a-g"])
def test_a_command_that_exists_is_known(typed: str) -> None:
    assert not list(find_unknown_parts(typed))


def list_labels(messages: Catalog) -> frozenset[str]:
    """Return what the bot shows on its own, or in bold or slanted letters, all in lower case."""
    texts = {text for each in messages for text in list_forms(each.id)}
    inside = {label for text in texts for label in LABEL.findall(text)}
    names = {*texts, *inside, *(menu.name for menu in collect_menus()), *NO_LABELS}
    return frozenset(name.lower() for name in names)


def find_unknown_labels(messages: Catalog) -> list[tuple[str, str]]:
    """Find what pages quote that the bot doesn't show, each with its page."""
    quoted = [
        (page, " ".join(label.split()))
        for page in LABELLED
        for label in LABEL.findall(CODE.sub("", read_page(page)))
    ]
    shown = list_labels(messages)
    return [(page, label) for page, label in quoted if label.lower() not in shown]


def test_labels_are_what_the_bot_shows() -> None:
    with TEMPLATE.open("rb") as lines:
        unknown = find_unknown_labels(read_po(lines))
    # What is not in the template yet is looked for in the code, which takes ten times as long.
    assert not unknown or find_unknown_labels(build_template()) == []


def test_a_label_that_is_gone_is_noticed() -> None:
    assert ("docs/playing.md", "Join") in find_unknown_labels(Catalog())
