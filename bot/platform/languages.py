"""The languages that people and servers have chosen, where it isn't the one that Discord names.

They are few and are needed wherever something is said, so all of them are kept in memory.
"""

from dataclasses import dataclass, field

from bot.platform.context import App

FOLLOW_DISCORD = "discord"
"""What is chosen instead of a language to read as Discord says again."""


@dataclass
class Languages:
    """Chosen languages by person and by server, as Discord writes them: `de`, `pt-BR`."""

    people: dict[int, str] = field(default_factory=dict)
    servers: dict[int, str] = field(default_factory=dict)


async def load_languages(app: App) -> None:
    """Read what is chosen, also by another process."""
    chosen = app.get_part(Languages)
    chosen.people = await app.store.preferences.load_languages()
    chosen.servers = await app.store.servers.load_languages()


def note_person_language(app: App, person: int, language: str | None) -> None:
    """Let what somebody has chosen hold at once in this process."""
    _note(app.get_part(Languages).people, person, language)


def note_server_language(app: App, guild: int, language: str | None) -> None:
    """Let what a server has chosen hold at once in this process."""
    _note(app.get_part(Languages).servers, guild, language)


def _note(chosen: dict[int, str], subject: int, language: str | None) -> None:
    if language is None:
        chosen.pop(subject, None)
    else:
        chosen[subject] = language
