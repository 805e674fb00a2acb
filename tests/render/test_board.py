"""Pictures, pixel by pixel."""

import io

import pytest
from PIL import Image, ImageChops, ImageStat

from engine.board import TABLES
from engine.games import GAMES
from engine.position import Side
from render import geometry
from render.board import draw
from render.geometry import Box
from render.scene import Die, Moved, Scene
from tests.render.build import men, picture, scene

SPREAD = scene(
    men(a=1, c=2, e=1, g=3, i=1, l=2, n=1, p=2, bar=1, off=1),
    men(b=2, d=1, f=2, h=1, k=1, m=2, o=1, q=1, z=2, bar=2),
    status="Ana plays 6 and 2",
    dice=(Die(6, presumed=True), Die(5, used=True), Die(2)),
    last=(Moved(3, 1), Moved(TABLES.bars[0], 25), Moved(20, 12, hit=True)),
    turn=Side.GOLD,
    thrower=Side.GOLD,
)
LONG = ("Wynflæd " * 25, "🎲" * 200, "one\n\ntwo\r\n\tthree" * 20, "", "\x00\u202e\ufffd\ud800")


def _crop(image: Image.Image, box: Box) -> Image.Image:
    return image.crop((box.left, box.top, box.right, box.bottom))


def _changed(one: Image.Image, other: Image.Image) -> Box | None:
    """The smallest box that holds every pixel in which two pictures differ."""
    found = ImageChops.difference(one, other).getbbox()
    return Box(*found) if found else None


def _moved(one: Image.Image, other: Image.Image) -> Box | None:
    """The smallest box that holds what differs above the names, where the pips are counted."""
    above = Box(0, 0, geometry.WIDTH, geometry.FRAME.bottom + 4)
    return _changed(_crop(one, above), _crop(other, above))


def _within(inner: Box | None, outer: Box) -> bool:
    assert inner is not None, "the pictures are the same"
    across = outer.left <= inner.left and inner.right <= outer.right
    return across and outer.top <= inner.top and inner.bottom <= outer.bottom


@pytest.fixture(scope="module")
def empty() -> Image.Image:
    return picture(scene())


def test_a_picture_is_a_small_png_with_a_palette() -> None:
    data = draw(SPREAD)
    with Image.open(io.BytesIO(data)) as image:
        assert (image.format, image.mode, image.size) == ("PNG", "P", (1200, 850))
    assert len(data) < 80_000


def test_the_same_scene_gives_the_same_bytes() -> None:
    assert draw(SPREAD) == draw(SPREAD)


@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize("name", ["a", "f", "g", "m", "n", "s", "t", "z"])
def test_a_man_is_drawn_where_he_stands_and_nowhere_else(empty: Image.Image, name: str, side: Side) -> None:
    one = men(**{name: 1})
    shown = picture(scene(one) if side is Side.GOLD else scene(black=one))
    assert _within(_moved(shown, empty), geometry.point_box(TABLES, TABLES.place(name)))


def test_gold_and_black_differ_without_colour() -> None:
    box = geometry.point_box(TABLES, 0)
    gold, black = (_crop(picture(shown).convert("L"), box) for shown in (scene(men(a=5)), scene(black=men(a=5))))
    assert ImageStat.Stat(gold).mean[0] - ImageStat.Stat(black).mean[0] > 40


def test_men_on_the_bar_stand_on_their_side_of_the_middle(empty: Image.Image) -> None:
    bar = geometry.BAR
    gold, black = picture(scene(men(bar=2))), picture(scene(black=men(bar=2)))
    assert _within(_moved(gold, empty), Box(bar.left, geometry.MIDDLE.bottom, bar.right, bar.bottom))
    assert _within(_moved(black, empty), Box(bar.left, bar.top, bar.right, geometry.MIDDLE.top))


@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize(("place", "row"), [("hand", 0), ("off", 1)])
def test_men_beside_the_board_are_counted_in_their_tray(empty: Image.Image, side: Side, place: str, row: int) -> None:
    seven, eight = (
        picture(scene(held) if side is Side.GOLD else scene(black=held))
        for held in (men(**{place: 7}), men(**{place: 8}))
    )
    assert _within(_moved(seven, empty), geometry.tray_box(row, lower=side is Side.GOLD))
    assert _within(_moved(seven, eight), geometry.tray_box(row, lower=side is Side.GOLD))


@pytest.mark.parametrize("name", ["a", "z", "bar"])
def test_a_pile_too_high_to_draw_is_counted(name: str) -> None:
    five, six, fifteen = (picture(scene(men(**{name: count}))) for count in (5, 6, 15))
    place = TABLES.place(name)
    box = geometry.BAR if name == "bar" else geometry.point_box(TABLES, place)
    assert _within(_moved(five, six), box)
    assert _within(_moved(six, fifteen), box)


@pytest.mark.parametrize("thrower", Side)
@pytest.mark.parametrize("other", [Die(6, used=True), Die(6, presumed=True), Die(5)])
def test_a_die_shows_its_number_and_what_became_of_it(thrower: Side, other: Die) -> None:
    one, two = (picture(scene(dice=(die, Die(2)), thrower=thrower)) for die in (Die(6), other))
    assert _within(_changed(one, two), geometry.dice_boxes(TABLES, 2)[0])


def test_the_dice_show_whose_throw_it_was() -> None:
    gold, black = (picture(scene(dice=(Die(4),), thrower=side)) for side in Side)
    assert _within(_changed(gold, black), geometry.dice_boxes(TABLES, 1)[0])


def test_only_the_table_in_use_is_shown_brightly(empty: Image.Image) -> None:
    shown = picture(scene(rules=GAMES["twelve-dogs"].rules_with({"table": "ns"})))
    for point in range(TABLES.size):
        box = geometry.point_box(TABLES, point)
        before, now = _crop(empty, box), _crop(shown, box)
        if TABLES.points[point] in "nopqrs":
            assert _changed(before, now) is None
        else:
            assert ImageStat.Stat(now.convert("L")).mean[0] < ImageStat.Stat(before.convert("L")).mean[0] - 40


def test_the_last_play_is_ringed_where_it_ended_and_dashed_where_it_began() -> None:
    plain = picture(scene(men(c=1)))
    for last, name in (((Moved(TABLES.hand, 2),), "c"), ((Moved(0, TABLES.off),), "a")):
        marked = picture(scene(men(c=1), last=last))
        room = geometry.point_box(TABLES, TABLES.place(name))
        # A ring is a little wider than the man it goes round, and men stand close to the frame.
        assert _within(_changed(plain, marked), Box(room.left, room.top - 6, room.right, room.bottom))


@pytest.mark.parametrize("side", Side)
def test_the_side_to_move_is_pointed_out_at_its_name(empty: Image.Image, side: Side) -> None:
    name = geometry.NAMES[side]
    around = Box(name.left, name.top, name.right + 1, name.bottom + 1)  # Pillow draws a rectangle's last line too
    assert _within(_changed(picture(scene(turn=side)), empty), around)


@pytest.mark.parametrize("name", LONG)
def test_a_name_of_any_kind_stays_in_its_box(empty: Image.Image, name: str) -> None:
    for at, side in enumerate(Side):
        names = (name, "Ben") if at == 0 else ("Ana", name)
        assert _within(_changed(picture(scene(names=names)), empty), geometry.NAMES[side])


@pytest.mark.parametrize("words", LONG)
def test_a_title_and_a_status_of_any_kind_stay_above_the_board(empty: Image.Image, words: str) -> None:
    assert _within(_changed(picture(scene(title=words, status=words)), empty), geometry.TITLE)


@pytest.mark.parametrize(
    "crowd",
    [
        scene(men(hand=30), men(hand=30)),
        scene(men(bar=15), men(bar=15)),
        scene(men(a=15), men(z=15)),
        scene(men(a=15), men(a=15), last=(Moved(0, 0), Moved(1, 0))),
    ],
)
def test_crowds_leave_what_lies_around_the_board_alone(empty: Image.Image, crowd: Scene) -> None:
    shown = picture(crowd)
    names = [Box(box.left, box.top, box.left + 200, box.bottom) for box in geometry.NAMES.values()]
    for box in (geometry.TITLE, *names):
        assert _changed(_crop(shown, box), _crop(empty, box)) is None
    assert _changed(shown, empty) is not None


def test_the_men_of_doblet_lie_on_each_other_until_they_are_taken_down() -> None:
    doblet = GAMES["doblet"].rules
    lying = picture(scene(rules=doblet, position=doblet.start))
    down = picture(scene(men(a=1, b=1, c=1, d=1, e=1, f=1, off=6), rules=doblet))
    a = geometry.point_box(TABLES, TABLES.place("a"))
    top = geometry.lying_on(geometry.pile(TABLES, TABLES.place("a"), 1)[0])
    assert lying.crop((a.left, a.top - 30, a.right + 8, top[1])) != down.crop((a.left, a.top - 30, a.right + 8, top[1]))


def test_the_roman_board_says_its_six_words() -> None:
    known = GAMES["duodecim-scripta"].rules
    shown = picture(scene(bytes(len(known.board.names)), bytes(len(known.board.names)), rules=known))
    for point in range(known.board.size):
        x, y = geometry.tip(known.board, point)
        dark, light = shown.crop((x - 15, y - 15, x + 15, y + 15)).convert("L").getextrema()
        assert isinstance(dark, int)
        assert isinstance(light, int)
        assert light - dark > 100


def test_ways_are_drawn_where_men_move() -> None:
    known = GAMES["laquet"].rules
    plain, arrows = (picture(scene(rules=known, position=known.start, ways=ways)) for ways in (False, True))
    assert plain.tobytes() != arrows.tobytes()
    still = GAMES["doblet"].rules
    plain, arrows = (picture(scene(rules=still, position=still.start, ways=ways)) for ways in (False, True))
    assert plain.tobytes() == arrows.tobytes()
