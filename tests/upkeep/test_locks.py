"""`requirements/` locks all that its packages need, so a later release changes no installation."""

from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

LOCKS = sorted(
    (Path(__file__).parents[2] / "requirements").glob("*.txt"), key=lambda lock: lock.name
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
