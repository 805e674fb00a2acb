"""HTML, built so that no name or text of anybody's can be more than text."""

import html
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime

from bot.platform.i18n.reader import Reader
from bot.platform.people import clean_text
from engine.clock import SECOND

VOID_ELEMENTS = frozenset({"br", "img", "link", "meta"})
"""Elements without content and without an end."""
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
_POLICY = "default-src 'none'; img-src 'self'; style-src 'self'; base-uri 'none'"
"""What a browser may load: nothing could run here even if it came in."""


class Markup(str):
    """HTML as it is; every other text is escaped before it becomes a part of any."""

    __slots__ = ()


def escape(text: str) -> Markup:
    """Return a text as HTML; what is HTML already stays as it is."""
    if isinstance(text, Markup):
        return text
    return Markup(html.escape(_INVALID.sub("\ufffd", clean_text(text))))


def element(name: str, /, *content: str, **attributes: str) -> Markup:
    """Return an element; `class_` is its class, and an empty attribute is left out."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(value)}"'
        for key, value in attributes.items()
        if value
    )
    if name in VOID_ELEMENTS:
        return Markup(f"<{name}{written}>")
    return Markup(f"<{name}{written}>{join(content)}</{name}>")


def join(parts: Iterable[str], between: str = "") -> Markup:
    """Return parts one after another."""
    return Markup(between.join(map(escape, parts)))


def write_name(name: str) -> Markup:
    """Return a name that doesn't turn the direction of the text around it."""
    return element("bdi", name)


def write_link(target: str, content: str) -> Markup:
    """Return a link to another file of ours."""
    return element("a", content, href=target)


def write_day(instant: int) -> Markup:
    """Return the day of an instant, in UTC."""
    at = datetime.fromtimestamp(instant // SECOND, UTC)
    return element("time", f"{at:%Y-%m-%d}", datetime=f"{at:%Y-%m-%dT%H:%M:%SZ}")


def write_minute(instant: int) -> Markup:
    """Return the minute of an instant, in UTC."""
    at = datetime.fromtimestamp(instant // SECOND, UTC)
    return element("time", f"{at:%Y-%m-%d %H:%M} UTC", datetime=f"{at:%Y-%m-%dT%H:%M:%SZ}")


def convert_message(text: str, names: Mapping[int, str]) -> Markup:
    """Return a sentence that was written for Discord as HTML; people are called by `names`."""
    parts: list[str] = []
    end = 0
    for found in _MARKED.finditer(text):
        parts += [text[end : found.start()], _convert_mark(found, names)]
        end = found.end()
    return join([*parts, text[end:]])


def _convert_mark(found: re.Match[str], names: Mapping[int, str]) -> Markup:
    if person := found["person"]:
        return write_name(names.get(int(person), "?"))
    if instant := found["instant"]:
        write = write_minute if found["style"] in "RFfTt" else write_day
        return write(int(instant) * SECOND)
    if strong := found["strong"]:
        return element("strong", convert_message(strong, names))
    return element("code", found["code"])


def write_table(columns: Iterable[str], rows: Iterable[Iterable[str]], caption: str = "") -> Markup:
    """Return a table; its first column holds ranks or rounds, and its second whom a row is of."""
    head = element("tr", *(element("th", column, scope="col") for column in columns))
    body = (element("tr", *_list_cells(row)) for row in rows)
    above = element("caption", caption) if caption else Markup("")
    table = element("table", above, element("thead", head), element("tbody", *body))
    return element("div", table, class_="wide")


def _list_cells(row: Iterable[str]) -> Iterable[Markup]:
    for number, cell in enumerate(row):
        if number == 1:
            yield element("th", cell, scope="row")
        else:
            yield element("td", cell)


def write_list(items: Iterable[str], class_: str = "") -> Markup:
    """Return a list without an order."""
    return element("ul", *(element("li", item) for item in items), class_=class_)


def write_page(
    say: Reader,
    title: str,
    *content: str,
    root: str,
    trail: Iterable[tuple[str, str]] = (),
    stamp: str = "",
) -> bytes:
    """Return a page in UTF-8.

    `root` is the way to the folder of the pages, `trail` are the pages above this one and what they
    are called. The `stamp` says of what the page was made.
    """
    head = [
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        # People can leave these pages at any time, but hardly a search engine's memory.
        element("meta", name="robots", content="noindex"),
        element("meta", name="color-scheme", content="light dark"),
        *([element("meta", name="tabula-stamp", content=stamp)] if stamp else []),
        element("title", title),
        element("link", rel="stylesheet", href=f"{root}style.css"),
    ]
    ways = [element("li", write_link(target, text)) for target, text in trail]
    label = say("Where you are")
    above = element("nav", element("ol", *ways), aria_label=label) if ways else Markup("")
    body = element(
        "body",
        element("header", above, element("h1", write_name(title))),
        element("main", *content),
        element("footer", element("p", say("Made by Tabula. All times are in UTC."))),
    )
    language = say.language.replace("_", "-")
    page = element("html", element("head", *head), body, lang=language)
    # Lines of a sensible length for whoever reads the source.
    lines = re.sub(r"(</(?:li|tr|p|h[1-6]|head|header|nav)>|<(?:meta|link)[^>]*>)", r"\1\n", page)
    return f"<!DOCTYPE html>\n{lines}\n".encode()
