"""docs/generated/studies.md is what the kept figures say, and tells of every game and option."""

import io
import re
from dataclasses import replace

import pytest
from PIL import Image

from bot.features.rulebook.texts import format_paragraphs
from bot.platform.i18n.reader import Reader
from engine.games import GAMES
from lab import docs
from lab.studies.charts import PICTURES, draw_pictures
from lab.studies.page import build_page
from lab.studies.section import ENDINGS, SPECIAL, describe_game
from lab.studies.study import RANDOM, USUAL, Run, Study, load_game_studies


def extract_section(slug: str) -> str:
    """What the page says of one game."""
    return build_page().partition(f"\n## {GAMES[slug].title}\n")[2].partition("\n## ")[0]


@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.sweep
def test_every_game_and_option_has_its_figures(slug: str) -> None:
    text = extract_section(slug)
    kept = load_game_studies(slug)
    usual = kept[USUAL]
    assert isinstance(usual, Study)
    assert isinstance(kept[RANDOM], Study)
    assert f"- {usual.games:,} games by" in text
    assert f"A game takes {usual.length_quantile(0.5).value}" in text
    for option in GAMES[slug].options:
        if not option.starter_chooses:
            for value in option.values[1:]:
                name = f"`{option.name}={value.name}`"
                texts = [f"| {name} |", f"\n{name} makes no difference", f"\n{name} has not been"]
                assert sum(each in text for each in texts) == 1
    for how in SPECIAL.get(slug, ()):
        assert ENDINGS[how] in text


def test_no_way_in_which_a_game_has_ended_is_told_as_none() -> None:
    options = [row for row in build_page().splitlines() if row.startswith("| `")]
    assert any(row.endswith(" of 10,000 games |") for row in options)
    assert not any(" 0.0%" in row for row in options)


def test_every_way_to_end_has_words() -> None:
    for slug in GAMES:
        for kept in load_game_studies(slug).values():
            if isinstance(kept, Study):
                assert {end.how for end in kept.ends} <= set(ENDINGS)


def test_what_a_game_is_like_stands_on_its_rules_page() -> None:
    name, line = list(format_paragraphs(Reader.ENGLISH, GAMES["twelve-dogs"]))[-1]
    kept = load_game_studies("twelve-dogs")[USUAL]
    assert isinstance(kept, Study)
    assert name == "Statistics"
    # Counted elsewhere: of 200,000 games of dice alone, the side that begins won 34.6%,
    # the other 21.1%, which is 62 of 100.
    assert "The side that begins wins 62% of games that are not drawn; " in line
    assert f"{kept.games:,} games" in line


def test_where_sides_are_chosen_the_rules_page_says_how_much_that_matters() -> None:
    _, line = list(format_paragraphs(Reader.ENGLISH, GAMES["cab-e-quinal"]))[-1]
    assert re.search(r"It wins 4\d% as gold, (6|7)\d% as black\.", line)
    # In Laquet the choice of a side is one of who begins.
    assert "as gold" not in list(format_paragraphs(Reader.ENGLISH, GAMES["laquet"]))[-1][1]


def test_the_pictures_are_drawn() -> None:
    drawn = draw_pictures()
    assert tuple(drawn) == PICTURES
    for name, png in drawn.items():
        with Image.open(io.BytesIO(png)) as image:
            assert image.height > 1000
        assert (docs.PICTURES / name).exists()
        assert len(png) < 150_000


def test_a_commit_that_nobody_knows_has_no_empty_name() -> None:
    studies = load_game_studies("zeno")
    usual = studies["usual"]
    studies["usual"] = replace(usual, runs=(Run(1, usual.games, "2026-11-30"),))
    text = "\n".join(describe_game(GAMES["zeno"], studies))
    assert "played by an unknown commit (2026-11-30)" in text
