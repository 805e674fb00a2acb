"""Our legal plays of backgammon are OpenSpiel's, on thousands of random positions of its games."""

from random import Random
from typing import Any

import pytest

from engine.plays import list_legal_plays
from engine.position import Position, Side
from tests.peers.positions import BACKGAMMON, Placement, count_men

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")

pytestmark = pytest.mark.peers

POSITIONS = 5000


def extract_placement(state: Any) -> Placement:
    """Where both sides stand in a state of OpenSpiel."""
    scores = [
        int(word.rstrip(","))
        for word in str(state).split("Scores,")[1].split()
        if word.rstrip(",").isdigit()
    ]
    sides = []
    for player in (0, 1):
        board = [state.board(player, point) for point in range(24)]
        sides.append((*board, 15 - sum(board) - scores[player], scores[player]))
    return sides[0], sides[1]


def parse_dice(state: Any) -> tuple[int, ...]:
    """The numbers that OpenSpiel's mover has to play, highest first."""
    text = str(state).split("Dice:")[1].split("\n")[0].strip()
    dice = sorted((int(number) for number in text if number.isdigit()), reverse=True)
    return tuple(dice * 2) if dice[0] == dice[1] else tuple(dice)


def list_their_ends(state: Any) -> set[Placement]:
    """Return where both sides stand after each turn OpenSpiel allows; a double is two actions."""
    mover, found = state.current_player(), set()
    waiting = [state]
    while waiting:
        at = waiting.pop()
        for action in at.legal_actions():
            after = at.child(action)
            if not after.is_terminal() and after.current_player() == mover:
                waiting.append(after)
            else:
                found.add(extract_placement(after))
    return found


def list_our_ends(state: Any) -> set[Placement]:
    """The same from our search."""
    board = BACKGAMMON.rules.board
    gold, black = (
        bytes(
            (
                *side[:24],
                *(side[25] if place == board.off else 0 for place in (board.hand, board.off)),
                side[24],
            )
        )
        for side in extract_placement(state)
    )
    side = (Side.GOLD, Side.BLACK)[state.current_player()]
    position = Position(gold, black, side, parse_dice(state))
    plays = list_legal_plays(BACKGAMMON.rules, position)
    return {
        (count_men(end.gold), count_men(end.black))
        for end in ([play.end for play in plays] or [position])
    }


def test_the_same_plays_on_thousands_of_positions() -> None:
    chance, seen = Random(1283), 0
    game = pyspiel.load_game("backgammon")
    differing = []
    while seen < POSITIONS:
        state = game.new_initial_state()
        mover = None
        while not state.is_terminal() and seen < POSITIONS:
            if state.is_chance_node():
                mover = None
                state.apply_action(
                    chance.choice([outcome for outcome, _ in state.chance_outcomes()])
                )
                continue
            if mover is None:
                seen += 1
                if list_our_ends(state) != list_their_ends(state):
                    differing.append(str(state))
            mover = state.current_player()
            state.apply_action(chance.choice(state.legal_actions()))
    assert differing == []
