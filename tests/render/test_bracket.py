"""A knock-out's bracket: ties stand in their places, lines join them, winners stand out."""

import io
from dataclasses import replace

import pytest
from PIL import Image, ImageChops

from render.bracket import BracketColumn, DrawnBracket, DrawnTie, TieSide, draw_bracket
from render.geometry import WIDTH
from render.scene import View
from render.table_colours import choose_table_colours
from render.theme import Theme, load_themes

LONG = "Wynflæd the most reverend abbess of a house with a long name " * 5
PLAIN = load_themes()["plain"]
THEMES = pytest.mark.parametrize("theme", load_themes().values(), ids=load_themes())
# The heights of which a picture is made, added up by hand: the title, a band, the space round
# ties, a tie of two lines, and the foot.
TITLE, BAND, SPACE, TIE, FOOT = 116, 76, 28, 124, 26
TOP = TITLE + BAND + SPACE
"""Where the ties of the first column begin."""
OPEN = DrawnTie(TieSide(""), TieSide(""))
WON = DrawnTie(TieSide("Ana", "2", is_winner=True), TieSide("Ben", "1", is_out=True))


def build_bracket(*counts: int, third: DrawnTie | None = None) -> DrawnBracket:
    """Rounds with so many open ties."""
    columns = tuple(BracketColumn("Round", (OPEN,) * count) for count in counts)
    return DrawnBracket("Cup", columns, BracketColumn("Third place", (third,)) if third else None)


def fill_tie(bracket: DrawnBracket, column: int, at: int, tie: DrawnTie) -> DrawnBracket:
    """A bracket with another tie in one place."""
    old = bracket.columns[column]
    new = replace(old, ties=(*old.ties[:at], tie, *old.ties[at + 1 :]))
    return replace(
        bracket, columns=(*bracket.columns[:column], new, *bracket.columns[column + 1 :])
    )


def render_bracket(bracket: DrawnBracket, theme: Theme = PLAIN) -> Image.Image:
    with Image.open(io.BytesIO(draw_bracket(bracket, View(theme)))) as image:
        assert (image.format, image.mode, image.width) == ("PNG", "P", WIDTH)
        return image.convert("RGB")


def find_change(one: DrawnBracket, other: DrawnBracket) -> tuple[int, int, int, int]:
    """The box within which two brackets look different."""
    box = ImageChops.difference(render_bracket(one), render_bracket(other)).getbbox()
    assert box, "the two look the same"
    return box


@THEMES
def test_a_bracket_is_drawn_in_every_theme(theme: Theme) -> None:
    image = render_bracket(fill_tie(build_bracket(2, 1), 0, 0, WON), theme)
    colours = choose_table_colours(theme)
    assert image.getpixel((1, 1)) == theme.page
    assert image.getpixel((6, 6)) == theme.frame
    assert image.getpixel((1000, TITLE + BAND // 2)) == theme.wood
    # The winner's line has a strip at its left edge and a ground of its own.
    assert image.getpixel((44, TOP + 31)) == colours.win.mark
    assert image.getpixel((300, TOP + 31)) == colours.win.grounds[1]
    assert image.getpixel((44, TOP + 93)) == theme.page


@pytest.mark.parametrize(
    ("bracket", "height"),
    [
        (build_bracket(1), TOP + TIE + SPACE + FOOT),
        (build_bracket(4, 2, 1), TOP + 4 * (TIE + SPACE) + FOOT),
        (build_bracket(8, 4, 2), TOP + 8 * (TIE + SPACE) + FOOT),
        # Sixteen stand in two columns.
        (build_bracket(16), TOP + 8 * (TIE + SPACE) + FOOT),
        (build_bracket(15), TOP + 8 * (TIE + SPACE) + FOOT),
        (
            build_bracket(2, 1, third=OPEN),
            TOP + 2 * (TIE + SPACE) + BAND + SPACE + TIE + SPACE + FOOT,
        ),
    ],
    ids=["one tie", "8 players", "16 players", "32 players", "15 ties", "third place"],
)
def test_a_bracket_is_as_high_as_its_ties_need(bracket: DrawnBracket, height: int) -> None:
    # The space above the foot is a part of it.
    assert render_bracket(bracket).height == height - SPACE


@pytest.mark.parametrize(
    ("column", "at", "middle"),
    [
        # The first column's ties are 152 apart, and others are between the two that lead to them.
        (0, 0, TOP + 62),
        (0, 7, TOP + 62 + 7 * 152),
        (1, 0, TOP + 62 + 76),
        (1, 3, TOP + 62 + 76 + 3 * 304),
        (2, 0, TOP + 62 + 228),
        (2, 1, TOP + 62 + 228 + 608),
    ],
)
def test_a_tie_is_between_those_that_lead_to_it(column: int, at: int, middle: int) -> None:
    blank = build_bracket(8, 4, 2)
    tie = DrawnTie(TieSide("Hen"), TieSide("Hen"))
    left, top, right, bottom = find_change(blank, fill_tie(blank, column, at, tie))
    assert (top + bottom) / 2 == pytest.approx(middle, abs=8)
    # Three columns of 316 pixels, 28 apart.
    begin = 38 + column * 344
    assert begin < left < right < begin + 316


def test_lines_lead_from_two_ties_to_the_next() -> None:
    image = render_bracket(build_bracket(4, 2, 1))
    # From the middle of a tie to the gap's middle, and from there to a line of the next.
    turns = [38 + column * 344 + 316 + 14 for column in (0, 1)]
    for turn, tops, step in ((turns[0], (TOP, TOP + 304), 152), (turns[1], (TOP + 76,), 304)):
        for top in tops:
            begin, end = top + 62, top + 62 + step
            goal = (begin + end) // 2
            column = [image.getpixel((turn - 1, y)) for y in range(begin + 4, goal - 36)]
            assert set(column) == {PLAIN.frame}
            column = [image.getpixel((turn - 1, y)) for y in range(goal + 36, end - 4)]
            assert set(column) == {PLAIN.frame}
            # The two do not run into one another.
            assert image.getpixel((turn - 1, goal)) == PLAIN.page


def test_ties_of_one_round_alone_are_not_joined() -> None:
    image = render_bracket(build_bracket(16))
    between = image.crop((520, TOP, 560, image.height - 30))
    assert between.getcolors() == [(between.width * between.height, PLAIN.page)]


def test_letters_are_large_enough_for_a_phone() -> None:
    # A capital is some two thirds as high as its type, and 40 pixels of type are what is required.
    blank = build_bracket(8, 4, 2)
    for side in (TieSide("H"), TieSide("", "8")):
        _, top, _, bottom = find_change(blank, fill_tie(blank, 0, 0, DrawnTie(side, TieSide(""))))
        assert bottom - top >= 0.6 * 40


def test_a_winner_is_told_apart_without_colours() -> None:
    def find_ink(tie: DrawnTie) -> int:
        image = render_bracket(fill_tie(build_bracket(4, 2, 1), 0, 0, tie)).convert("L")
        line = image.crop((66, TOP + 4, 340, TOP + 58))
        return sum(line.point(lambda shade: shade < 100 and 1).tobytes())

    usual = DrawnTie(TieSide("Ana"), TieSide("Ben"))
    winner = DrawnTie(TieSide("Ana", is_winner=True), TieSide("Ben", is_out=True))
    # Heavier type has more ink; the strip is to the left of the box, as the theme test has it.
    assert find_ink(winner) > 1.1 * find_ink(usual)


def test_only_a_champion_has_a_crown() -> None:
    blank = build_bracket(2, 1)
    winner = DrawnTie(TieSide("", is_winner=True), TieSide(""))
    left, _, right, _ = find_change(
        fill_tie(blank, 1, 0, winner), fill_tie(blank, 1, 0, replace(winner, is_final=True))
    )
    assert 40 <= right - left <= 44
    nobody = replace(OPEN, is_final=True)
    assert render_bracket(fill_tie(blank, 1, 0, nobody)).tobytes() == (
        render_bracket(blank).tobytes()
    )


def test_somebody_who_is_out_is_written_paler() -> None:
    bracket = fill_tie(build_bracket(2, 1), 0, 0, WON)
    found = render_bracket(bracket).crop((66, TOP + 66, 500, TOP + 120)).getcolors(1 << 16)
    colours = {colour for _, colour in found or ()}
    assert choose_table_colours(PLAIN).pale in colours
    assert PLAIN.ink not in colours


def test_a_long_name_is_cut_before_the_score() -> None:
    blank = build_bracket(4, 2, 1)
    score, name = (
        find_change(blank, fill_tie(blank, 0, 0, DrawnTie(side, TieSide(""))))
        for side in (TieSide("", "10½"), TieSide(LONG))
    )
    both = fill_tie(blank, 0, 0, DrawnTie(TieSide(LONG, "10½"), TieSide("")))
    scored = fill_tie(blank, 0, 0, DrawnTie(TieSide("", "10½"), TieSide("")))
    left, _, right, _ = find_change(scored, both)
    assert 38 < left < right < score[0] - 6
    assert name[2] < 38 + 308


def test_long_texts_stay_in_the_frame() -> None:
    usual, other = (
        render_bracket(
            DrawnBracket(
                text,
                (BracketColumn(text, (tie, tie)), BracketColumn(text, (tie,))),
                BracketColumn(text, (tie,)),
            )
        )
        for text, tie in ((each, DrawnTie(TieSide(each), TieSide(each))) for each in ("Ana", LONG))
    )
    for edge in (
        (0, 0, WIDTH, 12),
        (0, 0, 30, other.height),
        (WIDTH - 30, 0, WIDTH, other.height),
        (0, other.height - 12, WIDTH, other.height),
    ):
        assert usual.crop(edge).tobytes() == other.crop(edge).tobytes()


def test_the_third_place_stands_below() -> None:
    blank = build_bracket(2, 1, third=OPEN)
    _, top, _, bottom = find_change(blank, build_bracket(2, 1, third=WON))
    begin = TOP + 2 * (TIE + SPACE) + BAND + SPACE
    assert begin <= top < bottom <= begin + TIE


@pytest.mark.usefixtures("no_fonts")
@pytest.mark.parametrize("name", ["田中" * 30, "محمد علي" * 30, "🦋" * 40, "\u200b", ""])
def test_no_name_keeps_a_bracket_from_being_drawn(name: str) -> None:
    tie = DrawnTie(TieSide(name, is_winner=True), TieSide(name, "1"), is_final=True)
    bracket = DrawnBracket(name, (BracketColumn(name, (tie,)),), BracketColumn(name, (tie,)))
    assert render_bracket(bracket).height > 0


@pytest.mark.usefixtures("no_fonts")
def test_signs_without_letters_are_left_out() -> None:
    blank = build_bracket(2, 1)
    one, other = (
        replace(
            fill_tie(blank, 0, 0, DrawnTie(TieSide(f"{sign}Ana"), TieSide(""))), title=f"{sign}Cup"
        )
        for sign in ("", "🦋 ")
    )
    assert render_bracket(one).tobytes() == render_bracket(other).tobytes()


@pytest.mark.parametrize(
    ("bracket", "reason"),
    [
        (build_bracket(), "room for 3 rounds, not 0"),
        (build_bracket(8, 4, 2, 1), "room for 3 rounds, not 4"),
        (build_bracket(17), "room for 16 ties, not 17"),
        (build_bracket(16, 8), "room for 8 ties, not 16"),
        (build_bracket(0), "room for 16 ties, not 0"),
        (build_bracket(4, 1), "do not lead to one another"),
        (
            replace(build_bracket(1), third=BracketColumn("Third place", ())),
            "one tie is for the third place",
        ),
    ],
    ids=["no round", "four rounds", "17 ties", "two long rounds", "no tie", "gap", "third place"],
)
def test_a_bracket_that_has_no_room_is_refused(bracket: DrawnBracket, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        draw_bracket(bracket, View())


@pytest.mark.parametrize(
    "name", ["MarieAntoinette", "Bartholomew III", "Guinevere Smith", "Wynflaed Alfred"]
)
def test_a_name_of_fifteen_letters_is_whole_in_a_bracket_of_eight(name: str) -> None:
    def show(end: str) -> DrawnBracket:
        side = TieSide(name[:-1] + end, "2", is_winner=True, seed="3")
        return fill_tie(build_bracket(4, 2, 1), 0, 0, DrawnTie(side, TieSide("Ben", "1")))

    # Of a name that is cut the last letter is not seen.
    assert len(name) == 15
    find_change(show("i"), show("l"))


def test_a_seed_stands_before_its_name() -> None:
    plain = fill_tie(build_bracket(2, 1), 0, 0, WON)
    seeded = replace(WON, first=replace(WON.first, seed="4"))
    left, _, right, bottom = find_change(plain, fill_tie(plain, 0, 0, seeded))
    assert 38 < left < right < 200
    assert bottom <= TOP + 62
