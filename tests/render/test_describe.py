"""Pictures in words."""

from hypothesis import given
from hypothesis import strategies as st

from engine.board import TABLES
from engine.games import GAMES
from engine.position import Position, Side
from engine.reading import parse_position
from render.describe import LONGEST, describe
from render.scene import Die, Scene
from tests.render.build import men, scene

COUNTS = st.lists(st.integers(0, 255), min_size=len(TABLES.names), max_size=len(TABLES.names)).map(bytes)
PLACES = st.integers(0, len(TABLES.names) - 1)


def test_a_board_before_the_first_throw() -> None:
    rules = GAMES["ludus-anglicorum"].rules
    shown = scene(men(z=15), men(a=15), rules=rules, title="Ludus Anglicorum", status="Ana throws for gold")
    assert describe(shown) == "Ludus Anglicorum. Gold (Ana): 15 on z. Black (Ben): 15 on a. Ana throws for gold."


def test_a_play_half_made() -> None:
    shown = scene(
        men(a=2, g=1, hand=3, off=4),
        men(b=5, z=1, bar=1, off=8),
        title="Pyf",
        status="Ben plays 2",
        dice=(Die(6, used=True), Die(5, used=True), Die(2)),
        last=((TABLES.bars[0], 5), (18, 23)),
        turn=Side.BLACK,
        thrower=Side.BLACK,
    )
    assert describe(shown) == (
        "Pyf. Gold (Ana): 2 on a, 1 on g, 3 in hand, 4 borne off."
        " Black (Ben): 5 on b, 1 on z, 1 on the bar, 8 borne off."
        " To play: 2. Used: 6, 5. Last play: bar to f, t to z. Ben plays 2."
    )


def test_the_position_survives_names_of_any_length() -> None:
    words = describe(scene(men(a=15), men(z=15), names=("A" * 2000, "B" * 2000), status="C" * 2000))
    assert f"Gold ({'A' * 59}…): 15 on a. Black ({'B' * 59}…): 15 on z." in words
    assert len(words) == LONGEST
    assert words.endswith("…")


@given(
    COUNTS,
    COUNTS,
    st.tuples(st.text(), st.text()),
    st.text(),
    st.text(),
    st.lists(st.builds(Die, st.integers(1, 6), st.booleans(), st.booleans()), max_size=6).map(tuple),
    st.lists(st.tuples(PLACES, PLACES), max_size=80).map(tuple),
)
def test_no_scene_is_too_much(
    gold: bytes,
    black: bytes,
    names: tuple[str, str],
    title: str,
    status: str,
    dice: tuple[Die, ...],
    last: tuple[tuple[int, int], ...],
) -> None:
    position = Position(gold, black, Side.GOLD)
    assert 0 < len(describe(Scene(GAMES["zeno"].rules, position, names, title, status, dice, last))) <= LONGEST


def test_men_who_wait_for_a_table_are_said_to() -> None:
    known = GAMES["seis-dos-e-as"].rules
    position = parse_position("f15 d7,e6,bar-af1,bar-tz1 black 1", known)
    said = describe(scene(rules=known, position=position))
    assert "1 on the bar for af, 1 on the bar for tz" in said
