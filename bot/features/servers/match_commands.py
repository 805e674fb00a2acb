"""What server managers choose about the matches played in it: /server matches."""

from typing import TypeAlias

import discord
from discord import app_commands

from bot.features.challenges.commands import LONGEST_PACE
from bot.features.challenges.game_choice import offer_paces
from bot.features.servers import service as servers
from bot.features.servers.cards import server_settings_card
from bot.features.servers.commands import Postable, server
from bot.features.servers.delivery import check_start_channels
from bot.platform.quiet_hours import parse_quiet_hours
from bot.platform.time_zones import LONGEST_ZONE, parse_zone
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.declarations import command
from bot.platform.ui.time_zones import offer_zones
from engine.clock import parse_pace

LONGEST_QUIET = 20 + LONGEST_ZONE


Playable: TypeAlias = Postable | discord.ForumChannel
"""Where matches can start: in a forum they do so in its posts."""


@command(group=server)
@app_commands.describe(
    allow="A channel or thread where matches can start (default: everywhere)",
    forbid="A channel or thread to remove from that list",
    who="The role whose members can challenge each other; @everyone for all",
    threads="Give each match its own thread?",
    single="Keep one message for each match, updated every turn?",
    quiet="When nobody is notified, such as 22-7 or 22:30-7:15, or none",
    zone="The time zone of quiet hours, such as Europe/Berlin",
    rated="Are matches rated by default?",
    pace="The default time control: live, day, week, none..., or such as 30m+20s",
)
async def matches(
    answer: InteractionAnswer,
    allow: Playable | None = None,
    forbid: Playable | None = None,
    who: discord.Role | None = None,
    threads: bool | None = None,
    single: bool | None = None,
    quiet: app_commands.Range[str, 1, LONGEST_QUIET] | None = None,
    zone: app_commands.Range[str, 1, LONGEST_ZONE] | None = None,
    rated: bool | None = None,
    pace: app_commands.Range[str, 1, LONGEST_PACE] | None = None,
) -> None:
    """See or change how matches are played here, and check my permissions."""
    hours, named = parse_quiet_hours(quiet) if quiet else (None, None)
    change = servers.ServerChange(
        pace=parse_pace(pace) if pace else None,
        rated=rated,
        threads=threads,
        single=single,
        quiet=hours,
        # A zone of its own option counts before one that was typed with the hours.
        zone=parse_zone(zone) if zone else named,
        allow=allow.id if allow else None,
        forbid=forbid.id if forbid else None,
        role=who.id if who else None,
    )
    chosen = await servers.update_server(answer.app, answer.guild, change)
    checked = check_start_channels(answer.client, answer.guild, chosen)
    await answer.send(server_settings_card(answer.reader, chosen, checked))


matches.autocomplete("pace")(offer_paces)
matches.autocomplete("zone")(offer_zones)
