"""What goes wrong between the bot and Discord."""

from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus

import aiohttp
import discord

FAILURES = (discord.HTTPException, aiohttp.ClientError, OSError)
"""What is raised where Discord refuses, or cannot be reached."""
UNKNOWN_CHANNEL = 10003
UNREADABLE_ERRORS = (KeyError, TypeError)
"""What discord.py raises if a 429 to an answer comes from something in front of Discord."""
UNKNOWN_MESSAGE = 10008
UNKNOWN_INTERACTION = 10062
"""Discord's word for one that nobody answered in time, too."""
ALREADY_ACKNOWLEDGED = 40060
THREAD_ARCHIVED = 50083
UNKNOWN_MEMBER = 10007
UNKNOWN_ROLE = 10011
UNKNOWN_USER = 10013
UNKNOWN_EVENT = 10070
TOO_MANY_ROLES = 30005
"""A server can have 250."""
TOO_MANY_EVENTS = 30038
"""A server can have 100 that are not over."""
MESSAGE_TOO_OLD = 30046
"""Discord takes only so many changes of a message that is older than an hour."""


class UnansweredError(Exception):
    """Discord did not take an answer to an interaction; its user sees none. Nobody is at fault."""


class AnsweredElsewhereError(UnansweredError):
    """An interaction was answered by another program with the same token."""


@contextmanager
def wrap_failures() -> Iterator[None]:
    """Send a part of an answer.

    Raises UnansweredError where Discord refuses it or cannot be reached.
    """
    try:
        yield
    except FAILURES as error:
        raise UnansweredError(describe_error(error)) from error
    except UNREADABLE_ERRORS as error:
        raise UnansweredError("what came in answer is not Discord's own") from error


def require_error_code(error: discord.NotFound) -> None:
    """Raise the error again unless Discord says what is missing.

    A bare 404 is not Discord's own, and may be wrong.
    """
    if error.code == 0:
        raise error


def is_content_refused(error: BaseException) -> bool:
    """Whether Discord itself refuses what a request holds, and would do so again."""
    return (
        isinstance(error, discord.HTTPException)
        and error.code != 0
        and HTTPStatus.BAD_REQUEST <= error.status < HTTPStatus.INTERNAL_SERVER_ERROR
        and error.status != HTTPStatus.TOO_MANY_REQUESTS
    )


def describe_error(error: BaseException) -> str:
    """Return an error's message, or the name of its type if it has none."""
    return str(error) or type(error).__name__
