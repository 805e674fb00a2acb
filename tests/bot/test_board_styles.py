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
from render.scene import View, sample_scene
from render.table import Table, TableRow, TableSection, describe_table, draw_table
from render.theme import load_themes
from tests.bot.test_refusals import throw_dice
from tests.support.club import SimulatedClub
from tests.support.driver import (
    extract_text,
    find_button,
    find_mentioned_player,
    get_ephemeral_text,
    get_newest_message,
    get_response,
)
from tests.support.panels import change_server, change_settings, get_chosen


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
    answer = await change_settings(waiter, club.channel, theme="plain", near="mine")
    assert "**Plain**. No ornament" in get_ephemeral_text(answer)
    assert "Your own side is at the bottom." in get_ephemeral_text(answer)
    answer = await change_server(club.ana, club.channel, theme="roman", numbers=True)
    assert "**Preview**: the boards that everyone sees in this server" in get_ephemeral_text(answer)
    assert "Points are numbered." in get_ephemeral_text(answer)
    own = await download_picture(await waiter.slash(club.channel, "match board"))
    await mover.slash(club.channel, "match board", share=True)
    public = await get_newest_message(club).attachments[0].read()
    assert (get_page_colour(own), get_page_colour(public)) == (plain.page, roman.page)
    # Who chose nothing sees the theme that suits the board.
    assert (
        get_page_colour(await download_picture(await mover.slash(club.channel, "match board")))
        == load_themes()["gloucester"].page
    )


async def choose_style(
    club: SimulatedClub, person: simcord.MemberActor, entry: str
) -> tuple[str, bytes]:
    """What somebody reads and sees who chooses an entry of the menu under More."""
    shown = get_newest_message(club)
    asked = await person.click(shown, custom_id=find_button(shown, ":more"))
    more = get_response(asked).message
    answer = await person.select(more, custom_id="boardstyle:1", values=[entry])
    assert get_response(answer).message.id == more.id
    await club.advance_clock(0)
    return get_ephemeral_text(answer), await download_picture(answer)


async def get_shown_colour(club: SimulatedClub) -> object:
    """The colour of the page of the board in the channel."""
    return get_page_colour(await get_newest_message(club).attachments[0].read())


@pytest.mark.asyncio
async def test_a_match_played_alone_follows_the_style_chosen_under_more(
    club: SimulatedClub,
) -> None:
    themes = load_themes()
    await change_server(club.ana, club.channel, theme="roman")
    await club.ben.slash(club.channel, "play", game="zeno", side="black")
    number = get_newest_message(club).id
    assert await get_shown_colour(club) == themes["roman"].page
    text, picture = await choose_style(club, club.ben, "plain")
    assert "This match, which only you play, is drawn like this in its channel too." in text
    assert get_page_colour(picture) == themes["plain"].page
    assert await get_shown_colour(club) == themes["plain"].page
    by_letters = await get_newest_message(club).attachments[0].read()
    await choose_style(club, club.ben, "numbers")
    assert await get_newest_message(club).attachments[0].read() != by_letters
    await choose_style(club, club.ben, "letters")
    assert await get_newest_message(club).attachments[0].read() == by_letters
    # So it does what is chosen in the settings; without a choice it is the server's again.
    await change_settings(club.ben, club.channel, theme="alfonso")
    await club.advance_clock(0)
    assert await get_shown_colour(club) == themes["alfonso"].page
    await choose_style(club, club.ben, "natural")
    assert await get_shown_colour(club) == themes["roman"].page
    assert get_newest_message(club).id == number


@pytest.mark.asyncio
async def test_between_people_a_style_chosen_under_more_is_that_of_ones_own_views(
    club: SimulatedClub,
) -> None:
    mover, _ = await throw_dice(club)
    before = await get_newest_message(club).attachments[0].read()
    text, picture = await choose_style(club, mover, "plain")
    assert "Boards that everyone plays on look as `/server settings` says." in text
    assert get_page_colour(picture) == load_themes()["plain"].page
    assert await get_newest_message(club).attachments[0].read() == before


@pytest.mark.asyncio
async def test_settings_show_what_a_board_will_look_like(club: SimulatedClub) -> None:
    answer = await change_settings(
        club.cyn, club.channel, theme="alfonso", near="mine", numbers=True
    )
    assert await download_picture(answer) == draw_board(
        sample_scene(), View(load_themes()["alfonso"], Side.BLACK, numbered=True)
    )
    answer = await change_settings(club.cyn, club.channel, theme="natural", near="gold")
    assert (
        "the theme that suits each board. Gold is at the bottom. Points are numbered."
        in get_ephemeral_text(answer)
    )
    assert await download_picture(answer) == draw_board(sample_scene(), View(numbered=True))


@pytest.mark.asyncio
async def test_looks_outlive_a_restart_and_themes_that_are_gone_are_no_trouble(
    club: SimulatedClub,
) -> None:
    await change_settings(club.cyn, club.channel, near="black")
    look = await club.store.board_styles.load_style("person", club.cyn.id)
    assert (look.theme, look.seat, look.numbered) == (None, "black", False)
    await club.store.board_styles.save(
        "person", club.cyn.id, type(look)("of another version", "gold")
    )
    answer = await change_settings(club.cyn, club.channel)
    assert get_chosen(get_response(answer).message, "preference:theme") == ["natural"]
    answer = await change_settings(club.cyn, club.channel, near="black")
    assert "Your boards: the theme that suits each board. Black is at the bottom." in (
        get_ephemeral_text(answer)
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
    answer = await mover.slash(club.channel, "match board", show="text")
    assert answer.response is not None
    assert not answer.response.attachments
    lines = get_ephemeral_text(answer).splitlines()
    assert " a G15   z B15" in lines
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
