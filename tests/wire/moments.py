"""The moments of a turn at which something may happen to the bot.

It is one list for all tests that put something in its way.
"""

from dataclasses import dataclass

from .discord_server import DiscordServer
from .faults import Fault, Gate
from .tabula import TYPED, USED, Way

LONGEST_S = 30.0
"""Seconds within which a match comes to any moment of a turn."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A request that a turn needs: the first of its name, or the first one that `follows` another.

    `way` is how people have to play for it to be made.
    """

    name: str
    request: str
    way: Way = USED
    follows: str | None = None

    def __str__(self) -> str:
        return self.name

    async def befallen(self, server: DiscordServer, fault: Fault, times: int = 1) -> None:
        """Let a fault befall the next such request, or so many; returns when it is in force."""
        if self.follows is None:
            server.faults.at(self.request, fault, times=times)
            return
        before = server.faults.hold(self.follows, after=True)
        await before.reached(LONGEST_S)
        server.faults.at(self.request, fault, times=times)
        before.release()

    async def reached(self, server: DiscordServer, *, after: bool) -> None:
        """Hold the next such request for good, before Discord acts on it or `after` that.

        Returns when it is held.
        """
        gate = Gate()
        await self.befallen(server, Fault(after=after, gate=gate))
        await gate.reached(LONGEST_S)


MOMENTS = (
    Moment("a press is acknowledged", "callback"),
    Moment("a command is acknowledged", "callback", TYPED),
    Moment("the message of the turn is edited", "edit message"),
    Moment("the message of the next turn is posted", "post message"),
    Moment("the message of the last turn is closed", "edit message", follows="post message"),
    Moment("the placeholder of a command is taken away", "delete answer", TYPED),
)
"""In the order of a turn."""
