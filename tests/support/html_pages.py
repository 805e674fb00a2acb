"""A strict reader of our pages: valid HTML of few elements, without scripts, links that lead on."""

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urldefrag

VOID_ELEMENTS = {"br", "img", "link", "meta"}
"""Elements without content and without an end."""
PARENTS = {
    "li": {"ul", "ol"},
    "tr": {"thead", "tbody"},
    "th": {"tr"},
    "td": {"tr"},
    "thead": {"table"},
    "tbody": {"table"},
    "caption": {"table"},
    "head": {"html"},
    "body": {"html"},
    "title": {"head"},
    "meta": {"head"},
    "link": {"head"},
}
"""Where elements may stand that may stand in few places."""
CHILDREN = {
    "ul": {"li"},
    "ol": {"li"},
    "tr": {"th", "td"},
    "thead": {"tr"},
    "tbody": {"tr"},
    "table": {"caption", "thead", "tbody"},
    "html": {"head", "body"},
}
"""The elements in which only some may stand, and no text."""
PHRASING = {"a", "bdi", "br", "code", "img", "span", "strong", "time"}
"""What may stand in a paragraph or a heading."""
PARAGRAPHS = {"p", "h1", "h2", "h3", "title", *PHRASING}
BLOCKS = {"div", "footer", "header", "main", "nav", "p", "h1", "h2", "h3", "table", "ul", "ol"}
ATTRIBUTES = {
    "a": {"href"},
    "html": {"lang"},
    "img": {"src", "alt", "width", "height", "loading"},
    "link": {"rel", "href"},
    "meta": {"charset", "name", "content", "http-equiv"},
    "nav": {"aria-label"},
    "th": {"scope"},
    "time": {"datetime"},
}
"""The attributes of elements, beside `class` and `id`: no handler and no style is among them."""
_VALID_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_BROKEN = re.compile("[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufdd0-\ufdef\ufffe\uffff]")


class PageReader(HTMLParser):
    """Reads one page and asserts that it is valid; collects its text, ids and links."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.stack: list[str] = []
        self.text: list[str] = []
        self.blocks: list[str] = [""]
        """The text of each paragraph, cell and so on, with code as on Discord."""
        self.ids: list[str] = []
        self.links: list[str] = []
        self.sources: list[str] = []
        self.alts: list[str] = []

    def handle_decl(self, decl: str) -> None:
        assert decl == "DOCTYPE html"
        assert not self.stack

    def unknown_decl(self, data: str) -> None:
        raise AssertionError(data)

    def handle_pi(self, data: str) -> None:
        raise AssertionError(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        parent = self.stack[-1] if self.stack else ""
        known = {*PARENTS, *CHILDREN, *PHRASING, *BLOCKS}
        assert tag in known, tag
        assert parent in PARENTS.get(tag, {parent}), (tag, parent)
        assert tag in CHILDREN.get(parent, {tag}), (tag, parent)
        assert parent not in PARAGRAPHS or tag in PHRASING, (tag, parent)
        assert tag != "a" or "a" not in self.stack
        named = dict(attrs)
        assert len(named) == len(attrs), attrs
        assert set(named) <= {"class", "id", *ATTRIBUTES.get(tag, ())}, (tag, named)
        assert all(value for value in named.values()), attrs
        if tag == "img":
            assert {"src", "alt"} <= set(named)
            self.sources.append(named["src"] or "")
            self.alts.append(named["alt"] or "")
        if tag == "time":
            assert _VALID_TIME.fullmatch(named["datetime"] or "")
        if "href" in named:
            self.links.append(named["href"] or "")
        if "id" in named:
            self.ids.append(named["id"] or "")
        self._note_edge(tag)
        if tag not in VOID_ELEMENTS:
            self.stack.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        raise AssertionError((tag, attrs))

    def handle_endtag(self, tag: str) -> None:
        assert self.stack
        assert self.stack.pop() == tag
        self._note_edge(tag)

    def _note_edge(self, tag: str) -> None:
        if tag == "code":
            self.blocks[-1] += "`"
        elif tag not in PHRASING or tag == "br":
            self.blocks.append("")

    def _add_text(self, text: str) -> None:
        self.text.append(text)
        self.blocks[-1] += text

    def handle_data(self, data: str) -> None:
        assert not _BROKEN.search(data)
        assert ">" not in data
        assert "<" not in data
        inside = self.stack[-1] if self.stack else ""
        assert not data.strip() or (inside and inside not in CHILDREN), (data, inside)
        self._add_text(data)

    def handle_entityref(self, name: str) -> None:
        self._add_text({"amp": "&", "lt": "<", "gt": ">", "quot": '"'}[name])

    def handle_charref(self, name: str) -> None:
        self._add_text({"34": '"', "39": "'"}[name])


def read_page(file: Path) -> PageReader:
    """Read a page; raises AssertionError unless it is valid and all that it shows is there."""
    source = file.read_bytes().decode()
    assert source.startswith("<!DOCTYPE html>\n<html lang=")
    reader = PageReader()
    reader.feed(source)
    reader.close()
    assert reader.stack == []
    assert len(reader.ids) == len(set(reader.ids))
    for link in (*reader.links, *reader.sources):
        way, part = urldefrag(link)
        assert not way or (file.parent / way).is_file(), link
        assert not part or way or part in reader.ids, link
    return reader


def read_text(file: Path) -> str:
    """Return what a page says, on one line."""
    return " ".join("".join(read_page(file).text).split())
