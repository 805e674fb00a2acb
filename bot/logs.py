"""What goes to the log, without what would let a reader of it act in the bot's name."""

import logging
import re
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from enum import StrEnum, auto

import discord

from bot.platform.db.errors import StoreError
from bot.platform.ui.dispatch import REFERENCE
from engine.strict_json import write_json

MASK = "***"

_ADDRESS = re.compile(r"(/(?:webhooks|interactions)/\d+/)[^\s/?'\"]+")
"""An address of Discord's with an interaction's token in it, good for fifteen minutes."""
_EVENT = re.compile(r"""(\\?["']token\\?["']:\s*\\?["'])[^"'\\]+""")
"""A token in an event as it came, or was sent, over the gateway."""


class LogFormat(StrEnum):
    """How lines look: for people, or an object of JSON each, for programs that gather logs."""

    TEXT = auto()
    JSON = auto()


def configure_logging(level: str, secrets: Sequence[str], form: LogFormat = LogFormat.TEXT) -> None:
    """Log to standard error from this level on.

    Interaction tokens and each of `secrets` are masked.
    """
    handler = logging.StreamHandler()
    handler.addFilter(shorten_traceback)
    handler.addFilter(DatabaseComplaints())
    discord.utils.setup_logging(handler=handler, level=logging.getLevelNamesMapping()[level])
    # They tell of every table of a font that goes into a file to print, of every migration, and of
    # what our own lines say of the connection.
    for name in ("fontTools", "alembic", *(["discord"] if level == "INFO" else [])):
        logging.getLogger(name).setLevel(logging.WARNING)
    # It warns that it can't speak, which nobody wants of this bot.
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
    # discord.py has chosen a formatter, in colour where the terminal has it: that is wrapped.
    assert handler.formatter is not None
    handler.setFormatter(
        MaskingFormatter(JsonFormatter() if form is LogFormat.JSON else handler.formatter, secrets)
    )


class JsonFormatter(logging.Formatter):
    """Writes a line as a JSON object: time, level, logger, message, and the reference, if any.

    The reference is what somebody was shown with an error.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record."""
        fields = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            "reference": getattr(record, REFERENCE, None),
            "error": self.formatException(record.exc_info) if record.exc_info else None,
        }
        said = {name: value for name, value in fields.items() if value is not None}
        return write_json(said, ascii_only=False)


def format_fatal(error: Exception, form: LogFormat) -> str:
    """Return the line that says why the program ends."""
    if form is LogFormat.TEXT:
        return f"tabula: {error}"
    parts = ("tabula", logging.CRITICAL, __file__, 0, "%s", (str(error),), None)
    return JsonFormatter().format(logging.LogRecord(*parts))


def shorten_traceback(record: logging.LogRecord) -> bool:
    """Drop the traceback of discord.py's messages about an unreachable gateway.

    All records pass.
    """
    tells = record.name in ("discord.client", "discord.shard") and record.msg.startswith(
        "Attempting a reconnect"
    )
    if tells and record.exc_info:
        error = record.exc_info[1]
        record.msg += ": %s"
        record.args = (*(record.args or ()), str(error) or type(error).__name__)
        record.exc_info = None
    return True


COMPLAINT_INTERVAL_S = 60.0
"""Seconds until the same line about a database that is away is written again."""


class DatabaseComplaints(logging.Filter):
    """Lets each kind of line about a database that cannot be used pass once a minute.

    Everything that is tried again and again says so each time. A line with a reference always
    passes: somebody was shown it.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._latest: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a record is written."""
        parts = record.args if isinstance(record.args, tuple) else ()
        if hasattr(record, REFERENCE) or not any(isinstance(each, StoreError) for each in parts):
            return True
        now = self._clock()
        latest = self._latest.get(record.msg)
        if latest is not None and now - latest < COMPLAINT_INTERVAL_S:
            return False
        self._latest[record.msg] = now
        return True


class MaskingFormatter(logging.Formatter):
    """Writes lines as another formatter does, and masks what is secret in them.

    A filter would see neither the traceback nor what the line becomes when its parts are filled in.
    """

    def __init__(self, inner: logging.Formatter, secrets: Sequence[str]) -> None:
        super().__init__()
        self._inner = inner
        # An empty one would be found between any two characters.
        self._secrets = [secret for secret in secrets if secret]

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record."""
        line = self._inner.format(record)
        for secret in self._secrets:
            line = line.replace(secret, MASK)
        return _EVENT.sub(rf"\1{MASK}", _ADDRESS.sub(rf"\1{MASK}", line))
