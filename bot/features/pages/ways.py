"""The ways from one page to another, and what all files of data have in common."""

from typing import Any

from bot.features.pages.site import ServerSite
from bot.platform.i18n.reader import Reader
from engine.strict_json import write_json

ABOVE = "../"


def list_root_trail(say: Reader, depth: int) -> list[tuple[str, str]]:
    """Return the way to the first page from so many folders below it."""
    return [(f"{ABOVE * depth}index.html", say("All servers"))]


def list_server_trail(site: ServerSite, depth: int = 1) -> list[tuple[str, str]]:
    """Return the way to a server's first page from so many folders below it."""
    here = (f"{ABOVE * depth}index.html", site.server.name)
    return [*list_root_trail(site.server.say, depth + 2), here]


def encode_json(value: Any) -> bytes:  # noqa: ANN401 - any JSON value
    """Return a value as a file in UTF-8."""
    # Half a character, of which some names consist, has no UTF-8.
    return f"{write_json(value, ascii_only=False, indent=1)}\n".encode(errors="replace")
