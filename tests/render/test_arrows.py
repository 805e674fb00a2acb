"""Advised plays are arrows on the board and named in words.

The best has the colour of marks.
"""

from dataclasses import replace

from engine.games import find_game
from engine.position import Side
from render.board import draw
from render.describe import describe
from render.layout import lay_out
from render.scene import Moved, Scene, View
from render.theme import natural
from tests.render.build import picture

RULES = find_game("backgammon").rules_with({})
BOARD = RULES.board
BARE = Scene(RULES, RULES.start, ("Ana", "Ben"), "Backgammon", "Ana to play", turn=Side.GOLD)


def moved(source: str, target: str) -> Moved:
    """A man's move by the names of the places."""
    return Moved(BOARD.place(source), BOARD.place(target))


BEST = (moved("r", "u"), moved("t", "u"))
OTHER = (moved("m", "p"), moved("p", "q"))


def middle(scene: Scene, play: Moved) -> tuple[int, int]:
    """A spot a third of the way from where a man stands to where he goes, clear of the number."""
    layout = lay_out(scene.rules, Side.GOLD)
    men = scene.position.gold
    start = layout.spot(play.source, men[play.source], lower=True)
    end = layout.spot(play.target, max(1, men[play.target]), lower=True)
    return start[0] + (end[0] - start[0]) // 3, start[1] + (end[1] - start[1]) // 3


def test_the_best_play_is_drawn_in_the_colour_of_marks() -> None:
    theme = View().theme_of(BOARD)
    spot = middle(BARE, BEST[0])
    assert picture(BARE).getpixel(spot) != theme.accent
    assert picture(replace(BARE, advice=(BEST,))).getpixel(spot) == theme.accent


def test_other_plays_are_drawn_apart_and_what_they_share_is_drawn_once() -> None:
    theme = natural(BOARD)
    both = picture(replace(BARE, advice=(BEST, OTHER)))
    assert both.getpixel(middle(BARE, BEST[0])) == theme.accent
    sharing = picture(replace(BARE, advice=(BEST, (BEST[0], OTHER[0]))))
    assert sharing.getpixel(middle(BARE, BEST[0])) == theme.accent
    assert sharing != picture(replace(BARE, advice=(BEST,)))


def test_men_come_from_the_bar_and_go_off_the_board() -> None:
    gold = bytearray(BOARD.nobody)
    gold[BOARD.bars[0]], gold[BOARD.place("z")] = 1, 14
    position = RULES.start.with_men(Side.GOLD, gold)
    scene = replace(BARE, position=position)
    plain = picture(scene)
    for play in (moved("bar", "c"), moved("z", "off")):
        assert picture(replace(scene, advice=((play,),))) != plain


def test_a_board_without_advice_is_as_it_was() -> None:
    assert draw(replace(BARE, advice=())) == draw(BARE)


def test_advice_in_words() -> None:
    told = describe(replace(BARE, advice=(BEST, OTHER)))
    assert "Arrows 1: r to u, t to u. Arrows 2: m to p, p to q." in told
