"""A picture in words: the alternative text that a screen reader speaks."""

from collections.abc import Iterable

from engine.board import Board
from engine.position import Side
from render.scene import Scene

LONGEST = 1024
"""Characters that Discord takes."""


def describe(scene: Scene) -> str:
    """Return what a picture shows in words, in at most 1024 characters, the position before everything else."""
    sides = [f"{side.value.capitalize()} ({name}): {_men(scene, side)}." for side, name in _named(scene)]
    return _cut(" ".join((f"{scene.title}.", *sides, *_dice(scene), *_last(scene), f"{scene.status}.")))


def _named(scene: Scene) -> Iterable[tuple[Side, str]]:
    return ((side, _cut(name, 60)) for side, name in zip(Side, scene.names, strict=True))


def _men(scene: Scene, side: Side) -> str:
    board, men = scene.rules.board, scene.position.men(side)
    standing = [f"{men[point]} on {board.names[point]}" for point in range(board.size) if men[point]]
    bars = ((bar, f"on the bar for {table}" if table else "on the bar") for bar, table in bar_tables(board))
    beside = ((board.hand, "in hand"), *bars, (board.off, "borne off"))
    return ", ".join((*standing, *(f"{men[place]} {words}" for place, words in beside if men[place])))


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
    names = scene.rules.board.names
    if scene.last:
        yield f"Last play: {', '.join(f'{names[source]} to {names[target]}' for source, target in scene.last)}."


def _cut(text: str, longest: int = LONGEST) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
