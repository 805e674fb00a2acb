"""Open challenges appear in /games and can be withdrawn there.

Those that nobody can answer get in nobody's way.
"""

import discord
import pytest
import simcord
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.features.challenges.service import LIMITS
from bot.features.challenges.store import Challenges
from bot.features.matches.store import Matches
from tests.support.club import SimulatedClub
from tests.support.driver import (
    extract_text,
    get_ephemeral_text,
    get_newest_message,
    get_response,
    give_up,
    list_button_labels,
    list_menus,
    list_public_messages,
    start_match,
)
from tests.support.stored import load_given_up

pytestmark = pytest.mark.asyncio


async def offer_five(club: SimulatedClub) -> list[discord.Message]:
    """Ana makes as many challenges as she may; return their messages."""
    for _ in range(LIMITS.open):
        await club.ana.slash(club.channel, "challenge", game="zeno")
    return list_public_messages(club)


async def load_states(club: SimulatedClub) -> list[str]:
    """What has become of the challenges, in the order of their numbers."""
    found = [await club.store.get(Challenges).load_challenge(number + 1) for number in range(9)]
    return [challenge.state for challenge in found if challenge]


def delete_unseen(club: SimulatedClub, *messages: discord.Message) -> None:
    """Delete messages while the bot is not looking: no event tells it."""
    for message in messages:
        del club.env.backend.messages[club.channel.id][message.id]


async def test_games_lists_open_challenges_with_their_links_and_withdraws_them(
    club: SimulatedClub,
) -> None:
    await club.ana.slash(club.channel, "challenge", game="zeno")
    await club.ana.slash(club.channel, "challenge", game="tabula", opponent=club.ben)
    first, second = list_public_messages(club)
    there = f"https://discord.com/channels/{club.guild.id}/{club.channel.id}"
    answer = await club.ana.slash(club.channel, "matches")
    assert "### Your open challenges" in get_ephemeral_text(answer)
    assert (
        f"[Zeno, challenge 1]({there}/{first.id}): open to anyone; expires <t:"
        in get_ephemeral_text(answer)
    )
    assert (
        f"[Tabula, challenge 2]({there}/{second.id}): for <@{club.ben.id}>;"
        in get_ephemeral_text(answer)
    )
    page = get_response(answer).message
    (menu,) = list_menus(page)
    assert [option.label for option in menu.options] == [
        "Withdraw Zeno, challenge 1",
        "Withdraw Tabula, challenge 2",
    ]
    await club.ana.select(page, custom_id=menu.custom_id, values=["1"])
    assert await load_states(club) == ["withdrawn", "open"]
    left = club.env.backend.messages[page.channel.id][page.id]
    assert "challenge 1" not in str(left.components)
    assert "challenge 2" in str(left.components)
    assert list_button_labels(list_public_messages(club)[0]) == []


async def test_games_declines_what_somebody_asks_for_elsewhere_also_from_direct_messages(
    club: SimulatedClub,
) -> None:
    await club.ana.slash(club.channel, "challenge", game="zeno", opponent=club.ben)
    message = get_response(await club.ben.user.slash("matches")).message
    assert f"from <@{club.ana.id}>" in extract_text(message)
    (menu,) = list_menus(message)
    assert [option.label for option in menu.options] == ["Decline Zeno, challenge 1"]
    await club.ben.user.select(message, custom_id=menu.custom_id, values=["1"])
    assert await load_states(club) == ["declined"]
    assert "no match in progress" in get_ephemeral_text(
        await club.cyn.slash(club.channel, "matches")
    )


async def test_nobody_withdraws_what_is_not_theirs(club: SimulatedClub) -> None:
    await club.ana.slash(club.channel, "challenge", game="zeno")
    await club.ben.slash(club.channel, "challenge", game="zeno")
    message = get_response(await club.ben.slash(club.channel, "matches")).message
    (menu,) = list_menus(message)
    assert [option.value for option in menu.options] == ["2"]
    with pytest.raises(simcord.SetupError):
        await club.ben.select(message, custom_id=menu.custom_id, values=["1"])
    assert await load_states(club) == ["open", "open"]


async def test_the_refusal_for_too_many_says_how_and_offers_to_withdraw_one(
    club: SimulatedClub,
) -> None:
    await offer_five(club)
    answer = await club.ana.slash(club.channel, "challenge", game="zeno")
    assert get_ephemeral_text(answer) == (
        "You have 5 open challenges, the most allowed. Withdraw one here or with `/matches`, or "
        "wait for an answer."
    )
    (menu,) = list_menus(get_response(answer).message)
    assert [option.value for option in menu.options] == ["1", "2", "3", "4", "5"]
    await club.ana.select(get_response(answer).message, custom_id=menu.custom_id, values=["3"])
    await club.ana.slash(club.channel, "challenge", game="zeno")
    assert await load_states(club) == ["open", "open", "withdrawn", "open", "open", "open"]


async def test_challenges_whose_messages_are_gone_block_nobody(club: SimulatedClub) -> None:
    delete_unseen(club, *await offer_five(club))
    await club.ana.slash(club.channel, "challenge", game="zeno")
    assert await load_states(club) == ["withdrawn"] * LIMITS.open + ["open"]
    assert len(list_public_messages(club)) == 1


async def test_games_lists_nothing_that_is_gone(club: SimulatedClub) -> None:
    first, *_ = await offer_five(club)
    delete_unseen(club, first)
    text = get_ephemeral_text(await club.ana.slash(club.channel, "matches"))
    assert "challenge 1" not in text
    assert "challenge 2" in text
    assert await load_states(club) == ["withdrawn", "open", "open", "open", "open"]


@pytest.mark.parametrize("code", [10003, 10008])
async def test_a_challenge_that_cannot_be_shown_any_more_is_withdrawn(
    club: SimulatedClub, code: int
) -> None:
    await club.ana.slash(club.channel, "challenge", game="pyf", options="players=2")
    club.env.inject_error("PATCH", "/channels/*/messages/*", status=404, code=code)
    await club.ben.click(get_newest_message(club), label="Join black")
    assert await load_states(club) == ["withdrawn"]
    assert await load_given_up(club.store.jobs) == []


async def test_a_challenge_whose_channel_is_gone_before_it_is_posted_is_withdrawn(
    club: SimulatedClub,
) -> None:
    club.env.inject_error("POST", "/channels/*/messages", status=404, code=10003)
    await club.ana.slash(club.channel, "challenge", game="zeno")
    assert await load_states(club) == ["withdrawn"]
    assert await load_given_up(club.store.jobs) == []


async def test_challenges_go_with_their_channel_and_its_threads(club: SimulatedClub) -> None:
    hall = club.guild.create_text_channel("hall")
    club.env.backend.create_thread(hall.id, "corner", club.ana.id)
    (corner,) = hall.threads
    await club.ana.slash(hall, "challenge", game="zeno")
    await club.ana.slash(corner, "challenge", game="zeno")
    await club.ana.slash(club.channel, "challenge", game="zeno")
    club.env.backend.delete_channel(hall.id)
    await club.env.settle()
    assert await load_states(club) == ["withdrawn", "withdrawn", "open"]


async def test_nobody_is_paired_where_nothing_can_be_posted(club: SimulatedClub) -> None:
    everyone = club.guild.default_role
    hall, attic = (club.guild.create_text_channel(name) for name in ("hall", "attic"))
    await club.ana.slash(hall, "challenge", game="zeno", rated=True)
    await club.ana.slash(attic, "challenge", game="zeno", rated=True)
    await club.ana.slash(club.channel, "challenge", game="zeno", rated=True)
    # The first channel is gone unseen, the second takes no messages.
    club.env.inject_error("GET", f"/channels/{hall.id}/messages/*", status=404, code=10003)
    club.env.backend.set_overwrite(attic.id, Overwrite(everyone.id, OverwriteType.ROLE, deny=2048))
    await club.env.settle()
    await club.ben.slash(club.channel, "play")
    assert await load_states(club) == ["withdrawn", "open", "accepted"]
    row = await club.store.get(Matches).load_row(1)
    assert row is not None
    assert row.channel == club.channel.id
    assert "Nobody here is waiting" in get_ephemeral_text(
        await club.cyn.slash(club.channel, "play")
    )


async def test_a_rematch_goes_where_something_can_be_posted(club: SimulatedClub) -> None:
    hall = club.guild.create_text_channel("hall")
    await club.ana.slash(hall, "challenge", game="zeno", opponent=club.ben)
    await club.ben.click(hall.history()[-1], label="Accept")
    await club.ana.slash(club.channel, "match board", match=1, share=True)
    await give_up(club, club.ana, club.channel)
    club.env.backend.delete_channel(hall.id)
    await club.env.settle()
    await club.ben.click(get_newest_message(club), label="Rematch, sides swapped")
    assert f"<@{club.ben.id}> (gold) challenges <@{club.ana.id}>." in extract_text(
        get_newest_message(club)
    )
    assert await load_states(club) == ["accepted", "open"]


async def test_a_rematch_is_not_offered_to_one_who_has_left(club: SimulatedClub) -> None:
    await start_match(club, "zeno")
    await give_up(club, club.ana, club.channel)
    end = get_newest_message(club)
    club.guild.remove_member(club.ben)
    assert get_ephemeral_text(await club.ana.click(end, label="Rematch, sides swapped")).startswith(
        "Ben isn't in this server."
    )
    assert get_newest_message(club).id == end.id
    assert await load_states(club) == ["accepted"]


async def test_house_rules_are_not_sent_to_one_who_has_left(club: SimulatedClub) -> None:
    drawn = await club.ana.slash(
        club.channel, "challenge", game="zeno", opponent=club.ben, options="choose"
    )
    club.guild.remove_member(club.ben)
    text = get_ephemeral_text(await club.ana.click(get_response(drawn).message, label="Challenge"))
    assert text.startswith("Ben isn't in this server.")
    assert list_public_messages(club) == []


async def test_a_challenge_goes_with_its_message(club: SimulatedClub) -> None:
    await offer_five(club)
    first, second, third, *_ = list_public_messages(club)
    club.env.backend.delete_message(club.channel.id, first.id)
    await club.env.settle()
    assert await load_states(club) == ["withdrawn", "open", "open", "open", "open"]
    club.env.backend.emit(
        "MESSAGE_DELETE_BULK",
        {
            "ids": [str(second.id), str(third.id)],
            "channel_id": str(club.channel.id),
            "guild_id": str(club.guild.id),
        },
    )
    await club.env.settle()
    assert await load_states(club) == ["withdrawn", "withdrawn", "withdrawn", "open", "open"]
