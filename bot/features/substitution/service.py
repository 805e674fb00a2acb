"""Substitution in teams: a player or a moderator offers a seat, and somebody takes or declines it.

The contributions to the dice stay, and the result belongs to those who began. So nobody can escape
a lost match, and the one who takes a seat over risks nothing.
"""

from dataclasses import astuple, dataclass
from typing import Self

from bot.features.blocks import service as blocks
from bot.features.challenges.service import LIMITS
from bot.features.matches.loading import load_session
from bot.features.matches.service import Action, ActionResult, apply_action, load_session_to_act
from bot.features.matches.session import MatchSession, require_player, require_running
from bot.features.moderation import service as moderation
from bot.features.substitution.jobs import OfferSeat
from bot.features.substitution.store import SeatOfferedError, SeatOfferRow
from bot.platform.computers import COMPUTERS
from bot.platform.context import App
from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.people import DiscordPerson
from bot.store import LimitExceededError, Ruling, SeatTakeover
from engine.events import Event, Seated

MAX_OFFERS_A_MINUTE = 3
"""Offers of seats that somebody may make within a minute: a match has few seats."""


@dataclass(frozen=True, slots=True)
class SeatOffer:
    """A seat that is offered: in which match, whose it is, who is to take it, and who offers it."""

    match: int
    holder: int
    taker: int
    by: int

    def __str__(self) -> str:
        return ":".join(map(str, (self.match, self.holder, self.taker, self.by)))

    @property
    def row(self) -> SeatOfferRow:
        """The offer as it is kept."""
        return SeatOfferRow(*astuple(self))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read an offer as it is written in the id of a button."""
        return cls(*map(int, text.split(":")))


async def offer_own_seat(app: App, action: Action, taker: DiscordPerson) -> ActionResult:
    """Offer your own seat to somebody; raises DeclinedError if that is not allowed."""
    offer = SeatOffer(action.match, action.person.id, taker.id, action.person.id)
    # First, so that a stranger hears that they do not play, and not that the seat is gone.
    require_player(await load_session_to_act(app, action), action.person.id)
    session = await _load_for_offer(app, offer, action.person, taker)
    await _save_offer(app, session, offer, taker)
    return ActionResult(session, ())


async def offer_as_moderator(
    app: App, action: Action, guild: int, holder: int, taker: DiscordPerson, reason: str
) -> ActionResult:
    """Offer somebody's seat to another, as a moderator.

    Raises DeclinedError if that is not allowed.
    """
    offer = SeatOffer(action.match, holder, taker.id, action.person.id)
    moderation.require_same_server(await load_session_to_act(app, action), guild)
    session = await _load_for_offer(app, offer, action.person, taker)
    people = (holder, taker.id)
    ruling = await moderation.build_ruling(
        app, action, guild, moderation.SUBSTITUTE, reason, people
    )
    await _save_offer(app, session, offer, taker, ruling)
    return ActionResult(session, ())


async def _load_for_offer(
    app: App, offer: SeatOffer, by: DiscordPerson, taker: DiscordPerson
) -> MatchSession:
    """Return the match in which a seat may be offered; raises DeclinedError if it may not."""
    session = await load_session(app, offer.match)
    require_human(taker)
    _require_transferable(session, offer)
    refusal = DeclinedError(DeclineReason.SEAT_NOT_TAKEN, person=taker.name)
    await blocks.require_unblocked(app, by, [taker.id], refusal)
    # They would sit down with all who play, so nobody is asked to meet whom they have blocked. Who
    # has blocked whom is not said, also to one who has it from neither.
    others = [each for each in session.human_players if each not in (offer.holder, by.id)]
    if await app.store.blocks.load_between(taker.id, others):
        raise refusal
    await app.save_people(taker)
    return session


async def _save_offer(
    app: App,
    session: MatchSession,
    offer: SeatOffer,
    taker: DiscordPerson,
    ruling: Ruling | None = None,
) -> None:
    """Keep an offer, and have the person asked; raises DeclinedError if there are too many."""
    now = app.clock()
    job = OfferSeat(*astuple(offer)).make_job(now)
    try:
        jobs = await app.store.seat_offers.add(
            offer.row, now, MAX_OFFERS_A_MINUTE, session.row.guild, job, ruling
        )
    except SeatOfferedError as error:
        names = await app.load_names([error.taker])
        raise DeclinedError(DeclineReason.SEAT_OFFERED, person=names[error.taker]) from None
    except LimitExceededError as error:
        raise DeclinedError(DeclineReason.TOO_MANY_OFFERS, most=error.most) from None
    app.take(jobs)


def require_human(taker: DiscordPerson) -> None:
    """Raise DeclinedError for a bot."""
    if taker.bot:
        raise DeclinedError(DeclineReason.BOT, person=taker.name)


def _require_transferable(session: MatchSession, offer: SeatOffer) -> None:
    """Raise DeclinedError unless the seat may change hands now."""
    require_running(session)
    if session.match.rules.players == 1:
        raise DeclinedError(DeclineReason.NO_TEAM)
    # The offer may be days old: its holder may have handed the seat to somebody else.
    if offer.holder in COMPUTERS or not session.find_sides(offer.holder):
        raise DeclinedError(DeclineReason.SEAT_GONE, match=session.id)
    if session.find_sides(offer.taker):
        raise DeclinedError(DeclineReason.ALREADY_AT_THE_TABLE, match=session.id)


async def take_seat(app: App, action: Action, offer: SeatOffer) -> ActionResult:
    """Take an offered seat.

    Raises DeclinedError if it is offered to somebody else, or no longer.
    """
    if action.person.id != offer.taker:
        raise DeclinedError(DeclineReason.SEAT_NOT_FOR_YOU)
    session = await load_session(app, offer.match)
    await _require_open(app, offer)
    others = [each for each in session.human_players if each != offer.holder]
    gone = DeclinedError(DeclineReason.SEAT_GONE, match=offer.match)
    await blocks.require_unblocked(app, action.person, others, gone)
    await app.save_people(action.person)

    def decide(session: MatchSession) -> Event:
        _require_transferable(session, offer)
        (side,) = session.find_sides(offer.holder)
        return Seated(side, session.list_players(side).index(offer.holder))

    def take_over(session: MatchSession) -> SeatTakeover:
        (side,) = session.find_sides(offer.holder)
        number = session.list_players(side).index(offer.holder)
        # Seats are stored by the side on which people sat down, and the sides may have swapped.
        return SeatTakeover(session.get_original_side(side).value, number, offer.taker, LIMITS)

    try:
        taken = await apply_action(app, action, decide, take_over=take_over)
    except LimitExceededError as error:
        raise DeclinedError(
            DeclineReason.TOO_MANY_MATCHES, person=action.person.name, most=error.most
        ) from None
    await app.store.seat_offers.close(offer.row, app.clock())
    return taken


async def _require_open(app: App, offer: SeatOffer) -> None:
    """Raise DeclinedError if the seat is offered to somebody else by now."""
    newest = await app.store.seat_offers.find_open(offer.match, offer.holder)
    # An offer of an earlier day is not kept, but stands for as long as there is no other.
    if newest not in (None, offer.row):
        raise DeclinedError(DeclineReason.SEAT_GONE, match=offer.match)


async def leave_seat(app: App, offer: SeatOffer, person: int) -> None:
    """Let an offered seat stay with its holder, so that it can be offered again.

    Raises DeclinedError unless the offer concerns the person.
    """
    if person not in (offer.taker, offer.by, offer.holder):
        raise DeclinedError(DeclineReason.SEAT_NOT_FOR_YOU)
    await app.store.seat_offers.close(offer.row, app.clock())
