"""What other features add to a server's settings."""

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias

from bot.platform.context import App
from bot.platform.features import ExtensionPoint
from bot.store import Job

ZoneJobs: TypeAlias = Callable[[int, int], Job]
ChannelLoader: TypeAlias = Callable[[App, int], Awaitable[Sequence[int]]]

ZONE_JOBS: ExtensionPoint[ZoneJobs] = ExtensionPoint()
"""What is to be done when a server's time zone has changed, given its id and the present time."""
CHECKED_CHANNELS: ExtensionPoint[ChannelLoader] = ExtensionPoint()
"""The channels in which something is posted besides those where matches start."""
