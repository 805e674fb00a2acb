"""Servers of which the bot is no member.

Nothing is stored there, and one sentence says why; commands that need no server still work.
"""

from typing import Any

import pytest
from discord import app_commands

from lab.commands_page import list_commands
from tests.bot.conftest import SimulatedClub
from tests.bot.driver import (
    extract_text,
    find_button,
    get_ephemeral_text,
    get_newest_message,
    get_response,
    list_button_labels,
    list_public_messages,
    start_match,
)
from tests.bot.panels import change_settings

pytestmark = pytest.mark.asyncio

ABSENT = (
    "I'm not a member of this server, so that doesn't work here. A server manager can invite me; "
    "`/play` against the computer, in our direct messages, `/rules` and `/puzzle` work anyway."
)
OUTSIDE = (
    "That works in the channels of a server that has invited me. Against the computer you can also "
    "play in our direct messages, with `/play`."
)
EVERYWHERE = {
    "analyse",
    "calendar",
    "games",
    "history",
    "learn",
    "matches",
    "rules",
    "help",
    "puzzle",
    "privacy",
    "data export",
    "data delete",
    "match note",
    "me language",
    "me pages",
    "me settings",
    "me vacation",
    "me block",
    "move",
    "play",
    "print",
}
"""The commands that need no server: they show a page, or what concerns the person alone."""


async def leave_guild(club: SimulatedClub) -> None:
    """Let the bot be a member of the club's server no longer; its commands stay there.

    So it is as well where it was only authorised for commands, or somebody installed it for
    themselves.
    """
    club.env.backend.emit("GUILD_DELETE", {"id": str(club.guild.id)})
    await club.env.settle()


async def load_stored_state(club: SimulatedClub) -> tuple[object, ...]:
    """What the store has of challenges, matches and jobs."""
    challenge, match = await club.store.challenges.get(1), await club.store.matches.get(1)
    jobs = [(job.kind, job.key, job.revision) for job in await club.store.jobs.load_due(2**62, 99)]
    return challenge, match, sorted(jobs)


@pytest.mark.parametrize(
    ("command", "given"),
    [
        ("challenge", {"game": "zeno"}),
        ("roll", {}),
        ("move", {"play": "a-b"}),
        ("leaderboard", {}),
        ("me profile", {}),
        ("match board", {}),
        ("match follow", {"match": 1}),
        ("server settings", {}),
        ("puzzle", {"share": True}),
    ],
)
async def test_nothing_is_stored_where_the_bot_is_no_member(
    club: SimulatedClub, command: str, given: dict[str, Any]
) -> None:
    await leave_guild(club)
    before = await load_stored_state(club)
    told = get_ephemeral_text(await club.ana.slash(club.channel, command, **given))
    if command == "puzzle":
        assert "\n" in told
    else:
        assert told == ABSENT
    assert await load_stored_state(club) == before
    assert list_public_messages(club) == []
    assert not (await club.store.servers.get(club.guild.id)).channels
    assert (await club.store.servers.get(club.guild.id)).rated


async def test_old_buttons_change_nothing_where_the_bot_is_a_member_no_longer(
    club: SimulatedClub,
) -> None:
    helped = get_response(await club.cyn.slash(club.channel, "help")).message
    await start_match(club, "zeno")
    await club.ana.slash(club.channel, "challenge", game="zeno")
    challenge, board = get_newest_message(club), list_public_messages(club)[-2]
    await leave_guild(club)
    before = await load_stored_state(club)
    for person, message, custom_id in (
        (club.ben, challenge, find_button(challenge, ":accept")),
        (club.ana, challenge, find_button(challenge, ":decline")),
        (club.ben, board, find_button(board, ":roll")),
        (club.cyn, helped, find_button(helped, "begin:zeno")),
    ):
        assert get_ephemeral_text(await person.click(message, custom_id=custom_id)) == ABSENT
    assert await load_stored_state(club) == before


async def test_what_needs_no_server_works_where_the_bot_is_no_member(club: SimulatedClub) -> None:
    await leave_guild(club)
    helped = await club.ana.slash(club.channel, "help")
    assert "Your first game" in get_ephemeral_text(helped)
    assert list_button_labels(get_response(helped).message) == [
        "Learn in three minutes",
        "Play the computer",
        "All games",
    ]
    opened = await club.ana.click(get_response(helped).message, label="All games")
    assert ": the rules" in get_ephemeral_text(opened)
    await club.ana.select(get_response(opened).message, custom_id="rules:game", values=["pyf"])
    assert "### Zeno: the rules" in get_ephemeral_text(
        await club.ana.slash(club.channel, "rules", game="zeno")
    )
    assert "no match in progress" in get_ephemeral_text(
        await club.ana.slash(club.channel, "matches")
    )
    assert "boards that only you see" in get_ephemeral_text(
        await change_settings(club.ana, club.channel)
    )
    puzzle = get_response(await club.ana.slash(club.channel, "puzzle"))
    assert puzzle.ephemeral


async def test_in_direct_messages_help_offers_no_button_that_is_refused(
    club: SimulatedClub,
) -> None:
    helped = get_response(await club.ana.user.slash("help")).message
    assert list_button_labels(helped) == [
        "Learn in three minutes",
        "Play the computer",
        "All games",
    ]
    assert "You can challenge people in a server that has invited me." in extract_text(helped)
    opened = get_response(await club.ana.user.click(helped, label="All games")).message
    assert ": the rules" in extract_text(opened)
    here = get_response(await club.ana.slash(club.channel, "help")).message
    assert list_button_labels(here) == [
        "Learn in three minutes",
        "Play the computer",
        "Offer a quick game",
        "Offer a race",
        "All games",
    ]


async def test_every_command_says_where_it_can_be_used_and_by_whom(club: SimulatedClub) -> None:
    found: dict[str, tuple[list[int], list[int]]] = {}
    for command in club.bot.tree.get_commands():
        assert isinstance(
            command, app_commands.Command | app_commands.Group | app_commands.ContextMenu
        )
        told = command.to_dict(club.bot.tree)
        found[command.name] = told["contexts"], told["integration_types"]
    # Source, docs.discord.com, "Application Commands": servers, the bot's and other direct
    # messages; and for whom the application is installed, a server or a person.
    elsewhere = {name for name, told in found.items() if told == ([0, 1, 2], [0, 1])}
    # Discord keeps it with the outermost command, which a group's commands share.
    offered = {name.split()[0] for name in EVERYWHERE}
    assert elsewhere == offered
    # What is done in matches works in direct messages with the bot, too.
    assert {name for name, told in found.items() if told == ([0, 1], [0, 1])} == {"roll", "undo"}
    servers = set(found) - offered - {"roll", "undo"}
    assert {name for name, told in found.items() if told == ([0], [0])} == servers
    assert {each.qualified_name for each in list_commands() if each.extras["everywhere"]} == (
        EVERYWHERE
    )


@pytest.mark.parametrize(
    ("command", "given"),
    [("match follow", {"match": 1}), ("me profile", {})],
)
async def test_commands_of_a_group_are_refused_where_they_need_a_server(
    club: SimulatedClub, command: str, given: dict[str, Any]
) -> None:
    await start_match(club, "zeno")
    told = get_response(await club.ana.user.slash(command, **given))
    assert extract_text(told.message) == OUTSIDE
