"""How boards are drawn: a person's own views as they prefer, public boards as the server does."""

from collections.abc import Mapping

from bot.platform.context import App
from engine.position import Side
from render.scene import View
from render.theme import load_themes

PERSON, SERVER = "person", "server"
MINE = "mine"


async def load_view(app: App, scope: str, owner: int, seats: Mapping[int, Side]) -> View:
    """Return the view that a person or a server has chosen; `seats` says who sits where."""
    look = await app.store.board_styles.get(scope, owner)
    # An onlooker has no side of their own, and looks from gold's.
    below = seats.get(owner, Side.GOLD) if look.seat == MINE else Side(look.seat)
    # A theme that a newer or older version knew may be gone.
    return View(load_themes().get(look.theme or ""), below, look.numbered)
