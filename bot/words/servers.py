"""What is said of a server's choices about its matches, and of blocks."""

from collections.abc import Sequence

from bot.store import Server
from bot.words.clock import pace
from bot.words.common import mentions
from bot.words.reader import Reader
from engine.clock import read_pace


def choices(say: Reader, server: Server) -> str:
    """Tell what holds for a server's matches, a line for each choice."""
    return "\n".join((_terms(say, server), _places(say, server), _people(say, server)))


def _terms(say: Reader, server: Server) -> str:
    rated = say("rated") if server.rated else say("not rated")
    time = pace(say, read_pace(server.pace))
    return say("- Matches, unless a challenge says otherwise: {rated}; {pace}.", rated=rated, pace=time)


def _places(say: Reader, server: Server) -> str:
    if not server.channels:
        return say("- They may start in every channel.")
    channels = say.listed([f"<#{channel}>" for channel in server.channels])
    return say("- They may start in {channels}.", channels=channels)


def _people(say: Reader, server: Server) -> str:
    if server.role is None:
        return say("- Everyone may challenge everyone.")
    return say("- Only members of {role} may challenge each other.", role=f"<@&{server.role}>")


def blocked(say: Reader, people: Sequence[int]) -> str:
    """Tell somebody whom they have blocked."""
    if not people:
        return say("You have blocked nobody.")
    told = say("You have blocked {people}.", people=mentions(say, people))
    means = say(
        "They cannot challenge you, and neither of you can take the other's open challenges; nobody is told. "
        "`/block` with `lift` ends it."
    )
    return f"{told} {means}"
