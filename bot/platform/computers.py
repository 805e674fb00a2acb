"""The computer at a table: it sits there as people of its own, one for each level and place."""

from collections.abc import Mapping

from bot.platform.people import DiscordPerson
from engine.games import GAMES
from engine.players.files import WEIGHTS, file_name
from engine.players.level import Level

NAME = "Computer"
"""A name like people's, which needs no article and no case in any language."""
DEFAULT_LEVEL = Level.COMPANION
"""The default level."""
PLACES = 5
"""Seats at a table of two teams of three that one person leaves free."""
_FIRST: Mapping[Level, int] = {Level.BEGINNER: 100, Level.COMPANION: 200, Level.MASTER: 300}
"""The first id of each level. Stored matches hold them, so they stay; Discord's are far larger."""
_NUMERALS = ("", " II", " III", " IV", " V")

# A person's id says the level, so matches need no column for it.
_LEVELS = {first + place: level for level, first in _FIRST.items() for place in range(PLACES)}

COMPUTERS = frozenset(_LEVELS)
"""Everyone at a table who is the computer."""


def has_net(game: str) -> bool:
    """Whether a net was trained for a game; the computer judges others by rules of thumb."""
    return (WEIGHTS / file_name(GAMES[game], {})).is_file()


def make_computer_person(level: Level, place: int) -> DiscordPerson:
    """Return the computer's person at a level, for its first, second... seat at a table."""
    return DiscordPerson(_FIRST[level] + place, f"{NAME}{_NUMERALS[place]}", bot=True)


def get_computer_level(person: int) -> Level | None:
    """Return the level at which the computer sits as that person; None for anyone else."""
    return _LEVELS.get(person)


def get_computer_name(person: int) -> str | None:
    """Return the computer's name as that person; None for anyone else."""
    level = _LEVELS.get(person)
    return make_computer_person(level, person - _FIRST[level]).name if level else None
