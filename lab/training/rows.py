"""Positions as the kernel's rows, and back."""

from engine.position import Position, Side
from engine.rules import Rules
from lab.training.layout import LEFT, LEFT_COUNT, MEMORY, PLACES, ROW, TURN, Row

SIDES = tuple(Side)


def write_row(nodes: Row, position: Position) -> None:
    """Write a position, its throw and its memory into the first row."""
    nodes[:ROW] = 0
    for number, side in enumerate(SIDES):
        men = position.men(side)
        nodes[number * PLACES : number * PLACES + len(men)] = list(men)
    for number in position.dice:
        nodes[LEFT + number] += 1
    nodes[LEFT_COUNT] = len(position.dice)
    nodes[TURN] = SIDES.index(position.turn)
    nodes[MEMORY] = position.memory


def read_row(rules: Rules, nodes: Row, node: int) -> Position:
    """Read the position in that row."""
    row = nodes[node * ROW : (node + 1) * ROW]
    width = len(rules.board.place_names)
    gold, black = (bytes(row[at : at + width].tolist()) for at in (0, PLACES))
    dice = tuple(number for number in range(6, 0, -1) for _ in range(row[LEFT + number]))
    return Position(gold, black, SIDES[row[TURN]], dice, int(row[MEMORY]))
