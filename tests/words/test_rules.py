"""A game's rules in words say what the engine plays, and nothing that it does not."""

import re
from dataclasses import replace
from random import Random

import pytest

from bot.features.rulebook.texts import describe_goal, format_paragraphs
from bot.platform.i18n.reader import Reader
from engine.games import GAMES, find_game
from engine.match import new_match
from engine.playout import play_out
from tests.conformance.matches import SETTINGS

PLAYED = 4
"""Random games of each setting."""
MAX_THROWS = 400

SAID = {
    "off": "bear off all its men",
    "goal": "all its men in its last table",
    "full": "more points wins",
    "even": "is a draw",
    "all-six": "holds all six points",
    "not-all-six": "nobody wins",
    "ad-fallum": "ad fallum",
    "stuck": "no throw could ever move either side again",
    "tie": "the game is a draw",
    "barata": "barata: hitting four men",
    "barata-at-once": "barata: holding six points",
    "barata-no-entry": "barata: leaving the men",
    "jan": "loses at once by jan",
    "fifteen": "all fifteen on the last point",
    "seven-five-three": "seven on the last",
    "three-fives": "five on each of the last three",
    "five-threes": "three on each of the last five",
    "lympolded": "loses at once",
    "lurched": "loses at once",
    "lympolded-for-ever": "seven men for its six entry points",
    "both-caught": "one move catches both sides",
}
"""Words of the sentence that says how a game may end so."""


def build_page(slug: str) -> dict[str, str]:
    """The paragraphs of a game's page by their headings."""
    return dict(format_paragraphs(Reader.ENGLISH, GAMES[slug]))


def test_men_that_wait_on_several_bars_enter_in_the_table_of_each() -> None:
    page = build_page("seis-dos-e-as")
    assert (
        "Hit on a to f, it re-enters on n to s; hit on g to m, it re-enters on t to z; hit on n to "
        "s, it re-enters on a to f; hit on t to z, it re-enters on g to m."
    ) in page["Hitting"]
    assert "table where a man re-enters" in page["Moving"]
    assert "gold on a to f; black on z to t" in build_page("todas-tablas")["Moving"]


@pytest.mark.parametrize("slug", GAMES)
def test_one_man_makes_several_moves_only_where_men_move(slug: str) -> None:
    moves = GAMES[slug].rules.moving
    assert ("one man may make several" in build_page(slug)["Dice"]) == moves
    assert ("do not move" in build_page(slug)["Moving"]) != moves


@pytest.mark.parametrize("slug", [slug for slug in GAMES if GAMES[slug].rules.gold.ban_second])
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
    # Without its options, whose defaults would come over those that are asked for.
    asked = replace(game, rules=game.resolve_rules(options), options=())
    return dict(format_paragraphs(Reader.ENGLISH, asked))


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


@pytest.mark.parametrize(
    ("slug", "options"), [(slug, dict(options)) for slug, options in SETTINGS], ids=str
)
def test_every_way_in_which_a_game_ends_is_said_where_the_goal_is(
    slug: str, options: dict[str, str]
) -> None:
    check_endings(slug, options, 1)
    text = " ".join(build_page_with(slug, **options).values())
    # No place is named as the engine does.
    assert not re.search(r"\bbar-|\bfrom hand\b", text)


@pytest.mark.sweep
@pytest.mark.parametrize("slug", GAMES)
def test_every_way_in_which_many_games_end_is_said_where_the_goal_is(slug: str) -> None:
    for setting, options in SETTINGS:
        if setting == slug:
            check_endings(slug, dict(options), PLAYED)


def check_endings(slug: str, options: dict[str, str], played: int) -> None:
    """Play some games by chance; make sure that the page says how they end."""
    game = GAMES[slug]
    rules = game.resolve_rules(options)
    goal = describe_goal(Reader.ENGLISH, game, rules)
    page = build_page_with(slug, **options)
    assert page["Goal"] == goal
    random = Random(f"{slug} {options}")
    for _ in range(played):
        outcome = play_out(new_match(game, options), random, MAX_THROWS).outcome
        if outcome is not None:
            text = " ".join(page.values()) if outcome.how == "stuck" else goal
            assert SAID[outcome.how] in text, outcome.how


def test_what_ends_games_by_itself_is_said_where_it_is_judged() -> None:
    for slug, options in SETTINGS:
        rules = GAMES[slug].resolve_rules(dict(options))
        # Of what games remember, only the men hit from behind a blockade end one: four of gold's.
        ends = rules.memory and rules.memory.ending(4 * 8) is not None
        judged = bool(rules.ending_after_move or rules.ending_at_standstill or ends)
        assert bool(rules.ending_texts) == judged, (slug, options)


def test_men_that_lie_on_others_are_taken_down() -> None:
    for options in ({}, {"moving": "own-table"}):
        page = build_page_with("doblet", **options)
        assert (
            "a 2 that of the second, and so on: gold on a to f; black on z to t" in (page["Moving"])
        )
        assert "You may bear off once all your men are down." in page["Winning"]
        assert "enter" not in page["Moving"]
    assert "once all your men have entered" in build_page("paume-carie-one")["Winning"]


def test_a_side_that_must_play_every_number_is_told_of_no_choice() -> None:
    most = "You must use as many numbers as possible"
    assert most not in build_page("fallas")["Dice"]
    assert most in build_page_with("fallas", fall="whole-throw")["Dice"]
    assert most in build_page_with("fallas", unusable="lost")["Dice"]


def test_men_that_go_straight_to_a_point_wait_on_no_bar() -> None:
    for slug, gold, black in (("fallas", "a", "z"), ("cab-e-quinal", "e", "f")):
        page = build_page_with(slug, hit="start-point")["Hitting"]
        assert "bar" not in page
        assert f"Hit men of gold go to {gold}. Hit men of black go to {black}." in page


def test_who_goes_on_while_others_are_to_enter_is_said() -> None:
    assert "except the one that has just entered" in build_page("tabula")["Hitting"]
    first = replace(find_game("tabula", 1), title="Tabula")
    assert "makes any other move" in dict(format_paragraphs(Reader.ENGLISH, first))["Hitting"]
