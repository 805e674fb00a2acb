"""House rules that make no game together are refused wherever they are agreed on."""

import pytest

from tests.support.club import SimulatedClub
from tests.support.driver import get_ephemeral_text, list_public_messages

pytestmark = pytest.mark.asyncio

OPTIONS = "dice=majoret unusable=loses"
SENTENCE = (
    "`dice=majoret` and `unusable=loses` can't be combined: the side that begins would always lose "
    "at its first throw"
)


@pytest.mark.parametrize("command", ["play", "challenge"])
async def test_who_begins_would_always_lose(club: SimulatedClub, command: str) -> None:
    answer = await club.ana.slash(club.channel, command, game="doblet", options=OPTIONS)
    assert SENTENCE in get_ephemeral_text(answer).replace("\u00a0", " ")
    assert not list_public_messages(club)
    # Each of the two is played.
    await club.ana.slash(club.channel, command, game="doblet", options="dice=majoret")
    assert list_public_messages(club)
