"""What the games' own texts say of best play has the figures that are stored."""

import re
from collections.abc import Iterator

import pytest

from bot.features.rulebook.texts import format_paragraphs, format_printed_rules
from bot.platform.i18n.reader import Reader, game_context, list_languages, load_reader
from engine.games import GAMES
from engine.players.exact import is_solved
from lab.games_page import build_page
from lab.solving.figures import (
    APART,
    PALM,
    SOLVED_OPTIONS,
    TABLE,
    Figures,
    load_figures,
)

NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?%?")
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven")


def write_percent(share: float) -> str:
    """Write a share as the sentences do."""
    return f"{100 * share:.1f}%"


def list_doblet_numbers(readings: Figures) -> Iterator[str]:
    """Yield the numbers of Doblet in the order of its sentences."""
    still, moving = (
        {
            tuple(name.removeprefix(f"moving={how}.dice=").split(".unusable=")): each
            for name, each in readings.items()
            if name.startswith(f"moving={how}.")
        }
        for how in ("none", "own-table")
    )
    usual, moved = still["three", "opponent"], moving["three", "opponent"]
    yield write_percent(usual["win"])
    yield write_percent(moved["win"])
    yield write_percent(still["three", "lost"]["win"])
    yield write_percent(still["three", "loses"]["win"])
    yield write_percent(still["majoret", "opponent"]["win"])
    assert still["minoret", "opponent"]["win"] == pytest.approx(still["majoret", "opponent"]["win"])
    # "Wins as often as the best."
    assert usual["greedy_won"] / usual["greedy_games"] == pytest.approx(0.5, abs=0.002)
    yield write_percent(moved["greedy_won"] / moved["greedy_games"])
    yield write_percent(moved["declined"] / moved["offers"])
    yield str(moved["number"])
    yield write_percent(moved["used"])
    yield write_percent(moved["left"])
    # What a number that is used would leave bears off by nothing but this one.
    yield str(locate_last_man(moved["answerer"]) - moved["number"])


def list_table_numbers(readings: Figures) -> Iterator[str]:
    """Yield the numbers of Twelve Dogs in the order of its sentences."""
    usual, falling = readings["win=most.unusable=lost"], readings["win=most.unusable=loses"]
    for each in (usual, falling):
        yield write_percent(each["win"])
        yield write_percent(each["loss"])
    all_six = readings["win=all-six.unusable=lost"]
    yield write_percent(1 - all_six["win"] - all_six["loss"])
    for win in ("most", "all-six"):
        lost, offered = (readings[f"win={win}.unusable={how}"] for how in ("lost", "opponent"))
        assert [offered[name] for name in ("win", "loss")] == [lost["win"], lost["loss"]]


def list_palm_numbers(readings: Figures) -> Iterator[str]:
    """Yield the numbers of Paume carie on one table in the order of its sentences."""
    every = readings[str(GAMES[PALM].rules.men)]
    usual = next(iter(every.values()))
    yield write_percent(usual["win"])
    yield f"{usual['points']:.2f}"
    yield write_percent(every["doubles=again.unusable=opponent"]["win"])
    yield write_percent(every["bearing=farthest.doubles=again.unusable=lost"]["win"])
    yield write_percent(every["doubles=again.unusable=loses"]["win"])
    for doubles in ("plain", "twice", "twice-again"):
        yield write_percent(every[f"doubles={doubles}.unusable=lost"]["win"])
    yield f"{usual['throws'] / usual['choices']:.0f}"
    yield write_percent(1 - usual["against_random"])
    yield f"{usual['games']:,}"
    high, low = usual["gap"]["numbers"]
    yield from map(str, (high, low, high, low, high))
    yield write_percent(usual["gap"]["loses"])


NUMBERS = {APART: list_doblet_numbers, TABLE: list_table_numbers, PALM: list_palm_numbers}


def locate_last_man(men: str) -> int:
    """Return the point, from 1, of the only man of a side that is left, written as gold's."""
    (point,) = (each.removesuffix("1") for each in men.split(",") if not each.startswith("off"))
    return "abcdef".index(point) + 1


@pytest.mark.parametrize("slug", SOLVED_OPTIONS)
def test_every_number_is_that_of_the_solver(slug: str) -> None:
    said = [number for sentence in GAMES[slug].solved for number in NUMBER.findall(sentence)]
    assert said == list(NUMBERS[slug](load_figures()[slug]))


@pytest.mark.parametrize("language", list_languages())
def test_every_language_has_the_same_numbers(language: str) -> None:
    say = load_reader(language)
    for slug in SOLVED_OPTIONS:
        for sentence in GAMES[slug].solved:
            translated = say.in_context(game_context(slug), sentence)
            assert sorted(list_digits(translated)) == sorted(list_digits(sentence))


def list_digits(sentence: str) -> list[str]:
    """Return the numbers of a sentence without what a language puts between their digits."""
    return [re.sub(r"\D", "", each) for each in re.findall(r"\d(?:[\d.,\s]*\d)?", sentence)]


def test_the_strangest_positions_are_those_that_were_found() -> None:
    moved = load_figures()[APART]["moving=own-table.dice=three.unusable=opponent"]
    mine, other = (ORDINALS[locate_last_man(moved[who]) - 1] for who in ("answerer", "thrower"))
    said = GAMES[APART].solved[-1]
    assert f"your last man is on the {mine} point, your opponent's on the {other}," in said
    gap = next(iter(load_figures()[PALM][str(GAMES[PALM].rules.men)].values()))["gap"]
    (at, many), (lone, few) = (
        (ORDINALS[point], COUNTS[own]) for point, (own, _) in enumerate(gap["points"]) if own
    )
    said = GAMES[PALM].solved[-1]
    assert f"with {COUNTS[gap['waiting'][0]]} man to enter, {many} on the {at} point" in said
    assert f"and {few} on the {lone} threw {gap['numbers'][0]} and {gap['numbers'][1]}." in said
    assert f"leaves a man alone on the {lone} point" in said
    assert few == "two"
    # A man enters on the point of his number, and is borne off by it.
    assert ORDINALS[gap["numbers"][0] - 1] == lone
    assert ORDINALS[gap["numbers"][1] - 1] == at


def test_what_is_solved_stands_on_every_page_of_the_rules() -> None:
    assert [slug for slug, game in GAMES.items() if game.solved] == [
        slug for slug in GAMES if slug in SOLVED_OPTIONS
    ]
    listed = build_page().splitlines()
    for game in GAMES.values():
        pages = [
            dict(write(Reader.ENGLISH, game)) for write in (format_paragraphs, format_printed_rules)
        ]
        told = "\n".join(f"- {sentence}" for sentence in game.solved)
        assert [page.get("Solved", "") for page in pages] == [told, told]
        assert set(told.splitlines()) <= set(listed)
        assert len(game.solved) <= 7
        # Where a value is known, figures of games don't stand for it alone.
        assert ("exact values are under **Solved**" in pages[0]["Statistics"]) is bool(game.solved)


def test_the_rules_page_says_where_the_master_plays_perfectly() -> None:
    """Of Twelve Dogs it need not say so, where nobody has a choice."""
    perfect = {}
    for slug, game in GAMES.items():
        found = re.search(
            r"master plays it perfectly(.*)\.",
            dict(format_paragraphs(Reader.ENGLISH, game))["Statistics"],
        )
        if found:
            perfect[slug] = found[1]
            assert is_solved(game.rules)
    assert perfect == {APART: ", with `moving=own-table` too"}
    assert is_solved(GAMES[APART].resolve_rules({"moving": "own-table"}))
