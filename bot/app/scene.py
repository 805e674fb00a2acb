"""From a table to what its picture shows."""

from bot.app.table import Table
from engine import throws
from engine.match import Match, Phase
from engine.position import Side
from render.scene import Die, Moved, Scene


def scene(table: Table, status: str, *, moves: bool = False) -> Scene:
    """Return what the picture of a table shows, with `status` as its line about the turn.

    With `moves` the places are marked to which a man may go now.
    """
    match = table.match
    return Scene(
        rules=match.rules,
        position=match.position,
        names=(table.side_names(Side.GOLD), table.side_names(Side.BLACK)),
        title=match.game.title,
        status=status,
        dice=_dice(match),
        last=tuple(Moved(move.source, move.target, move.hit) for move in match.moves),
        turn=None if match.phase is Phase.OVER else match.turn,
        thrower=match.thrower,
        reach=frozenset(move.target for move in match.next_moves()) if moves else frozenset(),
        note=_note(match),
        whole=match.phase is Phase.OPENING,
    )


def _note(match: Match) -> str:
    plight = match.plight() if match.phase is Phase.THROW else None
    return f"{match.turn.value.capitalize()} is {plight}" if plight else ""


def _dice(match: Match) -> tuple[Die, ...]:
    """The numbers of the last throw, those that are spent marked as used, an assumed six as presumed."""
    if not match.thrown:
        return ()
    if match.phase is Phase.CHOOSE:
        return tuple(Die(number, used=False, presumed=False) for number in match.thrown)
    left = list(match.position.dice)
    presumed = set(throws.added(match.rules.dice, match.thrown))
    if match.presumed is not None:
        presumed.add(match.thrown[match.presumed])
    shown = []
    for number in throws.numbers(match.rules.dice, match.thrown):
        used = number not in left
        if not used:
            left.remove(number)
        shown.append(Die(number, used=used, presumed=number in presumed))
        presumed.discard(number)
    return tuple(shown)
