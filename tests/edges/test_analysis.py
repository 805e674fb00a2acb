"""A shared position whose sharer is gone."""

import pytest

from tests.bot.test_analysis import XGID, analyse, get_shared_message, propose_play
from tests.bot.test_privacy import delete_data
from tests.support.club import SimulatedClub
from tests.support.driver import extract_text, get_ephemeral_text

pytestmark = pytest.mark.asyncio


async def share_as_ben(club: SimulatedClub) -> None:
    """Ben shares a position, for which Cyn proposes a play."""
    answer = await analyse(club, club.ben, position=XGID)
    await club.ben.click(answer.message, label="Share")
    await propose_play(club, club.cyn, "r-u t-u")


async def test_a_moderator_shows_the_answer_when_its_sharer_has_left(club: SimulatedClub) -> None:
    await share_as_ben(club)
    club.guild.remove_member(club.ben)
    refusal = get_ephemeral_text(
        await club.cyn.click(get_shared_message(club), label="Show the answer")
    )
    assert "and moderators can show the answer" in refusal
    # Ana owns the server.
    await club.ana.click(get_shared_message(club), label="Show the answer")
    assert "`r-u t-u`: best" in extract_text(get_shared_message(club))


async def test_a_sharer_who_deletes_their_data_is_named_no_more_and_the_rest_goes_on(
    club: SimulatedClub,
) -> None:
    await share_as_ben(club)
    await delete_data(club, club.ben)
    await propose_play(club, club.ana, "m-p a-b")
    text = extract_text(get_shared_message(club))
    assert "2 people have proposed a play" in text
    assert str(club.ben.id) not in text
    refusal = get_ephemeral_text(
        await club.cyn.click(get_shared_message(club), label="Show the answer")
    )
    assert "deleted player" in refusal
    await club.ana.click(get_shared_message(club), label="Show the answer")
    answer = extract_text(get_shared_message(club))
    assert f"<@{club.cyn.id}>" in answer
    assert str(club.ben.id) not in answer
