"""Checks by REST alone: whether Discord lets the bot do its work, and agrees about the time."""

from collections.abc import AsyncIterator, Callable, Sequence
from itertools import groupby
from operator import itemgetter

import discord

from bot.ops.findings import Finding, build_finding
from bot.platform.context import NO_SERVER
from bot.platform.i18n.common import format_permissions
from bot.platform.i18n.reader import Reader
from bot.platform.ui.app_client import FAILURES, RequestTracker, format_skew
from bot.platform.ui.channels import build_invitation, list_missing_permissions

REFUSAL_ADVICE = "Discord does not accept TABULA_TOKEN; copy it again from the application's page"

MAX_CLOCK_SKEW_S = 5.0
"""Seconds that a clock may differ from Discord's, of which a part is the way there."""

MatchPlaces = Sequence[tuple[int, int, int]]
"""Servers and channels in which matches go on, each with one of those."""


async def check_discord(
    token: str, places: MatchPlaces, clock: Callable[[], int], tell: Callable[[str], None]
) -> AsyncIterator[Finding]:
    """Yield what Discord forbids the bot in places with matches, and how far the clock is astray.

    That is the clock of this machine. How a server invites the bot is told.
    """
    tracker = RequestTracker(now=clock)
    intents = discord.Intents.none()
    async with discord.Client(intents=intents, http_trace=tracker.trace) as visitor:
        try:
            await visitor.login(token)
        # Apart from the others, as it has a cause that the operator can remove.
        except discord.LoginFailure:
            yield build_finding(REFUSAL_ADVICE)
        except FAILURES as error:
            yield build_finding(f"Discord cannot be asked: {error}")
        else:
            assert visitor.application_id is not None
            tell(f"Servers invite the bot with {build_invitation(visitor.application_id)}")
            for guild, here in groupby(places, key=itemgetter(0)):
                for finding in await _check_server(visitor, guild, list(here)):
                    yield finding
        skew_s = tracker.find_skew_s()
        if skew_s is not None and abs(skew_s) > MAX_CLOCK_SKEW_S:
            yield build_finding(f"{format_skew(skew_s)}; set it by NTP")


async def _check_server(
    visitor: discord.Client, number: int, places: MatchPlaces
) -> Sequence[Finding]:
    assert visitor.user is not None
    # In direct messages nobody gives permissions.
    if number == NO_SERVER:
        return []
    try:
        guild = await visitor.fetch_guild(number, with_counts=False)
        me = await guild.fetch_member(visitor.user.id)
    except FAILURES as error:
        *_, match = places[0]
        return [
            build_finding(
                f"server {number}, where match {match} goes on, cannot be reached: {error}"
            )
        ]
    findings = [await _check_channel(guild, me, channel, match) for _, channel, match in places]
    return [finding for finding in findings if finding]


async def _check_channel(
    guild: discord.Guild, me: discord.Member, number: int, match: int
) -> Finding | None:
    where = f"channel {number} of server {guild.id}, where match {match} goes on"
    try:
        channel = await guild.fetch_channel(number)
        # A thread gives what its channel gives.
        giving = (
            await guild.fetch_channel(channel.parent_id)
            if isinstance(channel, discord.Thread)
            else channel
        )
    except FAILURES as error:
        return build_finding(f"{where}, cannot be reached: {error}")
    missing = list_missing_permissions(channel, giving.permissions_for(me))
    if not missing:
        return None
    return build_finding(
        f"{where}, does not give the bot the permission "
        f"{format_permissions(Reader.ENGLISH, missing)}"
    )
