"""The bound of a game's states holds where all of them have been listed."""

from engine.games import GAMES
from lab.solving.apart import list_side_states
from lab.solving.counts import count_states, find_smallest


def test_the_bound_holds_for_doblet() -> None:
    rules = GAMES["doblet"].rules
    listed = len(list_side_states(rules).men)
    assert listed == 792
    assert 2 * listed**2 <= count_states(rules)


def test_a_point_with_two_men_and_nobody_else() -> None:
    # In Twelve Dogs a side's twelve men are in hand, on the bar or on six points, two at most.
    rules = GAMES["twelve-dogs"].rules
    waiting = {men: rules.men - men + 1 for men in range(rules.men + 1)}
    expected = 0
    shared = {(0, 0): 1}
    for _ in range(6):
        after: dict[tuple[int, int], int] = {}
        for (gold, black), ways in shared.items():
            for more, others in ((0, 0), (1, 0), (2, 0), (0, 1), (0, 2)):
                placed = gold + more, black + others
                after[placed] = after.get(placed, 0) + ways
        shared = after
    assert sum(shared.values()) == 5**6
    for (gold, black), ways in shared.items():
        expected += 2 * ways * waiting[gold] * waiting[black]
    assert count_states(rules) == expected


def test_options_are_taken_together() -> None:
    game = GAMES["quinze-tablas"]
    name, count = find_smallest(game)
    assert name == "men=6.limit=two"
    assert count == count_states(game.resolve_rules({"men": "6", "limit": "two"}))
    assert count < count_states(game.resolve_rules({"men": "6"})) < 10**12


def test_options_that_change_nothing_are_not_named() -> None:
    game = GAMES["backgammon"]
    assert find_smallest(game) == ("", count_states(game.rules))
