"""What Discord is told of the commands in other languages."""

from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog

from bot.client import Tabula
from bot.platform.db.store import Store
from bot.platform.i18n.reader import load_reader
from tests.support.simulator import PatientEnv
from tests.wire.commands import find_problems
from tests.words.build import compile_catalogue, compile_texts

GERMAN = {
    "Roll the dice in your match in this channel.": (
        "Die Würfel deiner Partie in diesem Kanal werfen."
    ),
    "The number of the match, if you have several here": (
        "Die Nummer der Partie, wo du hier mehrere hast"
    ),
    "the whole turn": "der ganze Zug",
}
NAMES = {"roll": "würfeln", "match": "partie", "match draw": "Nicht Erlaubt", "undo": "undo"}


async def load_sent_commands(folder: Path, locales: Path) -> list[dict[str, Any]]:
    """Return what Discord is told of the commands at each start of the bot: mostly nothing.

    Each start is at a new Discord.
    """
    async with await Store.open(folder / "club.sqlite3") as store:
        bot = Tabula(store, locales=locales)
        env = PatientEnv(bot)
        async with env.closing():
            await env.start()
            return list(env.backend.commands.get(None, {}).values())


def find_by_name(things: list[dict[str, Any]], name: str) -> dict[str, Any]:
    """The command, option or choice of that name."""
    return next(thing for thing in things if thing["name"] == name)


@pytest.mark.asyncio
async def test_commands_and_options_are_called_and_described_in_other_languages(
    tmp_path: Path,
) -> None:
    catalogue = Catalog("de", fuzzy=False)
    for text, sentence in GERMAN.items():
        catalogue.add(text, sentence, context="command")
    for name, sentence in NAMES.items():
        catalogue.add(name, sentence, context="command name")
    catalogue.add("match", "nummer", context="option name")
    commands = await load_sent_commands(
        tmp_path, compile_catalogue(tmp_path / "locale", "de", catalogue)
    )
    roll, undo = find_by_name(commands, "roll"), find_by_name(commands, "undo")
    assert roll["description"] == "Roll the dice in your match in this channel."
    assert roll["description_localizations"] == {
        "de": "Die Würfel deiner Partie in diesem Kanal werfen."
    }
    assert roll["name_localizations"] == {"de": "würfeln"}
    assert undo["name_localizations"] == {}
    number = find_by_name(roll["options"], "match")
    assert number["description_localizations"] == {
        "de": "Die Nummer der Partie, wo du hier mehrere hast"
    }
    assert number["name_localizations"] == {"de": "nummer"}
    match = find_by_name(commands, "match")
    assert match["name_localizations"] == {"de": "partie"}
    # What Discord would refuse is left in English.
    assert not find_by_name(match["options"], "draw").get("name_localizations")
    choices = find_by_name(undo["options"], "what")["choices"]
    assert find_by_name(choices, "the whole turn")["name_localizations"] == {"de": "der ganze Zug"}
    assert not find_by_name(choices, "the last move").get("name_localizations")
    assert list(find_problems(commands)) == []


@pytest.mark.asyncio
async def test_one_catalogue_serves_every_region_of_a_language(tmp_path: Path) -> None:
    spanish = {
        "Roll the dice in your match in this channel.": (
            "Tira los dados de tu partida en este canal."
        )
    }
    commands = await load_sent_commands(
        tmp_path, compile_texts(tmp_path / "locale", "es", spanish, context="command")
    )
    assert find_by_name(commands, "roll")["description_localizations"].keys() == {"es-ES", "es-419"}


@pytest.mark.asyncio
async def test_a_new_language_is_told_to_discord_at_the_next_start(tmp_path: Path) -> None:
    assert (
        find_by_name(await load_sent_commands(tmp_path, tmp_path / "none"), "roll")[
            "description_localizations"
        ]
        == {}
    )
    assert await load_sent_commands(tmp_path, tmp_path / "none") == []
    german = compile_texts(tmp_path / "locale", "de", GERMAN, context="command")
    assert (
        "de"
        in find_by_name(await load_sent_commands(tmp_path, german), "roll")[
            "description_localizations"
        ]
    )


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("Use `/match draw` or `/roll`.", "Use `/partie remis` or `/würfeln`."),
        ("Type `/match draw match:{match}`.", "Type `/partie remis nummer:{match}`."),
        ("See `/match`: `draw` and `hint`.", "See `/partie`: `remis` and `hint`."),
        ("Use the option `match`, or `none`.", "Use the option `nummer`, or `none`."),
        ("`draw` is no move, `/match draw` is.", "`draw` is no move, `/partie remis` is."),
        ("Type `/roll again`.", "Type `/würfeln again`."),
        ("Type `6-5 a-g`.", "Type `6-5 a-g`."),
    ],
)
def test_texts_name_commands_as_the_language_does(
    tmp_path: Path, english: str, german: str
) -> None:
    catalogue = Catalog("de", fuzzy=False)
    names = {"match": "partie", "match draw": "remis", "roll": "würfeln"}
    for name, text in names.items():
        catalogue.add(name, text, context="command name")
    catalogue.add("match", "nummer", context="option name")
    say = load_reader("de", compile_catalogue(tmp_path / "locale", "de", catalogue))
    assert say(english, match="{match}") == german
    assert say.in_context("lesson:zeno", english, match="{match}") == german
