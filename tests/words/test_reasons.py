"""Why the rules refuse something: every reason has a text.

What people typed stands in it unchanged.
"""

from pathlib import Path
from typing import Any

import pytest

from bot.translations import template
from bot.words.reader import Reader, reader_for
from bot.words.reasons import reason
from bot.words.refusals import refused
from engine.match import Phase
from engine.pasted import COMMANDS
from engine.position import Side
from engine.refusal import Reason, Refusal
from tests.words.pseudo import LOCALE, pseudo_folder

GOLD, BLACK = Side
FIELDS = (
    "a position has four fields, gold's men, black's men, the turn and the dice, "
    "and a fifth where a game remembers more"
)
READINGS = ("6:z-off", "1:z-off", "z-y-off")
SAID = (
    (Refusal(Reason.NOTHING_TYPED), "there is no move in that; a move is typed as `a-g` or `a6`"),
    (
        Refusal(Reason.UNREADABLE, typed="x"),
        "`x` is no move; a move is typed as `a-g`, `a6`, `bar-c` or `t-off`",
    ),
    (
        Refusal(Reason.AMBIGUOUS, READINGS, typed="z-off"),
        "`z-off` could mean `6:z-off` or `1:z-off` or `z-y-off`",
    ),
    (Refusal(Reason.COMMAND, word="roll"), "`roll` is no move but a command: `/roll`"),
    (Refusal(Reason.COMMAND, word="throw"), "the dice are thrown by a command: `/roll`"),
    (Refusal(Reason.COMMAND, word="undo"), "`undo` is no move but a command: `/undo`"),
    (Refusal(Reason.COMMAND, word="take back"), "moves are taken back by a command: `/undo`"),
    (Refusal(Reason.COMMAND, word="resign"), "`resign` is no move but a command: `/resign`"),
    (Refusal(Reason.COMMAND, word="pass"), "a turn passes by itself, when nothing can be played"),
    (
        Refusal(Reason.TOO_OFTEN, move="a-g(0)", most=15),
        "a-g(0): between 1 and 15 men can make the same move",
    ),
    (Refusal(Reason.NO_POINT, name="j"), "j is no point of this board"),
    (Refusal(Reason.NO_POINT, move="a-j", name="j"), "a-j: j is no point of this board"),
    (
        Refusal(Reason.NO_POINT_NUMBER, move="25-20", side=GOLD, number="25", most=24),
        "25-20: gold has no point 25, only 1 to 24",
    ),
    (Refusal(Reason.NO_DIE_NUMBER, move="a7", number="7"), "a7: dice show 1 to 6, not 7"),
    (Refusal(Reason.NO_MAN, side=GOLD, place="b"), "gold has no man on b"),
    (
        Refusal(Reason.NO_MAN, move="hand-b", side=BLACK, place="hand"),
        "hand-b: black has no man in hand",
    ),
    (
        Refusal(Reason.NO_MAN, move="bar-b", side=BLACK, place="bar-tz"),
        "bar-b: black has no man on the bar",
    ),
    (Refusal(Reason.NOTHING_LEFT, move="a-b"), "a-b: no number is left to play"),
    (Refusal(Reason.TAKES, move="a-g", number=6, dice=(5,)), "a-g: that takes a 6, and 5 is left"),
    (
        Refusal(Reason.TAKES, move="a-i", number=8, dice=(5, 4)),
        "a-i: that takes an 8, and 5, 4 are left",
    ),
    (Refusal(Reason.NOT_THERE, move="3:a-g", number=3), "3:a-g: a 3 does not lead there"),
    (Refusal(Reason.NOT_THERE, move="11:a-g", number=11), "11:a-g: an 11 does not lead there"),
    (
        Refusal(Reason.NO_WAY, move="b-a", side=GOLD, dice=(6, 1)),
        "b-a: no numbers left (6, 1) lead there, each a legal step for gold",
    ),
    (
        Refusal(Reason.WAYS_CLOSED, move="a-m", side=GOLD, dice=(6, 5)),
        "a-m: every way there with 6, 5 meets a point that is closed to gold",
    ),
    (Refusal(Reason.PAST_END, move="x6", number=6), "x6: a 6 leads past the end of the course"),
    (
        Refusal(Reason.BLOCKED, move="k-p", side=BLACK, place="p", count=2),
        "k-p: black holds p with 2 men",
    ),
    (
        Refusal(Reason.BLOCKED, move="k-p", side=BLACK, place="p", count=1),
        "k-p: black holds p with 1 man",
    ),
    (
        Refusal(Reason.SINGLE, move="c1", side=GOLD, place="d"),
        "c1: gold may not bring a second man to d, on its own side",
    ),
    (
        Refusal(Reason.FULL, move="hand-a", place="a", count=2),
        "hand-a: a holds 2 men already, the most it may",
    ),
    (
        Refusal(Reason.BAR_FIRST, move="a-g", side=GOLD, count=1),
        "a-g: gold has 1 man on the bar, which must enter first",
    ),
    (
        Refusal(Reason.BAR_IF_ABLE, move="a-g", side=GOLD, count=2),
        "a-g: gold has 2 men on the bar, and a number left can enter one",
    ),
    (
        Refusal(Reason.PLACING, move="a-g", side=GOLD),
        "a-g: no man moves before all of gold's men have entered",
    ),
    (
        Refusal(Reason.PLACING_HALF, move="m-n", side=GOLD),
        "m-n: no man goes past the middle of the course before all of gold's men have entered",
    ),
    (
        Refusal(Reason.OWN_START, move="y-z", place="z"),
        "y-z: a man on his own start point, z, cannot be hit",
    ),
    (
        Refusal(Reason.RETURN, move="a-b", side=GOLD, place="z"),
        "a-b: the man there cannot be hit, for gold stands on z, where he would go",
    ),
    (
        Refusal(Reason.ONLY_ENTERING, move="a-b"),
        "a-b: men do not move in this game, they only enter",
    ),
    (
        Refusal(Reason.ONLY_BEARING, move="t5"),
        "t5: a man in the last table moves only by being borne off",
    ),
    (
        Refusal(Reason.OUTSIDE, move="t-off", side=GOLD, count=1),
        "t-off: gold has 1 man outside its bearing table, so none may be borne off",
    ),
    (
        Refusal(Reason.GATE, move="t-off", side=GOLD, due=12, home=10),
        "t-off: gold bears men off once 12 stand in its bearing table, and 10 do",
    ),
    (
        Refusal(Reason.FARTHER_BACK, move="w-off", number=5, place="w", back="t"),
        "w-off: a 5 may not bear off w while a man stands farther back, on t",
    ),
    (
        Refusal(Reason.WASTES, move="m-r"),
        "m-r: as many numbers as possible must be used, the higher first, and this would waste one",
    ),
    (
        Refusal(Reason.TOO_FEW),
        "that play does not use as many numbers as can be used, the higher first",
    ),
    (Refusal(Reason.NO_MOVES), "a play has at least one move"),
    (Refusal(Reason.OVER), "the match is over"),
    (Refusal(Reason.WAITS, phase=Phase.BATTLE), "the roll battle comes first"),
    (Refusal(Reason.WAITS, phase=Phase.OPENING), "the side that begins chooses first"),
    (Refusal(Reason.WAITS, phase=Phase.CONTEST), "both sides throw first for who breaks a point"),
    (Refusal(Reason.WAITS, phase=Phase.BREAK), "the winner says first which point is broken"),
    (Refusal(Reason.WAITS, phase=Phase.THROW), "the dice are to be thrown first"),
    (Refusal(Reason.WAITS, phase=Phase.CHOOSE), "a die is to be turned to a six first"),
    (Refusal(Reason.WAITS, phase=Phase.PLAY), "the throw is to be played first"),
    (
        Refusal(Reason.WAITS, phase=Phase.OFFER),
        "the numbers that could not be played are to be used or left first",
    ),
    (Refusal(Reason.CAN_PLAY), "a turn passes only when nothing can be played"),
    (
        Refusal(Reason.TAKE_BACK),
        "there is nothing to take back: only what was decided since the throw",
    ),
    (Refusal(Reason.NO_DIE, value="3", dice=(1, 2)), "no die shows 3: turn one of 1, 2"),
    (
        Refusal(Reason.OTHER_CHOICE, choice="table", what="six"),
        "the choice now is the table, not six",
    ),
    (Refusal(Reason.DRAW_EARLY), "a draw can be offered once the dice have been thrown for a turn"),
    (
        Refusal(Reason.DRAW_AGAIN, side=GOLD),
        "gold has offered a draw, and may do so again after its next throw",
    ),
    (
        Refusal(Reason.DRAW_STANDS, side=BLACK),
        "black is offered a draw itself, to be accepted or declined",
    ),
    (Refusal(Reason.NO_DRAW, side=GOLD), "no draw is offered to gold"),
    (
        Refusal(Reason.NO_SEAT, side=BLACK),
        "only a seat of a team can be handed over, and black has none of that number",
    ),
    (Refusal(Reason.GAME, name="chess"), "chess is not a game here; `/rules` shows those that are"),
    (Refusal(Reason.GAME, ("Zeno",), name="zenno"), "zenno is not a game here; did you mean Zeno?"),
    (
        Refusal(Reason.EDITION, game="zeno", edition=7, known=(1, 2)),
        "Zeno is played here by edition 1, 2 of its rules, not by edition 7",
    ),
    (
        Refusal(Reason.OPTION, game="zeno", name="dice", known=("goal", "unusable")),
        "Zeno has no option dice; it has goal, unusable",
    ),
    (
        Refusal(Reason.OPTION, game="zeno", name="dice", known=()),
        "Zeno has no option dice; it has none",
    ),
    (
        Refusal(Reason.OPTION, ("goal",), game="zeno", name="gaol", known=("goal",)),
        "Zeno has no option gaol; did you mean goal?",
    ),
    (
        Refusal(Reason.VALUE, option="goal", name="all", known=("table", "off")),
        "goal cannot be all; it is one of table, off",
    ),
    (
        Refusal(Reason.VALUE, ("three", "three-plain"), option="dice", name="Three", known=()),
        "dice cannot be Three; did you mean three or three-plain?",
    ),
    (
        Refusal(Reason.STARTER_CHOOSES, option="table"),
        "table is chosen by the side that begins, when the match starts",
    ),
    (
        Refusal(Reason.OPTION_FORM, option="dice", value="three"),
        "options are typed as `name=value`, such as `dice=three`",
    ),
    (
        Refusal(Reason.FIELDS),
        FIELDS,
    ),
    (Refusal(Reason.TURN, typed="red"), "turn is gold or black, not red"),
    (
        Refusal(Reason.MEN, side=GOLD, typed="a0"),
        "gold lists men as a15 or hand3, with commas between; a0 is neither",
    ),
    (Refusal(Reason.MEN_PLACE, side=GOLD, name="j"), "gold names j, which this board lacks"),
    (
        Refusal(Reason.MEN_NEVER, side=GOLD, place="hand"),
        "gold has men on hand, where in this game none of its men can be",
    ),
    (Refusal(Reason.MEN_TWICE, side=GOLD, place="a"), "gold names a twice"),
    (
        Refusal(Reason.MEN_COUNT, side=BLACK, count=14, men=15),
        "black has 14 men, but this game is played with 15 a side",
    ),
    (
        Refusal(Reason.MEN_COUNT, side=BLACK, count=1, men=15),
        "black has 1 man, but this game is played with 15 a side",
    ),
    (Refusal(Reason.BOTH_HOLD, place="a"), "black stands on a, which gold holds"),
    (Refusal(Reason.MEN_LIMIT, place="a", most=2), "a holds at most 2 men in this game"),
    (
        Refusal(Reason.MEN_DOUBLED, side=GOLD, place="c", count=2),
        "gold has 2 men on c, where it may bring no second one",
    ),
    (Refusal(Reason.OFF_EARLY, side=GOLD), "gold has borne men off while others have not come in"),
    (
        Refusal(Reason.OFF_OUTSIDE, side=GOLD),
        (
            "gold has borne men off while others are outside its bearing table, "
            "though nothing is hit in this game"
        ),
    ),
    (
        Refusal(Reason.PILED, side=GOLD, count=11),
        "gold has 11 men on top of others, but not a lower one on each point",
    ),
    (
        Refusal(Reason.BEYOND_ENTRY, side=GOLD),
        "gold has men beyond its entry table while others have not come in",
    ),
    (
        Refusal(Reason.BEYOND_MIDDLE, side=GOLD),
        "gold has men past the middle of the course while others have not come in",
    ),
    (
        Refusal(Reason.SET_BACK, side=BLACK),
        "black has men farther back than they began, though nothing is hit in this game",
    ),
    (Refusal(Reason.BOTH_WON), "black has won, and so has gold"),
    (
        Refusal(Reason.DICE, typed="7-1"),
        "dice are numbers from 1 to 6 joined by -, or - alone; 7-1 is neither",
    ),
    (Refusal(Reason.DICE_NEVER, typed="6-5"), "dice show 6-5, which this game cannot throw"),
    (
        Refusal(Reason.NO_MEMORY, typed="x=1"),
        "memory is x=1, but this game remembers no more than where men stand",
    ),
    (Refusal(Reason.MEMORY_EMPTY, typed="x=1"), "memory is empty in this position, not x=1"),
    (
        Refusal(Reason.MEMORY, typed="x=1", known=("placed=a", "placed=b")),
        "memory is one of placed=a, placed=b in this position, not x=1",
    ),
    (
        Refusal(Reason.ENCODING),
        "the input is not in UTF-8; a request is one JSON object on one line, in UTF-8",
    ),
    (Refusal(Reason.REQUEST), "a request is one JSON object on one line"),
    (Refusal(Reason.DO, known=("games", "start")), "do is one of games, start"),
    (Refusal(Reason.FIELD, name="game", kind="str"), "game is missing, or no str"),
    (Refusal(Reason.OPTIONS), 'options are given as {"dice": "two-and-six"}'),
    (Refusal(Reason.NO_DICE), "dice are needed to list plays, such as 6-5-2"),
    (Refusal(Reason.GAME_OVER), "the game is over in this position"),
    (
        Refusal(Reason.PACE, typed="soon", known=("none", "live")),
        (
            "there is no pace `soon`: it is one of `none`, `live`, "
            "or a time for the whole match and what each turn adds to it, as `30m+20s`"
        ),
    ),
    (Refusal(Reason.LEVEL, known=("a", "b")), "level is one of a, b"),
    (Refusal(Reason.GAMES, most=100), "games is from 1 to 100"),
)


@pytest.mark.parametrize(("refusal", "sentence"), SAID)
def test_each_reason_is_told_in_a_sentence(refusal: Refusal, sentence: str) -> None:
    assert reason(Reader.ENGLISH, refusal) == sentence


@pytest.mark.parametrize("part", ["typed", "name", "move"])
def test_of_a_long_line_only_the_beginning_is_repeated(part: str) -> None:
    line = "x" * 200
    parts: dict[str, Any] = {"typed": "x", "name": "x", part: line}
    why = Reason.UNREADABLE if part == "typed" else Reason.NO_POINT
    for told in (
        reason(Reader.ENGLISH, Refusal(why, **parts)),
        refused(Reader.ENGLISH, Refusal(why, **parts)),
    ):
        assert "x" * 39 + "…" in told
        assert "x" * 40 not in told


def test_no_reason_is_without_words() -> None:
    assert {refusal.reason for refusal, _ in SAID} == set(Reason)
    assert {refusal.parts["phase"] for refusal, _ in SAID if refusal.reason is Reason.WAITS} == set(
        Phase
    ) - {Phase.OVER}
    assert {
        refusal.parts["word"] for refusal, _ in SAID if refusal.reason is Reason.COMMAND
    } == set(COMMANDS)


def test_nothing_of_them_stays_in_english(tmp_path: Path) -> None:
    foreign = reader_for(LOCALE, pseudo_folder(tmp_path, template()))
    for refusal, _ in SAID:
        told = reason(foreign, refusal)
        assert (told[0], told[-1]) == ("«", "»")
        assert f"«{refusal.parts.get('side', '')}" in told


@pytest.mark.parametrize(
    ("refusal", "told"),
    [
        (Refusal(Reason.OVER), "The match is over."),
        (
            Refusal(Reason.BLOCKED, ("k-q", "t-z"), move="k-p", side=BLACK, place="p", count=2),
            "`k-p`: black holds p with 2 men. Legal now: `k-q`, `t-z`.",
        ),
        (
            Refusal(Reason.GAME, ("Zeno",), name="zenno"),
            "Zenno is not a game here; did you mean Zeno?",
        ),
        (
            Refusal(Reason.AMBIGUOUS, READINGS[:2], typed="z-off"),
            "`z-off` could mean `6:z-off` or `1:z-off`.",
        ),
    ],
)
def test_people_read_it_as_a_sentence_with_what_would_be_legal(refusal: Refusal, told: str) -> None:
    assert refused(Reader.ENGLISH, refusal) == told


def test_what_somebody_typed_calls_nobody() -> None:
    assert "@everyone" not in refused(Reader.ENGLISH, Refusal(Reason.UNREADABLE, typed="@everyone"))
    assert "{0}" in refused(Reader.ENGLISH, Refusal(Reason.UNREADABLE, typed="{0}"))
