"""The headings of tables that are drawn, in every language."""

from typing import Any

import pytest

from bot.features.contests.formats.point_tables import PointFormat
from bot.features.contests.formats.round_robin import RoundRobinFormat
from bot.features.contests.formats.swiss_system import SwissFormat
from bot.platform.i18n.reader import list_languages, load_reader
from render.scene import View
from render.table import Table, TableRow, TableSection, draw_table
from render.theme import load_themes
from tests.support.drawn_texts import note_drawn_texts

THEME = load_themes()["gloucester"]
PEOPLE = ("Bartholomew III", "Wynflæd of Shaftesbury", "Ælfric")


@pytest.mark.parametrize("kind", [RoundRobinFormat, SwissFormat])
@pytest.mark.parametrize("locale", ["en", *list_languages()])
def test_neither_headings_nor_tie_breaks_are_cut(
    monkeypatch: pytest.MonkeyPatch, locale: str, kind: type[PointFormat[Any]]
) -> None:
    drawn = note_drawn_texts(monkeypatch)
    say = load_reader(locale)
    columns = kind().list_columns(say)
    # The most that can decide in one group.
    reasons = (say("head-to-head"), say("Sonneborn-Berger"), say("wins"))
    note = say(
        "Places {first}–{last}: {tie_breaks}", first=12, last=16, tie_breaks=", ".join(reasons)
    )
    cells = ("63", "63", "63", "62½")[-len(columns) :]
    rows = tuple(TableRow(str(rank), name, cells) for rank, name in enumerate(PEOPLE, 20))
    draw_table(
        Table("League", columns, (TableSection("", rows, (note,)),)),
        View(THEME),
    )
    # A picture has a plain space for French's narrow one.
    assert {*columns, note.replace("\N{NARROW NO-BREAK SPACE}", " ")} <= set(drawn)
