"""Typed plays, printed plays."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.board import TABLES
from engine.move import Move
from engine.notation import format_play, list_remarks, parse_play
from engine.plays import list_legal_plays, list_next_moves
from engine.position import Position
from engine.refusal import Reason, Refusal
from engine.rules import Rules
from tests.engine.build import EMPEROR, LUDUS, build_position, expect_refusal, list_plays

START = "a15 z15 gold 6-5-2"
ENTERING = "a12,bar3 e1,z14 gold 6-5-2"
BEARING = "t1,x2,off12 a15 gold 6-3-3"


def parse_moves(typed: str, text: str, slug: str, **options: str) -> list[str]:
    """The moves understood, each as `6:a-g`."""
    return [
        f"{move.number}:{TABLES.place_names[move.source]}-{TABLES.place_names[move.target]}"
        for move in parse_play(typed, *build_position(text, slug, **options))
    ]


@pytest.mark.parametrize(
    "typed",
    [
        *(
            "a-g",
            "a/g",
            "a>g",
            "a->g",
            "a→g",
            "ag",
            "A-G",
            " a - g ",
            "a-g*",
            "a6",
            "6:a-g",
            "a-6",
            "a-g,",
            "a-g(1)",
        ),
        *(
            "a–g",
            "a — g",
            "a−g",
            "a\u2011g",
            "a ⇒ g",
            "a➡️g",
            "a ➔ g",
            "a»g",
            "a-->g",
            "a => g",
            "a to g",
            "\uff41\uff0d\uff47",
        ),
        *("24/18", "24-18", "24 to 18", "6:24/18", "24/18*", "24-g"),
    ],
)
def test_one_move_in_every_typed_form(typed: str) -> None:
    assert parse_moves(typed, START, "zeno") == ["6:a-g"]


@pytest.mark.parametrize(
    "typed",
    ["a-g-m", "a-g g-m", "agm", "a/g/m", "a-g; g-m", "a6 g5", "a-g,g5", "6:a-g 5:gm"],
)
def test_the_same_man_twice_in_a_row(typed: str) -> None:
    assert parse_moves(typed, START, "zeno") == ["6:a-g", "5:g-m"]


@pytest.mark.parametrize(
    "typed",
    [
        "bar-f bar-b",
        "bar/f bar/b",
        "*/f */b",
        "*f *b",
        "enter f enter b",
        "ENTER  f, bar-b",
        "bar6 bar2",
        "enter 6 enter 2",
        "bar/19 bar/23",
        "enter 19 *23",
    ],
)
def test_entering_in_every_typed_form(typed: str) -> None:
    assert parse_moves(typed, ENTERING, "zeno") == ["6:bar-f", "2:bar-b"]


def test_entering_takes_men_from_the_hand_where_none_is_on_the_bar() -> None:
    assert parse_moves("enter c", "hand15 hand15 gold 3", "pyf") == ["3:hand-c"]
    assert parse_moves("hand-c", "hand15 hand15 gold 3", "pyf") == ["3:hand-c"]
    assert parse_moves("enter c enter b", "hand14,bar1 hand15 gold 3-2", "pyf") == [
        "3:bar-c",
        "2:hand-b",
    ]


@pytest.mark.parametrize(
    "typed",
    [
        "t-off x-off(2)",
        "bear t bear x bear x",
        "t/off x-off x-off",
        "toff xoff(2)",
        "t6 x3 x3",
        "bear-t, bear x(2)",
        "6/off 3/off(2)",
        "bear 6 bear 3 bear 3",
    ],
)
def test_bearing_in_every_typed_form(typed: str) -> None:
    assert parse_moves(typed, BEARING, LUDUS) == ["6:t-off", "3:x-off", "3:x-off"]


@pytest.mark.parametrize(
    ("typed", "text", "slug", "options", "move"),
    [
        # Each side counts the pips its own man has still to go.
        ("24/18", "a15 z15 black 6", "zeno", {}, "6:z-s"),
        ("24/23", "a15 n15 black 1", "verquere", {}, "1:n-o"),
        ("12/7", "a15 z15 black 5", "medio-emperador", {}, "5:z-t"),  # half the board: 12 points
        ("17/15", "a1,z14 m1,t2,u3,w3,x3,y3 black 2", "laquet", {}, "2:u-x"),  # three tables: 18
        (
            "2/off",
            "b1,off14 hand15 gold 2",
            "paume-carie-one",
            {},
            "2:b-off",
        ),  # bears by the number that enters
        (
            "bar/6",
            "hand12 a1,hand10,bar1 black 6",
            "twelve-dogs",
            {},
            "6:bar-f",
        ),  # a die: the points are 1 to 6 too
        ("bar/20/15", "a14,bar1 z15 gold 5-5", "backgammon", {}, "5:bar-e 5:e-k"),
    ],
)
def test_points_may_be_typed_by_number(
    typed: str, text: str, slug: str, options: dict[str, str], move: str
) -> None:
    assert " ".join(parse_moves(typed, text, slug, **options)) == move


OPENING = "a2,m5,r3,t5 f5,h3,n5,z2 gold 6-3"
"""Backgammon's set-up with gold's first throw: 24 is a, 18 is g, 13 is m and 10 is p."""


@pytest.mark.parametrize(
    "typed",
    [
        # As GNU Backgammon, eXtreme Gammon and match files print it, with what stands around it.
        "63: 24/18 13/10",
        "6-3: 24/18 13/10",
        "6/3: 24/18 13/10",
        "63:24/18 13/10",
        "63 24/18 13/10",
        "  1) 63: 24/18 13/10  ",
        "12. 63: 24/18, 13/10.",
        "24/18! 13/10?",
        "24/18 13/10!?",
        "24/18 13/10 !?",
        "24/18 13/10 (best)",
        "(best) 24/18 13/10 (-0.025)",
        "24/18 13/10 [a good start]",
        "24/18 13/10 {Eq.: +0.01}",
        '24/18 13/10 "the best"',
        "24/18 13/10 # the book's play",
        "24/18 and 13/10",
        "24/18, then 13/10.",
        "24/18 & 13/10",
        "24/18 (1) 13/10",
        "\uff16\uff13\uff1a\u300024\uff0f18 13\u204410",
        "\u0662\u0664/\u0661\u0668 \u06f1\u06f3/\u06f1\u06f0",
    ],
)
def test_a_line_of_another_program_is_read(typed: str) -> None:
    assert parse_moves(typed, OPENING, "backgammon") == ["6:a-g", "3:m-p"]


def test_a_throw_before_the_moves_is_told_from_the_number_of_a_move() -> None:
    assert parse_moves("6: a-g", START, "zeno") == ["6:a-g"]
    assert parse_moves("652: a-g", START, "zeno") == ["6:a-g"]
    assert parse_moves("11: a-b", "a15 z15 gold 1-1", "backgammon") == ["1:a-b"]
    # Six and five are eleven, which this game adds up.
    assert parse_moves("11:f-r", "f15 z15 gold 6-5-1", "tabula", sums="bound") == ["11:f-r"]


@pytest.mark.parametrize(
    ("typed", "reason"), [("hello", Reason.UNREADABLE), (" ", Reason.NOTHING_TYPED)]
)
@pytest.mark.parametrize(("slug", "numbered"), [("duodecim-scripta", True), ("tabula", False)])
def test_a_refusal_of_what_means_nothing_says_how_the_points_are_named(
    typed: str, reason: Reason, slug: str, *, numbered: bool
) -> None:
    with pytest.raises(Refusal) as refusal:
        parse_play(typed, *build_position("hand15 hand15 gold 6", slug))
    assert refusal.value.reason is reason
    assert refusal.value.parts.get("numbered", False) is numbered


@pytest.mark.parametrize("typed", ["24/18*/13(2)", "24/18*/13/7(2)", "24/18(2)*"])
def test_hits_and_counts_are_read_as_they_are_printed(typed: str) -> None:
    with pytest.raises(Refusal) as refusal:
        parse_play(typed, *build_position(OPENING, "backgammon"))
    assert refusal.value.reason is not Reason.UNREADABLE


@pytest.mark.parametrize(
    "typed",
    [
        "Pass",
        "pass.",
        "63: pass",
        "no move",
        "6-3: No move.",
        "cannot move",
        "can\u2019t move",
        "dances",
    ],
)
def test_that_nothing_can_be_played_is_known_in_the_words_of_others(typed: str) -> None:
    with expect_refusal("your turn passes automatically when you can't move", Reason.COMMAND):
        parse_play(typed, *build_position(OPENING, "backgammon"))


ENGLISH = (
    "ace after all almost another any back bar beaver before best blot bold both break build "
    "but bye can come correct cube cut deep double down error even every fine first five for "
    "forced four from game gammon get give good have hit hits hold home how into joker just "
    "last lead let lose made make maybe more most move must need next not now off one only "
    "open other over pass place plan play point prime race right roll run running safe second "
    "she should side six some split start stay take than that the them there they think three "
    "through tie time try two under used very wait want was way well what when where which "
    "why will win with won wrong you zone"
)
"""Words that people write beside moves."""


@pytest.mark.parametrize("side", ["gold", "black"])
@pytest.mark.parametrize("word", ENGLISH.split())
def test_an_english_word_is_never_read_as_points(word: str, side: str) -> None:
    # Every point that a word could name has a man, and every number is thrown.
    men = "a2,b1,c1,d1,e1,f1,g1,h1,i1,k1,l1,m1,n1,o1"
    where = f"{men} x8,y7 gold 6-5" if side == "gold" else f"a8,b7 {_mirror_men(men)} black 6-5"
    with pytest.raises(Refusal) as refusal:
        parse_play(f"{word} a6", *build_position(where, "backgammon"))
    assert refusal.value.reason is Reason.UNREADABLE
    assert refusal.value.parts == {"typed": word}


def _mirror_men(men: str) -> str:
    """The same men as the other side has them."""
    names = TABLES.points
    groups = [(names[23 - names.index(group[0])], group[1:]) for group in men.split(",")]
    return ",".join(f"{name}{count}" for name, count in sorted(groups))


@pytest.mark.parametrize("word", ["go", "in", "no", "or", "do"])
def test_a_word_of_two_letters_is_a_move_only_among_such_moves(word: str) -> None:
    text = "d1,g1,i1,n1,o11 z15 gold 6-3"
    with expect_refusal(
        f"`{word}` isn't a move; type moves such as `a-g`, `a6`, `bar-c` or `t-off`"
    ):
        parse_play(f"o-p {word}", *build_position(text, "zeno"))


def test_numbers_are_the_board_s_own_where_it_has_them() -> None:
    (move,) = parse_play("1-7", *build_position("1:1,hand14 hand15 gold 6", "duodecim-scripta"))
    assert (move.source, move.target) == (0, 6)
    with expect_refusal("7-37: dice show 1 to 6, not 37"):
        parse_play("7-37", *build_position("1:1,hand14 hand15 gold 6", "duodecim-scripta"))


def test_v_is_read_as_u() -> None:
    assert parse_moves("v-x", EMPEROR, "zeno") == ["2:u-x"]


def test_a_part_of_the_play_may_be_typed() -> None:
    assert parse_moves("t-z", EMPEROR, "zeno") == ["5:t-z"]
    assert parse_moves("u-x k-q", EMPEROR, "zeno") == ["2:u-x", "6:k-q"]


def test_one_man_may_be_sent_the_whole_way() -> None:
    # a to o is 13 points: 6, 5 and 2 together, by whatever order, for nobody stands between.
    parts = parse_play("a-o", *build_position(START, "zeno"))
    assert (parts[0].source, parts[-1].target, sorted(move.number for move in parts)) == (
        0,
        13,
        [2, 5, 6],
    )


def test_several_men_may_make_the_same_move() -> None:
    assert parse_moves("a-d(3)", "a15 z15 gold 3-3-3", "zeno") == ["3:a-d"] * 3


def test_what_is_typed_after_a_win_does_not_matter() -> None:
    assert parse_moves("z-off z-off", "z1,off14 a15 gold 6-5", LUDUS) == ["6:z-off"]


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("", "type a move, such as `a-g` or `a6`"),
        (" , ; ", "type a move, such as `a-g` or `a6`"),
        ("a", "`a` isn't a move; type moves such as `a-g`, `a6`, `bar-c` or `t-off`"),
        ("bar c", "`bar` isn't a move; type moves such as `a-g`, `a6`, `bar-c` or `t-off`"),
        ("a-g what?", "`what?` isn't a move; type moves such as `a-g`, `a6`, `bar-c` or `t-off`"),
        ("19:a-g", "`19:a-g` isn't a move; type moves such as `a-g`, `a6`, `bar-c` or `t-off`"),
        ("(2)", "`(2)` isn't a move; type moves such as `a-g`, `a6`, `bar-c` or `t-off`"),
        ("a7", "a7: dice show 1 to 6, not 7"),
        ("a0", "a0: dice show 1 to 6, not 0"),
        ("a-j", "a-j: there's no point j on this board"),
        ("j-a", "j-a: there's no point j on this board"),
        ("a-6-5", "a-6-5: there's no point 6 on this board"),
        ("25/20", "25-20: there's no point 25; your points are numbered from 1 to 24"),
        ("24/0", "24-0: there's no point 0; your points are numbered from 1 to 24"),
        ("roll", "`roll` isn't a move; use the command `/roll`"),
        (" /Undo ", "`undo` isn't a move; use the command `/undo`"),
        ("resign", "`resign` isn't a move; use the command `/match resign`"),
        ("PASS", "your turn passes automatically when you can't move"),
        ("a-g(0)", "a-g(0): from 1 to 15 men can make the same move"),
        ("a-g(16)", "a-g(16): from 1 to 15 men can make the same move"),
        ("bear", "`bear` isn't a move; type moves such as `a-g`, `a6`, `bar-c` or `t-off`"),
    ],
)
def test_nonsense_is_refused_naming_the_part(typed: str, sentence: str) -> None:
    with expect_refusal(sentence):
        parse_play(typed, *build_position(START, "zeno"))


@pytest.mark.parametrize(
    ("typed", "text", "slug", "readings"),
    [
        # Either number bears a man off z, and the other is left.
        ("z-off", "z2,off13 a15 gold 6-1", LUDUS, ["6:z-off", "1:z-off"]),
        # k is nine points on: by 6 first the man hits on g, by 3 first it does not.
        ("a-k", "a15 g1,z14 gold 6-3", "zeno", ["6:a-g* 3:g-k", "3:a-d 6:d-k"]),
    ],
)
def test_what_could_mean_two_things_is_refused_with_the_readings(
    typed: str, text: str, slug: str, readings: list[str]
) -> None:
    sentence = " or ".join(f"`{reading}`" for reading in readings)
    with expect_refusal(f"`{typed}` could mean {sentence}", Reason.AMBIGUOUS) as refusal:
        parse_play(typed, *build_position(text, slug))
    assert list(refusal.value.legal) == readings


def test_naming_the_number_or_the_way_settles_it() -> None:
    assert parse_moves("1:z-off", "z2,off13 a15 gold 6-1", LUDUS) == ["1:z-off"]
    assert parse_moves("z6", "z2,off13 a15 gold 6-1", LUDUS) == ["6:z-off"]
    assert parse_moves("a-g-k", "a15 g1,z14 gold 6-3", "zeno") == ["6:a-g", "3:g-k"]


def test_what_follows_can_settle_it() -> None:
    assert sorted(parse_moves("z-off(2)", "z2,off13 a15 gold 6-1", LUDUS)) == ["1:z-off", "6:z-off"]


def test_a_reading_that_ends_the_game_early_does_not_stop_the_other() -> None:
    # By 2 first (over s, hitting) w closes black's last entry and wins;
    # by 3 first the 1 can still be played.
    text = "a3,q1,t2,u2,w1,x2,y2,z2 b14,s1 gold 3-2-1"
    options = {"blockade": "wins", "dice": "three-plain"}
    assert parse_moves("q-w t-u", text, LUDUS, **options) == ["3:q-t", "2:t-w", "1:t-u"]


@pytest.mark.parametrize(
    ("moves", "text", "slug", "printed"),
    [
        ([Move(0, 6, 6), Move(6, 11, 5)], START, "zeno", "a-g-m"),
        ([Move(0, 6, 6), Move(0, 5, 5)], START, "zeno", "a-g a-f"),
        ([Move(0, 3, 3), Move(0, 3, 3)], "a15 z15 gold 3-3-3", "zeno", "a-d(2)"),
        ([Move(0, 6, 6, hit=True), Move(6, 9, 3)], "a15 g1,z14 gold 6-3", "zeno", "a-g*-k"),
        ([Move(0, 3, 3, hit=True), Move(0, 3, 3)], "a15 d1,z14 gold 3-3", "zeno", "a-d* a-d"),
        ([Move(26, 4, 5, hit=True)], ENTERING, "zeno", "bar-e*"),
        (
            [Move(24, 2, 3), Move(24, 2, 3), Move(24, 2, 3)],
            "hand15 hand15 gold 3-3-3",
            "pyf",
            "hand-c(3)",
        ),
        # On the last man either number would do, so the one used is named;
        # on a man at t only the 6 does.
        ([Move(23, 25, 1)], "z2,off13 a15 gold 6-1", LUDUS, "1:z-off"),
        ([Move(18, 25, 6)], "t1,z1,off13 a15 gold 6-1", LUDUS, "t-off"),
        ([Move(17, 18, 1), Move(18, 25, 6)], "s1,off14 a15 gold 6-1", LUDUS, "s-t-off"),
        ([Move(17, 20, 3), Move(20, 25, 6)], "s1,off14 a15 gold 6-5-3", LUDUS, "s-w 6:w-off"),
        ([Move(23, 25, 6), Move(23, 25, 6)], "z3,off12 a15 gold 6-6-1", LUDUS, "6:z-off(2)"),
        ([], START, "zeno", ""),
    ],
)
def test_printing(moves: list[Move], text: str, slug: str, printed: str) -> None:
    assert format_play(tuple(moves), *build_position(text, slug)) == printed


def test_spelt_out_every_number_is_named() -> None:
    moves = (Move(0, 6, 6), Move(6, 11, 5))
    assert format_play(moves, *build_position(START, "zeno"), spell_out=True) == "6:a-g 5:g-m"


def test_the_emperors_play_in_print() -> None:
    assert list_plays(EMPEROR, "zeno") == ["k-q t-z u-x"]


TYPED = st.one_of(
    st.text(max_size=40),
    st.lists(
        st.sampled_from(
            [
                *TABLES.place_names,
                *"123456",
                "24",
                "18",
                "–",
                "to ",
                "-",
                "/",
                ">",
                " ",
                ",",
                "*",
                "(2)",
                "6:",
                "enter ",
                "bear ",
                "v",
            ]
        ),
        max_size=14,
    ).map("".join),
)


@settings(deadline=None)
@given(
    TYPED,
    st.sampled_from(
        [
            build_position(START, "zeno"),
            build_position(EMPEROR, "zeno"),
            build_position(ENTERING, "zeno"),
            build_position(BEARING, LUDUS),
            build_position("t1,w1,off13 hand15 gold 5-4-1", "pyf"),
            build_position("hand14,bar1 a1,hand14 gold 3-3-1", "pyf"),
            build_position("a1,hand11 b1,hand11 black 2-1", "twelve-dogs"),
            build_position("a15 z15 gold -", "zeno"),
        ]
    ),
)
@example("a" + "9" * 5000, build_position(START, "zeno"))
@example(f"a-g({'9' * 5000})", build_position(START, "zeno"))
@example("off6", build_position(BEARING, LUDUS))
@example("a-hand", build_position(START, "zeno"))
@example("enter-off", build_position(ENTERING, "zeno"))
def test_whatever_is_typed_is_a_legal_move_or_refused(
    typed: str, where: tuple[Rules, Position]
) -> None:
    known, position = where
    try:
        moves = parse_play(typed, known, position)
    except Refusal:
        return
    assert moves[0] in list_next_moves(known, position)


def test_a_game_that_remembers_nothing_has_no_remarks() -> None:
    rules, position = build_position(START, "zeno")
    plays = list_legal_plays(rules, position)
    assert len(plays) > 1
    assert list_remarks(plays, rules) == [None] * len(plays)
