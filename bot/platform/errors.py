"""Requests declined before the rules are asked: a reason with its parts, worded for a reader."""

from collections.abc import Mapping
from enum import StrEnum, auto
from typing import Any


class DeclineReason(StrEnum):
    """Why something may not be done, or not now."""

    ABSENT = auto()
    ALREADY_SHARED = auto()
    ALREADY_AT_THE_TABLE = auto()
    ALREADY_SEATED = auto()
    AWAY_ALREADY = auto()
    ANALYSIS_UNKNOWN = auto()
    ANSWER_REVEALED = auto()
    ANNULLED_BEFORE = auto()
    BLOCKED = auto()
    BLOCK_NOBODY = auto()
    BOT = auto()
    BOT_ABSENT = auto()
    CHALLENGE_ANSWERED = auto()
    CHALLENGE_LAPSED = auto()
    CHALLENGE_UNKNOWN = auto()
    CONTEST_FULL = auto()
    CONTEST_GAMES = auto()
    CONTEST_HOUSE_RULES = auto()
    CONTEST_JOINED = auto()
    CONTEST_LEFT = auto()
    CONTEST_MOVED_ON = auto()
    CONTEST_NOT_OPEN = auto()
    CONTEST_OVER = auto()
    CONTEST_REPLACEMENT = auto()
    CONTEST_UNKNOWN = auto()
    DIRECT_CLOSED = auto()
    DONE_ALREADY = auto()
    ELSEWHERE = auto()
    FOLLOWS_TOO_MANY = auto()
    FOR_SOMEBODY_ELSE = auto()
    LESSON_NOT_BEGUN = auto()
    LOST = auto()
    MATCH_OVER = auto()
    MATCH_RUNNING = auto()
    MATCH_UNKNOWN = auto()
    MISSING_PERMISSIONS = auto()
    MOVED_ON = auto()
    NONE_FINISHED = auto()
    NO_CONTEST = auto()
    NO_CONTEST_NAME = auto()
    NO_ENTRY_ROLE = auto()
    NO_REASON = auto()
    NO_ZONE = auto()
    NO_TEAM = auto()
    NO_TEAM_CONTESTS = auto()
    NOTHING_TO_DECIDE = auto()
    NO_CLOCK = auto()
    NO_GAME_NAMED = auto()
    NO_HINTS = auto()
    NO_MATCH_HERE = auto()
    NOT_AN_ENTRANT = auto()
    NOT_AN_ORGANISER = auto()
    NOT_AWAY = auto()
    NOT_A_MANAGER = auto()
    NOT_A_MEMBER = auto()
    NOT_A_PLAYER = auto()
    NOT_CONCERNED = auto()
    NOT_FOR_YOU = auto()
    NOT_SEATED = auto()
    NOT_IN_A_SERVER = auto()
    NOT_TAKEN = auto()
    NOT_WAITING = auto()
    NOT_YOUR_TURN = auto()
    NOT_YOURS_TO_REVEAL = auto()
    NOT_YOURS_TO_TAKE_BACK = auto()
    ONLY_PLAYERS_SHARE = auto()
    OWN_CHALLENGE = auto()
    POSITION_IN_PLAY = auto()
    OWN_PUZZLES_NONE = auto()
    OWN_PUZZLES_PRIVATE = auto()
    PUZZLE_NOT_SOLVED = auto()
    PUZZLE_PAST = auto()
    QUICKER = auto()
    QUIET_FORM = auto()
    REMATCH_BEGUN = auto()
    REMATCH_OFFERED = auto()
    REPORTS_BUSY = auto()
    SAY_WHICH = auto()
    SAY_WHICH_CONTEST = auto()
    SEAT_GONE = auto()
    SEAT_NOT_FOR_YOU = auto()
    SIDE_FULL = auto()
    START_ELSEWHERE = auto()
    SUBSCRIPTIONS_TOO_MANY = auto()
    TEAMS_ARE_OPEN = auto()
    THREAD_LOCKED = auto()
    TIME_LEFT = auto()
    TOO_FEW_DAYS = auto()
    TOO_FEW_ENTRANTS = auto()
    TOO_MANY_BLOCKED = auto()
    TOO_MANY_CHALLENGES = auto()
    TOO_MANY_CONTESTS = auto()
    TOO_MANY_HERE = auto()
    TOO_MANY_LATELY = auto()
    TOO_MANY_MATCHES = auto()
    UNKNOWN_CONTROL = auto()


class DeclinedError(Exception):
    """Something a person may not do, or not now; nothing has changed.

    `parts` are what its sentence names.
    """

    def __init__(self, why: DeclineReason, **parts: Any) -> None:  # noqa: ANN401 - values of the sentence
        super().__init__(why.value, parts)
        self.why = why
        self.parts: Mapping[str, Any] = parts


class StaleMatchError(DeclinedError):
    """The match has other events than the person saw; `match` is its number."""

    def __init__(self, match: int) -> None:
        super().__init__(DeclineReason.MOVED_ON, match=match)
