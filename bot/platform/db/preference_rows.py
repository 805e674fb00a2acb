"""Rows of what people and servers choose."""

from dataclasses import dataclass
from enum import StrEnum, auto


@dataclass(frozen=True, slots=True)
class BoardStyle:
    """A board style: the theme's name (None: the board's own), who sits below, numbered points."""

    theme: str | None = None
    seat: str = "gold"
    numbered: bool = False


class NotifyWhen(StrEnum):
    """How often a follower of a match is notified of it."""

    END = auto()
    TURN = auto()


class Reminder(StrEnum):
    """How somebody is notified that a turn's time runs out."""

    CHANNEL = auto()
    DIRECT = auto()
    NEVER = auto()


@dataclass(frozen=True, slots=True)
class PlayerPreferences:
    """Preferences of a player: reminders, automatic throws, confirmation of a turn.

    The days for which they are away are those of the time zone `zone`, UTC if none is chosen. They
    read the `language`, or as Discord says if it is None. Public pages name them where `pages` is
    true, and with `shares` positions of their matches can become puzzles for others. With
    `everywhere` people of other servers see their results in all servers.
    """

    reminder: Reminder = Reminder.CHANNEL
    throws: bool = False
    confirms: bool = False
    zone: str | None = None
    language: str | None = None
    pages: bool = True
    shares: bool = False
    everywhere: bool = False


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """What a server chose about its matches.

    `pace` and `rated` hold if a challenge does not say otherwise. Matches may start in `channels`
    (everywhere, if there are none), and only the members of `role` challenge each other (everyone
    does, if it is None). With `threads` each match is played in a thread of its own; with `single`
    it has one message, changed turn by turn. The channel `news` announces that matches begin and
    end. `quiet` are the minutes of the day from which and until which nobody is notified, empty if
    there are none; that day is one of the time zone `zone`, UTC if none is chosen. What everyone
    reads is in the `language`, or as Discord says if it is None. With `pages` what is played there
    is on pages that anybody may read.
    """

    pace: str = "none"
    rated: bool = True
    channels: tuple[int, ...] = ()
    role: int | None = None
    threads: bool = False
    single: bool = False
    news: int | None = None
    quiet: tuple[int, ...] = ()
    zone: str | None = None
    language: str | None = None
    pages: bool = False
