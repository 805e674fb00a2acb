"""A picture in words: the alternative text that a screen reader speaks, and a board in plain lines.

The words are the scene's own, so they are in the reader's language.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from textwrap import wrap

from engine.board import GameBoard
from engine.pips import count_pips
from engine.position import Side
from render.characters import shorten_text
from render.scene import Scene, SceneMove
from render.words import Words

MAX_ALT_TEXT = 1024
"""Characters that Discord takes."""
_MAX_NAME_LENGTH = 60
_POINTS_PER_LINE = 3
"""Points that stand on one line of a board in plain lines."""
_LINE_WIDTH = 30
"""Characters of a line that a phone shows."""


def describe_scene(scene: Scene) -> str:
    """Return what a picture shows in words, in at most 1024 characters.

    The position comes before everything else.
    """
    joints = scene.words.joints
    sentences = [
        joints.end(scene.title),
        *describe_men(scene),
        *_describe_dice(scene),
        *_describe_last_play(scene),
        *_describe_advice(scene),
    ]
    if scene.note:
        sentences.append(joints.end(scene.note))
    sentences.append(joints.end(scene.status))
    # Discord takes no longer text. It is cut at the end, so what matters most stands first.
    rest = (*_describe_ways(scene), *_describe_luck(scene))
    return shorten_text(joints.join_sentences((*sentences, *rest)), MAX_ALT_TEXT)


def describe_men(scene: Scene) -> list[str]:
    """Return where each side's men stand, a sentence a side."""
    words = scene.words
    return [
        words.standing.format(
            side=words.side_name(side),
            name=name,
            men=format_men_in_words(words, scene.rules.board, scene.position.men(side)),
        )
        for side, name in _sides_with_names(scene)
    ]


def format_men_in_words(words: Words, board: GameBoard, men: bytes) -> str:
    """Return where a side's men stand: "2 on a, 5 on m, 1 on the bar"."""
    on_points = (
        words.on_point(men[point], board.place_names[point])
        for point in range(board.size)
        if men[point]
    )
    return words.joints.join_row((*on_points, *_describe_off_board(words, board, men)))


def _sides_with_names(scene: Scene) -> Iterable[tuple[Side, str]]:
    return (
        (side, shorten_text(name, _MAX_NAME_LENGTH))
        for side, name in zip(Side, scene.names, strict=True)
    )


def _join_list(scene: Scene, parts: Iterable[str]) -> str:
    return scene.words.joints.join_row(parts)


def _describe_off_board(words: Words, board: GameBoard, men: bytes) -> Iterator[str]:
    """Yield what a side has in hand, on each bar and borne off."""
    if men[board.hand]:
        yield words.in_hand(men[board.hand])
    for bar, table in list_bar_tables(board):
        if men[bar]:
            yield words.on_bar_for(men[bar], table) if table else words.on_bar(men[bar])
    if men[board.off]:
        yield words.borne_off(men[board.off])


def list_bar_tables(board: GameBoard) -> list[tuple[int, str]]:
    """List the bars with the table whose men wait there, an empty one where a bar is for all."""
    # A lone bar is called `bar`; one of several is called `bar-af` or so.
    return [
        (bar, board.place_names[bar].removeprefix("bar").removeprefix("-")) for bar in board.bars
    ]


def _describe_dice(scene: Scene) -> Iterator[str]:
    words = scene.words
    dice = sorted(scene.dice, key=lambda die: die.number, reverse=True)
    left = _join_list(scene, (str(die.number) for die in dice if not die.used))
    used = _join_list(scene, (str(die.number) for die in dice if die.used))
    if left:
        yield words.dice_left.format(numbers=left)
    if used:
        yield words.dice_used.format(numbers=used)


def _describe_last_play(scene: Scene) -> Iterator[str]:
    if scene.last:
        moves = _join_list(scene, (_format_move(scene, move) for move in scene.last))
        yield scene.words.last.format(moves=moves)


def _describe_advice(scene: Scene) -> Iterator[str]:
    for number, play in enumerate(scene.advice, 1):
        # One alone may be shown of several, and keeps its number.
        if not play:
            continue
        moves = _join_list(scene, (_format_move(scene, move) for move in play))
        yield scene.words.arrows.format(number=number, moves=moves)


def _format_move(scene: Scene, move: SceneMove) -> str:
    words, board = scene.words, scene.rules.board
    text = words.hit if move.hit else words.move
    return text.format(
        source=words.place_name(board, move.source), target=words.place_name(board, move.target)
    )


def _describe_ways(scene: Scene) -> Iterator[str]:
    """Yield each side's way round and its home, while they are drawn."""
    rules, words = scene.rules, scene.words
    if not (scene.ways and rules.moving):
        return
    names = rules.board.place_names
    for side in Side:
        course, home = rules.course(side), sorted(rules.home(side))
        sentence = words.way.format(
            side=words.side_in_text(side),
            way=_join_list(
                scene,
                (
                    words.stretch.format(first=names[first], last=names[last])
                    for first, last in _split_course(course)
                ),
            ),
            home=words.span.format(first=names[home[0]], last=names[home[-1]]),
        )
        yield sentence[:1].upper() + sentence[1:]


def _split_course(course: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last points of the parts in which letters rise or fall."""
    first = course[0]
    for at, after in pairwise(course):
        if abs(at - after) > 1:
            yield first, at
            first = after
    yield first, course[-1]


def _describe_luck(scene: Scene) -> Iterator[str]:
    # Luck is known only once a match was analysed; until then the pairs end at once.
    for (_, name), points in zip(_sides_with_names(scene), scene.luck or (), strict=False):
        yield scene.words.lucky.format(name=name, luck=scene.words.luck(points))


def format_board(scene: Scene) -> str:
    """Return a position in plain lines for a fixed-width font and for the ear.

    It has the points with men, and the dice. Points go round the board in the order of their
    letters, a few a line, since a phone shows some thirty characters; each side's men follow its
    letter. Which game it is and whose turn it is are left to the text around it.
    """
    board = scene.rules.board
    heads = (_format_heading(scene, side, name) for side, name in _sides_with_names(scene))
    held = [at for at in range(board.size) if _format_point(scene, at)]
    rows = (
        " ".join(f"{board.place_names[at]:>2} {_format_point(scene, at):<4}" for at in row).rstrip()
        for row in (
            held[first : first + _POINTS_PER_LINE]
            for first in range(0, len(held), _POINTS_PER_LINE)
        )
    )
    rest = (
        *_format_off_board(scene),
        *_describe_dice(scene),
        *_describe_last_play(scene),
        *filter(None, [scene.note]),
    )
    return "\n".join((*_wrap_lines(heads), *rows, *_wrap_lines(rest)))


def _wrap_lines(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines that a phone shows without being scrolled sideways."""
    for line in lines:
        yield from wrap(line, _LINE_WIDTH)


def _format_heading(scene: Scene, side: Side, name: str) -> str:
    words = scene.words
    head = words.head.format(side=words.side_name(side), name=name)
    left = count_pips(scene.rules, scene.position, side)
    return head if left is None else _join_list(scene, (head, words.pips(left)))


def _format_off_board(scene: Scene) -> Iterator[str]:
    words = scene.words
    for side in Side:
        men = _join_list(
            scene, _describe_off_board(words, scene.rules.board, scene.position.men(side))
        )
        if men:
            yield words.beside.format(side=words.side_name(side), men=men)


def _format_point(scene: Scene, point: int) -> str:
    counts = ((scene.words.side_letter(side), scene.position.men(side)[point]) for side in Side)
    return " ".join(f"{letter}{count}" for letter, count in counts if count)
