"""Why the rules refuse something: every reason has a text.

What people typed stands in it unchanged.
"""

from pathlib import Path
from typing import Any

import pytest

from bot.features.matches.session import NotYourTurnError
from bot.platform.i18n.reader import Reader, load_reader
from bot.platform.i18n.refusals import explain_refusal, format_refusal
from bot.platform.people import DiscordPerson, build_computer_person
from engine.match import Phase
from engine.players.level import Level
from engine.position import Side
from engine.refusal import Reason, Refusal
from engine.typed import COMMAND_WORDS
from tests.support.pseudo import LOCALE, compile_pseudo_folder, read_template
from tests.words.build import compile_texts

GOLD, BLACK = Side
FIELDS = (
    "a position has four fields (gold's men, black's men, the turn, the dice) and, in some games, "
    "a fifth (the memory)"
)
TEAMS = {BLACK: [DiscordPerson(1, "Ana"), DiscordPerson(2, "Ben")]}
READINGS = ("6:z-off", "1:z-off", "z-y-off")
SENTENCES = (
    (Refusal(Reason.NOTHING_TYPED), "type a move, such as `a-g` or `a6`"),
    (
        Refusal(Reason.UNREADABLE, typed="x"),
        "`x` isn't a move; type moves such as `a-g`, `a6`, `bar-c` or `t-off`",
    ),
    (Refusal(Reason.NOTHING_TYPED, numbered=True), "type a move, such as `1-4` or `hand-3`"),
    (
        Refusal(Reason.UNREADABLE, typed="x", numbered=True),
        "`x` isn't a move; type moves such as `1-4`, `hand-3` or `33-off`",
    ),
    (
        Refusal(Reason.AMBIGUOUS, READINGS, typed="z-off"),
        "`z-off` could mean `6:z-off`, `1:z-off` or `z-y-off`",
    ),
    (Refusal(Reason.COMMAND, word="roll"), "`roll` isn't a move; use the command `/roll`"),
    (Refusal(Reason.COMMAND, word="throw"), "use `/roll` to roll the dice"),
    (Refusal(Reason.COMMAND, word="undo"), "`undo` isn't a move; use the command `/undo`"),
    (Refusal(Reason.COMMAND, word="take back"), "use `/undo` to take back a move"),
    (
        Refusal(Reason.COMMAND, word="resign"),
        "`resign` isn't a move; use the command `/match resign`",
    ),
    (Refusal(Reason.COMMAND, word="pass"), "your turn passes automatically when you can't move"),
    (
        Refusal(Reason.TOO_OFTEN, move="a-g(0)", most=15),
        "a-g(0): from 1 to 15 men can make the same move",
    ),
    (Refusal(Reason.NO_POINT, name="j"), "there's no point j on this board"),
    (Refusal(Reason.NO_POINT, move="a-j", name="j"), "a-j: there's no point j on this board"),
    (
        Refusal(Reason.NO_POINT_NUMBER, move="25-20", side=GOLD, number="25", most=24),
        "25-20: there's no point 25; your points are numbered from 1 to 24",
    ),
    (Refusal(Reason.NO_DIE_NUMBER, move="a7", number="7"), "a7: dice show 1 to 6, not 7"),
    (Refusal(Reason.NO_MAN, side=GOLD, place="b"), "you have no man on b"),
    (
        Refusal(Reason.NO_MAN, move="hand-b", side=BLACK, place="hand"),
        "hand-b: you have no man in hand",
    ),
    (
        Refusal(Reason.NO_MAN, move="bar-b", side=BLACK, place="bar-tz"),
        "bar-b: you have no man on the bar",
    ),
    (Refusal(Reason.THEIRS, move="m-r", side=BLACK, place="m"), "m-r: the men on m are black's"),
    (
        Refusal(Reason.THEIRS, move="m-r", side=BLACK, place="m", players=TEAMS),
        "m-r: the men on m are Ana and Ben's",
    ),
    (Refusal(Reason.NOTHING_LEFT, move="a-b"), "a-b: you have no number left to play"),
    (
        Refusal(Reason.TAKES, move="a-g", number=6, dice=(5,)),
        "a-g: you have no 6; only a 5 is left",
    ),
    (
        Refusal(Reason.TAKES, move="a-i", number=8, dice=(5, 4)),
        "a-i: you have no 8; 5 and 4 are left",
    ),
    (Refusal(Reason.NOT_THERE, move="3:a-g", number=3), "3:a-g: a 3 doesn't lead there"),
    (Refusal(Reason.NOT_THERE, move="11:a-g", number=11), "11:a-g: an 11 doesn't lead there"),
    (
        Refusal(Reason.BACKWARDS, move="f-h", first="z", last="a"),
        "f-h: that's backwards; your men move from z to a",
    ),
    (
        Refusal(Reason.NO_WAY, move="b-y", side=GOLD, dice=(5,)),
        "b-y: only a 5 is left, and it doesn't lead there",
    ),
    (
        Refusal(Reason.NO_WAY, move="b-a", side=GOLD, dice=(6, 1)),
        "b-a: only 6 and 1 are left, and they don't lead there, alone or together",
    ),
    (
        Refusal(Reason.WAYS_CLOSED, move="a-m", side=GOLD, dice=(6, 5)),
        "a-m: every way there with 6 and 5 is blocked",
    ),
    (Refusal(Reason.PAST_END, move="x6", number=6), "x6: a 6 leads past the end of the board"),
    (
        Refusal(Reason.BLOCKED, move="k-p", side=BLACK, place="p", count=2),
        "k-p: p is blocked by 2 of black's men",
    ),
    (
        Refusal(Reason.BLOCKED, move="k-p", side=BLACK, place="p", count=1),
        "k-p: p is blocked by one of black's men",
    ),
    (
        Refusal(Reason.SINGLE, move="c1", side=GOLD, place="d"),
        "c1: you can't have a second man on d, on your own side of the board",
    ),
    (
        Refusal(Reason.FULL, move="hand-a", place="a", count=2),
        "hand-a: a already holds 2 men, the most allowed",
    ),
    (
        Refusal(Reason.BAR_FIRST, move="a-g", side=GOLD, count=1),
        "a-g: you have 1 man on the bar, which must enter first",
    ),
    (
        Refusal(Reason.BAR_IF_ABLE, move="a-g", side=GOLD, count=2),
        "a-g: you have 2 men on the bar and can enter one, so that comes first",
    ),
    (
        Refusal(Reason.PLACING, move="a-g", side=GOLD),
        "a-g: you can't move men on the board until all your men have entered",
    ),
    (
        Refusal(Reason.PLACING_HALF, move="m-n", side=GOLD),
        "m-n: you can't pass the middle of the board until all your men have entered",
    ),
    (
        Refusal(Reason.OWN_START, move="y-z", place="z"),
        "y-z: a man on its own starting point, z, can't be hit",
    ),
    (
        Refusal(Reason.RETURN, move="a-b", side=GOLD, place="z"),
        "a-b: you can't hit this man, because it would return to z, where you have men",
    ),
    (
        Refusal(Reason.BANNED, move="a-b", game="tabula", word="placed", parts={"point": "g"}),
        "a-b: only the man just placed on g goes on",
    ),
    (
        Refusal(Reason.ONLY_ENTERING, move="a-b"),
        "a-b: men don't move in this game; they only enter",
    ),
    (
        Refusal(Reason.ONLY_BEARING, move="t5"),
        "t5: men in the last table can only be borne off",
    ),
    (Refusal(Reason.NEVER_OFF, move="f-off"), "f-off: men aren't borne off in this game"),
    (
        Refusal(Reason.OUTSIDE, move="t-off", side=GOLD, count=1),
        "t-off: you can bear off only when all your men are home, and 1 isn't",
    ),
    (
        Refusal(Reason.GATE, move="t-off", side=GOLD, due=12, home=10),
        "t-off: you can bear off only when 12 of your men are home (so far 10)",
    ),
    (
        Refusal(Reason.FARTHER_BACK, move="w-off", number=5, place="w", back="t"),
        "w-off: a 5 can't bear off w while you have a man farther back, on t",
    ),
    (
        Refusal(Reason.TO_ENTER, move="6+6:q-off", number=12, place="q"),
        "6+6:q-off: a 12 can't bear off q while you have a man to enter",
    ),
    (
        Refusal(Reason.WASTES, move="m-r"),
        "m-r: this wastes a number; you must play as many as you can, the higher ones first",
    ),
    (
        Refusal(Reason.TOO_FEW),
        "this play isn't legal; you must play as many numbers as you can, the higher ones first",
    ),
    (Refusal(Reason.NO_MOVES), "a play has at least one move"),
    (Refusal(Reason.OVER), "the match is over"),
    (Refusal(Reason.WAITS, phase=Phase.BATTLE), "the opening roll comes first"),
    (Refusal(Reason.WAITS, phase=Phase.OPENING), "the starting side has to choose first"),
    (
        Refusal(Reason.WAITS, phase=Phase.BREAK_ROLL),
        "both sides have to roll first to decide who breaks a point",
    ),
    (
        Refusal(Reason.WAITS, phase=Phase.BREAK),
        "the winner of the roll has to choose first which point to break",
    ),
    (Refusal(Reason.WAITS, phase=Phase.THROW), "roll first"),
    (Refusal(Reason.WAITS, phase=Phase.CHOOSE), "first choose the die to turn to a six"),
    (Refusal(Reason.WAITS, phase=Phase.PLAY), "the dice are rolled; play the throw first"),
    (
        Refusal(Reason.WAITS, phase=Phase.OFFER),
        "first use or leave the numbers that your opponent couldn't play",
    ),
    (Refusal(Reason.CAN_PLAY), "a turn passes only when nothing can be played"),
    (
        Refusal(Reason.TAKE_BACK),
        "there's nothing to take back since the last throw",
    ),
    (Refusal(Reason.NO_DIE, value="3", dice=(1, 2)), "no die shows 3; choose 1 or 2"),
    (
        Refusal(Reason.OTHER_CHOICE, choice="table", what="six"),
        "the choice to make now is `table`, not `six`",
    ),
    (Refusal(Reason.DRAW_EARLY), "a draw can be offered only after the first throw"),
    (
        Refusal(Reason.DRAW_AGAIN, side=GOLD),
        "you've already offered a draw; you can offer one again after your next throw",
    ),
    (
        Refusal(Reason.DRAW_STANDS, side=BLACK),
        "you've been offered a draw; accept or decline that one first",
    ),
    (
        Refusal(Reason.ABORT_LATE),
        (
            "the match is past its first two turns; `/match resign` gives it up, "
            "`/match draw` offers a draw"
        ),
    ),
    (Refusal(Reason.NO_DRAW, side=GOLD), "you haven't been offered a draw"),
    (
        Refusal(Reason.NO_SEAT, side=BLACK),
        "only a team's seat can be handed over",
    ),
    (Refusal(Reason.GAME, name="chess"), "there's no game called chess; `/rules` lists all games"),
    (
        Refusal(Reason.GAME, ("Zeno",), name="zenno"),
        "there's no game called zenno; did you mean Zeno?",
    ),
    (
        Refusal(Reason.EDITION, game="zeno", edition=7, known=(1, 2)),
        "Zeno has no edition 7 of its rules here, only editions 1 and 2",
    ),
    (
        Refusal(Reason.OPTION, game="zeno", name="dice", known=("goal", "unusable")),
        "Zeno has no option dice; its options are `goal` and `unusable`",
    ),
    (
        Refusal(Reason.OPTION, game="zeno", name="dice", known=()),
        "Zeno has no options, so dice can't be set",
    ),
    (
        Refusal(Reason.OPTION, ("goal",), game="zeno", name="gaol", known=("goal",)),
        "Zeno has no option gaol; did you mean `goal`?",
    ),
    (
        Refusal(Reason.VALUE, option="goal", name="all", known=("table", "off")),
        "`goal` can be `table` or `off`, but not all",
    ),
    (
        Refusal(Reason.VALUE, ("three", "three-plain"), option="dice", name="Three", known=()),
        "`dice` can't be Three; did you mean `three` or `three-plain`?",
    ),
    (
        Refusal(Reason.STARTER_CHOOSES, option="table"),
        "`table` can't be agreed in advance; the starting side chooses it",
    ),
    (
        Refusal(Reason.OPTION_FORM, option="dice", value="three"),
        "type options as `name=value`, such as `dice=three`",
    ),
    (
        Refusal(Reason.FIELDS),
        FIELDS,
    ),
    (Refusal(Reason.TURN, typed="red"), "the turn must be `gold` or `black`, not `red`"),
    (
        Refusal(Reason.MEN, side=GOLD, typed="a0"),
        "list gold's men as `a15` or `hand3`, separated by commas; `a0` is neither",
    ),
    (
        Refusal(Reason.MEN_PLACE, side=GOLD, name="j"),
        "gold has men on j, which isn't on this board",
    ),
    (
        Refusal(Reason.MEN_NEVER, side=GOLD, place="hand"),
        "gold has men on `hand`, which is impossible in this game",
    ),
    (Refusal(Reason.MEN_TWICE, side=GOLD, place="a"), "`a` is listed twice for gold"),
    (
        Refusal(Reason.MEN_COUNT, side=BLACK, count=14, men=15),
        "black has 14 men, but this game is played with 15 a side",
    ),
    (
        Refusal(Reason.MEN_COUNT, side=BLACK, count=1, men=15),
        "black has 1 man, but this game is played with 15 a side",
    ),
    (Refusal(Reason.BOTH_HOLD, place="a"), "gold and black both have men on a"),
    (Refusal(Reason.MEN_LIMIT, place="a", most=2), "a can hold at most 2 men in this game"),
    (
        Refusal(Reason.MEN_DOUBLED, side=GOLD, place="c", count=2),
        "gold has 2 men on c, where a second one isn't allowed",
    ),
    (
        Refusal(Reason.OFF_EARLY, side=GOLD),
        "gold has borne men off before all its men have entered",
    ),
    (
        Refusal(Reason.OFF_OUTSIDE, side=GOLD),
        (
            "gold has borne men off with others still outside its bearing table, though no man can "
            "be hit in this game"
        ),
    ),
    (
        Refusal(Reason.PILED, side=GOLD, count=11),
        "gold still has 11 men stacked on others, so every point must hold a lower one",
    ),
    (
        Refusal(Reason.BEYOND_ENTRY, side=GOLD),
        "gold has men beyond its entry table before all its men have entered",
    ),
    (
        Refusal(Reason.BEYOND_MIDDLE, side=GOLD),
        "gold has men past the middle of the board before all its men have entered",
    ),
    (
        Refusal(Reason.SET_BACK, side=BLACK),
        "black has men behind their starting points, though no man can be hit in this game",
    ),
    (Refusal(Reason.BOTH_WON), "both sides have won"),
    (
        Refusal(Reason.DICE, typed="7-1"),
        "type dice as numbers from 1 to 6 joined by `-`, or `-` alone; `7-1` is neither",
    ),
    (Refusal(Reason.DICE_NEVER, typed="6-5"), "a throw in this game can't be `6-5`"),
    (
        Refusal(Reason.NO_MEMORY, typed="x=1"),
        "this game has no memory field, so it can't be `x=1`",
    ),
    (
        Refusal(Reason.MEMORY_EMPTY, typed="x=1"),
        "the memory field must be empty in this position, not `x=1`",
    ),
    (
        Refusal(Reason.MEMORY, typed="x=1", known=("placed=a", "placed=b")),
        "the memory field can be `placed=a` or `placed=b` in this position, but not `x=1`",
    ),
    (
        Refusal(Reason.ENCODING),
        "the input isn't UTF-8; a request must be one JSON object on one line, in UTF-8",
    ),
    (Refusal(Reason.REQUEST), "a request must be one JSON object on one line"),
    (Refusal(Reason.DO, known=("games", "start")), "`do` must be `games` or `start`"),
    (Refusal(Reason.FIELD, name="game", kind="str"), "`game` is missing or isn't of type `str`"),
    (Refusal(Reason.OPTIONS), '`options` must look like `{"dice": "two-and-six"}`'),
    (Refusal(Reason.NO_DICE), "dice are needed to list plays, such as `6-5-2`"),
    (Refusal(Reason.GAME_OVER), "the game is over in this position"),
    (
        Refusal(Reason.PACE, typed="soon", known=("none", "live")),
        (
            "there's no pace `soon`; choose `none` or `live`, or type the time for the match and "
            "the time added each turn, such as `30m+20s`"
        ),
    ),
    (Refusal(Reason.LEVEL, known=("a", "b")), "`level` must be `a` or `b`"),
    (Refusal(Reason.GAMES, most=100), "`games` must be from 1 to 100"),
    (
        Refusal(Reason.THROW, typed="7", count=2),
        "a throw in this game is 2 numbers from 1 to 6, such as `6-5`, not `7`",
    ),
    (
        Refusal(Reason.XGID_FIELDS, count=3),
        "an XGID has ten fields with colons between them, but this one has 3",
    ),
    (
        Refusal(Reason.XGID_LENGTH, count=25),
        "the first field of an XGID has 26 characters, but this one has 25",
    ),
    (
        Refusal(Reason.XGID_MAN, typed="z"),
        "the first field of an XGID has hyphens and the letters A to O and a to o, not `z`",
    ),
    (
        Refusal(Reason.XGID_BAR, typed="B"),
        (
            "an XGID begins with the bar of the player in lower case and ends with the bar of the "
            "one in upper case, so `B` can't be there"
        ),
    ),
    (
        Refusal(Reason.XGID_TURN, typed="2"),
        "the fourth field of an XGID is the turn, `1` or `-1`, not `2`",
    ),
    (
        Refusal(Reason.XGID_DICE, typed="71"),
        "the fifth field of an XGID is the throw, such as `31`, or `00` before it, not `71`",
    ),
    (
        Refusal(Reason.CUBE),
        (
            "this position waits for the answer to a double, but there's no doubling cube here; "
            "copy it before the double"
        ),
    ),
    (
        Refusal(Reason.POSITION_ID_LENGTH, count=13),
        (
            "a position ID of GNU Backgammon has 14 characters, but this one has 13; an XGID and a "
            "position as `/analyse` writes it are understood too"
        ),
    ),
    (
        Refusal(Reason.POSITION_ID_BITS),
        "this isn't a position ID of GNU Backgammon; a character is wrong, so copy it again",
    ),
    (
        Refusal(Reason.MATCH_ID_LENGTH, count=1),
        "a match ID of GNU Backgammon has 12 characters, but this one has 1",
    ),
    (
        Refusal(Reason.MATCH_ID_DICE),
        (
            "the dice of this match ID show no numbers from 1 to 6; a character is wrong, so copy "
            "it once more"
        ),
    ),
    (
        Refusal(Reason.ID_CHARACTER, typed="!"),
        "the IDs of GNU Backgammon have letters, digits, + and /, but not `!`",
    ),
)


@pytest.mark.parametrize(("refusal", "sentence"), SENTENCES)
def test_each_reason_is_told_in_a_sentence(refusal: Refusal, sentence: str) -> None:
    assert explain_refusal(Reader.ENGLISH, refusal) == sentence


@pytest.mark.parametrize("part", ["typed", "name", "move"])
def test_of_a_long_line_only_the_beginning_is_repeated(part: str) -> None:
    line = "x" * 200
    parts: dict[str, Any] = {"typed": "x", "name": "x", part: line}
    why = Reason.UNREADABLE if part == "typed" else Reason.NO_POINT
    for text in (
        explain_refusal(Reader.ENGLISH, Refusal(why, **parts)),
        format_refusal(Reader.ENGLISH, Refusal(why, **parts)),
    ):
        assert "x" * 39 + "…" in text
        assert "x" * 40 not in text


def test_no_reason_is_without_words() -> None:
    assert {refusal.reason for refusal, _ in SENTENCES} == set(Reason)
    assert {
        refusal.parts["phase"] for refusal, _ in SENTENCES if refusal.reason is Reason.WAITS
    } == set(Phase) - {Phase.OVER}
    assert {
        refusal.parts["word"] for refusal, _ in SENTENCES if refusal.reason is Reason.COMMAND
    } == set(COMMAND_WORDS)


def test_nothing_of_them_stays_in_english(tmp_path: Path) -> None:
    foreign = load_reader(LOCALE, compile_pseudo_folder(tmp_path, read_template()))
    for refusal, _ in SENTENCES:
        text = explain_refusal(foreign, refusal)
        assert (text[0], text[-1]) == ("«", "»")
        side = str(refusal.parts.get("side", ""))
        assert f"«{side}" in text or side not in explain_refusal(Reader.ENGLISH, refusal)


@pytest.mark.parametrize(
    ("refusal", "text"),
    [
        (Refusal(Reason.OVER), "The match is over."),
        (
            Refusal(Reason.BLOCKED, ("k-q", "t-z"), move="k-p", side=BLACK, place="p", count=2),
            "`k-p`: p is blocked by 2 of black's men. Legal now: `k-q`, `t-z`.",
        ),
        (
            Refusal(Reason.GAME, ("Zeno",), name="zenno"),
            "There's no game called zenno; did you mean Zeno?",
        ),
        (
            Refusal(Reason.AMBIGUOUS, READINGS[:2], typed="z-off"),
            "`z-off` could mean `6:z-off` or `1:z-off`.",
        ),
    ],
)
def test_people_read_it_as_a_sentence_with_what_would_be_legal(refusal: Refusal, text: str) -> None:
    assert format_refusal(Reader.ENGLISH, refusal) == text


def test_what_somebody_typed_calls_nobody() -> None:
    assert "@everyone" not in format_refusal(
        Reader.ENGLISH, Refusal(Reason.UNREADABLE, typed="@everyone")
    )
    assert "{0}" in format_refusal(Reader.ENGLISH, Refusal(Reason.UNREADABLE, typed="{0}"))


def test_the_computer_is_named_as_in_the_language(tmp_path: Path) -> None:
    folder = compile_texts(tmp_path, "fr", {"Computer": "Ordi"}, "the name of a player")
    french = load_reader("fr", folder)
    players = {BLACK: [build_computer_person(Level.MASTER, 0)]}
    refusal = Refusal(Reason.THEIRS, side=BLACK, place="m", players=players)
    assert format_refusal(french, refusal) == "The men on m are Ordi's."
    assert NotYourTurnError(7, players[BLACK][0]).format(french) == "It's Ordi's turn in match 7."
