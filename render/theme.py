"""How a board looks: a theme is a file in `render/themes` with colours and ornament names."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, TypeAlias

from PIL import ImageColor

from engine.board import GameBoard

Colour: TypeAlias = tuple[int, ...]
"""Red, green and blue, from 0 to 255."""


@dataclass(frozen=True, slots=True)
class Stone:
    """The colours of one side's men: body, rim and ornament."""

    body: Colour
    rim: Colour
    mark: Colour


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours and ornaments (`border`, `point`, `grain` and `figure`) of a board.

    `ink` on `page` and `plates` and `letters` on `wood` reach a contrast of 4.5 to 1 (WCAG AA).
    `tints` are the two colours in which ornaments take turns. What can be done now has the colour
    `accent`, and the last play `recent`, which every eye tells from it.
    """

    name: str
    title: str
    note: str
    rank: int
    border: str
    point: str
    grain: str
    figure: str
    page: Colour
    ink: Colour
    wood: Colour
    frame: Colour
    bar: Colour
    cord: Colour
    plates: tuple[Colour, Colour]
    tints: tuple[Colour, Colour]
    letters: Colour
    accent: Colour
    recent: Colour
    ivory: Colour
    gold: Stone
    black: Stone

    @property
    def colours(self) -> tuple[Colour, ...]:
        """Every colour of the theme, once each."""
        stones = (
            part
            for stone in (self.gold, self.black)
            for part in (stone.body, stone.rim, stone.mark)
        )
        single = (
            self.page,
            self.ink,
            self.wood,
            self.frame,
            self.bar,
            self.cord,
            self.letters,
            self.accent,
            self.recent,
            self.ivory,
        )
        return tuple(dict.fromkeys((*single, *self.plates, *self.tints, *stones)))

    def __hash__(self) -> int:
        # Every sprite is looked up by its theme, and hashing all its colours each time would be
        # slow.
        return hash(self.name)


@cache
def load_themes() -> Mapping[str, Theme]:
    """Read every theme, by its name, in the order in which they are offered."""
    texts = {
        file.name.removesuffix(".toml"): file.read_text("utf-8")
        for file in files("render").joinpath("themes").iterdir()
        if file.name.endswith(".toml")
    }
    read = [_parse_theme(name, tomllib.loads(text)) for name, text in texts.items()]
    # One mapping is cached and handed to all callers, so none of them may change it.
    return MappingProxyType(
        {theme.name: theme for theme in sorted(read, key=lambda theme: theme.rank)}
    )


def choose_default_theme(board: GameBoard) -> Theme:
    """Return the theme that suits a board where nobody has chosen one."""
    return load_themes()["roman" if board.name == "roman" else "gloucester"]


def _parse_theme(name: str, data: Mapping[str, Any]) -> Theme:
    return Theme(name=name, **{field: _parse_value(value) for field, value in data.items()})


def _parse_value(value: Any) -> Any:  # noqa: ANN401 - what a TOML file holds, and a theme's field
    match value:
        case str() if value.startswith("#"):
            return ImageColor.getrgb(value)
        case list():
            return tuple(_parse_value(each) for each in value)
        case dict():
            return Stone(**{field: _parse_value(each) for field, each in value.items()})
    return value
