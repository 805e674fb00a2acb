"""What a picture shows."""

from dataclasses import dataclass

from engine.position import Position, Side
from engine.rules import Rules


@dataclass(frozen=True, slots=True)
class Die:
    """One number of a throw: whether it has been used, and whether it is assumed rather than thrown."""

    number: int
    used: bool = False
    presumed: bool = False


@dataclass(frozen=True, slots=True)
class Scene:
    """A position with what is said about it.

    `names` are gold's and black's; `last` are the (source, target) places of the last play; `turn` is None when
    nobody is to move, `thrower` the side whose dice these are. With `ways` each side's
    way round is drawn as an arrow.
    """

    rules: Rules
    position: Position
    names: tuple[str, str]
    title: str
    status: str
    dice: tuple[Die, ...] = ()
    last: tuple[tuple[int, int], ...] = ()
    turn: Side | None = None
    thrower: Side | None = None
    ways: bool = False
