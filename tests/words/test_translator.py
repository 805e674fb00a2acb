"""What Discord is told of the commands in other languages."""

from pathlib import Path
from typing import Any

import pytest
import simcord

from bot.client import Tabula
from bot.store import Store
from tests.wire.commands import problems
from tests.words.build import compiled

GERMAN = {
    "Roll the dice in your match in this channel.": (
        "Die Würfel deiner Partie in diesem Kanal werfen."
    ),
    "The number of the match, if you have several here": (
        "Die Nummer der Partie, wo du hier mehrere hast"
    ),
    "the whole turn": "der ganze Zug",
    "roll": "würfeln",
    "match": "partie",
}


async def told(folder: Path, locales: Path) -> list[dict[str, Any]]:
    """Return what Discord is told of the commands at each start of the bot: mostly nothing.

    Each start is at a new Discord.
    """
    async with await Store.open(folder / "club.sqlite3") as store:
        bot = Tabula(store, locales=locales)
        env = simcord.Env(bot)
        await env.start()
        try:
            return list(env.backend.commands.get(None, {}).values())
        finally:
            await bot.close()
            await env.shutdown()


def named(things: list[dict[str, Any]], name: str) -> dict[str, Any]:
    """The command, option or choice of that name."""
    return next(thing for thing in things if thing["name"] == name)


@pytest.mark.asyncio
async def test_commands_describe_themselves_in_other_languages_and_keep_their_names(
    tmp_path: Path,
) -> None:
    commands = await told(tmp_path, compiled(tmp_path / "locale", "de", GERMAN, context="command"))
    roll, undo = named(commands, "roll"), named(commands, "undo")
    assert roll["description"] == "Roll the dice in your match in this channel."
    assert roll["description_localizations"] == {
        "de": "Die Würfel deiner Partie in diesem Kanal werfen."
    }
    assert roll["name_localizations"] == {}
    number = named(roll["options"], "match")
    assert number["description_localizations"] == {
        "de": "Die Nummer der Partie, wo du hier mehrere hast"
    }
    assert not number.get("name_localizations")
    choices = named(undo["options"], "what")["choices"]
    assert named(choices, "the whole turn")["name_localizations"] == {"de": "der ganze Zug"}
    assert not named(choices, "the last move").get("name_localizations")
    assert list(problems(commands)) == []


@pytest.mark.asyncio
async def test_one_catalogue_serves_every_region_of_a_language(tmp_path: Path) -> None:
    spanish = {
        "Roll the dice in your match in this channel.": (
            "Tira los dados de tu partida en este canal."
        )
    }
    commands = await told(tmp_path, compiled(tmp_path / "locale", "es", spanish, context="command"))
    assert named(commands, "roll")["description_localizations"].keys() == {"es-ES", "es-419"}


@pytest.mark.asyncio
async def test_a_new_language_is_told_to_discord_at_the_next_start(tmp_path: Path) -> None:
    assert named(await told(tmp_path, tmp_path / "none"), "roll")["description_localizations"] == {}
    assert await told(tmp_path, tmp_path / "none") == []
    german = compiled(tmp_path / "locale", "de", GERMAN, context="command")
    assert "de" in named(await told(tmp_path, german), "roll")["description_localizations"]
