"""How boards look: a person's own views, a server's public ones, and the board in words."""

import io

import discord
import pytest
import simcord
from PIL import Image

from bot.platform.ui.card import TABLE_FILE, Card, Picture
from bot.platform.ui.layout import render_card
from engine.position import Side
from render.board import draw_board
from render.sample import sample_scene
from render.scene import View
from render.table import Table, TableRow, TableSection, describe_table, draw_table
from render.theme import load_themes
from tests.bot.conftest import SimulatedClub
from tests.bot.driver import (
    extract_text,
    find_mentioned_player,
    get_ephemeral_text,
    get_newest_message,
    get_response,
)
from tests.bot.panels import change_server, change_settings, get_chosen
from tests.bot.test_refusals import throw_dice


async def download_picture(result: simcord.InteractionResult) -> bytes:
    """The picture of an answer."""
    assert result.response is not None
    return await next(
        file for file in result.response.attachments if file.filename == "board.png"
    ).read()


def get_page_colour(picture: bytes) -> object:
    """The colour of a picture's page."""
    with Image.open(io.BytesIO(picture)) as image:
        return image.convert("RGB").getpixel((2, 2))


@pytest.mark.asyncio
async def test_a_person_sees_their_own_theme_and_the_channel_the_server_s(
    club: SimulatedClub,
) -> None:
    mover, waiter = await throw_dice(club)
    plain, roman = load_themes()["plain"], load_themes()["roman"]
    told = await change_settings(waiter, club.channel, theme="plain", near="mine")
    assert "**Plain**. No ornament" in get_ephemeral_text(told)
    assert "Your own side is at the bottom." in get_ephemeral_text(told)
    told = await change_server(club.ana, club.channel, theme="roman", numbers=True)
    assert "**Preview**: the boards that everyone sees in this server" in get_ephemeral_text(told)
    assert "Points are numbered." in get_ephemeral_text(told)
    own = await download_picture(await waiter.slash(club.channel, "match board"))
    await mover.slash(club.channel, "match board", share=True)
    public = await get_newest_message(club).attachments[0].read()
    assert (get_page_colour(own), get_page_colour(public)) == (plain.page, roman.page)
    # Who chose nothing sees the theme that suits the board.
    assert (
        get_page_colour(await download_picture(await mover.slash(club.channel, "match board")))
        == load_themes()["gloucester"].page
    )


@pytest.mark.asyncio
async def test_settings_show_what_a_board_will_look_like(club: SimulatedClub) -> None:
    told = await change_settings(club.cyn, club.channel, theme="alfonso", near="mine", numbers=True)
    assert await download_picture(told) == draw_board(
        sample_scene(), View(load_themes()["alfonso"], Side.BLACK, numbered=True)
    )
    told = await change_settings(club.cyn, club.channel, theme="natural", near="gold")
    assert (
        "the theme that suits each board. Gold is at the bottom. Points are numbered."
        in get_ephemeral_text(told)
    )
    assert await download_picture(told) == draw_board(sample_scene(), View(numbered=True))


@pytest.mark.asyncio
async def test_looks_outlive_a_restart_and_themes_that_are_gone_are_no_trouble(
    club: SimulatedClub,
) -> None:
    await change_settings(club.cyn, club.channel, near="black")
    look = await club.store.board_styles.get("person", club.cyn.id)
    assert (look.theme, look.seat, look.numbered) == (None, "black", False)
    await club.store.board_styles.save(
        "person", club.cyn.id, type(look)("of another version", "gold")
    )
    told = await change_settings(club.cyn, club.channel)
    assert get_chosen(get_response(told).message, "preference:theme") == ["natural"]
    told = await change_settings(club.cyn, club.channel, near="black")
    assert "Your boards: the theme that suits each board. Black is at the bottom." in (
        get_ephemeral_text(told)
    )


@pytest.mark.asyncio
async def test_only_those_who_manage_a_server_may_choose_its_look(club: SimulatedClub) -> None:
    command = club.bot.tree.get_command("server")
    assert isinstance(command, discord.app_commands.Group)
    assert command.default_permissions == discord.Permissions(manage_guild=True)
    assert command.allowed_contexts is not None
    assert command.allowed_contexts.to_array() == [0]


@pytest.mark.asyncio
async def test_the_board_in_words_and_where_men_may_go(club: SimulatedClub) -> None:
    mover, _ = await throw_dice(club)
    told = await mover.slash(club.channel, "match board", show="text")
    assert told.response is not None
    assert not told.response.attachments
    lines = get_ephemeral_text(told).splitlines()
    assert " a G15   b --    c --" in lines
    assert any(line.startswith("To play: ") for line in lines)
    assert find_mentioned_player(club) is mover
    shown = await download_picture(await mover.slash(club.channel, "match board", show="moves"))
    assert shown != await download_picture(await mover.slash(club.channel, "match board"))
    assert extract_text(get_newest_message(club)).startswith("### Zeno")


@pytest.mark.asyncio
async def test_a_card_shows_a_table_in_its_reader_s_theme() -> None:
    rows = (TableRow("1", "Ana", ("7",)), TableRow("2", "Ben", ("4",)))
    table = Table("League", ("Points",), (TableSection("", rows),))
    view = View(load_themes()["roman"])
    card = Card(texts=("League",), picture=Picture(table, describe_table(table), TABLE_FILE))
    payload = await render_card(card, view)
    (file,) = payload.files
    assert (file.name, file.said) == (
        "table.png",
        "League. 1 Ana, Points 7; 2 Ben, Points 4.",
    )
    assert file.content == draw_table(table, view)
    assert get_page_colour(file.content) == load_themes()["roman"].page
