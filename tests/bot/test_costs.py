"""What an act costs: one commit for what is done and one for what was shown, and one picture."""

import pytest
from PIL import Image

from render import board
from tests.bot.conftest import SimulatedClub
from tests.bot.driver import start_match, take_next_action
from tests.store.test_group_commit import count_commits

pytestmark = pytest.mark.asyncio
ACTS = 12


@pytest.fixture
def encoded(monkeypatch: pytest.MonkeyPatch) -> list[Image.Image]:
    """The boards that are encoded, each time that one is."""
    images: list[Image.Image] = []
    encode = board.encode_png

    def note(image: Image.Image) -> bytes:
        images.append(image)
        return encode(image)

    monkeypatch.setattr(board, "encode_png", note)
    return images


async def test_an_act_is_two_commits_and_one_picture(
    club: SimulatedClub, encoded: list[Image.Image]
) -> None:
    await start_match(club, "zeno")
    # Names are kept, and commands and messages made known, by what comes first.
    await take_next_action(club)
    for _ in range(ACTS):
        encoded.clear()
        with count_commits(club.store) as commits:
            assert await take_next_action(club)
        assert len(commits) <= 2
        assert len(encoded) <= 1


async def test_a_picture_that_is_asked_for_again_is_not_encoded_again(
    club: SimulatedClub, encoded: list[Image.Image]
) -> None:
    await start_match(club, "zeno")
    await take_next_action(club)
    await club.ana.slash(club.channel, "match board")
    before = len(encoded)
    await club.ana.slash(club.channel, "match board")
    await club.cyn.slash(club.channel, "match board")
    await club.cyn.slash(club.channel, "match board")
    # An onlooker may see the board from another side, but once more is the same.
    assert len(encoded) <= before + 1
