"""The moments of a turn at which a bot may be killed, one list for all who kill it."""

from dataclasses import dataclass

from .discord_server import DiscordServer
from .faults import Gate


@dataclass(frozen=True, slots=True)
class Moment:
    """Just before the server acts on a request of that name, or just `after` that and before it answers."""

    request: str
    after: bool

    def __str__(self) -> str:
        return f"{'after' if self.after else 'before'} {self.request}"

    def hold(self, server: DiscordServer, nth: int = 1) -> Gate:
        """Stop the `nth` such request from now on at this moment."""
        return server.faults.hold(self.request, nth=nth, after=self.after)


OF_A_TURN = ("callback", "follow up")
"""The requests of a turn played by buttons and menus: its answer, and the next player's message."""
MOMENTS = [Moment(request, after) for request in OF_A_TURN for after in (False, True)]
