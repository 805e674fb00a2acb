"""Which contests of a server somebody has won: it follows from their results, and is not stored."""

from bot.features.contests.results import list_champions
from bot.features.contests.rows import ContestTitle
from bot.features.contests.texts import format_titles
from bot.features.rulebook.extensions import PROFILE_SECTIONS
from bot.platform.context import App
from bot.platform.i18n.reader import Reader

MOST_EXAMINED = 25
"""Contests which somebody might have won: the latest."""


@PROFILE_SECTIONS.add(order=10)
async def load_titles_section(app: App, say: Reader, guild: int, person: int) -> str:
    """Return which contests of a server somebody has won; empty if none."""
    titles = await load_titles(app, guild, person)
    return format_titles(say, titles) if titles else ""


async def load_titles(app: App, guild: int, person: int) -> list[ContestTitle]:
    """Return the contests of a server that somebody has won, alone or with others, newest first."""
    views = await app.store.contests.load_first_divisions(guild, person, MOST_EXAMINED)
    titles = []
    for view in views:
        champions = list_champions(view)
        if person in champions:
            titles.append(ContestTitle(view.contest, len(champions) > 1))
    return titles
