"""The games' own texts in another language, overlaid by slug."""

from pathlib import Path
from string import Formatter

from bot.translations import template
from bot.words.reader import Reader, reader_for
from bot.words.texts import of_game, of_option, texts
from engine.games import GAMES
from tests.words.build import compiled


def test_a_games_texts_are_overlaid_by_its_slug(tmp_path: Path) -> None:
    zeno = GAMES["zeno"]
    compiled(tmp_path, "de", {zeno.title: "Zenons Spiel"}, context="game:zeno")
    german = reader_for("de", tmp_path)
    assert german.of(of_game("zeno"), zeno.title) == "Zenons Spiel"
    assert german.of(of_game("zeno"), zeno.tagline) == zeno.tagline
    assert german.of(of_game("tabula"), zeno.title) == "Zeno"


def test_an_option_is_translated_once_for_every_game(tmp_path: Path) -> None:
    compiled(tmp_path, "de", {"They are lost.": "Sie verfallen."}, context="option:unusable")
    german = reader_for("de", tmp_path)
    for slug in ("zeno", "irish", "pyf"):
        meaning = GAMES[slug].option("unusable").value("lost").meaning
        assert german.of(of_option("unusable"), meaning) == "Sie verfallen."


def test_the_games_texts_have_no_parts_to_fill_in() -> None:
    for context, text in texts():
        assert Reader.ENGLISH.of(context, text) == text
        assert [name for _, name, _, _ in Formatter().parse(text) if name is not None] == []


def test_translators_get_every_page_of_the_rules() -> None:
    known = {(message.context, message.id) for message in template()}
    for slug, game in GAMES.items():
        assert ("game:" + slug, game.tagline) in known
        assert {("game:" + slug, line) for line in game.special} <= known
        for option in game.options:
            assert {("option:" + option.name, value.meaning) for value in option.values} <= known
    assert ("game:trictrac", "Le grand trictrac") in known
    assert ("theme:gloucester", "Gloucester") in known
    assert ("command", "Roll the dice in your match in this channel.") in known
    assert ("command", "Your side (default: gold)") in known
    assert ("command", "the whole turn") in known
