"""How sides, dice, games, endings, numbers, permissions and pages are written in every text."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from bot.platform.i18n.reader import Reader, clean_code, escape_text, game_context, option_context
from engine.clock import SECOND
from engine.outcome import GameOutcome
from engine.position import Side
from engine.rules import Game, Remark
from render.characters import shorten_text
from render.words import Joints

_MENTION = re.compile(r"<@([0-9]+)>")


_NON_BREAKING_HYPHEN = "\u2011"
MAX_SAID_VALUES = 10
"""Values of a curve that a screen reader says one by one."""


def keep_together(text: str) -> str:
    """Write a play or a throw so that no phone breaks it; pasted back, it is understood."""
    return text.replace("-", _NON_BREAKING_HYPHEN)


def use_plain_hyphens(text: str) -> str:
    """Write a text for a terminal, which may know no other hyphen."""
    return text.replace(_NON_BREAKING_HYPHEN, "-")


def format_dice(numbers: Iterable[int]) -> str:
    """Write dice as they are spoken of, the highest first: `6-5-2`."""
    return keep_together("-".join(map(str, sorted(numbers, reverse=True))))


def format_side(say: Reader, side: Side | str) -> str:
    """Write a side's name."""
    # Not `is`: the side may be the plain text from a record.
    if side == Side.GOLD:
        # Translators: name of a side, after the colour of its men, in a sentence (noun).
        return say("gold")
    # Translators: name of a side, after the colour of its men, in a sentence (noun).
    return say("black")


def _format_player_side(say: Reader, side: Side) -> str:
    """Write a side's name where it stands for its players, as "gold" in "gold resigned"."""
    if side is Side.GOLD:
        # Translators: the side, where a player's name may stand too: “gold resigned”. With its
        # article, if your language has one there.
        return say.in_context("a side in place of its players", "gold")
    # Translators: the side, where a player's name may stand too: “black resigned”. With its
    # article, if your language has one there.
    return say.in_context("a side in place of its players", "black")


def format_side_title(say: Reader, side: Side) -> str:
    """Write a side's name where it stands alone or is a label.

    In a sentence it is `format_side`, since languages don't begin all sentences with the side.
    """
    if side is Side.GOLD:
        # Translators: name of a side, after the colour of its men (noun).
        return say("Gold")
    # Translators: name of a side, after the colour of its men (noun).
    return say("Black")


_PLAIN_NAME = re.compile(r"[^\W_]+([ '-][^\W_]+)*")
MAX_TYPED = 40
"""Characters of what was typed that a refusal repeats."""


def format_code(text: str) -> str:
    """Write what somebody typed, or what is to be typed, so that nothing in it is markup."""
    return f"`{clean_code(text)}`"


def clip_typed(text: str) -> str:
    """Shorten typed text to what is needed to recognise it."""
    return shorten_text(text, MAX_TYPED)


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
    """Say how many lines of a list there is no room for."""
    return say.plural("… and {n} more", "… and {n} more", n)


def end_sentence(say: Reader, words: str) -> str:
    """Write the full stop after a sentence."""
    return say("{words}.", words=words)


def join_sentences(say: Reader, *sentences: str) -> str:
    """Write sentences one after another; empty ones are left out."""
    return translate_joints(say).join_sentences(sentences)


def join_clauses(say: Reader, clauses: Iterable[str]) -> str:
    """Join clauses that stand side by side in a sentence: `gold on a–f; black on z–t`."""
    return say.in_context("between clauses of a sentence", "; ").join(clauses)


def join_facts(say: Reader, *facts: str) -> str:
    """Write facts about one thing in a line: `1520 · 5 won, 2 lost`; empty ones are left out."""
    return say.in_context("between facts about one thing", " · ").join(filter(None, facts))


def format_labelled(say: Reader, label: str, text: str) -> str:
    """Write a text after what it belongs to: `Final: Ana – Ben`."""
    return say.in_context(
        "a label, then what belongs to it", "{label}: {text}", label=label, text=text
    )


@lru_cache(maxsize=64)
def translate_joints(say: Reader) -> Joints:
    """Return how texts are put together where a picture is described."""
    return Joints(
        row=say.join_with_commas(("{before}", "{next}")),
        clauses=join_clauses(say, ("", "")),
        span=say.in_context(
            "from one time to another", "{first} – {last}", first="{first}", last="{last}"
        ),
        counted=say.in_context(
            "a heading or a name, then its number, spoken", "{name} {n}", name="{name}", n="{n}"
        ),
        ranked=say.in_context(
            "a row of a table: rank, player, spoken", "{rank} {name}", rank="{rank}", name="{name}"
        ),
        labelled=format_labelled(say, "{label}", "{text}"),
        sentence=end_sentence(say, "{words}"),
        sentences=say.in_context(
            "one sentence after another", "{text} {sentence}", text="{text}", sentence="{sentence}"
        ),
    )


def format_matches_rated(say: Reader, *, rated: bool) -> str:
    """Say within a sentence whether the results of matches change the ratings."""
    if rated:
        return say.in_context("of several matches", "rated")
    return say.in_context("of several matches", "not rated")


def format_counted(say: Reader, name: str, n: int) -> str:
    """Write a name with the number that belongs to it in a list: `Zeno (12)`."""
    return say.in_context("a name, then its number", "{name} ({n})", name=name, n=n)


_OPENING = re.compile(r"[*¿¡“„(\s]*")
"""What comes before the first letter of a sentence. What stands in backticks keeps its letters."""


def capitalise_first(text: str) -> str:
    """Write a text so that it can begin a sentence."""
    match = _OPENING.match(text)
    at = match.end() if match else 0
    return text[:at] + text[at : at + 1].upper() + text[at + 1 :]


def format_date(instant: int) -> str:
    """Write an instant so that Discord tells its day in the reader's own time."""
    return f"<t:{instant // SECOND}:D>"


def format_range(say: Reader, first: str, last: str) -> str:
    """Write points that lie in a row, on which something is: `a to f`."""
    return say.in_context("points in a row", "{first} to {last}", first=first, last=last)


def format_stretch(say: Reader, first: str, last: str) -> str:
    """Write a part of the way that men go: `from a to m`."""
    return say.in_context(
        "a part of the way that men go", "from {first} to {last}", first=first, last=last
    )


def format_title(say: Reader, game: Game) -> str:
    """Write a game's name."""
    return say.in_context(game_context(game.slug), game.title)


def format_house_rules(say: Reader, game: Game, chosen: Mapping[str, str]) -> Iterator[str]:
    """Write the house rules that differ from the usual ones, each as a question and its answer."""
    for name, value in chosen.items():
        option = game.find_option(name)
        context = option_context(option.name)
        asks = say.in_context(context, option.asks)
        meaning = say.in_context(context, option.find_value(value).meaning)
        yield join_sentences(say, asks, meaning)


def format_count(say: Reader, count: int) -> str:
    """Write a whole number in groups of three digits: `10,000`."""
    row, *groups = f"{count:,}".split(",")
    for group in groups:
        row = say.in_context(
            "a large number, in groups of three digits",
            "{thousands},{rest}",
            thousands=row,
            rest=group,
        )
    return row


def format_decimal(say: Reader, number: float, decimals: int = 2) -> str:
    """Write a number with decimals: `0.24`."""
    return _write_decimal(say, f"{number:.{decimals}f}")


def format_points(say: Reader, points: float, decimals: int = 2) -> str:
    """Write points of equity with their sign: `+0.24`, `−0.11`."""
    # What rounds to nothing has no minus.
    return _write_decimal(say, f"{round(points, decimals) + 0.0:+.{decimals}f}")


def format_course(say: Reader, values: Sequence[int]) -> str:
    """Say how a number went over time; nothing of so few values that each can be said."""
    if len(values) <= MAX_SAID_VALUES:
        return ""
    return say(
        "from {first} to {last}, between {low} and {high}",
        first=values[0],
        last=values[-1],
        low=min(values),
        high=max(values),
    )


def format_gain(gain: int) -> str:
    """Write how much something rose or fell: `+16`, `−71`."""
    return _use_minus(f"{gain:+}")


def _write_decimal(say: Reader, written: str) -> str:
    whole, decimals = _use_minus(written).split(".")
    return say.in_context(
        "a number with decimals", "{whole}.{decimals}", whole=whole, decimals=decimals
    )


def _use_minus(written: str) -> str:
    """Write a minus sign, as wide as the plus, in place of a hyphen, at which lines break."""
    return written.replace("-", "−")


PERMISSIONS: Mapping[str, Callable[[Reader], str]] = {
    "view_channel": lambda say: say("View Channel"),
    "send_messages": lambda say: say("Send Messages"),
    "send_messages_in_threads": lambda say: say("Send Messages in Threads"),
    "create_public_threads": lambda say: say("Create Public Threads"),
    "read_message_history": lambda say: say("Read Message History"),
    "attach_files": lambda say: say("Attach Files"),
    # Translators: a permission for voice channels, as Discord names it in your language.
    "connect": lambda say: say("Connect"),
    "create_events": lambda say: say("Create Events"),
    "manage_roles": lambda say: say("Manage Roles"),
    "manage_threads": lambda say: say("Manage Threads"),
    "pin_messages": lambda say: say("Pin Messages"),
}
"""Discord's names of the permissions that a channel must give."""


def format_permissions(say: Reader, missing: Sequence[str]) -> str:
    """Name permissions as Discord does."""
    return say.format_list([PERMISSIONS[name](say) for name in missing])


@dataclass(frozen=True, slots=True)
class Paging:
    """Where a page lies: its number, counted from 0, of a list of so many lines, some to a page."""

    number: int
    count: int
    size: int

    @property
    def pages(self) -> int:
        """How many pages there are: an empty list still has one."""
        # Negated twice, the floor division rounds up.
        return max(1, -(-self.count // self.size))

    @property
    def first(self) -> int:
        """How many lines come before the page."""
        return self.number * self.size


def find_page(number: int, count: int, size: int) -> Paging:
    """Return a page; the last instead of one past the end, as a button may be of an earlier day."""
    return Paging(min(max(number, 0), Paging(0, count, size).pages - 1), count, size)


def format_page_number(say: Reader, paging: Paging) -> str:
    """Say which page this is; nothing where there is one."""
    if paging.pages == 1:
        return ""
    return say("Page {page} of {pages}.", page=paging.number + 1, pages=paging.pages)


_Parts = Mapping[str, Any]


def format_ending(
    say: Reader, game: Game, outcome: GameOutcome, people: Mapping[Side, str] | None = None
) -> str:
    """Say how a game has ended, and what that counts where the game has a word for it.

    With `people` the players are named in place of their side, except in a game's own words.
    """
    parts = dict(outcome.parts)
    if "side" in parts:
        side = Side(parts["side"])
        if outcome.how in game.words:
            parts["side"] = format_side(say, side)
        else:
            parts["side"] = people[side] if people else _format_player_side(say, side)
    text = _format_cause(say, game, outcome.how, parts)
    value = parts.pop("worth", None)
    return format_game_text(say, game, value, ending=text, **parts) if value else text


def _format_cause(say: Reader, game: Game, how: str, parts: _Parts) -> str:
    return (
        format_game_text(say, game, how, **parts) if how in game.words else ENDINGS[how](say, parts)
    )


def format_game_text(say: Reader, game: Game, slug: str, /, **parts: Any) -> str:  # noqa: ANN401
    """Say something in a game's own words."""
    text = game.words[slug]
    if isinstance(text, str):
        return say.in_context(game_context(game.slug), text, **parts)
    return say.plural_in_context(game_context(game.slug), *text, **parts)


def format_remark(say: Reader, game: Game, remark: Remark | None) -> str:
    """Say what a game remembers; nothing where there is nothing to tell."""
    if remark is None:
        return ""
    slug, parts = remark
    return format_game_text(say, game, slug, **parts)


ENDINGS: Mapping[str, Callable[[Reader, _Parts], str]] = {
    "off": lambda say, _: say("all men borne off"),
    "goal": lambda say, _: say("all men in the last table"),
    "full": lambda say, parts: say.plural(
        "{n} point to {least}", "{n} points to {least}", parts["most"], **parts
    ),
    "even": lambda say, _: say("three points each"),
    "resigned": lambda say, parts: say("{side} resigned", **parts),
    "aborted": lambda say, parts: say("{side} left within the first two turns", **parts),
    "timed-out": lambda say, parts: say("{side} ran out of time", **parts),
    "abandoned": lambda say, _: say("nobody played for sixty days"),
    "agreed": lambda say, _: say("both sides agreed"),
    "adjudicated": lambda say, _: say("decided by a moderator"),
    # Translators: how a match ended: it doesn't count (participle).
    "annulled": lambda say, _: say("annulled"),
    "forfeited": lambda say, parts: (
        say("{side} forfeited", **parts) if "side" in parts else say("neither side played in time")
    ),
    "deadline": lambda say, _: say("decided at the deadline"),
    "ad-fallum": lambda say, parts: say("ad fallum: {side} couldn't play the throw", **parts),
    "stuck": lambda say, _: say("no throw could ever move either side"),
    "other": lambda _, parts: str(parts["text"]),
}
"""The endings that every game can come to, by how they came about.

`other` are kept as an earlier version wrote them.
"""
