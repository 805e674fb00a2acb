"""What translators are told of a text: where it is, what its placeholders hold, what is a title."""

import pytest
from babel.messages.catalog import Catalog

from bot.platform.i18n.reader import share_context
from engine.games import GAMES
from lab.source_texts import ROOT
from lab.translations import build_template
from lab.translator_notes import (
    PLACEHOLDERS,
    SOURCE,
    TITLE,
    describe_placeholders,
    find_undescribed_placeholders,
    list_placeholders,
)


@pytest.fixture(scope="module")
def template() -> Catalog:
    """What translators get."""
    return build_template()


def test_every_text_names_files_that_are_there(template: Catalog) -> None:
    for message in template:
        if message.id:
            assert message.locations
            assert all((ROOT / file).is_file() for file, _ in message.locations)


@pytest.mark.parametrize(
    ("context", "text", "file"),
    [
        ("game:zeno", "Zeno", "engine/games/zeno.py"),
        ("lesson:zeno", "The goal", "engine/games/lessons/zeno.py"),
        ("option:third", "The third number is always a 3.", "engine/games/imperial.py"),
        ("theme:roman", "Roman", "render/themes/roman.toml"),
        ("command name", "match draw", "bot/features/matches/commands.py"),
        ("option name", "paper", "bot/features/printing/commands.py"),
    ],
)
def test_what_no_call_says_is_found_in_its_file(
    template: Catalog, context: str, text: str, file: str
) -> None:
    message = template.get(text, context)
    assert message is not None
    assert file in [place for place, _ in message.locations]


def test_a_commands_texts_name_it(template: Catalog) -> None:
    message = template.get("Roll the dice in your match in this channel.", "command")
    assert message is not None
    assert message.auto_comments == ["Translators: `/roll`"]


def test_titles_and_sources_are_called_so(template: Catalog) -> None:
    for game in GAMES.values():
        for text, note in [
            *((title, TITLE) for title in (game.title, *game.aliases)),
            *((source, SOURCE) for source in game.provenance.sources),
        ]:
            message = template.get(text, f"game:{game.slug}") or template.get(text, "game")
            assert message is not None
            assert note in message.auto_comments


def test_no_text_is_in_the_contexts_of_several_games(template: Catalog) -> None:
    contexts: dict[object, list[str]] = {}
    for message in template:
        if message.context and ":" in message.context:
            contexts.setdefault((message.id, share_context(message.context)), []).append(
                message.context
            )
    assert [each for each in contexts.values() if len(each) > 1] == []
    shared = template.get("S. Lewins, Tabula at Rumwoldstow (2021)", "game")
    assert shared is not None
    assert shared.auto_comments == [SOURCE]


def test_every_placeholder_is_described_and_every_description_used(template: Catalog) -> None:
    assert find_undescribed_placeholders(template) == []
    used = {name for message in template if message.id for name in list_placeholders(message.id)}
    assert PLACEHOLDERS.keys() - used == set()


def test_a_texts_own_comment_goes_before_the_list() -> None:
    forms = ("{n} man of {who}", "{n} men of {who}")
    assert list_placeholders(forms) == ["n", "who"]
    notes = ["Translators: {who} is a dog."]
    assert [*describe_placeholders(forms, notes)] == [f"{{n}}: {PLACEHOLDERS['n']}"]


def test_a_placeholder_that_nothing_describes_is_complained_of() -> None:
    found = Catalog()
    found.add("{nobody} threw {dice}.", auto_comments=["{dice}: as thrown"])
    (line,) = find_undescribed_placeholders(found)
    assert line.startswith("{nobody} of '{nobody} threw {dice}.' is described neither by ")
