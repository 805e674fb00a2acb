"""From a match to what its picture shows, in the words of the one who looks."""

from collections.abc import Mapping
from dataclasses import replace

from bot.app.people import alike
from bot.app.sitting import Sitting
from bot.store import PersonNames
from bot.words import common
from bot.words import match as words
from bot.words.board import board_words
from bot.words.endings import own
from bot.words.reader import Reader
from engine import throws
from engine.match import Match, Phase
from engine.position import Side
from render.lettering import drawable
from render.scene import Die, Moved, Scene
from render.strip import shorten_name


def scene(
    say: Reader, sitting: Sitting, status: str | None = None, *, moves: bool = False
) -> Scene:
    """Return what the picture of a match shows.

    `status` is its line about the turn, or else how the match stands. With `moves` the places are
    marked to which a man may go now.
    """
    match = sitting.match
    reach: frozenset[int] = frozenset()
    if moves:
        reach = frozenset(move.target for move in match.next_moves())
    drawn = with_drawn_names(say, sitting)
    return Scene(
        rules=match.rules,
        position=match.position,
        names=_both(say, sitting),
        title=common.title(say, match.game),
        status=words.status(say, sitting) if status is None else status,
        drawn_names=_both(say, drawn),
        drawn_status=words.status(say, drawn) if status is None else status,
        dice=dice(match),
        last=tuple(Moved(move.source, move.target, move.hit) for move in match.moves),
        turn=None if match.phase is Phase.OVER else match.turn,
        thrower=match.thrower,
        reach=reach,
        note=_note(say, match),
        whole=match.phase is Phase.OPENING,
        words=board_words(say),
    )


def _both(say: Reader, sitting: Sitting) -> tuple[str, str]:
    return common.names(say, sitting, Side.GOLD), common.names(say, sitting, Side.BLACK)


def with_drawn_names(say: Reader, sitting: Sitting) -> Sitting:
    """Return a match whose people are called as they are in pictures."""
    sides = {person: side for side in Side for person in sitting.seated(side)}
    drawn = drawn_names(say, sitting.person_names, sides)
    return replace(
        sitting, person_names={person: PersonNames(name) for person, name in drawn.items()}
    )


def drawn_names(
    say: Reader, people: Mapping[int, PersonNames], sides: Mapping[int, Side]
) -> dict[int, str]:
    """Return what to call some people in a picture: by their name, their account's or their side.

    It is the first of these whose letters can be drawn. Names that would look alike, also when they
    are cut, are replaced by the accounts' names.
    """
    accounts = {
        person: account
        for person, each in people.items()
        if each.account and (account := drawable(each.account))
    }
    names = {}
    for person, each in people.items():
        side = sides.get(person)
        instead = common.side_title(say, side) if side else str(person)
        names[person] = drawable(each.name) or accounts.get(person) or instead
    same = alike({person: shorten_name(name) for person, name in names.items()})
    return {**names, **{person: accounts[person] for person in same & accounts.keys()}}


def _note(say: Reader, match: Match) -> str:
    plight = match.plight() if match.phase is Phase.THROW else None
    return own(say, match.game, plight, side=common.side_title(say, match.turn)) if plight else ""


def dice(match: Match) -> tuple[Die, ...]:
    """Return the numbers of the last throw.

    Numbers played are marked as used, an assumed six as presumed.
    """
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
