"""Cards: what they show stays in its place, and is said in words."""

import io

import pytest
from PIL import Image

from engine.position import Side
from render.card import Card, Challenge, Curve, Line, Player, Ranking, Result, describe_card, draw_card
from render.gallery import midgame
from render.scene import View
from render.theme import themes
from tests.render.build import men, scene

LONG = "Wynflæd the most reverend abbess of a house with a long name " * 5


def result(name: str = "Ana", luck: float = 12.4, before: str = "1012", after: str = "1050?") -> Result:
    players = (Player(name, Side.GOLD, before, after, luck), Player("Ben", Side.BLACK, before, after, -luck))
    return Result(midgame(), f"{name} won", "every man borne off", players, 61)


def ranking(name: str = "Ana", lines: int = 3) -> Ranking:
    return Ranking(
        "Leaderboard: Zeno", tuple(Line(f"{n}.", name, "1100", "3 won", n == 2) for n in range(1, lines + 1))
    )


CARDS: dict[str, Card] = {
    "challenge": Challenge(scene(men(a=15), men(z=15)), "A race round the board.", ("Terms: the usual rules", "rated")),
    "result": result(),
    "ranking": ranking(),
    "curve": Curve("Ana", "rating, all games", (1000, 1040, 990)),
}


def pixels(card: Card, view: View = View()) -> Image.Image:  # noqa: B008 - immutable
    with Image.open(io.BytesIO(draw_card(card, view))) as image:
        assert (image.format, image.mode, image.width) == ("PNG", "P", 1200)
        return image.convert("RGB")


def border(image: Image.Image) -> list[bytes]:
    """The four edges of a card, its frame included."""
    wide, high = image.size
    edges = (0, 0, wide, 26), (0, high - 26, wide, high), (0, 0, 26, high), (wide - 26, 0, wide, high)
    return [image.crop(edge).tobytes() for edge in edges]


@pytest.mark.parametrize("theme", themes())
@pytest.mark.parametrize("name", CARDS)
def test_every_card_is_drawn_in_every_theme(name: str, theme: str) -> None:
    image = pixels(CARDS[name], View(themes()[theme]))
    assert image.getpixel((2, 2)) == themes()[theme].page
    assert image.getpixel((14, 14)) == themes()[theme].frame


@pytest.mark.parametrize(
    ("usual", "long"),
    [
        (result(), result(LONG, 12.4, "10120?", "10500?")),
        (ranking(), ranking(LONG)),
        (
            CARDS["challenge"],
            Challenge(scene(men(a=15), men(z=15), names=(LONG, LONG), title=LONG), LONG, (LONG, LONG)),
        ),
        (CARDS["curve"], Curve(LONG, LONG, (1000, 1040, 990))),
    ],
)
def test_nothing_is_written_over_the_border(usual: Card, long: Card) -> None:
    assert border(pixels(long)) == border(pixels(usual))


def test_the_luck_bar_leans_to_the_side_of_the_dice() -> None:
    kind, unkind = pixels(result(luck=20.0)), pixels(result(luck=-20.0))
    accent = themes()["gloucester"].accent
    y, middle = 228 + 48, 48 + 78 + 125
    assert (kind.getpixel((middle + 40, y)), kind.getpixel((middle - 40, y))).index(accent) == 0
    assert (unkind.getpixel((middle + 40, y)), unkind.getpixel((middle - 40, y))).index(accent) == 1


@pytest.mark.parametrize("ratings", [(1000,), (1000,) * 30, (-300, 2900), tuple(range(0, 9000, 7))])
def test_a_curve_of_any_kind_stays_in_its_frame(ratings: tuple[int, ...]) -> None:
    assert border(pixels(Curve("Ana", "rating", ratings))) == border(pixels(CARDS["curve"]))


def test_a_leaderboard_grows_with_its_lines() -> None:
    assert pixels(ranking(lines=10)).height > pixels(ranking(lines=1)).height


def test_cards_in_words() -> None:
    assert describe_card(CARDS["challenge"]) == (
        "A challenge to Zeno. Gold (Ana): 15 on a. Black (Ben): 15 on z. A race round the board."
        " Terms: the usual rules. Rated."
    )
    assert describe_card(CARDS["result"]) == (
        "Ludus Anglicorum. Ana won: every man borne off. Ana (gold): rating 1012 to 1050?, dice +12 pips from the"
        " average. Ben (black): rating 1012 to 1050?, dice -12 pips from the average. 61 throws."
        " Gold (Alfonso): 1 on a, 1 on b, 2 on d, 2 on i, 1 on l, 1 on the bar, 7 borne off."
        " Black (Ferdinand): 2 on f, 1 on h, 2 on q, 2 on t, 7 on z, 1 on the bar."
    )
    assert describe_card(result(before="", after="")).count("rating") == 0
    assert describe_card(ranking(lines=2)) == "Leaderboard: Zeno. 1. Ana 1100, 3 won. 2. Ana 1100, 3 won."
    assert describe_card(CARDS["curve"]) == "Ana, rating, all games, match by match: 1000, 1040, 990."
    assert len(describe_card(ranking(LONG, 10))) == 1024
