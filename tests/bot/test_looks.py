"""How boards look: a person's own views, a server's public ones, and the board in words."""

import io

import discord
import pytest
import simcord
from PIL import Image

from engine.position import Side
from render.board import draw
from render.sample import midgame
from render.scene import View
from render.theme import themes
from tests.bot.conftest import Club
from tests.bot.driver import called, newest, said, text
from tests.bot.test_refusals import throw


async def pixels(result: simcord.InteractionResult) -> bytes:
    """The picture of an answer."""
    assert result.response is not None
    return await next(
        file for file in result.response.attachments if file.filename == "board.png"
    ).read()


def page(picture: bytes) -> object:
    """The colour of a picture's page."""
    with Image.open(io.BytesIO(picture)) as image:
        return image.convert("RGB").getpixel((2, 2))


@pytest.mark.asyncio
async def test_a_person_sees_their_own_theme_and_the_channel_the_server_s(club: Club) -> None:
    mover, waiter = await throw(club)
    plain, roman = themes()["plain"], themes()["roman"]
    told = await waiter.slash(club.channel, "settings", theme="plain", near="mine")
    assert "**Plain**. No ornament" in said(told)
    assert "Your own side is at the bottom." in said(told)
    told = await club.ana.slash(club.channel, "server look", theme="roman", numbers=True)
    assert "This server's public boards: **Roman**." in said(told)
    assert "Points are numbered." in said(told)
    own = await pixels(await waiter.slash(club.channel, "board"))
    await mover.slash(club.channel, "board", share=True)
    public = await newest(club).attachments[0].read()
    assert (page(own), page(public)) == (plain.page, roman.page)
    # Who chose nothing sees the theme that suits the board.
    assert (
        page(await pixels(await mover.slash(club.channel, "board"))) == themes()["gloucester"].page
    )


@pytest.mark.asyncio
async def test_settings_show_what_a_board_will_look_like(club: Club) -> None:
    told = await club.cyn.slash(
        club.channel, "settings", theme="alfonso", near="mine", numbers=True
    )
    assert await pixels(told) == draw(
        midgame(), View(themes()["alfonso"], Side.BLACK, numbered=True)
    )
    told = await club.cyn.slash(club.channel, "settings", theme="natural", near="gold")
    assert "the theme that suits each board. Gold is at the bottom. Points are numbered." in said(
        told
    )
    assert await pixels(told) == draw(midgame(), View(numbered=True))


@pytest.mark.asyncio
async def test_looks_outlive_a_restart_and_themes_that_are_gone_are_no_trouble(club: Club) -> None:
    await club.cyn.slash(club.channel, "settings", near="black")
    look = await club.store.looks.get("person", club.cyn.id)
    assert (look.theme, look.seat, look.numbered) == (None, "black", False)
    await club.store.looks.set("person", club.cyn.id, type(look)("of another version", "gold"))
    told = await club.cyn.slash(club.channel, "settings")
    assert "the theme that suits each board" in said(told)


@pytest.mark.asyncio
async def test_only_those_who_manage_a_server_may_choose_its_look(club: Club) -> None:
    command = club.bot.tree.get_command("server")
    assert isinstance(command, discord.app_commands.Group)
    assert command.default_permissions == discord.Permissions(manage_guild=True)
    assert command.allowed_contexts is not None
    assert command.allowed_contexts.to_array() == [0]


@pytest.mark.asyncio
async def test_the_board_in_words_and_where_men_may_go(club: Club) -> None:
    mover, _ = await throw(club)
    told = await mover.slash(club.channel, "board", show="text")
    assert told.response is not None
    assert not told.response.attachments
    lines = said(told).splitlines()
    assert " a G15   b --    c --" in lines
    assert any(line.startswith("To play: ") for line in lines)
    assert called(club) is mover
    shown = await pixels(await mover.slash(club.channel, "board", show="moves"))
    assert shown != await pixels(await mover.slash(club.channel, "board"))
    assert text(newest(club)).startswith("### Zeno")
