"""Declaring what people can ask for: commands, and the presses of buttons, menus and modals.

A command is typed, or chosen from the menu of a person.

Each is one function that takes the answer to what was asked. What is above it says where it is
offered and who sees the answer; from its other parameters follow the options of a command, or the
parts of an id.
"""

import inspect
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, TypeAlias, TypeVar, cast

import discord
from discord import app_commands

from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.app_client import Interaction, make_asker
from bot.platform.ui.dispatch import hold_slot, respond
from bot.platform.ui.ids import parse_parts, require_control
from bot.platform.ui.membership import Where, is_bot_member

SlashCommand: TypeAlias = app_commands.Command[Any, ..., None]

Commands: TypeAlias = tuple[SlashCommand | app_commands.Group, ...]

Handler: TypeAlias = Callable[Concatenate[InteractionAnswer, ...], Awaitable[None]]
"""Handles a request, given the options of the command or the parts of the id."""

PersonHandler: TypeAlias = Callable[
    [InteractionAnswer, discord.Member | discord.User], Awaitable[None]
]
"""Handles an entry of a person's menu."""

ModalBuilder: TypeAlias = Callable[..., discord.ui.Modal | None]
"""Returns the modal that a button opens, given the interaction and the parts of the id."""

Offer: TypeAlias = Callable[[Interaction, str], Awaitable[list[app_commands.Choice[str]]]]
"""Returns what is suggested for an option, given what is typed so far."""

T = TypeVar("T")

EVERYWHERE = "everywhere"
"""The extra of a command that says whether it needs no server that the bot is a member of."""
DIRECT = "direct"
"""The extra of a command that says whether it works in direct messages with the bot."""
DESCRIPTION = "description"
"""The extra of an entry of a person's menu that says what it does; Discord has no room for it."""
_INTERACTION = inspect.Parameter("interaction", inspect.Parameter.POSITIONAL_OR_KEYWORD)


def in_servers(command: T) -> T:
    """Offer a command only in servers that the bot has been invited to."""
    installed = app_commands.allowed_installs(guilds=True, users=False)(command)
    contexts = app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
    # Also in the older way, which sets one that Discord still takes.
    return app_commands.guild_only()(contexts(installed))


def in_direct_messages(command: T) -> T:
    """Offer a command also in direct messages with the bot."""
    # Those who have installed the bot for themselves have it beside nobody else there.
    installed = app_commands.allowed_installs(guilds=True, users=True)(command)
    return app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)(installed)


def in_all_contexts(command: T) -> T:
    """Offer a command also in direct messages, and to those who installed the bot themselves."""
    installed = app_commands.allowed_installs(guilds=True, users=True)(command)
    return app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)(installed)


class _Command(app_commands.Command[Any, ..., None]):
    """A slash command whose suggestions take their turn among the answers.

    They are asked for at every letter, and no sooner worked out than what others have asked before.
    """

    def autocomplete(self, name: str) -> Callable[[T], T]:
        """Declare what is suggested for an option."""
        register = super().autocomplete(name)

        def declare(offer: T) -> T:
            suggest = cast(Offer, offer)

            @wraps(suggest)
            async def offer_in_turn(
                interaction: Interaction, typed: str
            ) -> list[app_commands.Choice[str]]:
                async with hold_slot(interaction.client.app.answers, make_asker(interaction)):
                    return await suggest(interaction, typed)

            register(offer_in_turn)
            return offer

        return declare


def command(
    *,
    name: str = "",
    group: app_commands.Group | None = None,
    private: bool = True,
    public_option: str = "",
    direct: bool = False,
    everywhere: bool = False,
) -> Callable[[Handler], SlashCommand]:
    """Declare a slash command.

    The function's first parameter is the answer, and the others are the options; its name and the
    first line of its docstring are those of the command. `app_commands.describe`, `choices` and
    `rename` go below this, or between it and the function.

    The answer is `private` unless the option named `public_option` is set in a server. What works
    `direct` is offered in direct messages with the bot too, and what works `everywhere` also where
    the bot is no member; other commands are refused there.
    """

    def declare(function: Handler) -> SlashCommand:
        _, *options = inspect.signature(function, eval_str=True).parameters.values()

        @wraps(function)
        async def callback(interaction: Interaction, **given: object) -> None:
            public = given.get(public_option, False) and is_bot_member(interaction)
            await respond(
                interaction,
                lambda answer: function(answer, **given),
                private=private and not public,
                where=_find_where(direct=direct, everywhere=everywhere),
            )

        # discord.py reads the options from it.
        vars(callback)["__signature__"] = inspect.Signature([_INTERACTION, *options])
        called = name or function.__name__
        # Discord keeps with a group alone where its commands are offered.
        extras = {EVERYWHERE: everywhere, DIRECT: direct or everywhere}
        described = (inspect.getdoc(function) or "").partition("\n")[0]
        made = _Command(
            name=called, description=described, callback=callback, parent=group, extras=extras
        )
        if group is not None:
            group.add_command(made)
            return made
        offer = in_servers
        if direct or everywhere:
            offer = in_all_contexts if everywhere else in_direct_messages
        return offer(made)

    return declare


def _find_where(*, direct: bool, everywhere: bool) -> Where:
    if everywhere:
        return Where.EVERYWHERE
    return Where.DIRECT if direct else Where.SERVERS


def person_menu(*, name: str) -> Callable[[PersonHandler], app_commands.ContextMenu]:
    """Declare an entry of the menu that a person's name opens in a server.

    The function takes the answer and the person; the first line of its docstring says what it does.
    The answer is private, and it is refused where the bot is no member.
    """

    def declare(function: PersonHandler) -> app_commands.ContextMenu:
        async def callback(interaction: Interaction, person: discord.Member | discord.User) -> None:
            await respond(interaction, lambda answer: function(answer, person))

        callback.__module__ = function.__module__
        described = (inspect.getdoc(function) or "").partition("\n")[0]
        menu = app_commands.ContextMenu(
            name=name, callback=callback, extras={DESCRIPTION: described}
        )
        return in_servers(menu)

    return declare


@dataclass(frozen=True, slots=True, kw_only=True)
class Press:
    """What a button, menu or modal does, as `press` declares it."""

    module: str
    verb: str
    handler: Handler
    parts: Sequence[inspect.Parameter]
    private: bool
    where: Where
    shown: bool
    edits_public: bool
    modal: ModalBuilder | None

    async def __call__(self, interaction: Interaction, rest: str) -> None:
        """Handle it, given what follows the verb in the id.

        Raises DeclinedError, before anything is answered, for an id that none of our messages
        shows.
        """
        if self.shown:
            require_control(interaction)
        parts = parse_parts(rest, self.parts)
        if self.modal and interaction.type is discord.InteractionType.component:
            modal = self.modal(interaction, *parts)
            if modal is not None:
                # A modal must be the first answer, and changes nothing.
                await interaction.response.send_modal(modal)
                return
        await respond(
            interaction,
            lambda answer: self.handler(answer, *parts),
            private=self.private,
            edits_public=self.edits_public,
            where=self.where,
        )


def press(
    verb: str = "",
    *,
    private: bool = True,
    direct: bool = False,
    everywhere: bool = False,
    shown: bool = True,
    edits_public: bool = False,
    modal: ModalBuilder | None = None,
) -> Callable[[Handler], Press]:
    """Declare what is done on a button, menu or modal whose id begins with a verb.

    The function's first parameter is the answer. The others are the parts that follow the verb,
    each a number, a text or one of an enumeration; the last is all that is left, and those with
    a default can be missing. A function without any is not interested in them.

    The answer is `private` or for everyone. What works `direct` does so in direct messages with the
    bot too, and what works `everywhere` needs no server that it is a member of. A button may open a
    `modal` first, which comes back under the same id.

    The pressed message must have `shown` the control, since a modified client can send any id with
    any message; that is not asked only of forms that no control of a message opens under their own
    id. A message that everyone sees is edited in answer only where the press `edits_public`
    messages; otherwise the answer is a message to the one who pressed. Raises ValueError for a
    press that edits them without having to be shown.
    """
    if edits_public and not shown:
        raise ValueError(f"“{verb}” would edit messages that do not show it")

    def declare(function: Handler) -> Press:
        _, *parts = inspect.signature(function, eval_str=True).parameters.values()
        return Press(
            module=function.__module__,
            verb=verb,
            handler=function,
            parts=parts,
            private=private,
            where=_find_where(direct=direct, everywhere=everywhere),
            shown=shown,
            edits_public=edits_public,
            modal=modal,
        )

    return declare
