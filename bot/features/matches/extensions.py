"""What other features add to matches; each declares it, and matches names none of them.

Controls under a match's messages are declared by `controls.card_controls`.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias, TypeVar

from bot.features.matches.service import Action
from bot.features.matches.session import MatchSession
from bot.platform.context import App
from bot.platform.features import walk_declarations
from bot.platform.i18n.reader import Reader
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.card import Card


@dataclass(frozen=True, slots=True)
class LuckMeasure:
    """Each side's luck in hundredths of a point, and how such an amount is written."""

    gold: float
    black: float
    format: Callable[[int], str]


@dataclass(frozen=True, slots=True)
class EndSection:
    """What a feature says on the last message of a match: beside its result, or below it."""

    result: str = ""
    news: str = ""
    luck: LuckMeasure | None = None


@dataclass(frozen=True, slots=True)
class TypedPlayTarget:
    """Something else in which a typed play may be meant, beside the matches of a channel."""

    play: Callable[[InteractionAnswer, str], Awaitable[Card]]
    suggest: Callable[[str], list[str]]
    """Returns the legal continuations of what was typed; it may take a while."""
    explain_priority: Callable[[Reader, int], str]
    """Explains that the play was made in a match instead."""


LoadEndSection: TypeAlias = Callable[[App, Reader, MatchSession], Awaitable[EndSection]]
LoadPrivateLine: TypeAlias = Callable[[InteractionAnswer, MatchSession], Awaitable[str]]
FindTypedPlayTarget: TypeAlias = Callable[[App, int, int], TypedPlayTarget | None]
"""Finds it by the channel and the person."""
PrepareConfirmation: TypeAlias = Callable[[InteractionAnswer, Action, str], Awaitable[Card | None]]


@dataclass(frozen=True, slots=True)
class _EndSectionSource:
    module: str
    order: int
    load: LoadEndSection


@dataclass(frozen=True, slots=True)
class _PrivateLineSource:
    module: str
    load: LoadPrivateLine


@dataclass(frozen=True, slots=True)
class _TypedPlaySource:
    module: str
    find: FindTypedPlayTarget


@dataclass(frozen=True, slots=True)
class _ConfirmationSource:
    module: str
    prepare: PrepareConfirmation


Source = TypeVar("Source")


def end_section(order: int) -> Callable[[LoadEndSection], _EndSectionSource]:
    """Declare what a feature says on a match's last message; a low `order` comes first."""
    return lambda load: _EndSectionSource(load.__module__, order, load)


def private_line(load: LoadPrivateLine) -> _PrivateLineSource:
    """Declare a line below a board that only the person who asked for it sees."""
    return _PrivateLineSource(load.__module__, load)


def typed_play_target(find: FindTypedPlayTarget) -> _TypedPlaySource:
    """Declare where else than in a match a typed play may be made."""
    return _TypedPlaySource(find.__module__, find)


def play_confirmation(prepare: PrepareConfirmation) -> _ConfirmationSource:
    """Declare a question that comes before a play, for those who want to be asked."""
    return _ConfirmationSource(prepare.__module__, prepare)


async def load_end_sections(app: App, say: Reader, session: MatchSession) -> list[EndSection]:
    """Return what all features say on a match's last message, in order."""
    sources = sorted(_list_sources(_EndSectionSource), key=lambda each: each.order)
    return [await each.load(app, say, session) for each in sources]


async def load_private_lines(answer: InteractionAnswer, session: MatchSession) -> tuple[str, ...]:
    """Return the lines below a board for the person who asked."""
    lines = [await each.load(answer, session) for each in _list_sources(_PrivateLineSource)]
    return tuple(filter(None, lines))


def find_typed_play_target(app: App, channel: int, person: int) -> TypedPlayTarget | None:
    """Return what else a typed play of somebody in a channel may be meant for."""
    found = (each.find(app, channel, person) for each in _list_sources(_TypedPlaySource))
    return next(filter(None, found), None)


async def prepare_confirmation(answer: InteractionAnswer, action: Action, text: str) -> Card | None:
    """Return the question that comes before a play; None where it is made at once.

    Raises what `play_moves` raises if the play is not legal.
    """
    for each in _list_sources(_ConfirmationSource):
        card: Card | None = await each.prepare(answer, action, text)
        if card:
            return card
    return None


@cache
def _list_sources(kind: type[Source]) -> tuple[Source, ...]:
    return tuple(each for each in walk_declarations() if isinstance(each, kind))
