"""Trying a play: the match as it would be after it, while nothing is changed."""

import asyncio
from dataclasses import dataclass, replace

from bot.features.matches import service as play
from bot.features.matches.service import Action
from bot.features.matches.session import MatchSession, Transition
from bot.platform.context import App
from engine.match import PLAY_PHASES
from engine.notation import format_play


@dataclass(frozen=True, slots=True)
class Trial:
    """A play as it is written, the match before it, and what would happen.

    That is the play, and what follows automatically.
    """

    before: MatchSession
    text: str
    transitions: tuple[Transition, ...]

    @property
    def session_after_play(self) -> MatchSession:
        """The match when the play is played, and nothing else has followed yet."""
        return replace(self.before, match=self.transitions[0].after)

    @property
    def final_session(self) -> MatchSession:
        """The match as it would be."""
        return replace(self.before, match=self.transitions[-1].after)

    @property
    def is_turn_over(self) -> bool:
        """Whether the player would have nothing left to do with these numbers."""
        after = self.transitions[-1].after
        return (
            # In a team the next one to act may be a partner, so the person is compared as well.
            after.phase not in PLAY_PHASES or after.acting_player != self.before.match.acting_player
        )


async def try_play(app: App, action: Action, text: str) -> Trial:
    """Return what typed moves would lead to.

    Raises what `play.play_moves` raises if they may not be played.
    """
    session = await play.load_session_to_act(app, action)
    event = play.parse_moves(session, action.person.id, text)
    # The same function as for a real play, so a trial ends as the play would. Nothing is saved.
    transitions = await asyncio.to_thread(play.advance_match, session, event, app.clock())
    match = session.match
    return Trial(session, format_play(event.moves, match.rules, match.position), transitions)


async def find_trial_to_confirm(app: App, action: Action, text: str) -> Trial | None:
    """Return what typed moves lead to if they end a turn that their player wants to confirm.

    None otherwise. Raises what `try_play` raises.
    """
    # Asked first, since most people do not confirm and need no trial.
    if not (await app.store.preferences.get(action.person.id)).confirms:
        return None
    trial = await try_play(app, action, text)
    return trial if trial.is_turn_over else None
