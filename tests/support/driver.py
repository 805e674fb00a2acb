"""What people do in the club, by what they see there."""

import json
import re
from collections.abc import Callable, Coroutine, Iterator, Mapping
from functools import partial
from typing import Any

import discord
import simcord
from simcord.results import to_discord_message

from bot.features.challenges.computer_seats import play_computer
from bot.features.challenges.terms import MatchRequest, MatchTerms
from bot.features.matches.service import Action, resign_match
from bot.platform.db.preferences import PlayerPreferences
from bot.platform.people import DiscordPerson
from bot.platform.ui.card import Card
from bot.platform.ui.controls import FIELD
from bot.platform.ui.layout import fit_card
from engine.clock import MINUTE
from engine.events import SetUp
from engine.games import find_game
from engine.players.level import Level
from tests.support.club import SimulatedClub

_walked: list[tuple[object, list[Any]]] = []
"""What the message looked at last has as components, and what discord.py makes of them."""


def walk_parts(message: discord.Message | None) -> Iterator[Any]:
    """Everything that a message is made of."""
    if message is None:
        return
    # Most tests look several times at one message. If it is edited, it has other components.
    if not _walked or _walked[0][0] is not message.components:
        parts = discord.ui.LayoutView.from_message(message).walk_children()
        _walked[:] = [(message.components, list(parts))]
    yield from _walked[0][1]


def extract_raw_text(message: discord.Message | None) -> str:
    """All that a message says, letter by letter."""
    return "\n".join(
        part.content for part in walk_parts(message) if isinstance(part, discord.ui.TextDisplay)
    )


def extract_text(message: discord.Message | None) -> str:
    """All that a message says, with plays, throws and commands as they are typed."""
    return write_commands(extract_raw_text(message).replace("\u2011", "-"))


def write_commands(text: str) -> str:
    """A text with its mentions of commands as people type them, what is typed after them too."""
    return re.sub(
        r"</([^:>]+):[0-9]+>(?: `([^`]*)`)?",
        lambda found: f"`/{' '.join(filter(None, found.groups()))}`",
        text,
    )


def list_card_texts(card: Card) -> tuple[str, ...]:
    """The texts of a card as they are sent."""
    shown = fit_card(card)
    return tuple(part for part in (*shown.texts, *shown.below) if isinstance(part, str))


def list_button_labels(message: discord.Message | None) -> list[str]:
    """The labels of a message's buttons."""
    return [part.label or "" for part in walk_parts(message) if isinstance(part, discord.ui.Button)]


def list_menus(message: discord.Message | None) -> list[discord.ui.Select[Any]]:
    """The menus of a message."""
    return [part for part in walk_parts(message) if isinstance(part, discord.ui.Select)]


def list_control_ids(message: discord.Message | None) -> list[str]:
    """The ids of a message's buttons and menus that act in a match."""
    ids = [
        part.custom_id or ""
        for part in walk_parts(message)
        if isinstance(part, discord.ui.Button | discord.ui.Select)
    ]
    return [custom_id for custom_id in ids if re.match(r"(match|plays|man)[.:]", custom_id)]


def find_button(message: discord.Message | None, ending: str) -> str:
    """The id of the first button whose id ends so; labels are other ones in other languages."""
    return next(each for each in list_button_ids(message) if each.endswith(ending))


def list_button_ids(message: discord.Message | None) -> list[str]:
    """The ids of the buttons of a message."""
    return [
        part.custom_id or "" for part in walk_parts(message) if isinstance(part, discord.ui.Button)
    ]


def list_pictures(message: discord.Message | None) -> list[discord.MediaGalleryItem]:
    """The pictures of a message, each with what it says to those who cannot see it."""
    galleries = [part for part in walk_parts(message) if isinstance(part, discord.ui.MediaGallery)]
    return [item for gallery in galleries for item in gallery.items]


def list_public_messages(club: SimulatedClub) -> list[discord.Message]:
    """The messages that everyone sees, the oldest first."""
    return [message for message in club.channel.history() if not message.flags.ephemeral]


def list_posts(club: SimulatedClub, *beginnings: str) -> list[discord.Message]:
    """The messages that everyone sees whose texts begin with one of these, the oldest first."""
    return [
        message
        for message in list_public_messages(club)
        if extract_text(message).startswith(beginnings)
    ]


def list_direct_texts(person: simcord.MemberActor) -> list[str]:
    """All that was written to somebody alone, the oldest first."""
    return [extract_text(message) for message in person.user.dm_channel.history()]


def get_newest_message(club: SimulatedClub) -> discord.Message:
    """The newest message that everyone sees."""
    posted = club.env.backend.messages[club.channel.id].values()
    # Only this one is made into what discord.py has: a season's channel holds hundreds.
    last = max(
        (message for message in posted if message.visible_to(None)), key=lambda message: message.id
    )
    return to_discord_message(club.env, last)


def list_live_messages(club: SimulatedClub) -> list[discord.Message]:
    """The messages that carry controls of a match."""
    return [message for message in list_public_messages(club) if list_control_ids(message)]


def find_mentioned_player(club: SimulatedClub) -> simcord.MemberActor:
    """The one whom the newest message's last line above the small print calls."""
    lines = [
        line
        for line in extract_text(get_newest_message(club)).splitlines()
        if not line.startswith("-#")
    ]
    found = re.search(r"<@(\d+)>", lines[-1])
    assert found, lines
    return next(person for person in (club.ana, club.ben, club.cyn) if person.id == int(found[1]))


async def start_match(club: SimulatedClub, game: str, **options: Any) -> None:
    """Ana challenges Ben, who accepts."""
    await club.ana.slash(club.channel, "challenge", game=game, opponent=club.ben, **options)
    # In another match the bot may have thrown since, and posted its board.
    offer = next(
        message
        for message in reversed(list_public_messages(club))
        if any(custom_id.endswith(":accept") for custom_id in list_button_ids(message))
    )
    await club.ben.click(offer, custom_id=find_button(offer, ":accept"))


async def begin_in_position(
    club: SimulatedClub,
    channel: simcord.ChannelHandle,
    game: str,
    opening: SetUp,
    *,
    rated: bool = False,
    options: Mapping[str, str] | None = None,
) -> int:
    """Ana begins a match against the computer in a position; return its number."""
    person = DiscordPerson(club.ana.id, club.ana.name)
    request = MatchRequest(club.guild.id, channel.id, person, f"begins at {club.hands()}")
    terms = MatchTerms(find_game(game), options or {}, rated=rated)
    result = await play_computer(club.bot.app, request, terms, Level.BEGINNER, opening=opening)
    await club.advance_clock(0)
    assert result.match is not None
    return result.match


async def choose_own_throws(club: SimulatedClub, *people: simcord.MemberActor) -> None:
    """Let people throw their own dice, so that their messages have a button for that."""
    for person in people:
        await club.bot.app.save_people(DiscordPerson(person.id, person.name))
        await club.store.preferences.save(person.id, PlayerPreferences(throws=False))


def add_member(club: SimulatedClub, login: str) -> simcord.MemberActor:
    """Another person in the club's server."""
    return club.guild.add_member(club.env.create_user(login, global_name=login.title()))


async def use_first_control(person: simcord.MemberActor, message: discord.Message) -> None:
    """Pick the first entry of a message's menu, or press the first button that acts in a match."""
    if menus := list_menus(message):
        first = menus[0].options[0].value
        await person.select(message, custom_id=menus[0].custom_id, values=[first])
    else:
        await person.click(message, custom_id=list_control_ids(message)[0])


def find_next_action(club: SimulatedClub) -> Callable[[], Coroutine[Any, Any, Any]] | None:
    """Return the next requested act, by its button or menu; None when the match is over."""
    message = get_newest_message(club)
    acts = [custom_id for custom_id in list_control_ids(message) if not custom_id.endswith(":back")]
    if not acts:
        return None
    person = find_mentioned_player(club)
    if list_menus(message):
        menu = list_menus(message)[0]
        return partial(
            person.select, message, custom_id=menu.custom_id, values=[menu.options[0].value]
        )
    return partial(person.click, message, custom_id=acts[0])


async def take_next_action(club: SimulatedClub) -> bool:
    """Do the next thing that somebody is asked for; False when the match is over."""
    act = find_next_action(club)
    if act is None:
        return False
    await act()
    return True


async def give_up(
    club: SimulatedClub, person: simcord.MemberActor, channel: Any, match: int | None = None
) -> None:
    """Somebody resigns a match, also within its first two turns, where it could only be left."""
    chosen = {} if match is None else {"match": match}
    message = get_response(await person.slash(channel, "match resign", **chosen)).message
    control = list_control_ids(message)[0]
    if control.endswith(":resign"):
        await person.click(message, custom_id=control)
        return
    number = int(control.split(":")[1])
    cause = f"{person.id} gives up match {number}"
    action = Action(number, DiscordPerson(person.id, person.name), cause)
    await resign_match(club.bot.app, action)
    await club.advance_clock(0)


async def press_more(
    actor: simcord.MemberActor, message: discord.Message, label: str
) -> simcord.InteractionResult:
    """Press a button that is behind *More…* under a message of a match."""
    more = get_response(await actor.click(message, label="More…"))
    return await actor.click(more.message, label=label)


async def press_button(
    person: simcord.MemberActor, message: discord.Message, ending: str
) -> simcord.InteractionResult:
    """Press the button whose id ends so, on a message or behind its *More…*."""
    shown = [each for each in walk_parts(message) if isinstance(each, discord.ui.Button)]
    if not any((each.custom_id or "").endswith(ending) for each in shown):
        opened = await person.click(message, custom_id=find_button(message, ":more"))
        message = get_response(opened).message
    return await person.click(message, custom_id=find_button(message, ending))


def get_response(result: simcord.InteractionResult) -> simcord.ResponseMessage:
    """Return the answer to the person who acted.

    It comes beside a button's message, or in place of a command's placeholder.
    """
    answer = result.followups[-1] if result.followups else result.response
    assert answer is not None
    return answer


def get_ephemeral_text(result: simcord.InteractionResult) -> str:
    """What the one who asked was told, alone."""
    answer = get_response(result)
    assert answer.ephemeral
    return extract_text(answer.message)


async def read_record(answer: simcord.InteractionResult) -> dict[str, Any]:
    """The record that came as a file."""
    record: dict[str, Any] = json.loads(await get_response(answer).attachments[0].read())
    return record


def create_second_guild(club: SimulatedClub, name: str, **fields: Any) -> simcord.GuildHandle:
    """Create Ben's server and invite the bot to it.

    simcord reports every new server as one that was unavailable.
    """
    club.env.backend.subscribers.insert(0, _drop_unavailable)
    return club.env.create_guild(name, owner=club.ben.user, **fields)


def _drop_unavailable(event: str, payload: Any) -> None:
    if event == "GUILD_CREATE":
        del payload["unavailable"]


def list_turn_calls(club: SimulatedClub) -> list[discord.Message]:
    """The messages that call somebody to act."""
    return [
        message
        for message in list_public_messages(club)
        if "it's your turn in" in extract_text(message)
    ]


def format_hours_from_now(club: SimulatedClub, began: int, ended: int) -> str:
    """Write hours so many from now as they are typed, to the minute."""
    minutes = [(club.hands() // MINUTE + 60 * each) % (24 * 60) for each in (began, ended)]
    return "-".join(f"{each // 60}:{each % 60:02}" for each in minutes)


async def forge_press(
    club: SimulatedClub,
    person: simcord.MemberActor | simcord.UserHandle,
    message: discord.Message,
    custom_id: str,
    value: str | None = None,
    typed: str | None = None,
) -> simcord.InteractionResult:
    """Let somebody press a control that a message doesn't have, by a client of their own.

    With a value it is a menu from which that was picked, with what was typed the form that a
    button opened. Discord sends the message along as if it showed the control.
    """
    control: dict[str, Any] = {"type": 2, "custom_id": custom_id, "style": 2, "label": "?"}
    if value is not None:
        entry = {"label": "?", "value": value}
        control = {"type": 3, "custom_id": custom_id, "options": [entry]}
    field = {"type": 4, "custom_id": FIELD, "value": typed}

    def forge(event: str, payload: Any) -> None:
        if event == "INTERACTION_CREATE":
            payload["data"] = {"custom_id": custom_id, "component_type": 2}
            if value is not None:
                payload["data"] |= {"component_type": 3, "values": [value]}
            if typed is not None:
                payload["type"] = 5
                payload["data"] = {"custom_id": custom_id, "components": [{"component": field}]}
            shown = {"type": 1, "components": [control]}
            # A copy, as the message is what everybody sees.
            of_message = payload["message"]
            payload["message"] = {**of_message, "components": [*of_message["components"], shown]}

    first = next(part for part in walk_parts(message) if isinstance(part, discord.ui.Button))
    club.env.backend.subscribers.insert(0, forge)
    try:
        return await person.click(message, custom_id=first.custom_id)
    finally:
        club.env.backend.subscribers.remove(forge)
