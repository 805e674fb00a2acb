"""How a match was played: luck and errors, and the course of it."""

from collections.abc import Mapping

import pytest

from engine.events import Battled, Event, Played, Resigned, TakenBack, Thrown
from engine.games import GAMES
from engine.match import replay
from engine.move import Move
from engine.notation import parse_play
from engine.players.analysis import analyse
from engine.players.chances import every_throw, ways
from engine.players.decide import ranked
from engine.players.level import Level
from engine.players.prospects import best
from engine.players.worth import Judged, ended
from engine.position import Side
from tests.engine.players.drive import played

GOLD, BLACK = Side.GOLD, Side.BLACK
SHORT = {
    "twelve-dogs": {},
    "doblet": {},
    "fallas": {"dice": "majoret"},
    "laquet": {},
    "irish": {"binding": "on"},
    "paume-carie-one": {"players": "2"},
    "pareia-de-entrada": {},
    "backgammon": {},
}
"""Games that are quickly judged, with what makes them odd."""

BEGUN: list[Event] = [Battled((6,), (5,))]
"""Gold begins a game of backgammon with 6-5."""


def judged(slug: str, events: list[Event], **options: str) -> list[Judged]:
    """A match judged."""
    return list(analyse(GAMES[slug], options, events))


def typed(events: list[Event], text: str) -> Played:
    """A play of backgammon from where the events lead."""
    match = replay(GAMES["backgammon"], {}, events)
    return Played(parse_play(text, match.rules, match.position))


@pytest.mark.parametrize("slug", SHORT)
def test_a_whole_match_is_judged(slug: str) -> None:
    events, end = played(slug, SHORT[slug], 3, {GOLD: Level.COMPANION, BLACK: Level.BEGINNER})
    found = judged(slug, events, **SHORT[slug])
    assert end.outcome is not None
    # The course ends at the result.
    assert (found[-1].worth.win, found[-1].worth.points) == pytest.approx(
        _result(slug, SHORT[slug], events)
    )
    assert [each.version for each in found] == sorted({each.version for each in found})
    assert sum(each.thrown for each in found) == sum(isinstance(event, Thrown) for event in events)
    for each in found:
        assert isinstance(events[each.version - 1], Thrown) == each.thrown
        assert each.error >= 0
        assert each.error == 0 if each.thrown else each.luck == 0
        if each.side is GOLD and not isinstance(events[each.version - 1], Resigned):
            assert each.error == pytest.approx(0, abs=1e-5)  # a companion does what is judged best
    assert any(each.luck for each in found)


def _result(slug: str, options: Mapping[str, str], events: list[Event]) -> tuple[float, float]:
    outcome = replay(GAMES[slug], options, events).outcome
    assert outcome is not None
    worth = ended(outcome, GOLD)
    return worth.win, worth.points


@pytest.mark.parametrize(
    ("slug", "options"),
    [
        ("backgammon", {}),
        ("twelve-dogs", {}),
        ("pareia-de-entrada", {}),  # doubles throw again
        ("paume-carie-one", {"players": "2"}),  # the same side throws twice
        ("laquet", {}),  # numbers are offered
        ("fallas", {"dice": "majoret"}),  # a throw can lose the game
    ],
)
def test_over_all_throws_of_a_position_luck_is_nothing(slug: str, options: dict[str, str]) -> None:
    events, _ = played(slug, options, 4, {GOLD: Level.COMPANION, BLACK: Level.COMPANION})
    at = [number for number, event in enumerate(events) if isinstance(event, Thrown)]
    so_far = events[: at[3]]
    match = replay(GAMES[slug], options, so_far)
    total = 0.0
    for thrown, count in every_throw(match.rules.dice):
        total += count * judged(slug, [*so_far, Thrown(thrown)], **options)[-1].luck
    # Positions judged side by side differ in the last digits that a net's floats hold.
    assert total / ways(match.rules.dice) == pytest.approx(0, abs=1e-6)


def test_the_roll_battle_counts_neither() -> None:
    # Backgammon is begun with the throws of the roll battle.
    match = replay(GAMES["backgammon"], {}, BEGUN)
    (only,) = judged("backgammon", [*BEGUN, best(match).event])
    assert (only.thrown, only.side, only.version) == (False, GOLD, 2)
    assert only.error == pytest.approx(0, abs=1e-5)


def test_an_error_is_by_how_much_a_hint_prefers_something_else() -> None:
    match = replay(GAMES["backgammon"], {}, BEGUN)
    first, second, *_ = ranked(match)
    (none,) = judged("backgammon", [*BEGUN, first.event])
    (slight,) = judged("backgammon", [*BEGUN, second.event])
    assert none.error == pytest.approx(0, abs=1e-5)
    assert slight.best == first.event
    assert slight.error == pytest.approx(first.worth.points - second.worth.points, abs=1e-5)
    assert slight.error > 0.01


@pytest.mark.parametrize("slug", ["backgammon", "laquet", "fallas"])
def test_what_a_master_does_is_no_error(slug: str) -> None:
    events, _ = played(slug, {}, 5, {GOLD: Level.MASTER, BLACK: Level.BEGINNER})
    found = [each for each in judged(slug, events) if each.side is GOLD and not each.thrown]
    assert len(found) > 5
    played_on = [each for each in found if not isinstance(events[each.version - 1], Resigned)]
    assert all(each.error == pytest.approx(0, abs=1e-5) for each in played_on)


def test_a_play_made_in_parts_errs_in_parts() -> None:
    whole = typed(BEGUN, "r-y r-x")
    first = Played(whole.moves[:1])
    parts: list[Event] = [*BEGUN, first]
    second = Played(_rest(parts, whole.moves[1]))
    (one,) = judged("backgammon", [*BEGUN, whole])
    found = judged("backgammon", [*parts, second])
    assert sum(each.error for each in found) == pytest.approx(one.error, abs=1e-5)
    assert one.error > 0


def _rest(events: list[Event], move: Move) -> tuple[Move, ...]:
    match = replay(GAMES["backgammon"], {}, events)
    return next(play.moves for play in match.plays if play.moves == (move,))


def test_what_was_taken_back_does_not_count() -> None:
    bad, good = typed(BEGUN, "r-y r-x"), typed(BEGUN, "a-g-m")
    straight = judged("backgammon", [*BEGUN, good])
    again = judged("backgammon", [*BEGUN, bad, TakenBack(), good])
    assert [(each.version, each.error) for each in again] == [(4, each.error) for each in straight]


def test_a_whole_turn_taken_back_does_not_count() -> None:
    whole = typed(BEGUN, "r-y r-x")
    first = Played(whole.moves[:1])
    second = Played(_rest([*BEGUN, first], whole.moves[1]))
    good = typed(BEGUN, "a-g-m")
    found = judged("backgammon", [*BEGUN, first, second, TakenBack(whole=True), good])
    assert [each.version for each in found] == [5]


def test_giving_up_early_is_an_error() -> None:
    (judged_,) = judged("backgammon", [*BEGUN, Resigned(BLACK)])
    assert (judged_.side, judged_.thrown, judged_.best) == (BLACK, False, None)
    assert judged_.error > 0.5
    assert (judged_.worth.win, judged_.worth.points) == (1, 1)


def test_what_is_forced_is_nobody_s_decision() -> None:
    events, _ = played("twelve-dogs", {}, 1, {GOLD: Level.COMPANION, BLACK: Level.COMPANION})
    forced = [event for event in events if isinstance(event, Played) and event.forced]
    decisions = [
        events[each.version - 1] for each in judged("twelve-dogs", events) if not each.thrown
    ]
    assert forced
    assert not any(event in decisions for event in forced)
