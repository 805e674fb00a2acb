"""What goes to the log, without what would let a reader of it act in the bot's name."""

import logging
import re
from collections.abc import Sequence

import discord

MASK = "***"

_ADDRESS = re.compile(r"(/(?:webhooks|interactions)/\d+/)[^\s/?'\"]+")
"""An address of Discord's with an interaction's token in it, good for fifteen minutes."""
_EVENT = re.compile(r"""(["']token["']:\s*["'])[^"']+""")
"""A token in an event as it came, or was sent, over the gateway."""


def set_up(level: str, secrets: Sequence[str]) -> None:
    """Log to standard error from this level on, with every token of an interaction and each of `secrets` masked."""
    handler = logging.StreamHandler()
    handler.addFilter(shortened)
    discord.utils.setup_logging(handler=handler, level=logging.getLevelNamesMapping()[level])
    assert handler.formatter is not None
    handler.setFormatter(Masked(handler.formatter, secrets))


def shortened(record: logging.LogRecord) -> bool:
    """Take the traceback from what discord.py says whenever the gateway is out of reach; let all records pass."""
    tells = record.name in ("discord.client", "discord.shard") and record.msg.startswith("Attempting a reconnect")
    if tells and record.exc_info:
        error = record.exc_info[1]
        record.msg += ": %s"
        record.args = (*(record.args or ()), str(error) or type(error).__name__)
        record.exc_info = None
    return True


class Masked(logging.Formatter):
    """Writes lines as another formatter does, and masks what is secret in them.

    A filter would see neither the traceback nor what the line becomes when its parts are filled in.
    """

    def __init__(self, inner: logging.Formatter, secrets: Sequence[str]) -> None:
        super().__init__()
        self._inner = inner
        self._secrets = [secret for secret in secrets if secret]

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record."""
        line = self._inner.format(record)
        for secret in self._secrets:
            line = line.replace(secret, MASK)
        return _EVENT.sub(rf"\1{MASK}", _ADDRESS.sub(rf"\1{MASK}", line))
