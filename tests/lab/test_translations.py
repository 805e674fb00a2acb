"""The translators' files: extracted, brought up to date, compiled, and checked."""

import os
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from bot.platform.i18n.reader import LOCALES, load_reader
from lab.source_texts import find_missed_texts, find_non_literals, find_unexplained_texts
from lab.translations import build_template, check_files, write_files

PROGRAM = """\
def story(say, n, seat, title):
    # Translators: the numbers thrown, as in 6-5
    first = say("{name} threw {dice}.", name="Ana", dice="6-5")
    second = say.plural("{n} man is left.", "{n} men are left.", n)
    third = say.in_context("side", "gold") + say.in_context(seat, title)
    return first + second + third + seat.say("Nothing "
        "can be played.")
"""


def write_program(folder: Path, said: str) -> Path:
    """A program whose bot says something."""
    for source in ("bot", "render"):
        (folder / source).mkdir(parents=True, exist_ok=True)
    (folder / "bot" / "story.py").write_text(said, encoding="utf-8")
    return folder


def make_template(*said: str | tuple[str, str]) -> Catalog:
    """A template of these texts."""
    catalogue = Catalog()
    for text in said:
        catalogue.add(text)
    return catalogue


def find_polish_file(folder: Path) -> Path:
    """Where the texts of Polish are."""
    return folder / "pl" / "LC_MESSAGES" / "tabula.po"


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
    assert thrown.auto_comments == ["Translators: the numbers thrown, as in 6-5"]
    assert [file for file, _ in thrown.locations] == ["bot/story.py"]


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


def test_a_template_is_written_once_and_its_date_only_with_its_texts(tmp_path: Path) -> None:
    assert check_files(tmp_path, make_template("Roll")) == [
        "tabula.pot is out of date; `make words` updates it"
    ]
    write_files(tmp_path, make_template("Roll"))
    assert check_files(tmp_path, make_template("Roll")) == []
    before = (tmp_path / "tabula.pot").read_bytes()
    later = make_template("Roll")
    later.creation_date = datetime(2031, 1, 1, tzinfo=UTC)
    write_files(tmp_path, later)
    assert (tmp_path / "tabula.pot").read_bytes() == before
    assert check_files(tmp_path, make_template("Roll", "Undo")) == [
        "tabula.pot is out of date; `make words` updates it"
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
    assert check_files(tmp_path, found) == [
        "pl: tabula.mo is not what tabula.po says; `make words` compiles it"
    ]
    write_files(tmp_path, found)
    assert check_files(tmp_path, found) == []
    polish = load_reader("pl", tmp_path)
    assert polish("Roll") == "Rzuć"
    said = [polish.plural("{n} man is left.", "{n} men are left.", n) for n in (1, 3, 5)]
    assert said == ["Został 1 pionek.", "Zostały 3 pionki.", "Zostało 5 pionków."]


def test_a_language_takes_new_texts_and_keeps_its_translations(tmp_path: Path) -> None:
    write_files(tmp_path, make_template("Roll"), ["pl"])
    add_translation(tmp_path, "Roll", "Rzuć")
    found = make_template("Roll", "Take back")
    assert "pl: the texts are out of date; `make words` brings them up to date" in check_files(
        tmp_path, found
    )
    write_files(tmp_path, found)
    assert check_files(tmp_path, found) == []
    polish = load_reader("pl", tmp_path)
    assert (polish("Roll"), polish("Take back")) == ("Rzuć", "Take back")


def test_a_text_that_has_changed_is_english_until_a_translator_has_seen_it(tmp_path: Path) -> None:
    write_files(tmp_path, make_template("Press Roll or type it."), ["pl"])
    add_translation(tmp_path, "Press Roll or type it.", "Naciśnij lub wpisz.")
    write_files(tmp_path, make_template("Press Roll or type it now."))
    assert load_reader("pl", tmp_path)("Press Roll or type it now.") == "Press Roll or type it now."
    assert check_files(tmp_path, make_template("Press Roll or type it now.")) == []


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        ("Rzut {dice}.", "pl: 'Rzut {dice}.' lacks {name}"),
        (
            "{nazwa}: {dice}, {name}",
            "pl: '{nazwa}: {dice}, {name}' has {nazwa}, which the English has not",
        ),
        (
            "{name.id}: {name} {dice}",
            "pl: '{name.id}: {name} {dice}' has {name.id}, which the English has not",
        ),
        ("{name!r} {dice:>9}", "pl: '{name!r} {dice:>9}' lacks {dice}, {name}"),
        (
            "{name} {dice",
            "pl: '{name} {dice' cannot be filled in: expected '}' before end of string",
        ),
        ("{dice} rzuca {name}, {{tak}}", None),
    ],
)
def test_parts_agree_with_the_english(tmp_path: Path, said: str, wrong: str | None) -> None:
    found = make_template("{name} threw {dice}.")
    write_files(tmp_path, found, ["pl"])
    add_translation(tmp_path, "{name} threw {dice}.", said)
    write_files(tmp_path, found)
    told = check_files(tmp_path, found)
    assert wrong in told if wrong else told == []


@pytest.mark.parametrize(
    ("forms", "wrong"),
    [
        (("{name}: jeden", "{name}: {n}", "{name}: {n}"), None),
        (("jeden", "{name}: {n}", "{name}: {n}"), "pl: 'jeden' lacks {name}"),
        (("{name}", "{name} {m}", "{name}"), "pl: '{name} {m}' has {m}, which the English has not"),
    ],
)
def test_a_form_may_leave_out_only_what_an_english_form_leaves_out(
    tmp_path: Path, forms: tuple[str, ...], wrong: str | None
) -> None:
    found = make_template(("{name} has one man.", "{name} has {n} men."))
    write_files(tmp_path, found, ["pl"])
    add_translation(tmp_path, "{name} has one man.", forms)
    write_files(tmp_path, found)
    assert check_files(tmp_path, found) == ([wrong] if wrong else [])


def test_a_description_that_discord_would_refuse_is_complained_of(tmp_path: Path) -> None:
    found = Catalog()
    found.add("Show the leaderboard.", context="command")
    write_files(tmp_path, found, ["pl"])
    add_translation(tmp_path, "Show the leaderboard.", "k" * 101, context="command")
    write_files(tmp_path, found)
    assert check_files(tmp_path, found) == [
        f"pl: '{'k' * 101}' is longer than the 100 characters that Discord allows"
    ]


def test_what_cannot_be_used_is_said_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(
        ValueError, match=r"^tlh_XX is no language; German is de, Brazilian Portuguese pt_BR$"
    ):
        write_files(tmp_path / "new", make_template("Roll"), ["tlh_XX"])
    assert not (tmp_path / "new").exists()
    write_files(tmp_path, make_template("Roll"), ["pl"])
    find_polish_file(tmp_path).write_text("Dear diary, today I was a catalogue.")
    with pytest.raises(ValueError, match=r"tabula\.po cannot be read: "):
        check_files(tmp_path, make_template("Roll"))


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
    first, *others = complained.stderr.splitlines()
    assert first == "tabula.pot is out of date; `make words` updates it"
    ending = ": the texts are out of date; `make words` brings them up to date"
    assert all(line.endswith(ending) for line in others)
    assert run("write", "pl").returncode == 0
    assert run("check").returncode == 0
    assert 'msgid "Never said before."' in find_polish_file(
        tmp_path / "bot" / "platform" / "i18n" / "locale"
    ).read_text(encoding="utf-8")
    refused = run("write", "klingon")
    assert (refused.returncode, refused.stderr.count("\n")) == (1, 1)
