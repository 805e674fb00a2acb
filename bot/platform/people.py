"""The people at a table, the computer among them, and what they write."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from bot.platform.db.rows import FIRST_PSEUDONYM, PersonNames
from engine.games import GAMES
from engine.players.files import WEIGHTS, file_name
from engine.players.level import Level
from render.characters import has_visible, text_skeleton

MAX_TABLES = 1024
"""Groups of people whose names are kept as they were made."""


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


def distinguish_names(people: Mapping[int, PersonNames]) -> Mapping[int, str]:
    """Return what to call some people: their names, with the account's where two look the same."""
    return _distinguish_names(tuple(people.items()))


# One card of a match asks ten times for the names of the same people.
@lru_cache(MAX_TABLES)
def _distinguish_names(known: tuple[tuple[int, PersonNames], ...]) -> Mapping[int, str]:
    people = dict(known)
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


NAME = "Computer"
"""A name like people's, as it is stored; a reader names the computer in their own language."""
DEFAULT_LEVEL = Level.COMPANION
"""The default level."""
PLACES = 5
"""Seats at a table of two teams of three that one person leaves free."""
_FIRST: Mapping[Level, int] = {Level.BEGINNER: 100, Level.COMPANION: 200, Level.MASTER: 300}
"""The first id of each level. Stored matches hold them, so they stay; Discord's are far larger."""
_NUMERALS = ("", "II", "III", "IV", "V")

# A person's id says the level, so matches need no column for it.
_LEVELS = {first + place: level for level, first in _FIRST.items() for place in range(PLACES)}

COMPUTERS = frozenset(_LEVELS)
"""Everyone at a table who is the computer."""


def has_net(game: str) -> bool:
    """Whether a net was trained for a game; the computer judges others by rules of thumb."""
    return (WEIGHTS / file_name(GAMES[game], {})).is_file()


def build_computer_person(level: Level, place: int) -> DiscordPerson:
    """Return the computer's person at a level, for its first, second... seat at a table."""
    name = " ".join(filter(None, (NAME, _NUMERALS[place])))
    return DiscordPerson(_FIRST[level] + place, name, bot=True)


def get_computer_level(person: int) -> Level | None:
    """Return the level at which the computer sits as that person; None for anyone else."""
    return _LEVELS.get(person)


def get_computer_numeral(person: int) -> str | None:
    """Return what follows the computer's name as that person, if anything; None for anyone else."""
    level = _LEVELS.get(person)
    return _NUMERALS[person - _FIRST[level]] if level else None


def get_computer_name(person: int) -> str | None:
    """Return the stored name of the computer as that person; None for anyone else."""
    level = _LEVELS.get(person)
    return build_computer_person(level, person - _FIRST[level]).name if level else None
