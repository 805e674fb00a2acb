"""From a match to what its picture shows, in the words of the one who looks."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache, partial

from bot.features.matches import texts as words
from bot.features.matches.session import MatchSession
from bot.features.matches.texts import format_names
from bot.platform.db.rows import PersonNames
from bot.platform.i18n import common
from bot.platform.i18n.reader import Reader
from bot.platform.people import COMPUTERS, find_lookalikes, is_pseudonym
from engine import throws
from engine.events import Thrown
from engine.match import Match, Phase
from engine.move import Move
from engine.position import Side
from render.lettering import make_drawable
from render.scene import Die, Scene, SceneMove, SceneOption
from render.strip import shorten_name
from render.words import Words

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
        # The way round differs from game to game.
        ways=session.shows_directions,
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
    played = build_scene_moves(match.moves)
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
    earlier = build_scene_moves(before)
    return (played, earlier) if played else (earlier, ())


def build_scene_moves(moves: Iterable[Move]) -> tuple[SceneMove, ...]:
    """Return moves as a picture shows them."""
    return tuple(SceneMove(move.source, move.target, move.hit) for move in moves)


def _side_names(say: Reader, session: MatchSession) -> tuple[str, str]:
    return format_names(say, session, Side.GOLD), format_names(say, session, Side.BLACK)


def with_picture_names(say: Reader, session: MatchSession) -> MatchSession:
    """Return a match whose people are called as they are in pictures."""
    drawn = picture_names(say, session.person_names, session.sides_by_person)
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
        if is_pseudonym(person) or person in COMPUTERS:
            names[person] = say.name_person(person, each.name)
            continue
        side = sides.get(person)
        instead = common.format_side_title(say, side) if side else str(person)
        names[person] = make_drawable(each.name) or accounts.get(person) or instead
    same = find_lookalikes({person: shorten_name(name) for person, name in names.items()})
    # Without an account's name a look-alike keeps the name it has: there is nothing better.
    return {**names, **{person: accounts[person] for person in same & accounts.keys()}}


def _format_position_note(say: Reader, match: Match) -> str:
    plight = match.find_plight() if match.phase is Phase.THROW else None
    if not plight:
        return ""
    side = common.format_side(say, match.turn)
    return common.capitalise_first(common.format_game_text(say, match.game, plight, side=side))


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


@lru_cache(maxsize=64)
def translate_board_words(say: Reader) -> Words:
    """Return the words of a board in one reader's language.

    Its templates keep their placeholders.
    """
    return Words(
        gold=common.format_side_title(say, Side.GOLD),
        black=common.format_side_title(say, Side.BLACK),
        gold_in_text=common.format_side(say, Side.GOLD),
        black_in_text=common.format_side(say, Side.BLACK),
        gold_letter=say.in_context("the letter of a side's men", "G"),
        black_letter=say.in_context("the letter of a side's men", "B"),
        bar=say.in_context("a place, in the picture of a board", "bar"),
        bar_in_text=say.in_context("a place that a man moves from", "bar"),
        home=say.in_context("a place, in the picture of a board", "home"),
        bar_for=say.in_context("a place that a man moves from", "bar for {table}", table="{table}"),
        hand=say.in_context("a place that a man moves from", "hand"),
        outside=say.in_context("a place that a man moves to when it is borne off", "off"),
        pips=partial(_format_pips, say),
        in_hand=partial(_format_in_hand, say),
        off=partial(_format_off, say),
        luck=partial(_format_luck, say),
        borne_off=partial(_format_borne_off, say),
        on_bar=partial(_format_on_bar, say),
        on_bar_for=partial(_format_on_bar_for, say),
        on_point=partial(_format_on_point, say),
        joints=common.translate_joints(say),
        # Translators: a side, its player and where its men are: "Gold (Ana): 2 on a, 5 on f."
        standing=say("{side} ({name}): {men}.", side="{side}", name="{name}", men="{men}"),
        dice_left=say("To play: {numbers}.", numbers="{numbers}"),
        dice_used=say("Used: {numbers}.", numbers="{numbers}"),
        last=say("Last play: {moves}.", moves="{moves}"),
        arrows=say("Arrows {number}: {moves}.", number="{number}", moves="{moves}"),
        move=say("{source} to {target}", source="{source}", target="{target}"),
        hit=say("{source} to {target} (hit)", source="{source}", target="{target}"),
        span=common.format_range(say, "{first}", "{last}"),
        # Translators: "Gold moves from a to z; home is t to z." The way has one part or several:
        # "from n to z, from a to m".
        way=say("{side} moves {way}; home is {home}.", side="{side}", way="{way}", home="{home}"),
        stretch=common.format_stretch(say, "{first}", "{last}"),
        # Translators: a player, then how lucky the dice were: "Ana: luck +0.42."
        lucky=say("{name}: {luck}.", name="{name}", luck="{luck}"),
        # Translators: a side, then its player: "Gold: Ana".
        head=say("{side}: {name}", side="{side}", name="{name}"),
        # Translators: a side, then its men that are on no point: "Gold: 2 on the bar".
        beside=say("{side}: {men}", side="{side}", men="{men}"),
    )


# Functions of the module, and not lambdas, so that a scene can be sent to another process.
def _format_pips(say: Reader, count: int) -> str:
    return say.plural("{n} pip", "{n} pips", count)


def _format_in_hand(say: Reader, count: int) -> str:
    return say.plural("{n} in hand", "{n} in hand", count)


def _format_off(say: Reader, count: int) -> str:
    # Translators: beside the picture of a board: how many men of a side are borne off.
    return say.plural("{n} off", "{n} off", count)


def _format_luck(say: Reader, points: float) -> str:
    return say("luck {points}", points=common.format_points(say, points))


def _format_borne_off(say: Reader, count: int) -> str:
    return say.plural("{n} borne off", "{n} borne off", count)


def _format_on_bar(say: Reader, count: int) -> str:
    return say.plural("{n} on the bar", "{n} on the bar", count)


def _format_on_bar_for(say: Reader, count: int, table: str) -> str:
    return say.plural(
        "{n} on the bar for {table}", "{n} on the bar for {table}", count, table=table
    )


def _format_on_point(say: Reader, count: int, point: str) -> str:
    return say.plural("{n} on {point}", "{n} on {point}", count, point=point)
