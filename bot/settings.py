"""What a self-hoster sets: environment variables TABULA_*, or the same lines in a file .env."""

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")


class SettingsError(Exception):
    """The settings cannot be used; the message names every one that is wrong."""


class Settings(BaseSettings):
    """The settings of a running bot."""

    model_config = SettingsConfigDict(env_prefix="TABULA_", env_file=".env", env_ignore_empty=True, extra="ignore")

    token: SecretStr
    database: str = Field("tabula.sqlite3", repr=False)
    """A file, or `postgresql://...`, which may hold a password."""
    guild: int | None = None
    """A server to which the commands are given at once, for trying changes; everywhere otherwise."""
    log_level: str = "INFO"
    discord_api: str | None = None
    """Another server than Discord's own, for tests: the address under which /api and /gateway lie."""

    @field_validator("log_level")
    @classmethod
    def _known_level(cls, value: str) -> str:
        if value.upper() not in LEVELS:
            raise ValueError(f"is one of {', '.join(LEVELS)}, not {value}")
        return value.upper()


def read_settings() -> Settings:
    """Read the settings; raises SettingsError naming everything that is missing or wrong."""
    try:
        return Settings()  # type: ignore[call-arg] # the fields come from the environment
    except ValidationError as error:
        wrong = "; ".join(_said(str(each["loc"][0]), each["type"], each["msg"]) for each in error.errors())
        raise SettingsError(f"the settings cannot be used: {wrong}") from None


def _said(field: str, kind: str, message: str) -> str:
    name = f"TABULA_{field.upper()}"
    if kind == "missing":
        return f"{name} is missing (see .env.example)"
    return f"{name} {message.removeprefix('Value error, ')}"
