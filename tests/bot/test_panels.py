"""The panels of one's own settings and of a server's: each choice is saved at once and shown."""

from dataclasses import replace
from typing import Any

import discord
import pytest

from bot.features.posts.rows import PostKind
from bot.features.posts.service import load_schedule
from bot.platform.db.preferences import BoardStyle, PlayerPreferences, Reminder, ServerSettings
from bot.platform.ui.card import Card, PanelRow
from bot.platform.ui.layout import build_layout
from engine.position import Side
from render.board import draw_board
from render.scene import View, sample_scene
from render.theme import load_themes
from tests.bot.test_board_styles import download_picture
from tests.support import panels
from tests.support.club import SimulatedClub
from tests.support.driver import (
    create_second_guild,
    extract_text,
    get_ephemeral_text,
    get_response,
    list_button_labels,
    list_pictures,
)

pytestmark = pytest.mark.asyncio


async def test_every_preference_is_saved_and_shown_at_once(club: SimulatedClub) -> None:
    answer = await club.cyn.slash(club.channel, panels.SETTINGS)
    panel = get_response(answer).message
    assert panel.flags.ephemeral
    assert extract_text(panel).startswith(
        "### Your settings\n**Preview**: the boards that only you"
    )
    assert len(list_pictures(panel)) == 1
    for name, value, text in (
        ("theme", "roman", "Saved. Your boards: **Roman**."),
        ("near", "mine", "Your own side is at the bottom."),
        ("numbers", True, "**Numbered points**: on"),
        ("reminders", "direct", "Saved. You get a reminder by direct message"),
        ("directions", True, "Saved. The boards of your matches always show which way"),
        ("throws", False, "Saved. You roll your own dice in matches between people."),
        ("confirms", True, "Saved. You confirm each turn before it ends."),
        ("zone", "berlin", "Saved. Your vacation days are counted in Europe/Berlin."),
    ):
        shown = await panels.open_section(
            club.cyn, panel, panels.SECTION, panels.get_section(panels.SECTIONS, name)
        )
        panel = get_response(shown).message
        changed = get_response(
            await panels.choose(club.cyn, panel, f"{panels.PREFERENCE}{name}", value)
        )
        assert changed.id == panel.id
        assert text in extract_text(changed.message)
    message = get_response(await club.cyn.slash(club.channel, panels.SETTINGS)).message
    assert "Saved." not in extract_text(message)
    for name, value in (("theme", "roman"), ("near", "mine"), ("reminders", "direct")):
        shown = await panels.open_section(
            club.cyn, message, panels.SECTION, panels.get_section(panels.SECTIONS, name)
        )
        message = get_response(shown).message
        assert panels.get_chosen(message, f"{panels.PREFERENCE}{name}") == [value]
    assert await club.store.board_styles.load_style("person", club.cyn.id) == BoardStyle(
        "roman", "mine", numbered=True
    )
    assert await club.store.preferences.load_preferences(club.cyn.id) == PlayerPreferences(
        Reminder.DIRECT, throws=False, confirms=True, zone="Europe/Berlin", directions=True
    )


async def test_a_reset_makes_all_settings_as_they_were_at_first(club: SimulatedClub) -> None:
    panel = get_response(await panels.change_settings(club.cyn, club.channel, throws=False)).message
    await panels.change_settings(club.cyn, club.channel, theme="roman", near="gold", zone="+2")
    answer = await club.cyn.click(panel, label="Reset to defaults")
    assert "Your settings are back to their defaults." in get_ephemeral_text(answer)
    # As before anything was chosen, one's own boards are seen from one's own side.
    assert await club.store.board_styles.load_style("person", club.cyn.id) == BoardStyle(
        seat="mine"
    )
    assert await club.store.preferences.load_preferences(club.cyn.id) == PlayerPreferences()
    assert await download_picture(answer) == draw_board(sample_scene(), View(below=Side.BLACK))


async def test_a_panel_of_long_ago_does_what_its_buttons_say(club: SimulatedClub) -> None:
    old, new = [
        get_response(await club.cyn.slash(club.channel, panels.SETTINGS)).message for _ in range(2)
    ]
    for panel in (old, new):
        await panels.open_section(club.cyn, panel, panels.SECTION, "play")
    await club.cyn.click(new, custom_id=f"{panels.PREFERENCE}confirms:1")
    # It still says "Turn on", and turns are confirmed after it.
    await club.cyn.click(old, custom_id=f"{panels.PREFERENCE}confirms:1")
    assert (await club.store.preferences.load_preferences(club.cyn.id)).confirms
    assert list_button_labels(old).count("Turn on") == 2


async def test_looking_at_settings_and_resetting_nothing_stores_nothing(
    club: SimulatedClub,
) -> None:
    panel = get_response(await club.cyn.slash(club.channel, panels.SETTINGS)).message
    await club.cyn.click(panel, label="Reset to defaults")
    assert await club.store.people.load_names([club.cyn.id]) == {}


async def test_a_zone_that_is_none_is_refused_and_changes_nothing(club: SimulatedClub) -> None:
    answer = await panels.change_settings(club.cyn, club.channel, zone="Europe/Berln")
    assert get_ephemeral_text(answer).startswith("`Europe/Berln` isn't a time zone. Did you mean")
    assert await club.store.preferences.load_preferences(club.cyn.id) == PlayerPreferences()


@pytest.mark.parametrize(
    ("custom_id", "values"),
    [
        ("preference:theme", ["of another version"]),
        ("preference:near", ["top"]),
        ("preference:reminders", ["by pigeon"]),
        ("preference:throws:2", None),
        ("preference:throws", None),
        ("preference:name", None),
        ("preference:theme", None),
        ("serverset:near", ["mine"]),
        ("serverset:channels", None),
        ("serverset:channels", ["1"]),
        ("serverset:role", ["1"]),
        ("serverset:rated:yes", None),
        ("serverpanel:people", None),
        ("serverpanel:", ["people"]),
        ("serverlanguage:", ["tlh"]),
        ("serverpages:2", None),
        ("postchannel:weather", ["1"]),
        ("posthour:puzzle", ["24"]),
        ("posthour:puzzle", ["9"]),
        ("serverdata:sell", None),
        ("preferences:", ["people"]),
        ("language:", ["tlh"]),
        ("ownpages:2", None),
        ("unblock:", ["2"]),
        ("data:sell", None),
    ],
)
async def test_what_no_panel_offers_is_refused(
    club: SimulatedClub, custom_id: str, values: list[str] | None
) -> None:
    panel = get_response(await club.ana.slash(club.channel, panels.SETTINGS)).message
    data: dict[str, Any] = {"custom_id": custom_id, "component_type": 3 if values else 2}
    if values:
        data["values"] = values
    message = await send_press(club, panel, data)
    assert extract_text(message).startswith("That button no longer works.")
    assert await club.store.preferences.load_preferences(club.ana.id) == PlayerPreferences()
    assert await club.store.servers.load_settings(club.guild.id) == ServerSettings()


async def send_press(
    club: SimulatedClub, message: discord.Message, data: dict[str, Any]
) -> discord.Message:
    """Send what a modified client may send, and return the answer."""

    def forge(event: str, payload: Any) -> None:
        if event == "INTERACTION_CREATE":
            payload["data"] = data

    club.env.backend.subscribers.insert(0, forge)
    try:
        result = await club.ana.click(message, label="Reset to defaults")
    finally:
        club.env.backend.subscribers.remove(forge)
    return get_response(result).message


async def test_a_server_s_settings_are_saved_and_shown_at_once(club: SimulatedClub) -> None:
    hall, role = club.guild.create_text_channel("hall"), club.guild.create_role("Players")
    panel = get_response(await club.ana.slash(club.channel, panels.SERVER_SETTINGS)).message
    assert panel.flags.ephemeral
    assert list_pictures(panel) == []
    for name, value, text in (
        ("pace", "week", "Saved. Matches are rated, with this pace: 7 days a turn."),
        ("pace", "2h+30s", "this pace: 2 hours in total, plus 30 seconds after each turn."),
        ("rated", False, "Saved. Matches are not rated"),
        ("channels", [hall], f"Saved. Matches can start in <#{hall.id}>."),
        ("role", role, f"Saved. Only members of <@&{role.id}> can challenge each other."),
        ("threads", True, "Saved. Each match has its own thread."),
        ("single", True, "Saved. Each match has a single message, updated every turn."),
        ("quiet", "22-7", "**Quiet hours**: 22:00 to 7:00"),
        ("zone", "Rome", "Quiet hours: from 22:00 to 7:00 (Europe/Rome) nobody is notified"),
        ("news", hall, f"Saved. Matches are announced in <#{hall.id}> when they start and end."),
    ):
        section = panels.get_section(panels.SERVER_SECTIONS, name)
        shown = await panels.open_section(club.ana, panel, panels.SERVER_SECTION, section)
        panel = get_response(shown).message
        changed = get_response(
            await panels.choose(club.ana, panel, f"{panels.SERVER}{name}", value)
        )
        assert changed.id == panel.id
        assert text in extract_text(changed.message)
    chosen = ServerSettings(
        pace="2h+30s",
        rated=False,
        channels=(hall.id,),
        role=role.id,
        threads=True,
        single=True,
        news=hall.id,
        quiet=(22 * 60, 7 * 60),
        zone="Europe/Rome",
    )
    assert await club.store.servers.load_settings(club.guild.id) == chosen
    message = get_response(await club.ana.slash(club.channel, panels.SERVER_SETTINGS)).message
    assert panels.get_chosen(message, f"{panels.SERVER}pace") == ["2h+30s"]
    assert panels.get_chosen(message, f"{panels.SERVER}channels") == [hall.id]
    assert panels.get_chosen(message, f"{panels.SERVER}role") == [role.id]
    message = get_response(
        await panels.open_section(club.ana, message, panels.SERVER_SECTION, "posts")
    ).message
    assert panels.get_chosen(message, f"{panels.SERVER}news") == [hall.id]
    await panels.choose(club.ana, message, f"{panels.SERVER}news", [])
    await panels.open_section(club.ana, message, panels.SERVER_SECTION, "matches")
    await panels.choose(club.ana, message, f"{panels.SERVER}role", [])
    chosen = replace(chosen, news=None, role=None)
    assert await club.store.servers.load_settings(club.guild.id) == chosen
    reset = await club.ana.click(message, label="Reset to defaults")
    assert "Matches in this server are back to their defaults." in get_ephemeral_text(reset)
    # What is posted when has a section of its own.
    assert await club.store.servers.load_settings(club.guild.id) == ServerSettings(
        quiet=chosen.quiet, zone=chosen.zone
    )


async def test_the_panel_of_boards_shows_them_as_the_server_has_them(club: SimulatedClub) -> None:
    # The manager's own style is another one.
    await panels.change_settings(club.ana, club.channel, theme="plain")
    answer = await panels.change_server(club.ana, club.channel, theme="roman", numbers=True)
    assert await download_picture(answer) == draw_board(
        sample_scene(), View(load_themes()["roman"], numbered=True)
    )
    panel = get_response(answer).message
    assert panels.list_values(panel, f"{panels.SERVER}near") == ["gold", "black"]
    answer = await club.ana.click(panel, label="Reset to defaults")
    assert "This server's boards are back to their defaults." in get_ephemeral_text(answer)
    assert await club.store.board_styles.load_style("server", club.guild.id) == BoardStyle()
    matches = await panels.open_section(club.ana, panel, panels.SERVER_SECTION, "matches")
    assert get_response(matches).id == panel.id
    assert list_pictures(get_response(matches).message) == []
    assert "**Pace**" in get_ephemeral_text(matches)


async def test_who_may_manage_the_server_no_longer_changes_nothing(club: SimulatedClub) -> None:
    other = create_second_guild(club, "Inn")
    hall = other.create_text_channel("hall")
    role = other.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
    cyn = other.add_member(club.cyn.user)
    club.env.backend.add_member_role(other.id, cyn.id, role.id)
    await club.env.settle()
    panel = get_response(await cyn.slash(hall, panels.SERVER_SETTINGS)).message
    await panels.choose(cyn, panel, f"{panels.SERVER}threads", value=True)
    posts = get_response(await panels.change_server(cyn, hall, digest=hall)).message
    public = get_response(await panels.open_server_section(cyn, hall, "public")).message
    club.env.backend.remove_member_role(other.id, cyn.id, role.id)
    await club.env.settle()
    refusal = "Only people with the permission Manage Server can do that."
    for press in (
        cyn.click(panel, custom_id=f"{panels.SERVER}rated:0"),
        panels.open_section(cyn, panel, panels.SERVER_SECTION, "boards"),
        cyn.click(panel, label="Reset to defaults"),
        cyn.select(panel, custom_id=f"{panels.SERVER}pace", values=["day"]),
        cyn.select(posts, custom_id=panels.SERVER_IDS["puzzle"], values=[hall]),
        cyn.select(posts, custom_id=panels.SERVER_IDS["digest"], values=[]),
        cyn.select(posts, custom_id=panels.SERVER_IDS["digest_hour"], values=["7"]),
        cyn.select(public, custom_id=panels.SERVER_IDS["language"], values=["de"]),
        cyn.click(public, custom_id="serverpages:1"),
    ):
        assert get_ephemeral_text(await press) == refusal
    owner = await cyn.click(public, custom_id="serverdata:delete")
    assert get_ephemeral_text(owner) == (
        "Only the owner of this server can get or delete its data."
    )
    schedule = await load_schedule(club.bot.app, other.id, PostKind.DIGEST)
    assert schedule is not None
    assert (schedule.chosen.channel, schedule.chosen.hour) == (hall.id, 9)
    assert await load_schedule(club.bot.app, other.id, PostKind.PUZZLE) is None
    assert await club.store.servers.load_settings(other.id) == ServerSettings(threads=True)


async def test_a_choice_has_a_button_beside_it_or_a_menu_below_it() -> None:
    button: discord.ui.Button[Any] = discord.ui.Button(label="x" * 99, custom_id="a")
    menu: discord.ui.Select[Any] = discord.ui.Select(
        options=[discord.SelectOption(label="y" * 120, value="y")], custom_id="b"
    )
    card = Card(texts=("Panel",), panel=(PanelRow("One", button), PanelRow("Two", menu)))
    layout: Any = build_layout(card)
    (container,) = layout.to_components()
    title, section, text, row = container["components"]
    assert title["content"] == "Panel"
    assert (section["type"], section["components"][0]["content"]) == (9, "One")
    assert len(section["accessory"]["label"]) == 80
    assert (text["content"], row["type"]) == ("Two", 1)
    assert len(row["components"][0]["options"][0]["label"]) == 100
