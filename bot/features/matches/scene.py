"""From a match to what its picture shows, in the words of the one who looks."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from bot.features.matches import name_texts
from bot.features.matches import texts as words
from bot.features.matches.board_texts import translate_board_words
from bot.features.matches.session import MatchSession
from bot.platform.i18n import common
from bot.platform.i18n.endings import format_game_text
from bot.platform.i18n.reader import Reader
from bot.platform.people import find_lookalikes, is_pseudonym
from bot.store import PersonNames
from engine import throws
from engine.events import Thrown
from engine.match import Match, Phase
from engine.move import Move
from engine.position import Side
from render.lettering import make_drawable
from render.scene import Die, Scene, SceneMove, SceneOption
from render.strip import shorten_name

_IN_TURN = (Phase.CHOOSE, Phase.PLAY, Phase.OFFER)
"""The phases between a throw and the next."""


def build_scene(
    say: Reader, session: MatchSession, status: str | None = None, *, moves: bool = False
) -> Scene:
    """Return what the picture of a match shows.

    `status` is its line about the turn, or else how the match stands. With `moves` it is marked who
    may move now, and where each number would take him.
    """
    match = session.match
    options = match.list_next_moves() if moves else []
    last, earlier = _list_last_moves(session)
    # Names may have letters that cannot be drawn. The picture then uses others, while its
    # alternative text keeps the real ones.
    drawn = with_picture_names(say, session)
    return Scene(
        rules=match.rules,
        position=match.position,
        names=_side_names(say, session),
        title=common.format_title(say, match.game),
        status=words.format_status(say, session) if status is None else status,
        drawn_names=_side_names(say, drawn),
        drawn_status=words.format_status(say, drawn) if status is None else status,
        dice=list_dice(match),
        last=last,
        earlier=earlier,
        turn=None if match.phase is Phase.OVER else match.turn,
        thrower=match.thrower,
        # At first the way round is drawn, which differs from game to game.
        ways=moves and match.may_abort(),
        options=tuple(SceneOption(move.source, move.target, move.number) for move in options),
        note=_format_position_note(say, match),
        whole=match.phase is Phase.OPENING,
        words=translate_board_words(say),
    )


def _list_last_moves(
    session: MatchSession,
) -> tuple[tuple[SceneMove, ...], tuple[SceneMove, ...]]:
    """Return the last play, and what was played before it in the turn of the other side.

    That stays marked through one's own turn.
    """
    match = session.match
    played = make_scene_moves(match.moves)
    if match.phase not in _IN_TURN:
        return played, ()
    before = next(
        (
            each.before.moves
            for each in reversed(session.recent)
            if isinstance(each.event, Thrown) and each.after.drawn == match.drawn
        ),
        (),
    )
    earlier = make_scene_moves(before)
    return (played, earlier) if played else (earlier, ())


def make_scene_moves(moves: Iterable[Move]) -> tuple[SceneMove, ...]:
    """Return moves as a picture shows them."""
    return tuple(SceneMove(move.source, move.target, move.hit) for move in moves)


def _side_names(say: Reader, session: MatchSession) -> tuple[str, str]:
    return name_texts.format_names(say, session, Side.GOLD), name_texts.format_names(
        say, session, Side.BLACK
    )


def with_picture_names(say: Reader, session: MatchSession) -> MatchSession:
    """Return a match whose people are called as they are in pictures."""
    sides = {person: side for side in Side for person in session.list_players(side)}
    drawn = picture_names(say, session.person_names, sides)
    return replace(
        session, person_names={person: PersonNames(name) for person, name in drawn.items()}
    )


def picture_names(
    say: Reader, people: Mapping[int, PersonNames], sides: Mapping[int, Side]
) -> dict[int, str]:
    """Return what to call some people in a picture: by their name, their account's or their side.

    It is the first of these whose letters can be drawn. Names that would look alike, also when they
    are cut, are replaced by the accounts' names.
    """
    accounts = {
        person: account
        for person, each in people.items()
        if each.account and (account := make_drawable(each.account))
    }
    names = {}
    for person, each in people.items():
        if is_pseudonym(person):
            names[person] = name_texts.format_name(say, person, each.name)
            continue
        side = sides.get(person)
        instead = common.format_side_title(say, side) if side else str(person)
        names[person] = make_drawable(each.name) or accounts.get(person) or instead
    same = find_lookalikes({person: shorten_name(name) for person, name in names.items()})
    # Without an account's name a look-alike keeps the name it has: there is nothing better.
    return {**names, **{person: accounts[person] for person in same & accounts.keys()}}


def _format_position_note(say: Reader, match: Match) -> str:
    plight = match.find_plight() if match.phase is Phase.THROW else None
    return (
        format_game_text(say, match.game, plight, side=common.format_side_title(say, match.turn))
        if plight
        else ""
    )


def list_dice(match: Match) -> tuple[Die, ...]:
    """Return the numbers of the last throw.

    Numbers played are marked as used, an assumed six as presumed.
    """
    if not match.thrown:
        return ()
    if match.phase is Phase.CHOOSE:
        # Before a six is chosen no number is played, so none is marked as used.
        return tuple(Die(number) for number in match.thrown)
    # The numbers are counted off one by one, since a double has several that are equal.
    left = list(match.position.dice)
    presumed = set(throws.list_added_numbers(match.rules.dice, match.thrown))
    if match.presumed is not None:
        presumed.add(match.thrown[match.presumed])
    shown = []
    for number in throws.list_numbers(match.rules.dice, match.thrown):
        used = number not in left
        if not used:
            left.remove(number)
        shown.append(Die(number, used=used, presumed=number in presumed))
        # Of two equal numbers only the first is the presumed one.
        presumed.discard(number)
    return tuple(shown)
