"""What is said of a server's choices about its matches, and of blocks."""

from collections.abc import Sequence

from bot.app.servers import Lack
from bot.store import Server
from bot.words.clock import pace
from bot.words.common import mentions
from bot.words.permissions import permissions
from bot.words.reader import Reader
from bot.words.zones import zone_name, zone_note
from engine.clock import read_pace


def choices(say: Reader, server: Server) -> str:
    """Tell what holds for a server's matches, a line for each choice."""
    told = (_terms(say, server), _places(say, server), _people(say, server), _threads(say, server))
    return "\n".join((*told, _messages(say, server), _quiet(say, server)))


def _terms(say: Reader, server: Server) -> str:
    rated = say("rated") if server.rated else say("not rated")
    time = pace(say, read_pace(server.pace))
    return say(
        "- Matches are {rated}, with this pace: {pace}. Each challenge can change that.",
        rated=rated,
        pace=time,
    )


def _places(say: Reader, server: Server) -> str:
    if not server.channels:
        return say("- Matches can start in every channel.")
    channels = say.listed([f"<#{channel}>" for channel in server.channels])
    return say("- Matches can start in {channels}.", channels=channels)


def _people(say: Reader, server: Server) -> str:
    if server.role is None:
        return say("- Everyone can challenge everyone.")
    return say("- Only members of {role} can challenge each other.", role=f"<@&{server.role}>")


def _threads(say: Reader, server: Server) -> str:
    if server.threads:
        return say("- Each match has its own thread.")
    return say("- Matches are played in the channel itself.")


def _messages(say: Reader, server: Server) -> str:
    if server.single:
        return say(
            "- Each match has a single message, updated every turn. A temporary mention alerts the "
            "next player."
        )
    return say("- Each turn gets a new message.")


def _quiet(say: Reader, server: Server) -> str:
    zone = zone_name(server.zone)
    if not server.quiet:
        return say("- No quiet hours. Time zone: {zone}.", zone=zone)
    began, ended = map(_hours, server.quiet)
    told = say(
        "- Quiet hours: from {began} to {ended} ({zone}) nobody is notified, and reminders wait.",
        began=began,
        ended=ended,
        zone=zone,
    )
    return f"{told} {zone_note(say, server.zone)}".rstrip()


def _hours(minutes: int) -> str:
    return f"{minutes // 60}:{minutes % 60:02}"


def lack(say: Reader, found: Lack) -> str:
    """Tell which permissions are lacking in a channel."""
    named = permissions(say, found.permissions)
    return say(
        "- In {channel} I'm missing {permissions}.",
        channel=f"<#{found.channel}>",
        permissions=named,
    )


def nothing_lacks(say: Reader) -> str:
    """Tell that the bot may do all that it must."""
    return say("I have all the permissions I need in those channels.")


def more_lacks(say: Reader, n: int) -> str:
    """Tell in how many channels more something is lacking."""
    return say.many("- The same in {n} more channel.", "- The same in {n} more channels.", n)


def remedy(say: Reader) -> str:
    """Tell who can grant what is lacking."""
    return say("A moderator can grant them in the channel's settings, under Permissions.")


def welcome(say: Reader) -> tuple[str, ...]:
    """Greet a server, and tell how to begin."""
    return (
        say("### Welcome to the tables"),
        say(
            "I'm Tabula. With me you can play thirty historical games of tables, from duodecim "
            "scripta to backgammon, by command, button or menu. Use `/play` to play me, "
            "`/challenge` to play somebody else, and `/help` to get started."
        ),
        say(
            "Server managers can use `/server matches` to choose where matches can start and who "
            "can challenge whom."
        ),
    )


def blocked(say: Reader, people: Sequence[int]) -> str:
    """Tell somebody whom they have blocked."""
    if not people:
        return say("You haven't blocked anybody.")
    told = say("You've blocked {people}.", people=mentions(say, people))
    means = say(
        "They can't challenge you, and neither of you can accept the other's open challenges. They "
        "aren't notified. To unblock somebody, use `/block` with `lift`."
    )
    return f"{told} {means}"
