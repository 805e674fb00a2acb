"""People who act: slash commands, autocomplete, clicks, menus, modals."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from .gateway import send_interaction
from .options import Value, make_command_data
from .payloads import encode_message, make_reply
from .replies import ComponentKind, Reply, walk_components
from .sessions import PATIENCE_S, Found, Json
from .world import (
    AUTOCOMPLETE,
    COMMAND,
    COMPONENT,
    MODAL_SUBMIT,
    TEXT,
    Account,
    Interaction,
    World,
    WorldChannel,
)

Argument: TypeAlias = "Value | WirePerson"
OptionalChannel = WorldChannel | None
FieldValue = str | Sequence[str]


class WirePerson:
    """A member of the guild, whose every act waits for the bot's answer.

    An act raises TimeoutError when no answer comes in time. A press that the bot acknowledges with
    a deferred update is answered with the message as it stands; what comes of it is to be waited
    for with `DiscordServer.message`. How long each first answer took is kept in `acts`. A channel
    left out is the first text channel. Acts raise LookupError for what that person cannot see or
    press.
    """

    def __init__(self, world: World, account: Account) -> None:
        self._world = world
        self.account = account

    @property
    def id(self) -> int:
        """The user's id."""
        return self.account.id

    @property
    def dm_channel(self) -> WorldChannel:
        """The direct-message channel with the bot."""
        return self._world.get_dm_channel(self.id)

    @property
    def acts(self) -> list[Interaction]:
        """All that this person has done so far, oldest first."""
        return [act for act in self._world.interactions.values() if act.user_id == self.id]

    def list_messages(self, channel: OptionalChannel = None) -> list[Reply]:
        """Return a channel's messages for this person: everyone's, and their own ephemeral ones."""
        return list_messages(self._world, channel, self.id)

    def list_private(self, after: int = 0) -> list[Reply]:
        """What this person alone was told after a message."""
        told = (each for each in self.list_messages() if each.ephemeral)
        return [each for each in told if (each.message_id or 0) > after]

    async def wait_for_ephemeral(
        self,
        words: str,
        channel: OptionalChannel = None,
        *,
        after: int | None = None,
        timeout: float = PATIENCE_S,
    ) -> Reply:
        """Wait until this person alone is told these words, after message `after` if given."""

        def found() -> Reply | None:
            private = (
                reply
                for reply in self.list_messages(channel)
                if reply.ephemeral and (reply.message_id or 0) > (after or 0)
            )
            return next((reply for reply in private if words in reply.text), None)

        def missing() -> str:
            return (
                f"{self.account.name} was not told {words!r}, "
                f"but {[reply.text for reply in self.list_messages(channel)]}"
            )

        return await self._world.changes.wait_until(found, missing, timeout)

    async def slash(
        self,
        command: str,
        values: Mapping[str, Argument] | None = None,
        channel: OptionalChannel = None,
        timeout: float = PATIENCE_S,
    ) -> Reply:
        """Use a registered command and return the complete answer.

        A subcommand is named as in `"game rules"`. Options are strings, numbers, people or
        channels. Raises ValueError for what Discord's own picker refuses.
        """
        return await self._wait_for_reply(
            await self.begin_slash(command, values, channel), f"/{command}", timeout
        )

    async def begin_slash(
        self,
        command: str,
        values: Mapping[str, Argument] | None = None,
        channel: OptionalChannel = None,
    ) -> Interaction:
        """Use a command as `slash` does, without waiting for the answer."""
        where = channel or get_first_channel(self._world)
        data = make_command_data(self._world, command, _unwrap_people(values or {}))
        return await send_interaction(self._world, self.id, where, COMMAND, data)

    async def autocomplete(
        self,
        command: str,
        focused: str,
        value: str,
        values: Mapping[str, Argument] | None = None,
        channel: OptionalChannel = None,
        timeout: float = PATIENCE_S,
    ) -> list[tuple[str, str | int | float]]:
        """Type `value` into the option `focused`; return the choices offered, as (name, value)."""
        where = channel or get_first_channel(self._world)
        data = make_command_data(
            self._world, command, {**_unwrap_people(values or {}), focused: value}, focused
        )
        interaction = await send_interaction(self._world, self.id, where, AUTOCOMPLETE, data)
        await self._wait_until(
            interaction, lambda: interaction.callback, f"autocomplete of /{command}", timeout
        )
        return [(choice["name"], choice["value"]) for choice in interaction.choices or []]

    async def press(self, reply: Reply, custom_id: str, timeout: float = PATIENCE_S) -> Reply:
        """Press a button of a `reply` as it was and return the answer.

        The bot is told of the message with its buttons as seen, even if it has taken them away
        since: the harder case of two people who press at once.
        """
        return await self._wait_for_reply(
            await self.begin_press(reply, custom_id), f"{custom_id!r}", timeout
        )

    async def press_under(self, command: str, label: str, channel: OptionalChannel = None) -> Reply:
        """Use a command, press the button with that label under its answer, and return that one."""
        reply = await self.slash(command, None, channel)
        return await self.press(reply, reply.find_custom_id(label))

    async def choose(
        self, reply: Reply, custom_id: str, values: Sequence[str], timeout: float = PATIENCE_S
    ) -> Reply:
        """Choose from a menu of a `reply` as it was and return the answer.

        Raises ValueError for values that are not in the menu.
        """
        return await self._wait_for_reply(
            await self.begin_choice(reply, custom_id, values), f"{custom_id!r}", timeout
        )

    async def begin_press(self, reply: Reply, custom_id: str) -> Interaction:
        """Press a button as `press` does, without waiting for the answer."""
        return await self._send_component(
            reply, custom_id, {"component_type": ComponentKind.BUTTON}
        )

    async def begin_choice(
        self, reply: Reply, custom_id: str, values: Sequence[str]
    ) -> Interaction:
        """Choose from a menu as `choose` does, without waiting for the answer."""
        menu = _get_control(reply, custom_id)
        offered = {option["value"] for option in menu.get("options", [])}
        if menu["type"] == ComponentKind.STRING_SELECT and not set(values) <= offered:
            raise ValueError(f"{custom_id!r} offers {sorted(offered)}, not {list(values)}")
        return await self._send_component(
            reply, custom_id, {"component_type": menu["type"], "values": list(values)}
        )

    async def begin_use(self, reply: Reply, custom_id: str) -> Interaction:
        """Press a button, or pick a menu's first entry, without waiting for the answer."""
        control = _get_control(reply, custom_id)
        if control["type"] == ComponentKind.STRING_SELECT:
            return await self.begin_choice(reply, custom_id, [control["options"][0]["value"]])
        return await self.begin_press(reply, custom_id)

    async def submit(
        self, form: Reply, fields: Mapping[str, FieldValue], timeout: float = PATIENCE_S
    ) -> Reply:
        """Fill in a modal by custom_id (texts left out keep their preset) and return the answer."""
        interaction = await self.begin_submit(form, fields)
        assert form.modal is not None
        return await self._wait_for_reply(
            interaction, f"modal {form.modal['custom_id']!r}", timeout
        )

    async def begin_submit(self, form: Reply, fields: Mapping[str, FieldValue]) -> Interaction:
        """Fill in a modal as `submit` does, without waiting for the answer."""
        assert form.modal is not None, "this answer is no modal"
        inputs = {
            part["custom_id"]
            for part in walk_components(form.modal["components"])
            if "custom_id" in part
        }
        if unknown := set(fields) - inputs:
            raise LookupError(f"the modal has no {sorted(unknown)}; there are {sorted(inputs)}")
        fillable = [
            part
            for part in form.modal["components"]
            if part["type"] in (ComponentKind.LABEL, ComponentKind.ROW)
        ]
        entered = [_fill_row(part, fields) for part in fillable]
        data: Json = {"custom_id": form.modal["custom_id"], "components": entered}
        where = self._world.channels[form.channel_id]
        return await send_interaction(
            self._world, self.id, where, MODAL_SUBMIT, data, self._encode_seen(form)
        )

    async def _send_component(self, reply: Reply, custom_id: str, data: Json) -> Interaction:
        _get_control(reply, custom_id)
        where = self._world.channels[reply.channel_id]
        if reply.message_id not in {one.message_id for one in self.list_messages(where)}:
            raise LookupError(f"{self.account.name} does not see message {reply.message_id}")
        return await send_interaction(
            self._world,
            self.id,
            where,
            COMPONENT,
            {"custom_id": custom_id, **data},
            self._encode_seen(reply),
        )

    def _encode_seen(self, reply: Reply) -> Json | None:
        known = self._world.messages.get(reply.message_id or 0)
        if known is None:
            return None
        return encode_message(self._world, known) | (
            {"components": list(reply.components)} if reply.components else {}
        )

    async def _wait_for_reply(self, interaction: Interaction, what: str, timeout: float) -> Reply:
        return await self._wait_until(interaction, lambda: interaction.reply, what, timeout)

    async def _wait_until(
        self, interaction: Interaction, look: Callable[[], Found | None], what: str, timeout: float
    ) -> Found:
        def missing() -> str:
            if interaction.callback is not None:
                return (
                    f"{what} by {self.account.name} was acknowledged with type "
                    f"{interaction.callback}, never answered"
                )
            text = "" if self._world.sessions.list_connected() else "; no bot is connected"
            return f"{what} by {self.account.name} was not answered{text}"

        return await self._world.changes.wait_until(look, missing, timeout)


def get_first_channel(world: World) -> WorldChannel:
    """Return the channel that acts go to by default."""
    return next(channel for channel in world.channels.values() if channel.type == TEXT)


def list_messages(
    world: World, channel: OptionalChannel, viewer_id: int | None = None
) -> list[Reply]:
    """Return a channel's messages, oldest first.

    Ephemeral ones are only for the one who may see them.
    """
    where = (channel or get_first_channel(world)).id
    seen = [
        one
        for one in world.messages.values()
        if one.channel_id == where and one.viewer_id in (None, viewer_id)
    ]
    return [make_reply(world, one) for one in sorted(seen, key=lambda one: one.id)]


def _unwrap_people(values: Mapping[str, Argument]) -> dict[str, Value]:
    return {
        name: value.account if isinstance(value, WirePerson) else value
        for name, value in values.items()
    }


def _get_control(reply: Reply, custom_id: str) -> Json:
    usable = reply.find_controls()
    if custom_id not in usable:
        raise LookupError(f"nothing to press called {custom_id!r}; there are {sorted(usable)}")
    return usable[custom_id]


def _fill_row(part: Json, fields: Mapping[str, FieldValue]) -> Json:
    if part["type"] == ComponentKind.ROW:
        return {
            "type": ComponentKind.ROW,
            "components": [_fill_field(inner, fields) for inner in part["components"]],
        }
    return {"type": ComponentKind.LABEL, "component": _fill_field(part["component"], fields)}


def _fill_field(part: Json, fields: Mapping[str, FieldValue]) -> Json:
    entered = fields.get(part["custom_id"], part.get("value") or "")
    if part.get("required", True) and not entered:
        raise ValueError(f"the modal needs {part['custom_id']!r}")
    key = "value" if part["type"] == ComponentKind.TEXT_INPUT else "values"
    return {
        "type": part["type"],
        "custom_id": part["custom_id"],
        key: entered if key == "value" else list(entered),
    }
