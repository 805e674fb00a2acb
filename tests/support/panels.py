"""What people choose on the panels of settings, by pressing what is there."""

from collections.abc import Mapping, Sequence
from typing import Any

import discord
import simcord

from tests.support.driver import get_response, walk_parts

SETTINGS, SERVER_SETTINGS = "me settings", "server settings"
"""The commands that open the panels."""
PREFERENCE, SERVER = "preference:", "serverset:"
SECTION, SERVER_SECTION = "preferences:", "serverpanel:"
"""The menus of their sections."""
MENUS = ("theme", "near", "reminders", "channels", "role", "news", "puzzle", "digest")
SECTIONS = {
    "boards": ("theme", "near", "numbers", "directions"),
    "play": ("reminders", "throws", "confirms", "zone"),
    "privacy": ("language", "pages", "shares", "everywhere"),
}
SERVER_SECTIONS = {
    "matches": ("pace", "rated", "channels", "role", "threads", "single"),
    "boards": ("theme", "near", "numbers"),
    "posts": ("quiet", "zone", "news", "puzzle", "puzzle_hour", "digest", "digest_hour"),
    "public": ("language", "pages"),
}
IDS = {"language": "language:", "pages": "ownpages"}
SERVER_IDS = {
    "language": "serverlanguage:",
    "pages": "serverpages",
    "puzzle": "postchannel:puzzle",
    "puzzle_hour": "posthour:puzzle",
    "digest": "postchannel:digest",
    "digest_hour": "posthour:digest",
}
"""The ids of controls that other features have on a panel."""


async def change_settings(person: Any, channel: Any, **choices: Any) -> simcord.InteractionResult:
    """Open somebody's settings and choose something; returns what came of the last choice."""
    result: simcord.InteractionResult = await person.slash(channel, SETTINGS)
    panel = get_response(result).message
    for name, value in choices.items():
        shown = await open_section(person, panel, SECTION, get_section(SECTIONS, name))
        panel = get_response(shown).message
        result = await choose(person, panel, IDS.get(name, f"{PREFERENCE}{name}"), value)
    return result


async def change_server(person: Any, channel: Any, **choices: Any) -> simcord.InteractionResult:
    """Open the server's settings and choose something; returns what came of the last choice."""
    result: simcord.InteractionResult = await person.slash(channel, SERVER_SETTINGS)
    panel = get_response(result).message
    for name, value in choices.items():
        section = get_section(SERVER_SECTIONS, name)
        panel = get_response(await open_section(person, panel, SERVER_SECTION, section)).message
        result = await choose(person, panel, SERVER_IDS.get(name, f"{SERVER}{name}"), value)
    return result


def get_section(sections: Mapping[str, Sequence[str]], name: str) -> str:
    """Return the section in which a setting stands."""
    return next(section for section, names in sections.items() if name in names)


async def open_section(
    person: Any, panel: discord.Message, custom_id: str, section: str
) -> simcord.InteractionResult:
    """Show a section of settings in place of another."""
    result: simcord.InteractionResult = await person.select(
        panel, custom_id=custom_id, values=[section]
    )
    return result


async def open_server_section(person: Any, channel: Any, section: str) -> simcord.InteractionResult:
    """Open a section of the server's settings."""
    panel = get_response(await person.slash(channel, SERVER_SETTINGS)).message
    return await open_section(person, panel, SERVER_SECTION, section)


async def ask_server_data(person: Any, channel: Any, act: str) -> simcord.InteractionResult:
    """Ask for the data of a server, or to delete it."""
    panel = get_response(await open_server_section(person, channel, "public")).message
    result: simcord.InteractionResult = await person.click(panel, custom_id=f"serverdata:{act}")
    return result


async def choose(
    person: Any, panel: discord.Message, custom_id: str, value: Any
) -> simcord.InteractionResult:
    """Choose something on a panel as people do: by its menu, its switch, or its form."""
    name = custom_id.partition(":")[2]
    if isinstance(value, bool):
        return await turn_switch(person, panel, custom_id, is_on=value)
    if isinstance(value, int):
        value = str(value)
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


async def download_calendar(person: Any, channel: Any) -> simcord.InteractionResult:
    """Save somebody's deadlines for their calendar."""
    matches = get_response(await person.slash(channel, "matches")).message
    result: simcord.InteractionResult = await person.click(matches, custom_id="calendar:")
    return result


async def ask_last_change(
    asker: Any, channel: Any, player: Any = None, **options: Any
) -> simcord.InteractionResult:
    """Ask on somebody's profile why their rating changed last."""
    chosen = {"player": player} if player else {}
    await asker.slash(channel, "me profile", **chosen, **options)
    profile = channel.last_message
    result: simcord.InteractionResult = await asker.click(
        profile, custom_id=find_control(profile, "ratingchange:")
    )
    return result


def find_control(message: discord.Message, beginning: str) -> str:
    """Return the id of the first control whose id begins so."""
    return list_ids(message, beginning)[0]


async def open_data(person: Any, channel: Any) -> discord.Message:
    """Return the card about somebody's data, which a question may follow."""
    result: simcord.InteractionResult = await person.slash(channel, "data")
    answers = (each.message for each in (result.response, *result.followups) if each is not None)
    return next(each for each in answers if list_ids(each, "data:"))


async def ask_publication(person: Any, channel: Any) -> discord.Message:
    """Return the question whether somebody's matches may be published."""
    result: simcord.InteractionResult = await person.slash(channel, "data")
    message = get_response(result).message
    if list_ids(message, "publication:yes"):
        return message
    return get_response(await person.click(message, custom_id="publication:ask")).message


async def answer_publication(
    person: Any, channel: Any, *, agrees: bool
) -> simcord.InteractionResult:
    """Answer whether one's matches may be published."""
    question = await ask_publication(person, channel)
    answer = "publication:yes" if agrees else "publication:no"
    result: simcord.InteractionResult = await person.click(question, custom_id=answer)
    return result


def list_ids(message: discord.Message, beginning: str) -> list[str]:
    """The ids of the controls whose ids begin so."""
    ids = (str(getattr(part, "custom_id", "")) for part in walk_parts(message))
    return [custom_id for custom_id in ids if custom_id.startswith(beginning)]


async def export_data(person: Any, channel: Any) -> simcord.InteractionResult:
    """Ask for what is stored about somebody."""
    card = await open_data(person, channel)
    result: simcord.InteractionResult = await person.click(card, custom_id="data:export")
    return result


async def ask_deletion(person: Any, channel: Any) -> discord.Message:
    """Return the question whether somebody's data is to be deleted."""
    card = await open_data(person, channel)
    return get_response(await person.click(card, custom_id="data:delete")).message
