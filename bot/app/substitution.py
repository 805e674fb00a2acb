"""Substitution in teams: a player or a moderator offers a seat, and somebody takes or declines it.

The contributions to the dice stay, and the result belongs to those who began. So nobody can escape
a lost match, and the one who takes a seat over risks nothing.
"""

from dataclasses import dataclass
from typing import Self

from bot.app import moderation, tasks
from bot.app.challenge import LIMITS
from bot.app.computer import COMPUTERS
from bot.app.context import App
from bot.app.errors import Declined, Why
from bot.app.people import Person
from bot.app.play import Action, Report, act, load
from bot.app.sitting import Sitting, require_player, require_running
from bot.store import Takeover, TooMany
from engine.events import Event, Seated


@dataclass(frozen=True, slots=True)
class Offer:
    """A seat that is offered: in which match, whose it is, who is to take it, and who offers it."""

    match: int
    holder: int
    taker: int
    by: int

    def __str__(self) -> str:
        return ":".join(map(str, (self.match, self.holder, self.taker, self.by)))

    @classmethod
    def read(cls, text: str) -> Self:
        """Read an offer as it is written in the id of a button, or in the key of a job."""
        return cls(*map(int, text.split(":")))


async def hand_over(app: App, action: Action, taker: Person) -> Report:
    """Offer your own seat to somebody; raises Declined if that is not allowed."""
    offer = Offer(action.match, action.person.id, taker.id, action.person.id)
    require_player(await load(app, action.match), action.person.id)
    sitting = await _offered(app, offer, taker)
    app.take(
        await app.store.jobs.add(sitting.row.guild, [tasks.offer_seat(str(offer), app.clock())])
    )
    return Report(sitting, ())


async def order(
    app: App, action: Action, guild: int, holder: int, taker: Person, reason: str
) -> Report:
    """Offer somebody's seat to another, as a moderator; raises Declined if that is not allowed."""
    offer = Offer(action.match, holder, taker.id, action.person.id)
    moderation.require_here(await load(app, action.match), guild)
    sitting = await _offered(app, offer, taker)
    people = (holder, taker.id)
    ruling = await moderation.ruling(app, action, guild, moderation.SUBSTITUTE, reason, people)
    app.take(await app.store.audit.keep(ruling, tasks.offer_seat(str(offer), app.clock())))
    return Report(sitting, ())


async def _offered(app: App, offer: Offer, taker: Person) -> Sitting:
    """Return the match in which a seat may be offered; raises Declined if it may not."""
    sitting = await load(app, offer.match)
    require_person(taker)
    _require_free(sitting, offer)
    await app.remember(taker)
    return sitting


def require_person(taker: Person) -> None:
    """Raise Declined for a bot."""
    if taker.bot:
        raise Declined(Why.BOT, person=taker.name)


def _require_free(sitting: Sitting, offer: Offer) -> None:
    """Raise Declined unless the seat may change hands now."""
    require_running(sitting)
    if sitting.match.rules.players == 1:
        raise Declined(Why.NO_TEAM)
    if offer.holder in COMPUTERS or not sitting.sides_of(offer.holder):
        raise Declined(Why.SEAT_GONE, match=sitting.id)
    if sitting.sides_of(offer.taker):
        raise Declined(Why.ALREADY_AT_THE_TABLE, match=sitting.id)


async def take(app: App, action: Action, offer: Offer) -> Report:
    """Take an offered seat; raises Declined if it is offered to somebody else, or no longer."""
    if action.person.id != offer.taker:
        raise Declined(Why.SEAT_NOT_FOR_YOU)
    await app.remember(action.person)

    def decide(sitting: Sitting) -> Event:
        _require_free(sitting, offer)
        (side,) = sitting.sides_of(offer.holder)
        return Seated(side, sitting.seated(side).index(offer.holder))

    def take_over(sitting: Sitting) -> Takeover:
        (side,) = sitting.sides_of(offer.holder)
        number = sitting.seated(side).index(offer.holder)
        return Takeover(sitting.sat(side).value, number, offer.taker, LIMITS)

    try:
        return await act(app, action, decide, take_over=take_over)
    except TooMany as error:
        raise Declined(Why.TOO_MANY_MATCHES, person=action.person.name, most=error.most) from None


def require_concerned(person: int, offer: Offer) -> None:
    """Raise Declined unless somebody may say that an offered seat stays with its holder."""
    if person not in (offer.taker, offer.by, offer.holder):
        raise Declined(Why.SEAT_NOT_FOR_YOU)
