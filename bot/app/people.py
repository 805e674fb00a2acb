"""The people at a table."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Person:
    """Someone on Discord: their id and the name that others see."""

    id: int
    name: str
    bot: bool = False
