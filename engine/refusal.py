"""Why something is refused: the reason, what its sentence names, and what would be legal."""

from collections.abc import Mapping
from difflib import get_close_matches
from enum import StrEnum
from typing import Any

from engine.folding import fold_text


class Reason(StrEnum):
    """The reason of a refusal, one for each sentence; comments list what the sentence names."""

    # What is typed.
    NOTHING_TYPED = "nothing-typed"
    UNREADABLE = "unreadable"  # `typed` means nothing
    AMBIGUOUS = "ambiguous"  # `typed` means several things, those that are legal
    COMMAND = "command"  # `word` is no play, but something else is done with it
    TOO_OFTEN = "too-often"  # more than `most` men, or none, make one move
    NO_POINT = "no-point"  # the board has no `name`
    NO_POINT_NUMBER = "no-point-number"  # `side` has no point `number`, `most` is the last
    NO_DIE_NUMBER = "no-die-number"  # no die shows `number` ever

    # A move.
    NO_MAN = "no-man"  # `side` has none on `place`
    THEIRS = "theirs"  # only `side`, which does not move now, has men on `place`
    NOTHING_LEFT = "nothing-left"  # the whole throw is played
    TAKES = "takes"  # the move takes `number`, and `dice` are left
    NOT_THERE = "not-there"  # `number` does not lead there
    BACKWARDS = "backwards"  # against the way of a side's men, which is from `first` to `last`
    NO_WAY = "no-way"  # nor do any of `dice`
    WAYS_CLOSED = "ways-closed"  # `dice` do, but not over points open to `side`
    PAST_END = "past-end"  # `number` leads past the end of the course
    BLOCKED = "blocked"  # `count` men of `side` hold `place` [S1: "secured"]
    SINGLE = "single"  # no second man of `side` on `place`, on the own side [S1, Ludus Anglicorum]
    FULL = "full"  # `place` holds `count` men, all it may [S1, Twelve Dogs]
    BAR_FIRST = "bar-first"  # `count` men of `side` enter before anything else moves [S1]
    BAR_IF_ABLE = "bar-if-able"  # the same, since a number left can enter one [quinze tablas]
    PLACING = "placing"  # no man moves before all of `side`'s have entered [LJ, baldrac]
    PLACING_HALF = "placing-half"  # nor goes past the middle of the course [Bell, tabula]
    OWN_START = "own-start"  # a man on his own start point, `place`, cannot be hit [R, faylis]
    RETURN = "return"  # a hit man would go to `place`, where `side` stands [R, faylis]
    BANNED = "banned"  # `word` of `game` says why, with its `parts`
    ONLY_ENTERING = "only-entering"  # a game in which men do not move [S1]
    ONLY_BEARING = "only-bearing"  # a table in which men do not move but off [S1]
    NEVER_OFF = "never-off"  # a game in which men are not borne off
    OUTSIDE = "outside"  # `count` men of `side` are outside its bearing table [S1]
    GATE = "gate"  # so many of `side` must be there before any is borne off: `due`, and `home` are
    FARTHER_BACK = "farther-back"  # `number` bears none off `place` while one stands on `back` [S1]
    TO_ENTER = "to-enter"  # `number` bears none off `place` while one has still to enter
    WASTES = "wastes"  # as many numbers as can be, the higher first [S0]
    TOO_FEW = "too-few"  # a whole play that does not use them
    NO_MOVES = "no-moves"  # a play without a move

    # The turn.
    OVER = "over"  # the match is
    WAITS = "waits"  # the match waits for something else, its `phase`
    CAN_PLAY = "can-play"  # something can be played
    TAKE_BACK = "take-back"  # nothing may be taken back any more [S0, S1]
    NO_DIE = "no-die"  # no die shows `value`, but `dice`
    OTHER_CHOICE = "other-choice"  # the choice is `choice`, not `what`
    DRAW_EARLY = "draw-early"  # no draw is offered before the first throw
    DRAW_AGAIN = "draw-again"  # `side` has offered one, and has not thrown since
    DRAW_STANDS = "draw-stands"  # `side` is offered one itself
    ABORT_LATE = "abort-late"  # the match is past its first two turns
    NO_DRAW = "no-draw"  # none is offered to `side`
    NO_SEAT = "no-seat"  # `side` is no team, or has no such player

    # Games and options.
    GAME = "game"  # there is no game `name`
    EDITION = "edition"  # of `game` there are the editions `known`, but not `edition`
    OPTION = "option"  # `game` has no option `name`, but those `known`
    VALUE = "value"  # `option` cannot be `name`, but one of those `known`
    UNPLAYABLE = "unplayable"  # by these `options` together the side that begins always loses
    STARTER_CHOOSES = "starter-chooses"  # `option` is not agreed beforehand
    OPTION_FORM = "option-form"  # options are typed as name=value, such as `option`=`value`

    # A clock.
    PACE = "pace"  # `typed` is none of the `known`, nor a bank with what a turn adds to it

    # A position.
    FIELDS = "fields"  # it has four or five
    TURN = "turn"  # `typed` is no side
    MEN = "men"  # `typed` is no group of `side`'s men
    MEN_PLACE = "men-place"  # the board has no `name`, which `side` is to have men on
    MEN_NEVER = "men-never"  # `side` can have none on `place`
    MEN_TWICE = "men-twice"  # `side` names `place` twice
    MEN_COUNT = "men-count"  # `side` has `count`, but should have `men`
    BOTH_HOLD = "both-hold"  # both sides stand on `place`
    MEN_LIMIT = "men-limit"  # `place` holds at most `most` men
    MEN_DOUBLED = (
        "men-doubled"  # `side` has `count` men on `place`, where it may bring no second one
    )
    OFF_EARLY = "off-early"  # `side` has borne men off while others have not come in
    OFF_OUTSIDE = "off-outside"  # or are outside its bearing table, where nothing is hit
    PILED = "piled"  # `count` men of `side` on top of others, but not one below each
    BEYOND_ENTRY = (
        "beyond-entry"  # men of `side` beyond its entry table while others have not come in
    )
    BEYOND_MIDDLE = "beyond-middle"  # or past the middle of the course
    SET_BACK = "set-back"  # men of `side` farther back than they began, where nothing is hit
    BOTH_WON = "both-won"
    DICE = "dice"  # `typed` is no throw
    DICE_NEVER = "dice-never"  # or one that this game cannot throw
    THROW = "throw"  # `typed` is no throw of `count` dice
    NO_MEMORY = "no-memory"  # the game remembers nothing, but `typed` is there
    MEMORY_EMPTY = "memory-empty"  # or nothing in this position
    MEMORY = "memory"  # or one of those `known`

    # A position of backgammon as other programs write it.
    XGID_FIELDS = "xgid-fields"  # it has `count`, not ten
    XGID_LENGTH = "xgid-length"  # its first field has `count` characters, not 26
    XGID_MAN = "xgid-man"  # `typed` is no character of its first field
    XGID_BAR = "xgid-bar"  # `typed` stands on the bar of the other player
    XGID_TURN = "xgid-turn"  # `typed` is no turn
    XGID_DICE = "xgid-dice"  # `typed` is no throw
    CUBE = "cube"  # a double is to be answered, but there is no cube here
    POSITION_ID_LENGTH = "position-id-length"  # it has `count` characters, not 14
    POSITION_ID_BITS = "position-id-bits"  # its bits are not those of two players' men
    MATCH_ID_LENGTH = "match-id-length"  # it has `count` characters, not 12
    MATCH_ID_DICE = "match-id-dice"  # its dice show what no die does
    ID_CHARACTER = "id-character"  # `typed` is no character of either

    # The engine protocol.
    REQUEST = "request"  # a line that is no JSON object
    ENCODING = "encoding"  # or one that is not in UTF-8
    DO = "do"  # none of those `known`
    FIELD = "field"  # `name` is missing, or not of the type `kind`
    OPTIONS = "options"  # options are no JSON object
    NO_DICE = "no-dice"  # dice are needed to list plays
    GAME_OVER = "game-over"  # the game is, in this position
    LEVEL = "level"  # none of those `known`
    GAMES = "games"  # more than `most` games, or none


class Refusal(ValueError):
    """A refused action: nothing has changed.

    `reason` says why, and `parts` are the plain values that its sentence names, what was typed
    among them; `move` is one of them wherever a single move is refused, and `players`, the names by
    side, if it is known who plays. `legal` lists what would be legal in the words a player types
    (empty where nothing would be). Sentences for users are made of it; its `str` is for developers.
    """

    def __init__(
        self,
        reason: Reason,
        legal: tuple[str, ...] = (),
        **parts: Any,  # noqa: ANN401 - see above
    ) -> None:
        super().__init__(reason.value, parts)
        self.reason = reason
        self.legal = legal
        self.parts: Mapping[str, Any] = parts

    def __str__(self) -> str:
        return f"{self.reason} {dict(self.parts)}"


MIN_PART = 3
MAX_SUGGESTED = 3


def suggest_names(typed: str, known: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names that contain what was typed, or are close to it, the best first.

    `known` maps each spelling to the name to offer. Fewer letters than `MIN_PART`, or a part of
    more names than are offered, stand for none of them.
    """
    offered = {fold_text(spelling): name for spelling, name in known.items()}
    wanted = fold_text(typed)
    # Several spellings may stand for one name, which is offered once.
    whole = dict.fromkeys(name for spelling, name in offered.items() if wanted in spelling)
    near = dict.fromkeys(offered[spelling] for spelling in get_close_matches(wanted, offered))
    if len(wanted) < MIN_PART or len(whole) > MAX_SUGGESTED:
        return tuple(near)
    return tuple(whole | near)[:MAX_SUGGESTED]
