"""How people, sides and the computer are named in texts."""

from collections.abc import Mapping, Sequence

from bot.features.matches.session import MatchSession
from bot.platform.computers import get_computer_level, get_computer_name
from bot.platform.i18n.reader import Reader
from bot.platform.people import distinguish_names, is_pseudonym
from bot.store import PersonNames
from engine.players.level import Level
from engine.position import Side


def mention_person(person: int) -> str:
    """Format a person so that Discord shows their name, and no name can break the text.

    The computer is written by its own name.
    """
    return get_computer_name(person) or f"<@{person}>"


def mention_people(say: Reader, people: Sequence[int]) -> str:
    """Write several people as a list in words."""
    return say.format_list([mention_person(person) for person in people])


def mention_sides(say: Reader, session: MatchSession) -> str:
    """Write who plays against whom in a match."""
    gold, black = (mention_people(say, session.list_players(side)) for side in Side)
    return say("{gold} against {black}", gold=gold, black=black)


def mention_with_levels(say: Reader, people: Sequence[int]) -> str:
    """Write several people as a list in words, with the level at which the computer plays."""
    return say.format_list([_mention_with_level(say, person) for person in people])


def format_level(say: Reader, level: Level) -> str:
    """Write a level of the computer's."""
    return {
        # Translators: a level of the computer player: the weakest (noun).
        Level.BEGINNER: say("beginner"),
        # Translators: a level of the computer player: the middle one (noun).
        Level.COMPANION: say("companion"),
        # Translators: a level of the computer player: the strongest (noun).
        Level.MASTER: say("master"),
    }[level]


def _mention_with_level(say: Reader, person: int) -> str:
    level = get_computer_level(person)
    name = mention_person(person)
    if not level:
        return name
    # Translators: the computer player, then the level at which it plays: "@Tabula (master)".
    return say("{name} ({level})", name=name, level=format_level(say, level))


def format_names(say: Reader, session: MatchSession, side: Side) -> str:
    """Write the plain names of one side's people, for pictures."""
    people = session.list_players(side)
    return say.format_list([format_name(say, person, session.names[person]) for person in people])


def name_people(say: Reader, people: Mapping[int, PersonNames]) -> dict[int, str]:
    """Return what to call some people where they are not mentioned, no two alike."""
    return {
        person: format_name(say, person, name) for person, name in distinguish_names(people).items()
    }


def format_name(say: Reader, person: int, name: str) -> str:
    """Write somebody's plain name, in the reader's language where they have deleted it."""
    return say("deleted player") if is_pseudonym(person) else name
