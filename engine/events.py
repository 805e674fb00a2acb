"""What happens in a match: the events from which everything else follows, and their stored form.

An event's stored form is a JSON object with its format version; places are written by name, so that
a record reads well and outlives the order in which a board happens to number its points.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from engine.board import GameBoard
from engine.move import Move
from engine.position import Side

# A reader refuses a record of another format instead of misreading it.
FORMAT = 1


@dataclass(frozen=True, slots=True)
class SetUp:
    """The match begins in a `position`, a text without numbers, with `dice` if any are thrown.

    No side throws for who begins, and these dice are none of the match's own.
    """

    position: str
    dice: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Battled:
    """Both sides threw to decide who begins; equal sums throw again."""

    gold: tuple[int, ...]
    black: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Thrown:
    """The side to move threw its dice, in the order in which they fell."""

    dice: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Chosen:
    """The side to move made a choice.

    The choice is `six` (the number shown by the die to turn) or an option such as `table`.
    """

    what: str
    value: str
    forced: bool = False


@dataclass(frozen=True, slots=True)
class Played:
    """The side to move made some or all of its moves; `forced` if it had nothing to decide."""

    moves: tuple[Move, ...]
    forced: bool = False


@dataclass(frozen=True, slots=True)
class Passed:
    """The side to move can do nothing: with this throw, or with any."""


@dataclass(frozen=True, slots=True)
class Left:
    """The side that was offered the other's unusable numbers leaves them."""


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The last decision was taken back, or with `whole` every decision since the throw."""

    whole: bool = False


@dataclass(frozen=True, slots=True)
class TurnTakenBack:
    """A side took back its last turn, and all that has happened since its first decision there."""

    side: Side


@dataclass(frozen=True, slots=True)
class Resigned:
    """A side gave up."""

    side: Side


@dataclass(frozen=True, slots=True)
class Aborted:
    """A side left the match within its first two turns, as if it had not been."""

    side: Side


@dataclass(frozen=True, slots=True)
class DrawOffered:
    """A side offered a draw."""

    side: Side


@dataclass(frozen=True, slots=True)
class DrawDeclined:
    """A side declined the draw that it was offered."""

    side: Side


@dataclass(frozen=True, slots=True)
class DrawAgreed:
    """A side accepted the draw that it was offered."""

    side: Side


@dataclass(frozen=True, slots=True)
class Seated:
    """Somebody else took a player's seat, counted from 0 within the side.

    The rules need not know who that is.
    """

    side: Side
    player: int


@dataclass(frozen=True, slots=True)
class Adjudicated:
    """Whoever watches over the match ended it, for a side or as a draw (None)."""

    winner: Side | None


@dataclass(frozen=True, slots=True)
class Concluded:
    """The contest to which the match belongs ended it, for a side or for neither (None).

    If `forfeited`, a side did not play, or both with no winner; else it was decided at the
    contest's deadline.
    """

    winner: Side | None
    forfeited: bool


@dataclass(frozen=True, slots=True)
class Annulled:
    """A moderator annulled the match, while it went on or after its end."""


@dataclass(frozen=True, slots=True)
class Granted:
    """The side to move was given more time by the other, though its own had run out."""


@dataclass(frozen=True, slots=True)
class TimedOut:
    """A side ran out of time, and the other claimed the match, or nobody did for as long again."""

    side: Side


@dataclass(frozen=True, slots=True)
class Abandoned:
    """Nobody has touched the match for so long that it is closed, as if it had not been."""


Event: TypeAlias = (
    SetUp
    | Battled
    | Thrown
    | Chosen
    | Played
    | Passed
    | Left
    | TakenBack
    | TurnTakenBack
    | Resigned
    | Aborted
    | DrawOffered
    | DrawDeclined
    | DrawAgreed
    | Seated
    | Adjudicated
    | Concluded
    | Annulled
    | Granted
    | TimedOut
    | Abandoned
)

_BARE_EVENTS = {
    kind.__name__.lower(): kind for kind in (Passed, Left, Annulled, Granted, Abandoned)
}
"""The events that say nothing but their kind, by their names in a record."""
_SIDE_EVENTS = {
    kind.__name__.lower(): kind
    for kind in (
        TurnTakenBack,
        Resigned,
        Aborted,
        DrawOffered,
        DrawDeclined,
        DrawAgreed,
        TimedOut,
    )
}
"""The events that say nothing but whose they are."""


def is_forced(event: Event) -> bool:
    """Return whether an event followed from the dice, with nothing to decide."""
    match event:
        case Passed() | Chosen(forced=True) | Played(forced=True):
            return True
    return False


def to_record(event: Event, board: GameBoard) -> dict[str, Any]:
    """Return an event's stored form."""
    # The class names are the stored names: to rename one makes its old records unreadable.
    return {"v": FORMAT, "event": type(event).__name__.lower(), **_format_fields(event, board)}


def _format_fields(event: Event, board: GameBoard) -> dict[str, Any]:
    match event:
        case Battled(gold, black):
            return {"gold": list(gold), "black": list(black)}
        case SetUp(position, dice):
            return {"position": position, "dice": list(dice)}
        case Thrown(dice):
            return {"dice": list(dice)}
        case Chosen(what, value, forced):
            return {"what": what, "value": value, "forced": forced}
        case Played(moves, forced):
            return {
                "moves": [_format_move(move, board) for move in moves],
                "forced": forced,
            }
        case TakenBack(whole):
            return {"whole": whole}
        case (
            TurnTakenBack(side)
            | Resigned(side)
            | Aborted(side)
            | DrawOffered(side)
            | DrawDeclined(side)
            | DrawAgreed(side)
            | TimedOut(side)
        ):
            return {"side": side.value}
        case Seated(side, player):
            return {"side": side.value, "player": player}
        case Adjudicated(winner):
            return {"winner": winner and winner.value}
        case Concluded(winner, forfeited):
            return {"winner": winner and winner.value, "forfeited": forfeited}
    return {}


def _format_move(move: Move, board: GameBoard) -> list[Any]:
    return [
        board.place_names[move.source],
        board.place_names[move.target],
        move.number,
        move.hit,
        *move.added,
    ]


def from_record(record: Mapping[str, Any], board: GameBoard) -> Event:
    """Read an event's stored form; raises ValueError for a record this version does not know."""
    if record.get("v") != FORMAT:
        raise ValueError(f"an event of format {record.get('v')}, not {FORMAT}")
    event = _parse_play_event(record, board) or _parse_other_event(record)
    if event is None:
        raise ValueError(f"an event of an unknown kind: {record.get('event')}")
    return event


def _parse_play_event(record: Mapping[str, Any], board: GameBoard) -> Event | None:
    match record:
        case {"event": "battled", "gold": gold, "black": black}:
            return Battled(tuple(gold), tuple(black))
        case {"event": "setup", "position": str(position), "dice": dice}:
            return SetUp(position, tuple(dice))
        case {"event": "thrown", "dice": dice}:
            return Thrown(tuple(dice))
        case {"event": "chosen", "what": what, "value": value, "forced": forced}:
            return Chosen(what, value, forced)
        case {"event": "played", "moves": moves, "forced": forced}:
            return Played(tuple(_parse_move(move, board) for move in moves), forced)
    return None


def _parse_other_event(record: Mapping[str, Any]) -> Event | None:
    match record:
        case {"event": "takenback", "whole": whole}:
            return TakenBack(whole)
        # A pattern ignores keys that it doesn't name, and other events have a side too: hence the
        # guard.
        case {"event": str(kind), "side": side} if kind in _SIDE_EVENTS:
            return _SIDE_EVENTS[kind](Side(side))
        case {"event": str(kind)} if kind in _BARE_EVENTS:
            return _BARE_EVENTS[kind]()
        case {"event": "seated", "side": side, "player": int(player)}:
            return Seated(Side(side), player)
        case {"event": "adjudicated", "winner": winner}:
            return Adjudicated(None if winner is None else Side(winner))
        case {"event": "concluded", "winner": winner, "forfeited": bool(forfeited)}:
            return Concluded(None if winner is None else Side(winner), forfeited)
    return None


def _parse_move(move: list[Any], board: GameBoard) -> Move:
    # Only a sum has more than four entries.
    source, target, number, hit, *added = move
    return Move(board.find_place(source), board.find_place(target), number, hit, tuple(added))
