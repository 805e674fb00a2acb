"""Plays and throws are never broken at their hyphens on a phone, and can be pasted back."""

import re
from collections.abc import Iterator

import discord
import pytest

from bot.platform.i18n.common import format_dice, keep_together
from tests.support import driver
from tests.support.club import SimulatedClub

pytestmark = pytest.mark.asyncio

COMMAND = re.compile(r"`/[^`]*`")
"""What is typed stays as it is typed."""
PLACE = r"(?:[a-z]|\d{1,2}|bar|hand|off)\*?"
BREAKABLE = re.compile(rf"(?<![\w-]){PLACE}(?:-{PLACE})+(?![\w-])")


def list_texts(message: discord.Message) -> Iterator[str]:
    """All that is read of a message: its texts, and the labels of its controls."""
    yield COMMAND.sub("", driver.extract_raw_text(message))
    yield from driver.list_button_labels(message)
    for menu in driver.list_menus(message):
        yield menu.placeholder or ""
        for option in menu.options:
            yield option.label
            yield option.description or ""


async def test_what_is_looked_for_is_found() -> None:
    for text in ("a-g", "played `m-q-r`.", "6-5-2", "bar-c*", "t-off", "hand-a(2)"):
        assert BREAKABLE.search(text), text
    for text in ("non-breaking", "a\u2011g", "back-off", "2026-11-27", "1-ply", "a-…"):
        assert not BREAKABLE.search(text), text


async def test_throws_and_plays_are_joined_by_hyphens_that_do_not_break() -> None:
    assert format_dice((6, 5, 2)) == "6\u20115\u20112"
    assert format_dice((6,)) == "6"
    assert keep_together("bar-c* t-off") == "bar\u2011c* t\u2011off"


@pytest.mark.parametrize(
    "game", ["twelve-dogs", pytest.param("zeno", marks=pytest.mark.sweep), "medio-emperador"]
)
async def test_no_message_of_a_whole_game_breaks_a_play(club: SimulatedClub, game: str) -> None:
    await driver.start_match(club, game)
    seen: dict[tuple[int, str], None] = {}
    acts = 0
    while await driver.take_next_action(club):
        acts += 1
        # A message is read as it is posted, and again as it is left.
        for message in driver.list_public_messages(club)[-2:]:
            seen.update(dict.fromkeys((message.id, text) for text in list_texts(message)))
    assert acts > 10
    texts = [text for _, text in seen]
    assert [text for text in texts if BREAKABLE.search(text)] == []
    assert any("\u2011" in text for text in texts)


async def test_what_is_read_can_be_pasted_as_a_play(club: SimulatedClub) -> None:
    await driver.start_match(club, "zeno")
    while not driver.list_menus(driver.get_newest_message(club)):
        assert await driver.take_next_action(club)
    message = driver.get_newest_message(club)
    read = driver.list_menus(message)[0].options[0].label
    assert "\u2011" in read
    assert driver.list_menus(message)[0].options[0].value == read.replace("\u2011", "-")
    person = driver.find_mentioned_player(club)
    answer = await person.slash(club.channel, "move", play=read)
    played = read.replace("\u2011", "-")
    assert f"played `{played}`" in driver.get_ephemeral_text(answer) + driver.extract_text(
        driver.list_public_messages(club)[-2]
    )
