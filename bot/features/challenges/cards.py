"""The card of a challenge, open or answered."""

from collections.abc import Mapping

from bot.features.challenges import texts as words
from bot.features.challenges.controls import challenge_controls
from bot.features.matches.board_texts import translate_board_words
from bot.features.matches.name_texts import name_people
from bot.features.matches.scene import picture_names
from bot.features.matches.texts import format_commitment
from bot.platform.i18n import common
from bot.platform.i18n.reader import Reader
from bot.platform.ui.card import Card, Picture
from bot.store import Challenge, PersonNames
from engine.games import GAMES
from engine.match import new_match
from engine.position import Side
from render.describe import describe_scene
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
    heading = words.format_heading(say, challenge)
    terms = words.format_terms(say, challenge)
    if challenge.state != "open":
        return Card(
            texts=(heading, terms, words.format_outcome(say, challenge)),
            # Those who saw it before can compare it with the record of the match.
            small=format_commitment(say, challenge.commitment) if challenge.match else "",
        )
    start = _build_start_scene(say, challenge, people)
    return Card(
        texts=(
            heading,
            words.format_tagline(say, challenge),
            terms,
            words.format_ladder_note(say, challenge),
        ),
        picture=Picture(None if posted else start, describe_scene(start)),
        controls=challenge_controls(say, challenge),
        small=words.format_small_print(say, challenge),
        ping=challenge.opponent,
    )


def challenge_dice_card(say: Reader, challenge: Challenge) -> Card:
    """Return what is fixed of the dice of an open challenge, and what its answer adds."""
    return Card(texts=words.format_challenge_dice(say, challenge))


def _build_start_scene(
    say: Reader, challenge: Challenge, people: Mapping[int, PersonNames]
) -> Scene:
    match = new_match(GAMES[challenge.game], challenge.options)
    sides = {seat.person: Side(seat.side) for seat in challenge.seats}
    if challenge.opponent:
        free = (side for side in Side if side not in sides.values())
        # The opponent has no seat yet, but is named on the board where they will sit.
        sides = {challenge.opponent: next(free, Side.BLACK), **sides}
    title = common.format_title(say, match.game)
    return Scene(
        match.rules,
        match.position,
        _side_names(say, challenge, name_people(say, people)),
        title,
        say("a challenge"),
        ways=True,
        words=translate_board_words(say),
        drawn_names=_side_names(say, challenge, picture_names(say, people, sides)),
    )


def _side_names(say: Reader, challenge: Challenge, names: Mapping[int, str]) -> tuple[str, str]:
    gold, black = (_format_seats(say, challenge, names, side) for side in Side)
    return gold, black


def _format_seats(say: Reader, challenge: Challenge, names: Mapping[int, str], side: Side) -> str:
    people = [seat.person for seat in challenge.seats if seat.side == side]
    if not people and challenge.opponent:
        people = [challenge.opponent]
    # Translators: a name in a picture: a player whose name isn't known.
    unknown = say("somebody")
    # Translators: a name in a picture: the challenge is for anyone who accepts it.
    return say.format_list([names.get(person) or unknown for person in people]) or say("anyone")
