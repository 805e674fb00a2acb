"""What is said of a server's choices about its matches, and of blocks."""

from collections.abc import Sequence

from bot.features.following.texts import format_news_channel
from bot.features.matches.clock_texts import format_pace
from bot.features.matches.name_texts import mention_people
from bot.features.rulebook.page_texts import format_board_style
from bot.features.servers.names import ServerChoice
from bot.features.servers.service import MissingPermissions
from bot.platform.i18n.permissions import format_permissions
from bot.platform.i18n.reader import Reader
from bot.platform.i18n.time_zones import format_zone, format_zone_warning
from bot.store import BoardStyle, ServerSettings
from engine.clock import parse_pace
from engine.games import GAMES


def format_panel_heading(say: Reader) -> str:
    """Head the panels of a server's settings."""
    return say("### Server settings")


def format_server_change(say: Reader, changed: ServerChoice, server: ServerSettings) -> str:
    """Tell what has just been chosen for a server's matches."""
    tellers = {
        ServerChoice.PACE: _format_terms,
        ServerChoice.RATED: _format_terms,
        ServerChoice.CHANNELS: _format_channels,
        ServerChoice.ROLE: _format_role,
        ServerChoice.THREADS: _format_threads,
        ServerChoice.SINGLE: _format_messages,
        ServerChoice.QUIET: _format_quiet_hours,
        ServerChoice.ZONE: _format_quiet_hours,
        ServerChoice.NEWS: _format_news,
        ServerChoice.RESET_MATCHES: _format_reset,
    }
    return say("Saved. {what}", what=tellers[changed](say, server))


def format_board_change(say: Reader, changed: ServerChoice, style: BoardStyle) -> str:
    """Tell what has just been chosen for a server's boards."""
    told = say("This server's public boards: {look}", look=format_board_style(say, style))
    if changed is ServerChoice.RESET_BOARDS:
        told = say("This server's boards have their defaults again.")
    return say("Saved. {what}", what=told)


def format_server_language(say: Reader, language: str | None) -> str:
    """Tell which language everyone in a server reads, by its name; None is as Discord says."""
    if language is None:
        return say(
            "What everyone here sees is in the language that Discord names for this server. Only "
            "Community servers can choose it there; every server can choose one here."
        )
    return say(
        "What everyone here sees is in this language from now on: {language}. What is only for "
        "one person is in theirs.",
        language=language,
    )


def _format_news(say: Reader, server: ServerSettings) -> str:
    return format_news_channel(say, server.news)


def _format_reset(say: Reader, _: ServerSettings) -> str:
    return say("Matches in this server have their defaults again.")


def _format_terms(say: Reader, server: ServerSettings) -> str:
    # Translators: of matches (plural): their results change the ratings.
    rated = say("rated") if server.rated else say("not rated")
    time = format_pace(say, parse_pace(server.pace))
    return say(
        "Matches are {rated}, with this pace: {pace}. Each challenge can change that.",
        rated=rated,
        pace=time,
    )


def _format_channels(say: Reader, server: ServerSettings) -> str:
    if not server.channels:
        return say("Matches can start in every channel.")
    channels = say.format_list([f"<#{channel}>" for channel in server.channels])
    return say("Matches can start in {channels}.", channels=channels)


def _format_role(say: Reader, server: ServerSettings) -> str:
    if server.role is None:
        return say("Everyone can challenge everyone.")
    return say("Only members of {role} can challenge each other.", role=f"<@&{server.role}>")


def _format_threads(say: Reader, server: ServerSettings) -> str:
    if server.threads:
        return say("Each match has its own thread.")
    return say("Matches are played in the channel itself.")


def _format_messages(say: Reader, server: ServerSettings) -> str:
    if server.single:
        return say(
            "Each match has a single message, updated every turn. A temporary mention alerts the "
            "next player."
        )
    return say("Each turn gets a new message.")


def _format_quiet_hours(say: Reader, server: ServerSettings) -> str:
    zone = format_zone(server.zone)
    told = say("No quiet hours. Time zone: {zone}.", zone=zone)
    if server.quiet:
        began, ended = map(_format_time_of_day, server.quiet)
        told = say(
            "Quiet hours: from {began} to {ended} ({zone}) nobody is notified, and reminders wait.",
            began=began,
            ended=ended,
            zone=zone,
        )
    return told


def format_pace_choice(say: Reader) -> str:
    """Name the choice of a pace."""
    return say("**Pace**\n-# Where a challenge names no other")


def format_rated_choice(say: Reader, server: ServerSettings) -> str:
    """Tell whether matches are rated by default."""
    if server.rated:
        return say("**Rated**: on\n-# Where a challenge doesn't say otherwise")
    return say("**Rated**: off\n-# Where a challenge doesn't say otherwise")


def format_channels_choice(say: Reader) -> str:
    """Name the choice of channels."""
    return say("**Channels**\n-# Where matches can start")


def format_role_choice(say: Reader) -> str:
    """Name the choice of a role."""
    return say("**Players**\n-# The role whose members can challenge each other")


def format_threads_choice(say: Reader, server: ServerSettings) -> str:
    """Tell whether each match has a thread."""
    if server.threads:
        return say(
            "**A thread for each match**: on\n-# Otherwise it's played in the channel itself"
        )
    return say("**A thread for each match**: off\n-# Otherwise it's played in the channel itself")


def format_single_choice(say: Reader, server: ServerSettings) -> str:
    """Tell whether each match has one message."""
    if server.single:
        return say(
            "**One message for each match**: on\n-# Updated every turn; otherwise each turn is new"
        )
    return say(
        "**One message for each match**: off\n-# Updated every turn; otherwise each turn is new"
    )


def format_quiet_choice(say: Reader, server: ServerSettings) -> str:
    """Tell when nobody is notified."""
    if not server.quiet:
        return say("**Quiet hours**: none\n-# Nobody is notified then, and reminders wait")
    began, ended = map(_format_time_of_day, server.quiet)
    return say(
        "**Quiet hours**: {began} to {ended}\n-# Nobody is notified then, and reminders wait",
        began=began,
        ended=ended,
    )


def format_zone_choice(say: Reader, server: ServerSettings) -> str:
    """Tell which time zone quiet hours have."""
    zone = format_zone(server.zone)
    told = say("**Time zone**: {zone}\n-# Of quiet hours", zone=zone)
    # Without quiet hours it means nothing.
    warning = format_zone_warning(say, server.zone) if server.quiet else ""
    return "\n-# ".join(filter(None, (told, warning)))


def format_news_choice(say: Reader) -> str:
    """Name the choice of a channel for announcements."""
    return say("**Announcements**\n-# Where the start and end of matches are announced")


def _format_time_of_day(minutes: int) -> str:
    return f"{minutes // 60}:{minutes % 60:02}"


def format_missing(say: Reader, found: MissingPermissions) -> str:
    """Tell which permissions are lacking in a channel."""
    named = format_permissions(say, found.permissions)
    return say(
        "- In {channel} I'm missing {permissions}.",
        channel=f"<#{found.channel}>",
        permissions=named,
    )


def format_none_missing(say: Reader) -> str:
    """Tell that the bot may do all that it must."""
    return say("I have all the permissions I need in those channels.")


def format_more_missing(say: Reader, n: int) -> str:
    """Tell in how many channels more something is lacking."""
    return say.plural("- The same in {n} more channel.", "- The same in {n} more channels.", n)


def explain_remedy(say: Reader) -> str:
    """Tell who can grant what is lacking."""
    return say("A moderator can grant them in the channel's settings, under Permissions.")


def format_welcome(say: Reader) -> tuple[str, ...]:
    """Greet a server, and tell how to begin."""
    return (
        say("### Welcome to the tables"),
        say(
            "I'm Tabula. With me you can play {n} historical games of tables, from duodecim "
            "scripta to backgammon, by command, button or menu. Use `/learn` for a first lesson, "
            "`/play` to play the computer, `/challenge` to play somebody else, and `/help` for "
            "the rest.",
            n=len(GAMES),
        ),
        say(
            "Server managers can use `/server settings` to choose where matches can start and who "
            "can challenge whom."
        ),
    )


def format_blocks(say: Reader, people: Sequence[int]) -> str:
    """Tell somebody whom they have blocked."""
    if not people:
        return say("You haven't blocked anybody.")
    told = say("You've blocked {people}.", people=mention_people(say, people))
    means = say(
        "They can't challenge you, and neither of you can accept the other's open challenges. They "
        "aren't notified. To unblock somebody, use `/me block` with `lift`."
    )
    return f"{told} {means}"
