"""What is to be played: the game, its options, the pace, and whether it is rated."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from bot.platform.context import App
from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.people import DiscordPerson
from engine.clock import UNLIMITED, Pace, parse_pace
from engine.folding import fold_text
from engine.position import Side
from engine.refusal import Reason, Refusal
from engine.rules import Game
from render.characters import clip_text

LONGEST_WORD = 32
"""Characters of the word that somebody adds to the dice."""


@dataclass(frozen=True, slots=True)
class MatchTerms:
    """Terms of a match: game, options, the challenger's side, whether it is rated, and the pace."""

    game: Game
    options: Mapping[str, str]
    side: Side = Side.GOLD
    rated: bool = True
    pace: Pace = UNLIMITED

    @property
    def players(self) -> int:
        """Players a side."""
        return self.game.resolve_rules(self.options).players


@dataclass(frozen=True, slots=True)
class MatchRequest:
    """Who asks for a match, where, through which interaction, and the word they add to the dice.

    `parent` is the channel of a thread.
    """

    guild: int
    channel: int
    person: DiscordPerson
    cause: str
    word: str = ""
    parent: int | None = None

    @property
    def contribution(self) -> str:
        """What this person gives to the dice.

        It is the id of the interaction, which Discord chose, and the person's own word.
        """
        word = clip_text(" ".join(self.word.split()), LONGEST_WORD)
        return f"{self.cause} {word}".strip()


def normalise_options(text: str) -> str:
    """Return options in the form that is best typed, `dice=two-and-six`.

    They are printed as `dice: two-and-six`.
    """
    # Spaces around the equals sign go first, as they would otherwise split the option in two.
    return " ".join(re.split(r"[ ,;]+", re.sub(" ?[=:] ?", "=", fold_text(text)))).strip()


def parse_options(game: Game, text: str) -> dict[str, str]:
    """Read options as they are typed, `dice=two-and-six blockade=wins`.

    Raises Refusal for an option or a value that the game lacks.
    """
    options: dict[str, str] = {}
    for word in normalise_options(text).split():
        name, equals, value = word.partition("=")
        option = game.find_option(name)
        # The players settle it in the match itself, so it is no house rule of the challenge.
        if option.starter_chooses:
            raise Refusal(Reason.STARTER_CHOOSES, option=name)
        if not equals:
            raise Refusal(Reason.OPTION_FORM, option=name, value=option.default_value.name)
        options[name] = option.find_value(value).name
    return options


def parse_offered_pace(text: str) -> Pace:
    """Return a pace that a menu of ours offers; raises DeclinedError for anything else."""
    try:
        return parse_pace(text)
    except Refusal:
        raise DeclinedError(DeclineReason.UNKNOWN_CONTROL) from None


async def choose_pace(app: App, guild: int, typed: str) -> Pace:
    """Read a pace as it is typed, or return the server's if nothing is typed; raises Refusal."""
    return parse_pace(typed or (await app.store.servers.get(guild)).pace)


async def is_rated(app: App, guild: int, *, wished: bool | None) -> bool:
    """Return whether a match is rated; without a request its server decides."""
    return (await app.store.servers.get(guild)).rated if wished is None else wished
