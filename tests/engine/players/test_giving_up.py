"""When a computer player resigns, and when not."""

from dataclasses import replace

import numpy as np
import pytest

from engine.events import Resigned
from engine.games import GAMES
from engine.match import new_match
from engine.players.decide import decide_event, is_hopeless
from engine.players.inputs import lay_out_inputs
from engine.players.level import Level
from engine.players.net import Net
from engine.players.nets import get_net
from engine.position import Side
from tests.engine.build import build_match, make_rules
from tests.engine.players.conftest import KeepNet

GOLD, BLACK = Side.GOLD, Side.BLACK
# Black's two last men are off with any throw; gold has one man off,
# so that no gammon is at stake, and fourteen to go.
LOST = "t14,off1 a2,off13 gold -"


@pytest.fixture(autouse=True)
def _no_nets(keep_net: KeepNet) -> None:
    """Here no game has a net unless a test makes one."""


@pytest.mark.parametrize("level", Level)
def test_a_lost_game_is_given_up(level: Level) -> None:
    assert decide_event(build_match(LOST, "backgammon"), level, 1) == Resigned(GOLD)


@pytest.mark.parametrize(
    ("slug", "text"),
    [
        ("backgammon", "z2,off13 a2,off13 gold -"),  # gold wins at once
        (
            "backgammon",
            "t14,off1 f2,off13 gold -",
        ),  # black needs more than a throw, should it be 2-1
        (
            "backgammon",
            "t15 a2,off13 gold -",
        ),  # a gammon: black is to have the points that it is about to win
        ("backgammon", "t13,bar1,off1 a1,b1,off13 gold -"),  # gold may hit on a or b as it enters
        ("backgammon", "a1,t13,off1 b1,off14 gold -"),  # or by going on
        ("pyf", "t15 y1,off14 gold -"),  # both go the same way: they may still meet
        ("paume-carie-two", "t15 z1,off14 gold -"),  # all men borne off saves a slap
    ],
)
def test_what_is_not_lost_is_played_on(slug: str, text: str) -> None:
    assert not is_hopeless(build_match(text, slug))


def test_a_side_that_may_throw_again_is_not_lost() -> None:
    lost = "t14,off1 a1,off14 gold -"
    assert is_hopeless(build_match(lost, "todas-tablas"))
    assert not is_hopeless(build_match(lost, "todas-tablas", doubles="again"))


def test_a_presumed_six_is_turned_first() -> None:
    # Three dice bear off two men of black's on a whatever is turned.
    assert is_hopeless(build_match("t14,off1 a2,off13 gold -", "ludus-anglicorum"))


def test_nobody_gives_up_for_a_team() -> None:
    assert not is_hopeless(build_match("t14,off1 z1,off14 gold -", "pyf", players="2"))


def test_nobody_gives_up_before_the_match_has_begun() -> None:
    assert not is_hopeless(new_match(GAMES["zeno"], {}))


def make_counting_net(extra: float) -> Net:
    """Return a net for backgammon that goes only by men borne off beyond three.

    The side that has borne off more wins all but surely, and may expect so many points beyond one;
    the most there can be are two.
    """
    known = make_rules("backgammon")
    layout = lay_out_inputs(known, GOLD)
    first = np.zeros((layout.count, 1), np.float32)
    first[layout.mine[known.board.off] + 3] = 1000
    first[layout.theirs[known.board.off] + 3] = -1000
    gammons = np.log(extra / (2 - extra)) + 20
    second = np.array([[10, 20, -20]], np.float32)
    offset = np.array([0, gammons - 40, gammons - 40], np.float32)
    return Net(first, np.zeros(1, np.float32), second, offset, 2)


def test_a_net_that_sees_no_chance_gives_up(keep_net: KeepNet) -> None:
    keep_net("backgammon", make_counting_net(0.001))
    assert is_hopeless(build_match(LOST, "backgammon"))
    assert not is_hopeless(build_match("z2,off13 a2,off13 gold -", "backgammon"))


def test_a_net_plays_on_where_it_may_be_wrong(keep_net: KeepNet) -> None:
    # It sees no chance; but some throws bear gold's last two men off.
    keep_net("backgammon", make_counting_net(0.001))
    assert not is_hopeless(build_match("y2,off13 a1,off14 gold -", "backgammon"))


def test_a_net_is_not_asked_about_rules_that_it_has_not_learnt(keep_net: KeepNet) -> None:
    # Black needs two throws with its men on f, and may fall before.
    keep_net("backgammon", make_counting_net(0.001))
    text = "t14,off1 f2,off13 gold -"
    assert is_hopeless(build_match(text, "backgammon"))
    assert get_net(make_rules("backgammon", unusable="loses"))
    assert not is_hopeless(build_match(text, "backgammon", unusable="loses"))
    # One made for that option has learnt it.
    keep_net(
        "backgammon.unusable=loses",
        replace(make_counting_net(0.001), facts={"options": {"unusable": "loses"}}),
    )
    assert is_hopeless(build_match(text, "backgammon", unusable="loses"))


def test_a_net_plays_on_where_more_is_at_stake(keep_net: KeepNet) -> None:
    # Giving up costs one point, a gammon two: the other side is to have what it is about to win.
    keep_net("backgammon", make_counting_net(1.0))
    assert not is_hopeless(build_match(LOST, "backgammon"))
