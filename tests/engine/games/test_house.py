"""House rules that several games take."""

from engine.games.house import DOUBLES, PAIRS, UNUSABLE
from tests.engine.build import refused


def test_each_house_rule_leaves_things_as_they_are_by_default() -> None:
    assert [option.default.name for option in (UNUSABLE, DOUBLES, PAIRS)] == ["lost", "plain", "all-alike"]


def test_a_value_is_found_by_name() -> None:
    assert DOUBLES.value("twice-again").name == "twice-again"
    with refused("pairs cannot be some; it is one of all-alike, any-pair"):
        PAIRS.value("some")
