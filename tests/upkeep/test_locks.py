"""`requirements/` locks all that its packages need, so a later release changes no installation.

Every line that installs something, wherever we tell people or machines to, takes what is locked.
"""

import re
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
LOCKS = sorted((ROOT / "requirements").glob("*.txt"), key=lambda lock: lock.name)
INSTRUCTIONS = (
    "*.md",
    "docs/**/*.md",
    ".env.example",
    ".pre-commit-config.yaml",
    "pyproject.toml",
    "Makefile",
    "deploy/*",
    ".ci/*",
    ".github/**/*",
    "bot/**/*.py",
    "lab/**/*.py",
    "tests/**/*.py",
)
"""Where people or machines are told to install something; the last are the program's own words."""
INSTALLATION = re.compile(r"\bpip3? +(?:install|download|wheel)\b([^`|;&\"\n]*)")
OTHER_INSTALLERS = re.compile(
    r"\b(?:pipx|uvx|easy_install|get-pip|uv (?:sync|add|tool|pip (?:install|sync))|pip3? install -U"
    r"|(?:curl|wget)\b[^\n]*\|\s*(?:ba)?sh)\b"
)


def load_locked_extras(lock: Path) -> dict[str, set[str]]:
    """The extras of each package that a lock holds, by the package's name."""
    pins = [
        line.removesuffix("\\")
        for line in lock.read_text("utf-8").splitlines()
        if line and line[0] not in " #"
    ]
    requirements = [Requirement(pin) for pin in pins]
    return {canonicalize_name(pin.name): pin.extras for pin in requirements}


def list_requirements(name: str, extras: set[str]) -> Iterator[Requirement]:
    """Yield what an installed package with some extras requires here; nothing if not installed."""
    try:
        written = requires(name) or ()
    except PackageNotFoundError:
        return
    for requirement in map(Requirement, written):
        if requirement.marker is None or any(
            requirement.marker.evaluate({"extra": extra}) for extra in {"", *extras}
        ):
            yield requirement


# To pip 23.2, which Python 3.11 and 3.12 bring, `name[extra]` has a version of its own where hashes
# are compared: it finds the newest, and refuses it since nobody has pinned that one.
@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.stem)
def test_what_is_asked_for_with_an_extra_is_locked_with_it(lock: Path) -> None:
    held = load_locked_extras(lock)
    missing = {
        f"{name} asks for {requirement}"
        for name, extras in held.items()
        for requirement in list_requirements(name, extras)
        if not requirement.extras <= held[canonicalize_name(requirement.name)]
    }
    assert not missing


def list_instruction_files() -> list[Path]:
    """The files that say how something is installed; not this one."""
    found = {file for pattern in INSTRUCTIONS for file in ROOT.glob(pattern) if file.is_file()}
    return sorted(file for file in found if file != Path(__file__) and file.suffix != ".pyc")


def read_joined(file: Path) -> str:
    """The text of a file, with lines that go on in the next one joined to it."""
    return re.sub(r"\\\n\s*", " ", file.read_text("utf-8"))


def find_fault(options: str) -> str | None:
    """What is unsafe about a line of pip with these options; None if nothing is.

    What is locked is taken by its hash and never built, or built by what is locked; and the project
    itself brings nothing along, neither what it needs nor what builds it.
    """
    words = options.split()
    takes_lock = "-r" in words and "--require-hashes" in words
    builds_nothing = "--only-binary=:all:" in words
    names_project = [word for word in words if word == "." or word.startswith((".[", "'.["))]
    if names_project == ["."] and {"--no-deps", "--no-build-isolation"} <= set(words):
        return None
    if names_project:
        return "it takes what the project needs, or what builds it, without a hash"
    if not takes_lock:
        return "it takes something without a hash"
    if not builds_nothing:
        return "it builds what has no wheel, by tools without a hash"
    return None


@pytest.mark.parametrize(
    ("options", "is_safe"),
    [
        (" --require-hashes --only-binary=:all: -r requirements/run.txt", True),
        (" --no-deps --no-build-isolation -e .", True),
        (" --no-deps --no-build-isolation .", True),
        (" --no-deps -e .", False),
        (" --no-build-isolation -e .", False),
        (" -e '.[postgres]'", False),
        (" --no-deps --no-build-isolation '.[seal]'", False),
        (" --require-hashes -r requirements/run.txt", False),
        (" --only-binary=:all: -r requirements/run.txt", False),
        (" --require-hashes --only-binary=:all: hatchling", False),
        (" hatchling", False),
        ("", False),
    ],
)
def test_a_line_is_safe_that_takes_only_what_is_locked(options: str, is_safe: bool) -> None:
    assert (find_fault(options) is None) is is_safe


def test_every_line_that_installs_something_takes_only_what_is_locked() -> None:
    faults = []
    found: dict[str, int] = {}
    for file in list_instruction_files():
        text = read_joined(file)
        name = file.relative_to(ROOT).as_posix()
        for options in INSTALLATION.findall(text):
            found[name] = found.get(name, 0) + 1
            if fault := find_fault(options):
                faults.append(f"{name}: pip install{options}: {fault}")
        faults += [f"{name}: {other}" for other in OTHER_INSTALLERS.findall(text)]
    assert faults == []
    assert found == {
        "Makefile": 3,
        "bot/platform/extras.py": 1,
        "deploy/Containerfile": 2,
        "docs/operations.md": 4,
        "pyproject.toml": 1,
    }


def test_what_pip_builds_nevertheless_is_built_by_what_is_locked() -> None:
    text = read_joined(ROOT / "Makefile")
    targets = re.findall(r"(?:\n[^\n#]+:[^\n=]*)((?:\n\t[^\n]+)+)", text)
    (building,) = [target for target in targets if "--no-binary" in target]
    assert "--no-binary=yattag --no-build-isolation" in building
    assert building.index("-r requirements/sdist.txt") < building.index("--no-binary")


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.stem)
def test_every_locked_package_has_its_hash_and_so_has_what_builds_ours(lock: Path) -> None:
    pins = re.split(r"\n(?=[A-Za-z])", lock.read_text("utf-8"))
    assert [pin for pin in pins if "--hash=sha256:" not in pin or "==" not in pin] == []
    builders = {"setuptools"} if lock.stem == "sdist" else {"hatchling", "babel"}
    assert builders <= {*load_locked_extras(lock)}
