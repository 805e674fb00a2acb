"""The people at a table, and what they write."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from bot.store import FIRST_PSEUDONYM, PersonNames
from render.characters import has_visible, text_skeleton


def is_pseudonym(person: int) -> bool:
    """Whether an id stands for somebody who has had their data deleted."""
    return person <= FIRST_PSEUDONYM


_CONTROLS = [chr(code) for code in (*range(32), *range(127, 160), 0x2028, 0x2029)]
_TURNS = [
    chr(code) for code in (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
]
"""Signs that turn the direction of writing, also of what follows; letters have it without them."""
_LEGIBLE = str.maketrans({**dict.fromkeys(_CONTROLS, " "), **dict.fromkeys(_TURNS, "")})


def clean_text(text: str) -> str:
    """Return a text in one line, without invisible signs that change how later text looks."""
    return text.translate(_LEGIBLE)


def clean_name(name: str, account: str | None, person: int) -> str:
    """Return a name in one line; if nothing in it is visible, the account's name, or the id."""
    lines = (clean_text(text) for text in (name, account or ""))
    return next(filter(has_visible, lines), str(person))


def find_lookalikes(names: Mapping[int, str]) -> frozenset[int]:
    """Return the people whose name looks like that of another of them."""
    looks = {person: text_skeleton(name) for person, name in names.items()}
    counts = Counter(looks.values())
    return frozenset(person for person, look in looks.items() if counts[look] > 1)


def distinguish_names(people: Mapping[int, PersonNames]) -> dict[int, str]:
    """Return what to call some people: their names, with the account's where two look the same."""
    names = {person: clean_name(each.name, each.account, person) for person, each in people.items()}
    for person in find_lookalikes(names):
        account = people[person].account
        if account and account != names[person]:
            names[person] = f"{names[person]} ({account})"
    return names


@dataclass(frozen=True, slots=True)
class DiscordPerson:
    """Someone on Discord.

    Their id, the name that others see, their roles in the server, and the name of their account,
    which is None if unknown.
    """

    id: int
    name: str
    bot: bool = False
    roles: frozenset[int] | None = None
    account: str | None = None


CLOCK = DiscordPerson(0, "")
"""Nobody: what follows from the clock alone is done by no person."""
