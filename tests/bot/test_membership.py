"""Servers of which the bot is no member.

Nothing is stored there, and one sentence says why; commands that need no server still work.
"""

from typing import Any

import discord
import pytest
from discord import AppCommandOptionType, app_commands

from bot.features.challenges.store import Challenges
from bot.features.matches.store import Matches
from bot.platform.context import RequestOutcome
from bot.platform.ui.declarations import DIRECT, EVERYWHERE, collect_menus
from lab.commands_page import list_commands
from tests.support.club import SimulatedClub
from tests.support.driver import (
    extract_text,
    find_button,
    get_ephemeral_text,
    get_newest_message,
    get_response,
    list_button_labels,
    list_public_messages,
    start_match,
)
from tests.support.panels import change_settings
from tests.support.stored import load_due
from tests.support.uses import Outcomes, collect_answer, list_uses

pytestmark = pytest.mark.asyncio

ABSENT = (
    "I'm not a member of this server, so that doesn't work here. A server manager can invite me; "
    "`/rules`, `/puzzle` and, in our direct messages, `/play` against the computer work anyway."
)
OUTSIDE = (
    "That works in the channels of a server that has invited me. Against the computer you can also "
    "play in our direct messages, with `/play`."
)


async def leave_guild(club: SimulatedClub) -> None:
    """Let the bot be a member of the club's server no longer; its commands stay there.

    So it is as well where it was only authorised for commands, or somebody installed it for
    themselves.
    """
    club.env.backend.emit("GUILD_DELETE", {"id": str(club.guild.id)})
    await club.env.settle()


async def load_stored_state(club: SimulatedClub) -> tuple[object, ...]:
    """What the store has of challenges, matches and jobs."""
    challenge, match = (
        await club.store.get(Challenges).load_challenge(1),
        await club.store.get(Matches).load_row(1),
    )
    jobs = [(job.kind, job.key, job.revision) for job in await load_due(club.store.jobs, 2**62, 99)]
    return challenge, match, sorted(jobs)


@pytest.mark.parametrize(
    ("command", "options"),
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
    club: SimulatedClub, command: str, options: dict[str, Any]
) -> None:
    await leave_guild(club)
    before = await load_stored_state(club)
    text = get_ephemeral_text(await club.ana.slash(club.channel, command, **options))
    if command == "puzzle":
        assert "\n" in text
    else:
        assert text == ABSENT
    assert await load_stored_state(club) == before
    assert list_public_messages(club) == []
    assert not (await club.store.servers.load_settings(club.guild.id)).channels
    assert (await club.store.servers.load_settings(club.guild.id)).rated


@pytest.mark.usefixtures("own_throws")
async def test_old_buttons_change_nothing_where_the_bot_is_a_member_no_longer(
    club: SimulatedClub,
) -> None:
    offered = get_response(await club.cyn.slash(club.channel, "play")).message
    await start_match(club, "zeno")
    await club.ana.slash(club.channel, "challenge", game="zeno")
    challenge, board = get_newest_message(club), list_public_messages(club)[-2]
    await leave_guild(club)
    before = await load_stored_state(club)
    for person, message, custom_id in (
        (club.ben, challenge, find_button(challenge, ":accept")),
        (club.ana, challenge, find_button(challenge, ":decline")),
        (club.ben, board, find_button(board, ":roll")),
        (club.cyn, offered, find_button(offered, "begin:zeno")),
    ):
        assert get_ephemeral_text(await person.click(message, custom_id=custom_id)) == ABSENT
    assert await load_stored_state(club) == before


async def test_what_needs_no_server_works_where_the_bot_is_no_member(club: SimulatedClub) -> None:
    await leave_guild(club)
    helped = await club.ana.slash(club.channel, "help")
    assert "Where to start" in get_ephemeral_text(helped)
    answer = await club.ana.slash(club.channel, "rules")
    assert ": the rules" in get_ephemeral_text(answer)
    await club.ana.select(get_response(answer).message, custom_id="rules:game", values=["pyf"])
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
    assert "You can challenge people and run leagues in a server" in extract_text(helped)
    club.bot.app.measures = outcomes = Outcomes()
    for label in list_button_labels(helped):
        answer = get_response(await club.ana.user.click(helped, label=label)).message
        assert outcomes.last is RequestOutcome.DONE, label
        # Nor a second press.
        assert not [each for each in list_button_labels(answer) if each.startswith("Challenge")]


def find_offers(extra: str) -> set[str]:
    """Return the outermost commands of those that declare to work so."""
    return {each.qualified_name.split()[0] for each in list_commands() if each.extras[extra]}


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
    assert elsewhere == find_offers(EVERYWHERE)
    # What is done in matches works in direct messages with the bot, too.
    direct = find_offers(DIRECT) - elsewhere
    assert direct == {"roll", "undo"}
    # So are the menus of its messages.
    of_messages = {
        each.name for each in collect_menus() if each.type is discord.AppCommandType.message
    }
    assert {name for name, told in found.items() if told == ([0, 1], [0, 1])} == (
        direct | of_messages
    )
    servers = set(found) - elsewhere - direct - of_messages
    assert {name for name, told in found.items() if told == ([0], [0])} == servers


async def test_every_command_is_refused_only_where_it_declares_that_it_does_not_work(
    club: SimulatedClub,
) -> None:
    club.bot.app.measures = outcomes = Outcomes()
    offered = find_offers(DIRECT)
    for command in list_commands():
        name = command.qualified_name
        if name.split()[0] in offered:
            use = next(list_uses(command, {AppCommandOptionType.user: club.ben.user}))
            told = await collect_answer(club, club.ana.user.slash(name, **use))
            assert (OUTSIDE in told) is not command.extras[DIRECT], name
            assert outcomes.last is not RequestOutcome.FAILED, name
    await leave_guild(club)
    for command in list_commands():
        name = command.qualified_name
        use = next(list_uses(command, {AppCommandOptionType.user: club.ben}))
        told = await collect_answer(club, club.ana.slash(club.channel, name, **use))
        # What answers a puzzle plays in a match as well, where none is open.
        assert (ABSENT in told) is (name == "move" or not command.extras[EVERYWHERE]), name
        assert outcomes.last is not RequestOutcome.FAILED, name


@pytest.mark.parametrize(
    ("command", "options"),
    [("match follow", {"match": 1}), ("me profile", {})],
)
async def test_commands_of_a_group_are_refused_where_they_need_a_server(
    club: SimulatedClub, command: str, options: dict[str, Any]
) -> None:
    await start_match(club, "zeno")
    answer = get_response(await club.ana.user.slash(command, **options))
    assert extract_text(answer.message) == OUTSIDE
