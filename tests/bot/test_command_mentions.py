"""Commands are named by what a client shows in its own language, and opens at a press."""

import re
from pathlib import Path
from typing import Any

import discord
import pytest

from bot.platform.i18n.reader import NO_MENTIONS, load_reader
from tests.support.club import SimulatedClub, find_misplaced, open_club
from tests.support.contests import press_standings
from tests.support.driver import (
    extract_raw_text,
    extract_text,
    find_button,
    get_newest_message,
    get_response,
    take_next_action,
)
from tests.support.panels import change_settings

MENTION = re.compile(r"</([^:>]+):([0-9]+)>")
pytestmark = pytest.mark.asyncio


def list_known_ids(club: SimulatedClub) -> dict[str, str]:
    """The ids that the simulated Discord has given the commands, by their first word."""
    return {name: command["id"] for (name, _), command in club.env.backend.commands[None].items()}


def list_leaves(command: dict[str, Any], path: str) -> list[str]:
    """A command, or those of a group, by the names that people type."""
    inner = [each for each in command.get("options", []) if each["type"] in (1, 2)]
    if not inner:
        return [path]
    return [leaf for each in inner for leaf in list_leaves(each, f"{path} {each['name']}")]


def list_known_paths(club: SimulatedClub) -> set[str]:
    """Every command that can be typed in the simulated Discord."""
    return {
        leaf
        for (name, _), command in club.env.backend.commands[None].items()
        # The entries of a person's menu are of another type, and nobody types them.
        if command["type"] == discord.AppCommandType.chat_input.value
        for leaf in list_leaves(command, name)
    }


async def read_help(club: SimulatedClub) -> str:
    """What Ana reads when she asks for help, letter by letter."""
    return extract_raw_text(get_response(await club.ana.slash(club.channel, "help")).message)


async def test_every_mention_leads_to_a_command_that_discord_knows(club: SimulatedClub) -> None:
    mentioned = dict(MENTION.findall(await read_help(club)))
    assert {"learn", "play", "challenge", "move", "matches", "league create"} <= set(mentioned)
    ids, paths = list_known_ids(club), list_known_paths(club)
    assert all(number == ids[path.split()[0]] for path, number in mentioned.items())
    assert set(mentioned) <= paths
    # Whatever follows a command is typed after it.
    help_text = await read_help(club)
    assert f"</move:{ids['move']}> `a-g b-f`" in help_text


async def test_what_everyone_sees_mentions_subcommands_too(club: SimulatedClub) -> None:
    await club.ana.slash(club.channel, "challenge", game="zeno", opponent=club.ben)
    message = get_response(await press_standings(club.ana, club.channel, "league", "join")).message
    number = list_known_ids(club)["league"]
    assert f"</league create:{number}>" in extract_raw_text(message)
    await club.ben.click(
        get_newest_message(club), custom_id=find_button(get_newest_message(club), ":accept")
    )
    assert await take_next_action(club)
    assert f"</move:{list_known_ids(club)['move']}>" in extract_raw_text(get_newest_message(club))


async def test_a_chosen_language_does_not_name_what_the_client_calls_otherwise(
    club: SimulatedClub,
) -> None:
    await change_settings(club.ana, club.channel, language="de")
    answer = await club.ana.slash(club.channel, "me vacation")
    raw = extract_raw_text(get_response(answer).message)
    # The client is in English: so are the options, and the mention is shown as it has it.
    assert f"</me vacation:{list_known_ids(club)['me']}> `days:7`" in raw
    text = "You're not on vacation. `/me vacation days:7` stops your clocks for a week."
    assert load_reader("de")(text).partition("`")[0] in raw


async def test_where_an_id_is_not_known_the_client_s_own_name_stands(tmp_path: Path) -> None:
    async with open_club(tmp_path / "club.sqlite3", people="pt-BR") as club:
        await change_settings(club.ana, club.channel, language="en")
        club.bot.mentions = NO_MENTIONS
        text = await read_help(club)
    assert "Where to start" in text
    assert "`/jogar`" in text
    assert "`/play`" not in text
    assert not MENTION.search(text)


async def test_ids_are_noted_for_the_next_start_and_for_other_processes(
    club: SimulatedClub,
) -> None:
    known = club.bot.mentions
    assert set(known.ids) == list_known_paths(club)
    club.bot.mentions = NO_MENTIONS
    asked = len(club.env.backend.commands[None])
    await club.bot.sync_commands()
    assert club.bot.mentions.ids == known.ids
    assert len(club.env.backend.commands[None]) == asked
    # A Discord that has forgotten them gives others.
    await club.bot.sync_commands(anew=True)
    assert {str(number) for number in club.bot.mentions.ids.values()} <= set(
        list_known_ids(club).values()
    )
    again = club.bot.mentions
    assert await club.bot.load_mentions()
    assert club.bot.mentions is again


async def test_only_the_text_of_a_message_mentions_commands() -> None:
    mention = "</play:123456789012345678>"
    card = {"components": [{"content": mention, "label": "Play"}], "alt": mention}
    assert list(find_misplaced(card)) == [mention]
    # People may call themselves like this, which no client shows as a command.
    assert not list(find_misplaced({"label": "</play:1>"}))


async def test_what_is_typed_after_a_command_is_read_as_it_is_typed(club: SimulatedClub) -> None:
    message = get_response(await club.ana.slash(club.channel, "me vacation")).message
    assert "`/me vacation days:7`" in extract_text(message)
