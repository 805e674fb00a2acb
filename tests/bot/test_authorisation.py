"""Nobody sees, changes or overwrites what is not theirs, whatever their client sends.

These tests let every kind of person send everything that is declared from every place, and look at
the rows, at what they are shown, and at the messages that stand. `authorisation.py` says whose
right something is.
"""

import re
import shutil
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from itertools import islice, starmap
from pathlib import Path
from typing import Any

import discord
import pytest
import pytest_asyncio
from simcord import InteractionResult
from simcord.results import to_discord_message

from bot.platform.ui.declarations import collect_menus, collect_presses, server_group
from engine.games import GAMES
from lab.commands_page import Command, list_commands
from tests.bot.authorisation import (
    ACTORS,
    CHOICES,
    COMMANDS,
    CONTROLS,
    DIRECT,
    ELSEWHERE,
    ENTRANT,
    MEMBERS,
    OF_ANA,
    OUTSIDE,
    PLAYERS,
    RIGHTFUL,
    STRANGER,
    ClubWorld,
    CommandRule,
    build_world,
    get_control_rule,
    list_asked,
)
from tests.support.club import SimulatedClub, open_club
from tests.support.driver import extract_text, find_button, get_response, list_menus
from tests.support.forging import (
    COMPONENT,
    Actor,
    Change,
    ForgedRequest,
    NamedPerson,
    Rows,
    list_changes,
    load_messages,
    load_rows,
    make_command,
    make_menu_use,
    make_message_use,
    make_presses,
    read_reply,
    send,
)
from tests.support.sweeps import mark_sweeps

FILE = "club.sqlite3"
OWN_TABLES = frozenset({"jobs", "metadata", "presences", "people"})
"""The program's own, and names as they are now: what follows is looked at where it ends."""
MAX_AT_ONCE = 24
"""Requests that are sent without waiting for the answers in between."""
UNSHOWN = "That button no longer works."
IN_A_MATCH = "'name': 'match', 'type': 4"
"""How the data of a command shows that it names a match."""


@pytest_asyncio.fixture
async def world(new_file: Path, tmp_path: Path) -> AsyncIterator[ClubWorld]:
    """Everything that somebody could want to see or to change."""
    file = Path(shutil.copy(new_file, tmp_path / FILE))
    async with open_club(file) as club:
        world = await build_world(club, file)
        # After a minute without the program's heartbeat it would find an outage.
        club.hands.stop()
        yield world


async def send_all(
    world: ClubWorld, actor: Actor, requests: Iterable[ForgedRequest]
) -> list[tuple[ForgedRequest, InteractionResult]]:
    """Let somebody send requests, and wait until all that comes of them is done."""
    sent = []
    for some in split_requests(requests, MAX_AT_ONCE):
        sent += [(each, send(world.club, actor, each)) for each in some]
        await world.club.env.settle()
    await world.club.advance_clock(0)
    return sent


def split_requests(
    requests: Iterable[ForgedRequest], count: int
) -> Iterator[tuple[ForgedRequest, ...]]:
    """Yield so many requests at a time."""
    left = iter(requests)
    while some := tuple(islice(left, count)):
        yield some


def name_people(world: ClubWorld, text: str) -> str:
    """Return a text of a line with the people that it names."""
    people = {
        OF_ANA: world.club.ana.id,
        "{cyn}": world.club.cyn.id,
        "{eve}": world.actors[ENTRANT].person,
    }
    for mark, person in people.items():
        text = text.replace(mark, str(person))
    return text


def fill_options(world: ClubWorld, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a line with the people that they name."""
    ana = NamedPerson(world.club.ana.id)
    return {name: ana if value == OF_ANA else value for name, value in options.items()}


def find_foreign(changes: Iterable[Change], actor: Actor) -> list[Change]:
    """Return the changes of rows that name neither whoever asked nor a server that they manage."""
    return [
        each
        for each in changes
        if actor.person not in each.row
        and not (actor.name == ELSEWHERE and actor.guild in each.row)
        and not any(str(actor.person) in value for value in each.row if isinstance(value, str))
        and each.table not in OWN_TABLES
    ]


async def check_shown(
    world: ClubWorld, actor: Actor, sent: Iterable[tuple[ForgedRequest, InteractionResult]]
) -> list[str]:
    """Return what somebody was shown that is not for them, with what they had sent."""
    wrong = []
    for request, result in sent:
        reply = await read_reply(result)
        caption = "\n".join((reply.text, *reply.choices))
        wrong += [
            f"{actor.name} is shown {text!r} by {request.name} {dict(request.data)}"
            for text, audience in world.canaries.items()
            if text in caption and actor.name not in audience
        ]
    return wrong


def list_overwritten(before: Mapping[int, str], after: Mapping[int, str]) -> list[str]:
    """Return the messages that no longer stand as they did."""
    return [
        f"{text[:200]} -> {after.get(number, 'gone')[:200]}"
        for number, text in before.items()
        if after.get(number) != text
    ]


def test_every_line_is_of_something_that_is_declared() -> None:
    assert COMMANDS.keys() <= {each.qualified_name for each in list_commands()}
    assert CONTROLS.keys() <= collect_presses().keys()


def is_for_managers(command: Command) -> bool:
    """Whether Discord itself offers a command to managers alone."""
    top = command.root_parent or command
    return bool(top.default_permissions and top.default_permissions.manage_guild)


def test_discord_offers_what_is_for_managers_to_managers_alone() -> None:
    managed = {each.qualified_name for each in list_commands() if is_for_managers(each)}
    assert managed == {
        each.qualified_name for each in list_commands() if each.parent is server_group
    }


def find_rule(command: Command) -> CommandRule:
    """Return the line of a command; without one everybody may ask for it, and it adds nothing."""
    return COMMANDS.get(command.qualified_name, CommandRule())


def make_requests(world: ClubWorld, actor: Actor, command: Command) -> list[ForgedRequest]:
    """Return what an actor asks by a command."""
    name = command.qualified_name
    if actor.name in find_rule(command).rightful or (
        is_for_managers(command) and actor.name not in (ELSEWHERE, OUTSIDE)
    ):
        return []
    return [make_command(name, fill_options(world, each)) for each in list_asked(command)]


@pytest.mark.asyncio
@pytest.mark.parametrize("who", mark_sweeps(ACTORS, (STRANGER, DIRECT).__contains__))
async def test_nobody_sees_or_changes_what_is_not_theirs(world: ClubWorld, who: str) -> None:
    actor = world.actors[who]
    wrong = [
        *await try_half_typed_options(world, actor),
        *await try_hidden_ids(world, actor),
        *await try_shown_controls(world, actor),
        # Last, since whoever joins something takes part in it.
        *await try_commands(world, actor),
    ]
    assert not wrong, "\n".join(wrong)


async def try_commands(world: ClubWorld, actor: Actor) -> list[str]:
    """Return what commands show or change that is not an actor's own."""
    wrong: list[str] = []
    # Who joins something may see more of it, and its message changes.
    loud = [each for each in list_commands() if find_rule(each).edits]
    quiet = [each for each in list_commands() if each not in loud]
    for commands in (quiet, loud):
        requests = [each for one in commands for each in make_requests(world, actor, one)]
        requests += list_menu_uses(world) if commands == quiet else []
        adds = {table for each in commands for table in find_rule(each).adds}
        rows, messages = load(world), load_messages(world.club, but_of=actor.person)
        sent = await send_all(world, actor, requests)
        changes = find_foreign(list_changes(rows, load(world)), actor)
        touches = {table for each in commands for table in find_rule(each).touches}
        wrong += [
            str(each)
            for each in changes
            if each.table not in touches and not (each.is_new and each.table in adds)
        ]
        if commands == quiet:
            wrong += await check_shown(world, actor, sent)
            after = load_messages(world.club, but_of=actor.person)
            wrong += list_overwritten(messages, after)
    return wrong


def list_menu_uses(world: ClubWorld) -> list[ForgedRequest]:
    """Return what is asked by the menus of Ana and of every message, wherever they are."""
    uses = []
    for menu in collect_menus():
        if menu.type is discord.AppCommandType.user:
            uses.append(make_menu_use(menu.name, world.club.ana.id))
        else:
            uses += [make_message_use(menu.name, *at) for at in world.messages.values()]
    return uses


def load(world: ClubWorld) -> Rows:
    """Return the rows as they are now."""
    return load_rows(world.file)


async def open_help(world: ClubWorld, actor: Actor) -> int:
    """Return a message that an actor alone sees."""
    ((_, answer),) = await send_all(world, actor, [make_command("help", {})])
    assert answer.response is not None
    return answer.response.id


def list_shown_ids(world: ClubWorld, message: int | None) -> set[str]:
    """Return the ids of the controls that a message shows."""
    for posted in world.club.env.backend.messages.values():
        if message in posted:
            return set(re.findall(r"'custom_id': '([^']*)'", str(posted[message].components)))
    return set()


async def try_hidden_ids(world: ClubWorld, actor: Actor) -> list[str]:
    """Return what ids do that no message shows: nothing at all, with whatever message."""
    wrong: list[str] = []
    here = [at for channel, at in world.messages.values() if channel == actor.channel]
    for message in (*here, await open_help(world, actor), None):
        shown = list_shown_ids(world, message)
        requests = [
            request
            for control in starmap(get_control_rule, collect_presses().items())
            for custom_id in control.ids
            if name_people(world, custom_id) not in shown
            for request in make_presses(
                name_people(world, custom_id),
                message,
                [name_people(world, each) for each in control.picked],
            )
        ]
        rows, messages = load(world), load_messages(world.club, but_of=actor.person)
        sent = await send_all(world, actor, requests)
        wrong += await check_shown(world, actor, sent)
        wrong += [
            str(each) for each in list_changes(rows, load(world)) if each.table not in OWN_TABLES
        ]
        after = load_messages(world.club, but_of=actor.person)
        wrong += list_overwritten(messages, after)
        wrong += [f"posted: {after[each][:200]}" for each in after.keys() - messages.keys()]
    return wrong


async def try_shown_controls(world: ClubWorld, actor: Actor) -> list[str]:
    """Return what controls that everyone sees show or change of others for an actor."""
    if actor.name not in MEMBERS:
        # What others see in their places is their own.
        return []
    requests = [
        request
        for channel, message in world.messages.values()
        if channel == actor.channel
        for custom_id in sorted(list_shown_ids(world, message))
        if not may_use(actor, custom_id)
        for request in make_presses(custom_id, message, list_entries(world, message, custom_id))
    ]
    assert len(requests) > len(world.messages)
    rows, messages = load(world), load_messages(world.club, but_of=actor.person)
    sent = await send_all(world, actor, requests)
    wrong = await check_shown(world, actor, sent)
    wrong += [str(each) for each in find_foreign(list_changes(rows, load(world)), actor)]
    wrong += list_overwritten(messages, load_messages(world.club, but_of=actor.person))
    return wrong


def may_use(actor: Actor, custom_id: str) -> bool:
    """Whether it is an actor's right to use a control so that what is others' changes."""
    return any(
        actor.name in people and re.fullmatch(pattern, custom_id)
        for pattern, people in RIGHTFUL.items()
    )


def list_entries(world: ClubWorld, message: int, custom_id: str) -> list[str]:
    """Return the first entry of a menu of a message; nothing for a button."""
    for posted in world.club.env.backend.messages.values():
        if message in posted:
            shown = to_discord_message(world.club.env, posted[message])
            return [
                menu.options[0].value for menu in list_menus(shown) if menu.custom_id == custom_id
            ]
    return []


def list_half_typed() -> list[tuple[str, str]]:
    """Return every option of a command that Discord completes while it is typed."""
    return [
        (command.qualified_name, option.display_name)
        for command in list_commands()
        for option in command.parameters
        if option.autocomplete
    ]


async def try_half_typed_options(world: ClubWorld, actor: Actor) -> list[str]:
    """Return what is offered of others while an option is typed, and what that changes."""
    requests = [
        make_command(name, {**filled, option: typed}, focused=option)
        for name, option in list_half_typed()
        for filled in CHOICES.get(name, ({},))
        for typed in ("", "canary", "1")
    ]
    rows = load(world)
    sent = await send_all(world, actor, requests)
    wrong = await check_shown(world, actor, sent)
    wrong += [str(each) for each in find_foreign(list_changes(rows, load(world)), actor)]
    if actor.name in PLAYERS:
        return wrong
    plays = [
        f"{request.name} offers {choices}"
        for request, result in sent
        if request.name in ("/move play", "/match try play") and IN_A_MATCH in str(request.data)
        if (choices := (await read_reply(result)).choices)
    ]
    return [*wrong, *plays]


@pytest.mark.asyncio
async def test_a_menu_takes_only_the_entries_that_it_offers(club: SimulatedClub) -> None:
    page = get_response(await club.cyn.slash(club.channel, "rules", game="zeno")).message
    menu = list_menus(page)[0]
    offered = {option.value for option in menu.options}
    beside = next(slug for slug in GAMES if slug not in offered)
    before = extract_text(page)
    actor = Actor(STRANGER, club.cyn.id, club.guild.id, club.channel.id)
    button = find_button(page, "")
    for custom_id, value in ((menu.custom_id, beside), (button, min(offered))):
        data = {"custom_id": custom_id, "component_type": 3, "values": [value]}
        result = send(club, actor, ForgedRequest(custom_id, COMPONENT, data, page.id))
        await club.env.settle()
        assert UNSHOWN in (await read_reply(result)).text
    assert extract_text(reload(club, page)) == before
    await club.cyn.select(page, [min(offered)], custom_id=menu.custom_id)
    assert extract_text(reload(club, page)) != before


def reload(club: SimulatedClub, message: discord.Message) -> discord.Message:
    """Return a message as it is now."""
    return to_discord_message(club.env, club.env.backend.get_message(club.channel.id, message.id))
