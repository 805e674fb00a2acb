"""Games as data: options change the rules they name, and nothing else."""

import pickle
from dataclasses import replace

import pytest

from engine.board import TABLES
from engine.games import GAMES
from engine.position import Side
from engine.refusal import Reason
from engine.rules import DoublesRule, LudemeEntry, UnusableRule
from tests.engine.build import LUDUS, expect_refusal, make_rules


@pytest.mark.parametrize(
    ("doubles", "twice", "again"),
    [
        (DoublesRule.PLAIN, False, False),
        (DoublesRule.TWICE, True, False),
        (DoublesRule.AGAIN, False, True),
        (DoublesRule.TWICE_AGAIN, True, True),
    ],
)
def test_what_doubles_give(doubles: DoublesRule, twice: bool, again: bool) -> None:
    assert (doubles.is_played_twice, doubles.has_extra_throw) == (twice, again)


def test_each_side_has_its_way_entry_and_home() -> None:
    known = make_rules("zeno")
    named = {
        side: [
            "".join(TABLES.points[p] for p in run)
            for run in (known.entry_points(side), known.home(side))
        ]
        for side in Side
    }
    assert named == {Side.GOLD: ["abcdef", "tuwxyz"], Side.BLACK: ["zyxwut", "fedcba"]}
    assert known.side_rules(Side.BLACK) is known.black
    assert known.course(Side.BLACK) == known.course(Side.GOLD)[::-1]


def test_without_options_the_defaults_hold() -> None:
    for game in GAMES.values():
        defaults = {option.name: option.default_value.name for option in game.options}
        assert game.resolve_rules({}) == game.resolve_rules(defaults)


def test_an_option_changes_what_it_names_and_nothing_else() -> None:
    usual = make_rules("pyf")
    assert make_rules("pyf", unusable="loses") == replace(usual, unusable=UnusableRule.LOSES)
    assert make_rules("pyf", players="3") == replace(
        usual, players=3, dice=replace(usual.dice, count=2)
    )
    assert make_rules("pyf", doubles="twice") == replace(
        usual, dice=replace(usual.dice, doubles=DoublesRule.TWICE)
    )


def test_options_join() -> None:
    known = make_rules(LUDUS, dice="two-and-six", unusable="opponent")
    assert (known.dice.count, known.dice.fixed, known.dice.presumed) == (2, (6,), None)
    assert known.unusable is UnusableRule.OPPONENT


@pytest.mark.parametrize(
    ("slug", "options", "sentence"),
    [
        (
            "zeno",
            {"dice": "three"},
            "Zeno has no option dice; its options are `goal`, `setup` and `unusable`",
        ),
        (
            "zeno",
            {"unusable": "keep"},
            "`unusable` can be `lost`, `opponent` or `loses`, but not keep",
        ),
        ("pyf", {"players": "4"}, "`players` can be `1`, `2` or `3`, but not 4"),
        (
            LUDUS,
            {"dice": "Three"},
            "`dice` can't be Three; did you mean `three`, `three-plain` or `three-named`?",
        ),
    ],
)
def test_an_unknown_option_or_value_is_refused(
    slug: str, options: dict[str, str], sentence: str
) -> None:
    with expect_refusal(sentence, Reason.OPTION, Reason.VALUE):
        GAMES[slug].resolve_rules(options)


def test_a_game_without_options_says_so() -> None:
    with expect_refusal("Zeno has no options, so dice can't be set"):
        replace(GAMES["zeno"], options=()).find_option("dice")


def test_only_twelve_dogs_has_a_choice_for_the_side_that_begins() -> None:
    choices = {
        slug: choice.name for slug, game in GAMES.items() if (choice := game.find_opening_choice())
    }
    assert choices == {"twelve-dogs": "table"}


@pytest.mark.parametrize("slug", GAMES)
def test_the_rules_of_every_game_can_be_sent_to_another_process(slug: str) -> None:
    game = GAMES[slug]
    chosen = [{}, *({each.name: value.name} for each in game.options for value in each.values)]
    for options in chosen:
        rules = game.resolve_rules(options)
        hash(rules)
        loaded = pickle.loads(pickle.dumps(rules))
        assert loaded == rules
        # The hash of another process would not be that of this one.
        assert "_hash" not in vars(loaded)


def test_an_entry_of_a_database_is_named_as_the_project_writes_it() -> None:
    entry = LudemeEntry(game=625, rulesets=(732, 733), version="1.3.4", differences=())
    assert entry.identifiers == (
        "DLP.Games.625",
        "DLP.GameRulesets.732",
        "DLP.GameRulesets.733",
    )
