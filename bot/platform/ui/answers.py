"""The answer to an interaction, which Discord waits for and keeps open for a while."""

import asyncio
import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

import aiohttp
import discord

from bot.platform.context import App
from bot.platform.i18n.reader import Reader
from bot.platform.people import DiscordPerson
from bot.platform.ui import views
from bot.platform.ui.app_client import AppClient, Interaction, make_person
from bot.platform.ui.card import Card
from bot.platform.ui.channels import ServerChannel
from bot.platform.ui.failures import (
    ALREADY_ACKNOWLEDGED,
    FAILURES,
    UNKNOWN_INTERACTION,
    UNKNOWN_MESSAGE,
    UNREADABLE_ERRORS,
    AnsweredElsewhereError,
    UnansweredError,
    describe_error,
    wrap_failures,
)
from bot.platform.ui.layout import CardPayload, pack_card
from bot.platform.ui.pages import OpenPage

log = logging.getLogger(__name__)

ACKNOWLEDGE_TASK_KEY = "acknowledging"
"""The name under which an interaction keeps the one task that acknowledges it."""
RECEIVED_AT_KEY = "received"
"""The name under which it keeps when it came, by a clock that goes on evenly."""
ACKNOWLEDGE_TIMEOUT_S = 1.4
"""Seconds to wait for an acknowledgement; it can be repeated within Discord's three seconds."""


@dataclass(frozen=True, slots=True)
class InteractionAnswer:
    """The answer to an interaction.

    Discord waits three seconds for the acknowledgement, and a quarter of an hour for what follows
    it. The first answer of any kind acknowledges: mostly that is after the change is saved, and
    earlier only if saving takes long.
    """

    interaction: Interaction
    private: bool = True

    @property
    def client(self) -> AppClient:
        """The client to which it came."""
        return self.interaction.client

    @property
    def app(self) -> App:
        """The program behind the client."""
        return self.interaction.client.app

    @property
    def person(self) -> DiscordPerson:
        """Who asked."""
        return make_person(self.interaction.user)

    @property
    def guild(self) -> int:
        """The server in which it was asked, 0 in direct messages."""
        return self.interaction.guild_id or 0

    @property
    def channel(self) -> int:
        """The channel or thread in which it was asked."""
        return self.interaction.channel_id or 0

    @property
    def reader(self) -> Reader:
        """Who reads: the one who asked, or the server where everyone sees the answer."""
        if self.private:
            return self.client.get_reader(self.interaction.locale)
        return self.public_reader

    @property
    def public_reader(self) -> Reader:
        """Who reads what everyone sees: the server; the one who asked where there is none."""
        return self.client.get_reader(self.interaction.guild_locale or self.interaction.locale)

    @property
    def is_component(self) -> bool:
        """Whether a button or menu was used, rather than a command."""
        return self.interaction.type is discord.InteractionType.component

    async def acknowledge(self) -> None:
        """Acknowledge the interaction to Discord once, however often this is called.

        Raises UnansweredError if it is too late for that, AnsweredElsewhereError if another program
        has answered.
        """
        extras = self.interaction.extras
        if ACKNOWLEDGE_TASK_KEY not in extras:
            extras[ACKNOWLEDGE_TASK_KEY] = asyncio.create_task(self._acknowledge_once())
        with wrap_failures():
            # Whoever stops waiting does not stop it.
            await asyncio.shield(extras[ACKNOWLEDGE_TASK_KEY])

    async def _acknowledge_once(self) -> None:
        await self._defer_or_find_deferred()
        took = time.monotonic() - self.interaction.extras[RECEIVED_AT_KEY]
        self.interaction.client.app.measures.record_acknowledgement(took)

    async def _defer_or_find_deferred(self) -> None:
        exchanges = self.interaction.client.exchanges
        try:
            await self._defer_in_time()
        except (*FAILURES, *UNREADABLE_ERRORS) as error:
            code = getattr(error, "code", 0)
            # It is too late, and another attempt would be later still.
            if code == UNKNOWN_INTERACTION:
                raise
            if code != ALREADY_ACKNOWLEDGED:
                exchanges.mark_unsure(self.interaction.id)
                log.warning(
                    "acknowledging interaction %s again: %s",
                    self.interaction.id,
                    describe_error(error),
                )
                await self._defer_again()
            # No attempt of ours can have arrived, so it was somebody else's.
            elif not exchanges.may_have_arrived(self.interaction.id):
                raise AnsweredElsewhereError("another program has answered it") from error

    async def _defer_in_time(self) -> None:
        """Acknowledge; raises TimeoutError where Discord says nothing for so long."""
        asking = asyncio.create_task(self._defer())
        await asyncio.wait((asking,), timeout=ACKNOWLEDGE_TIMEOUT_S)
        if self.interaction.client.exchanges.is_awaiting(self.interaction.id):
            # At no other moment: cancelled between two of its own tries, discord.py would allow no
            # more.
            asking.cancel()
        await asyncio.wait((asking,))
        if asking.cancelled():
            raise TimeoutError(f"Discord has not answered for {ACKNOWLEDGE_TIMEOUT_S} s")
        asking.result()

    async def _defer_again(self) -> None:
        """Ask once more; Discord may have received the first, and says so, however late."""
        try:
            await self._defer()
        except discord.HTTPException as error:
            if error.code != ALREADY_ACKNOWLEDGED:
                raise

    async def _defer(self) -> None:
        if self.is_component:
            await self.interaction.response.defer()
        else:
            # An ephemeral placeholder, even if the answer is for everyone: a refusal never is.
            await self.interaction.response.defer(ephemeral=True, thinking=True)

    async def send(self, card: Card) -> None:
        """Say something in answer: to the one who asked alone, or to everyone in the channel."""
        await self.acknowledge()
        if self.private:
            packed = await self.pack_card(card)
            with wrap_failures():
                await self.interaction.followup.send(
                    view=packed.layout, files=packed.files, ephemeral=True
                )
            return
        await self._get_channel().post(card, f"answer to {self.interaction.id}")
        await self.finish()

    async def send_editable(self, card: Card) -> "EphemeralMessage":
        """Say something to the one who asked alone, to be changed later."""
        await self.acknowledge()
        packed = await self.pack_card(card)
        with wrap_failures():
            # `wait` makes discord.py return the message, without which it cannot be changed later.
            message = await self.interaction.followup.send(
                view=packed.layout, files=packed.files, ephemeral=True, wait=True
            )
        return EphemeralMessage(self, message)

    async def send_page(self, name: str, card: Card) -> None:
        """Answer with a page that can be turned; the copy opened before loses its controls."""
        client, person = self.interaction.client, self.interaction.user.id
        if self.private:
            told = await self.send_editable(card)
            await client.pages.add(person, name, OpenPage(told.message.id, card, told.edit))
            return
        await self.acknowledge()
        channel = self._get_channel()
        message = await channel.post(card, f"answer to {self.interaction.id}")
        await self.finish()
        change = partial(channel.edit, message)
        await client.pages.add(person, name, OpenPage(message, card, change))

    async def turn_page(self, name: str, card: Card) -> None:
        """Show another page in the message with the button or menu."""
        await self.edit_message(card)
        interaction = self.interaction
        # A client may send a form that belongs to no message, with the id of one of our buttons.
        if interaction.message is not None:
            page = OpenPage(interaction.message.id, card, self.edit_message)
            await interaction.client.pages.add(interaction.user.id, name, page)

    def _get_channel(self) -> ServerChannel:
        interaction = self.interaction
        return ServerChannel(
            interaction.client, interaction.guild_id or 0, interaction.channel_id or 0
        )

    async def edit_message(self, card: Card) -> None:
        """Change the message with the button or menu."""
        await self.acknowledge()
        packed = await self.pack_card(card)
        with wrap_failures():
            await self.interaction.edit_original_response(**packed.build_edit())

    async def load_message(self) -> discord.Message:
        """Return the message with the button or menu as it is now; it may have changed since."""
        # Before that Discord knows of no message to the interaction.
        await self.acknowledge()
        with wrap_failures():
            return await self.interaction.original_response()

    async def finish(self) -> None:
        """Remove the placeholder of a command whose result shows in the channel."""
        with log_answer_failures(self.interaction):
            await self.acknowledge()
            if self.is_component:
                return
            try:
                await self.interaction.delete_original_response()
            except (aiohttp.ClientError, OSError):
                # Nobody else would take it away.
                await self.interaction.delete_original_response()
            except discord.NotFound as error:
                # discord.py or aiohttp asked twice, and Discord removed it the first time.
                if error.code != UNKNOWN_MESSAGE:
                    raise

    async def finish_in(self, channel: int, elsewhere: Card) -> None:
        """End an answer whose result shows in a channel; users in other channels get a link."""
        if self.interaction.channel_id == channel:
            await self.finish()
            return
        with log_answer_failures(self.interaction):
            await self.send(elsewhere)

    async def pack_card(self, card: Card) -> CardPayload:
        """Make a card ready for the reader of this answer."""
        scope, owner = views.SERVER, self.interaction.guild_id or 0
        if self.private:
            scope, owner = views.PERSON, self.interaction.user.id
        return await pack_card(self.app, card, scope, owner)


@dataclass(frozen=True, slots=True)
class EphemeralMessage:
    """A private answer, which can be edited for a quarter of an hour."""

    answer: InteractionAnswer
    message: discord.WebhookMessage

    async def edit(self, card: Card) -> None:
        """Say something else in its place."""
        packed = await self.answer.pack_card(card)
        with wrap_failures():
            await self.message.edit(**packed.build_edit())


@contextmanager
def log_answer_failures(interaction: Interaction) -> Iterator[None]:
    """End an answer whose action is saved: a failure now must not look as if nothing was done."""
    try:
        yield
    except (*FAILURES, UnansweredError) as error:
        log.warning(
            "interaction %s was handled, but its response could not be completed: %s",
            interaction.id,
            describe_error(error),
        )
