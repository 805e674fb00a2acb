"""Icons on buttons: uploaded once, found again, mended, and never needed."""

import asyncio
import logging
from pathlib import Path
from typing import Any

import discord
import pytest

from bot.client import Tabula
from bot.platform.i18n.common import keep_together
from bot.platform.ui import icons
from bot.platform.ui.app_client import INVALID_FORM
from bot.platform.ui.icons import PREFIX, IconSet, load_noted_icons
from engine.position import Side
from render.icons import DICE, Icon, load_icons, name_die
from tests.support import driver
from tests.support.club import SimulatedClub, forget_sent, open_club

pytestmark = pytest.mark.asyncio

FOREIGN = "tournament_cup"


def list_emoji_requests(club: SimulatedClub) -> list[str]:
    """What was asked of the application's emoji."""
    return [each.method for each in club.env.http_requests if "/emojis" in each.path]


def list_emoji(club: SimulatedClub) -> dict[str, int]:
    """The application's emoji by their names."""
    return {each.name: each.id for each in club.env.backend.application_emojis.values()}


def list_shown(club: SimulatedClub) -> list[discord.PartialEmoji]:
    """The emoji on the buttons of the newest message."""
    return [
        part.emoji
        for part in driver.walk_parts(driver.get_newest_message(club))
        if isinstance(part, discord.ui.Button) and part.emoji
    ]


async def restart(club: SimulatedClub) -> Tabula:
    """Start the program again, and return the bot."""
    before = len(list_emoji_requests(club))
    bot = await club.restart_bot()
    club.bot = bot
    assert list_emoji_requests(club)[before] == "GET"
    return bot


async def test_icons_are_uploaded_at_the_first_start_alone(tmp_path: Path) -> None:
    forget_sent()
    async with open_club(tmp_path / "club.sqlite3") as club:
        uploaded = list_emoji_requests(club)
        assert uploaded == ["GET", *["POST"] * len(load_icons())]
        names = list_emoji(club)
        assert all(len(name) <= 32 and name.startswith(PREFIX) for name in names)
        await restart(club)
        assert list_emoji_requests(club)[len(uploaded) :] == ["GET"]
        assert list_emoji(club) == names


async def test_moves_show_their_dice_and_plays_their_hits(club: SimulatedClub) -> None:
    await driver.start_match(club, "backgammon")
    while not (shown := list_shown(club)) or not driver.list_menus(driver.get_newest_message(club)):
        assert await driver.take_next_action(club)
    known = club.bot.app.get_part(IconSet).shown
    names = {each.name: icon for icon, each in known.items()}
    dice = {name_die(side, n) for side in Side for n in range(1, 7)}
    assert {names[each.name] for each in shown} <= dice
    assert all(each.id == list_emoji(club)[each.name] for each in shown)


@pytest.mark.usefixtures("own_throws")
async def test_dice_to_roll_are_shown(club: SimulatedClub) -> None:
    await driver.start_match(club, "backgammon")
    while not (rolls := find_labelled(driver.get_newest_message(club), "Roll")):
        assert await driver.take_next_action(club)
    (shown,) = (each.emoji.id for each in rolls if each.emoji)
    assert shown == club.bot.app.get_part(IconSet).shown[DICE].id


def find_labelled(message: discord.Message, label: str) -> list[discord.ui.Button[Any]]:
    """The buttons of a message with that label."""
    buttons = [each for each in driver.walk_parts(message) if isinstance(each, discord.ui.Button)]
    return [each for each in buttons if each.label == label]


async def test_a_changed_picture_takes_the_place_of_the_old_and_others_stay(
    club: SimulatedClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    club.env.backend.create_application_emoji(FOREIGN)
    before = list_emoji(club)
    changed = {**load_icons(), "dice": Icon(load_icons()["gold_1"].content, "0123abcd")}
    monkeypatch.setattr(icons, "load_icons", lambda: changed)
    bot = await restart(club)
    after = list_emoji(club)
    assert set(after) - set(before) == {"tabula_dice_0123abcd"}
    (gone,) = set(before) - set(after)
    assert gone.startswith("tabula_dice_")
    assert FOREIGN in after
    assert bot.app.get_part(IconSet).shown["dice"].id == after["tabula_dice_0123abcd"]


async def test_without_icons_buttons_have_their_numbers(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_club(tmp_path / "club.sqlite3") as club:
        club.env.backend.application_emojis.clear()
        club.env.inject_error("POST", "/applications/*/emojis", times=None)
        with caplog.at_level(logging.WARNING):
            await restart(club)
        assert caplog.text.count("buttons have no icons for now: 500 Error") == 1
        await driver.start_match(club, "backgammon")
        while not (shown := list_shown(club)):
            assert await driver.take_next_action(club)
        assert all(each.id is None and each.name.endswith("\u20e3") for each in shown)
        await driver.take_next_action(club)


async def test_a_failed_upload_is_tried_again(
    club: SimulatedClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(icons, "RETRY_S", 1.0)
    club.env.backend.application_emojis.clear()
    club.env.inject_error("POST", "/applications/*/emojis", times=1)
    bot = await restart(club)
    await bot.app.get_part(IconSet).uploading  # type: ignore[misc]
    assert len(list_emoji(club)) == len(load_icons())
    assert bot.app.get_part(IconSet).shown


def delete_icons(club: SimulatedClub) -> None:
    """Let somebody delete the application's emoji by hand."""
    club.env.backend.application_emojis.clear()


async def show_moves(club: SimulatedClub) -> None:
    """Play until the newest message has buttons of moves."""
    while not list_shown(club):
        assert await driver.take_next_action(club)


async def test_what_names_a_deleted_emoji_is_sent_without_and_the_emoji_mended(
    club: SimulatedClub, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(icons, "LIST_INTERVAL_S", 0.0)
    await driver.start_match(club, "backgammon")
    await show_moves(club)
    delete_icons(club)
    with caplog.at_level(logging.INFO):
        assert await driver.take_next_action(club)
    assert "Discord refused an icon" in caplog.text
    assert set(list_emoji(club)) == {
        each.name for each in club.bot.app.get_part(IconSet).shown.values()
    }
    assert await driver.take_next_action(club)
    await show_moves(club)
    assert {each.id for each in list_shown(club)} <= set(list_emoji(club).values())


async def test_every_way_of_sending_does_without_icons(
    club: SimulatedClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    # So that nothing is mended meanwhile.
    monkeypatch.setattr(icons, "LIST_INTERVAL_S", 3600.0)
    await driver.start_match(club, "backgammon")
    await show_moves(club)
    delete_icons(club)
    answer = driver.get_response(await club.ana.slash(club.channel, "learn", lesson="zeno"))
    assert list_labels_without_icons(answer.message) == ["a-d", "a-e", "a-g", "a-g-l-o", "Show me"]
    # The same message changes, by the answer to the press.
    await club.ana.click(answer.message, label=keep_together("a-d"))
    assert "a-e" in list_labels_without_icons(answer.message)
    await club.ana.user.slash("play", game="zeno")
    await club.advance_clock(0)
    direct = club.ana.user.dm_channel.history()[-1]
    assert list_labels_without_icons(direct)
    assert not list_emoji(club)


def list_labels_without_icons(message: discord.Message | None) -> list[str]:
    """The labels of a message's buttons, of which none has an icon."""
    buttons = [each for each in driver.walk_parts(message) if isinstance(each, discord.ui.Button)]
    assert not [each for each in buttons if each.emoji and each.emoji.id]
    return [(each.label or "").replace("\u2011", "-") for each in buttons]


async def test_an_emoji_that_discord_refuses_at_times_stays(
    club: SimulatedClub,
) -> None:
    await driver.start_match(club, "backgammon")
    await show_moves(club)
    refused = "Invalid Form Body\nIn components.0.components.0.emoji.id: Invalid emoji"
    club.env.inject_error("POST", "/interactions/*", status=400, code=INVALID_FORM, message=refused)
    asked = len(list_emoji_requests(club))
    assert await driver.take_next_action(club)
    # They were listed a moment ago, and nothing is done about a whim.
    assert len(list_emoji_requests(club)) == asked
    assert await driver.take_next_action(club)
    await show_moves(club)
    assert all(each.id for each in list_shown(club))


async def test_emoji_that_another_process_has_uploaded_are_used(club: SimulatedClub) -> None:
    bot = club.bot
    shown = bot.app.get_part(IconSet).shown
    bot.app.set_part(IconSet, IconSet())
    await load_noted_icons(bot)
    assert bot.app.get_part(IconSet).shown == shown
    await club.store.metadata.save(f"emoji of {bot.application_id}", "{}")
    await load_noted_icons(bot)
    assert not bot.app.get_part(IconSet).shown


async def test_two_that_upload_at_once_end_with_the_same_emoji(
    club: SimulatedClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(icons, "RETRY_S", 1.0)
    delete_icons(club)
    both = [icons.upload_until_done(club.bot, removes_old=True) for _ in range(2)]
    await asyncio.gather(*both)
    assert len(list_emoji(club)) == len(load_icons())
    ids = {each.id for each in club.bot.app.get_part(IconSet).shown.values()}
    assert ids == set(list_emoji(club).values())
