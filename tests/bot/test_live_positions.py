"""Positions of running matches, on which nobody is advised who plays without hints."""

from random import Random

import pytest

from bot.features.analysis.guard import can_come_up
from engine.events import Chosen, Played, TakenBack, Thrown
from engine.games import GAMES, find_game
from engine.match import PLAY_PHASES, SIX, Match, Phase, new_match
from engine.players.midgame import build_match
from engine.playout import choose_event
from engine.position import Position
from engine.position_text import parse_position

GOLD, BLACK = "a2,m4,q1,r3,t5", "f5,h3,n5,z2"
"""Backgammon after one man of gold's has come from m to q, where gold throws 3-1."""


def set_up(text: str, game: str = "backgammon") -> Match:
    """A position as somebody asks about it."""
    wanted = find_game(game)
    rules = wanted.resolve_rules({})
    return build_match(wanted, rules, parse_position(text, rules))


def throw_in(text: str, dice: tuple[int, ...], game: str = "backgammon") -> Match:
    """A match that has come to a position, where these dice are thrown."""
    return set_up(text, game).apply(Thrown(dice))


@pytest.mark.parametrize(
    "question",
    [
        # As it stands, with whatever throw, and after any part of a play: a-b, a-d, and both.
        f"{GOLD} {BLACK} gold 3-1",
        f"{GOLD} {BLACK} gold -",
        f"{GOLD} {BLACK} black 6-5",
        f"a1,b1,m4,q1,r3,t5 {BLACK} gold 3",
        f"a1,d1,m4,q1,r3,t5 {BLACK} gold 1",
        f"b1,d1,m4,q1,r3,t5 {BLACK} black -",
        # With the colours changed, from the other side, in a mirror, and from the other end.
        f"{BLACK} {GOLD} black 3-1",
        "a2,m5,r3,t5 f5,h3,i1,n4,z2 black 3-1",
        "a4,m2,s5,u3,w1 e3,g5,n2,z5 gold 3-1",
        "d1,e3,g5,n2,z4 a5,m2,s5,u3 gold 3-1",
        # One man of each side stands elsewhere.
        "a2,m3,o1,q1,r3,t5 f5,h3,l1,n4,z2 gold 3-1",
        # Two men of gold's were borne off.
        "a2,m4,q1,r3,t4,off1 f5,h3,n5,z2 gold 3-1",
    ],
)
def test_what_is_a_position_of_the_turn(question: str) -> None:
    assert can_come_up(set_up(question), throw_in(f"{GOLD} {BLACK} gold -", (3, 1)))


@pytest.mark.parametrize(
    "question",
    [
        # Two men stand elsewhere where no 3-1 takes them, also where a play is made.
        f"a2,m2,o2,q1,r3,t5 {BLACK} gold 3-1",
        "a2,m4,q1,r3,t5 f3,g2,h3,n5,z2 gold 3-1",
        "y1,z2,off12 a1,b2,off12 gold 3-1",
    ],
)
def test_what_is_none(question: str) -> None:
    assert not can_come_up(set_up(question), throw_in(f"{GOLD} {BLACK} gold -", (3, 1)))


@pytest.mark.parametrize(
    ("question", "counts"),
    [
        (f"{GOLD} {BLACK} gold 3-1", True),
        ("a2,m5,r3,t5 f5,h3,i1,n4,z2 black 3-1", True),
        (f"a1,b1,m4,q1,r3,t5 {BLACK} gold 3", True),
        (f"{GOLD} {BLACK} gold 6-5", False),
        (f"{GOLD} {BLACK} gold -", False),
        (f"a1,b1,m4,q1,r3,t5 {BLACK} gold 3-1", False),
        (f"a2,m3,o1,q1,r3,t5 {BLACK} gold 3-1", False),
    ],
)
def test_where_the_dice_bring_about_a_position_it_is_just_the_same(
    question: str, counts: bool
) -> None:
    match = throw_in(f"{GOLD} {BLACK} gold -", (3, 1))
    assert can_come_up(set_up(question), match, exact=True) is counts


@pytest.mark.parametrize("game", ["irish", "tabula", "todas-tablas"])
def test_the_same_board_as_another_game(game: str) -> None:
    match = throw_in(f"{GOLD} {BLACK} gold -", (3, 1))
    assert can_come_up(set_up(f"{GOLD} {BLACK} gold -", game), match)


def test_the_same_distances_in_a_game_in_which_the_sides_go_the_same_way() -> None:
    match = throw_in("u5,w5,y5 a5,c5,h5 gold -", (3, 1))
    # Black's men are as far from the end as there, where they go from z to a.
    assert can_come_up(set_up("u5,w5,y5 r5,x5,z5 gold -", "tabula"), match)
    assert not can_come_up(set_up("u5,w5,y5 o5,p5,z5 gold -", "tabula"), match)


def test_where_a_die_is_still_to_be_turned() -> None:
    played = throw_in("a15 z15 gold -", (4, 2, 1), "ludus-anglicorum")
    assert played.phase is Phase.CHOOSE
    for die in (4, 2, 1):
        for play in played.apply(Chosen(SIX, str(die))).plays:
            match = build_match(played.game, played.rules, play.end)
            assert can_come_up(match, played)
            assert can_come_up(match, played, exact=True)


@pytest.mark.parametrize("game", GAMES)
def test_every_part_of_every_turn_counts_also_once_it_is_taken_back(game: str) -> None:
    random = Random(game)
    match, seen = new_match(GAMES[game], {}), 0
    while match.phase is not Phase.OVER and seen < 12:
        if match.phase in PLAY_PHASES and match.plays:
            seen += 1
            check_turn(match, random)
        match = match.apply(choose_event(match, random))
    assert seen


def check_turn(match: Match, random: Random) -> None:
    """Make a play move by move, and take it back; all the while its positions count."""
    moves = random.choice(match.plays).moves
    positions, now = [match.position], match
    for move in moves:
        now = now.apply(Played((move,)))
        if now.phase is Phase.OVER:
            return
        positions.append(now.position)
        check_all(match, positions, now)
    for _ in moves:
        now = now.apply(TakenBack())
        check_all(match, positions, now)


def check_all(match: Match, positions: list[Position], now: Match) -> None:
    """Each of the positions is one of the turn, whichever of them the match is in."""
    for position in positions:
        asked = build_match(match.game, match.rules, position)
        assert can_come_up(asked, now), (match.game.slug, position)
        if asked.plays:
            assert can_come_up(asked, now, exact=True), (match.game.slug, position)
