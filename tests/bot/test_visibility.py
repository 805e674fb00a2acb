"""Who may see a match by its number, and what a number tells those who may not.

Somebody who may not see a match is answered everywhere as if there were none of that number: by
every command that takes one, and by every button that a modified client can make up.
"""

from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from typing import Any, TypeAlias

import discord
import pytest
import simcord
from discord import AppCommandOptionType

from bot.features.matches.commands import CARD_BUILDERS, CHOICES, UNVERSIONED
from bot.features.matches.store import Matches
from bot.features.preferences.store import MatchNotes
from bot.platform.ui.declarations import DIRECT, collect_presses, server_group
from lab.commands_page import list_commands
from tests.bot.test_direct import act
from tests.bot.test_substitution import start_team_match
from tests.support.club import SimulatedClub
from tests.support.driver import (
    add_member,
    create_second_guild,
    forge_press,
    get_ephemeral_text,
    get_newest_message,
    get_response,
    start_match,
)
from tests.support.uses import list_uses

pytestmark = pytest.mark.asyncio

Asker: TypeAlias = simcord.MemberActor | simcord.UserHandle


def list_asked(person: Asker, *, direct: bool) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what can be asked about a match by its number, in direct messages too or in servers."""
    for command in list_commands():
        names = {option.display_name for option in command.parameters}
        if "match" not in names or command.parent is server_group:
            continue
        if command.extras[DIRECT] or not direct:
            uses = list_uses(command, {AppCommandOptionType.user: person})
            seen: list[dict[str, Any]] = []
            for use in ({name: use[name] for name in use.keys() - {"match"}} for use in uses):
                if use not in seen:
                    seen.append(use)
                    yield command.qualified_name, use


ACTS = ("roll", "move:a-b", "back", "leave", "claim", "grant", "agree", "decline")
PRESSES = (
    *(f"match:{{number}}:{version}:{act}" for act in ACTS for version in (0, 1)),
    *(f"match:{{number}}:0:{act}" for act in sorted({*UNVERSIONED, *CHOICES})),
    *(f"ask:{{number}}:{what}" for what in sorted(CARD_BUILDERS)),
    "man:{number}:0:a",
    "man:{number}:1:a",
    "hint:{number}:ask",
    "leagueskip:{number}",
    "hint:{number}:allow",
    "advice:{number}:0:1",
    "advice:{number}:1:1",
    "rematch:{number}",
    "easier:{number}",
    "report:{number}",
    "review:{number}:1:open",
    "playon:{number}:1",
    "tried:{number}:0:a-b",
    "tried:{number}:1:a-b",
    "bring:{number}:{channel}",
    "seat:take:{number}:{ana}:{person}:{ana}",
)
"""Ids of buttons that name a match."""
MENUS = (
    ("plays:{number}:0:0", "a-b"),
    ("plays:{number}:1:0", "a-b"),
    ("boardstyle:{number}", "plain"),
)
"""Menus that name one, and what is picked."""
CHOSEN = (
    "board:picture",
    "board:share",
    "draw:offer",
    "hint:",
    "move:a-b",
    "resign:",
    "roll:",
    "try:a-b",
    "undo:move",
)
"""What a menu carries out in the match that is picked from it: a command and its text."""


def list_requests(club: SimulatedClub, person: int, number: int) -> list[tuple[str, str | None]]:
    """Every control that names a match of that number, with what is picked from it."""
    parts = {
        "number": number,
        "channel": club.channel.id,
        "ana": club.ana.id,
        "person": person,
    }
    return [
        *((each.format(**parts), None) for each in PRESSES),
        *((each.format(**parts), value) for each, value in MENUS),
        *((f"which:0:{each}", str(number)) for each in CHOSEN),
    ]


async def load_everything(club: SimulatedClub) -> list[Any]:
    """What is stored about the matches and about those who look at them."""
    rows = [await club.store.get(Matches).load_row(number) for number in (1, 2)]
    events = [await club.store.get(Matches).load_events(number) for number in (1, 2)]
    return [rows, events, await club.store.get(MatchNotes).load_for_matches(club.cyn.id, [1, 2])]


async def require_same_answers(
    club: SimulatedClub,
    person: Asker,
    ask: Callable[..., Awaitable[simcord.InteractionResult]],
    pressed: discord.Message,
    *,
    direct: bool,
) -> int:
    """Ask everything about match 1 and about match 9, which never was.

    Return how often the answer was that there is no such match.
    """
    before = await load_everything(club)
    commands = list(list_asked(person, direct=direct))
    for name, options in commands:
        text, unknown = [
            get_ephemeral_text(await ask(name, match=number, **options)) for number in (1, 9)
        ]
        assert text.replace("1", "9") == unknown, name
        assert unknown == "There is no match 9.", name
    refused = len(commands)
    for (forged, picked), (never, other) in zip(
        list_requests(club, person.id, 1), list_requests(club, person.id, 9), strict=True
    ):
        text = get_ephemeral_text(await forge_press(club, person, pressed, forged, picked))
        unknown = get_ephemeral_text(await forge_press(club, person, pressed, never, other))
        assert text.replace("1", "9") == unknown, forged
        refused += unknown == "There is no match 9."
    assert await load_everything(club) == before
    return refused


async def test_every_control_that_names_a_match_is_in_the_lists_above() -> None:
    named = {
        verb
        for verb, each in collect_presses().items()
        if any(part.name == "match" for part in each.parts)
    }
    listed = {each.partition(":")[0] for each in (*PRESSES, *(menu for menu, _ in MENUS))}
    assert listed == named, f"name each in PRESSES or MENUS of {__file__}"


async def begin_direct_match(club: SimulatedClub) -> None:
    """Let Ana play the computer in her direct messages until something has happened."""
    await club.ana.user.slash("play", game="zeno")
    await club.advance_clock(0)
    for _ in range(3):
        assert await act(club)


async def test_a_match_in_direct_messages_is_seen_by_its_player_alone(club: SimulatedClub) -> None:
    await begin_direct_match(club)
    cyn = club.cyn.user
    pressed = get_response(await cyn.slash("help")).message
    assert await require_same_answers(club, cyn, cyn.slash, pressed, direct=True) > 70
    # Nor in a server, where it was not played either, also if its player is a member there.
    help_here = get_response(await club.cyn.slash(club.channel, "help")).message
    await require_same_answers(
        club, club.cyn, partial(club.cyn.slash, club.channel), help_here, direct=False
    )
    # Its own player sees it from everywhere.
    for answer in (
        await club.ana.user.slash("match board", match=1),
        await club.ana.slash(club.channel, "match board", match=1),
    ):
        assert "Match 1" in get_ephemeral_text(answer)


async def test_the_record_and_report_of_a_finished_direct_match_are_its_player_s(
    club: SimulatedClub,
) -> None:
    await begin_direct_match(club)
    message = get_response(await club.ana.user.slash("match resign", match=1)).message
    resign = next(
        each.custom_id
        for each in discord.ui.LayoutView.from_message(message).walk_children()
        if isinstance(each, discord.ui.Button) and (each.custom_id or "").endswith(":resign")
    )
    await club.ana.user.click(message, custom_id=resign)
    await club.advance_clock(0)
    pressed = get_response(await club.cyn.user.slash("help")).message
    await require_same_answers(club, club.cyn.user, club.cyn.user.slash, pressed, direct=True)
    own = get_response(await club.ana.user.slash("match record", match=1))
    assert own.attachments


async def test_a_match_of_another_server_is_as_one_that_never_was(club: SimulatedClub) -> None:
    await start_match(club, "zeno")
    other = create_second_guild(club, "Other")
    hall = other.create_text_channel("hall")
    cyn, ben = (other.add_member(person.user) for person in (club.cyn, club.ben))
    pressed = get_response(await cyn.slash(hall, "help")).message
    await require_same_answers(club, cyn, partial(cyn.slash, hall), pressed, direct=False)
    pressed = get_response(await club.cyn.user.slash("help")).message
    await require_same_answers(club, club.cyn.user, club.cyn.user.slash, pressed, direct=True)
    # Those who play in it see it from everywhere, and are told where it goes on.
    assert "Match 1" in get_ephemeral_text(await ben.slash(hall, "match board", match=1))
    answer = await ben.slash(hall, "match board", match=1, share=True)
    assert get_ephemeral_text(answer) == "Match 1 was started elsewhere, and that only works there."
    row = await club.store.get(Matches).load_row(1)
    assert row is not None
    assert (row.guild, row.channel) == (club.guild.id, club.channel.id)


async def test_who_handed_a_seat_over_still_sees_the_match(club: SimulatedClub) -> None:
    _, eve = await start_team_match(club)
    stranger = add_member(club, "finn")
    await club.cyn.slash(club.channel, "match substitute", player=eve)
    await eve.click(get_newest_message(club), label="Take the seat")
    for person in (club.cyn, eve, club.ana):
        shown = await person.user.slash("match board", match=1)
        assert "Match 1" in get_ephemeral_text(shown)
    answer = await stranger.user.slash("match board", match=1)
    assert get_ephemeral_text(answer) == "There is no match 1."
