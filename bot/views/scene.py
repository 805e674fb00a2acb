"""From a match to what its picture shows, in the words of the one who looks."""

from bot.app.sitting import Sitting
from bot.words import common
from bot.words import match as words
from bot.words.board import board_words
from bot.words.endings import own
from bot.words.reader import Reader
from engine import throws
from engine.match import Match, Phase
from engine.position import Side
from render.scene import Die, Moved, Scene


def scene(
    say: Reader, sitting: Sitting, status: str | None = None, *, moves: bool = False
) -> Scene:
    """Return what the picture of a match shows, with `status`, or how the match stands, as its line about the turn.

    With `moves` the places are marked to which a man may go now.
    """
    match = sitting.match
    reach: frozenset[int] = frozenset()
    if moves:
        reach = frozenset(move.target for move in match.next_moves())
    return Scene(
        rules=match.rules,
        position=match.position,
        names=(common.names(say, sitting, Side.GOLD), common.names(say, sitting, Side.BLACK)),
        title=common.title(say, match.game),
        status=words.status(say, sitting) if status is None else status,
        dice=dice(match),
        last=tuple(Moved(move.source, move.target, move.hit) for move in match.moves),
        turn=None if match.phase is Phase.OVER else match.turn,
        thrower=match.thrower,
        reach=reach,
        note=_note(say, match),
        whole=match.phase is Phase.OPENING,
        words=board_words(say),
    )


def _note(say: Reader, match: Match) -> str:
    plight = match.plight() if match.phase is Phase.THROW else None
    return own(say, match.game, plight, side=common.side_title(say, match.turn)) if plight else ""


def dice(match: Match) -> tuple[Die, ...]:
    """The numbers of the last throw, those that are spent marked as used, an assumed six as presumed."""
    if not match.thrown:
        return ()
    if match.phase is Phase.CHOOSE:
        return tuple(Die(number) for number in match.thrown)
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
