"""The package that is built holds what the program reads, and is built from its own files."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[2]
BUILT_FROM = ("bot", "engine", "render", "hatch_build.py", "pyproject.toml", "README.md", "LICENSE")
"""What the container is given, too."""
LOCALES = "bot/platform/i18n/locale"


def copy_source(source: Path) -> None:
    """Copy what the package is built from into a new folder."""
    source.mkdir()
    without_built = shutil.ignore_patterns("__pycache__", "*.mo")
    for name in BUILT_FROM:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name, ignore=without_built)
        else:
            shutil.copy(ROOT / name, source / name)
    shutil.copy(ROOT / ".gitignore", source / ".gitignore")  # the builder leaves out what git does


@pytest.mark.sweep
def test_a_package_holds_the_compiled_translations_and_every_file_that_is_read(
    tmp_path: Path,
) -> None:
    source = tmp_path / "source"
    copy_source(source)
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    opened = ZipFile(wheel)
    held = {name for name in opened.namelist() if ".dist-info/" not in name}
    files = {
        file.relative_to(ROOT).as_posix()
        for package in ("bot", "engine", "render")
        for file in (ROOT / package).rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    assert held == {file for file in files if not file.endswith((".po", ".pot"))}
    languages = sorted(folder.name for folder in (ROOT / LOCALES).iterdir() if folder.is_dir())
    assert languages
    assert {f"{LOCALES}/{each}/LC_MESSAGES/tabula.mo" for each in languages} <= held
    (metadata,) = (name for name in opened.namelist() if name.endswith(".dist-info/METADATA"))
    named = re.findall(r"^Import-Name: (\w+)$", opened.read(metadata).decode(), re.MULTILINE)
    assert sorted(named) == sorted({name.split("/")[0] for name in held})


def test_the_container_is_given_what_the_package_is_built_from() -> None:
    sent = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    steps = (ROOT / "deploy" / "Containerfile").read_text("utf-8").splitlines()
    copied = [word for step in steps if step.startswith("COPY ") for word in step.split()[1:-1]]
    for name in BUILT_FROM:
        assert f"!{name}" in sent
        assert name in copied
