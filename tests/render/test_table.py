"""A league's table: each text lies in its row and column, marks have shapes, and all is said."""

import io
from dataclasses import replace
from itertools import pairwise

import pytest
from PIL import Image, ImageChops

from render.geometry import WIDTH
from render.scene import View
from render.table import RowMark, Table, TableRow, TableSection, describe_table, draw_table
from render.table_colours import choose_table_colours
from render.theme import Colour, Theme, load_themes

LONG = "Wynflæd the most reverend abbess of a house with a long name " * 5
PLAIN = load_themes()["plain"]
THEMES = pytest.mark.parametrize("theme", load_themes().values(), ids=load_themes())
# The heights of which a picture is made, added up by hand: the title, a section's headings, a row,
# the space between sections and before the legend, a line of the legend, and the foot.
TITLE, BAND, ROW, SPACE, LINE, FOOT = 116, 76, 78, 28, 60, 26
MARKS = RowMark.UP, RowMark.DOWN, RowMark.CHAMPION
LEGEND = ((RowMark.CHAMPION, "Champion"), (RowMark.UP, "Up"), (RowMark.DOWN, "Down"))
MARK_LEFT, MARK_RIGHT = 38, 82
"""Where a row's mark begins and ends."""


def build_row(name: str = "Ana", *cells: str, mark: RowMark = RowMark.NONE) -> TableRow:
    """A row of two columns."""
    return TableRow("1", name, cells or ("10", "21"), mark)


def build_table(*rows: TableRow, title: str = "League", heading: str = "") -> Table:
    """A table of one section."""
    return Table(title, ("Played", "Points"), (TableSection(heading, rows),))


def render_table(table: Table, theme: Theme = PLAIN) -> Image.Image:
    with Image.open(io.BytesIO(draw_table(table, View(theme)))) as image:
        assert (image.format, image.mode, image.width) == ("PNG", "P", WIDTH)
        return image.convert("RGB")


def find_change(one: Table, other: Table) -> tuple[int, int, int, int]:
    """The box within which two tables look different."""
    pictures = [render_table(one), render_table(other)]
    box = ImageChops.difference(*pictures).getbbox()
    assert box, "the two look the same"
    return box


def find_mark(mark: RowMark) -> list[list[int]]:
    """Where each line of a mark has its colour, across from the mark's left."""
    zone = getattr(
        choose_table_colours(PLAIN),
        {RowMark.UP: "rise", RowMark.DOWN: "fall", RowMark.CHAMPION: "win"}[mark],
    )
    pixels = render_table(build_table(build_row(mark=mark))).load()
    assert pixels
    lines = [
        [x - MARK_LEFT for x in range(MARK_LEFT, MARK_RIGHT) if pixels[x, y] == zone.mark]
        for y in range(TITLE + BAND, TITLE + BAND + ROW)
    ]
    return [line for line in lines if line]


def list_colours(image: Image.Image, box: tuple[int, int, int, int]) -> set[Colour]:
    found = image.crop(box).getcolors(1 << 20)
    assert found
    # A picture of three channels has tuples as its colours.
    return {colour for _, colour in found if isinstance(colour, tuple)}


@THEMES
def test_a_table_is_drawn_in_every_theme(theme: Theme) -> None:
    image = render_table(build_table(build_row(), build_row()), theme)
    assert image.getpixel((1, 1)) == theme.page
    assert image.getpixel((6, 6)) == theme.frame
    assert image.getpixel((500, TITLE + BAND // 2)) == theme.wood
    assert image.getpixel((500, TITLE + BAND + ROW // 2)) == theme.page
    assert image.getpixel((500, TITLE + BAND + ROW + ROW // 2)) not in (theme.page, theme.wood)


@THEMES
def test_a_zone_has_its_own_ground_in_every_theme(theme: Theme) -> None:
    rows = [build_row(mark=mark) for mark in (RowMark.NONE, *MARKS) for _ in range(2)]
    image = render_table(build_table(*rows), theme)
    grounds = [image.getpixel((500, TITLE + BAND + ROW * at + ROW // 2)) for at in range(len(rows))]
    zones = choose_table_colours(theme).zones
    assert grounds == [ground for zone in zones for ground in zone.grounds]
    assert len(set(grounds)) == len(rows)


@pytest.mark.parametrize(
    ("table", "height"),
    [
        (Table("League", (), ()), TITLE + FOOT),
        (build_table(), TITLE + BAND + FOOT),
        (build_table(*[build_row()] * 4), TITLE + BAND + 4 * ROW + FOOT),
        (
            Table("League", ("a", "b"), (TableSection("One", (build_row(),) * 8),) * 8),
            TITLE + 8 * (BAND + 8 * ROW) + 7 * SPACE + FOOT,
        ),
        (
            replace(build_table(build_row()), legend=LEGEND),
            TITLE + BAND + ROW + SPACE + LINE + FOOT,
        ),
        (
            replace(build_table(build_row()), legend=((RowMark.UP, LONG), (RowMark.DOWN, "Down"))),
            TITLE + BAND + ROW + SPACE + 2 * LINE + FOOT,
        ),
    ],
    ids=["no sections", "no rows", "four rows", "sixty-four rows", "legend", "long legend"],
)
def test_a_table_is_as_high_as_its_rows_need(table: Table, height: int) -> None:
    assert render_table(table).height == height


@pytest.mark.parametrize("at", [0, 1, 7])
def test_a_name_stands_in_its_own_row(at: int) -> None:
    rows = [build_row()] * 8
    other = [*rows[:at], build_row("Ben"), *rows[at + 1 :]]
    _, top, _, bottom = find_change(build_table(*rows), build_table(*other))
    begin = TITLE + BAND + at * ROW
    assert begin <= top < bottom <= begin + ROW
    # Letters stand in the middle of their row, give or take what hangs below the line.
    assert (top + bottom) / 2 == pytest.approx(begin + ROW / 2, abs=8)


def test_the_last_of_sixty_four_rows_is_drawn() -> None:
    section = TableSection("One", (build_row(),) * 8)
    last = replace(section, rows=(*section.rows[:7], build_row("Ben")))
    _, top, _, bottom = find_change(
        Table("League", ("a", "b"), (section,) * 8),
        Table("League", ("a", "b"), (*(section,) * 7, last)),
    )
    begin = TITLE + 8 * BAND + 63 * ROW + 7 * SPACE
    assert begin <= top < bottom <= begin + ROW


def test_letters_are_large_enough_for_a_phone() -> None:
    # A capital is some two thirds as high as its type, and 40 pixels of type are what is required.
    _, top, _, bottom = find_change(build_table(build_row("")), build_table(build_row("H")))
    assert bottom - top >= 0.6 * 40


def test_cells_end_below_the_ends_of_their_headings() -> None:
    wide = build_row("Ben", "100", "100")
    column = [
        find_change(build_table(build_row("Ana", "7", "7"), wide), build_table(changed, wide))
        for changed in (build_row("Ana", "70", "7"), build_row("Ana", "7", "70"))
    ]
    heads = [
        find_change(
            build_table(build_row()), replace(build_table(build_row()), columns=tuple(columns))
        )
        for columns in (("Playeh", "Points"), ("Played", "Pointh"))
    ]
    for (*_, cell_right, _), (*_, head_right, _) in zip(column, heads, strict=True):
        assert cell_right == pytest.approx(head_right, abs=6)
    # The last column ends at the margin.
    assert column[1][2] == pytest.approx(WIDTH - MARK_LEFT, abs=6)


def test_columns_are_apart() -> None:
    # These figures are wider than their headings.
    wide = build_row("Ben", "88888888", "88888888")
    blank = build_table(build_row("Ana", "", ""), wide)
    first, last = (
        find_change(blank, build_table(build_row("Ana", *cells), wide))
        for cells in (("88888888", ""), ("", "88888888"))
    )
    assert last[0] - first[2] >= 16


def test_a_long_name_is_cut_before_the_cells() -> None:
    below = build_row("Ben", "8888", "8888")
    blank, named, filled = (
        build_table(build_row("", "", ""), below),
        build_table(build_row(LONG, "", ""), below),
        build_table(build_row("", "8888", "8888"), below),
    )
    name, cells = find_change(blank, named), find_change(blank, filled)
    assert name[2] - name[0] > 400
    assert cells[0] - name[2] >= 16


def test_headings_are_cut_before_cells() -> None:
    widest = TableRow("2", "Ben", ("+12½–10½", "1", "1", "1"))
    one, other = (
        Table(
            "",
            ("Parties jouées",) * 4,
            (TableSection("", (TableRow("1", LONG, (cell, "1", "1", "1")), widest)),),
        )
        for cell in ("+12½–10½", "12½–10½")
    )
    left, top, right, bottom = find_change(one, other)
    assert TITLE + BAND <= top < bottom <= TITLE + BAND + ROW
    # Nothing but the sign has gone: cells end at the same place, and none of them is cut.
    assert right - left < 40


def test_long_texts_stay_in_the_frame() -> None:
    usual, other = (
        render_table(
            Table(
                text,
                (text,) * 4,
                (TableSection(text, (TableRow(text, text, (text,) * 4),)),),
                ((RowMark.UP, text),),
                out_legend,
            )
        )
        for text, out_legend in (("Ana", LONG), (LONG, "Ana"))
    )
    assert usual.height == other.height
    for edge in (
        (0, 0, WIDTH, 12),
        (0, 0, 30, other.height),
        (WIDTH - 30, 0, WIDTH, other.height),
        (0, other.height - 12, WIDTH, other.height),
    ):
        assert usual.crop(edge).tobytes() == other.crop(edge).tobytes()


def test_a_triangle_points_where_somebody_goes() -> None:
    up = [len(line) for line in find_mark(RowMark.UP)]
    down = [len(line) for line in find_mark(RowMark.DOWN)]
    assert up == sorted(up)
    assert up[0] < 6 < 30 < up[-1]
    assert down == up[::-1]


def test_a_crown_has_three_points() -> None:
    lines = find_mark(RowMark.CHAMPION)
    gaps = [
        sum(right - left > 1 for left, right in pairwise(line)) for line in lines[: len(lines) // 2]
    ]
    # One point in the middle reaches highest; below it the two at the sides begin.
    assert gaps[0] == 0
    assert max(gaps) >= 2


@pytest.mark.parametrize("mark", MARKS)
def test_the_legend_shows_each_mark(mark: RowMark) -> None:
    bare = build_table(build_row())
    one = replace(bare, legend=((mark, "Meaning"),))
    image = render_table(one)
    top = TITLE + BAND + ROW + SPACE
    in_legend = image.crop((MARK_LEFT, top, MARK_RIGHT, top + LINE)).convert("L")
    in_row = (
        render_table(build_table(build_row(mark=mark)))
        .crop((MARK_LEFT, TITLE + BAND, MARK_RIGHT, TITLE + BAND + ROW))
        .convert("L")
    )
    shapes = [
        part.point(lambda shade: 255 if shade < 100 else 0).getbbox()
        for part in (in_legend, in_row)
    ]
    (left, top, right, bottom), row_shape = shapes[0] or (0, 0, 0, 0), shapes[1]
    # A row is 18 pixels higher than a line of the legend.
    assert row_shape == (left, top + 9, right, bottom + 9)


def test_somebody_who_has_left_is_written_paler() -> None:
    here = build_row()
    stays, left = (
        list_colours(
            render_table(build_table(replace(here, is_out=is_out))),
            (20, TITLE + BAND, WIDTH - 20, TITLE + BAND + ROW),
        )
        for is_out in (False, True)
    )
    pale = choose_table_colours(PLAIN).pale
    assert PLAIN.ink in stays
    assert PLAIN.ink not in left
    assert pale in left


@pytest.mark.usefixtures("fonts")
@pytest.mark.parametrize(
    ("one", "other"), [("田中太郎", "山本花子"), ("محمد علي", "علي محمد"), ("משה", "לוי")]
)
def test_names_of_other_scripts_begin_where_all_names_do(one: str, other: str) -> None:
    blank = build_table(build_row("", mark=RowMark.UP))
    left, *_ = find_change(blank, build_table(build_row("Hen", mark=RowMark.UP)))
    for name in (one, other):
        box = find_change(blank, build_table(build_row(name, mark=RowMark.UP)))
        assert box[0] == pytest.approx(left, abs=8)
        assert TITLE + BAND <= box[1] < box[3] <= TITLE + BAND + ROW
    find_change(build_table(build_row(one)), build_table(build_row(other)))


@pytest.mark.usefixtures("no_fonts")
def test_a_name_that_cannot_be_drawn_has_another_in_the_picture_only() -> None:
    row = replace(build_row("田中"), drawn_name="tanaka")
    table = build_table(row)
    assert draw_table(table, View()) == draw_table(build_table(build_row("tanaka")), View())
    assert describe_table(table) == "League. 1 田中, Played 10, Points 21."


@pytest.mark.usefixtures("no_fonts")
@pytest.mark.parametrize("name", ["田中" * 30, "محمد علي" * 30, "🦋" * 40, "\u200b", ""])
def test_no_name_keeps_a_table_from_being_drawn(name: str) -> None:
    assert render_table(build_table(build_row(name), title=name, heading=name)).height > 0


@pytest.mark.usefixtures("no_fonts")
def test_signs_without_letters_are_left_out() -> None:
    drawn = draw_table(build_table(build_row("🦋 Ana"), title="🏆 League", heading="⚔ One"), View())
    assert drawn == draw_table(build_table(build_row("Ana"), title="League", heading="One"), View())


def test_a_row_has_a_cell_for_each_column() -> None:
    with pytest.raises(ValueError, match="Ana has 1 of 2 cells"):
        draw_table(build_table(build_row("Ana", "3")), View())


def test_a_table_in_words() -> None:
    first = TableSection(
        "Division 1",
        (
            TableRow("1", "Ana", ("3", "7"), RowMark.CHAMPION),
            TableRow("2", "Ben", ("3", "4")),
            TableRow("3", "Cyn", ("3", "0"), RowMark.DOWN, is_out=True),
        ),
    )
    second = TableSection("Division 2", (TableRow("1", "Dan", ("2", "6"), RowMark.UP),))
    table = Table("League", ("Played", "Points"), (first, second), LEGEND, "left the league")
    assert describe_table(table) == (
        "League. "
        "Division 1: 1 Ana, Played 3, Points 7, Champion; 2 Ben, Played 3, Points 4; "
        "3 Cyn, Played 3, Points 0, Down, left the league. "
        "Division 2: 1 Dan, Played 2, Points 6, Up."
    )


def test_an_empty_table_in_words() -> None:
    assert describe_table(Table("League", (), ())) == "League."
    assert describe_table(build_table(heading="Division 1")) == "League. Division 1."
    assert describe_table(build_table()) == "League."


def test_a_large_table_is_said_without_its_cells() -> None:
    # With cells each row is "1 Ana, Played 10, Points 21; ", 29 characters: 64 of them are too
    # many. Without them it is "1 Ana; ", 7 characters, of which the last lacks two.
    table = build_table(*[build_row()] * 64)
    assert describe_table(table) == "League. " + "1 Ana; " * 63 + "1 Ana."


def test_what_is_too_long_in_words_is_cut() -> None:
    # "League. ", then "1 Butterfly; " of 13 characters: 78 of them make 1022 characters.
    table = build_table(*[build_row("Butterfly")] * 90)
    assert describe_table(table) == "League. " + "1 Butterfly; " * 78 + "1…"


def test_what_decided_is_said_below_its_section_and_in_words() -> None:
    plain = build_table(build_row(), build_row("Ben"))
    (section,) = plain.sections
    noted = replace(plain, sections=(replace(section, notes=("Places 1-2: wins",)),))
    before, after = render_table(plain), render_table(noted)
    assert after.height == before.height + LINE
    assert describe_table(noted) == (
        "League. 1 Ana, Played 10, Points 21; 1 Ben, Played 10, Points 21. Places 1-2: wins."
    )
