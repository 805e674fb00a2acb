"""Which plays lead to something else than the next throw."""

import numpy as np
import pytest

from engine.events import Played
from engine.match import Phase, follow
from engine.players.boards import boards, ends_of
from engine.players.special import open_to, special
from engine.position import Side
from tests.conformance.matches import EVERY, Setting, name, stories
from tests.engine.build import pos

GOLD, BLACK = Side.GOLD, Side.BLACK


@pytest.mark.parametrize("setting", EVERY, ids=name)
def test_every_play_after_which_no_throw_comes_next_is_found(setting: Setting) -> None:
    found = [match for match in stories(setting)[0].moments if match.phase is Phase.PLAY]
    for match in (*found[:: max(1, len(found) // 5)], *found[-3:]):
        ends = ends_of(match)
        odd = {at for at, play in enumerate(match.plays) if follow(match, Played(play.moves)).phase is not Phase.THROW}
        assert odd <= set(special(match, ends) if match.plays else ())


@pytest.mark.parametrize("setting", EVERY, ids=name)
def test_the_ends_of_plays_stand_side_by_side_as_positions_do(setting: Setting) -> None:
    found = [match for match in stories(setting)[0].moments if match.phase is Phase.PLAY and match.plays]
    for match in found[:: max(1, len(found) // 5)]:
        ends = ends_of(match)
        positions = [play.end for play in match.plays]
        assert list(ends.positions) == positions
        for side in Side:
            assert np.array_equal(ends.men(side), boards(match.rules, positions).men(side))


@pytest.mark.parametrize(
    ("slug", "text", "points", "options"),
    [
        ("zeno", "a15 z15 gold -", "bcdefg", {}),
        ("zeno", "a14,bar1 z15 gold -", "abcdef", {}),  # a man on the bar enters first
        ("ludus-anglicorum", "a12,b1,c1,bar1 z15 gold -", "def", {}),  # no second man on gold's own side
        ("pyf", "hand15 hand15 gold -", "abcdef", {}),
        ("buffa-de-baldrac", "f1,hand14 hand15 gold -", "abcdef", {}),
        ("tabula", "m1,hand14 hand15 gold -", "abcdef", {}),  # none goes past m before all have entered
        ("tabula", "m15 hand15 gold -", "nopqrs", {}),
        ("doblet", "a2,b2,c2,d2,e2,f2 z2,y2,x2,w2,u2,t2 gold -", "", {}),  # men that move nowhere but off
    ],
)
def test_where_a_side_can_move_if_the_other_leaves_it_free(
    slug: str, text: str, points: str, options: dict[str, str]
) -> None:
    known, position = pos(text, slug, **options)
    names = known.board.points
    assert "".join(sorted(names[point] for point in open_to(known, GOLD, position.gold))) == points
