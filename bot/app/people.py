"""The people at a table, and what they write."""

from dataclasses import dataclass

_CONTROLS = [chr(code) for code in (*range(32), *range(127, 160), 0x2028, 0x2029)]
_TURNS = [
    chr(code) for code in (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
]
"""What turns the direction of writing, also of what comes after it; letters have their direction without it."""
_LEGIBLE = str.maketrans({**dict.fromkeys(_CONTROLS, " "), **dict.fromkeys(_TURNS, "")})


def legible(text: str) -> str:
    """Return a text in one line, without the signs that nobody sees and that would change how what follows is shown."""
    return text.translate(_LEGIBLE)


@dataclass(frozen=True, slots=True)
class Person:
    """Someone on Discord: their id, the name that others see, and their roles in the server, None where not known."""

    id: int
    name: str
    bot: bool = False
    roles: frozenset[int] | None = None


CLOCK = Person(0, "")
"""Nobody: what follows from the clock alone is done by no person."""
