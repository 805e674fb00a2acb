"""The games' own texts in another language, overlaid by slug."""

import ast
import re
from pathlib import Path
from string import Formatter

from bot.platform.i18n.common import capitalise_first
from bot.platform.i18n.reader import (
    Reader,
    game_context,
    list_texts,
    load_reader,
    option_context,
    share_context,
)
from engine.games import GAMES
from lab.source_texts import ROOT
from tests.support.pseudo import read_template
from tests.words.build import compile_texts


def parse_modules(name: str) -> dict[Path, ast.Module]:
    """Read the modules in which a name stands, as to read all takes long."""
    texts = {file: file.read_text("utf-8") for file in (ROOT / "bot").rglob("*.py")}
    return {file: ast.parse(text) for file, text in sorted(texts.items()) if name in text}


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


def test_what_several_games_have_is_translated_once(tmp_path: Path) -> None:
    text, forms = GAMES["irish"].provenance.sources[0], ("{n} slap", "{n} slaps")
    compile_texts(tmp_path, "de", {text: "Quelle", forms: ("{n} Klaps", "{n} Klapse")}, "game")
    german = load_reader("de", tmp_path)
    for slug in ("irish", "zeno"):
        assert german.in_context(game_context(slug), text) == "Quelle"
        assert german.plural_in_context(game_context(slug), *forms, n=2) == "2 Klapse"
    assert german.in_context("puzzle", text) == text


def test_the_games_texts_have_no_parts_to_fill_in() -> None:
    for context, text in list_texts():
        assert Reader.ENGLISH.in_context(context, text) == text
        assert [name for _, name, _, _ in Formatter().parse(text) if name is not None] == []


def test_translators_get_each_text_with_its_context() -> None:
    """A reader in what is filled in after the text would hide the context from what finds them."""
    known = {(message.context, message.id) for message in read_template()}
    said = {
        tuple(ast.literal_eval(each) for each in call.args[:2])
        for tree in parse_modules("in_context").values()
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and getattr(call.func, "attr", "") == "in_context"
        if all(isinstance(each, ast.Constant) for each in call.args) and len(call.args) > 1
    }
    assert said
    assert said - known == set()


def test_translators_get_every_page_of_the_rules() -> None:
    known = {(message.context, message.id) for message in read_template()}

    def has(context: str, *texts: str) -> bool:
        # What several games have is in a context of them all.
        return all({(context, text), (share_context(context), text)} & known for text in texts)

    for slug, game in GAMES.items():
        assert has(game_context(slug), game.tagline, *game.special, *game.solved)
        for option in game.options:
            assert has(option_context(option.name), *(value.meaning for value in option.values))
    assert ("game:trictrac", "Le grand trictrac") in known
    assert ("theme:gloucester", "Gloucester") in known
    assert ("command", "Roll the dice in your match in this channel.") in known
    assert ("command", "Your side (default: gold)") in known
    assert ("command", "the whole turn") in known


def test_a_title_of_a_side_stands_alone_or_is_a_label() -> None:
    """A language may write it with a capital, and begin the sentence with another word."""
    sentences = [
        f"{file}: {ast.unparse(call)}"
        for file, tree in parse_modules("format_side_title").items()
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        for titles in [_list_titles(function)]
        for call in ast.walk(function)
        if isinstance(call, ast.Call) and _takes_title(call, titles)
        if "{side}:" not in " ".join(map(ast.unparse, call.args))
    ]
    assert sentences == []


def _list_titles(function: ast.FunctionDef) -> set[str]:
    """Return the names that a function gives to titles of sides."""
    return {
        ast.unparse(each.targets[0])
        for each in ast.walk(function)
        if isinstance(each, ast.Assign) and _is_title(each.value)
    }


def _takes_title(call: ast.Call, titles: set[str]) -> bool:
    return any(
        each.arg == "side" and (_is_title(each.value) or ast.unparse(each.value) in titles)
        for each in call.keywords
    )


def _is_title(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and ast.unparse(value.func).endswith("format_side_title")


def test_a_sentence_that_begins_with_a_mark_is_capitalised() -> None:
    assert capitalise_first("**gold** has 6-5 to play.") == "**Gold** has 6-5 to play."
    assert capitalise_first("¿negras?") == "¿Negras?"
    assert capitalise_first("`resign` isn't a move") == "`resign` isn't a move"


def test_a_name_that_people_choose_is_no_code() -> None:
    """What stands in backticks stays English; an example of a name is a text of its own."""
    named = re.compile(r"`[A-Z][a-z]+ [a-z]+`")
    assert [each.id for each in read_template() if each.id and named.search(str(each.id))] == []
