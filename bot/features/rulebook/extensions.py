"""What other features add to what one reads; each declares it, and none is named here."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TypeAlias

from bot.features.matches.session import MatchSession
from bot.platform.context import App
from bot.platform.features import ExtensionPoint
from bot.platform.i18n.reader import Reader

LoadProfileSection: TypeAlias = Callable[[App, Reader, int, int], Awaitable[str]]
"""Loads it by the server and the person."""
LoadMatchLabels: TypeAlias = Callable[
    [App, Reader, Sequence[MatchSession]], Awaitable[Mapping[int, str]]
]
"""Loads what a list says of some of those matches, by their numbers."""

PROFILE_SECTIONS: ExtensionPoint[LoadProfileSection] = ExtensionPoint()
"""What features say of somebody in a server; an empty text is left out."""
MATCH_LABELS: ExtensionPoint[LoadMatchLabels] = ExtensionPoint()
"""What features say of matches in a list, such as the league to which one belongs."""


async def load_profile_sections(app: App, say: Reader, guild: int, person: int) -> tuple[str, ...]:
    """Return what all features say of somebody in a server, in order."""
    sections = [await load(app, say, guild, person) for load in PROFILE_SECTIONS.list_functions()]
    return tuple(filter(None, sections))


async def load_match_labels(
    app: App, say: Reader, sessions: Sequence[MatchSession]
) -> dict[int, tuple[str, ...]]:
    """Return what all features say of matches in a list, in order, by their numbers."""
    said = [await load(app, say, sessions) for load in MATCH_LABELS.list_functions()]
    return {
        each.id: tuple(labels[each.id] for labels in said if each.id in labels) for each in sessions
    }
