"""Which fonts draw a text: the bundled ones, and for what they lack the fonts of the system."""

import os
import struct
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import as_file, files
from itertools import groupby
from mmap import ACCESS_READ, mmap
from operator import itemgetter
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont, features

from render.characters import has_visible, is_visible

TEXT = "Elstob-Medium.otf"
TITLE = "Elstob-SemiBold.otf"

_FALLBACKS = (
    "NotoSans-Regular.*",
    "NotoSansCJK-Regular.*",
    "NotoSans*-Regular.*",
    "DejaVuSans.ttf",
    "NotoSans*VF*.*",
    "DroidSansFallback*.ttf",
)
"""The system's fonts to try, in this order: plain upright faces that cover most scripts."""
_PROBE_SIZE = 20
_UNASSIGNED = "\U0010ffff"
"""A code point that no font may have a glyph for.

It shows what a font draws for one that it lacks.
"""
_SHAPED_SCRIPTS = (
    range(0x0900, 0x10A0),  # from Devanagari to Myanmar
    range(0x1700, 0x1D00),  # from Tagalog to Vedic
    range(0xA800, 0xA960),  # from Syloti Nagri to Rejang
    range(0xA980, 0xAC00),  # from Javanese to Meetei Mayek
    range(0x11000, 0x12000),  # from Brahmi to Makasar
)
"""Scripts whose letters change their shape or place beside each other."""


@dataclass(frozen=True, slots=True)
class TextRun:
    """A part of a text that one font draws."""

    text: str
    font: ImageFont.FreeTypeFont


@lru_cache(maxsize=512)
def load_font(name: str, size: int, *, shaped: bool = False) -> ImageFont.FreeTypeFont:
    """Return a bundled font by its file name, or any other by its path.

    `shaped` is for complex scripts.
    """
    engine = ImageFont.Layout.RAQM if shaped else ImageFont.Layout.BASIC
    if Path(name).is_absolute():
        font = ImageFont.truetype(name, size, layout_engine=engine)
        with suppress(OSError, ValueError):
            # One file may hold every weight, and begins with the lightest.
            font.set_variation_by_name("Regular")
        return font
    with as_file(files("render").joinpath("assets", name)) as path:
        return ImageFont.truetype(path, size, layout_engine=engine)


# Each picture measures what is beside its board, which is said again and again.
@lru_cache(maxsize=4096)
def measure_text(text: str, font: ImageFont.FreeTypeFont) -> float:
    """Return how wide a text is in a bundled font, with what others draw of it."""
    return sum(run.font.getlength(run.text) for run in split_by_font(text, font))


def split_by_font(text: str, font: ImageFont.FreeTypeFont) -> tuple[TextRun, ...]:
    """Return the parts of a text, each with its font: a bundled one, else one of the system's."""
    return _split_into_runs(text, os.path.basename(str(font.path)), round(font.size))  # noqa: PTH119 - a picture asks often


@lru_cache(maxsize=1024)
def _split_into_runs(text: str, bundled: str, size: int) -> tuple[TextRun, ...]:
    names = _assign_fonts(text, bundled)
    return tuple(
        TextRun(part, load_font(name, size, shaped=can_shape() and any(map(_is_shaped, part))))
        for name, part in _join_characters(zip(names, text, strict=True))
    )


def _join_characters(parts: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    for name, group in groupby(parts, itemgetter(0)):
        yield name, "".join(character for _, character in group)


def _assign_fonts(text: str, bundled: str) -> list[str]:
    """Return the name of each character's font: of the bundled one for all that it has."""
    lacking = {each for each in text if not each.isspace() and not _has_glyph(bundled, each)}
    # One font for all of a name looks better than two, of which each has some of its letters.
    fonts = _list_system_fonts() if lacking else ()
    whole = next((name for name in fonts if has_all_glyphs(name, lacking)), None)
    names: list[str] = []
    for at, character in enumerate(text):
        before = names[-1] if names else bundled
        name = bundled
        # A mark from another font than its letter's would not sit on it.
        if unicodedata.category(character).startswith("M"):
            name = before
        elif not character.isalnum():
            # What stands between two words of a script is drawn with them, so that they keep their
            # order.
            after = next((each for each in text[at:] if each.isalnum()), "")
            name = (
                before
                if after and _has_glyph(before, after) and not _has_glyph(bundled, after)
                else bundled
            )
        if not character.isspace() and not _has_glyph(name, character):
            name = whole or _find_system_font(character) or bundled
        names.append(name)
    return names


@lru_cache(maxsize=4096)
def make_drawable(text: str) -> str:
    """Return a text as it can be drawn, or nothing.

    Nothing is returned where a letter of it cannot be drawn, or nothing would be seen. Letters of
    mathematics and the like become plain ones. Signs that no font has are left out.
    """
    kept = []
    # Fonts have most accented letters as one glyph, so accents are first joined to their letters.
    for character in unicodedata.normalize("NFC", text):
        plain = unicodedata.normalize("NFKC", character)
        if has_all_glyphs(TEXT, character):
            kept.append(character)
        elif has_all_glyphs(TEXT, plain):
            kept.append(plain)
        elif _find_system_font(character) and (can_shape() or not _is_shaped(character)):
            kept.append(character)
        # A sign may be left out, but a name without one of its letters would be another name.
        elif is_visible(character) and character.isalnum():
            return ""
    line = " ".join("".join(kept).split())
    return line if has_visible(line) else ""


def has_all_glyphs(name: str, text: Iterable[str]) -> bool:
    """Return whether a font has every character of a text."""
    return all(each.isspace() or _has_glyph(name, each) for each in text)


@lru_cache(maxsize=1)
def can_shape() -> bool:
    """Return whether Pillow can draw scripts with joined letters or from right to left."""
    return bool(features.check("raqm"))


def _is_shaped(character: str) -> bool:
    # Letters from right to left (R, AL), Arabic numbers (AN), and marks above or below others
    # (NSM).
    if unicodedata.bidirectional(character) in ("R", "AL", "AN", "NSM"):
        return True
    return any(ord(character) in block for block in _SHAPED_SCRIPTS)


@lru_cache(maxsize=8192)
def _find_system_font(character: str) -> str | None:
    """Return the first font of the system that has a glyph for a character; None where none has."""
    return next((name for name in _list_system_fonts() if _has_glyph(name, character)), None)


@lru_cache(maxsize=512)
def _load_glyph_ranges(path: str) -> tuple[tuple[int, int], ...]:
    """Return the ranges of code points that a font's table `cmap` has glyphs for.

    There are none for a file that is odd. Drawing tells for certain, but takes too long where a
    hundred fonts are asked for every character of a name.
    """
    with (
        suppress(OSError, ValueError, KeyError, struct.error),
        Path(path).open("rb") as file,
        mmap(file.fileno(), 0, access=ACCESS_READ) as data,
    ):
        return tuple(_parse_cmap(data))
    return ()


def _parse_cmap(data: mmap) -> Iterator[tuple[int, int]]:
    def read(kinds: str, at: int) -> tuple[int, ...]:
        return struct.unpack_from(f">{kinds}", data, at)

    # A collection of fonts begins with where each of them lies.
    (start,) = read("I", 12) if data[:4] == b"ttcf" else (0,)
    (count,) = read("H", start + 4)
    entries = range(start + 12, start + 12 + 16 * count, 16)
    tables = {data[at : at + 4]: read("I", at + 8)[0] for at in entries}
    cmap = tables[b"cmap"]
    (count,) = read("H", cmap + 2)
    for entry in range(cmap + 4, cmap + 4 + 8 * count, 8):
        table = cmap + read("I", entry + 4)[0]
        match read("H", table):
            case (4,):  # what lies in the first plane: all ends, two bytes, all starts
                (size,) = read("H", table + 6)
                ends = read(f"{size // 2}H", table + 14)
                yield from zip(read(f"{size // 2}H", table + 16 + size), ends, strict=True)
            case (12,):  # all planes: start, end and first glyph of each group
                (groups,) = read("I", table + 12)
                for at in range(table + 16, table + 16 + 12 * groups, 12):
                    first, last = read("II", at)
                    yield first, last


@lru_cache(maxsize=8192)
def _has_glyph(name: str, character: str) -> bool:
    """Whether a font draws anything for a character but its mark for what it lacks."""
    code = ord(character)
    if Path(name).is_absolute() and not any(
        first <= code <= last for first, last in _load_glyph_ranges(name)
    ):
        return False
    drawn = _draw_glyph(name, character)
    return drawn.strip(b"\0") != b"" and drawn != _draw_missing_glyph(name)


@lru_cache(maxsize=512)
def _draw_missing_glyph(name: str) -> bytes:
    return _draw_glyph(name, _UNASSIGNED)


def _draw_glyph(name: str, character: str) -> bytes:
    """Return the pixels of a character, blank for a font that cannot be used."""
    image = Image.new("L", (2 * _PROBE_SIZE, 2 * _PROBE_SIZE))
    try:
        font = load_font(name, _PROBE_SIZE)
        ImageDraw.Draw(image).text((_PROBE_SIZE, _PROBE_SIZE), character, 255, font, "mm")
    except OSError:
        pass
    return image.tobytes()


@lru_cache(maxsize=1)
def _list_system_fonts() -> tuple[str, ...]:
    """Return the paths of the system's fonts that may serve, the best first."""
    found = [
        path
        for pattern in _FALLBACKS
        for folder in _font_folders()
        for path in sorted(folder.rglob(pattern))
    ]
    # The patterns overlap; each font stays where the first of them has put it.
    return tuple(str(path.absolute()) for path in dict.fromkeys(found))


def _font_folders() -> Iterator[Path]:
    """Yield where fonts are installed, as the XDG specification has it."""
    home = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")  # noqa: PTH111
    shared = os.environ.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share"
    for folder in (home, *shared.split(os.pathsep)):
        yield Path(folder, "fonts")


def clear_font_caches() -> None:
    """Look for the fonts of the system again, as where some were installed."""
    for cache in (
        _list_system_fonts,
        _find_system_font,
        _split_into_runs,
        measure_text,
        make_drawable,
    ):
        cache.cache_clear()
