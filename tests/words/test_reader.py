"""What a reader says: English, and a language of three plural forms."""

from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from discord.utils import escape_markdown, escape_mentions
from hypothesis import given
from hypothesis import strategies as st

from bot.features.matches.scene import translate_board_words
from bot.platform.i18n.reader import Reader, escape_text, load_reader
from bot.platform.people import build_computer_person, clean_text
from engine.players.level import Level
from tests.words.build import compile_catalogue, compile_texts

POLISH = {
    "{name} threw {dice}.": "Rzut gracza {name}: {dice}.",
    ("{n} man is left.", "{n} men are left."): (
        "Został {n} pionek.",
        "Zostały {n} pionki.",
        "Zostało {n} pionków.",
    ),
}


@pytest.fixture
def polish(tmp_path: Path) -> Reader:
    """A reader of Polish."""
    return load_reader("pl", compile_texts(tmp_path, "pl", POLISH))


def test_english_is_said_as_it_stands() -> None:
    reader = Reader.ENGLISH
    assert reader("{name} threw {dice}.", name="Ana", dice="6-5") == "Ana threw 6-5."
    assert reader.in_context("game:zeno", "Zeno") == "Zeno"
    assert reader.plural("{n} man is left.", "{n} men are left.", 1) == "1 man is left."
    assert reader.plural("{n} man is left.", "{n} men are left.", 0) == "0 men are left."


def test_another_language_says_it_with_the_parts_where_they_belong(polish: Reader) -> None:
    assert polish("{name} threw {dice}.", name="Ana", dice="6-5") == "Rzut gracza Ana: 6-5."
    assert polish.language == "pl"


@pytest.mark.parametrize(
    ("n", "text"),
    [
        (1, "Został 1 pionek."),
        (2, "Zostały 2 pionki."),
        (4, "Zostały 4 pionki."),
        (5, "Zostało 5 pionków."),
        (12, "Zostało 12 pionków."),
        (22, "Zostały 22 pionki."),
        (0, "Zostało 0 pionków."),
    ],
)
def test_each_number_has_its_form(polish: Reader, n: int, text: str) -> None:
    assert polish.plural("{n} man is left.", "{n} men are left.", n) == text


def test_what_a_catalogue_lacks_is_english(polish: Reader) -> None:
    assert polish("Nothing can be played.") == "Nothing can be played."
    assert polish.plural("{n} point", "{n} points", 22) == "22 points"
    assert polish.in_context("game:zeno", "Zeno") == "Zeno"


def test_parts_are_never_read_as_templates(polish: Reader) -> None:
    assert polish("{name} threw {dice}.", name="{dice}", dice="{0}") == "Rzut gracza {dice}: {0}."


def test_a_missing_part_is_an_error() -> None:
    with pytest.raises(KeyError):
        Reader.ENGLISH("{name} threw {dice}.", name="Ana")


def test_the_same_text_means_different_things_by_context(tmp_path: Path) -> None:
    compile_texts(tmp_path, "de", {"Gold": "Goldseite"}, context="side")
    german = load_reader("de", tmp_path)
    assert german.in_context("side", "Gold") == "Goldseite"
    assert german.in_context("metal", "Gold") == "Gold"
    assert german("Gold") == "Gold"


def test_a_locale_falls_back_to_wider_ones_text_by_text(tmp_path: Path) -> None:
    compile_texts(tmp_path, "de", {"January": "Januar", "Welcome.": "Willkommen."})
    compile_texts(tmp_path, "de_AT", {"January": "Jänner"})
    austrian, swiss = load_reader("de-AT", tmp_path), load_reader("de-CH", tmp_path)
    assert (austrian("January"), swiss("January")) == ("Jänner", "Januar")
    assert austrian("Welcome.") == swiss("Welcome.") == "Willkommen."
    assert austrian("Goodbye.") == swiss("Goodbye.") == "Goodbye."
    assert (austrian.language, swiss.language) == ("de_AT", "de")
    assert swiss == load_reader("de", tmp_path)
    assert swiss != austrian


@pytest.mark.parametrize(
    "locale", ["en-US", "en-GB", "fr", "es-419", "", "..", "../../de", "de/../..", "\0", "C"]
)
def test_a_locale_without_a_catalogue_reads_english(tmp_path: Path, locale: str) -> None:
    compile_texts(tmp_path, "de", {"Roll": "Würfeln"})
    assert load_reader(locale, tmp_path) is Reader.ENGLISH


def test_a_reader_is_made_once(tmp_path: Path) -> None:
    compile_texts(tmp_path, "de", {"Roll": "Würfeln"})
    assert load_reader("de", tmp_path) is load_reader("de", tmp_path)


@pytest.mark.parametrize(
    ("things", "text"),
    [
        ([], ""),
        (["Ana"], "Ana"),
        (["Ana", "Ben"], "Ana and Ben"),
        (["Ana", "Ben", "Cyn"], "Ana, Ben and Cyn"),
        (["Ana", "Ben", "Cyn", "{next}"], "Ana, Ben, Cyn and {next}"),
    ],
)
def test_a_list_in_words(things: list[str], text: str) -> None:
    assert Reader.ENGLISH.format_list(things) == text


def test_what_is_remembered_for_one_folder_is_not_said_from_another(tmp_path: Path) -> None:
    bars = {"first": "Balken", "second": "Steg"}
    context = "a place, in the picture of a board"
    for name, bar in bars.items():
        compile_texts(tmp_path / name, "de", {"bar": bar}, context=context)
    readers = [load_reader("de", tmp_path / name) for name in bars]
    assert [translate_board_words(each).bar for each in readers] == ["Balken", "Steg"]


def test_a_list_in_the_words_of_another_language(tmp_path: Path) -> None:
    patterns = {"{before} and {last}": "{before}和{last}", "{before}, {next}": "{before}、{next}"}
    compile_texts(tmp_path, "zh_CN", patterns, context="list")
    assert load_reader("zh-CN", tmp_path).format_list(["Ana", "Ben", "Cyn"]) == "Ana、Ben和Cyn"


@pytest.mark.filterwarnings("ignore:'count' is passed as positional:DeprecationWarning:discord")
@given(
    st.lists(
        st.sampled_from([*"a1 #>-*_~|`\\[]()<:/@&!", "@everyone", "@here", "9" * 17, "[a](b)"])
    ).map("".join)
)
def test_texts_are_escaped_as_discord_py_escapes_them_with_links_and_brackets(text: str) -> None:
    escaped = escape_markdown(escape_mentions(clean_text(text)), ignore_links=False)
    for mark, instead in (("<", "\\<"), ("[", "\\["), ("://", ":\u200b//")):
        escaped = escaped.replace(mark, instead)
    assert escape_text(text) == escaped


def test_the_computer_has_a_name_in_the_language(tmp_path: Path) -> None:
    names = {"Computer": "Máquina", "Computer {numeral}": "Máquina {numeral}"}
    compile_texts(tmp_path, "es", names, context="the name of a player")
    spanish = load_reader("es-ES", tmp_path)
    first, second = (build_computer_person(Level.MASTER, place) for place in range(2))
    assert spanish.name_person(first.id, first.name) == "Máquina"
    assert spanish.name_person(second.id, second.name) == "Máquina II"
    assert Reader.ENGLISH.name_person(second.id, second.name) == "Computer II"
    # A person may be called so as well.
    assert spanish.name_person(1000, "Computer") == "Computer"


@pytest.mark.parametrize(
    ("last", "text"),
    [
        ("Inés", "Ana e Inés"),
        ("**Íñigo**", "Ana e **Íñigo**"),
        ("higos", "Ana e higos"),
        ("hierro", "Ana y hierro"),
        ("Yago", "Ana y Yago"),
        ("<@111>", "Ana y <@111>"),
    ],
)
def test_spanish_has_another_and_before_its_own_sound(tmp_path: Path, last: str, text: str) -> None:
    assert _load_spanish(tmp_path).format_list(["Ana", last]) == text


@pytest.mark.parametrize(
    ("last", "text"),
    [
        ("8", "7 u 8"),
        ("11", "7 u 11"),
        ("110", "7 o 110"),
        ("`off`", "7 u `off`"),
        ("hora", "7 u hora"),
        ("6", "7 o 6"),
        ("<@811>", "7 o <@811>"),
    ],
)
def test_spanish_has_another_or_before_its_own_sound(tmp_path: Path, last: str, text: str) -> None:
    assert _load_spanish(tmp_path).format_alternatives(["7", last]) == text


def _load_spanish(folder: Path) -> Reader:
    catalogue = Catalog("es", fuzzy=False)
    for text, context, said in (
        ("{before} and {last}", "list", "{before} y {last}"),
        ("{before} and {last}", "list, before the vowel i", "{before} e {last}"),
        ("{one} or {other}", "list", "{one} o {other}"),
        ("{one} or {other}", "list, before the vowel o", "{one} u {other}"),
    ):
        catalogue.add(text, said, context=context)
    return load_reader("es-ES", compile_catalogue(folder, "es", catalogue))


def test_other_languages_have_one_word_for_and(tmp_path: Path) -> None:
    text = {"{before} and {last}": "{before} e {last}"}
    italian = load_reader("it", compile_texts(tmp_path, "it", text, "list"))
    assert italian.format_list(["Ana", "Inés"]) == "Ana e Inés"
    assert italian.format_alternatives(["7", "8"]) == "7 or 8"
