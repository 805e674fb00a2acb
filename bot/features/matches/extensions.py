"""What other features add to matches; each declares it, and matches names none of them.

Controls under a match's messages are declared by `controls.card_controls`.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias

from bot.features.matches.secret_origin import SecretOrigin
from bot.features.matches.service import Action
from bot.features.matches.session import MatchSession
from bot.platform.context import App
from bot.platform.features import ExtensionPoint
from bot.platform.i18n.reader import Reader
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.card import Card


@dataclass(frozen=True, slots=True)
class EndSection:
    """What a feature says on the last message of a match: beside its result, or below it.

    `luck` is what the throws of gold and black gave them, in points, where a feature knows it.
    """

    result: str = ""
    news: str = ""
    luck: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class TypedPlayTarget:
    """Something else in which a typed play may be meant, beside the matches of a channel."""

    play: Callable[[InteractionAnswer, str], Awaitable[Card]]
    suggest: Callable[[str], list[str]]
    """Returns the legal continuations of what was typed; it may take a while."""
    explain_priority: Callable[[Reader, int], str]
    """Explains that the play was made in a match instead."""


FormatTurnLine: TypeAlias = Callable[[Reader, MatchSession], str]
LoadEndSection: TypeAlias = Callable[[App, Reader, MatchSession], Awaitable[EndSection]]
LoadPrivateLine: TypeAlias = Callable[[InteractionAnswer, MatchSession], Awaitable[str]]
FindTypedPlayTarget: TypeAlias = Callable[[App, int, int], TypedPlayTarget | None]
"""Finds it by the channel and the person."""
LoadSecretOrigin: TypeAlias = Callable[[App, MatchSession], Awaitable[SecretOrigin | None]]
LoadDiceLines: TypeAlias = Callable[[App, Reader, MatchSession], Awaitable[tuple[str, ...]]]
PrepareConfirmation: TypeAlias = Callable[[InteractionAnswer, Action, str], Awaitable[Card | None]]


TURN_LINES: ExtensionPoint[FormatTurnLine] = ExtensionPoint()
"""Lines under the heading of a turn's message; an empty one is left out."""
END_SECTIONS: ExtensionPoint[LoadEndSection] = ExtensionPoint()
"""What features say on a match's last message."""
PRIVATE_LINES: ExtensionPoint[LoadPrivateLine] = ExtensionPoint()
"""Lines below a board that only the person who asked for it sees; an empty one is left out."""
PLAY_TARGETS: ExtensionPoint[FindTypedPlayTarget] = ExtensionPoint()
"""Where else than in a match a typed play may be made."""
PLAY_CONFIRMATIONS: ExtensionPoint[PrepareConfirmation] = ExtensionPoint()
"""Questions that come before a play, for those who want to be asked."""

SECRET_ORIGINS: ExtensionPoint[LoadSecretOrigin] = ExtensionPoint()
"""Where the secrets of matches come from that a feature has begun; None for other matches."""
DICE_LINES: ExtensionPoint[LoadDiceLines] = ExtensionPoint()
"""What the dice prove of matches that a feature has begun; nothing for other matches."""


def format_turn_lines(say: Reader, session: MatchSession) -> str:
    """Return what all features say under the heading of a turn's message."""
    lines = (format_line(say, session) for format_line in TURN_LINES.list_functions())
    return "\n".join(filter(None, lines))


async def load_end_sections(app: App, say: Reader, session: MatchSession) -> list[EndSection]:
    """Return what all features say on a match's last message, in order."""
    return [await load(app, say, session) for load in END_SECTIONS.list_functions()]


async def load_private_lines(answer: InteractionAnswer, session: MatchSession) -> tuple[str, ...]:
    """Return the lines below a board for the person who asked."""
    lines = [await load(answer, session) for load in PRIVATE_LINES.list_functions()]
    return tuple(filter(None, lines))


def find_typed_play_target(app: App, channel: int, person: int) -> TypedPlayTarget | None:
    """Return what else a typed play of somebody in a channel may be meant for."""
    found = (find(app, channel, person) for find in PLAY_TARGETS.list_functions())
    return next(filter(None, found), None)


async def prepare_confirmation(answer: InteractionAnswer, action: Action, text: str) -> Card | None:
    """Return the question that comes before a play; None where it is made at once.

    Raises what `play_moves` raises if the play is not legal.
    """
    for prepare in PLAY_CONFIRMATIONS.list_functions():
        if card := await prepare(answer, action, text):
            return card
    return None


async def load_secret_origin(app: App, session: MatchSession) -> SecretOrigin | None:
    """Return where a match's secret comes from; None if it was drawn for that match."""
    for load in SECRET_ORIGINS.list_functions():
        if origin := await load(app, session):
            return origin
    return None


async def load_dice_lines(app: App, say: Reader, session: MatchSession) -> tuple[str, ...]:
    """Return what a feature says of the dice of a match that it has begun; empty for others."""
    for load in DICE_LINES.list_functions():
        if lines := await load(app, say, session):
            return lines
    return ()
