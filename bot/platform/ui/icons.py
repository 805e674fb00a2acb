"""Icons of ours on buttons: emoji of the application, which every server shows.

They are uploaded after login and found again by their names, which change with the pictures.
Without them a button has another emoji or none, so nothing waits for them.
"""

import asyncio
import json
import logging
import math
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TypeVar

import discord
from discord import SelectOption
from discord.emoji import Emoji

from bot.platform.context import NO_SERVER
from bot.platform.db.errors import StoreError
from bot.platform.ui import app_client
from bot.platform.ui.app_client import AppClient
from bot.platform.ui.card import Item
from render.icons import load_icons

log = logging.getLogger(__name__)

PREFIX = "tabula_"
"""How the names of our emoji begin. All others of the application are somebody else's."""
RETRY_S, MAX_RETRY_S = 300.0, 3600.0
"""Seconds until a failed upload is tried again: at first, and at most."""
LIST_INTERVAL_S = 60.0
"""Seconds between two lists of the emoji, should Discord go on to refuse one that is there."""

_Sent = TypeVar("_Sent")


@dataclass(frozen=True, slots=True)
class ShownIcon:
    """How Discord knows an icon."""

    name: str
    id: int


NO_ICONS: Mapping[str, ShownIcon] = MappingProxyType({})


@dataclass(slots=True)
class IconSet:
    """The icons that Discord has, by their own names: all of them, or none."""

    shown: Mapping[str, ShownIcon] = field(default_factory=lambda: NO_ICONS)
    uploading: asyncio.Task[None] | None = None
    listed_s: float = -math.inf


class IconEmoji(discord.PartialEmoji):
    """An icon on a button or an entry of a menu, and the emoji in its place without icons."""

    __slots__ = ("fallback", "icon")

    def __init__(self, icon: str, fallback: str = "") -> None:
        super().__init__(name=fallback)
        self.icon = icon
        self.fallback = fallback

    def choose(self, shown: Mapping[str, ShownIcon]) -> "IconEmoji | None":
        """Become the icon, or else what stands in its place; return None where that is nothing."""
        found = shown.get(self.icon)
        self.name, self.id = (found.name, found.id) if found else (self.fallback, None)
        return self if self.name else None


def show_icons(controls: Iterable[Item], shown: Mapping[str, ShownIcon]) -> None:
    """Let buttons and menus have their icons as far as there are any."""
    for holder, emoji in _find_icons(controls):
        holder.emoji = emoji.choose(shown)


def _find_icons(
    controls: Iterable[Item],
) -> Iterator[tuple[discord.ui.Button[discord.ui.LayoutView] | SelectOption, IconEmoji]]:
    for control in controls:
        holders = control.options if isinstance(control, discord.ui.Select) else [control]
        for holder in holders:
            if isinstance(holder, discord.ui.Button | SelectOption) and isinstance(
                holder.emoji, IconEmoji
            ):
                yield holder, holder.emoji


async def send_with_icons(
    client: AppClient, layout: discord.ui.LayoutView, send: Callable[[], Awaitable[_Sent]]
) -> _Sent:
    """Send a layout; where Discord refuses one of its emoji, send it again without icons.

    Somebody may have deleted one, and now and then Discord refuses one that is there: source,
    discord/discord-api-docs#7128.
    """
    try:
        return await send()
    except discord.HTTPException as error:
        items = list(layout.walk_children())
        if not app_client.is_emoji_refused(error) or not any(
            each.id for _, each in _find_icons(items)
        ):
            raise
        log.info("Discord refused an icon: %s", app_client.describe_error(error))
        show_icons(items, NO_ICONS)
        start_upload(client)
    return await send()


async def load_noted_icons(client: AppClient) -> None:
    """Show the icons that were there when they were last listed, by whichever process."""
    known = client.app.get_part(IconSet)
    known.shown = await _choose_shown(await _load_note(client))


async def _load_note(client: AppClient) -> dict[str, int]:
    noted = await client.app.store.metadata.load_value(_name_note(client))
    return json.loads(noted) if noted else {}


def _name_note(client: AppClient) -> str:
    return f"emoji of {client.application_id}"


async def _choose_shown(ids: Mapping[str, int]) -> Mapping[str, ShownIcon]:
    """Return all icons by their own names; none where Discord lacks one, so that they go together.

    `ids` are those of the application's emoji, by their names.
    """
    names = await _name_icons()
    if any(name not in ids for name in names.values()):
        return NO_ICONS
    return {icon: ShownIcon(name, ids[name]) for icon, name in names.items()}


async def _name_icons() -> dict[str, str]:
    """Return the names of the emoji by those of the icons."""
    icons = await asyncio.to_thread(load_icons)
    return {name: f"{PREFIX}{name}_{icon.digest}" for name, icon in icons.items()}


def upload_after_login(client: AppClient) -> None:
    """Upload the icons where none were listed yet; of several processes one does.

    That is the one that direct messages come to.
    """
    if client.app.shards.has_server(NO_SERVER):
        start_upload(client, is_start=client.app.get_part(IconSet).listed_s == -math.inf)


def stop_upload(client: AppClient) -> None:
    """Leave the rest of the icons to the next start."""
    if uploading := client.app.get_part(IconSet).uploading:
        uploading.cancel()


def start_upload(client: AppClient, *, is_start: bool = False) -> None:
    """List the application's emoji and upload the icons that it lacks, in the background.

    Those of earlier versions are only removed as the program starts: an older one may run beside
    it for a while, and would put its own back.
    """
    known = client.app.get_part(IconSet)
    now = time.monotonic()
    if (known.uploading and not known.uploading.done()) or now < known.listed_s + LIST_INTERVAL_S:
        return
    known.listed_s = now
    known.uploading = asyncio.create_task(upload_until_done(client, removes_old=is_start))


async def upload_until_done(client: AppClient, *, removes_old: bool) -> None:
    """Bring the application's emoji up to date, if need be by trying again later and later."""
    pause_s = RETRY_S
    while True:
        try:
            await _upload_icons(client, removes_old=removes_old)
        except (*app_client.FAILURES, *app_client.UNREADABLE_ERRORS, StoreError) as error:
            if pause_s == RETRY_S:
                log.warning("buttons have no icons for now: %s", app_client.describe_error(error))
        else:
            return
        await asyncio.sleep(pause_s)
        pause_s = min(2 * pause_s, MAX_RETRY_S)


async def _upload_icons(client: AppClient, *, removes_old: bool) -> None:
    listed = await client.fetch_application_emojis()
    ids = {each.name: each.id for each in listed if each.name.startswith(PREFIX)}
    await _note_icons(client, ids)
    icons = await asyncio.to_thread(load_icons)
    names = await _name_icons()
    missing = [icon for icon, name in names.items() if name not in ids]
    for icon in missing:
        created = await client.create_application_emoji(name=names[icon], image=icons[icon].content)
        ids[created.name] = created.id
    if missing:
        log.info("uploaded %d icons", len(missing))
        await _note_icons(client, ids)
    if removes_old:
        await _remove_old(
            each for each in listed if each.name in ids and each.name not in names.values()
        )


async def _note_icons(client: AppClient, ids: Mapping[str, int]) -> None:
    client.app.get_part(IconSet).shown = await _choose_shown(ids)
    if await _load_note(client) != ids:
        await client.app.store.metadata.save(_name_note(client), json.dumps(ids))


async def _remove_old(emoji: Iterable[Emoji]) -> None:
    for each in emoji:
        try:
            await each.delete()
        except discord.NotFound:
            log.info("the emoji %s is already gone", each.name)
