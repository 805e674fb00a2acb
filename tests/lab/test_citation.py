"""CITATION.cff and .zenodo.json say the same of the version that pyproject.toml names."""

import json
import re
import tomllib
from datetime import date
from pathlib import Path

import pytest

from engine.games import sources
from lab.citation import ROOT, SOURCES, build_deposit, describe_citation, find_release_date
from lab.docs import PAGES

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
KNOWN_TYPES = {"book", "generic", "historical-work", "thesis"}
"""Of the kinds of works that version 1.2.0 of the format knows, those that we name."""


def test_the_versions_are_one() -> None:
    deposit = json.loads((ROOT / ".zenodo.json").read_text("utf-8"))
    written = (ROOT / "CITATION.cff").read_text("utf-8")
    assert deposit["version"] == describe_citation()["version"] == PROJECT["version"]
    assert f'\nversion: "{PROJECT["version"]}"\n' in written
    assert f'\ndate-released: "{deposit["publication_date"]}"\n' in written


def test_make_docs_writes_both() -> None:
    assert {"CITATION.cff", ".zenodo.json"} <= PAGES.keys()


def test_the_citation_has_what_its_format_asks_for() -> None:
    cited = describe_citation()
    assert cited["cff-version"] == "1.2.0"
    assert all(cited[key] for key in ("message", "title", "abstract", "authors", "license"))
    assert all(author.keys() <= {"name", "email"} for author in cited["authors"])
    assert date.fromisoformat(cited["date-released"]).year >= 2026
    assert len(cited["keywords"]) == len({*cited["keywords"]})
    for work in cited["references"]:
        assert work["type"] in KNOWN_TYPES
        assert work["title"]
        assert work["authors"]


def test_every_key_and_text_is_written_as_yaml() -> None:
    # Double-quoted texts are the same in YAML and in JSON; the one long text is folded.
    lines = (ROOT / "CITATION.cff").read_text("utf-8").splitlines()
    folded = False
    for line in lines[1:]:
        folded = folded and line.startswith("  ")
        if folded:
            assert not line.strip().startswith(("#", "-"))
            continue
        found = re.fullmatch(r'( *)(- )?(?:([a-z-]+):(?: (.+))?|(".*"))', line)
        assert found, line
        folded = found[4] == ">-"
        if value := (found[5] or (found[4] if not folded else "")):
            assert json.loads(value) is not None
    assert all(len(line) <= 100 for line in lines)


def test_the_deposit_has_what_an_archive_asks_for() -> None:
    deposit = json.loads(build_deposit())
    assert deposit["upload_type"] == "software"
    assert deposit["access_right"] == "open"
    assert [creator["name"] for creator in deposit["creators"]] == [
        author["name"] for author in PROJECT["authors"]
    ]
    assert deposit["license"] == PROJECT["license"]
    assert re.fullmatch(r"<p>.+</p>", deposit["description"])


@pytest.mark.parametrize("work", SOURCES, ids=lambda work: work["title"])
def test_a_work_that_is_named_is_one_that_the_games_cite(work: dict[str, str]) -> None:
    cited = [text for text in vars(sources).values() if isinstance(text, str)]
    assert any(work["title"] in text for text in cited)


def test_a_version_without_a_day_is_refused(tmp_path: Path) -> None:
    (tmp_path / "CHANGELOG.md").write_text("## [Unreleased]\n\n## [1.2.3] - 2026-01-31\n", "utf-8")
    assert find_release_date("1.2.3", tmp_path) == "2026-01-31"
    with pytest.raises(LookupError, match=r"1\.2\.4"):
        find_release_date("1.2.4", tmp_path)
