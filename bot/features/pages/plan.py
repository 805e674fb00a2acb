"""Where public pages are written, and the wish that they be written soon."""

import asyncio
from dataclasses import dataclass, field
from pathlib import Path

from bot.platform.context import App


@dataclass
class PagePlan:
    """The folder of the pages, None where none are written; `due` is set to write them at once."""

    folder: Path | None = None
    due: asyncio.Event = field(default_factory=asyncio.Event)


def has_pages(app: App) -> bool:
    """Whether whoever runs the bot has given pages a folder."""
    return app.get_part(PagePlan).folder is not None


def request_pages(app: App) -> None:
    """Let the pages be written without waiting for their next turn."""
    app.get_part(PagePlan).due.set()
