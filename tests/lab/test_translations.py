"""The translators' files: extracted, brought up to date, compiled, and checked."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from bot.platform.i18n.reader import LOCALES, list_languages, load_reader
from hatch_build import compile_catalogues
from lab.source_texts import find_missed_texts, find_non_literals, find_unexplained_texts
from lab.translations import (
    build_template,
    check_files,
    find_untranslated_texts,
    list_stale_texts,
    merge_template,
    sort_catalogue,
    write_template,
)

PROGRAM = """\
def story(say, n, seat, title):
    # Translators: the numbers thrown, as in {dice} 6-5
    first = say("{name} threw {dice}.", name="Ana", dice="6-5")
    second = say.plural("{n} man is left.", "{n} men are left.", n)
    third = say.in_context("side", "gold") + say.in_context(seat, title)
    return first + second + third + seat.say("Nothing "
        "can be played.")
"""


def write_program(folder: Path, text: str) -> Path:
    """A program whose bot says something."""
    for source in ("bot", "render"):
        (folder / source).mkdir(parents=True, exist_ok=True)
    (folder / "bot" / "story.py").write_text(text, encoding="utf-8")
    return folder


def make_template(*said: str | tuple[str, str]) -> Catalog:
    """A template of these texts."""
    catalogue = Catalog()
    for text in said:
        catalogue.add(text)
    return sort_catalogue(catalogue)


def write_files(folder: Path, found: Catalog, begun: Sequence[str] = ()) -> None:
    """Do as `make translate` does."""
    write_template(folder, found)
    merge_template(folder, found, begun)
    # A translator's edit may come within the same tick of the file system's clock.
    for compiled in folder.rglob("*.mo"):
        compiled.unlink()
    compile_catalogues(folder)


def find_polish_file(folder: Path) -> Path:
    """Where the texts of Polish are."""
    return folder / "pl" / "LC_MESSAGES" / "tabula.po"


def drop_place(folder: Path, line: str) -> str:
    """A fault without the file and the line of it, which must be there."""
    found = re.match(rf"{re.escape(str(find_polish_file(folder)))}:\d+: ", line)
    assert found is not None, line
    return line[found.end() :]


def add_translation(
    folder: Path,
    text: str,
    said: str | tuple[str, ...],
    name: str = "pl",
    context: str | None = None,
) -> None:
    """Do as a translator does: fill in one translation."""
    file = find_polish_file(folder)
    with file.open("rb") as lines:
        catalogue = read_po(lines)
    message = catalogue.get(text, context)
    assert message is not None
    message.string = said
    with file.open("wb") as lines:
        write_po(lines, catalogue)


@pytest.mark.sweep
def test_the_files_of_this_program_are_up_to_date() -> None:
    assert check_files(LOCALES, build_template()) == []
    assert find_non_literals() == []
    assert find_missed_texts(build_template()) == []


@pytest.mark.sweep
def test_every_short_text_of_this_program_is_explained_to_translators() -> None:
    assert find_unexplained_texts() == []


def test_what_a_reader_says_is_found_with_its_forms_context_and_notes(tmp_path: Path) -> None:
    found = {
        (message.context, message.id): message
        for message in build_template(write_program(tmp_path, PROGRAM))
    }
    assert (None, "{name} threw {dice}.") in found
    assert (None, ("{n} man is left.", "{n} men are left.")) in found
    assert ("side", "gold") in found
    assert (None, "Nothing can be played.") in found
    thrown = found[None, "{name} threw {dice}."]
    note, name = thrown.auto_comments
    assert note == "Translators: the numbers thrown, as in {dice} 6-5"
    assert name.startswith("{name}: ")
    assert thrown.locations == [("bot/story.py", 3)]


def test_what_translators_would_never_see_is_complained_of(tmp_path: Path) -> None:
    assert find_non_literals(write_program(tmp_path, PROGRAM)) == []
    hidden = [
        'say(f"{name} threw.")',
        "say(text)",
        'say.plural("a man", MEN, 3)',
        'self.say("a " + text)',
    ]
    wrong = find_non_literals(write_program(tmp_path, "\n".join(hidden)))
    assert [line.partition(": ")[0] for line in wrong] == [
        f"bot/story.py:{at}" for at in range(1, 5)
    ]


def test_what_a_template_says_is_found_with_its_notes(tmp_path: Path) -> None:
    templates = write_program(tmp_path, "") / "bot" / "templates"
    templates.mkdir()
    (templates / "story.html").write_text(
        "{# Translators: the next\n   turn. #}\n<a>{{ say('Next') }}</a>\n"
        "{{ message(say('{n} men', n=3)) }}\n",
        encoding="utf-8",
    )
    found = {each.id: each for each in build_template(tmp_path)}
    assert found["Next"].auto_comments == ["Translators: the next turn."]
    assert found["Next"].locations == [("bot/templates/story.html", 3)]
    assert found["{n} men"].auto_comments == ["{n}: a number (0, 1, 2, 1,234)"]
    assert find_non_literals(tmp_path) == find_missed_texts(make_template(), tmp_path) == []
    (templates / "hidden.html").write_text(
        "{{ say(text) }}\n{{ say.plural('man', 'men', 2) }}\n{{ say('a' ~ text) }}", "utf-8"
    )
    assert [line.partition(": ")[0] for line in find_non_literals(tmp_path)] == [
        f"bot/templates/hidden.html:{at}" for at in range(1, 4)
    ]


def test_what_is_said_where_it_is_not_looked_for_is_complained_of(tmp_path: Path) -> None:
    inner = (
        'say("A list: {names}.", names=", ".join(say.in_context("name", name) for name in names))'
    )
    root = write_program(tmp_path, f'first = {inner}\nsecond = say("A line of its own.")\n')
    assert find_missed_texts(make_template("A line of its own."), root) == [
        "bot/story.py:1: 'A list: {names}.' is overlooked; say it on a line of its own"
    ]
    assert find_missed_texts(build_template(root), root) != []
    assert find_missed_texts(make_template("A line of its own.", "A list: {names}."), root) == []


@pytest.mark.parametrize(
    "call",
    [
        'say("Back")',
        'say("### Set-up")',
        'say(", then ")',
        'say("–")',
        'say("{games}; {pace}; {rated}.", games=games, pace=pace, rated=rated)',
        'say("<t:{at}:d> **{who}**", at=at, who=who)',
        'say.plural("man", "men", 2)',
    ],
)
def test_a_text_that_may_mean_several_things_needs_a_note_or_a_context(
    tmp_path: Path, call: str
) -> None:
    root = write_program(tmp_path, f"def label(say):\n    first = 1\n    return {call}\n")
    (line,) = find_unexplained_texts(root)
    assert line.startswith("bot/story.py:3: ")
    assert line.endswith(
        " can mean several things; say what it means in a comment `# Translators: ...` above, "
        "or give it a context"
    )
    noted = f"def label(say):\n    # Translators: button: the page before.\n    return {call}\n"
    assert find_unexplained_texts(write_program(tmp_path, noted)) == []
    # Far above, a note is lost.
    between = "    first = 1\n" * 9
    apart = f"def label(say):\n    # Translators: button.\n{between}    return {call}\n"
    assert len(find_unexplained_texts(write_program(tmp_path, apart))) == 1


@pytest.mark.parametrize(
    "call",
    [
        'say("Nobody played.")',
        'say("{sentence}.", sentence=sentence)',
        'say("Pace: {pace}", pace=pace)',
        'say("{side} on {points}", side=side, points=points)',
        'say.plural("{n} man", "{n} men", 2)',
        'say.plural("man", "several men", 2)',
        'say.in_context("the previous page", "Back")',
        "say.in_context(game_context(game.slug), game.title)",
    ],
)
def test_a_text_that_says_what_it_means_needs_no_note(tmp_path: Path, call: str) -> None:
    assert find_unexplained_texts(write_program(tmp_path, f"said = {call}\n")) == []


def test_each_place_of_a_text_needs_its_note(tmp_path: Path) -> None:
    program = """\
def label(say, first):
    # Translators: button: the page before.
    back = say("Back")
    # Translators: button: the page after.
    return say("Next") if first else say("Back")
"""
    (line,) = find_unexplained_texts(write_program(tmp_path, program))
    assert line.startswith("bot/story.py:5: 'Back' can mean several things; ")


def test_a_template_that_lacks_a_text_is_complained_of_by_file_and_text(tmp_path: Path) -> None:
    file = tmp_path / "tabula.pot"
    outdated = f"{file} is out of date; run `make words`"
    assert check_files(tmp_path, make_template("Roll")) == [outdated, "  'Roll' is new or edited"]
    write_template(tmp_path, make_template("Roll"))
    assert check_files(tmp_path, make_template("Roll")) == []
    undone = make_template("Roll")
    undone.add("Undo", locations=[("bot/story.py", 7)])
    assert check_files(tmp_path, undone) == [
        outdated,
        "  bot/story.py:7: 'Undo' is new or edited",
    ]
    assert check_files(tmp_path, make_template()) == [outdated, "  'Roll' is no longer said"]


def test_in_which_line_and_when_a_text_was_found_changes_no_file(tmp_path: Path) -> None:
    first = "def story(say):\n    return say('Roll') + say('Undo')\n"
    write_files(tmp_path, build_template(write_program(tmp_path / "first", first)), ["pl"])
    files = [tmp_path / "tabula.pot", find_polish_file(tmp_path)]
    before = [file.read_bytes() for file in files]
    assert all(b"#: bot/story.py\n" in each for each in before)
    assert not any(b"Creation-Date" in each for each in before)
    moved = "\n\ndef story(say):\n    return say('Undo') + say('Roll') + say('Roll')\n"
    write_files(tmp_path, build_template(write_program(tmp_path / "second", moved)))
    assert [file.read_bytes() for file in files] == before


def test_texts_stand_by_their_context_and_in_the_order_of_the_alphabet() -> None:
    found = make_template("Roll", ("{n} man", "{n} men"), "Accept")
    found.add("Able", context="side")
    assert [(each.context, each.id) for each in sort_catalogue(found) if each.id] == [
        (None, "Accept"),
        (None, "Roll"),
        (None, ("{n} man", "{n} men")),
        ("side", "Able"),
    ]


def test_a_language_is_begun_translated_and_read(tmp_path: Path) -> None:
    found = make_template("Roll", ("{n} man is left.", "{n} men are left."))
    write_files(tmp_path, found, ["pl"])
    assert check_files(tmp_path, found) == []
    add_translation(tmp_path, "Roll", "Rzuć")
    add_translation(
        tmp_path,
        "{n} man is left.",
        ("Został {n} pionek.", "Zostały {n} pionki.", "Zostało {n} pionków."),
    )
    write_files(tmp_path, found)
    assert check_files(tmp_path, found) == []
    polish = load_reader("pl", tmp_path)
    assert polish("Roll") == "Rzuć"
    texts = [polish.plural("{n} man is left.", "{n} men are left.", n) for n in (1, 3, 5)]
    assert texts == ["Został 1 pionek.", "Zostały 3 pionki.", "Zostało 5 pionków."]


def test_a_language_is_compiled_again_once_it_has_changed(tmp_path: Path) -> None:
    write_files(tmp_path, make_template("Roll"), ["pl"])
    compiled = find_polish_file(tmp_path).with_suffix(".mo")
    before = compiled.read_bytes()
    add_translation(tmp_path, "Roll", "Rzuć")
    os.utime(compiled, ns=(later := find_polish_file(tmp_path).stat().st_mtime_ns + 1, later))
    compile_catalogues(tmp_path)
    assert compiled.read_bytes() == before
    os.utime(compiled, ns=(0, 0))
    compile_catalogues(tmp_path)
    assert compiled.read_bytes() != before


def test_languages_that_are_not_compiled_are_warned_of(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    merge_template(tmp_path, make_template("Roll"), ["pl"])
    assert list(list_languages(tmp_path)) == ["en"]
    assert caplog.messages == ["the translations are not compiled; `python hatch_build.py` does it"]


def test_a_language_takes_new_texts_and_keeps_its_translations(tmp_path: Path) -> None:
    write_files(tmp_path, make_template("Roll"), ["pl"])
    add_translation(tmp_path, "Roll", "Rzuć")
    found = make_template("Roll", "Take back")
    # Until a release the new text is in English, and that is no fault.
    write_template(tmp_path, found)
    assert check_files(tmp_path, found) == []
    file = find_polish_file(tmp_path)
    assert find_untranslated_texts(tmp_path, found) == [
        f"{file} is out of date; run `make translate`"
    ]
    write_files(tmp_path, found)
    assert check_files(tmp_path, found) == []
    polish = load_reader("pl", tmp_path)
    assert (polish("Roll"), polish("Take back")) == ("Rzuć", "Take back")
    (line,) = find_untranslated_texts(tmp_path, found)
    assert re.fullmatch(rf"{file}:\d+: 'Take back' is not translated", line)
    add_translation(tmp_path, "Take back", "Cofnij")
    assert find_untranslated_texts(tmp_path, found) == []


def test_what_is_stale_is_said_and_is_no_fault(tmp_path: Path) -> None:
    write_files(tmp_path, make_template("Press Roll.", "Undo", "Gone"), ["de", "pl"])
    add_translation(tmp_path, "Press Roll.", "Naciśnij.")
    write_files(tmp_path, make_template("Press Roll!", "Undo"))
    found = make_template("Press Roll!", "Undo", "80% of all")
    write_template(tmp_path, found)
    assert check_files(tmp_path, found) == []
    assert list_stale_texts(tmp_path, found) == [
        "de, pl: '80% of all' is new or edited",
        "de: 'Press Roll!' is not translated",
        "de, pl: 'Undo' is not translated",
        "pl: 'Press Roll!' has been edited since it was translated",
    ]
    many = make_template(*(f"Match {n} begins." for n in range(40)))
    assert list_stale_texts(tmp_path, many) == [
        "de: 40 texts; `make complete` lists them",
        "pl: 40 texts; `make complete` lists them",
    ]


def test_a_per_cent_sign_is_not_taken_for_a_directive(tmp_path: Path) -> None:
    write_files(tmp_path, make_template("80% of all", "{n}% or more"), ["pl"])
    for file in (tmp_path / "tabula.pot", find_polish_file(tmp_path)):
        assert "python-format" not in file.read_text("utf-8")


def test_a_form_that_is_left_out_is_not_translated(tmp_path: Path) -> None:
    found = make_template(("{n} man", "{n} men"))
    write_files(tmp_path, found, ["pl"])
    add_translation(tmp_path, "{n} man", ("{n} pionek", "{n} pionki", ""))
    (line,) = find_untranslated_texts(tmp_path, found)
    assert line.endswith(": '{n} man' is not translated")


def test_an_edited_text_is_english_until_a_translator_has_seen_it(tmp_path: Path) -> None:
    write_files(tmp_path, make_template("Press Roll or type it.", "Undo"), ["pl"])
    add_translation(tmp_path, "Press Roll or type it.", "Naciśnij lub wpisz.")
    add_translation(tmp_path, "Undo", "Cofnij")
    found = make_template("Press Roll or type it now.", "Undo")
    write_files(tmp_path, found)
    polish = load_reader("pl", tmp_path)
    assert polish("Press Roll or type it now.") == "Press Roll or type it now."
    assert polish("Undo") == "Cofnij"
    assert check_files(tmp_path, found) == []
    (line,) = find_untranslated_texts(tmp_path, found)
    assert line.endswith(": 'Press Roll or type it now.' has been edited since it was translated")
    # The translation and what it was made of are there to be compared, however often it is merged.
    entry = """\
#, fuzzy
#| msgid "Press Roll or type it."
msgid "Press Roll or type it now."
msgstr "Naciśnij lub wpisz."
"""
    assert entry in find_polish_file(tmp_path).read_text("utf-8")
    write_files(tmp_path, found)
    assert entry in find_polish_file(tmp_path).read_text("utf-8")
    again = make_template("Press Roll or write it now.", "Undo")
    write_files(tmp_path, again)
    entry = entry.replace("or type it now", "or write it now")
    assert entry in find_polish_file(tmp_path).read_text("utf-8")


def test_a_long_text_before_an_edit_stays_on_its_line(tmp_path: Path) -> None:
    """Babel breaks it within its quotation marks, and no program of translators reads that."""
    before = 'Say "{n}", and go on, ' * 9 + "or not."
    write_files(tmp_path, make_template(before), ["pl"])
    add_translation(tmp_path, before, "Powiedz.")
    found = make_template(before + " Then stop.")
    for _ in range(2):
        write_files(tmp_path, found)
        escaped = before.replace('"', '\\"')
        said = find_polish_file(tmp_path).read_text("utf-8")
        assert f'#| msgid "{escaped}"\n' in said


def test_the_forms_of_an_edited_text_keep_theirs(tmp_path: Path) -> None:
    write_files(tmp_path, make_template(("{n} man is left.", "{n} men are left.")), ["pl"])
    forms = ("Został {n} pionek.", "Zostały {n} pionki.", "Zostało {n} pionków.")
    add_translation(tmp_path, "{n} man is left.", forms)
    for _ in range(2):
        write_files(tmp_path, make_template(("{n} man is left", "{n} men are left")))
    text = find_polish_file(tmp_path).read_text("utf-8")
    assert '#| msgid "{n} man is left."\n#| msgid_plural "{n} men are left."\n' in text
    assert 'msgstr[2] "Zostało {n} pionków."\n' in text


def test_a_text_is_an_edit_of_none_that_is_still_said_or_says_something_else(
    tmp_path: Path,
) -> None:
    write_files(tmp_path, make_template("Match 1 begins.", "The board is blue."), ["pl"])
    add_translation(tmp_path, "Match 1 begins.", "Partia 1 się zaczyna.")
    add_translation(tmp_path, "The board is blue.", "Plansza jest niebieska.")
    found = make_template("Match 1 begins.", "Match 2 begins.", "Nobody has any dice.")
    write_files(tmp_path, found)
    assert "fuzzy" not in find_polish_file(tmp_path).read_text("utf-8")


def test_what_cannot_be_used_is_said_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(
        ValueError, match=r"^tlh_XX is no language; German is de, Brazilian Portuguese pt_BR$"
    ):
        merge_template(tmp_path / "new", make_template("Roll"), ["tlh_XX"])
    assert not (tmp_path / "new").exists()
    write_files(tmp_path, make_template("Roll"), ["pl"])
    find_polish_file(tmp_path).write_text("Dear diary, today I was a catalogue.")
    (line,) = check_files(tmp_path, make_template("Roll"))
    assert "tabula.po cannot be read: " in line
    with pytest.raises(ValueError, match=r"tabula\.po cannot be read: "):
        merge_template(tmp_path, make_template("Roll"))


def test_a_text_that_more_games_have_keeps_its_translation(tmp_path: Path) -> None:
    def make_games(*contexts: str) -> Catalog:
        found = Catalog()
        for context in contexts:
            found.add("Hit men are lost.", context=context)
        return sort_catalogue(found)

    one, several = make_games("game:zeno", "option:zeno"), make_games("game", "option:zeno")
    write_files(tmp_path, one, ["pl"])
    add_translation(tmp_path, "Hit men are lost.", "Są stracone.", context="game:zeno")
    for found, context in ((several, "game"), (one, "game:zeno")):
        write_files(tmp_path, found)
        assert (
            load_reader("pl", tmp_path).in_context(context, "Hit men are lost.") == "Są stracone."
        )
        assert "fuzzy" not in find_polish_file(tmp_path).read_text("utf-8")
        load_reader.cache_clear()


@pytest.mark.sweep
def test_the_command_line_complains_and_writes(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    for source in ("bot", "lab", "render", "engine"):
        shutil.copytree(root / source, tmp_path / source)
    (tmp_path / "bot" / "new.py").write_text('TEXT = say("Never said before.")\n')

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-P", "-m", "lab.translations", *arguments]
        environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
        return subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )

    complained = run("check")
    assert complained.returncode == 1
    folder = tmp_path / "bot" / "platform" / "i18n" / "locale"
    assert complained.stderr.splitlines() == [
        f"{folder / 'tabula.pot'} is out of date; run `make words`",
        "  bot/new.py:1: 'Never said before.' is new or edited",
    ]
    assert run("write").returncode == 0
    assert run("check").returncode == 0
    assert run("complete").returncode == 1
    assert run("merge", "pl").returncode == 0
    assert 'msgid "Never said before."' in find_polish_file(folder).read_text(encoding="utf-8")
    waiting = run("complete")
    assert waiting.returncode == 1
    languages = [*folder.glob("*/LC_MESSAGES/tabula.po")]
    assert waiting.stderr.count("'Never said before.' is not translated") == len(languages)
    process = run("merge", "klingon")
    assert (process.returncode, process.stderr.count("\n")) == (1, 1)


@pytest.mark.sweep
def test_several_processes_may_compile_the_same_translations(tmp_path: Path) -> None:
    source = next(LOCALES.glob("*/LC_MESSAGES/tabula.po"))
    copy = tmp_path / source.relative_to(LOCALES)
    copy.parent.mkdir(parents=True)
    shutil.copy(source, copy)
    with ProcessPoolExecutor(4) as pool:
        assert [*pool.map(compile_catalogues, [tmp_path] * 4)] == [None] * 4
    assert [each.name for each in copy.parent.iterdir() if each != copy] == ["tabula.mo"]
