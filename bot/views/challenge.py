"""The card of a challenge, open or answered."""

from collections.abc import Mapping

from bot.app.people import names_apart
from bot.store import Challenge, PersonNames
from bot.views.card import Card, Picture
from bot.views.controls import challenge_controls
from bot.views.scene import drawn_names
from bot.words import challenge as words
from bot.words import common
from bot.words.board import board_words
from bot.words.reader import Reader
from engine.games import GAMES
from engine.match import new_match
from engine.position import Side
from render.describe import describe
from render.scene import Scene


def challenge_card(
    say: Reader,
    challenge: Challenge,
    people: Mapping[int, PersonNames],
    *,
    posted: bool = False,
) -> Card:
    """Return a challenge with every term of it.

    While it is open it has the start of the game as a picture, which a posted one keeps, and the
    buttons to answer. Afterwards it gives the answer, in a few lines: in a channel where matches
    start every day, the only boards should be those of matches.
    """
    heading = words.heading(say, challenge)
    terms = words.terms(say, challenge)
    if challenge.state != "open":
        return Card(texts=(heading, terms, words.answer(say, challenge)))
    start = _start(say, challenge, people)
    return Card(
        texts=(heading, words.tagline(say, challenge), terms),
        picture=Picture(None if posted else start, describe(start)),
        controls=challenge_controls(say, challenge),
        small=words.small_print(say, challenge),
        ping=challenge.opponent,
    )


def _start(say: Reader, challenge: Challenge, people: Mapping[int, PersonNames]) -> Scene:
    match = new_match(GAMES[challenge.game], challenge.options)
    sides = {seat.person: Side(seat.side) for seat in challenge.seats}
    if challenge.opponent:
        free = (side for side in Side if side not in sides.values())
        sides = {challenge.opponent: next(free, Side.BLACK), **sides}
    title = common.title(say, match.game)
    return Scene(
        match.rules,
        match.position,
        _both(say, challenge, names_apart(people)),
        title,
        say("a challenge"),
        ways=True,
        words=board_words(say),
        drawn_names=_both(say, challenge, drawn_names(say, people, sides)),
    )


def _both(say: Reader, challenge: Challenge, names: Mapping[int, str]) -> tuple[str, str]:
    gold, black = (_seated(say, challenge, names, side) for side in Side)
    return gold, black


def _seated(say: Reader, challenge: Challenge, names: Mapping[int, str], side: Side) -> str:
    people = [seat.person for seat in challenge.seats if seat.side == side]
    if not people and challenge.opponent:
        people = [challenge.opponent]
    return say.listed([names.get(person) or say("somebody") for person in people]) or say("anyone")
