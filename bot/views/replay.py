"""A match from its happenings to the film that its replay shows."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from bot.app import record
from bot.app.sitting import Happening, Sitting
from bot.views.card import FILM, Attached, Card, Picture
from bot.views.scene import scene
from bot.words import common
from bot.words import match as words
from bot.words.reader import Reader
from engine.events import Played
from engine.match import Match, Phase
from engine.moves import make
from engine.strict_json import write_json
from render.characters import cut
from render.describe import LONGEST, describe
from render.replay import Moment, film
from render.scene import Scene, View

MOST_BYTES = 8_000_000


def replay_card(
    say: Reader, sitting: Sitting, start: Match, happened: Iterable[Happening], look: View
) -> Card:
    """Return a match as a moving picture; a long one takes a second or two to draw."""
    drawn = film(list(moments(say, sitting, start, happened)), look, MOST_BYTES)
    told = cut(
        say(
            "The replay of match {number}. {board}",
            number=sitting.id,
            board=describe(scene(say, sitting)),
        ),
        LONGEST,
    )
    goes_on = say("This match is still in progress.")
    standing = words.result(say, sitting) if sitting.match.phase is Phase.OVER else goes_on
    return Card(texts=(words.heading(say, sitting), standing), picture=Picture(drawn, told, FILM))


def moments(
    say: Reader, sitting: Sitting, start: Match, happened: Iterable[Happening]
) -> Iterator[Moment]:
    """Yield what happened in a match, a throw or a man's move at a time."""
    yield Moment(_scene(say, sitting, start, say("the starting position")))
    for each in happened:
        if isinstance(each.event, Played):
            yield from _moves(say, sitting, each.before, each.event)
        elif _shown(each.before) != _shown(each.after):
            turn = common.side_name(say, each.after.turn)
            yield Moment(_scene(say, sitting, each.after, say("{side} to play", side=turn)))
    yield Moment(scene(say, sitting))


def _moves(say: Reader, sitting: Sitting, match: Match, event: Played) -> Iterator[Moment]:
    status = say("{side} plays", side=common.side_name(say, match.turn))
    for move in event.moves:
        position = make(match.rules, match.position, move)
        match = replace(match, position=position, moves=(*match.moves, move))
        shown = _scene(say, sitting, match, status)
        yield Moment(shown, shown.last[-1], match.turn)


def _shown(match: Match) -> tuple[bytes, bytes, tuple[int, ...]]:
    """Return what of a match a picture of it shows."""
    return match.position.gold, match.position.black, match.thrown


def _scene(say: Reader, sitting: Sitting, match: Match, status: str) -> Scene:
    return scene(say, replace(sitting, match=match), status)


def record_card(say: Reader, sitting: Sitting, happened: Iterable[Happening]) -> Card:
    """Return a finished match's record as a file, with the dice's secret."""
    events = record.events_of(sitting, happened)
    file = write_json(record.to_file(sitting, events), indent=1).encode()
    told = say(
        "The record of match {number}, with the secret of its dice. Verify it with "
        "`tabula verify`.",
        number=sitting.id,
    )
    return Card(texts=(told,), file=Attached(f"match-{sitting.id}.json", file))
