"""The answer to an interaction, which Discord waits for and keeps open for a while."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeAlias

import aiohttp
import discord

from bot.platform.context import NO_SERVER, App
from bot.platform.db.preferences import PERSON_STYLE, SERVER_STYLE
from bot.platform.db.rows import QueuedJob
from bot.platform.i18n.reader import Reader
from bot.platform.lines import Asker
from bot.platform.people import DiscordPerson
from bot.platform.ui import app_client as failures
from bot.platform.ui.app_client import AppClient, Interaction, OpenPage, build_asker, build_person
from bot.platform.ui.card import Card, text_only_card
from bot.platform.ui.channels import ServerChannel, require_may_write
from bot.platform.ui.icons import send_with_icons
from bot.platform.ui.layout import CardPayload, pack_card

log = logging.getLogger(__name__)

FIRST_ANSWER_KEY = "first answer"
"""The name under which an interaction keeps the one task that answers it first."""
RECEIVED_AT_KEY = "received"
"""The name under which it keeps when it came, by a clock that goes on evenly."""
OLD_S = 2.5
"""Seconds after which it is made sure that Discord still takes an answer, before work is begun."""
FIRST_ANSWER_TIMEOUT_S = 1.4
"""Seconds to wait until the first answer is taken; within Discord's three it can be repeated."""

SendAnswer: TypeAlias = Callable[[], Awaitable[Any]]
"""Sends the first answer to an interaction; it may be called twice."""


@dataclass(frozen=True, slots=True)
class InteractionAnswer:
    """The answer to an interaction.

    Discord waits three seconds for the first answer, and a quarter of an hour for what follows it.
    What is said or changed is itself the first answer, after the change is saved. Only where that
    takes long is an interaction acknowledged before, without anything to read.
    """

    interaction: Interaction
    private: bool = True
    edits_public: bool = False
    """Whether the pressed message may be changed though everyone sees it."""

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
        return build_person(self.interaction.user)

    @property
    def asker(self) -> Asker:
        """Who asked, and where, to wait in line for what is costly."""
        return build_asker(self.interaction)

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
            return self.client.get_asker_reader(self.interaction)
        return self.public_reader

    @property
    def public_reader(self) -> Reader:
        """Who reads what everyone sees: the server; the one who asked where there is none."""
        if self.guild == NO_SERVER:
            return self.client.get_asker_reader(self.interaction)
        # Where the bot is no member, Discord names the server's language with the interaction.
        return self.client.get_server_reader(self.guild, self.interaction.guild_locale)

    @property
    def cause(self) -> str:
        """What an action is applied for, at most once: the interaction."""
        return str(self.interaction.id)

    def begin_jobs(self, jobs: Sequence[QueuedJob]) -> None:
        """Begin jobs that show the result, with this answer in hand."""
        self.client.runner.schedule_jobs(jobs, answer=self)

    @property
    def is_component(self) -> bool:
        """Whether a button or menu was used, or the form that one opened, rather than a command."""
        # A client may send a form that belongs to no message, with the id of one of our buttons.
        is_form = self.interaction.type is discord.InteractionType.modal_submit
        return self.interaction.type is discord.InteractionType.component or (
            is_form and self.interaction.message is not None
        )

    @property
    def is_private_message(self) -> bool:
        """Whether the button or menu is that of a message that one person alone sees."""
        message = self.interaction.message
        return self.is_component and message is not None and message.flags.ephemeral

    @property
    def may_edit_message(self) -> bool:
        """Whether the pressed message may be changed.

        A message that everyone sees may be where the press declares it, which is refused before
        unless the message shows the control.
        """
        if not self.is_component or self.interaction.message is None:
            return False
        return self.is_private_message or self.edits_public

    async def acknowledge(self) -> None:
        """Make sure that the interaction is answered, without anything to read if it was not yet.

        Raises UnansweredError if it is too late for that, AnsweredElsewhereError if another program
        has answered.
        """
        await self._answer_first(self._defer)

    async def require_accepted(self) -> None:
        """Raise UnansweredError where Discord takes no answer any more, so that nobody is served.

        The person has read that there was no answer, and asks again.
        """
        first: asyncio.Task[bool] | None = self.interaction.extras.get(FIRST_ANSWER_KEY)
        age_s = time.monotonic() - self.interaction.extras[RECEIVED_AT_KEY]
        if age_s > OLD_S or (first is not None and first.done()):
            await self.acknowledge()

    @property
    def is_acknowledged(self) -> bool:
        """Whether a first answer is sent, or on its way."""
        return FIRST_ANSWER_KEY in self.interaction.extras

    async def _answer_first(self, send: SendAnswer) -> bool:
        """Send the first answer, and return whether Discord has taken what is in it.

        Return False where the interaction was answered before, by whatever, or where Discord
        refuses what is in it; then the interaction is acknowledged all the same.
        """
        extras = self.interaction.extras
        is_first = not self.is_acknowledged
        if is_first:
            extras[FIRST_ANSWER_KEY] = asyncio.create_task(self._measure_first_answer(send))
        with failures.wrap_failures():
            # A cancelled waiter doesn't stop it.
            taken: bool = await asyncio.shield(extras[FIRST_ANSWER_KEY])
        return taken and is_first

    async def _measure_first_answer(self, send: SendAnswer) -> bool:
        taken = await self._send_or_find_answer(send)
        took = time.monotonic() - self.interaction.extras[RECEIVED_AT_KEY]
        self.interaction.client.app.measures.record_acknowledgement(took)
        return taken

    async def _send_or_find_answer(self, send: SendAnswer) -> bool:
        exchanges = self.interaction.client.exchanges
        try:
            await self._send_in_time(send)
        except (*failures.FAILURES, *failures.UNREADABLE_ERRORS) as error:
            code = getattr(error, "code", 0)
            # It is too late, and another attempt would be later still.
            if code == failures.UNKNOWN_INTERACTION:
                raise
            if code == failures.ALREADY_ACKNOWLEDGED:
                # No attempt of ours can have arrived, so it was somebody else's.
                if not exchanges.may_have_arrived(self.interaction.id):
                    raise failures.AnsweredElsewhereError(
                        "another program has answered it"
                    ) from error
                return True
            # A message that was deleted, a picture that is too large: without it there is still
            # time.
            is_refused = failures.is_content_refused(error)
            exchanges.mark_unsure(self.interaction.id)
            log.warning(
                "answering interaction %s again%s: %s",
                self.interaction.id,
                ", without its content" if is_refused else "",
                failures.describe_error(error),
            )
            await self._send_again(self._defer if is_refused else send)
            return not is_refused
        return True

    async def _send_in_time(self, send: SendAnswer) -> None:
        """Send an answer; raises TimeoutError where Discord says nothing for so long."""
        asking = asyncio.ensure_future(send())
        await asyncio.wait((asking,), timeout=FIRST_ANSWER_TIMEOUT_S)
        if self.interaction.client.exchanges.is_awaiting(self.interaction.id):
            # At no other moment: cancelled between two of its own tries, discord.py would allow no
            # more.
            asking.cancel()
        await asyncio.wait((asking,))
        if asking.cancelled():
            raise TimeoutError(f"Discord has not answered for {FIRST_ANSWER_TIMEOUT_S} s")
        asking.result()

    @staticmethod
    async def _send_again(send: SendAnswer) -> None:
        """Send once more; Discord may have received the first, and says so, however late."""
        try:
            await send()
        except discord.HTTPException as error:
            if error.code != failures.ALREADY_ACKNOWLEDGED:
                raise

    async def _defer(self) -> None:
        if self.is_component:
            await self.interaction.response.defer()
        else:
            # An ephemeral placeholder, even if the answer is for everyone: a refusal never is.
            await self.interaction.response.defer(ephemeral=True, thinking=True)

    async def send(self, card: Card) -> None:
        """Say something in answer: to the one who asked alone, or to everyone in the channel.

        Raises DeclinedError for a public answer where the person may not write.
        """
        if self.private:
            await self.send_editable(card)
            return
        require_may_write(self.interaction)
        await self.acknowledge()
        await self._get_channel().post(card, f"answer to {self.interaction.id}")
        await self.finish()

    async def confirm(self, *texts: str) -> None:
        """Say what is done by now, which a failure to say it must not put in doubt."""
        with log_answer_failures(self.interaction):
            await self.send(text_only_card(*texts))

    async def send_editable(self, card: Card) -> "EphemeralMessage":
        """Say something to the one who asked alone, to be changed later."""
        packed = await self.pack_card(card)
        response, followup = self.interaction.response, self.interaction.followup

        first: list[int | None] = []

        async def send() -> None:
            sent = await response.send_message(
                view=packed.layout, files=packed.open_files(), ephemeral=True
            )
            first.append(sent.message_id)

        async def follow() -> discord.WebhookMessage:
            # `wait` makes discord.py return the message, without which it cannot be changed later.
            return await followup.send(
                view=packed.layout, files=packed.open_files(), ephemeral=True, wait=True
            )

        if await self._answer_first(partial(send_with_icons, self.client, packed.layout, send)):
            return EphemeralMessage(self, next(iter(first), None))
        with failures.wrap_failures():
            message = await send_with_icons(self.client, packed.layout, follow)
        return EphemeralMessage(self, message.id, message)

    async def send_page(self, name: str, card: Card) -> None:
        """Answer with a page that can be turned; the copy opened before loses its controls."""
        client, person = self.interaction.client, self.interaction.user.id
        if self.private:
            sent_card = await self.send_editable(card)
            await client.pages.add(
                person, name, OpenPage(await sent_card.find_id(), card, sent_card.edit)
            )
            return
        require_may_write(self.interaction)
        await self.acknowledge()
        channel = self._get_channel()
        message = await channel.post(card, f"answer to {self.interaction.id}")
        await self.finish()
        change = partial(channel.edit, message)
        await client.pages.add(person, name, OpenPage(message, card, change))

    async def turn_page(self, name: str, card: Card) -> None:
        """Show another page in the message with the button or menu, or in a private one."""
        interaction = self.interaction
        if interaction.message is None or not self.may_edit_message:
            await replace(self, private=True).send_page(name, card)
            return
        await self.edit_message(card)
        page = OpenPage(interaction.message.id, card, self.edit_message)
        await interaction.client.pages.add(interaction.user.id, name, page)

    def _get_channel(self) -> ServerChannel:
        interaction = self.interaction
        return ServerChannel(
            interaction.client, interaction.guild_id or 0, interaction.channel_id or 0
        )

    async def edit_message(self, card: Card) -> None:
        """Change the message with the button or menu; where it may not be, answer privately."""
        if not self.may_edit_message:
            await replace(self, private=True).send_editable(card)
            return
        if await self.respond_by_edit(card):
            return
        await self.change_first_answer(await self.pack_card(card))

    async def change_first_answer(self, packed: CardPayload) -> None:
        """Change the message that was the first answer, or has the button or menu."""
        edit = self.interaction.edit_original_response
        with failures.wrap_failures():
            await send_with_icons(self.client, packed.layout, lambda: edit(**packed.build_edit()))

    async def respond_by_edit(self, card: Card, *, public: bool = False) -> bool:
        """Change the message with the button or menu by the first answer, and return True.

        Return False where that is not possible: the interaction is acknowledged already, the
        message may not be changed, or Discord refuses the card. A `public` card is made ready for
        everyone.
        """
        if self.is_acknowledged or not self.may_edit_message:
            await self.acknowledge()
            return False
        packed = await (replace(self, private=False) if public else self).pack_card(card)
        edit = self.interaction.response.edit_message
        return await self._answer_first(
            lambda: send_with_icons(self.client, packed.layout, lambda: edit(**packed.build_edit()))
        )

    async def load_message(self) -> discord.Message:
        """Return the message with the button or menu as it is now; it may have changed since."""
        # Before that Discord knows of no message to the interaction.
        await self.acknowledge()
        with failures.wrap_failures():
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
                if error.code != failures.UNKNOWN_MESSAGE:
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
        scope, owner = SERVER_STYLE, self.guild
        # A direct message is for one person.
        if self.private or self.guild == NO_SERVER:
            scope, owner = PERSON_STYLE, self.interaction.user.id
        return await pack_card(self.app, card, scope, owner)


@dataclass(frozen=True, slots=True)
class EphemeralMessage:
    """A private answer, which can be edited for a quarter of an hour.

    `id` is None where Discord did not say it, `message` where it was the first answer.
    """

    answer: InteractionAnswer
    id: int | None
    message: discord.WebhookMessage | None = None

    async def edit(self, card: Card) -> None:
        """Say something else in its place."""
        packed = await self.answer.pack_card(card)
        if self.message is None:
            await self.answer.change_first_answer(packed)
            return
        edit = self.message.edit
        with failures.wrap_failures():
            await send_with_icons(
                self.answer.client, packed.layout, lambda: edit(**packed.build_edit())
            )

    async def delete(self) -> None:
        """Remove it."""
        with failures.wrap_failures():
            if self.message:
                await self.message.delete()
            else:
                await self.answer.interaction.delete_original_response()

    async def find_id(self) -> int:
        """Return the message's id, if need be by asking Discord."""
        if self.id is not None:
            return self.id
        with failures.wrap_failures():
            return (await self.answer.interaction.original_response()).id


@contextmanager
def log_answer_failures(interaction: Interaction) -> Iterator[None]:
    """End an answer whose action is saved: a failure now must not look as if nothing was done."""
    try:
        yield
    except (*failures.FAILURES, failures.UnansweredError) as error:
        log.warning(
            "interaction %s was handled, but its response could not be completed: %s",
            interaction.id,
            failures.describe_error(error),
        )
