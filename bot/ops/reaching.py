"""Checks by REST alone: whether Discord lets the bot do its work, and agrees about the time."""

from collections.abc import AsyncIterator, Callable, Sequence
from email.utils import parsedate_to_datetime
from itertools import groupby
from operator import itemgetter
from types import SimpleNamespace

import aiohttp
import discord

from bot.ops.findings import Finding, make_finding
from bot.platform.direct import NO_SERVER
from bot.platform.i18n.permissions import format_permissions
from bot.platform.i18n.reader import Reader
from bot.platform.ui.failures import FAILURES
from bot.platform.ui.places import list_missing_permissions

REFUSAL_ADVICE = "Discord does not accept TABULA_TOKEN; copy it again from the application's page"

MAX_CLOCK_SKEW_S = 5.0
"""Seconds that a clock may differ from Discord's, of which a part is the way there."""

MatchPlaces = Sequence[tuple[int, int, int]]
"""Servers and channels in which matches go on, each with one of those."""


class ProbeClient(discord.Client):
    """A client that only asks, and notes how far this machine's clock is ahead of Discord's."""

    def __init__(self, clock: Callable[[], int]) -> None:
        trace = aiohttp.TraceConfig()
        trace.on_request_end.append(self._record_clock_skew)
        super().__init__(intents=discord.Intents.none(), http_trace=trace)
        self._clock = clock
        self.ahead_s: float | None = None

    async def _record_clock_skew(
        self, _: aiohttp.ClientSession, __: SimpleNamespace, ended: aiohttp.TraceRequestEndParams
    ) -> None:
        date = ended.response.headers.get("Date")
        if date:
            # Half a second, since Discord leaves the fraction out.
            self.ahead_s = self._clock() / 1000 - parsedate_to_datetime(date).timestamp() - 0.5


async def check_discord(
    token: str, places: MatchPlaces, clock: Callable[[], int]
) -> AsyncIterator[Finding]:
    """Yield what Discord forbids the bot in places with matches, and how far the clock is astray.

    That is the clock of this machine.
    """
    async with ProbeClient(clock) as visitor:
        try:
            await visitor.login(token)
        # Apart from the others, as it has a cause that the operator can remove.
        except discord.LoginFailure:
            yield make_finding(REFUSAL_ADVICE)
        except FAILURES as error:
            yield make_finding(f"Discord cannot be asked: {error}")
        else:
            for guild, here in groupby(places, key=itemgetter(0)):
                for finding in await _check_server(visitor, guild, list(here)):
                    yield finding
        if visitor.ahead_s is not None and abs(visitor.ahead_s) > MAX_CLOCK_SKEW_S:
            way = "ahead of" if visitor.ahead_s > 0 else "behind"
            yield make_finding(
                f"the clock of this machine is {abs(visitor.ahead_s):.0f} s {way} Discord's; "
                "set it by NTP"
            )


async def _check_server(
    visitor: ProbeClient, number: int, places: MatchPlaces
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
            make_finding(
                f"server {number}, where match {match} goes on, cannot be reached: {error}"
            )
        ]
    told = [await _check_channel(guild, me, channel, match) for _, channel, match in places]
    return [finding for finding in told if finding]


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
        return make_finding(f"{where}, cannot be reached: {error}")
    missing = list_missing_permissions(channel, giving.permissions_for(me))
    if not missing:
        return None
    return make_finding(
        f"{where}, does not give the bot the permission "
        f"{format_permissions(Reader.ENGLISH, missing)}"
    )
