"""The people at a table."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Person:
    """Someone on Discord: their id, the name that others see, and their roles in the server, None where not known."""

    id: int
    name: str
    bot: bool = False
    roles: frozenset[int] | None = None


CLOCK = Person(0, "")
"""Nobody: what follows from the clock alone is done by no person."""
