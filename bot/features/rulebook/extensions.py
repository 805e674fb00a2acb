"""What other features add to a person's profile; each declares it, and none is named here."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from bot.platform.context import App
from bot.platform.features import ExtensionPoint
from bot.platform.i18n.reader import Reader

LoadProfileSection: TypeAlias = Callable[[App, Reader, int, int], Awaitable[str]]
"""Loads it by the server and the person."""

PROFILE_SECTIONS: ExtensionPoint[LoadProfileSection] = ExtensionPoint()
"""What features say of somebody in a server; an empty text is left out."""


async def load_profile_sections(app: App, say: Reader, guild: int, person: int) -> tuple[str, ...]:
    """Return what all features say of somebody in a server, in order."""
    sections = [await load(app, say, guild, person) for load in PROFILE_SECTIONS.list_functions()]
    return tuple(filter(None, sections))
