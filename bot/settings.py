"""What a self-hoster sets: environment variables TABULA_*, or the same lines in a file .env.

Text files are read whatever an editor or a shell made of them.
"""

import codecs
import os
import re
import stat
from argparse import ArgumentTypeError
from collections.abc import Mapping
from datetime import time
from difflib import get_close_matches
from io import StringIO
from pathlib import Path
from typing import TypeVar

from dotenv import dotenv_values
from pydantic import Field, SecretStr, ValidationError, ValidationInfo, field_validator
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, SettingsConfigDict

from bot.logs import LogFormat
from bot.platform.db.address import expand_home
from bot.platform.db.errors import StoreError
from engine.folding import fold_text

_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

_Kind = TypeVar("_Kind", bound=BaseSettings)
LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")


class SettingsError(Exception):
    """The settings cannot be used; the message names every one that is wrong."""


PREFIX = "TABULA_"
FILE = ".env"


SOURCES = SettingsConfigDict(
    env_prefix=PREFIX,
    env_file=FILE,
    env_file_encoding="utf-8-sig",
    env_ignore_empty=True,
    extra="ignore",
)


class TableSettings(BaseSettings):
    """Where tables of solved games are: all that the computer players need."""

    model_config = SOURCES

    tables: Path | None = None
    """A folder of tables of solved games, looked at before those that come with the bot."""

    @field_validator("tables")
    @classmethod
    def _expand_tables_path(cls, value: Path | None) -> Path | None:
        return _expand_path(value)


class StorageSettings(BaseSettings):
    """Where the bot stores its data: all that the admin commands need."""

    model_config = SOURCES

    database: str = Field("tabula.sqlite3", repr=False)
    """A file, or `postgresql://...`, which may hold a password."""
    seal: SecretStr | None = None
    """The keys that seal the dice of running matches, with commas between; the first seals."""
    move_to: SecretStr | None = None
    """The database on a server to which `tabula move-to` moves; its address may hold a password."""

    deletions: Path | None = None
    """A file that lists whose data was deleted, so that no restored backup brings it back.

    None for one beside the database file.
    """

    copies: Path | None = None
    """A folder in which a copy of the database is kept of every night; none are made without."""

    @field_validator("deletions", "copies")
    @classmethod
    def _expand_storage_path(cls, value: Path | None) -> Path | None:
        return _expand_path(value)

    @property
    def keys(self) -> list[str]:
        """The keys one by one, none if nothing is to be sealed."""
        written = self.seal.get_secret_value() if self.seal else ""
        return [key.strip() for key in written.split(",") if key.strip()]


class OptionalSettings(StorageSettings, TableSettings):
    """The settings of a running bot that may be left out."""

    guild: int | None = None
    """A server that gets the commands at once, for trying changes; None for all servers."""
    log_level: str = "INFO"
    log_format: LogFormat = LogFormat.TEXT
    health: str | None = None
    """Where `/health` and `/metrics` are served by HTTP, as HOST:PORT; None for nowhere."""
    copies_kept: int = Field(7, ge=1)
    """How many of them are kept."""
    copies_at: time = time(4)
    """When they are made, in UTC."""
    pages: Path | None = None
    """A folder in which public pages are kept for a web server; none are written without."""
    discord_api: str | None = None
    """Another server than Discord's own, for tests: the address that has /api and /gateway."""

    @field_validator("*", mode="before")
    @classmethod
    def _validate_format(cls, value: object, info: ValidationInfo) -> object:
        name = info.field_name or ""
        if not isinstance(value, str) or name not in PATTERNS:
            return value
        typed = value.strip() if name in VERBATIM else fold_text(value)
        # No message of its own: what a setting should be is said once, in EXPECTED.
        if not re.fullmatch(PATTERNS[name], typed):
            raise ValueError
        return typed

    @field_validator("log_level")
    @classmethod
    def _uppercase_level(cls, value: str) -> str:
        return value.upper()

    @field_validator("health")
    @classmethod
    def _validate_port(cls, value: str | None) -> str | None:
        if value and int(value.rpartition(":")[2]) > LAST_PORT:
            raise ValueError
        return value

    @field_validator("pages")
    @classmethod
    def _expand_folder_path(cls, value: Path | None) -> Path | None:
        return _expand_path(value)


def _expand_path(path: Path | None) -> Path | None:
    try:
        return path and Path(expand_home(str(path)))
    except StoreError:
        raise ValueError from None


EXPECTED: Mapping[str, str] = {
    "token": "the token alone, as the application's page shows it, without spaces and quotes",
    "guild": "the number of a server, such as 1098765432109876543",
    "log_level": f"one of {', '.join(LEVELS)}",
    "log_format": f"one of {', '.join(LogFormat)}",
    "health": "HOST:PORT, such as 127.0.0.1:8080",
    "copies": "a folder, whose path may begin with your own ~/",
    "copies_kept": "a whole number, 1 or more",
    "pages": "a folder, whose path may begin with your own ~/",
    "tables": "a folder, whose path may begin with your own ~/",
    "copies_at": "a time of day in UTC as HH:MM, such as 04:00",
    "deletions": "a file, whose path may begin with your own ~/",
    "discord_api": "an address that begins with http:// or https://",
}
"""What each setting is, in the words of a refusal; the others are read by the store."""
PATTERNS: Mapping[str, str] = {
    "token": r"[!#-&(-_a-~]+",
    "guild": "[1-9][0-9]{0,18}",
    "log_level": "|".join(LEVELS).lower(),
    "log_format": "|".join(LogFormat),
    "health": r"(?:[^\s:]+|\[[0-9a-f:.]+\]):[0-9]{1,5}",
    "copies_kept": "[1-9][0-9]{0,5}",
    "copies_at": "(?:[01][0-9]|2[0-3]):[0-5][0-9]",
    "discord_api": r"https?://\S+",
}
VERBATIM = ("token", "discord_api")
"""The settings in which case and every sign count."""
LAST_PORT = 65_535
_PASSWORD = re.compile("://[^/@:]*:[^@]+@")
_PATTERNS_OF_SECRETS: Mapping[str, re.Pattern[str]] = {
    "TABULA_TOKEN": re.compile("."),
    "TABULA_SEAL": re.compile("."),
    # A file has no password.
    "TABULA_DATABASE": _PASSWORD,
    "TABULA_MOVE_TO": _PASSWORD,
}
"""What a setting holds that only the owner of its file should read."""


class Settings(OptionalSettings):
    """The settings of a running bot."""

    token: SecretStr


class DoctorSettings(OptionalSettings):
    """The settings of which `tabula doctor` looks at as many as there are."""

    token: SecretStr | None = None


def load_settings() -> Settings:
    """Read the settings; raises SettingsError naming everything that is missing or wrong."""
    return _parse_settings(Settings)


def load_doctor_settings() -> DoctorSettings:
    """Read the settings for `tabula doctor`.

    Raises SettingsError that names everything that is wrong.
    """
    return _parse_settings(DoctorSettings)


def find_log_format() -> LogFormat:
    """Return how lines are to look, whatever is wrong with the settings."""
    try:
        return load_doctor_settings().log_format
    except (SettingsError, ValueError):
        # What is wrong may be in the file, which is then of no use here.
        chosen = fold_text(os.environ.get(f"{PREFIX}LOG_FORMAT", ""))
        return LogFormat.JSON if chosen == LogFormat.JSON else LogFormat.TEXT


def load_storage_settings() -> StorageSettings:
    """Read where the database is, whatever is wrong with the other settings."""
    return _parse_settings(StorageSettings)


def load_table_settings() -> TableSettings:
    """Read where tables are, whatever is wrong with the other settings."""
    return _parse_settings(TableSettings)


def find_unknown_names() -> list[str]:
    """Return the names that begin like settings and are none, as a slip of the hand leaves them."""
    written = {*os.environ, *dotenv_values(stream=StringIO(_load_file()))}
    known = _list_known_names()
    return sorted(
        name for name in written if name.upper().startswith(PREFIX) and name.upper() not in known
    )


def _list_known_names() -> list[str]:
    return [f"{PREFIX}{field.upper()}" for field in Settings.model_fields]


def find_setting_problems() -> list[str]:
    """Return a sentence for each name that is no setting, and for secrets that others can read.

    Raises ValueError for a file in another encoding.
    """
    unknown = [
        f"{name} is not a known setting{_suggest_name(name)}" for name in find_unknown_names()
    ]
    exposure = find_exposure()
    return [*unknown, exposure] if exposure else unknown


def _suggest_name(name: str) -> str:
    near = get_close_matches(name.upper(), _list_known_names(), 1)
    return f"; did you mean {near[0]}?" if near else ""


def find_exposure() -> str | None:
    """Return what to do about secrets in a settings file that others can read; None if all is well.

    Raises ValueError for a file in another encoding.
    """
    if not is_exposed(Path(FILE)):
        return None
    written = dotenv_values(stream=StringIO(_load_file()))
    secrets = sorted(
        name.upper()
        for name, value in written.items()
        if (pattern := _PATTERNS_OF_SECRETS.get(name.upper())) and pattern.search(value or "")
    )
    if not secrets:
        return None
    return (
        f"other users of this machine can read {' and '.join(secrets)} in {FILE}; "
        f"run `chmod 600 {FILE}`"
    )


def _load_file() -> str:
    """Return the contents of the settings file, if there is one."""
    file = Path(FILE)
    return read_text(file) if file.is_file() else ""


def _parse_settings(kind: type[_Kind]) -> _Kind:
    try:
        # The library reads the file by itself, but has no sentence for one in another encoding.
        _load_file()
        # The fields come from the environment.
        return kind()
    except ValidationError as error:
        # What is missing comes first: without it nothing else matters.
        errors = sorted(error.errors(), key=lambda each: each["type"] != "missing")
        wrong = "; ".join(_format_error(str(each["loc"][0]), each) for each in errors)
        raise SettingsError(f"the settings cannot be used: {wrong}") from None


def _format_error(field: str, error: ErrorDetails) -> str:
    name = f"{PREFIX}{field.upper()}"
    if error["type"] == "missing":
        return f"{name} is missing; set it in the environment, or in {FILE}"
    # What was given may be most of the real token, so it is not repeated.
    if field == "token":
        return f"{name} is {EXPECTED[field]}"
    return f"{name} is {EXPECTED[field]}, not {' '.join(str(error['input']).split())}"


def read_text(file: Path) -> str:
    """Return the text of a file in UTF-8, with or without a byte order mark.

    Raises ValueError, naming the file and what to do, for another encoding.
    """
    written = file.read_bytes()
    # Windows writes UTF-16 also without its mark; then every other byte is zero.
    if written.startswith(_UTF_16) or b"\0" in written:
        raise ValueError(f"{file} is in UTF-16, or no text file; save it as UTF-8")
    try:
        return written.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = written.count(b"\n", 0, error.start) + 1
        raise ValueError(
            f"{file} is not in UTF-8 (line {line}), but perhaps in Latin-1; save it as UTF-8"
        ) from None


def is_exposed(file: Path) -> bool:
    """Return whether other users of the machine can read or change an existing file.

    Where there is no such file, or permissions are of another kind, as on Windows, it is False.
    """
    if os.name != "posix":
        return False
    try:
        return bool(file.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO))
    except OSError:
        return False


def parse_path(text: str) -> Path:
    """Return the path in an argument; raises ArgumentTypeError for an unknown user's home."""
    try:
        return Path(expand_home(text))
    except StoreError as error:
        raise ArgumentTypeError(str(error)) from None
