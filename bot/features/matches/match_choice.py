"""Which match a command means.

It is the only one in this channel that it could be, or the one that the person picks.
"""

import inspect
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Concatenate, TypeAlias

from discord import app_commands

from bot.features.matches.cards import choice_card
from bot.features.matches.controls import match_choice_menus
from bot.features.matches.loading import load_visible_session
from bot.features.matches.lookup import load_own_sessions
from bot.features.matches.session import MatchSession
from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.app_client import Interaction
from bot.platform.ui.declarations import Handler, SlashCommand, command
from engine.match import DECISION_PHASES, PLAY_PHASES, Phase
from render.characters import utf16_length

MATCH_DESCRIPTION = "The number of the match, if you have several here"
_MATCH_OPTION = inspect.Parameter(
    "match", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=int | None
)

LONGEST_CARRIED = 75
"""Characters of a typed play that fit into the id of the menu that asks which match."""

_WAITING_FOR = {
    "roll": (Phase.THROW, Phase.BATTLE, Phase.CONTEST),
    "move": PLAY_PHASES,
    "try": PLAY_PHASES,
    "hint": DECISION_PHASES,
}
"""When a command could be meant for a match whose turn it is."""


MatchAction: TypeAlias = Callable[Concatenate[InteractionAnswer, int, ...], Awaitable[None]]
"""Carries out a command in a match by its number, with the text that was typed, if it takes one."""

_MATCH_ACTIONS: dict[str, Callable[[InteractionAnswer, int, str], Awaitable[None]]] = {}
"""What each command does in the match that is meant, also where that was picked from a menu."""


def match_action(command: str) -> Callable[[MatchAction], MatchAction]:
    """Declare what a command does in the match that is meant."""

    def declare(function: MatchAction) -> MatchAction:
        async def ignore_text(answer: InteractionAnswer, match: int, _: str) -> None:
            await function(answer, match)

        takes_text = len(inspect.signature(function).parameters) > 2
        _MATCH_ACTIONS[command] = function if takes_text else ignore_text
        return function

    return declare


def match_command(
    *, name: str = "", group: app_commands.Group | None = None
) -> Callable[[Handler], SlashCommand]:
    """Declare a slash command for a match.

    The function takes the match's number next to the answer, and one text at most. The command's
    last option is the number, which can be left out where only one match can be meant. It stands
    in a `group`, or by itself, and works in direct messages with the bot too.
    """

    def declare(function: Handler) -> SlashCommand:
        called = name or function.__name__
        match_action(called)(function)
        answer, _, *options = inspect.signature(function, eval_str=True).parameters.values()

        @wraps(function)
        async def work(answer: InteractionAnswer, *, match: int | None, **text: str) -> None:
            await run_in_chosen_match(answer, called, "".join(text.values()), match)

        vars(work)["__signature__"] = inspect.Signature([answer, *options, _MATCH_OPTION])
        return command(name=called, group=group, direct=True)(
            app_commands.describe(match=MATCH_DESCRIPTION)(work)
        )

    return declare


async def run_in_match(answer: InteractionAnswer, command: str, match: int, text: str) -> None:
    """Carry out a command in a match; raises DeclinedError if no command is called so."""
    action = _MATCH_ACTIONS.get(command)
    if action is None:
        raise DeclinedError(DeclineReason.UNKNOWN_CONTROL)
    await action(answer, match, text)


async def run_in_chosen_match(
    answer: InteractionAnswer, command: str, text: str, match: int | None
) -> None:
    """Carry out a command in the match meant, or ask which one that is.

    Raises DeclinedError if there is none.
    """
    if session := await find_session(answer, command, text, match):
        await run_in_match(answer, command, session.id, text)


async def find_session(
    answer: InteractionAnswer, command: str, text: str = "", match: int | None = None
) -> MatchSession | None:
    """Return the match meant, or None where the person was shown a menu instead.

    Raises DeclinedError if there is none.
    """
    person = answer.interaction.user.id
    if match is not None:
        return await load_visible_session(answer.app, match, answer.guild, person)
    mine = await load_own_sessions(answer.app, answer.guild, answer.channel, person)
    if not mine:
        raise DeclinedError(DeclineReason.NO_MATCH_HERE)
    # If no match waits for the command, any may be meant; the refusal then says what is wrong.
    fitting = [session for session in mine if _may_mean(command, session, person)] or mine
    if len(fitting) == 1:
        return fitting[0]
    # The menu's id carries the text: nothing else of the question outlives a restart.
    if utf16_length(text) > LONGEST_CARRIED:
        raise DeclinedError(DeclineReason.SAY_WHICH)
    say = answer.reader
    asked = say("You have several matches here. Which one do you mean?")
    await answer.send(choice_card(say, asked, match_choice_menus(say, command, text, fitting)))
    return None


async def find_waiting_sessions(interaction: Interaction, command: str) -> list[MatchSession]:
    """Return the matches of this channel that wait for that command of the person's."""
    person = interaction.user.id
    mine = await load_own_sessions(
        interaction.client.app, interaction.guild_id or 0, interaction.channel_id or 0, person
    )
    return [session for session in mine if _may_mean(command, session, person)]


def _may_mean(command: str, session: MatchSession, person: int) -> bool:
    """Whether the command could be meant for that match as it stands."""
    if command == "undo":
        return session.person_to_take_back == person
    phases = _WAITING_FOR.get(command)
    return phases is None or (session.person_to_act == person and session.match.phase in phases)
