"""The people at a table."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Person:
    """Someone on Discord: their id and the name that others see."""

    id: int
    name: str
    bot: bool = False


def joined(names: Sequence[str]) -> str:
    """Return names as a list in words: nothing, `Ana`, `Ana and Ben`, `Ana, Ben and Cyn`."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
