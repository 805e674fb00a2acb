"""What a picture shows, and how it is seen."""

from dataclasses import dataclass
from typing import NamedTuple

from engine.board import GameBoard
from engine.games import GAMES
from engine.games.suggested import SHOWN_GAME
from engine.position import Position, Side
from engine.rules import Rules
from render.theme import Theme, choose_default_theme
from render.words import ENGLISH, Words


@dataclass(frozen=True, slots=True)
class Die:
    """One number of a throw: whether it is used, and whether it is assumed rather than thrown."""

    number: int
    used: bool = False
    presumed: bool = False


class SceneMove(NamedTuple):
    """A man's move from place to place, and whether it hit."""

    source: int
    target: int
    hit: bool = False


class SceneOption(NamedTuple):
    """A move that may be made: from place to place, by a number of the throw."""

    source: int
    target: int
    number: int


@dataclass(frozen=True, slots=True)
class Scene:
    """A position with what is said about it, in the reader's language.

    `names` are gold's and black's, as text has them; `drawn_names` and `drawn_status` are what the
    picture shows where that differs, since not every letter can be drawn. `last` is the last play,
    `earlier` the one before it where that is marked too; `turn` is None when nobody is to move,
    `thrower` the side whose dice these are. `options` are the moves that may be made next; `note`
    names a special position.
    `lifted` is a side and a place from which a man of it is on his way, so that he is not drawn
    there. With `ways` each side's way round is drawn as an arrow with its home, and the places off
    it are named: the bar, and where men are borne off. `luck` says after a match how many points of
    equity gold's and black's throws gained over average ones. `advice` are plays of the side to
    move, the best first, drawn as arrows; of those not shown there are no moves. Where it is still
    to be chosen which tables the game is played on, the board is shown `whole`.
    """

    rules: Rules
    position: Position
    names: tuple[str, str]
    title: str
    status: str
    dice: tuple[Die, ...] = ()
    last: tuple[SceneMove, ...] = ()
    turn: Side | None = None
    thrower: Side | None = None
    earlier: tuple[SceneMove, ...] = ()
    options: tuple[SceneOption, ...] = ()
    note: str = ""
    lifted: tuple[Side, int] | None = None
    ways: bool = False
    luck: tuple[float, float] | None = None
    advice: tuple[tuple[SceneMove, ...], ...] = ()
    whole: bool = False
    words: Words = ENGLISH
    drawn_names: tuple[str, str] | None = None
    drawn_status: str | None = None


@dataclass(frozen=True, slots=True)
class View:
    """How someone sees a board.

    The theme (None: the one that suits the board), who sits below, whether points are numbered, and
    whether the title and the status stand above the board, for a picture that goes about without
    the message that says them.
    """

    theme: Theme | None = None
    below: Side = Side.GOLD
    numbered: bool = False
    titled: bool = False

    def choose_theme(self, board: GameBoard) -> Theme:
        """Return the theme in which a board is seen."""
        return self.theme or choose_default_theme(board)


def sample_scene() -> Scene:
    """Return a scene of Ludus Anglicorum that shows many things at once.

    It has an assumed six, a hit, men on the bar, places to go and a special position.
    """
    game = GAMES[SHOWN_GAME]
    rules = game.rules
    men = {
        Side.GOLD: {"a": 1, "b": 1, "d": 2, "i": 2, "l": 1, "bar": 1, "off": 7},
        Side.BLACK: {"z": 7, "t": 2, "q": 2, "f": 2, "h": 1, "bar": 1},
    }
    board = rules.board
    gold, black = (bytes(men[side].get(name, 0) for name in board.place_names) for side in Side)
    return Scene(
        rules,
        rules.start_position._replace(gold=gold, black=black),
        ("Alfonso", "Ferdinand"),
        game.title,
        "Alfonso plays the 3",
        dice=(Die(6, presumed=True), Die(5, used=True), Die(3)),
        last=(SceneMove(board.find_place("g"), board.find_place("l"), hit=True),),
        turn=Side.GOLD,
        thrower=Side.GOLD,
        options=tuple(
            SceneOption(board.find_place(source), board.find_place(target), 3)
            for source, target in (("bar", "c"), ("i", "p"), ("l", "y"))
        ),
        note="Black is lympolded",
    )
