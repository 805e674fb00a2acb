"""Pictures in words."""

import re
from dataclasses import fields, replace

from hypothesis import given
from hypothesis import strategies as st

from engine.board import TABLES
from engine.games import GAMES
from engine.position import Position, Side
from engine.position_text import parse_position
from render.describe import MAX_ALT_TEXT, describe_scene, format_board
from render.scene import Die, Scene, SceneMove
from render.words import Joints, Words
from tests.render.build import build_scene, pack_men

COUNTS = st.lists(
    st.integers(0, 255), min_size=len(TABLES.place_names), max_size=len(TABLES.place_names)
).map(bytes)
PLACES = st.integers(0, len(TABLES.place_names) - 1)


def test_a_board_before_the_first_throw() -> None:
    rules = GAMES["ludus-anglicorum"].rules
    scene = build_scene(
        pack_men(z=15),
        pack_men(a=15),
        rules=rules,
        title="Ludus Anglicorum",
        status="Ana throws for gold",
    )
    assert (
        describe_scene(scene)
        == "Ludus Anglicorum. Gold (Ana): 15 on z. Black (Ben): 15 on a. Ana throws for gold."
    )


def test_a_play_half_made() -> None:
    scene = build_scene(
        pack_men(a=2, g=1, hand=3, off=4),
        pack_men(b=5, z=1, bar=1, off=8),
        title="Pyf",
        status="Ben plays 2",
        dice=(Die(6, used=True), Die(5, used=True), Die(2)),
        last=(SceneMove(TABLES.bars[0], 5), SceneMove(18, 23, hit=True)),
        turn=Side.BLACK,
        thrower=Side.BLACK,
    )
    assert describe_scene(scene) == (
        "Pyf. Gold (Ana): 2 on a, 1 on g, 3 in hand, 4 borne off."
        " Black (Ben): 5 on b, 1 on z, 1 on the bar, 8 borne off."
        " To play: 2. Used: 6, 5. Last play: bar to f, t to z (hit). Ben plays 2."
    )


def test_the_position_survives_names_of_any_length() -> None:
    words = describe_scene(
        build_scene(
            pack_men(a=15), pack_men(z=15), names=("A" * 2000, "B" * 2000), status="C" * 2000
        )
    )
    assert f"Gold ({'A' * 59}…): 15 on a. Black ({'B' * 59}…): 15 on z." in words
    assert len(words) == MAX_ALT_TEXT
    assert words.endswith("…")


@given(
    COUNTS,
    COUNTS,
    st.tuples(st.text(), st.text()),
    st.text(),
    st.text(),
    st.lists(st.builds(Die, st.integers(1, 6), st.booleans(), st.booleans()), max_size=6).map(
        tuple
    ),
    st.lists(st.builds(SceneMove, PLACES, PLACES, st.booleans()), max_size=80).map(tuple),
)
def test_no_scene_is_too_much(
    gold: bytes,
    black: bytes,
    names: tuple[str, str],
    title: str,
    status: str,
    dice: tuple[Die, ...],
    last: tuple[SceneMove, ...],
) -> None:
    position = Position(gold, black, Side.GOLD)
    assert (
        0
        < len(
            describe_scene(Scene(GAMES["zeno"].rules, position, names, title, status, dice, last))
        )
        <= MAX_ALT_TEXT
    )


def test_men_who_wait_for_a_table_are_said_to() -> None:
    known = GAMES["seis-dos-e-as"].rules
    position = parse_position("f15 d7,e6,bar-af1,bar-tz1 black 1", known)
    text = describe_scene(build_scene(rules=known, position=position))
    assert "1 on the bar for af, 1 on the bar for tz" in text


def test_luck_is_told_at_the_end() -> None:
    assert describe_scene(build_scene(luck=(0.124, -1.31))).endswith(
        "Ana throws. Ana: luck +0.12. Ben: luck -1.31."
    )


def test_every_word_is_the_scene_s_own() -> None:
    def counted(*_: object) -> str:
        return "⟦⟧"

    def strip(template: str) -> str:
        return re.sub(r"[^{}]+(?![^{]*})", "⟦⟧", template)

    texts = {
        field.name: counted if callable(field.default) else strip(str(field.default))
        for field in fields(Words)
        if field.name != "joints"
    }
    joints = Joints(**{each.name: strip(str(each.default)) for each in fields(Joints)})
    scene = build_scene(
        pack_men(a=2, hand=3, off=4, bar=1),
        pack_men(b=5, bar=1, off=8),
        names=("1", "2"),
        title="3",
        status="4",
        note="5",
        dice=(Die(6, used=True), Die(2)),
        last=(SceneMove(0, 5), SceneMove(18, 23, hit=True)),
        luck=(3.0, -3.0),
        words=Words(**texts, joints=joints),  # type: ignore[arg-type]
    )
    for text in (
        describe_scene(scene),
        "\n".join(line for line in format_board(scene).splitlines() if "--" not in line),
    ):
        # Points are called by their letters in every language.
        rest = re.sub(r"⟦⟧|[0-9]|\b[a-z]\b", "", text)
        assert not re.search(r"[^\W_]", rest), rest


def test_a_special_position_is_named() -> None:
    assert "Black is lympolded. Ana throws." in describe_scene(
        build_scene(pack_men(a=15), pack_men(z=15), note="Black is lympolded")
    )


def test_a_board_in_plain_lines() -> None:
    scene = build_scene(
        pack_men(a=13, g=1, off=1),
        pack_men(z=14, bar=1),
        dice=(Die(6), Die(5, used=True)),
        last=(SceneMove(0, 6, hit=True),),
        turn=Side.GOLD,
        thrower=Side.GOLD,
    )
    # Gold's goal is t to z, black's f to a: 18 from a, 12 from g; 18 from z, 19 from the bar.
    assert format_board(scene).splitlines() == [
        "Gold: Ana, 246 pips",
        "Black: Ben, 271 pips",
        " a G13   g G1    z B14",
        "Gold: 1 borne off",
        "Black: 1 on the bar",
        "To play: 6.",
        "Used: 5.",
        "Last play: a to g (hit).",
    ]


def test_a_board_of_three_rows_in_plain_lines() -> None:
    rules = GAMES["duodecim-scripta"].rules
    start = build_scene(rules=rules, position=rules.start_position)
    assert format_board(start).splitlines()[2:4] == ["Gold: 15 in hand", "Black: 15 in hand"]
    names = ("a player of a name that is long", "Ben")
    lines = format_board(replace(start, names=names)).splitlines()
    # Nothing has to be scrolled sideways on a phone.
    assert max(map(len, lines)) <= 30


def describe_way(slug: str) -> str:
    """What is said of a game's directions, after all else."""
    rules = GAMES[slug].rules
    plain = Scene(rules, rules.start_position, ("Ana", "Ben"), "A title", "A status")
    shown = describe_scene(replace(plain, ways=True))
    assert shown.startswith(describe_scene(plain))
    return shown.removeprefix(describe_scene(plain)).strip()


def test_directions_are_said_while_they_are_drawn() -> None:
    assert describe_way("backgammon") == (
        "Gold moves from a to z; home is t to z. Black moves from z to a; home is a to f."
    )
    # Where a course goes on from the last letter to the first, it is said in parts.
    assert describe_way("verquere") == (
        "Gold moves from a to z; home is t to z. "
        "Black moves from n to z, from a to m; home is g to m."
    )
    assert describe_way("twelve-dogs") == ""
