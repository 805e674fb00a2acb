"""A picture in words: the alternative text that a screen reader speaks, and a board in plain lines.

The words are the scene's own, so they are in the language of whoever reads.
"""

from collections.abc import Iterable, Iterator

from engine.board import Board
from engine.pips import pips
from engine.position import Side
from render.characters import cut
from render.scene import Moved, Scene

LONGEST = 1024
"""Characters that Discord takes."""
_LONGEST_NAME = 60
_IN_A_ROW = 3
"""Points that stand on one line of a board in plain lines: half a table."""


def describe(scene: Scene) -> str:
    """Return what a picture shows in words, in at most 1024 characters.

    The position comes before everything else.
    """
    ended = scene.words.sentence.format
    said = [
        ended(words=scene.title),
        *standing(scene),
        *_dice(scene),
        *_last(scene),
        *_advice(scene),
    ]
    if scene.note:
        said.append(ended(words=scene.note))
    said.append(ended(words=scene.status))
    return cut(" ".join((*said, *_luck(scene))), LONGEST)


def standing(scene: Scene) -> list[str]:
    """Return where each side's men stand, a sentence a side."""
    words = scene.words
    return [
        words.standing.format(
            side=words.side(side),
            name=name,
            men=_listed(scene, (*_on(scene, side), *_off(scene, side))),
        )
        for side, name in _named(scene)
    ]


def _named(scene: Scene) -> Iterable[tuple[Side, str]]:
    return ((side, cut(name, _LONGEST_NAME)) for side, name in zip(Side, scene.names, strict=True))


def _listed(scene: Scene, parts: Iterable[str]) -> str:
    return scene.words.lists.join(parts)


def _on(scene: Scene, side: Side) -> Iterator[str]:
    """Yield what a side has on each point."""
    board = scene.rules.board
    men = scene.position.men(side)
    return (
        scene.words.on_point(men[point], board.names[point])
        for point in range(board.size)
        if men[point]
    )


def _off(scene: Scene, side: Side) -> Iterator[str]:
    """Yield what a side has in hand, on each bar and borne off."""
    board, words = scene.rules.board, scene.words
    men = scene.position.men(side)
    if men[board.hand]:
        yield words.in_hand(men[board.hand])
    for bar, table in bar_tables(board):
        if men[bar]:
            yield words.on_bar_for(men[bar], table) if table else words.on_bar(men[bar])
    if men[board.off]:
        yield words.borne_off(men[board.off])


def bar_tables(board: Board) -> list[tuple[int, str]]:
    """List the bars with the table whose men wait there.

    The list is empty where there is one bar for all.
    """
    return [(bar, board.names[bar].removeprefix("bar").removeprefix("-")) for bar in board.bars]


def _dice(scene: Scene) -> Iterator[str]:
    words = scene.words
    left = _listed(scene, (str(die.number) for die in scene.dice if not die.used))
    used = _listed(scene, (str(die.number) for die in scene.dice if die.used))
    if left:
        yield words.dice_left.format(numbers=left)
    if used:
        yield words.dice_used.format(numbers=used)


def _last(scene: Scene) -> Iterator[str]:
    if scene.last:
        moves = _listed(scene, (_went(scene, move) for move in scene.last))
        yield scene.words.last.format(moves=moves)


def _advice(scene: Scene) -> Iterator[str]:
    for number, play in enumerate(scene.advice, 1):
        moves = _listed(scene, (_went(scene, move) for move in play))
        yield scene.words.arrows.format(number=number, moves=moves)


def _went(scene: Scene, move: Moved) -> str:
    names = scene.rules.board.names
    said = scene.words.hit if move.hit else scene.words.move
    return said.format(source=names[move.source], target=names[move.target])


def _luck(scene: Scene) -> Iterator[str]:
    for (_, name), pips_above in zip(_named(scene), scene.luck or (), strict=False):
        yield scene.words.lucky.format(name=name, luck=scene.words.luck(round(pips_above)))


def text_board(scene: Scene) -> str:
    """Return a position in plain lines for a fixed-width font and for the ear.

    It has every point, and the dice. Points go round the board in the order of their letters, a few
    a line, since a phone shows some thirty characters; each side's men follow its letter. Which
    game it is and whose turn it is are left to the text around it.
    """
    board = scene.rules.board
    heads = (_head(scene, side, name) for side, name in _named(scene))
    rows = (
        " ".join(f"{board.names[at]:>2} {_held(scene, at):<4}" for at in row).rstrip()
        for row in _rows(board)
    )
    note = [scene.note] if scene.note else []
    return "\n".join((*heads, *rows, *_beside(scene), *_dice(scene), *_last(scene), *note))


def _head(scene: Scene, side: Side, name: str) -> str:
    words = scene.words
    head = words.head.format(side=words.side(side), name=name)
    left = pips(scene.rules, scene.position, side)
    return head if left is None else _listed(scene, (head, words.pips(left)))


def _beside(scene: Scene) -> Iterator[str]:
    words = scene.words
    for side in Side:
        men = _listed(scene, _off(scene, side))
        if men:
            yield words.beside.format(side=words.side(side), men=men)


def _rows(board: Board) -> Iterable[range]:
    return (range(first, first + _IN_A_ROW) for first in range(0, board.size, _IN_A_ROW))


def _held(scene: Scene, point: int) -> str:
    counts = ((scene.words.letter(side), scene.position.men(side)[point]) for side in Side)
    return " ".join(f"{letter}{count}" for letter, count in counts if count) or "--"
