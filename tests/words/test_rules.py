"""A game's rules in words say what the engine plays, and nothing that it does not."""

from dataclasses import replace

import pytest

from bot.features.rulebook.texts import format_paragraphs
from bot.platform.i18n.reader import Reader
from engine.games import GAMES


def build_page(slug: str) -> dict[str, str]:
    """The paragraphs of a game's page by their headings."""
    return dict(format_paragraphs(Reader.ENGLISH, GAMES[slug]))


def test_men_that_wait_on_several_bars_enter_in_the_table_of_each() -> None:
    page = build_page("seis-dos-e-as")["Moving"]
    for side in ("gold", "black"):
        assert (
            f"{side} from bar-af on a to f, from bar-gm on g to m, from bar-ns on n to s, "
            "from bar-tz on t to z"
        ) in page
    assert "gold on a to f; black on z to t" in build_page("todas-tablas")["Moving"]


@pytest.mark.parametrize("slug", GAMES)
def test_one_man_makes_several_moves_only_where_men_move(slug: str) -> None:
    moves = GAMES[slug].rules.moving
    assert ("one man may make several" in build_page(slug)["Dice"]) == moves
    assert ("do not move" in build_page(slug)["Moving"]) != moves


@pytest.mark.parametrize("slug", [slug for slug in GAMES if GAMES[slug].rules.gold.single])
def test_a_ban_on_doubling_is_of_men_brought_there_not_of_the_pile_at_the_start(slug: str) -> None:
    assert build_page(slug)["No doubling"].startswith(
        "A side may not bring a second man to these points"
    )
    for text in (*GAMES[slug].special, GAMES[slug].tagline):
        assert "second man may stand" not in text


def test_a_point_on_which_nobody_enters_is_named_in_a_whole_sentence() -> None:
    assert (
        "Gold never enters on a. Black never enters on z."
        in build_page("ludus-lumbardorum")["Moving"]
    )


def build_page_with(slug: str, **options: str) -> dict[str, str]:
    """The paragraphs of a game's page when it is played with some options."""
    game = GAMES[slug]
    return dict(format_paragraphs(Reader.ENGLISH, replace(game, rules=game.resolve_rules(options))))


def test_what_an_option_changes_is_said_of_dice_bearing_and_winning() -> None:
    assert (
        "always name one die as a 6"
        in build_page_with("ludus-anglicorum", dice="three-named")["Dice"]
    )
    assert "If no die shows a 6" in build_page("ludus-anglicorum")["Dice"]
    early = (
        "You may bear off wherever your other men are. A man is borne off by any number that "
        "reaches or passes the edge."
    )
    assert any(early in text for text in build_page_with("tabula", home="any").values())
    assert not any(
        "past the middle" in text for text in build_page_with("tabula", placing="anywhere").values()
    )
    most = "the side with more points wins"
    assert any(most in text for text in build_page("twelve-dogs").values())
    assert not any(most in text for text in build_page_with("twelve-dogs", win="all-six").values())
