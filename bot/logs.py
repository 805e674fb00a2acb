"""What goes to the log, without what would let a reader of it act in the bot's name."""

import logging
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from enum import StrEnum, auto

import discord

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
    discord.utils.setup_logging(handler=handler, level=logging.getLevelNamesMapping()[level])
    # It tells of every table of a font that goes into a file to print.
    logging.getLogger("fontTools").setLevel(logging.WARNING)
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
        told = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            "reference": getattr(record, REFERENCE, None),
            "error": self.formatException(record.exc_info) if record.exc_info else None,
        }
        said = {name: value for name, value in told.items() if value is not None}
        return write_json(said, ascii_only=False)


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
