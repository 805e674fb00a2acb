"""Channels, threads and direct messages, in which messages of ours are posted and edited."""

import hashlib
import logging
from dataclasses import dataclass

import discord

from bot.platform.context import App
from bot.platform.direct import DirectReader, DirectReaders
from bot.platform.i18n.reader import Reader
from bot.platform.people import is_pseudonym
from bot.platform.quiet_hours import find_quiet_end
from bot.platform.time_zones import find_zone_or_utc
from bot.platform.ui import views
from bot.platform.ui.app_client import AppClient
from bot.platform.ui.card import Card
from bot.platform.ui.failures import UNKNOWN_MESSAGE, require_error_code
from bot.platform.ui.layout import CardPayload, list_control_ids, pack_card
from bot.store import ServerSettings

log = logging.getLogger(__name__)

# 24 characters in hexadecimal; Discord takes nonces of 25 at most.
NONCE_BYTES = 12


def build_mentions(card: Card) -> discord.AllowedMentions:
    """Whom a card may notify."""
    # Discord refuses a message that would notify an id which is none.
    if card.ping is None or is_pseudonym(card.ping):
        return discord.AllowedMentions.none()
    return discord.AllowedMentions(everyone=False, roles=False, users=[discord.Object(card.ping)])


@dataclass(slots=True)
class ServerChannel:
    """A channel or thread of a server, in which everyone sees what is posted.

    Somebody's direct messages with the bot are one as well, of no server.

    The server's choices, and whether its quiet hours hold, are read once, so what is posted agrees
    with what follows.
    """

    client: AppClient
    guild: int
    id: int
    _chosen: ServerSettings | None = None
    _quiet: int | None = None

    @property
    def reader(self) -> Reader:
        """Who reads here: the server, in its language, or whose direct messages these are."""
        if direct := self._find_direct_reader():
            return self.client.get_reader(direct.locale)
        return self.client.get_server_reader(self.guild)

    def _find_direct_reader(self) -> DirectReader | None:
        return self.client.app.get_part(DirectReaders).find(self.guild, self.id)

    async def _pack(self, card: Card) -> CardPayload:
        """Make a card ready for those who read here."""
        direct = self._find_direct_reader()
        if direct:
            return await pack_card(self.client.app, card, views.PERSON, direct.person)
        return await pack_card(self.client.app, card, views.SERVER, self.guild)

    async def load_server(self) -> ServerSettings:
        """Return what the server chose."""
        if self._chosen is None:
            app = self.client.app
            self._chosen = await app.store.servers.get(self.guild)
            self._quiet = find_quiet_end(
                self._chosen.quiet, find_zone_or_utc(self._chosen.zone), app.clock()
            )
        return self._chosen

    async def load_quiet_end(self) -> int | None:
        """Return when the server's present quiet hours end; None outside quiet hours."""
        await self.load_server()
        return self._quiet

    async def post(self, card: Card, name: str) -> int:
        """Post a card and return the message's id; `name` makes sure that it is posted only once.

        So it may be tried any number of times. In the server's quiet hours it notifies nobody,
        neither those whom it calls nor those who want all notifications.

        Raises discord.HTTPException, or what a broken connection raises, if it cannot be posted.
        """
        try:
            return await self._post_once(card, name)
        except discord.NotFound as error:
            if error.code != UNKNOWN_MESSAGE:
                raise
        # Discord remembers the name of a message that was deleted since, and posts nothing under
        # it.
        return await self.post(card, f"{name} again")

    async def _post_once(self, card: Card, name: str) -> int:
        packed = await self._pack(card)
        quiet = await self.load_quiet_end() is not None
        messages = self.client.get_partial_messageable(self.id)
        message = await messages.send(
            view=packed.layout,
            files=packed.open_files(),
            nonce=_make_nonce(self.client.app, name),
            allowed_mentions=discord.AllowedMentions.none() if quiet else build_mentions(card),
            silent=quiet,
        )
        # For a known nonce Discord returns the message from before, which may show an earlier
        # state.
        if list_control_ids(message) != list_control_ids(packed.layout):
            await self.edit(message.id, card)
        return message.id

    async def edit(self, message: int, card: Card) -> None:
        """Change a message of ours.

        A card that keeps its picture uploads nothing; a card without a picture loses it.
        """
        packed = await self._pack(card)
        partial = self.client.get_partial_messageable(self.id).get_partial_message(message)
        # Messages of earlier versions had text beside their components, which is no longer allowed.
        await partial.edit(content=None, **packed.build_edit())


def _make_nonce(app: App, name: str) -> str:
    """Return the nonce of a post: a nonce used minutes ago returns the existing message."""
    # What was posted under that name before a backup was restored is not meant.
    mark = app.lineage.mark
    named = f"{mark} {name}" if mark else name
    return hashlib.blake2b(named.encode(), digest_size=NONCE_BYTES).hexdigest()


@dataclass(frozen=True, slots=True)
class DirectMessages:
    """Somebody's direct messages. They may have closed them, so nothing may depend on these."""

    client: AppClient
    person: int

    async def post(self, card: Card, name: str) -> None:
        """Send a card; `name` makes sure that it is sent once, however often it is tried.

        Raises discord.HTTPException, or what a broken connection raises, if it cannot be sent.
        """
        channel = await self.client.create_dm(discord.Object(self.person))
        app = self.client.app
        packed = await pack_card(app, card, views.PERSON, self.person)
        await channel.send(
            view=packed.layout, files=packed.open_files(), nonce=_make_nonce(app, name)
        )


async def delete_message(client: AppClient, channel: int, message: int) -> None:
    """Delete a message of ours, which somebody may have deleted before."""
    try:
        await client.get_partial_messageable(channel).get_partial_message(message).delete()
    except discord.NotFound as error:
        require_error_code(error)
        log.info("message %s is already gone", message)


async def pin_message(client: AppClient, guild: int, channel: int, message: int) -> None:
    """Pin a message of ours where that is allowed; what it shows works without."""
    server = client.get_guild(guild)
    where = server.get_channel_or_thread(channel) if server else None
    if server is None or where is None or not where.permissions_for(server.me).pin_messages:
        return
    try:
        await client.get_partial_messageable(channel).get_partial_message(message).pin()
    except discord.HTTPException as error:
        log.info("could not pin message %d: %s", message, error)
