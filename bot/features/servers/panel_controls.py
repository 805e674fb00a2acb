"""The menus and buttons of the panels on which a server's settings are chosen."""

from collections.abc import Sequence
from typing import Any

import discord
from discord import ButtonStyle, ChannelType, SelectDefaultValue, SelectDefaultValueType

from bot.features.challenges.game_choice import list_paces
from bot.features.matches.clock_texts import format_pace
from bot.features.servers.names import ServerChoice, ServerPanel
from bot.features.servers.service import MOST_CHANNELS
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Item
from bot.platform.ui.choices import make_choice_menu
from bot.store import ServerSettings
from engine.clock import parse_pace

SERVER_CHOICE = "serverset"
"""Choose one of a server's settings."""
SERVER_PANEL = "serverpanel"
"""Show a panel of a server's settings."""
OTHER_PACE = "other"
"""The entry by which a pace is typed."""
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


def make_choice_id(choice: ServerChoice) -> str:
    """Return the id of the control by which something is chosen."""
    return f"{SERVER_CHOICE}:{choice}"


def make_pace_menu(say: Reader, server: ServerSettings) -> Item:
    """Return the menu of paces, with an entry by which another one is typed."""
    # What was typed before is listed as well.
    paces = dict.fromkeys([*list_paces(), parse_pace(server.pace)])
    entries = [(pace.name, format_pace(say, pace), "") for pace in paces]
    other = (OTHER_PACE, say("Another pace"), say("Type a time for all turns, such as 30m+20s"))
    return make_choice_menu(
        make_choice_id(ServerChoice.PACE), [*entries, other], parse_pace(server.pace).name
    )


def make_channels_menu(say: Reader, server: ServerSettings) -> Item:
    """Return the menu of the channels where matches can start."""
    return discord.ui.ChannelSelect[Any](
        placeholder=say("Every channel"),
        custom_id=make_choice_id(ServerChoice.CHANNELS),
        channel_types=list(PLAYABLE),
        min_values=0,
        max_values=MOST_CHANNELS,
        default_values=_list_chosen(server.channels, SelectDefaultValueType.channel),
    )


def make_news_menu(say: Reader, server: ServerSettings) -> Item:
    """Return the menu of the channel in which matches are announced."""
    return discord.ui.ChannelSelect[Any](
        # Translators: in a menu of channels in which none is chosen: nothing is announced.
        placeholder=say("Off"),
        custom_id=make_choice_id(ServerChoice.NEWS),
        channel_types=list(POSTABLE),
        min_values=0,
        default_values=_list_chosen(
            () if server.news is None else (server.news,), SelectDefaultValueType.channel
        ),
    )


def make_role_menu(say: Reader, server: ServerSettings) -> Item:
    """Return the menu of the role whose members challenge each other."""
    return discord.ui.RoleSelect[Any](
        # Translators: in a menu of roles in which none is chosen: anyone can challenge anyone.
        placeholder=say("Everyone"),
        custom_id=make_choice_id(ServerChoice.ROLE),
        min_values=0,
        default_values=_list_chosen(
            () if server.role is None else (server.role,), SelectDefaultValueType.role
        ),
    )


def _list_chosen(ids: Sequence[int], kind: SelectDefaultValueType) -> list[SelectDefaultValue]:
    return [SelectDefaultValue(id=each, type=kind) for each in ids]


def make_panel_button(say: Reader, panel: ServerPanel) -> Item:
    """Return the button that leads to a panel."""
    labels = {
        # Translators: button: shows the settings of matches (noun, plural).
        ServerPanel.MATCHES: say("Matches"),
        # Translators: button: shows the settings of how boards look (noun, plural).
        ServerPanel.BOARDS: say("Boards"),
    }
    return discord.ui.Button[Any](
        label=labels[panel], style=ButtonStyle.primary, custom_id=f"{SERVER_PANEL}:{panel}"
    )
