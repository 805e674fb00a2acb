"""The panels of one's own settings and of a server's: each choice is saved at once and shown."""

from dataclasses import replace
from typing import Any

import discord
import pytest

from bot.platform.ui.card import Card, PanelRow
from bot.platform.ui.layout import build_layout
from bot.store import BoardStyle, PlayerPreferences, Reminder, ServerSettings
from render.board import draw_board
from render.sample import sample_scene
from render.scene import View
from render.theme import load_themes
from tests.bot.conftest import SimulatedClub
from tests.bot.driver import (
    create_second_guild,
    extract_text,
    get_ephemeral_text,
    get_response,
    list_button_labels,
    list_pictures,
)
from tests.bot.panels import (
    BOARDS,
    PREFERENCE,
    SERVER,
    SERVER_SETTINGS,
    SETTINGS,
    change_server,
    change_settings,
    choose,
    get_chosen,
    list_values,
)
from tests.bot.test_board_styles import download_picture

pytestmark = pytest.mark.asyncio


async def test_every_preference_is_saved_and_shown_at_once(club: SimulatedClub) -> None:
    opened = await club.cyn.slash(club.channel, SETTINGS)
    panel = get_response(opened).message
    assert panel.flags.ephemeral
    assert extract_text(panel).startswith(
        "### Your settings\n**Preview**: the boards that only you"
    )
    assert len(list_pictures(panel)) == 1
    for name, value, told in (
        ("theme", "roman", "Saved. Your boards: **Roman**."),
        ("near", "mine", "Your own side is at the bottom."),
        ("numbers", True, "**Numbered points**: on"),
        ("reminders", "direct", "Saved. You get a reminder by direct message"),
        ("throws", True, "Saved. I roll for you as soon as nothing can be taken back any more"),
        ("confirms", True, "Saved. You confirm each turn before it ends."),
        ("zone", "berlin", "Saved. Your vacation days are counted in Europe/Berlin."),
    ):
        # Always on the same message, which shows the state of long ago to whoever holds it.
        changed = get_response(await choose(club.cyn, panel, f"{PREFERENCE}{name}", value))
        assert changed.id == panel.id
        assert told in extract_text(changed.message)
    shown = get_response(await club.cyn.slash(club.channel, SETTINGS)).message
    assert "Saved." not in extract_text(shown)
    for name, value in (("theme", "roman"), ("near", "mine"), ("reminders", "direct")):
        assert get_chosen(shown, f"{PREFERENCE}{name}") == [value]
    assert await club.store.board_styles.get("person", club.cyn.id) == BoardStyle(
        "roman", "mine", numbered=True
    )
    assert await club.store.preferences.get(club.cyn.id) == PlayerPreferences(
        Reminder.DIRECT, throws=True, confirms=True, zone="Europe/Berlin"
    )


async def test_a_reset_makes_all_settings_as_they_were_at_first(club: SimulatedClub) -> None:
    panel = get_response(await change_settings(club.cyn, club.channel, throws=True)).message
    await change_settings(club.cyn, club.channel, theme="roman", zone="+2")
    told = await club.cyn.click(panel, label="Reset to defaults")
    assert "All your settings have their defaults again." in get_ephemeral_text(told)
    assert await club.store.board_styles.get("person", club.cyn.id) == BoardStyle()
    assert await club.store.preferences.get(club.cyn.id) == PlayerPreferences()
    assert await download_picture(told) == draw_board(sample_scene(), View())


async def test_a_panel_of_long_ago_does_what_its_buttons_say(club: SimulatedClub) -> None:
    old = get_response(await club.cyn.slash(club.channel, SETTINGS)).message
    new = get_response(await club.cyn.slash(club.channel, SETTINGS)).message
    await club.cyn.click(new, custom_id=f"{PREFERENCE}throws:1")
    # It still says "Turn on", and rolls are on after it.
    await club.cyn.click(old, custom_id=f"{PREFERENCE}throws:1")
    assert (await club.store.preferences.get(club.cyn.id)).throws
    assert list_button_labels(old).count("Turn on") == 5


async def test_looking_at_settings_and_resetting_nothing_stores_nothing(
    club: SimulatedClub,
) -> None:
    panel = get_response(await club.cyn.slash(club.channel, SETTINGS)).message
    await club.cyn.click(panel, label="Reset to defaults")
    assert await club.store.people.load_names([club.cyn.id]) == {}


async def test_a_zone_that_is_none_is_refused_and_changes_nothing(club: SimulatedClub) -> None:
    told = await change_settings(club.cyn, club.channel, zone="Europe/Berln")
    assert get_ephemeral_text(told).startswith("`Europe/Berln` isn't a time zone. Did you mean")
    assert await club.store.preferences.get(club.cyn.id) == PlayerPreferences()


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
    ],
)
async def test_what_no_panel_offers_is_refused(
    club: SimulatedClub, custom_id: str, values: list[str] | None
) -> None:
    panel = get_response(await club.ana.slash(club.channel, SETTINGS)).message
    data: dict[str, Any] = {"custom_id": custom_id, "component_type": 3 if values else 2}
    if values:
        data["values"] = values
    told = await send_press(club, panel, data)
    assert extract_text(told).startswith("That button no longer works.")
    assert await club.store.preferences.get(club.ana.id) == PlayerPreferences()
    assert await club.store.servers.get(club.guild.id) == ServerSettings()


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
    panel = get_response(await club.ana.slash(club.channel, SERVER_SETTINGS)).message
    assert panel.flags.ephemeral
    assert list_pictures(panel) == []
    for name, value, told in (
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
        changed = get_response(await choose(club.ana, panel, f"{SERVER}{name}", value))
        assert changed.id == panel.id
        assert told in extract_text(changed.message)
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
    assert await club.store.servers.get(club.guild.id) == chosen
    shown = get_response(await club.ana.slash(club.channel, SERVER_SETTINGS)).message
    assert get_chosen(shown, f"{SERVER}pace") == ["2h+30s"]
    assert get_chosen(shown, f"{SERVER}channels") == [hall.id]
    assert get_chosen(shown, f"{SERVER}role") == [role.id]
    assert get_chosen(shown, f"{SERVER}news") == [hall.id]
    await choose(club.ana, panel, f"{SERVER}news", [])
    await choose(club.ana, panel, f"{SERVER}role", [])
    assert await club.store.servers.get(club.guild.id) == replace(chosen, news=None, role=None)
    reset = await club.ana.click(panel, label="Reset to defaults")
    assert "Matches in this server have their defaults again." in get_ephemeral_text(reset)
    assert await club.store.servers.get(club.guild.id) == ServerSettings()


async def test_the_panel_of_boards_shows_them_as_the_server_has_them(club: SimulatedClub) -> None:
    # The manager's own style is another one.
    await change_settings(club.ana, club.channel, theme="plain")
    told = await change_server(club.ana, club.channel, theme="roman", numbers=True)
    assert await download_picture(told) == draw_board(
        sample_scene(), View(load_themes()["roman"], numbered=True)
    )
    panel = get_response(told).message
    assert list_values(panel, f"{SERVER}near") == ["gold", "black"]
    told = await club.ana.click(panel, label="Reset to defaults")
    assert "This server's boards have their defaults again." in get_ephemeral_text(told)
    assert await club.store.board_styles.get("server", club.guild.id) == BoardStyle()
    matches = await club.ana.click(panel, label="Matches")
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
    panel = get_response(await cyn.slash(hall, SERVER_SETTINGS)).message
    await choose(cyn, panel, f"{SERVER}threads", value=True)
    club.env.backend.remove_member_role(other.id, cyn.id, role.id)
    await club.env.settle()
    refusal = "Only members who may manage this server can change its settings."
    for press in (
        cyn.click(panel, custom_id=f"{SERVER}rated:0"),
        cyn.click(panel, custom_id=BOARDS),
        cyn.click(panel, label="Reset to defaults"),
        cyn.select(panel, custom_id=f"{SERVER}pace", values=["day"]),
    ):
        assert get_ephemeral_text(await press) == refusal
    assert await club.store.servers.get(other.id) == ServerSettings(threads=True)


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
