"""What people choose on the panels of settings, by pressing what is there."""

from collections.abc import Sequence
from typing import Any

import discord
import simcord

from tests.bot.driver import get_response, walk_parts

SETTINGS, SERVER_SETTINGS = "me settings", "server settings"
"""The commands that open the panels."""
PREFERENCE, SERVER, BOARDS = "preference:", "serverset:", "serverpanel:boards"
MENUS = ("theme", "near", "reminders", "channels", "role", "news")
BOARD_CHOICES = ("theme", "near", "numbers")


async def change_settings(person: Any, channel: Any, **choices: Any) -> simcord.InteractionResult:
    """Open somebody's settings and choose something; returns what came of the last choice."""
    result: simcord.InteractionResult = await person.slash(channel, SETTINGS)
    panel = get_response(result).message
    for name, value in choices.items():
        result = await choose(person, panel, f"{PREFERENCE}{name}", value)
    return result


async def change_server(person: Any, channel: Any, **choices: Any) -> simcord.InteractionResult:
    """Open the server's settings and choose something; returns what came of the last choice."""
    result: simcord.InteractionResult = await person.slash(channel, SERVER_SETTINGS)
    panel = get_response(result).message
    if any(name in BOARD_CHOICES for name in choices):
        result = await person.click(panel, custom_id=BOARDS)
        panel = get_response(result).message
    for name, value in choices.items():
        result = await choose(person, panel, f"{SERVER}{name}", value)
    return result


async def choose(
    person: Any, panel: discord.Message, custom_id: str, value: Any
) -> simcord.InteractionResult:
    """Choose something on a panel as people do: by its menu, its switch, or its form."""
    name = custom_id.partition(":")[2]
    if isinstance(value, bool):
        return await turn_switch(person, panel, custom_id, is_on=value)
    result: simcord.InteractionResult
    if name in MENUS or value in list_values(panel, custom_id):
        values = value if isinstance(value, Sequence) and not isinstance(value, str) else [value]
        result = await person.select(panel, custom_id=custom_id, values=values)
        return result
    opened = (
        await person.select(panel, custom_id=custom_id, values=["other"])
        if name == "pace"
        else await person.click(panel, custom_id=custom_id)
    )
    result = await person.submit_modal(opened, {"text": value})
    return result


async def turn_switch(
    person: Any, panel: discord.Message, custom_id: str, *, is_on: bool
) -> simcord.InteractionResult:
    """Turn something on or off; what is so already is turned back first."""
    shown = [getattr(part, "custom_id", "") for part in walk_parts(panel)]
    if f"{custom_id}:{int(is_on)}" not in shown:
        await person.click(panel, custom_id=f"{custom_id}:{int(not is_on)}")
    result: simcord.InteractionResult = await person.click(
        panel, custom_id=f"{custom_id}:{int(is_on)}"
    )
    return result


def list_values(panel: discord.Message, custom_id: str) -> list[str]:
    """The entries of a menu of texts."""
    return [
        option.value
        for part in walk_parts(panel)
        if isinstance(part, discord.ui.Select) and part.custom_id == custom_id
        for option in part.options
    ]


def get_chosen(panel: discord.Message, custom_id: str) -> list[Any]:
    """What a menu shows as chosen: values, or the ids of channels and roles."""
    menus = [part for part in walk_parts(panel) if getattr(part, "custom_id", "") == custom_id]
    (menu,) = menus
    if isinstance(menu, discord.ui.Select):
        return [option.value for option in menu.options if option.default]
    return [each.id for each in menu.default_values]
