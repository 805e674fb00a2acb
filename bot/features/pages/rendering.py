"""The pages' HTML, from the templates, and what all files of the pages have in common.

Whatever a template fills in is escaped: no name or text of anybody's can be more than text.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any

from bot.features.pages import page_texts
from bot.features.pages.site import ServerSite
from bot.platform.i18n.reader import Reader
from bot.platform.people import clean_text
from engine.clock import SECOND
from engine.strict_json import write_json

if TYPE_CHECKING:
    from jinja2 import Environment

ABOVE = "../"
_INVALID = re.compile(
    "[\ud800-\udfff\ufdd0-\ufdef"
    + "".join(chr(plane << 16 | last) for plane in range(17) for last in (0xFFFE, 0xFFFF))
    + "]"
)
"""Halves of characters and noncharacters, which no HTML may contain."""
_MARKED = re.compile(
    r"<@(?P<person>[0-9]+)>|<t:(?P<instant>-?[0-9]+):(?P<style>[A-Za-z])>"
    r"|\*\*(?P<strong>.+?)\*\*|`(?P<code>[^`]+)`"
)
"""What our own sentences for Discord have in them."""


def _clean(value: object) -> object:
    """Return what is filled in without what HTML may not contain; what is HTML stays as it is."""
    if hasattr(value, "__html__"):
        return value
    return _INVALID.sub("\ufffd", clean_text(str(value)))


def _split_message(text: str) -> Iterator[tuple[str, str | int]]:
    """Yield the parts of a sentence that was written for Discord, each with what it is."""
    end = 0
    for found in _MARKED.finditer(text):
        yield "text", text[end : found.start()]
        end = found.end()
        if instant := found["instant"]:
            yield ("minute" if found["style"] in "RFfTt" else "day"), int(instant) * SECOND
        else:
            kind = found.lastgroup or ""
            yield kind, int(found[kind]) if kind == "person" else found[kind]
    yield "text", text[end:]


def _format_instant(instant: int, form: str) -> str:
    """Return an instant, in UTC."""
    return datetime.fromtimestamp(instant // SECOND, UTC).strftime(form)


@cache
def _load_templates() -> "Environment":
    # Only now: a bot that writes no pages has no need of Jinja.
    from jinja2 import Environment, PackageLoader, StrictUndefined

    templates = Environment(
        loader=PackageLoader("bot.features.pages"),
        autoescape=True,
        finalize=_clean,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.globals.update(words=page_texts)
    templates.filters.update(split_message=_split_message, instant=_format_instant)
    return templates


def render_page(template: str, say: Reader, depth: int, **context: object) -> bytes:
    """Return a page that is so many folders below the first one, in UTF-8."""
    page = _load_templates().get_template(template).render(say=say, root=ABOVE * depth, **context)
    return f"{page}\n".encode()


def render_site_page(template: str, site: ServerSite, depth: int = 1, **context: object) -> bytes:
    """Return a page of a server that is so many folders below the server's first one."""
    say, here = site.server.say, f"{ABOVE * depth}index.html"
    trail = [*list_root_trail(say, depth + 2), (here, site.server.name)]
    return render_page(template, say, depth + 2, site=site, trail=trail, **context)


def list_root_trail(say: Reader, depth: int) -> list[tuple[str, str]]:
    """Return the way to the first page from so many folders below it."""
    return [(f"{ABOVE * depth}index.html", say("All servers"))]


def encode_json(value: Any) -> bytes:  # noqa: ANN401 - any JSON value
    """Return a value as a file in UTF-8."""
    # Half a character, of which some names consist, has no UTF-8.
    return f"{write_json(value, ascii_only=False, indent=1)}\n".encode(errors="replace")
