"""Pictures, pixel by pixel."""

import io
from dataclasses import replace
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageStat

from engine.board import TABLES
from engine.games import GAMES
from engine.position import Side
from render.board import draw_board
from render.geometry import WIDTH, Box, Strip
from render.layout import lay_out_board
from render.scene import Die, Scene, SceneMove, View
from render.strip import lay_out_strip
from tests.render.build import build_scene, pack_men, render_picture

SPREAD = build_scene(
    pack_men(a=1, c=2, e=1, g=3, i=1, l=2, n=1, p=2, bar=1, off=1),
    pack_men(b=2, d=1, f=2, h=1, k=1, m=2, o=1, q=1, z=2, bar=2),
    status="Ana plays 6 and 2",
    dice=(Die(6, presumed=True), Die(5, used=True), Die(2)),
    last=(SceneMove(3, 1), SceneMove(TABLES.bars[0], 25), SceneMove(20, 12, hit=True)),
    turn=Side.GOLD,
    thrower=Side.GOLD,
)
LAID = lay_out_board(GAMES["zeno"].rules, Side.GOLD)
TITLED = lay_out_board(GAMES["zeno"].rules, Side.GOLD, titled=True)
LONG = ("Wynflæd " * 25, "🎲" * 200, "one\n\ntwo\r\n\tthree" * 20, "", "\x00\u202e\ufffd\ud800")


def _crop_image(image: Image.Image, box: Box) -> Image.Image:
    return image.crop((box.left, box.top, box.right, box.bottom))


def _find_difference(one: Image.Image, other: Image.Image) -> Box | None:
    """The smallest box that holds every pixel in which two pictures differ."""
    found = ImageChops.difference(one, other).getbbox()
    return Box(*found) if found else None


def _find_board_difference(one: Image.Image, other: Image.Image) -> Box | None:
    """The smallest box that holds what differs on the board, beside which the pips are counted."""
    found = _find_difference(_crop_image(one, LAID.frame), _crop_image(other, LAID.frame))
    down = LAID.frame.top
    return Box(found.left, found.top + down, found.right, found.bottom + down) if found else None


def _build_strip(scene: Scene, side: Side) -> Strip:
    return lay_out_strip(scene, LAID, side, lower=side is Side.GOLD)


def _is_within(inner: Box | None, outer: Box) -> bool:
    assert inner is not None, "the pictures are the same"
    across = outer.left <= inner.left and inner.right <= outer.right
    return across and outer.top <= inner.top and inner.bottom <= outer.bottom


@pytest.fixture(scope="module")
def empty() -> Image.Image:
    return render_picture(build_scene())


def test_a_picture_is_a_small_png_with_a_palette() -> None:
    data = draw_board(SPREAD)
    with Image.open(io.BytesIO(data)) as image:
        assert (image.format, image.mode, image.size) == ("PNG", "P", (WIDTH, LAID.height))
    assert len(data) < 80_000


def test_the_same_scene_gives_the_same_bytes() -> None:
    assert draw_board(SPREAD) == draw_board(SPREAD)


@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize("name", ["a", "f", "g", "m", "n", "s", "t", "z"])
def test_a_man_is_drawn_where_he_stands_and_nowhere_else(
    empty: Image.Image, name: str, side: Side
) -> None:
    one = pack_men(**{name: 1})
    image = render_picture(build_scene(one) if side is Side.GOLD else build_scene(black=one))
    assert _is_within(_find_board_difference(image, empty), LAID.points[TABLES.find_place(name)])


def test_gold_and_black_differ_without_colour() -> None:
    box = LAID.points[0]
    gold, black = (
        _crop_image(render_picture(scene).convert("L"), box)
        for scene in (build_scene(pack_men(a=5)), build_scene(black=pack_men(a=5)))
    )
    assert ImageStat.Stat(gold).mean[0] - ImageStat.Stat(black).mean[0] > 40


def test_men_on_the_bar_stand_on_their_side_of_the_middle(empty: Image.Image) -> None:
    bar = LAID.bar
    gold, black = (
        render_picture(build_scene(pack_men(bar=2))),
        render_picture(build_scene(black=pack_men(bar=2))),
    )
    assert _is_within(
        _find_board_difference(gold, empty), Box(bar.left, LAID.throw.bottom, bar.right, bar.bottom)
    )
    assert _is_within(
        _find_board_difference(black, empty), Box(bar.left, bar.top, bar.right, LAID.throw.top)
    )


@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize("place", ["hand", "off"])
def test_men_beside_the_board_are_counted_in_their_tray(side: Side, place: str) -> None:
    fields: list[Scene] = []
    for count in (7, 8):
        held = pack_men(a=3, **{place: count})
        fields.append(build_scene(held) if side is Side.GOLD else build_scene(black=held))
    strip = _build_strip(fields[0], side)
    tray = strip.hand if place == "hand" else strip.off
    changed = _find_difference(render_picture(fields[0]), render_picture(fields[1]))
    # The pips, at the end of the strip, change with men in hand.
    assert _is_within(changed, Box(tray.left, tray.top, strip.tally.right, tray.bottom))
    both = [_crop_image(render_picture(each), tray) for each in fields]
    assert _find_difference(*both) is not None


def test_men_beside_the_board_take_nothing_from_the_board(empty: Image.Image) -> None:
    image = render_picture(build_scene(pack_men(hand=8, off=7), pack_men(hand=15)))
    assert _find_difference(_crop_image(image, LAID.frame), _crop_image(empty, LAID.frame)) is None


@pytest.mark.parametrize("name", ["a", "z", "bar"])
def test_a_pile_too_high_to_draw_is_counted(name: str) -> None:
    five, six, fifteen = (
        render_picture(build_scene(pack_men(**{name: count}))) for count in (5, 6, 15)
    )
    place = TABLES.find_place(name)
    box = LAID.bar if name == "bar" else LAID.points[place]
    assert _is_within(_find_board_difference(five, six), box)
    assert _is_within(_find_board_difference(six, fifteen), box)


@pytest.mark.parametrize("thrower", Side)
@pytest.mark.parametrize("other", [Die(6, used=True), Die(6, presumed=True), Die(5)])
def test_a_die_shows_its_number_and_what_became_of_it(thrower: Side, other: Die) -> None:
    one, two = (
        render_picture(build_scene(dice=(die, Die(2)), thrower=thrower)) for die in (Die(6), other)
    )
    assert _is_within(_find_difference(one, two), LAID.lay_out_dice(2)[0])


def test_the_dice_show_whose_throw_it_was() -> None:
    gold, black = (render_picture(build_scene(dice=(Die(4),), thrower=side)) for side in Side)
    assert _is_within(_find_difference(gold, black), LAID.lay_out_dice(1)[0])


def test_only_the_tables_in_use_are_shown_brightly(empty: Image.Image) -> None:
    # Laquet is played on three tables.
    image = render_picture(build_scene(rules=GAMES["laquet"].rules))
    for point, box in LAID.points.items():
        before, now = _crop_image(empty, box), _crop_image(image, box)
        if TABLES.points[point] in "nopqrs":
            assert (
                ImageStat.Stat(now.convert("L")).mean[0]
                < ImageStat.Stat(before.convert("L")).mean[0] - 40
            )
        else:
            assert _find_difference(before, now) is None


def test_every_table_is_bright_while_one_is_chosen() -> None:
    known = GAMES["twelve-dogs"].rules
    image = render_picture(build_scene(rules=known, whole=True))
    laid = lay_out_board(known, Side.GOLD, whole=True)
    looks = {_crop_image(image, laid.points[TABLES.find_place(name)]).tobytes() for name in "amnz"}
    # Two tones, with their bases at the top or at the foot.
    assert len(looks) == 4
    tones = [
        ImageStat.Stat(_crop_image(image, box).convert("L")).mean[0] for box in laid.points.values()
    ]
    assert max(tones) - min(tones) < 40


def test_the_last_play_is_ringed_where_it_ended_and_dashed_where_it_began() -> None:
    plain = render_picture(build_scene(pack_men(c=1)))
    for last, name in (((SceneMove(TABLES.hand, 2),), "c"), ((SceneMove(0, TABLES.off),), "a")):
        marked = render_picture(build_scene(pack_men(c=1), last=last))
        # A ring is a little wider than the man it goes round, and men stand close to the letters.
        assert _is_within(_find_difference(plain, marked), LAID.point_area(TABLES.find_place(name)))


@pytest.mark.parametrize("side", Side)
def test_the_side_to_move_is_pointed_out_at_its_name(empty: Image.Image, side: Side) -> None:
    assert _is_within(
        _find_difference(render_picture(build_scene(turn=side)), empty),
        _build_strip(build_scene(), side).name,
    )


@pytest.mark.parametrize("side", Side)
def test_a_side_sits_above_or_below_as_it_is_seen(side: Side) -> None:
    def shown(*names: str) -> Image.Image:
        with Image.open(
            io.BytesIO(draw_board(build_scene(names=names), View(below=side)))
        ) as image:
            return image.convert("RGB")

    assert _is_within(
        _find_difference(shown("Ana", "Ben"), shown("Cyn", "Ben")),
        _build_strip(build_scene(), side).name,
    )


@pytest.mark.parametrize("name", LONG)
@pytest.mark.parametrize("beside", [pack_men(), pack_men(hand=8, off=7)])
def test_a_name_of_any_kind_stays_in_its_place(beside: bytes, name: str) -> None:
    usual = render_picture(build_scene(beside, beside))
    for side in Side:
        names = (name, "Ben") if side is Side.GOLD else ("Ana", name)
        strip = _build_strip(build_scene(beside, beside), side)
        assert _is_within(
            _find_difference(render_picture(build_scene(beside, beside, names=names)), usual),
            strip.name,
        )


def test_luck_stands_at_the_end_of_a_strip_and_leans_to_its_side() -> None:
    accent = View().choose_theme(TABLES).accent
    for luck, turns in ((0.2, 1), (-0.2, -1)):
        lucky = build_scene(luck=(luck, -luck))
        image = render_picture(lucky)
        for side, lean in ((Side.GOLD, turns), (Side.BLACK, -turns)):
            box = _build_strip(lucky, side).tally
            middle = box.left + 70
            assert image.getpixel((middle + lean * 40, box.centre[1])) == accent
            assert image.getpixel((middle - lean * 40, box.centre[1])) != accent


@pytest.mark.parametrize("part", ["in_hand", "off", "pips", "luck"])
def test_words_that_are_half_as_long_again_are_not_cut(part: str) -> None:
    luck = (1.2, -1.2) if part == "luck" else None
    usual = build_scene(pack_men(a=3, hand=15, off=15), pack_men(hand=15), luck=luck)
    said = getattr(usual.words, part)

    def ending(letter: str) -> Scene:
        def longer(count: float) -> str:
            words = said(count)
            return f"{words}{'~' * (len(words) // 2)}{letter}"

        changed: dict[str, Any] = {part: longer}
        return replace(usual, words=replace(usual.words, **changed))

    one, other = ending("I"), ending("V")
    # What is cut ends alike.
    assert _find_difference(render_picture(one), render_picture(other)) is not None
    assert _build_strip(one, Side.GOLD).name.width > 120


@pytest.mark.parametrize("words", LONG)
@pytest.mark.sweep
def test_a_title_of_any_kind_stays_above_the_board_of_an_exported_picture(words: str) -> None:
    def shown(text: str) -> Image.Image:
        with Image.open(
            io.BytesIO(draw_board(build_scene(title=text, status=text), View(titled=True)))
        ) as image:
            assert image.size == (WIDTH, TITLED.height)
            return image.convert("RGB")

    assert TITLED.title is not None
    assert _is_within(_find_difference(shown(words), shown("Zeno")), TITLED.title)


def test_a_picture_inside_a_card_says_nothing_that_the_card_says() -> None:
    assert draw_board(build_scene(title="Zeno", status="Ana throws")) == draw_board(
        build_scene(title="Pyf", status="Ben throws")
    )


@pytest.mark.parametrize(
    "crowd",
    [
        build_scene(pack_men(hand=30), pack_men(hand=30)),
        build_scene(pack_men(bar=15), pack_men(bar=15)),
        build_scene(pack_men(a=15), pack_men(z=15)),
        build_scene(pack_men(a=15), pack_men(a=15), last=(SceneMove(0, 0), SceneMove(1, 0))),
    ],
)
def test_crowds_leave_the_frame_and_the_names_alone(empty: Image.Image, crowd: Scene) -> None:
    image = render_picture(crowd)
    edge = Box(LAID.frame.left, LAID.frame.top, LAID.frame.right, LAID.inside.top)
    names = [_build_strip(build_scene(), side).name for side in Side]
    for box in (edge, *(Box(name.left, name.top, name.left + 200, name.bottom) for name in names)):
        assert _find_difference(_crop_image(image, box), _crop_image(empty, box)) is None
    assert _find_difference(image, empty) is not None


def test_the_men_of_doblet_lie_on_each_other_until_they_are_taken_down() -> None:
    doblet = GAMES["doblet"].rules
    lying = render_picture(build_scene(rules=doblet, position=doblet.start_position))
    down = render_picture(build_scene(pack_men(a=1, b=1, c=1, d=1, e=1, f=1, off=6), rules=doblet))
    laid = lay_out_board(doblet, Side.GOLD)
    first = TABLES.find_place("a")
    x, y = laid.locate_upper_man(first)
    # What is seen of the man beneath, at the foot of the one upon him, and the other's figure.
    seen = (x - laid.man // 2, y - laid.man // 2, x + laid.man // 2, y + laid.man // 2)
    assert lying.crop(seen).tobytes() != down.crop(seen).tobytes()


def test_the_roman_board_says_its_six_words() -> None:
    known = GAMES["duodecim-scripta"].rules
    image = render_picture(
        build_scene(
            bytes(len(known.board.place_names)), bytes(len(known.board.place_names)), rules=known
        )
    )
    laid = lay_out_board(known, Side.GOLD)
    for point in range(known.board.size):
        x, y = laid.locate_tip(point)
        dark, light = image.crop((x - 15, y - 15, x + 15, y + 15)).convert("L").getextrema()
        assert int(light) - int(dark) > 100  # type: ignore[arg-type]  # one band has two numbers


def test_ways_are_drawn_where_men_move() -> None:
    known = GAMES["laquet"].rules
    plain, arrows = (
        render_picture(build_scene(rules=known, position=known.start_position, ways=ways))
        for ways in (False, True)
    )
    assert plain.tobytes() != arrows.tobytes()
    still = GAMES["doblet"].rules
    plain, arrows = (
        render_picture(build_scene(rules=still, position=still.start_position, ways=ways))
        for ways in (False, True)
    )
    # The place for men borne off is shown beside the board, and the board is as it was.
    frame = lay_out_board(still, Side.GOLD).frame
    assert _find_difference(_crop_image(plain, frame), _crop_image(arrows, frame)) is None
