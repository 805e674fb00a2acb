"""A knock-out in words: its rounds, what happened in each tie, and what a picture shows."""

from collections.abc import Collection, Sequence

import pytest

from bot.features.contests.bracket import Bracket, BracketMatch, compute_bracket
from bot.features.contests.formats.knock_out import (
    build_drawn_bracket,
    choose_drawn_rounds,
    describe_bracket,
    format_bracket,
    format_round,
    format_tie,
)
from bot.features.contests.standings import PairingResult
from bot.platform.i18n.reader import Reader, list_languages, load_reader
from engine.outcome import ANNULLED, FORFEITED
from render.bracket import TieSide, draw_bracket
from render.canvas import title_font
from render.lettering import measure_text
from render.scene import View

SAY = Reader.ENGLISH
READABLE_SIZE, COLUMN_WIDTH = 40, 308
"""How large a heading should be in a picture of three rounds, and the room it has there."""
NAMES = {1: "Ana", 2: "Ben", 3: "Cyn", 4: "Dan"}


def build_match(
    place: tuple[int, int],
    people: tuple[int, int],
    winner: int | None = None,
    how: str | None = "off",
) -> BracketMatch:
    return BracketMatch(*place, PairingResult(*people, winner, how))


def compute_four(
    *matches: BracketMatch,
    left: Collection[int] = (),
    best_of: int = 1,
    third: bool = False,
) -> Bracket:
    return compute_bracket((1, 2, 3, 4), matches, left, best_of, third)


UPPER = build_match((1, 1), (1, 4), 4)
LOWER = build_match((1, 2), (2, 3), 2)
RUNNING = (None, None)
DRAWN = (None, "even")
OFF = "off"


@pytest.mark.parametrize(
    ("results", "left", "closed", "text"),
    [
        ([], (), 0, "Ana v Ben"),
        ([RUNNING], (), 0, "Ana v Ben"),
        ([(None, ANNULLED)], (), 0, "Ana v Ben"),
        ([(1, OFF), DRAWN, RUNNING], (), 0, "Ana v Ben, 1½–½ so far"),
        ([(1, OFF), (2, OFF), (2, OFF)], (), 0, "Ben beat Ana 2–1"),
        ([(1, OFF), (None, FORFEITED)], (), 0, "Ana beat Ben 1–0"),
        ([(2, OFF)], (2,), 0, "Ana won by walkover against Ben"),
        ([(2, OFF), (1, OFF)], (), 1, "Ana went through against Ben (1–1)"),
        ([(None, FORFEITED)], (), 0, "Neither Ana nor Ben won"),
        ([], (1, 2), 0, "Neither Ana nor Ben won"),
    ],
)
def test_a_tie_of_two_in_words(
    results: Sequence[tuple[int | None, str | None]],
    left: Collection[int],
    closed: int,
    text: str,
) -> None:
    matches = [build_match((1, 1), (1, 2), *result) for result in results]
    bracket = compute_bracket((1, 2), matches, left, 3, False, closed)
    assert format_tie(SAY, bracket.final, NAMES) == text


def test_ties_without_an_opponent_in_words() -> None:
    three = compute_bracket((1, 2, 3), [], (), 1, False)
    assert format_tie(SAY, three.rounds[0][0], NAMES) == "Ana has a bye"
    assert format_tie(SAY, three.final, NAMES) == "Ana is waiting for an opponent"
    assert format_tie(SAY, compute_four().final, NAMES) == ""
    forfeit = build_match((1, 1), (1, 4), how=FORFEITED)
    alone = compute_four(forfeit, LOWER)
    assert format_tie(SAY, alone.final, NAMES) == "Ben won by walkover, without an opponent"
    gone = compute_four(forfeit, LOWER, left={2})
    assert format_tie(SAY, gone.final, NAMES) == "Ben left and had no opponent"
    nobody = compute_four(forfeit, build_match((1, 2), (2, 3), how=FORFEITED))
    assert format_tie(SAY, nobody.final, NAMES) == "Nobody played"


def test_rounds_are_named_by_how_many_play_in_them() -> None:
    bracket = compute_bracket(range(64), [], (), 1, False)
    assert [format_round(SAY, bracket, number) for number in range(1, 7)] == [
        *("Round of 64", "Round of 32", "Round of 16"),
        *("Quarter-finals", "Semi-finals", "Final"),
    ]


@pytest.mark.parametrize("locale", list_languages())
def test_the_names_of_rounds_are_short_enough_to_be_read_on_a_phone(locale: str) -> None:
    say = load_reader(locale)
    bracket = compute_bracket(range(64), [], (), 1, False)
    for number in range(1, len(bracket.rounds) + 1):
        name = format_round(say, bracket, number)
        assert measure_text(name, title_font(READABLE_SIZE)) <= COLUMN_WIDTH, name


def test_the_latest_round_is_first_in_words() -> None:
    bracket = compute_four(UPPER, LOWER, third=True)
    assert format_bracket(SAY, bracket, NAMES) == (
        "**Final**",
        "- Dan v Ben",
        "**Third place**",
        "- Ana v Cyn",
        "**Semi-finals**",
        "- Dan beat Ana 1–0",
        "- Ben beat Cyn 1–0",
    )
    assert format_bracket(SAY, bracket, NAMES, [1])[0] == "**Semi-finals**"
    # A round in which nobody is known yet is left out.
    assert format_bracket(SAY, compute_four(third=True), NAMES) == (
        "**Semi-finals**",
        "- Ana v Dan",
        "- Ben v Cyn",
    )


def test_a_picture_in_words() -> None:
    bracket = compute_four(UPPER, LOWER)
    assert describe_bracket(SAY, "Cup", bracket, NAMES) == (
        "Cup. Final: Dan v Ben. Semi-finals: Dan beat Ana 1–0; Ben beat Cyn 1–0."
    )
    large = compute_bracket(range(64), [], (), 1, False)
    text = describe_bracket(SAY, "Cup", large, dict.fromkeys(range(64), "Butterfly"))
    # 32 times "Butterfly v Butterfly; " of 23 characters make 736, and "Cup. Round of 64: " 18.
    assert len(text) == 18 + 736 - 1
    text = describe_bracket(SAY, "Cup", large, dict.fromkeys(range(64), "Butterfly" * 2))
    assert len(text) == 1024
    assert text.endswith("…")


@pytest.mark.parametrize(
    ("count", "begun", "rounds"),
    [
        (2, 0, [1]),
        (4, 0, [1, 2]),
        (8, 0, [1, 2, 3]),
        (8, 3, [1, 2, 3]),
        (16, 0, [1, 2, 3]),
        (16, 3, [1, 2, 3]),
        (16, 4, [2, 3, 4]),
        (32, 1, [1]),
        (32, 2, [2, 3, 4]),
        (32, 4, [2, 3, 4]),
        (32, 5, [3, 4, 5]),
        (64, 1, []),
        (64, 2, [2]),
        (64, 3, [3, 4, 5]),
        (64, 6, [4, 5, 6]),
    ],
)
def test_a_picture_shows_the_latest_rounds(count: int, begun: int, rounds: list[int]) -> None:
    # The better seed always goes on, and of the latest round only the first match has begun.
    matches = [
        build_match((number, table), pair, min(pair))
        for number in range(1, begun + 1)
        for table, pair in enumerate(list_pairs(count >> (number - 1)), start=1)
        if number < begun or table == 1
    ]
    bracket = compute_bracket(range(count), matches, (), 1, False)
    shown = choose_drawn_rounds(bracket)
    assert list(shown) == rounds
    if rounds:
        names = {person: f"Person {person}" for person in range(count)}
        drawn = build_drawn_bracket(SAY, "Cup", bracket, names, shown)
        assert draw_bracket(drawn, View()).startswith(b"\x89PNG")


def list_pairs(count: int) -> list[tuple[int, int]]:
    """Who meets whom in a round of so many if the better seed always goes on."""
    order = [0]
    while len(order) < count:
        order = [seed for best in order for seed in (best, 2 * len(order) - 1 - best)]
    return list(zip(order[::2], order[1::2], strict=True))


def test_a_drawn_tie_has_names_scores_and_its_winner() -> None:
    bracket = compute_bracket(
        (1, 2, 3), [build_match((1, 2), (2, 3), 3)], {1}, 3, has_third_place=True
    )
    drawn = build_drawn_bracket(SAY, "Cup", bracket, NAMES, [1, 2])
    assert [column.heading for column in drawn.columns] == ["Semi-finals", "Final"]
    semifinals, final = (column.ties for column in drawn.columns)
    assert semifinals[0].sides == (
        TieSide("Ana", is_out=True, seed="1"),
        TieSide("bye", is_out=True),
    )
    assert semifinals[1].sides == (TieSide("Ben", "0", seed="2"), TieSide("Cyn", "1", seed="3"))
    # Nobody came out of one, and the other is open.
    assert final[0].sides == (TieSide("–"), TieSide(""))
    assert [tie.is_final for ties in (semifinals, final) for tie in ties] == [False, False, True]
    assert drawn.third is not None
    assert build_drawn_bracket(SAY, "Cup", bracket, NAMES, [1]).third is None


def test_a_drawn_walkover_says_so() -> None:
    bracket = compute_four(UPPER, LOWER, left={4})
    (final,) = build_drawn_bracket(SAY, "Cup", bracket, NAMES, [2]).columns[0].ties
    assert final.sides == (
        TieSide("Dan", is_out=True, seed="4"),
        TieSide("Ben", "w/o", is_winner=True, seed="2"),
    )
