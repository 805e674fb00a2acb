"""What a self-hoster sets: environment variables TABULA_*, or the same lines in a file .env."""

import os
import re
from datetime import time
from pathlib import Path
from typing import TypeVar

from dotenv import dotenv_values
from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from bot.logs import Form

_Kind = TypeVar("_Kind", bound=BaseSettings)
LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")


class SettingsError(Exception):
    """The settings cannot be used; the message names every one that is wrong."""


PREFIX = "TABULA_"
FILE = ".env"


class Place(BaseSettings):
    """Where the bot keeps what it keeps, which is all that is needed to look after it."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_file=FILE, env_ignore_empty=True, extra="ignore"
    )

    database: str = Field("tabula.sqlite3", repr=False)
    """A file, or `postgresql://...`, which may hold a password."""
    seal: SecretStr | None = None
    """The keys that seal the dice of running matches, with commas between; the first seals."""

    @property
    def keys(self) -> list[str]:
        """The keys one by one, none where nothing is to be sealed."""
        written = self.seal.get_secret_value() if self.seal else ""
        return [key.strip() for key in written.split(",") if key.strip()]


class Settings(Place):
    """The settings of a running bot."""

    token: SecretStr
    guild: int | None = None
    """A server to which the commands are given at once, for trying changes; everywhere otherwise."""
    log_level: str = "INFO"
    log_format: Form = Form.TEXT
    health: str | None = None
    """Where `/health` and `/metrics` are told by HTTP, as HOST:PORT; nowhere without."""
    copies: Path | None = None
    """A folder in which a copy of the database is kept of every night; none are made without."""
    copies_kept: int = Field(7, ge=1)
    """How many of them are kept."""
    copies_at: time = time(4)
    """When they are made, in UTC."""
    discord_api: str | None = None
    """Another server than Discord's own, for tests: the address under which /api and /gateway lie."""

    @field_validator("health")
    @classmethod
    def _a_place(cls, value: str | None) -> str | None:
        if value is not None and not re.fullmatch(r"\S+:\d{1,5}", value):
            raise ValueError(f"is HOST:PORT, such as 127.0.0.1:8080, not {value}")
        return value

    @field_validator("log_level")
    @classmethod
    def _known_level(cls, value: str) -> str:
        if value.upper() not in LEVELS:
            raise ValueError(f"is one of {', '.join(LEVELS)}, not {value}")
        return value.upper()


def read_settings() -> Settings:
    """Read the settings; raises SettingsError naming everything that is missing or wrong."""
    return _read(Settings)


def read_place() -> Place:
    """Read where the database is, whatever is wrong with the other settings."""
    return _read(Place)


def unknown() -> list[str]:
    """Return the names that begin like settings and are none, as a slip of the hand leaves them."""
    written = {*os.environ, *dotenv_values(FILE)}
    known = {f"{PREFIX}{field.upper()}" for field in Settings.model_fields}
    return sorted(
        name for name in written if name.upper().startswith(PREFIX) and name.upper() not in known
    )


def _read(kind: type[_Kind]) -> _Kind:
    try:
        # The fields come from the environment.
        return kind()
    except ValidationError as error:
        wrong = "; ".join(
            _said(str(each["loc"][0]), each["type"], each["msg"]) for each in error.errors()
        )
        raise SettingsError(f"the settings cannot be used: {wrong}") from None


def _said(field: str, kind: str, message: str) -> str:
    name = f"TABULA_{field.upper()}"
    if kind == "missing":
        return f"{name} is missing (see .env.example)"
    return f"{name} {message.removeprefix('Value error, ')}"
