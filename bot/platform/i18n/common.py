"""How people, sides, dice, games and ratings are written in every text."""

import re
from collections.abc import Iterable, Iterator, Mapping

from discord.utils import escape_markdown, escape_mentions

from bot.platform.i18n.catalogue_texts import game_context, option_context
from bot.platform.i18n.reader import Reader
from bot.platform.people import clean_text
from engine.clock import SECOND
from engine.position import Side
from engine.rules import Game

_MENTION = re.compile(r"<@([0-9]+)>")


_NON_BREAKING_HYPHEN = "\u2011"


def keep_together(text: str) -> str:
    """Write a play or a throw so that no phone breaks it; pasted back, it is understood."""
    return text.replace("-", _NON_BREAKING_HYPHEN)


def use_plain_hyphens(text: str) -> str:
    """Write a text for a terminal, which may know no other hyphen."""
    return text.replace(_NON_BREAKING_HYPHEN, "-")


def format_dice(numbers: Iterable[int]) -> str:
    """Write dice as they are spoken of: `6-5-2`."""
    return keep_together("-".join(map(str, numbers)))


def format_side(say: Reader, side: Side | str) -> str:
    """Write a side's name."""
    # Not `is`: the side may be the plain text from a record.
    if side == Side.GOLD:
        # Translators: name of a side, after the colour of its men, in a sentence (noun).
        return say("gold")
    # Translators: name of a side, after the colour of its men, in a sentence (noun).
    return say("black")


def format_side_title(say: Reader, side: Side) -> str:
    """Write a side's name where it stands alone or begins a sentence."""
    if side is Side.GOLD:
        # Translators: name of a side, after the colour of its men (noun).
        return say("Gold")
    # Translators: name of a side, after the colour of its men (noun).
    return say("Black")


_PLAIN_NAME = re.compile(r"[^\W_]+([ '-][^\W_]+)*")
_ZERO_WIDTH_SPACE = "\u200b"
"""A sign without width, which parts what Discord would take for a link."""


def format_code(text: str) -> str:
    """Write what somebody typed, or what is to be typed, so that nothing in it is markup."""
    return f"`{clean_code(text)}`"


def clean_code(text: str) -> str:
    """Return a text that stays within a code span."""
    # Nothing can be escaped there, and the next backtick would end it.
    return escape_mentions(clean_text(text)).replace("`", "'")


def format_typed_name(text: str) -> str:
    """Format what somebody typed for a name.

    Words are written as they are, anything else is marked as typed.
    """
    return text if not text or _PLAIN_NAME.fullmatch(text) else format_code(text)


def format_quotation(say: Reader, text: str) -> str:
    """Format what somebody said in their own words, in quotation marks.

    Nothing in it is markup or mentions anyone.
    """
    return say.in_context(
        "what somebody said", "“{words}”", words=escape_text(" ".join(text.split()))
    )


def replace_mentions(text: str, people: Mapping[int, str]) -> str:
    """Format a text for a direct message.

    Mentions are replaced by names, since the reader may not have met the people.
    """
    return _MENTION.sub(
        lambda found: escape_text(people[int(found[1])]) if int(found[1]) in people else found[0],
        text,
    )


def format_remainder(say: Reader, n: int) -> str:
    """Tell how many lines of a list there is no room for."""
    return say.plural("… and {n} more", "… and {n} more", n)


def join_clauses(say: Reader, clauses: Iterable[str]) -> str:
    """Join clauses that stand side by side in a sentence: `gold on a–f; black on z–t`."""
    return say.in_context("between clauses of a sentence", "; ").join(clauses)


def format_labelled(say: Reader, label: str, text: str) -> str:
    """Write a text after what it belongs to: `Final: Ana – Ben`."""
    return say.in_context(
        "a label, then what belongs to it", "{label}: {text}", label=label, text=text
    )


def capitalise_first(text: str) -> str:
    """Write a text so that it can begin a sentence."""
    return text[:1].upper() + text[1:]


def format_date(instant: int) -> str:
    """Write an instant so that Discord tells its day in the reader's own time."""
    return f"<t:{instant // SECOND}:D>"


def format_title(say: Reader, game: Game) -> str:
    """Write a game's name."""
    return say.in_context(game_context(game.slug), game.title)


def format_house_rules(say: Reader, game: Game, chosen: Mapping[str, str]) -> Iterator[str]:
    """Write the house rules that differ from the usual ones, each as a question and its answer."""
    for name, value in chosen.items():
        option = game.find_option(name)
        context = option_context(option.name)
        asks = say.in_context(context, option.asks)
        yield f"{asks} {say.in_context(context, option.find_value(value).meaning)}"


def escape_text(text: str) -> str:
    """Format a name, or what somebody wrote, as it is.

    Nothing in it is markup, links anywhere or mentions anybody.
    """
    escaped = escape_markdown(escape_mentions(clean_text(text)), ignore_links=False)
    # The library leaves alone links, and what begins with the bracket (channels, times, a
    # server's own emoji).
    return escaped.replace("<", "\\<").replace("[", "\\[").replace("://", f":{_ZERO_WIDTH_SPACE}//")
