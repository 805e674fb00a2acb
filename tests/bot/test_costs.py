"""What an act costs: one commit for what is done and one for what was shown, and one picture."""

import pytest
from PIL import Image
from sqlalchemy import Engine, event

from bot.platform.ui.card import TABLE_FILE, Card, Picture
from bot.platform.ui.layout import render_card
from render import board, table
from render.png import encode_png
from render.scene import View
from render.table import Table, TableRow, TableSection
from tests.store.test_group_commit import count_commits
from tests.support.club import SimulatedClub
from tests.support.driver import start_match, take_next_action

pytestmark = pytest.mark.asyncio
ACTS = 12


@pytest.fixture
def encoded(monkeypatch: pytest.MonkeyPatch) -> list[Image.Image]:
    """The boards that are encoded, each time that one is."""
    images: list[Image.Image] = []

    def note(image: Image.Image) -> bytes:
        images.append(image)
        return encode_png(image)

    monkeypatch.setattr(board, "encode_png", note)
    return images


@pytest.mark.usefixtures("own_throws")
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


@pytest.mark.usefixtures("own_throws")
async def test_an_act_reads_its_match_once(club: SimulatedClub) -> None:
    await start_match(club, "zeno")
    await take_next_action(club)
    asked: list[str] = []

    def note(_: object, __: object, statement: str, *___: object) -> None:
        asked.append(statement)

    event.listen(Engine, "before_cursor_execute", note)
    try:
        for _ in range(ACTS):
            asked.clear()
            assert await take_next_action(club)
            assert sum(each.startswith("SELECT matches.id, ") for each in asked) == 1
    finally:
        event.remove(Engine, "before_cursor_execute", note)


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


async def test_standings_that_are_looked_at_again_are_not_drawn_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    images: list[Image.Image] = []

    def note(image: Image.Image) -> bytes:
        images.append(image)
        return encode_png(image)

    monkeypatch.setattr(table, "encode_png", note)
    for points in ("1", "1", "2"):
        rows = (TableRow("1", "Somebody who is in no other test", (points,)),)
        shown = Table("League", ("Points",), (TableSection("", rows),))
        card = Card(texts=(), picture=Picture(shown, "standings", TABLE_FILE))
        await render_card(card, View())
    assert len(images) == 2
