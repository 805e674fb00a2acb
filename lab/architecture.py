"""The picture of the architecture, drawn from the imports: who is above whom, and needs what.

It is as wide as a phone shows it, and has colours for light and dark pages.
"""

import sys
from collections.abc import Sequence
from html import escape
from textwrap import wrap
from typing import NamedTuple

import grimp

PACKAGES = ("bot", "engine", "lab", "render", "tests")
ABOUT = {
    "tests": "play the real bot on a simulated Discord",
    "lab": "training, studies, generated pages; never shipped",
    "bot": "Discord, commands, storage",
    "bot.features": "what a user would name",
    "bot.platform": "what several features need",
    "render": "pictures of boards and tables",
    "engine": "rules, dice and computer players",
}
"""What each part is for that has a frame of its own."""
OPENED = {"bot": ("features", "platform"), "engine": ()}
"""The packages whose parts are shown, and of these the ones whose parts are shown too."""
SHIPPED = ("bot", "render", "engine")
WITHOUT_ORDER = frozenset({"bot.platform", "engine"})
"""Their parts may import one another in a circle, so they are in one row."""

WIDTH, MARGIN, PAD, GAP = 480, 12, 12, 8
LINE, CHIP, HEAD = 20, 26, 28
LETTER, SMALL_LETTER, BOLD_LETTER = 8.4, 6.9, 9.2
"""How wide a letter is at most, on average."""

STYLE = """\
text { font: 15px system-ui, sans-serif; fill: #1f2328 }
.head { font-weight: 600 } .small { font-size: 12.5px; fill: #59636e }
.page { fill: #ffffff } .box { fill: #f6f8fa; stroke: #d1d9e0 }
.chip { fill: #ddf4ff; stroke: #b6dcf5 }
@media (prefers-color-scheme: dark) {
text { fill: #f0f6fc } .small { fill: #9198a1 }
.page { fill: #0d1117 } .box { fill: #151b23; stroke: #3d444d }
.chip { fill: #12325a; stroke: #1f4f88 }
}"""

Rows = Sequence[Sequence[str]]


class Diagram(NamedTuple):
    """Elements of a picture, and how high they are together."""

    elements: tuple[str, ...]
    height: int


def build_picture() -> str:
    """Return the picture as SVG."""
    graph = grimp.build_graph(*PACKAGES, include_external_packages=True, cache_dir=None)
    top = MARGIN + LINE
    elements = [_draw_text(MARGIN, MARGIN + 13, "What is above imports what is below.", "small")]
    layers = [package for row in rank_parts(graph, PACKAGES) for package in row]
    for package in layers:
        box = _draw_box(graph, package, MARGIN, top, WIDTH - 2 * MARGIN)
        elements += box.elements
        top += box.height + GAP
    height = top - GAP + MARGIN
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">',
            f"<title>The layers of Tabula: {', '.join(layers)}</title>",
            f"<style>{STYLE}</style>",
            f'<rect class="page" width="{WIDTH}" height="{height}"/>',
            *elements,
            "</svg>\n",
        )
    )


def rank_parts(graph: grimp.ImportGraph, parts: Sequence[str]) -> Rows:
    """Return parts in rows, from the top: each is above all that it imports, as low as can be.

    Raises ValueError if they import one another in a circle.
    """
    below = {
        part: {
            other
            for other in parts
            if other != part and graph.find_shortest_chains(part, other, as_packages=True)
        }
        for part in parts
    }
    rows: list[list[str]] = []
    while below:
        lowest = sorted(part for part, imported in below.items() if not imported & below.keys())
        if not lowest:
            raise ValueError(f"{', '.join(sorted(below))} import one another in a circle")
        rows.insert(0, lowest)
        below = {part: imported for part, imported in below.items() if part not in lowest}
    return rows


def list_libraries(graph: grimp.ImportGraph, package: str) -> list[str]:
    """Return what a package imports that is neither ours nor Python's."""
    ours = {package, *graph.find_descendants(package)}
    found = {name for module in ours for name in graph.find_modules_directly_imported_by(module)}
    return sorted(
        name
        for name in found
        if name.partition(".")[0] not in (*PACKAGES, *sys.stdlib_module_names)
    )


def _draw_box(graph: grimp.ImportGraph, part: str, left: int, top: int, width: int) -> Diagram:
    """Draw a part with its parts, if it is one whose parts are shown."""
    name = part.rpartition(".")[2]
    elements = [_draw_text(left + PAD, top + 18, name, "head")]
    start = left + PAD + int(len(name) * BOLD_LETTER) + 10
    elements.append(_draw_text(start, top + 18, ABOUT[part], "small"))
    y = top + HEAD
    for row in _list_rows(graph, part):
        inner = [each for each in row if _is_opened(each)]
        for each in inner:
            box = _draw_box(graph, each, left + PAD, y, width - 2 * PAD)
            elements += box.elements
            y += box.height + GAP
        chips = _draw_chips(
            [each for each in row if each not in inner], left + PAD, y, width - 2 * PAD
        )
        elements += chips.elements
        y += chips.height
    if part in SHIPPED:
        needs = "needs " + (", ".join(list_libraries(graph, part)) or "only Python")
        for line in wrap(needs, int((width - 2 * PAD) / SMALL_LETTER)):
            elements.append(_draw_text(left + PAD, y + 12, line, "small"))
            y += 17
        y += 3
    height = y - top + 4
    frame = f'<rect class="box" x="{left}" y="{top}" width="{width}" height="{height}" rx="8"/>'
    return Diagram((frame, *elements), height)


def _is_opened(part: str) -> bool:
    package, _, name = part.partition(".")
    return name in OPENED.get(package, ()) if name else package in OPENED


def _list_rows(graph: grimp.ImportGraph, part: str) -> Rows:
    """Return the parts that are shown of a part, in rows from the top."""
    if not _is_opened(part):
        return ()
    parts = [each for each in graph.find_children(part) if not each.endswith("__main__")]
    if part not in WITHOUT_ORDER:
        return rank_parts(graph, parts)
    return [sorted(each for each in parts if graph.find_children(each))]


def _draw_chips(parts: Sequence[str], left: int, top: int, width: int) -> Diagram:
    """Draw names beside one another, in as many lines as they need."""
    elements: list[str] = []
    x, y = left, top
    for part in parts:
        name = part.rpartition(".")[2]
        wide = int(len(name) * LETTER) + 16
        if x > left and x + wide > left + width:
            x, y = left, y + CHIP + 4
        elements.append(
            f'<rect class="chip" x="{x}" y="{y}" width="{wide}" height="{CHIP}" rx="6"/>'
        )
        elements.append(_draw_text(x + wide // 2, y + 18, name, middle=True))
        x += wide + 6
    return Diagram(tuple(elements), y - top + CHIP + 6 if parts else 0)


def _draw_text(x: int, y: int, text: str, style: str = "", *, middle: bool = False) -> str:
    anchor = ' text-anchor="middle"' if middle else ""
    named = f' class="{style}"' if style else ""
    return f'<text x="{x}" y="{y}"{named}{anchor}>{escape(text)}</text>'
