"""Moderators' rulings, when people come and go."""

import discord
import pytest

from bot.features.matches.store import Matches
from tests.bot.test_moderation import end_match
from tests.bot.test_powers import MANAGERS, offer_managers_commands
from tests.bot.test_privacy import delete_data
from tests.store.test_privacy import dump_values, find_traces
from tests.support.club import SimulatedClub
from tests.support.driver import extract_text, get_ephemeral_text, get_newest_message, start_match

pytestmark = pytest.mark.asyncio


async def test_a_ruling_holds_when_the_player_or_the_moderator_is_deleted(
    club: SimulatedClub,
) -> None:
    await start_match(club, "zeno")
    await end_match(club, 1, "annul", f"<@{club.ben.id}> and Ben's brother are one")
    await delete_data(club, club.ben)
    log = get_ephemeral_text(await club.ana.slash(club.channel, "server log"))
    assert f"<@{club.ana.id}>: annulled, " in log
    assert "deleted player and deleted player's brother are one" in log
    assert "Annulled" in extract_text(get_newest_message(club))
    await delete_data(club, club.ana)
    assert find_traces(await dump_values(club.store), str(club.ana.id), str(club.ben.id)) == set()
    # The words were Ana's own; that somebody ruled stays, and it can't be done again.
    log = get_ephemeral_text(await club.ana.slash(club.channel, "server log"))
    assert "deleted player" in log
    assert "brother" not in log
    again = get_ephemeral_text(await end_match(club, 1, "annul"))
    assert again == "Match 1 has already been annulled."


async def test_another_manager_goes_on_and_who_lost_the_power_does_not(
    club: SimulatedClub,
) -> None:
    offer_managers_commands(club)
    for _ in range(2):
        await start_match(club, "zeno")
    may = discord.Permissions(manage_guild=True)
    role = club.guild.create_role("managers", permissions=may)
    members = club.env.backend
    members.add_member_role(club.guild.id, club.ben.id, role.id)
    await club.env.settle()
    await club.ben.slash(club.channel, "server end", match=1, how="draw", reason="both asked")
    members.remove_member_role(club.guild.id, club.ben.id, role.id)
    await club.env.settle()
    answer = await club.ben.slash(club.channel, "server end", match=2, how="draw", reason="again")
    assert get_ephemeral_text(answer) == MANAGERS
    await end_match(club, 2, "draw")
    rows = await club.store.get(Matches).load_rows([1, 2])
    assert [row.how for row in rows] == ["adjudicated", "adjudicated"]
