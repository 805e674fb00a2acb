"""Servers of which the bot is no member.

Nothing is stored there, and one sentence says why; commands that need no server still work.
"""

from typing import Any

import pytest
from discord import app_commands

from tests.bot.conftest import Club
from tests.bot.driver import answer, begin, button, labels, newest, said, seen, text

pytestmark = pytest.mark.asyncio

ABSENT = (
    "I'm not a member of this server, so you can't play matches here. A server manager can invite "
    "me; `/rules` and `/puzzle` work anyway."
)
OUTSIDE = "Matches are played in a server's channels. Use this command there."
EVERYWHERE = {"games", "rules", "help", "puzzle", "note", "settings", "vacation", "block", "move"}
"""The commands that need no server: they show a page, or what concerns the person alone."""


async def leave(club: Club) -> None:
    """Let the bot be a member of the club's server no longer; its commands stay there.

    So it is as well where it was only authorised for commands, or somebody installed it for
    themselves.
    """
    club.env.backend.emit("GUILD_DELETE", {"id": str(club.guild.id)})
    await club.env.settle()


async def stored(club: Club) -> tuple[object, ...]:
    """What the store has of challenges, matches and jobs."""
    challenge, match = await club.store.challenges.get(1), await club.store.matches.get(1)
    jobs = [(job.kind, job.key, job.revision) for job in await club.store.jobs.due(2**62, 99)]
    return challenge, match, sorted(jobs)


@pytest.mark.parametrize(
    ("command", "given"),
    [
        ("challenge", {"game": "zeno"}),
        ("play", {}),
        ("play", {"game": "zeno"}),
        ("roll", {}),
        ("move", {"play": "a-b"}),
        ("leaderboard", {}),
        ("profile", {}),
        ("board", {}),
        ("follow", {"match": 1}),
        ("server matches", {"rated": False}),
        ("server look", {"near": "black"}),
        ("puzzle", {"share": True}),
    ],
)
async def test_nothing_is_stored_where_the_bot_is_no_member(
    club: Club, command: str, given: dict[str, Any]
) -> None:
    await leave(club)
    before = await stored(club)
    told = said(await club.ana.slash(club.channel, command, **given))
    if command == "puzzle":
        assert "\n" in told
    else:
        assert told == ABSENT
    assert await stored(club) == before
    assert seen(club) == []
    assert not (await club.store.servers.get(club.guild.id)).channels
    assert (await club.store.servers.get(club.guild.id)).rated


async def test_old_buttons_change_nothing_where_the_bot_is_a_member_no_longer(club: Club) -> None:
    helped = answer(await club.cyn.slash(club.channel, "help")).message
    await begin(club, "zeno")
    await club.ana.slash(club.channel, "challenge", game="zeno")
    challenge, board = newest(club), seen(club)[-2]
    await leave(club)
    before = await stored(club)
    for person, message, custom_id in (
        (club.ben, challenge, button(challenge, ":accept")),
        (club.ana, challenge, button(challenge, ":decline")),
        (club.ben, board, button(board, ":roll")),
        (club.cyn, helped, button(helped, ":zeno")),
        (club.cyn, helped, button(helped, ":zeno:companion")),
    ):
        assert said(await person.click(message, custom_id=custom_id)) == ABSENT
    assert await stored(club) == before


async def test_what_needs_no_server_works_where_the_bot_is_no_member(club: Club) -> None:
    await leave(club)
    helped = await club.ana.slash(club.channel, "help")
    assert "Your first game" in said(helped)
    assert labels(answer(helped).message) == ["All games"]
    opened = await club.ana.click(answer(helped).message, label="All games")
    assert ": the rules" in said(opened)
    await club.ana.select(answer(opened).message, custom_id="rules:game", values=["pyf"])
    assert "### Zeno: the rules" in said(await club.ana.slash(club.channel, "rules", game="zeno"))
    assert "no match in progress" in said(await club.ana.slash(club.channel, "games"))
    assert "Boards that only you see" in said(await club.ana.slash(club.channel, "settings"))
    puzzle = answer(await club.ana.slash(club.channel, "puzzle"))
    assert puzzle.ephemeral


async def test_in_direct_messages_help_offers_no_button_that_is_refused(club: Club) -> None:
    helped = answer(await club.ana.user.slash("help")).message
    assert labels(helped) == ["All games"]
    assert "Type `/help` in a server that has invited me" in text(helped)
    opened = answer(await club.ana.user.click(helped, label="All games")).message
    assert ": the rules" in text(opened)
    here = answer(await club.ana.slash(club.channel, "help")).message
    assert labels(here) == ["Play me now", "Offer a quick game", "Offer a race", "All games"]


async def test_every_command_says_where_it_can_be_used_and_by_whom(club: Club) -> None:
    found: dict[str, tuple[list[int], list[int]]] = {}
    for command in club.bot.tree.get_commands():
        assert isinstance(command, app_commands.Command | app_commands.Group)
        told = command.to_dict(club.bot.tree)
        found[command.name] = told["contexts"], told["integration_types"]
    # Source, docs.discord.com, "Application Commands": servers, the bot's and other direct
    # messages; and for whom the application is installed, a server or a person.
    elsewhere = {name for name, told in found.items() if told == ([0, 1, 2], [0, 1])}
    assert elsewhere == EVERYWHERE
    assert {name for name, told in found.items() if told == ([0], [0])} == set(found) - EVERYWHERE
