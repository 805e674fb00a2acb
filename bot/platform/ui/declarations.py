"""Declaring what people can ask for: commands, and the presses of buttons, menus and modals.

A command is typed, or chosen from the menu of a person or of a message.

Each is one function that takes the answer to what was asked. What is above it says where it is
offered and who sees the answer; from its other parameters follow the options of a command, or the
parts of an id. Every module of a feature is searched for what it declares by `command`, by
`person_menu` or `message_menu`, by `press`, or as a group of commands, so a new command is one new
function.

In every language that has a catalogue the names of commands and options are translated as well as
their descriptions, the names of their choices, and the entries of menus. Discord knows a
command by its English name all the same, so nothing else depends on a translation.
"""

import inspect
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any, Concatenate, TypeAlias, TypeVar, cast

import discord
from discord import Locale, app_commands
from discord.app_commands import TranslationContextLocation, TranslationContextTypes, locale_str

from bot.platform.features import list_declarations
from bot.platform.i18n.reader import COMMAND_NAME, OPTION_NAME, Reader, Text, load_reader
from bot.platform.ui.access import Where, is_bot_member
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.app_client import Interaction, build_asker
from bot.platform.ui.controls import parse_parts, require_control
from bot.platform.ui.dispatch import hold_slot, respond
from render.characters import utf16_length

COMMAND = "command"
"""The context of what commands say of themselves."""
MAX_DESCRIPTION_LENGTH = 100
"""Characters that Discord allows for each."""
MAX_NAME_LENGTH = 32
"""Characters that it allows for a command, an option, or an entry of a menu."""

SlashCommand: TypeAlias = app_commands.Command[Any, ..., None]

Commands: TypeAlias = tuple[SlashCommand | app_commands.Group, ...]

Handler: TypeAlias = Callable[Concatenate[InteractionAnswer, ...], Awaitable[None]]
"""Handles a request, given the options of the command or the parts of the id."""

PersonHandler: TypeAlias = Callable[
    [InteractionAnswer, discord.Member | discord.User], Awaitable[None]
]
"""Handles an entry of a person's menu."""

MessageHandler: TypeAlias = Callable[[InteractionAnswer, discord.Message], Awaitable[None]]
"""Handles an entry of a message's menu."""

ModalBuilder: TypeAlias = Callable[..., discord.ui.Modal | None]
"""Returns the modal that a button opens, given the interaction and the parts of the id."""

Offer: TypeAlias = Callable[[Interaction, str], Awaitable[list[app_commands.Choice[str]]]]
"""Returns what is suggested for an option, given what is typed so far."""

T = TypeVar("T")

EVERYWHERE = "everywhere"
"""The extra of a command that says whether it needs no server that the bot is a member of."""
DIRECT = "direct"
"""The extra of a command that says whether it works in direct messages with the bot."""
ORDER = "order"
"""The extra of a command that says where it stands in its group."""
DESCRIPTION = "description"
"""The extra of an entry of a menu that says what it does; Discord has no room for it."""
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

            async def offer_in_turn(
                interaction: Interaction, typed: str
            ) -> list[app_commands.Choice[str]]:
                async with hold_slot(interaction.client.app.answers, build_asker(interaction)):
                    return await suggest(interaction, typed)

            register(offer_in_turn)
            return offer

        return declare


def command(
    *,
    name: str = "",
    description: str = "",
    group: app_commands.Group | None = None,
    order: int = 0,
    private: bool = True,
    public_option: str = "",
    direct: bool = False,
    everywhere: bool = False,
) -> Callable[[Handler], SlashCommand]:
    """Declare a slash command.

    The function's first parameter is the answer, and the others are the options; its name and the
    first line of its docstring are those of the command, unless others are given.
    `app_commands.describe`, `choices` and `rename` go below this, or between it and the function.

    In a group a low `order` comes first. Where several features add to it each needs one, as which
    is imported first depends on what runs.

    The answer is `private` unless the option named `public_option` is set in a server. What works
    `direct` is offered in direct messages with the bot too, and what works `everywhere` also where
    the bot is no member; other commands are refused there.
    """

    def declare(function: Handler) -> SlashCommand:
        _, *options = inspect.signature(function, eval_str=True).parameters.values()

        @wraps(function)
        async def callback(interaction: Interaction, **values: object) -> None:
            public = values.get(public_option, False) and is_bot_member(interaction)
            await respond(
                interaction,
                lambda answer: function(answer, **values),
                private=private and not public,
                where=_find_where(direct=direct, everywhere=everywhere),
            )

        # discord.py reads the options from it.
        vars(callback)["__signature__"] = inspect.Signature([_INTERACTION, *options])
        called = name or function.__name__
        # Discord keeps with a group alone where its commands are offered.
        extras = {EVERYWHERE: everywhere, DIRECT: direct or everywhere, ORDER: order}
        described = description or (inspect.getdoc(function) or "").partition("\n")[0]
        made = _Command(
            name=called, description=described, callback=callback, parent=group, extras=extras
        )
        if group is not None:
            group.add_command(made)
            _sort_group(group)
            return made
        offer = in_servers
        if direct or everywhere:
            offer = in_all_contexts if everywhere else in_direct_messages
        return offer(made)

    return declare


def _sort_group(group: app_commands.Group) -> None:
    for each in sorted(group.commands, key=lambda each: each.extras.get(ORDER, 0)):
        group.remove_command(each.name)
        group.add_command(each)


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

        return in_servers(_build_context_menu(name, function, callback))

    return declare


def message_menu(*, name: str) -> Callable[[MessageHandler], app_commands.ContextMenu]:
    """Declare an entry of the menu of any message, also in direct messages with the bot.

    The function takes the answer and the message, which may be anybody's; the first line of its
    docstring says what it does. The answer is private.
    """

    def declare(function: MessageHandler) -> app_commands.ContextMenu:
        async def callback(interaction: Interaction, message: discord.Message) -> None:
            await respond(interaction, lambda answer: function(answer, message), where=Where.DIRECT)

        return in_direct_messages(_build_context_menu(name, function, callback))

    return declare


def _build_context_menu(
    name: str, function: Callable[..., object], callback: Callable[..., Any]
) -> app_commands.ContextMenu:
    callback.__module__ = function.__module__
    described = (inspect.getdoc(function) or "").partition("\n")[0]
    return app_commands.ContextMenu(name=name, callback=callback, extras={DESCRIPTION: described})


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


def collect_commands() -> Commands:
    """Return every slash command; those of a group come with it."""
    return tuple(
        each
        for each in list_declarations()
        if isinstance(each, app_commands.Command | app_commands.Group) and each.parent is None
    )


def collect_menus() -> tuple[app_commands.ContextMenu, ...]:
    """Return every entry of the menus of people and messages."""
    return tuple(each for each in list_declarations() if isinstance(each, app_commands.ContextMenu))


def collect_presses() -> Mapping[str, Press]:
    """Return what is done for each verb with which the id of a button, menu or modal begins.

    Raises TypeError if two are declared for one verb.
    """
    declared = [each for each in list_declarations() if isinstance(each, Press)]
    return index_presses(declared)


def index_presses(declared: Iterable[Press]) -> Mapping[str, Press]:
    """Return presses by their verbs; raises TypeError if two are declared for one verb."""
    found: dict[str, Press] = {}
    for each in declared:
        # One without a verb is what a form does that a button has opened.
        if each.verb and (other := found.setdefault(each.verb, each)) is not each:
            raise TypeError(f"{other.module} and {each.module} both declare “{each.verb}”")
    return found


match_group = in_all_contexts(
    app_commands.Group(name="match", description="Everything else about one match")
)
me_group = in_all_contexts(
    app_commands.Group(name="me", description="Your results and preferences")
)

server_group = in_servers(
    app_commands.Group(
        name="server",
        description="For server managers: boards and matches in this server",
        default_permissions=discord.Permissions(manage_guild=True),
    )
)


NAMED = (
    TranslationContextLocation.command_name,
    TranslationContextLocation.group_name,
    TranslationContextLocation.parameter_name,
)
TRANSLATED = (
    TranslationContextLocation.command_description,
    TranslationContextLocation.group_description,
    TranslationContextLocation.parameter_description,
    TranslationContextLocation.choice_name,
)


class Translator(app_commands.Translator):
    """Looks texts up in the catalogues of a folder when commands are registered with Discord."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def translate(
        self, string: locale_str, locale: Locale, context: TranslationContextTypes
    ) -> str | None:
        """Return the translation, or None where it is no other than the English text."""
        say = load_reader(locale.value, self._folder)
        is_entry = isinstance(context.data, app_commands.ContextMenu)
        if context.location in NAMED and not is_entry:
            return _translate_name(say, context.data)
        if context.location not in TRANSLATED and not is_entry:
            return None
        text = say.in_context(COMMAND, string.message)
        if is_entry and utf16_length(text) > MAX_NAME_LENGTH:
            return None
        return None if text == string.message else text


def _translate_name(say: Reader, named: object) -> str | None:
    """Return a name as Discord takes it, or None where it is no other than the English one."""
    if isinstance(named, app_commands.Command | app_commands.Group):
        context, name = COMMAND_NAME, named.qualified_name
    elif isinstance(named, app_commands.Parameter):
        context, name = OPTION_NAME, named.display_name
    else:
        return None
    text = say.in_context(context, name)
    return text if text != name and is_valid_name(text) else None


def is_valid_name(name: str) -> bool:
    """Return whether Discord takes a name: letters in lower case, digits, `-` and `_`."""
    letters = name.replace("-", "").replace("_", "")
    return name == name.lower() and letters.isalnum() and len(name) <= MAX_NAME_LENGTH


def list_menu_texts(menus: Iterable[app_commands.ContextMenu]) -> Iterator[Text]:
    """Yield the names of entries of menus, with their context."""
    yield from ((COMMAND, menu.name) for menu in menus)


def list_texts(commands: Commands) -> Iterator[Text]:
    """Yield every text that the translator is asked for, with its context."""
    for command in commands:
        yield COMMAND_NAME, command.qualified_name
        yield COMMAND, command.description
        if isinstance(command, app_commands.Group):
            yield from list_texts(tuple(command.commands))
            continue
        for parameter in command.parameters:
            yield OPTION_NAME, parameter.display_name
            yield COMMAND, parameter.description
            yield from ((COMMAND, choice.name) for choice in parameter.choices)
