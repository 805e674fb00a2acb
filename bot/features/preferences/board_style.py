"""What people and servers choose about how boards are drawn."""

from dataclasses import replace

from bot.platform.context import App
from bot.store import BoardStyle

NATURAL = "natural"
"""The default: the theme that suits each board."""


async def update_style(
    app: App,
    scope: str,
    owner: int,
    *,
    theme: str | None = None,
    seat: str | None = None,
    numbered: bool | None = None,
) -> BoardStyle:
    """Change what is given of a board style and return it."""
    before = style = await app.store.board_styles.get(scope, owner)
    if theme is not None:
        style = replace(style, theme=None if theme == NATURAL else theme)
    if seat is not None:
        style = replace(style, seat=seat)
    if numbered is not None:
        style = replace(style, numbered=numbered)
    if style != before:
        await app.store.board_styles.save(scope, owner, style)
    return style


async def reset_style(app: App, scope: str, owner: int) -> None:
    """Draw the boards of a person or a server by default again."""
    if await app.store.board_styles.get(scope, owner) != BoardStyle():
        await app.store.board_styles.save(scope, owner, BoardStyle())
