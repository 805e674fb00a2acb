"""Advised plays are arrows on the board and named in words.

The best has the colour of marks.
"""

from dataclasses import replace

from engine.games import find_game
from engine.position import Side
from render.board import draw_board
from render.describe import describe_scene
from render.layout import lay_out_board
from render.scene import Scene, SceneMove, View
from render.theme import choose_default_theme
from tests.render.build import render_picture

RULES = find_game("backgammon").resolve_rules({})
BOARD = RULES.board
BARE = Scene(
    RULES, RULES.start_position, ("Ana", "Ben"), "Backgammon", "Ana to play", turn=Side.GOLD
)


def build_move(source: str, target: str) -> SceneMove:
    """A man's move by the names of the places."""
    return SceneMove(BOARD.find_place(source), BOARD.find_place(target))


BEST = (build_move("r", "u"), build_move("t", "u"))
OTHER = (build_move("m", "p"), build_move("p", "q"))


def find_arrow_spot(scene: Scene, play: SceneMove) -> tuple[int, int]:
    """A spot a third of the way from where a man stands to where he goes, clear of the number."""
    layout = lay_out_board(scene.rules, Side.GOLD)
    men = scene.position.gold
    start = layout.locate_last_man(play.source, men[play.source], lower=True)
    end = layout.locate_last_man(play.target, max(1, men[play.target]), lower=True)
    return start[0] + (end[0] - start[0]) // 3, start[1] + (end[1] - start[1]) // 3


def test_the_best_play_is_drawn_in_the_colour_of_marks() -> None:
    theme = View().choose_theme(BOARD)
    spot = find_arrow_spot(BARE, BEST[0])
    assert render_picture(BARE).getpixel(spot) != theme.accent
    assert render_picture(replace(BARE, advice=(BEST,))).getpixel(spot) == theme.accent


def test_other_plays_are_drawn_apart_and_what_they_share_is_drawn_once() -> None:
    theme = choose_default_theme(BOARD)
    both = render_picture(replace(BARE, advice=(BEST, OTHER)))
    assert both.getpixel(find_arrow_spot(BARE, BEST[0])) == theme.accent
    sharing = render_picture(replace(BARE, advice=(BEST, (BEST[0], OTHER[0]))))
    assert sharing.getpixel(find_arrow_spot(BARE, BEST[0])) == theme.accent
    assert sharing != render_picture(replace(BARE, advice=(BEST,)))


def test_men_come_from_the_bar_and_go_off_the_board() -> None:
    gold = bytearray(BOARD.no_men)
    gold[BOARD.bars[0]], gold[BOARD.find_place("z")] = 1, 14
    position = RULES.start_position.with_men(Side.GOLD, gold)
    scene = replace(BARE, position=position)
    plain = render_picture(scene)
    for play in (build_move("bar", "c"), build_move("z", "off")):
        assert render_picture(replace(scene, advice=((play,),))) != plain


def test_a_board_without_advice_is_as_it_was() -> None:
    assert draw_board(replace(BARE, advice=())) == draw_board(BARE)


def test_advice_in_words() -> None:
    text = describe_scene(replace(BARE, advice=(BEST, OTHER)))
    assert "Arrows 1: r to u, t to u. Arrows 2: m to p, p to q." in text
    text = describe_scene(replace(BARE, advice=((), OTHER)))
    assert "Arrows 2: m to p, p to q." in text
    assert "Arrows 1" not in text


def test_no_arrow_covers_how_many_men_there_are() -> None:
    gold = bytearray(BOARD.no_men)
    gold[BOARD.find_place("a")] = 15
    scene = replace(BARE, position=RULES.start_position.with_men(Side.GOLD, gold))
    x, y = lay_out_board(RULES, Side.GOLD).locate_pile(BOARD.find_place("a"), 15)[-1]
    badge = x - 20, y - 15, x + 20, y + 15
    advice = ((build_move("a", "f"),), (build_move("a", "g"),), (build_move("a", "n"),))
    drawn = render_picture(replace(scene, advice=advice))
    assert drawn.crop(badge).tobytes() == render_picture(scene).crop(badge).tobytes()
    assert drawn.tobytes() != render_picture(scene).tobytes()


def test_an_arrow_leans_away_from_one_that_it_would_lie_on() -> None:
    theme = choose_default_theme(BOARD)
    empty = replace(BARE, position=RULES.start_position.with_men(Side.GOLD, BOARD.no_men))
    long, short = build_move("o", "s"), build_move("p", "r")
    both = render_picture(replace(empty, advice=((long,), (short,))))
    layout = lay_out_board(RULES, Side.GOLD)
    start, end = (layout.locate_pile(BOARD.find_place(name), 1)[0] for name in "pr")
    across = start[0] + (end[0] - start[0]) // 4
    upwards = [both.getpixel((across, start[1] - up)) for up in range(-10, 90)]
    # Between the best play's arrow and the other's there is a stretch of the point itself.
    best = max(up for up, pixel in enumerate(upwards) if pixel == theme.accent)
    assert upwards.index(theme.ink, best) - best > 12
