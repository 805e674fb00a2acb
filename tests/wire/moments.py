"""The moments of a turn at which something may happen to the bot.

It is one list for all tests that put something in its way.
"""

from dataclasses import dataclass

from .discord_server import DiscordServer
from .faults import Gate, RequestFault
from .tabula import BY_COMMAND, BY_CONTROL, ActMethod

MOMENT_LIMIT_S = 30.0
"""Seconds within which a match comes to any moment of a turn."""


@dataclass(frozen=True, slots=True)
class TurnMoment:
    """A request that a turn needs: the first of its name, or the first one that `follows` another.

    `way` is how people have to play for it to be made.
    """

    name: str
    request: str
    way: ActMethod = BY_CONTROL
    follows: str | None = None

    def __str__(self) -> str:
        return self.name

    async def inject_fault(
        self, server: DiscordServer, fault: RequestFault, times: int = 1
    ) -> None:
        """Let a fault befall the next such request, or so many; returns when it is in force."""
        if self.follows is None:
            server.faults.inject(self.request, fault, times=times)
            return
        before = server.faults.hold_request(self.follows, after=True)
        await before.wait_until_reached(MOMENT_LIMIT_S)
        server.faults.inject(self.request, fault, times=times)
        before.release()

    async def hold_request(self, server: DiscordServer, *, after: bool) -> None:
        """Hold the next such request for good, before Discord acts on it or `after` that.

        Returns when it is held.
        """
        gate = Gate()
        await self.inject_fault(server, RequestFault(after=after, gate=gate))
        await gate.wait_until_reached(MOMENT_LIMIT_S)


MOMENTS = (
    TurnMoment("a press is answered by its change", "callback"),
    TurnMoment("a command is answered", "callback", BY_COMMAND),
    TurnMoment("the message of the turn is edited", "edit message", BY_COMMAND),
    TurnMoment("the message of the next turn is posted", "post message"),
    TurnMoment(
        "the message of the last turn is closed", "edit message", BY_COMMAND, "post message"
    ),
)
"""In the order of a turn."""
