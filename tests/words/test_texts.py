"""The games' own texts in another language, overlaid by slug."""

from pathlib import Path
from string import Formatter

from bot.platform.i18n.reader import Reader, game_context, list_texts, load_reader, option_context
from engine.games import GAMES
from tests.support.pseudo import read_template
from tests.words.build import compile_texts


def test_a_games_texts_are_overlaid_by_its_slug(tmp_path: Path) -> None:
    zeno = GAMES["zeno"]
    compile_texts(tmp_path, "de", {zeno.title: "Zenons Spiel"}, context="game:zeno")
    german = load_reader("de", tmp_path)
    assert german.in_context(game_context("zeno"), zeno.title) == "Zenons Spiel"
    assert german.in_context(game_context("zeno"), zeno.tagline) == zeno.tagline
    assert german.in_context(game_context("tabula"), zeno.title) == "Zeno"


def test_an_option_is_translated_once_for_every_game(tmp_path: Path) -> None:
    compile_texts(tmp_path, "de", {"They are lost.": "Sie verfallen."}, context="option:unusable")
    german = load_reader("de", tmp_path)
    for slug in ("zeno", "irish", "pyf"):
        meaning = GAMES[slug].find_option("unusable").find_value("lost").meaning
        assert german.in_context(option_context("unusable"), meaning) == "Sie verfallen."


def test_the_games_texts_have_no_parts_to_fill_in() -> None:
    for context, text in list_texts():
        assert Reader.ENGLISH.in_context(context, text) == text
        assert [name for _, name, _, _ in Formatter().parse(text) if name is not None] == []


def test_translators_get_every_page_of_the_rules() -> None:
    known = {(message.context, message.id) for message in read_template()}
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
