"""How the program is cited and archived: CITATION.cff, and .zenodo.json for an archive's DOI.

Both say the same of one version: pyproject.toml names it, and the changelog its day.
"""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from textwrap import wrap
from typing import Any, TypeAlias

ROOT = Path(__file__).parents[1]

TITLE = "Tabula"
ABSTRACT = (
    "A Discord bot on which communities play historical games of the backgammon family. It "
    "includes an engine for thirty games with cited rules, computer players trained by self-play, "
    "and figures of their games with their seeds and commits."
)
KEYWORDS = ("backgammon", "board games", "history of games", "tables games", "Discord")

SOURCES: Sequence[Mapping[str, Any]] = (
    {
        "type": "historical-work",
        "title": "Libro de los Juegos",
        "authors": [{"name": "Alfonso X"}],
        "year": 1283,
    },
    {
        "type": "historical-work",
        "title": "Royal MS 13 A XVIII",
        "authors": [{"name": "anonymous"}],
        "location": {"name": "London, British Library"},
        "notes": "c. 1330",
    },
    {
        "type": "book",
        "title": "A History of Board-Games Other than Chess",
        "authors": [{"family-names": "Murray", "given-names": "H. J. R."}],
        "year": 1952,
    },
    {
        "type": "thesis",
        "title": "Los Libros de Acedrex Dados e Tablas",
        "authors": [{"family-names": "Golladay", "given-names": "S. M."}],
        "year": 2007,
    },
    {
        "type": "generic",
        "title": "Tabula at Rumwoldstow",
        "authors": [{"family-names": "Lewins", "given-names": "S."}],
        "year": 2021,
    },
)
"""The works that most rules come from; `engine/games/sources.py` cites them all."""

Yaml: TypeAlias = str | int | Sequence["Yaml"] | Mapping[str, "Yaml"]


def describe_citation(root: Path = ROOT) -> dict[str, Any]:
    """Return what CITATION.cff says, by its keys of version 1.2.0 of the format."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    return {
        "cff-version": "1.2.0",
        "message": "If you use Tabula or its figures in research, please cite it.",
        "type": "software",
        "title": TITLE,
        "abstract": ABSTRACT,
        "authors": project["authors"],
        "version": project["version"],
        "date-released": find_release_date(project["version"], root),
        "license": project["license"],
        "keywords": list(KEYWORDS),
        "references": list(SOURCES),
    }


def find_release_date(version: str, root: Path = ROOT) -> str:
    """Return the day of a version in the changelog; raises LookupError where it has none."""
    changelog = (root / "CHANGELOG.md").read_text("utf-8")
    found = re.search(
        rf"^## \[{re.escape(version)}\] - (\d{{4}}-\d\d-\d\d)$", changelog, re.MULTILINE
    )
    if not found:
        raise LookupError(f"CHANGELOG.md has no section [{version}] with a day")
    return found[1]


def build_citation() -> str:
    """Return the text of CITATION.cff, which is YAML."""
    return "\n".join(("# Written by `make docs`.", *_format_mapping(describe_citation()))) + "\n"


def build_deposit() -> str:
    """Return the text of .zenodo.json, what Zenodo takes as the metadata of a deposit."""
    cited = describe_citation()
    deposit = {
        "upload_type": "software",
        "access_right": "open",
        "title": cited["title"],
        "description": f"<p>{cited['abstract']}</p>",
        "creators": [{"name": author["name"]} for author in cited["authors"]],
        "version": cited["version"],
        "publication_date": cited["date-released"],
        "license": cited["license"],
        "keywords": cited["keywords"],
        "language": "eng",
    }
    return json.dumps(deposit, indent=2, ensure_ascii=False) + "\n"


def _format_mapping(values: Mapping[str, Yaml], indent: str = "") -> Iterator[str]:
    for key, value in values.items():
        if isinstance(value, Mapping):
            yield f"{indent}{key}:"
            yield from _format_mapping(value, f"{indent}  ")
        elif isinstance(value, str | int):
            yield from _format_scalar(f"{indent}{key}:", value, indent)
        else:
            yield f"{indent}{key}:"
            for item in value:
                yield from _format_item(item, indent)


def _format_item(item: Yaml, indent: str) -> Iterator[str]:
    if not isinstance(item, Mapping):
        yield f"{indent}  - {json.dumps(item, ensure_ascii=False)}"
        return
    first, *others = _format_mapping(item, f"{indent}    ")
    yield f"{indent}  - {first.lstrip()}"
    yield from others


def _format_scalar(head: str, value: str | int, indent: str) -> Iterator[str]:
    # What YAML writes between double quotes is what JSON does.
    line = f"{head} {json.dumps(value, ensure_ascii=False)}"
    if len(line) <= 100 or isinstance(value, int):
        yield line
        return
    yield f"{head} >-"
    yield from wrap(value, 100, initial_indent=f"{indent}  ", subsequent_indent=f"{indent}  ")
