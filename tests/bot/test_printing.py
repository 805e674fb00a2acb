"""Games to print, read back by PDFium: sheets, sizes, men, and that no text is lost or cut."""

import io
import re
import zlib
from collections.abc import Iterator
from gettext import NullTranslations
from pathlib import Path

import pypdfium2
import pytest
from fontTools.ttLib import TTFont
from pypdfium2 import raw

from bot.features.printing.document import GUTTER_MM, PrintTerms, print_game
from bot.features.printing.pdf_pen import PdfPen, build_sheets
from bot.features.printing.sheet_layout import MAN, PAPERS, PaperName, PrintSize, plan_board
from bot.features.rulebook.texts import format_printed_rules
from bot.platform.i18n.reader import Reader, list_languages, load_reader
from engine.games import GAMES
from engine.position import Side
from engine.rules import Game
from render.geometry import WIDTH
from render.layout import lay_out_board
from render.theme import load_themes
from tests.bot.test_command_line import run_tabula
from tests.support.club import SimulatedClub
from tests.support.driver import get_ephemeral_text, get_response

POINT_MM = 25.4 / 72
UPRIGHT = {PaperName.A4: (210.0, 297.0), PaperName.LETTER: (215.9, 279.4)}
LARGE_SHEETS = {
    # Played on one table, whose points take two men.
    "twelve-dogs": 1,
    "doblet": 1,
    # Played on one table, and on half of the board.
    "paume-carie-one": 1,
    "medio-emperador": 2,
    "ludus-lumbardorum": 2,
}
"""The sheets of a board for men of 25 mm, where they are not four.

Twelve points of more than 25 mm are wider than any sheet is long, and two rows of five men are
higher than a sheet is that lies on its side.
"""
SOME = ("zeno", "duodecim-scripta", "twelve-dogs", "medio-emperador", "backgammon")


OPENED: list[pypdfium2.PdfDocument] = []


@pytest.fixture(autouse=True)
def close_documents() -> Iterator[None]:
    """Close what a test has opened: PDFium complains at the end of what is still open."""
    yield
    while OPENED:
        OPENED.pop().close()


def open_pdf(source: bytes | Path) -> pypdfium2.PdfDocument:
    """Open a PDF until the end of the test."""
    OPENED.append(pypdfium2.PdfDocument(source))
    return OPENED[-1]


def print_and_open(
    game: Game, terms: PrintTerms | None = None, say: Reader = Reader.ENGLISH
) -> pypdfium2.PdfDocument:
    """Print a game, and open what comes of it."""
    printed = print_game(say, game, terms or PrintTerms())
    document = open_pdf(printed.content)
    assert len(document) == printed.pages
    return document


def list_sizes(document: pypdfium2.PdfDocument) -> list[tuple[float, float]]:
    """The size of every sheet in millimetres."""
    return [
        (round(page.get_width() * POINT_MM, 1), round(page.get_height() * POINT_MM, 1))
        for page in document
    ]


def list_path_sizes(page: pypdfium2.PdfPage) -> list[tuple[float, float]]:
    """How wide and high everything is that is drawn on a sheet, in millimetres."""
    found = []
    for each in page.get_objects(filter=[raw.FPDF_PAGEOBJ_PATH]):
        left, bottom, right, top = each.get_bounds()
        found.append((round((right - left) * POINT_MM, 1), round((top - bottom) * POINT_MM, 1)))
    return found


def read_letters(page: pypdfium2.PdfPage) -> str:
    """The letters and digits on a sheet, in the order in which they are written."""
    return keep_letters(str(page.get_textpage().get_text_range()))


def keep_letters(text: str) -> str:
    """A text without what lines, columns and markup change."""
    return re.sub(r"[\W_]", "", text)


def read_rules(say: Reader, game: Game) -> str:
    """The letters and digits of a game's rules as they are read on paper."""
    rules = format_printed_rules(say, game)
    return keep_letters("".join(f"{heading} {text}" for heading, text in rules))


def has_all_rules(say: Reader, game: Game, printed: str) -> bool:
    """Whether all letters of the rules are printed in order, whatever stands between them.

    The letters of the small picture may.
    """
    rest = iter(printed)
    return all(letter in rest for letter in read_rules(say, game))


def require_text_within_sheets(document: pypdfium2.PdfDocument) -> None:
    """No letter may come nearer to a sheet's edge than most printers print: 4.2 mm."""
    for page in document:
        text = page.get_textpage()
        least = 4.2 / POINT_MM
        for at in range(text.count_chars()):
            left, bottom, right, top = text.get_charbox(at)
            if right > left:
                assert left >= least
                assert bottom >= least
                assert right <= page.get_width() - least
                assert top <= page.get_height() - least


def check_game(game: Game, paper: PaperName, size: PrintSize) -> None:
    """What has to hold of every printed game."""
    document = print_and_open(game, PrintTerms(paper, size))
    board = 1 if size is PrintSize.SMALL else LARGE_SHEETS.get(game.slug, 4)
    width, height = UPRIGHT[paper]
    sizes = list_sizes(document)
    assert all(sorted(each) == [width, height] for each in sizes)
    assert sizes[board:] == [(width, height)] * 2
    wide = 15.0 if size is PrintSize.SMALL else 25.0
    # An octagon lies within the circle of a man, and rests on a side: cos(22.5°) of it.
    narrow = round(wide * 0.92388, 1)
    drawn = list_path_sizes(document[board + 1])
    men = sum(game.rules.start_position.gold)
    assert drawn.count((wide, wide)) == men
    assert drawn.count((narrow, narrow)) == men
    # Six faces of 16 mm a die; the line of 50 mm shows whether the size is right.
    assert sum(each == (16.0, 16.0) for each in drawn) >= 6 * game.rules.dice.count
    # With the thickness of the marks at its ends.
    assert any(50.0 <= wide <= 50.4 for wide, _ in drawn)
    require_text_within_sheets(document)
    assert has_all_rules(Reader.ENGLISH, game, read_letters(document[board]))


@pytest.mark.parametrize("slug", SOME)
def test_a_printed_game_is_whole(slug: str) -> None:
    check_game(GAMES[slug], PaperName.A4, PrintSize.SMALL)
    check_game(GAMES[slug], PaperName.LETTER, PrintSize.LARGE)


@pytest.mark.sweep
@pytest.mark.parametrize("size", PrintSize)
@pytest.mark.parametrize("paper", PaperName)
@pytest.mark.parametrize("slug", GAMES)
def test_every_printed_game_is_whole(slug: str, paper: PaperName, size: PrintSize) -> None:
    check_game(GAMES[slug], paper, size)


@pytest.mark.sweep
@pytest.mark.parametrize("slug", GAMES)
@pytest.mark.parametrize("locale", list_languages())
def test_rules_fit_on_a_page_in_every_language(slug: str, locale: str) -> None:
    say, game = load_reader(locale), GAMES[slug]
    document = print_and_open(game, PrintTerms(PaperName.LETTER), say)
    assert len(document) == 3
    require_text_within_sheets(document)
    assert has_all_rules(say, game, read_letters(document[1]))


@pytest.mark.parametrize("size", PrintSize)
@pytest.mark.parametrize("paper", PaperName)
@pytest.mark.parametrize("slug", GAMES)
def test_men_have_room_on_the_points(slug: str, paper: PaperName, size: PrintSize) -> None:
    game = GAMES[slug]
    plan = plan_board(game.rules, PAPERS[paper], size)
    assert plan.scale * MAN == size.man_mm
    for box in plan.layout.points.values():
        assert box.width * plan.scale > size.man_mm
    width, height = UPRIGHT[paper]
    for piece in plan.pieces:
        sides = sorted((piece.width * plan.scale, piece.height * plan.scale))
        assert sides[0] <= width - 20
        assert sides[1] <= height - 20
        # A cut spoils no point: each lies on one sheet.
    for box in plan.layout.points.values():
        assert any(
            piece.left <= box.left
            and box.right <= piece.right
            and piece.top <= box.top
            and box.bottom <= piece.bottom
            for piece in plan.pieces
        )


class TalkativeTexts(NullTranslations):
    """A language in which special rules, decisions and sources take twenty times as many words."""

    def pgettext(self, context: str, message: str) -> str:
        """Say a game's text twenty times."""
        game = GAMES["tabula"]
        long = (*game.special, *game.provenance.sources, game.provenance.history)
        return " ".join([message] * 20) if message in long else message


def test_the_rules_on_paper_name_no_option_to_type_and_no_computer() -> None:
    for game in GAMES.values():
        rules = dict(format_printed_rules(Reader.ENGLISH, game))
        assert not any(heading.startswith("Option") for heading in rules)
        assert {"Statistics", "Our decisions"}.isdisjoint(rules)
        assert {"Goal", "Moving", "History"} <= rules.keys()


def test_fonts_are_embedded_as_what_the_file_says_they_are() -> None:
    content = print_game(Reader.ENGLISH, GAMES["zeno"], PrintTerms()).content
    numbers = [int(number) for number in re.findall(rb"/FontFile2 (\d+) 0 R", content)]
    assert len(numbers) == 2
    for number in numbers:
        start = content.index(b"stream", content.index(b"\n%d 0 obj" % number)) + len("stream\n")
        font = TTFont(io.BytesIO(zlib.decompressobj().decompress(content[start:])))
        # TrueType outlines, and none of Adobe's.
        assert font.sfntVersion == "\0\1\0\0"
        assert "glyf" in font
        assert "CFF " not in font
        assert font["maxp"].numGlyphs > 20


def test_the_printed_board_shows_directions_and_homes() -> None:
    theme = load_themes()["gloucester"]
    image = print_and_open(GAMES["zeno"], PrintTerms(theme=theme))[0].render(scale=1).to_pil()
    colours = {colour for _, colour in image.convert("RGB").getcolors(2**24) or ()}
    assert {theme.gold.body, theme.black.body} <= colours


def test_long_rules_go_on_on_another_page_instead_of_being_cut() -> None:
    say, game = Reader("en", TalkativeTexts()), GAMES["tabula"]
    document = print_and_open(game, say=say)
    assert len(document) == 4
    require_text_within_sheets(document)
    ends = read_letters(document[2])
    assert keep_letters(game.provenance.sources[-1]) * 20 in ends
    first = read_letters(document[1]).removeprefix("Tabularulesedition3")
    assert keep_letters(game.special[0]) * 20 in first
    # Page breaks fall between words, and nothing is lost there; each page has its footer.
    both = first + ends.removeprefix("Tabularulesedition3")
    assert has_all_rules(say, game, both)
    text = document[1].get_textpage()
    # PDFium puts in the ends of lines itself.
    written = [at for at in range(text.count_chars()) if not raw.FPDFText_IsGenerated(text, at)]
    sizes = [raw.FPDFText_GetFontSize(text, at) for at in written]
    # The 24 letters of the small picture are no text to read.
    assert sum(size < 6.95 for size in sizes) <= 24


def test_black_and_white_has_no_colour_and_themes_have_theirs() -> None:
    game = GAMES["zeno"]
    for page in print_and_open(game, PrintTerms(plain=True)):
        image = page.render(scale=1).to_pil().convert("RGB")
        assert all(len(set(colour)) == 1 for _, colour in image.getcolors(2**24) or ())
    for theme in load_themes().values():
        image = print_and_open(game, PrintTerms(theme=theme))[0].render(scale=1).to_pil()
        colours = {colour for _, colour in image.convert("RGB").getcolors(2**24) or ()}
        assert {theme.wood, theme.bar} <= colours


def test_the_pen_of_paper_counts_angles_as_that_of_pictures() -> None:
    sheets = build_sheets("arcs", "en")
    sheets.add(100, 100)
    pen = PdfPen(sheets, 0, 0, 1)
    pen.pieslice((10, 10, 60, 60), 0, 90, fill=(255, 0, 0))
    pen.arc((40, 40, 90, 90), 180, 270, fill=(0, 0, 255), width=2)
    image = open_pdf(bytes(sheets.pdf.output()))[0].render(scale=2).to_pil()
    unit = image.width / 100
    # The lower right quarter of one circle, and the upper left of the other.
    spots = {(40, 50): (255, 0, 0), (30, 50): (255, 255, 255), (40, 30): (255, 255, 255)}
    for (x, y), colour in spots.items():
        assert image.getpixel((round(x * unit), round(y * unit))) == colour
    assert image.getpixel((round(47.9 * unit), round(47.9 * unit))) == (0, 0, 255)


@pytest.mark.asyncio
async def test_print_gives_a_file_to_the_one_who_asks(club: SimulatedClub) -> None:
    answer = await club.ana.slash(
        club.channel, "print", game="irish", paper="letter", size="large", theme="roman"
    )
    assert get_ephemeral_text(answer) == (
        "**Irish** to print, on 6 sheets: the board, the rules, and men and dice to cut out. "
        "Print at 100%, not fitted to the page."
    )
    (file,) = get_response(answer).attachments
    assert file.filename == "irish-letter.pdf"
    document = open_pdf(await file.read())
    assert list_sizes(document)[-1] == (215.9, 279.4)


@pytest.mark.asyncio
async def test_print_refuses_a_game_that_does_not_exist(club: SimulatedClub) -> None:
    answer = await club.ana.slash(club.channel, "print", game="chess")
    assert not get_response(answer).attachments


def test_the_command_line_prints(tmp_path: Path) -> None:
    file = tmp_path / "zeno.pdf"
    ended = run_tabula("print", "zeno", "--paper", "letter", "--plain", "-o", str(file))
    assert (ended.returncode, ended.stdout.decode()) == (0, f"{file}: 3 sheets; print at 100%\n")
    assert list_sizes(open_pdf(file))[1] == (215.9, 279.4)
    german = tmp_path / "german.pdf"
    run_tabula("print", "zeno", "--language", "de", "--theme", "alfonso", "-o", str(german))
    goal = load_reader("de").in_context("game:zeno", GAMES["zeno"].tagline)
    assert keep_letters(goal) in read_letters(open_pdf(german)[1])


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("tabula.sqlite3", "tabula.sqlite3 exists already, and is no PDF; give another name"),
        ("linked", "tabula.sqlite3 exists already, and is no PDF; give another name"),
        ("folder", "folder is not a file that could be replaced"),
        ("circle", "circle is not a file that could be replaced"),
        ("missing/zeno.pdf", "there is no folder {folder}/missing"),
    ],
)
def test_the_command_line_replaces_nothing_but_a_pdf(
    tmp_path: Path, name: str, sentence: str
) -> None:
    database = tmp_path / "tabula.sqlite3"
    database.write_bytes(b"SQLite format 3\0")
    (tmp_path / "linked").symlink_to(database)
    (tmp_path / "circle").symlink_to("circle")
    (tmp_path / "folder").mkdir()
    before = sorted(tmp_path.iterdir())
    ended = run_tabula("print", "zeno", "-o", str(tmp_path / name))
    assert ended.returncode == 1
    assert ended.stderr.decode().startswith("tabula: ")
    assert ended.stderr.decode().endswith(f"{sentence.format(folder=tmp_path)}\n")
    assert database.read_bytes() == b"SQLite format 3\0"
    assert sorted(tmp_path.iterdir()) == before


def test_the_command_line_prints_where_a_link_leads_and_over_a_pdf(tmp_path: Path) -> None:
    (tmp_path / "linked").symlink_to("zeno.pdf")
    for _ in range(2):
        assert run_tabula("print", "zeno", "-o", str(tmp_path / "linked")).returncode == 0
    assert (tmp_path / "linked").is_symlink()
    assert list_sizes(open_pdf(tmp_path / "zeno.pdf"))
    assert len(list(tmp_path.iterdir())) == 2


def test_the_command_line_refuses_a_game_that_does_not_exist() -> None:
    ended = run_tabula("print", "chess")
    assert ended.returncode == 1
    assert ended.stderr.decode().startswith("tabula: ")
    assert not Path("chess-a4.pdf").exists()


@pytest.mark.parametrize("slug", GAMES)
def test_the_small_picture_has_the_men_of_the_rules(slug: str) -> None:
    rules = GAMES[slug].rules
    document = print_and_open(GAMES[slug], PrintTerms(PaperName.A4))
    layout = lay_out_board(rules, Side.GOLD)
    paper = PAPERS[PaperName.A4]
    wide = (paper.inner_width - GUTTER_MM) / 2 * 0.82 / WIDTH * layout.man
    # A black man is an octagon in the circle of gold's, and drawn in outline and body.
    octagon = wide * 0.92388
    drawn = list_path_sizes(document[1])

    def count_men(size: float) -> int:
        return sum(abs(across - size) < 0.06 and abs(down - size) < 0.06 for across, down in drawn)

    for side, size in ((Side.GOLD, wide), (Side.BLACK, octagon)):
        men = rules.start_position.men(side)
        # Of a high pile some men are drawn, and a number says how many there are.
        hidden = sum(
            men[point] - len(layout.locate_pile(point, men[point])) for point in layout.points
        )
        waiting = 0 if slug == "doblet" else men[rules.board.hand]
        assert count_men(size) == rules.men - hidden - waiting, side
