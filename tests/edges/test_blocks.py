"""Blocks, when people come and go."""

import pytest
import simcord

from bot.features.challenges.store import Challenges
from bot.features.preferences import service
from bot.features.preferences.store import Blocks
from bot.platform.db.exclusions import table as exclusions
from bot.platform.db.store import Store
from tests.bot.test_privacy import delete_data, play_to_the_end
from tests.store.test_privacy import dump_values, find_traces
from tests.support.club import SimulatedClub
from tests.support.driver import (
    extract_text,
    find_button,
    get_ephemeral_text,
    get_newest_message,
    get_response,
    start_match,
)
from tests.support.panels import SECTION, SETTINGS, list_values, open_section

pytestmark = pytest.mark.asyncio


async def see_blocks(club: SimulatedClub, person: simcord.MemberActor) -> str:
    """What somebody is told of those whom they have blocked."""
    return get_ephemeral_text(await person.slash(club.channel, "me block"))


async def count_marks(store: Store) -> int:
    """How many people are kept out of something without being named."""
    return len((await dump_values(store))[f"{exclusions.name}.mark"])


async def challenge(
    club: SimulatedClub, person: simcord.MemberActor, other: simcord.MemberActor
) -> str:
    """What somebody is told who challenges another."""
    answer = await person.slash(club.channel, "challenge", game="zeno", opponent=other)
    return get_ephemeral_text(answer)


async def test_a_block_holds_when_the_blocked_have_their_data_deleted(
    club: SimulatedClub,
) -> None:
    await play_to_the_end(club)
    await club.ana.slash(club.channel, "me block", person=club.ben)
    refusal = await challenge(club, club.ben, club.ana)
    await delete_data(club, club.ben)
    assert find_traces(await dump_values(club.store), str(club.ben.id), '"Ben"') == set()
    text = await see_blocks(club, club.ana)
    assert text.startswith("You've blocked a deleted player.")
    # Neither a challenge of theirs arrives, nor are they named by trying.
    assert await challenge(club, club.ben, club.ana) == refusal
    assert find_traces(await dump_values(club.store), str(club.ben.id)) == set()
    # Nor an open challenge of Ana's, which they see in the channel.
    await club.ana.slash(club.channel, "challenge", game="zeno")
    card = get_newest_message(club)
    text = get_ephemeral_text(await club.ben.click(card, custom_id=find_button(card, ":accept")))
    assert text.startswith("You can't accept this challenge.")
    # Nor does a search for an opponent find it.
    looking = get_ephemeral_text(await club.ben.slash(club.channel, "play"))
    assert "Play the computer" in looking
    # Once they are known again they are named, in what is found by names as well.
    await club.ben.slash(club.channel, "match note", match=1, text="a note")
    await club.ben.slash(club.channel, "notify", game="zeno")
    assert f"You've blocked <@{club.ben.id}>." in await see_blocks(club, club.ana)
    assert (
        await club.store.get(Challenges).find_acceptable(club.guild.id, club.ben.id, club.hands())
        == []
    )
    assert await challenge(club, club.ben, club.ana) == refusal
    # However often they do it.
    await delete_data(club, club.ben)
    assert await challenge(club, club.ben, club.ana) == refusal
    assert await count_marks(club.store) == 1


async def test_whoever_has_blocked_the_deleted_unblocks_them(club: SimulatedClub) -> None:
    for other in (club.ben, club.cyn):
        await club.ana.slash(club.channel, "me block", person=other)
        await delete_data(club, other)
    text = await see_blocks(club, club.ana)
    assert text.startswith("You've blocked 2 deleted players.")
    await club.cyn.slash(club.channel, "me block", person=club.ana)
    # By their account, as Discord still knows it.
    await club.ana.slash(club.channel, "me block", person=club.ben, lift=True)
    assert await count_marks(club.store) == 0
    await club.ana.slash(club.channel, "me block", person=club.ben)
    await delete_data(club, club.ben)
    message, again = [
        get_response(await club.ana.slash(club.channel, "me block")).message for _ in range(2)
    ]
    assert list_values(message, "unblock:") == ["deleted", str(club.cyn.id)]
    unblocked = await club.ana.select(message, custom_id="unblock:", values=["deleted"])
    after = get_response(unblocked).message
    assert extract_text(after).startswith(f"You've blocked <@{club.cyn.id}>.")
    assert list_values(after, "unblock:") == [str(club.cyn.id)]
    # Chosen twice it does no more; the other's block is the other's.
    await club.ana.select(again, custom_id="unblock:", values=["deleted"])
    assert await club.store.get(Blocks).load_blocked(club.cyn.id) == [club.ana.id]
    await start_match(club, "zeno")


async def test_blocks_are_listed_and_lifted_in_the_settings(club: SimulatedClub) -> None:
    panel = get_response(await club.ana.slash(club.channel, SETTINGS)).message
    panel = get_response(await open_section(club.ana, panel, SECTION, "privacy")).message
    assert "You've blocked" not in extract_text(panel)
    assert "`/me block` blocks somebody's challenges." in extract_text(panel)
    for other in (club.ben, club.cyn):
        await club.ana.slash(club.channel, "me block", person=other)
    panel = get_response(await open_section(club.ana, panel, SECTION, "privacy")).message
    assert f"You've blocked <@{club.ben.id}> and <@{club.cyn.id}>." in extract_text(panel)
    menu = "unblock:preferences"
    lifted = await club.ana.select(panel, custom_id=menu, values=[str(club.ben.id)])
    assert get_response(lifted).id == panel.id
    shown = get_response(lifted).message
    assert f"You've blocked <@{club.cyn.id}>." in extract_text(shown)
    assert await club.store.get(Blocks).load_blocked(club.ana.id) == [club.cyn.id]
    # On a panel of long ago it is lifted already, which changes nothing.
    await club.ana.select(shown, custom_id=menu, values=[str(club.cyn.id)])
    assert await club.store.get(Blocks).load_blocked(club.ana.id) == []


async def test_whom_one_has_blocked_is_mentioned_once_they_have_no_name(
    club: SimulatedClub,
) -> None:
    await club.ana.slash(club.channel, "me block", person=club.ben)
    assert (await challenge(club, club.ana, club.ben)).startswith("You've blocked Ben.")
    await delete_data(club, club.ben)
    refusal = await challenge(club, club.ana, club.ben)
    assert refusal.startswith(f"You've blocked <@{club.ben.id}>.")


async def test_the_blocks_of_the_deleted_are_deleted(club: SimulatedClub) -> None:
    await club.ana.slash(club.channel, "me block", person=club.ben)
    await delete_data(club, club.ben)
    assert await count_marks(club.store) == 1
    await delete_data(club, club.ana)
    assert await count_marks(club.store) == 0
    assert await see_blocks(club, club.ana) == "You haven't blocked anybody."
    await start_match(club, "zeno")


async def test_a_block_is_set_and_seen_in_direct_messages_and_after_leaving(
    club: SimulatedClub,
) -> None:
    """Nobody asks where the two are members: a block is between people, everywhere."""
    await club.ana.user.slash("me block", person=club.ben.user)
    club.env.backend.remove_member(club.guild.id, club.ben.id)
    await club.env.settle()
    text = get_ephemeral_text(await club.ana.user.slash("me block"))
    assert text.startswith(f"You've blocked <@{club.ben.id}>.")
    back = club.guild.add_member(club.ben.user)
    assert "can't be challenged" in await challenge(club, back, club.ana)


async def test_so_many_can_be_blocked_at_most_the_deleted_included(
    club: SimulatedClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "MAX_BLOCKED", 1)
    await club.ana.slash(club.channel, "me block", person=club.ben)
    await delete_data(club, club.ben)
    full = get_ephemeral_text(await club.ana.slash(club.channel, "me block", person=club.cyn))
    assert full == "You've blocked 1 people, the most allowed. Unblock somebody first."
