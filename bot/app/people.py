"""The people at a table."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Person:
    """Someone on Discord: their id and the name that others see."""

    id: int
    name: str
    bot: bool = False


CLOCK = Person(0, "")
"""Nobody: what follows from the clock alone is done by no person."""
