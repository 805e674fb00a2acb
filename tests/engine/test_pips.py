"""How far men still have to go, counted by hand."""

from engine.games import GAMES
from engine.pips import count_pips
from engine.position import Side
from engine.position_text import parse_position


def count_both_sides(text: str, slug: str) -> tuple[int | None, int | None]:
    """Both sides' pips, gold's first."""
    rules = GAMES[slug].rules
    position = parse_position(text, rules)
    return count_pips(rules, position, Side.GOLD), count_pips(rules, position, Side.BLACK)


def test_backgammon_begins_at_167() -> None:
    assert count_both_sides("a2,m5,r3,t5 f5,h3,n5,z2 gold -", "backgammon") == (167, 167)


def test_men_on_the_bar_have_the_whole_course_before_them_and_those_borne_off_nothing() -> None:
    # Gold: 25 from the bar and 1 from z; black, who runs from z to a: 23 from y.
    assert count_both_sides("z1,bar1,off13 y1,off14 gold -", "backgammon") == (26, 23)


def test_where_the_last_table_is_the_goal_only_what_leads_there_counts() -> None:
    # Gold's goal is t to z: from s one more, from a eighteen. Black's is f to a: from z eighteen.
    assert count_both_sides("a1,s1,t13 z15 gold -", "zeno") == (18 + 1, 15 * 18)


def test_men_still_in_hand_count_too() -> None:
    assert count_both_sides("hand15 hand15 gold -", "tabula") == (15 * 25, 15 * 25)


def test_men_who_wait_for_their_own_table_enter_there() -> None:
    # Gold's fourteen on z are a step from the edge;
    # one who waits for t to z has that table and the step into it left.
    rules = GAMES["seis-dos-e-as"].rules
    last = parse_position("z14,bar-tz1 a15 gold -", rules)
    assert count_pips(rules, last, Side.GOLD) == 14 + 7


def test_where_nothing_moves_there_is_nothing_to_count() -> None:
    assert count_both_sides("hand12 hand12 gold -", "twelve-dogs") == (None, None)
