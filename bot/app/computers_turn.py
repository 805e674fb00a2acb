"""The computer's turn: it throws, chooses and plays through the same functions as a person does.

It goes on until a person is to act.
"""

import hashlib
import logging

from bot.app import play
from bot.app.computer import COMPUTERS, level_of
from bot.app.context import App
from bot.app.errors import MovedOn
from bot.app.minds import TookTooLong
from bot.app.people import Person
from bot.app.play import Action
from bot.app.sitting import Sitting
from engine.events import DrawAgreed, DrawDeclined, Event, Thrown
from engine.match import BOTH_THROW
from engine.players.level import Level
from engine.position import Side

log = logging.getLogger(__name__)

SEED_BYTES = 8


async def play_on(app: App, match: int) -> None:
    """Let the computer do all that it has to do in a match.

    Each step is saved by itself, for the version for which it was computed, so this may be broken
    off at any moment and begun again.
    """
    app.minds.wake()
    while (sitting := await play.load(app, match)).computer_acts:
        try:
            await _do(app, sitting)
        except MovedOn:
            # A person resigned, or threw for both: the match as it stands now is what counts.
            log.info(
                "match %d moved on from version %d while the computer thought",
                match,
                sitting.match.version,
            )


async def _do(app: App, sitting: Sitting) -> None:
    version = sitting.match.version
    answering = sitting.computer_answers
    if answering is not None:
        await _answer(app, sitting, answering)
        return
    action = Action(sitting.id, _acting(sitting), f"computer {version}", version)
    if sitting.match.phase in BOTH_THROW:
        await play.act(app, action, play.battled)
        return
    level = level_of(action.person.id)
    assert level is not None
    event = await _decided(app, sitting, level)
    await play.act(app, action, lambda sitting: Thrown(sitting.throw()) if event is None else event)


async def _decided(app: App, sitting: Sitting, level: Level) -> Event | None:
    """Return what a level does, or None to throw.

    A level that cannot finish thinking in time plays on as a beginner.
    """
    seed = _seed(sitting)
    try:
        return await app.minds.decide(sitting.match, level, seed)
    except TookTooLong as error:
        log.warning("match %d goes on as a beginner would: %s", sitting.id, error)
        return await app.minds.decide(sitting.match, Level.BEGINNER, seed)


async def _answer(app: App, sitting: Sitting, side: Side) -> None:
    """Accept or decline a draw."""
    version = sitting.match.version
    person = sitting.at(side, 0)
    action = Action(
        sitting.id, Person(person, sitting.names[person], bot=True), f"computer {version}", version
    )
    try:
        accepted = await app.minds.accepts_draw(sitting.match, side)
    except TookTooLong:
        # Without the time to think nothing is given away.
        accepted = False
    await play.act(app, action, lambda _: DrawAgreed(side) if accepted else DrawDeclined(side))


def _acting(sitting: Sitting) -> Person:
    """Return the computer that acts; where both sides throw, the first that sits there."""
    person = sitting.to_act
    if person not in COMPUTERS:
        person = next(seat.person for seat in sitting.row.seats if seat.person in COMPUTERS)
    return Person(person, sitting.names[person], bot=True)


def _seed(sitting: Sitting) -> int:
    """Return the seed of a weaker level's errors.

    It is the same if a turn is begun again, and reveals nothing about the dice.
    """
    text = f"{sitting.row.commitment} {sitting.match.version}"
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=SEED_BYTES).digest())
