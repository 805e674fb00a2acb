"""A game's rules in words say what the engine plays, and nothing that it does not."""

from dataclasses import replace

import pytest

from bot.words.reader import Reader
from bot.words.rules import paragraphs
from engine.games import GAMES


def told(slug: str) -> dict[str, str]:
    """The paragraphs of a game's page by their headings."""
    return dict(paragraphs(Reader.ENGLISH, GAMES[slug]))


def test_men_that_wait_on_several_bars_enter_in_the_table_of_each() -> None:
    page = told("seis-dos-e-as")["Moving"]
    for side in ("gold", "black"):
        assert (
            f"{side} from bar-af on a to f, from bar-gm on g to m, from bar-ns on n to s, "
            "from bar-tz on t to z"
        ) in page
    assert "gold on a to f; black on z to t" in told("todas-tablas")["Moving"]


@pytest.mark.parametrize("slug", GAMES)
def test_one_man_makes_several_moves_only_where_men_move(slug: str) -> None:
    moves = GAMES[slug].rules.moving
    assert ("one man may make several" in told(slug)["Dice"]) == moves
    assert ("do not move" in told(slug)["Moving"]) != moves


@pytest.mark.parametrize("slug", [slug for slug in GAMES if GAMES[slug].rules.gold.single])
def test_a_ban_on_doubling_is_of_men_brought_there_not_of_the_pile_at_the_start(slug: str) -> None:
    assert told(slug)["No doubling"].startswith("A side may not bring a second man to these points")
    for text in (*GAMES[slug].special, GAMES[slug].tagline):
        assert "second man may stand" not in text


def test_a_point_on_which_nobody_enters_is_named_in_a_whole_sentence() -> None:
    assert "Gold never enters on a. Black never enters on z." in told("ludus-lumbardorum")["Moving"]


def told_with(slug: str, **options: str) -> dict[str, str]:
    """The paragraphs of a game's page when it is played with some options."""
    game = GAMES[slug]
    return dict(paragraphs(Reader.ENGLISH, replace(game, rules=game.rules_with(options))))


def test_what_an_option_changes_is_said_of_dice_bearing_and_winning() -> None:
    assert (
        "always names one die to be a 6"
        in told_with("ludus-anglicorum", dice="three-named")["Dice"]
    )
    assert "Where no die shows a 6" in told("ludus-anglicorum")["Dice"]
    early = "Men are borne off wherever the side's other men stand, by any number"
    assert any(early in text for text in told_with("tabula", home="any").values())
    assert not any(
        "past the middle" in text for text in told_with("tabula", placing="anywhere").values()
    )
    most = "the side with more points has won"
    assert any(most in text for text in told("twelve-dogs").values())
    assert not any(most in text for text in told_with("twelve-dogs", win="all-six").values())
