"""How people, sides, dice, games and ratings are written in every text."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from discord.utils import escape_markdown, escape_mentions

from bot.app import ratings
from bot.app.computer import level_of, name_of
from bot.app.people import legible
from bot.app.sitting import Sitting
from bot.store import Strength
from bot.words.reader import Reader
from bot.words.texts import of_game, of_option
from engine.players.level import Level
from engine.position import Side
from engine.rules import Game

_MENTION = re.compile(r"<@([0-9]+)>")


def mention(person: int) -> str:
    """Format a person so that Discord shows their name, and no name can break the text.

    The computer is written by its own name.
    """
    return name_of(person) or f"<@{person}>"


def mentions(say: Reader, people: Sequence[int]) -> str:
    """Write several people as a list in words."""
    return say.listed([mention(person) for person in people])


def mention_sides(say: Reader, sitting: Sitting) -> str:
    """Write who plays against whom in a match."""
    gold, black = (mentions(say, sitting.seated(side)) for side in Side)
    return say("{gold} against {black}", gold=gold, black=black)


def players(say: Reader, people: Sequence[int]) -> str:
    """Write several people as a list in words, with the level at which the computer plays."""
    return say.listed([_with_level(say, person) for person in people])


def level_name(say: Reader, level: Level) -> str:
    """Write a level of the computer's."""
    return {
        Level.BEGINNER: say("beginner"),
        Level.COMPANION: say("companion"),
        Level.MASTER: say("master"),
    }[level]


def _with_level(say: Reader, person: int) -> str:
    level = level_of(person)
    name = mention(person)
    return say("{name} ({level})", name=name, level=level_name(say, level)) if level else name


def names(say: Reader, sitting: Sitting, side: Side) -> str:
    """Write the plain names of one side's people, for pictures."""
    return say.listed([sitting.names[person] for person in sitting.seated(side)])


def dice(numbers: Iterable[int]) -> str:
    """Write dice as they are spoken of: `6-5-2`."""
    return "-".join(map(str, numbers))


def side_name(say: Reader, side: Side | str) -> str:
    """Write a side's name."""
    return say("gold") if side == Side.GOLD else say("black")


def side_title(say: Reader, side: Side) -> str:
    """Write a side's name where it stands alone or begins a sentence."""
    return say("Gold") if side is Side.GOLD else say("Black")


_WORDS = re.compile(r"[^\W_]+([ '-][^\W_]+)*")
_NO_SPACE = "\u200b"
"""A sign without width, which parts what Discord would take for a link."""


def typed(text: str) -> str:
    """Write what somebody typed, or what is to be typed, so that nothing in it is markup."""
    harmless = escape_mentions(legible(text)).replace("`", "'")
    return f"`{harmless}`"


def named(text: str) -> str:
    """Format what somebody typed for a name.

    Words are written as they are, anything else is marked as typed.
    """
    return text if not text or _WORDS.fullmatch(text) else typed(text)


def quoted(say: Reader, text: str) -> str:
    """Format what somebody said in their own words, in quotation marks.

    Nothing in it is markup or mentions anyone.
    """
    return say.of("what somebody said", "“{words}”", words=plain(" ".join(text.split())))


def with_names(text: str, people: Mapping[int, str]) -> str:
    """Format a text for a direct message.

    Mentions are replaced by names, since the reader may not have met the people.
    """
    return _MENTION.sub(
        lambda found: plain(people[int(found[1])]) if int(found[1]) in people else found[0], text
    )


def more(say: Reader, n: int) -> str:
    """Tell how many lines of a list there is no room for."""
    return say.many("… and {n} more", "… and {n} more", n)


def capital(text: str) -> str:
    """Write a text so that it can begin a sentence."""
    return text[:1].upper() + text[1:]


def title(say: Reader, game: Game) -> str:
    """Write a game's name."""
    return say.of(of_game(game.slug), game.title)


def house_rules(say: Reader, game: Game, chosen: Mapping[str, str]) -> Iterator[str]:
    """Write the house rules that differ from the usual ones, each as a question and its answer."""
    for name, value in chosen.items():
        option = game.option(name)
        context = of_option(option.name)
        asks = say.of(context, option.asks)
        yield f"{asks} {say.of(context, option.value(value).meaning)}"


def rating(say: Reader, strength: Strength | None) -> str:
    """Write a rating, a question mark where it is uncertain; a word where there was none."""
    if strength is None:
        return say("new")
    doubt = "" if ratings.certain(strength) else "?"
    return f"{ratings.shown(strength)}{doubt}"


def plain(text: str) -> str:
    """Format a name, or what somebody wrote, as it is.

    Nothing in it is markup, links anywhere or mentions anybody.
    """
    escaped = escape_markdown(escape_mentions(legible(text)), ignore_links=False)
    # The library leaves alone links, and what begins with the bracket (channels, times, a
    # server's own emoji).
    return escaped.replace("<", "\\<").replace("[", "\\[").replace("://", f":{_NO_SPACE}//")
