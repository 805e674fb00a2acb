"""From an interaction to the match it means, and to what somebody does there.

A command means the only match in this channel that it could, or the one that the person picks. A
button may stand under a message that shows an earlier moment. Games and paces are chosen by a part
of their name.
"""

import contextlib
import inspect
import logging
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, TypeAlias

import discord
from discord import app_commands

from bot.features.matches import loading
from bot.features.matches.cards import choice_card
from bot.features.matches.controls import CHOOSE_MATCH, match_choice_menus
from bot.features.matches.loading import load_own_sessions, load_visible_session, refresh_match
from bot.features.matches.places import find_match_link
from bot.features.matches.session import MatchSession
from bot.features.matches.texts import format_pace as describe_pace
from bot.platform.context import App
from bot.platform.db.errors import StoreError
from bot.platform.features import ExtensionPoint
from bot.platform.i18n.common import format_title
from bot.platform.i18n.reader import (
    DeclinedError,
    Reader,
    UnknownControlError,
    game_context,
    mark_text,
)
from bot.platform.ui import controls
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.app_client import FAILURES, Interaction, UnansweredError, describe_error
from bot.platform.ui.card import Card, Item
from bot.platform.ui.declarations import Handler, SlashCommand, command, press
from bot.platform.ui.dispatch import MESSAGE_REPAIRS
from bot.platform.ui.layout import find_moment, strip_controls
from engine.clock import PACES, Pace, parse_pace
from engine.folding import fold_text
from engine.games import GAMES
from engine.games.name_matching import fold_name, has_matching_name
from engine.games.unplayed import UNPLAYED, UnplayedGame
from engine.match import DECISION_PHASES, PLAY_PHASES, Phase
from engine.players.level import Level
from engine.refusal import Refusal
from engine.rules import Game
from render.characters import shorten_text, utf16_length

MATCH_DESCRIPTION = "The number of the match, if you have several here"
_MATCH_OPTION = inspect.Parameter(
    "match", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=int | None
)

MAX_CARRIED_LENGTH = 75
"""Characters of a typed play that fit into the id of the menu that asks which match."""

_WAITING_FOR = {
    "roll": (Phase.THROW, Phase.BATTLE, Phase.BREAK_ROLL),
    "move": PLAY_PHASES,
    "try": PLAY_PHASES,
    "hint": DECISION_PHASES,
}
"""When a command could be meant for a match whose turn it is."""


MatchAction: TypeAlias = Callable[Concatenate[InteractionAnswer, int, ...], Awaitable[None]]
"""Carries out a command in a match by its number, with the text that was typed, if it takes one."""

_MATCH_ACTIONS: dict[str, Callable[[InteractionAnswer, int, str], Awaitable[None]]] = {}
"""What each command does in the match that is meant, also where that was picked from a menu."""


@dataclass(frozen=True, slots=True)
class TypedPlayTarget:
    """Something else in which a typed play may be meant, beside the matches of a channel."""

    play: Callable[[InteractionAnswer, str], Awaitable[Card]]
    suggest: Callable[[str], list[str]]
    """Returns the legal continuations of what was typed; it may take a while."""
    explain_priority: Callable[[Reader, int], str]
    """Explains that the play was made in a match instead."""


LoadPrivateLine: TypeAlias = Callable[[InteractionAnswer, MatchSession], Awaitable[str]]
FindTypedPlayTarget: TypeAlias = Callable[[App, int, int], TypedPlayTarget | None]
"""Finds it by the channel and the person."""

PRIVATE_LINES: ExtensionPoint[LoadPrivateLine] = ExtensionPoint()
"""Lines below a board that only the person who asked for it sees; an empty one is left out."""
PLAY_TARGETS: ExtensionPoint[FindTypedPlayTarget] = ExtensionPoint()
"""Where else than in a match a typed play may be made."""


async def load_private_lines(answer: InteractionAnswer, session: MatchSession) -> tuple[str, ...]:
    """Return the lines below a board for the person who asked."""
    lines = [await load(answer, session) for load in PRIVATE_LINES.list_functions()]
    return tuple(filter(None, lines))


def find_typed_play_target(app: App, channel: int, person: int) -> TypedPlayTarget | None:
    """Return what else a typed play of somebody in a channel may be meant for."""
    found = (find(app, channel, person) for find in PLAY_TARGETS.list_functions())
    return next(filter(None, found), None)


class NoMatchHereError(DeclinedError):
    sentence = mark_text(
        "You have no match in this channel. Start one with `/play` or `/challenge`, list yours "
        "with `/matches`, or try the `/puzzle` of the day."
    )


class SeveralMatchesError(DeclinedError):
    sentence = mark_text("You have several matches here. Choose one with the option `match`.")


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
    *, name: str = "", group: app_commands.Group | None = None, order: int = 0
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
        return command(name=called, group=group, order=order, direct=True)(
            app_commands.describe(match=MATCH_DESCRIPTION)(work)
        )

    return declare


async def run_in_match(answer: InteractionAnswer, command: str, match: int, text: str) -> None:
    """Carry out a command in a match; raises DeclinedError if no command is called so."""
    action = _MATCH_ACTIONS.get(command)
    if action is None:
        raise UnknownControlError
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
        raise NoMatchHereError
    # If no match waits for the command, any may be meant; the refusal then says what is wrong.
    fitting = [session for session in mine if _may_mean(command, session, person)] or mine
    if len(fitting) == 1:
        return fitting[0]
    # The menu's id carries the text: nothing else of the question outlives a restart.
    if utf16_length(text) > MAX_CARRIED_LENGTH:
        raise SeveralMatchesError
    say = answer.reader
    question = say("You have several matches here. Which one do you mean?")
    await answer.send(choice_card(say, question, match_choice_menus(say, command, text, fitting)))
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


@press(CHOOSE_MATCH, direct=True)
async def run_command(answer: InteractionAnswer, _: str, command: str, text: str) -> None:
    """Carry out a command for the match that was picked from a menu."""
    match = controls.parse_number(controls.get_selection(answer.interaction))
    await run_in_match(answer, command, match, text)


log = logging.getLogger(__name__)


def _parse_version(interaction: Interaction) -> int:
    """Return the version of a match that a pressed control names, 0 where it names none."""
    data: Any = interaction.data
    verb, _, rest = controls.parse_control_id(data["custom_id"])
    # The ids of these verbs go on with the match and its version.
    found = re.match("[0-9]+:([0-9]+)", rest) if controls.is_state_verb(verb) else None
    return int(found[1]) if found else 0


class NoMatchShownError(DeclinedError):
    sentence = mark_text(
        "That message doesn't show a match. Use this on a board in a match's own channel."
    )


async def load_shown_session(answer: InteractionAnswer, message: discord.Message) -> MatchSession:
    """Return the match that a message shows, as it was then.

    Raises DeclinedError for any other message, and where the person doesn't see the match.
    """
    client = answer.client
    is_own = message.author.id in (client.application_id, client.user and client.user.id)
    moment = find_moment(message) if is_own else None
    posted = int(message.created_at.timestamp() * 1000)
    if moment is None or answer.app.lineage.is_lost(moment.mark, posted):
        raise NoMatchShownError
    session = await load_visible_session(answer.app, moment.match, answer.guild, answer.person.id)
    return await loading.load_session_at(answer.app, session, moment.version)


@MESSAGE_REPAIRS.add()
async def renew_message(answer: InteractionAnswer, match: int) -> bool:
    """Repair a message whose pressed button belongs to an earlier moment.

    Return True where the message itself now says that it is out of date.
    """
    interaction = answer.interaction
    message = interaction.message
    if message is None or message.flags.ephemeral or not answer.may_edit_message:
        return False
    try:
        session = await loading.load_visible_session(
            answer.app, match, answer.guild, answer.person.id
        )
        # A message newer than the live one is about to become it: posted, but not yet recorded. If
        # it shows what has not happened, an older database was restored, which nothing else says.
        is_coming = message.id >= (session.row.message or 0)
        if is_coming and _parse_version(interaction) <= session.match.version:
            await refresh_match(answer.app, session)
            return False
        # A turn that has just ended is about to be closed: what was read here in the meantime would
        # overwrite what was played in it.
        if await loading.is_closing(answer.app, message.id):
            return False
        # What was pressed may have lost its controls since, as every turn does when it is over.
        current = await answer.load_message()
        if not controls.list_control_ids(current):
            return False
        there = await find_match_link(interaction.client, session.row)
        await answer.edit_message(
            strip_controls(current, format_outdated_message(answer.reader, match, there))
        )
    except (DeclinedError, StoreError, UnansweredError, *FAILURES) as failure:
        log.info("could not renew message %s: %s", message.id, describe_error(failure))
        return False
    return True


def format_outdated_message(say: Reader, match: int, link: str | None) -> str:
    """Tell on a message that is not the match's newest where the match goes on."""
    if link is None:
        return say(
            "This message is out of date. Match {match} can't be shown where it was played; use "
            "`/match board` to move it here.",
            match=match,
        )
    return say(
        "This message is out of date. [Match {match} continues here]({link}).",
        match=match,
        link=link,
    )


MAX_NAME_LENGTH, MAX_OPTIONS_LENGTH, MAX_PACE_LENGTH = 100, 200, 40
"""Characters that may be typed for a game, for its options, and for a pace."""
TIME_BANKS = ("10m+15s", "30m+1m", "5d+12h")
"""Times for all turns that are offered; others can be typed."""
LEVEL_CHOICES = [app_commands.Choice(name=level.value, value=level.value) for level in Level]
"""How well the computer plays: a choice of several commands."""


def list_game_choices(say: Reader, typed: str) -> list[app_commands.Choice[str]]:
    """List the games whose slug, title or other names contain what was typed.

    The names are those in the reader's language and in English. Games of exactly that name come
    first, then those whose title begins so.
    """
    found = [game for game in GAMES.values() if _is_name_match(say, game, typed)]
    found.sort(key=lambda game: _rank_name_match(say, game, typed))
    return [
        app_commands.Choice(
            name=shorten_text(format_title(say, game), controls.MAX_ENTRY_LENGTH), value=game.slug
        )
        for game in found[: controls.MAX_CHOICES]
    ]


async def offer_games(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Offer the games whose slug, title or other names contain what was typed."""
    return list_game_choices(interaction.client.get_asker_reader(interaction), typed)


def list_page_choices(say: Reader, typed: str) -> list[app_commands.Choice[str]]:
    """List the games in the same way that have a page but can't be played.

    They are listed only once something was typed.
    """
    return [
        app_commands.Choice(
            name=shorten_text(_format_unplayed(say, page), controls.MAX_ENTRY_LENGTH),
            value=page.slug,
        )
        for page in UNPLAYED
        if typed and _is_name_match(say, page, typed)
    ]


def list_paces() -> list[Pace]:
    """List the paces that are offered; a time for all turns can be typed besides."""
    return [*PACES.values(), *map(parse_pace, TIME_BANKS)]


OTHER_PACE = "other"
"""The entry of a menu of paces by which one is typed."""


def build_pace_menu(
    say: Reader,
    custom_id: str,
    chosen: Pace,
    write: Callable[[Reader, Pace], str] = describe_pace,
) -> Item:
    """Return a menu of the paces that are offered, the chosen one, and one to be typed."""
    entries = [(each.name, write(say, each), "") for each in dict.fromkeys([*list_paces(), chosen])]
    other = (OTHER_PACE, say("Another pace"), say("Type one total time, such as 30m+20s"))
    return controls.build_choice_menu(custom_id, [*entries, other], chosen.name)


def build_pace_form(say: Reader, custom_id: str) -> discord.ui.Modal:
    """Return the form in which a pace is typed."""
    return controls.build_text_form(
        custom_id,
        # Translators: title of a form: how much time each player has in a match (noun).
        title=say("Pace"),
        label=say("Time in all, plus per turn"),
        hint=say("30m+20s"),
        longest=MAX_PACE_LENGTH,
    )


async def offer_paces(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Offer the paces whose name, or what they give, begins with what was typed.

    Some of them have a time for all turns.
    """
    say = interaction.client.get_asker_reader(interaction)
    paces = list_paces()
    wanted = fold_text(typed)
    with contextlib.suppress(Refusal):
        # What is typed in full may be called otherwise (`1 day`), or be another time for all turns.
        wanted = parse_pace(typed).name
        paces.append(parse_pace(typed))
    # What was typed may be one of the listed paces, and is offered once.
    named = [(pace, describe_pace(say, pace)) for pace in dict.fromkeys(paces)]
    return [
        app_commands.Choice(name=shorten_text(text, controls.MAX_ENTRY_LENGTH), value=pace.name)
        for pace, text in named
        if pace.name.startswith(wanted) or fold_text(text).startswith(fold_text(typed))
    ]


def _format_unplayed(say: Reader, page: UnplayedGame) -> str:
    return say("{game} (not playable)", game=say.in_context(game_context(page.slug), page.title))


def _is_name_match(say: Reader, game: Game | UnplayedGame, typed: str) -> bool:
    return has_matching_name(_list_names(say, game), typed)


def _list_names(say: Reader, game: Game | UnplayedGame) -> tuple[str, ...]:
    # English names are found in every language, since they are the ones in the sources.
    ours = (game.title, *game.aliases)
    return game.slug, *ours, *(say.in_context(game_context(game.slug), name) for name in ours)


def _rank_name_match(say: Reader, game: Game, typed: str) -> int:
    """Return how far down a game comes among those that match what was typed."""
    wanted = fold_name(typed)
    if not wanted or wanted in map(fold_name, _list_names(say, game)):
        return 0
    return 1 if fold_name(format_title(say, game)).startswith(wanted) else 2
