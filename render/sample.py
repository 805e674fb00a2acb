"""A position with something of everything, to show what a look is like."""

from engine.games import GAMES
from engine.games.picks import SHOWN_GAME
from engine.position import Side
from render.scene import Die, Scene, SceneMove, SceneOption


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
