"""A picture in words: the alternative text that a screen reader speaks, and a board in plain lines."""

from collections.abc import Iterable

from engine.board import Board
from engine.pips import pips
from engine.position import Side
from render.scene import Moved, Scene

LONGEST = 1024
"""Characters that Discord takes."""


def describe(scene: Scene) -> str:
    """Return what a picture shows in words, in at most 1024 characters, the position before everything else."""
    sides = [f"{sentence}." for sentence in standing(scene)]
    note = [f"{scene.note.capitalize()}."] if scene.note else []
    return cut(" ".join((f"{scene.title}.", *sides, *_dice(scene), *_last(scene), *note, f"{scene.status}.")))


def standing(scene: Scene) -> list[str]:
    """Return where each side's men stand, as a sentence without its full stop."""
    return [f"{side.value.capitalize()} ({name}): {_men(scene, side)}" for side, name in _named(scene)]


def _named(scene: Scene) -> Iterable[tuple[Side, str]]:
    return ((side, cut(name, 60)) for side, name in zip(Side, scene.names, strict=True))


def _men(scene: Scene, side: Side) -> str:
    board, men = scene.rules.board, scene.position.men(side)
    standing = [f"{men[point]} on {board.names[point]}" for point in range(board.size) if men[point]]
    return ", ".join((*standing, *(f"{men[place]} {words}" for place, words in _beside(board) if men[place])))


def _beside(board: Board) -> Iterable[tuple[int, str]]:
    bars = ((bar, f"on the bar for {table}" if table else "on the bar") for bar, table in bar_tables(board))
    return ((board.hand, "in hand"), *bars, (board.off, "borne off"))


def bar_tables(board: Board) -> list[tuple[int, str]]:
    """List the bars with the table whose men wait there, or nothing where there is one bar for all."""
    return [(bar, board.names[bar].removeprefix("bar").removeprefix("-")) for bar in board.bars]


def _dice(scene: Scene) -> Iterable[str]:
    left = ", ".join(str(die.number) for die in scene.dice if not die.used)
    used = ", ".join(str(die.number) for die in scene.dice if die.used)
    if left:
        yield f"To play: {left}."
    if used:
        yield f"Used: {used}."


def _last(scene: Scene) -> Iterable[str]:
    if scene.last:
        yield f"Last play: {', '.join(_went(move, scene.rules.board) for move in scene.last)}."


def _went(move: Moved, board: Board) -> str:
    return f"{board.names[move.source]} to {board.names[move.target]}{', which hit' if move.hit else ''}"


def cut(text: str, longest: int = LONGEST) -> str:
    """Return a text with an ellipsis in place of what is too much."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def text_board(scene: Scene) -> str:
    """Return a scene in plain lines for a fixed-width font and for the ear: every point that is held, and what is due.

    Points go round the board in the order of their letters; G and B are gold's and black's men.
    """
    board = scene.rules.board
    gold, black = (scene.position.men(side) for side in Side)
    heads = [f"{side.value.capitalize()}: {name}{_pips(scene, side)}" for side, name in _named(scene)]
    rows = ([f"{board.names[at]:>2} {_held(gold[at], black[at])}" for at in table] for table in _tables(board))
    lines = [scene.title, *heads, *("  ".join(row) for row in rows)]
    for place, words in _beside(board):
        if gold[place] or black[place]:
            lines.append(f"{words}: {_held(gold[place], black[place])}")
    return "\n".join((*lines, *_dice(scene), *_last(scene), *([scene.note] if scene.note else []), scene.status))


def _tables(board: Board) -> Iterable[tuple[int, ...]]:
    return (tuple(range(first, first + 6)) for first in range(0, board.size, 6))


def _held(gold: int, black: int) -> str:
    return " ".join((*([f"G{gold}"] if gold else []), *([f"B{black}"] if black else []))) or "--"


def _pips(scene: Scene, side: Side) -> str:
    left = pips(scene.rules, scene.position, side)
    return "" if left is None else f", {left} pips"
