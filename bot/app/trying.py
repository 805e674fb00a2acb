"""Trying a play: the match as it would be after it, while nothing is changed."""

import asyncio
from dataclasses import dataclass, replace

from bot.app import play
from bot.app.context import App
from bot.app.errors import MovedOn
from bot.app.play import Action
from bot.app.sitting import Happening, Sitting
from engine.match import PLAYING
from engine.notation import format_play


@dataclass(frozen=True, slots=True)
class Trial:
    """A play as it is written, the match before it, and what would happen.

    That is the play, and what follows automatically.
    """

    before: Sitting
    text: str
    happenings: tuple[Happening, ...]

    @property
    def just_played(self) -> Sitting:
        """The match when the play is played, and nothing else has followed yet."""
        return replace(self.before, match=self.happenings[0].after)

    @property
    def after(self) -> Sitting:
        """The match as it would be."""
        return replace(self.before, match=self.happenings[-1].after)

    @property
    def ends_turn(self) -> bool:
        """Whether the player would have nothing left to do with these numbers."""
        after = self.happenings[-1].after
        return after.phase not in PLAYING or after.acting != self.before.match.acting


async def try_out(app: App, action: Action, text: str) -> Trial:
    """Return what typed moves would lead to.

    Raises what `play.move` raises if they may not be played.
    """
    sitting = await play.load(app, action.match)
    if action.version not in (None, sitting.match.version):
        raise MovedOn(action.match)
    event = play.read_moves(sitting, action.person.id, text)
    happenings = await asyncio.to_thread(play.advance, sitting, event, app.clock())
    match = sitting.match
    return Trial(sitting, format_play(event.moves, match.rules, match.position), happenings)


async def to_confirm(app: App, action: Action, text: str) -> Trial | None:
    """Return what typed moves lead to if they end a turn that their player wants to confirm.

    None otherwise. Raises what `try_out` raises.
    """
    if not (await app.store.habits.get(action.person.id)).confirms:
        return None
    trial = await try_out(app, action, text)
    return trial if trial.ends_turn else None
