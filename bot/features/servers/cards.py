"""What a server can choose, the panels of it, and the greeting of those who manage a server."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, replace
from enum import StrEnum, auto
from typing import Any, TypeAlias

import discord
from discord import ChannelType, SelectDefaultValue, SelectDefaultValueType

from bot.features.matches import interactions
from bot.features.matches.texts import format_pace
from bot.features.preferences import cards
from bot.features.rulebook.cards import first_game_controls
from bot.features.servers.service import MAX_CHANNELS, MissingPermissions
from bot.platform import time_zones
from bot.platform.db.preferences import DEFAULT_STYLE, BoardStyle, ServerSettings
from bot.platform.features import ExtensionPoint
from bot.platform.i18n.common import format_matches_rated, format_permissions
from bot.platform.i18n.reader import Reader, UnknownControlError, mark_text
from bot.platform.ui import controls, panels
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.app_client import Interaction
from bot.platform.ui.card import Card, Item, Listing, PanelRow
from bot.platform.ui.channels import MissingPermissionsError, find_missing_permissions
from engine.clock import parse_pace
from engine.games import GAMES
from render.scene import View

SERVER_CHOICE = "serverset"
"""Choose one of a server's settings."""
SERVER_LANGUAGE = "serverlanguage"
"""Choose the language of what everyone in a server sees."""
SERVER_PANEL = "serverpanel"
"""Show a section of a server's settings."""
"""The entry by which a pace is typed."""
MAX_QUIET_LENGTH = 20 + time_zones.MAX_ZONE_LENGTH
POSTABLE = (
    ChannelType.text,
    ChannelType.voice,
    ChannelType.stage_voice,
    ChannelType.news,
    ChannelType.public_thread,
    ChannelType.private_thread,
    ChannelType.news_thread,
)
"""What messages can be posted in."""
PLAYABLE = (*POSTABLE, ChannelType.forum)
"""Where matches can start: in a forum they do so in its posts."""


class ServerPanel(StrEnum):
    """The sections of a server's settings."""

    MATCHES = auto()
    BOARDS = auto()
    POSTS = auto()
    PUBLIC = auto()


SECTION_SETTINGS: Mapping[ServerPanel, tuple[str, ...]] = {
    ServerPanel.MATCHES: ("pace", "rated", "channels", "role", "threads", "single"),
    ServerPanel.POSTS: ("quiet", "zone", "news"),
}
"""Which of a server's settings stand in a section, besides what features add to it."""

LoadRows: TypeAlias = Callable[[InteractionAnswer], Awaitable[Sequence[PanelRow]]]
SECTION_ROWS: Mapping[ServerPanel, ExtensionPoint[LoadRows]] = {
    each: ExtensionPoint() for each in ServerPanel
}
"""What features have a server choose, by the section in which it stands."""


def find_section(name: str) -> ServerPanel:
    """Return the section in which a setting stands."""
    if name in BOARD_SETTINGS:
        return ServerPanel.BOARDS
    found = (section for section, names in SECTION_SETTINGS.items() if name in names)
    return next(found, ServerPanel.MATCHES)


def section_card(
    say: Reader,
    rows: Sequence[PanelRow],
    saved: str = "",
    *,
    lacks: Sequence[MissingPermissions] | None = None,
    reset: Item | None = None,
) -> Card:
    """Return a section of a server's settings.

    Where the bot posts in its channels, `lacks` are the permissions that it lacks there.
    """
    return Card(
        texts=(say("### Server settings"), saved, *(format_check(say, lacks) if lacks else ())),
        panel=tuple(rows),
        controls=(_build_section_menu(say), *([reset] if reset else [])),
        small=(
            say("I have all the permissions I need in those channels.")
            if lacks is not None and not lacks
            else ""
        ),
    )


def board_section_card(say: Reader, style: BoardStyle, view: View, saved: str = "") -> Card:
    """Return the section of a server's public boards, with one drawn in their style."""
    rows = BOARD_SETTINGS.build_rows(say, style)
    reset = BOARD_SETTINGS.build_reset_button(say, style)
    card = section_card(say, rows, saved, reset=reset)
    return replace(
        card,
        texts=(*card.texts, say("**Preview**: the boards that everyone sees in this server")),
        # The one who reads the section may have chosen another style for themselves.
        picture=replace(cards.build_sample_picture(say), restyle=lambda _: view),
    )


def _build_section_menu(say: Reader) -> Item:
    entries = (
        # Translators: entry of a menu: the settings of matches (noun, plural).
        (ServerPanel.MATCHES, say("Matches"), say("Pace, channels, players, threads")),
        # Translators: entry of a menu: the settings of how boards look (noun, plural).
        (ServerPanel.BOARDS, say("Boards"), say("Theme, side at the bottom, numbers")),
        # Translators: entry of a menu: the settings of what is posted and when (nouns, plural).
        (ServerPanel.POSTS, say("Posts and times"), say("Quiet hours, puzzle, digest")),
        # Translators: entry of a menu: a group of settings (nouns).
        (ServerPanel.PUBLIC, say("Language and data"), say("Public pages, export, deletion")),
    )
    # Translators: in a menu of sections of settings, below one of them.
    return controls.build_choice_menu(f"{SERVER_PANEL}:", entries, "", say("More settings"))


def _build_pace_menu(say: Reader, custom_id: str, server: ServerSettings) -> Item:
    return interactions.build_pace_menu(say, custom_id, parse_pace(server.pace))


def _build_pace_form(interaction: Interaction, custom_id: str) -> discord.ui.Modal | None:
    if controls.list_selection(interaction) != [interactions.OTHER_PACE]:
        return None
    return interactions.build_pace_form(interaction.client.get_asker_reader(interaction), custom_id)


def _read_pace(interaction: Interaction, _: str) -> Mapping[str, Any]:
    picked = controls.list_selection(interaction)
    return {"pace": parse_pace(picked[0] if picked else controls.get_typed_text(interaction)).name}


def _format_terms(say: Reader, server: ServerSettings) -> str:
    rated = format_matches_rated(say, rated=server.rated)
    time = format_pace(say, parse_pace(server.pace))
    return say(
        "Matches are {rated}, with this pace: {pace}. Each challenge can change that.",
        rated=rated,
        pace=time,
    )


def build_channel_menu(
    custom_id: str,
    placeholder: str,
    kinds: Sequence[ChannelType],
    chosen: Sequence[int],
    max_values: int = 1,
) -> Item:
    """Return a menu of channels in which some, or none, are chosen; the placeholder says none."""
    return discord.ui.ChannelSelect[Any](
        placeholder=placeholder,
        custom_id=custom_id,
        channel_types=list(kinds),
        min_values=0,
        max_values=max_values,
        default_values=[
            SelectDefaultValue(id=each, type=SelectDefaultValueType.channel) for each in chosen
        ],
    )


def _read_channels(interaction: Interaction, _: str) -> Mapping[str, Any]:
    channels = controls.get_selected_ids(interaction, "channels")
    if len(channels) > MAX_CHANNELS:
        raise UnknownControlError
    return {"channels": channels}


def _format_channels(say: Reader, server: ServerSettings) -> str:
    if not server.channels:
        return say("Matches can start in every channel.")
    channels = say.format_list([f"<#{channel}>" for channel in server.channels])
    return say("Matches can start in {channels}.", channels=channels)


def _build_role_menu(say: Reader, custom_id: str, server: ServerSettings) -> Item:
    chosen = [] if server.role is None else [server.role]
    return discord.ui.RoleSelect[Any](
        # Translators: in a menu of roles in which none is chosen: anyone can challenge anyone.
        placeholder=say("Everyone"),
        custom_id=custom_id,
        min_values=0,
        default_values=[
            SelectDefaultValue(id=each, type=SelectDefaultValueType.role) for each in chosen
        ],
    )


def _read_role(interaction: Interaction, _: str) -> Mapping[str, Any]:
    # Discord gives the role of everyone the server's own id.
    roles = [
        each
        for each in controls.get_selected_ids(interaction, "roles")
        if each != interaction.guild_id
    ]
    return {"role": next(iter(roles), None)}


def _format_role(say: Reader, server: ServerSettings) -> str:
    if server.role is None:
        return say("Everyone can challenge everyone.")
    return say("Only members of {role} can challenge each other.", role=f"<@&{server.role}>")


def _build_quiet_form(interaction: Interaction, custom_id: str) -> discord.ui.Modal:
    say = interaction.client.get_asker_reader(interaction)
    return controls.build_text_form(
        custom_id,
        title=say("Quiet hours"),
        label=say("From and until, or none"),
        hint=say("22-7, 22:30-7:15 or none"),
        longest=MAX_QUIET_LENGTH,
    )


def _read_quiet(text: str) -> Mapping[str, Any]:
    hours, zone = time_zones.parse_quiet_hours(text)
    return {"quiet": hours, **({"zone": zone} if zone else {})}


def _format_quiet_hours(say: Reader, server: ServerSettings) -> str:
    zone = time_zones.format_zone(server.zone)
    text = say("No quiet hours. Time zone: {zone}.", zone=zone)
    if server.quiet:
        began, ended = map(_format_time_of_day, server.quiet)
        text = say(
            "Quiet hours: from {began} to {ended} ({zone}) nobody is notified, and reminders are "
            "held back.",
            began=began,
            ended=ended,
            zone=zone,
        )
    return text


def _label_quiet_hours(say: Reader, server: ServerSettings) -> str:
    if not server.quiet:
        return say("**Quiet hours**: none\n-# Nobody is notified then, and reminders are held back")
    began, ended = map(_format_time_of_day, server.quiet)
    return say(
        "**Quiet hours**: {began} to {ended}\n"
        "-# Nobody is notified then, and reminders are held back",
        began=began,
        ended=ended,
    )


def _format_time_of_day(minutes: int) -> str:
    return f"{minutes // 60}:{minutes % 60:02}"


def _label_zone(say: Reader, server: ServerSettings) -> str:
    zone = time_zones.format_zone(server.zone)
    text = say("**Time zone**: {zone}\n-# Of quiet hours and posts", zone=zone)
    warning = time_zones.format_zone_warning(say, server.zone) if server.zone else ""
    return "\n-# ".join(filter(None, (text, warning)))


def read_channel(interaction: Interaction) -> int | None:
    """Return the channel that was picked; None for none."""
    return next(iter(controls.get_selected_ids(interaction, "channels")), None)


def _read_news(interaction: Interaction, _: str) -> Mapping[str, Any]:
    """Return the channel that is chosen; raises DeclinedError where the bot may not post."""
    channel = read_channel(interaction)
    if channel is None:
        return {"news": None}
    found = find_missing_permissions(interaction.client, interaction.guild_id or 0, channel)
    # A line of news has no picture.
    missing = tuple(name for name in found if name != "attach_files")
    if missing:
        raise MissingPermissionsError(permissions=missing, channel=channel)
    return {"news": channel}


def _format_news(say: Reader, server: ServerSettings) -> str:
    if server.news is None:
        return say("Match announcements are off.")
    return say(
        "Matches are announced in {channel} when they start and end.", channel=f"<#{server.news}>"
    )


MATCH_SETTINGS = panels.Panel[ServerSettings](
    SERVER_CHOICE,
    panels.Setting(
        name="pace",
        label=mark_text("**Pace**\n-# Unless a challenge says otherwise"),
        saved=_format_terms,
        build_control=_build_pace_menu,
        read=_read_pace,
        form=_build_pace_form,
    ),
    panels.build_switch_setting(
        "rated",
        on=mark_text("**Rated**: on\n-# Where a challenge doesn't say otherwise"),
        off=mark_text("**Rated**: off\n-# Where a challenge doesn't say otherwise"),
        saved=_format_terms,
    ),
    panels.Setting(
        name="channels",
        label=mark_text("**Channels**\n-# Where matches can start"),
        saved=_format_channels,
        build_control=lambda say, custom_id, server: build_channel_menu(
            custom_id, say("Every channel"), PLAYABLE, server.channels, MAX_CHANNELS
        ),
        read=_read_channels,
    ),
    panels.Setting(
        name="role",
        label=mark_text("**Players**\n-# The role whose members can challenge each other"),
        saved=_format_role,
        build_control=_build_role_menu,
        read=_read_role,
    ),
    panels.build_switch_setting(
        "threads",
        on=mark_text(
            "**A thread for each match**: on\n-# Otherwise it's played in the channel itself"
        ),
        off=mark_text("**A thread for each match**: off\n-# Each is played in the channel itself"),
        saved=(
            mark_text("Each match has its own thread."),
            mark_text("Matches are played in the channel itself."),
        ),
    ),
    panels.build_switch_setting(
        "single",
        on=mark_text(
            "**One message for each match**: on\n-# Updated every turn; otherwise each turn is new"
        ),
        off=mark_text(
            "**One message for each match**: off\n-# Updated every turn; otherwise each turn is new"
        ),
        saved=(
            mark_text(
                "Each match has a single message, updated every turn. A temporary mention alerts "
                "the next player."
            ),
            mark_text("Each turn gets a new message."),
        ),
    ),
    panels.build_text_setting(
        "quiet",
        label=_label_quiet_hours,
        saved=_format_quiet_hours,
        form=_build_quiet_form,
        read=_read_quiet,
    ),
    panels.build_zone_setting(label=_label_zone, saved=_format_quiet_hours),
    panels.Setting(
        name="news",
        label=mark_text("**Announcements**\n-# Where the start and end of matches are announced"),
        saved=_format_news,
        build_control=lambda say, custom_id, server: build_channel_menu(
            custom_id,
            # Translators: in a menu of channels in which none is chosen: nothing is announced.
            say("Off"),
            POSTABLE,
            [] if server.news is None else [server.news],
        ),
        read=_read_news,
    ),
    reset=panels.build_reset_setting(
        "reset_matches",
        defaults={
            name: value
            for name, value in asdict(ServerSettings()).items()
            if name in SECTION_SETTINGS[ServerPanel.MATCHES]
        },
        saved=mark_text("Matches in this server are back to their defaults."),
    ),
)
BOARD_SETTINGS = cards.build_style_panel(
    SERVER_CHOICE,
    lambda say, style: say(
        "This server's public boards: {look}", look=cards.format_board_style(say, style)
    ),
    panels.build_reset_setting(
        "reset_boards",
        defaults=asdict(DEFAULT_STYLE),
        saved=mark_text("This server's boards are back to their defaults."),
    ),
    own=False,
)


def welcome_card(say: Reader, lacks: Sequence[MissingPermissions]) -> Card:
    """Return what the bot says in a server that has invited it: how to begin, and what it lacks."""
    check = format_check(say, lacks) if lacks else ()
    return Card(texts=(*_format_welcome(say), *check), controls=first_game_controls(say))


def _format_welcome(say: Reader) -> tuple[str, ...]:
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


def format_check(say: Reader, lacks: Sequence[MissingPermissions]) -> tuple[str | Listing, ...]:
    """Say which permissions the bot lacks in a server, and who can grant them."""
    lines = tuple(
        say(
            "- In {channel} I'm missing {permissions}.",
            channel=f"<#{each.channel}>",
            permissions=format_permissions(say, each.permissions),
        )
        for each in lacks
    )
    return (
        Listing(
            lines,
            lambda n: say.plural(
                "- The same in {n} more channel.", "- The same in {n} more channels.", n
            ),
            joined=True,
        ),
        say("A moderator can grant them in the channel's settings, under Permissions."),
    )
