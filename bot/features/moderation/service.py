"""Moderation: end a match, for a side or as a draw, or annul it, with a public reason on record.

In teams a player or a moderator offers a seat, and somebody takes or declines it. The contributions
to the dice stay, and the result belongs to those who began. So nobody can escape a lost match, and
the one who takes a seat over risks nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Self

from bot.features.challenges.service import LIMITS, BotOpponentError, TooManyMatchesError
from bot.features.matches.jobs import END_JOBS
from bot.features.matches.loading import load_session
from bot.features.matches.rows import DRAW, MatchRow, Ruling, SeatTakeover
from bot.features.matches.service import Action, ActionResult, apply_action, load_session_to_act
from bot.features.matches.session import (
    MatchElsewhereError,
    MatchSession,
    require_player,
    require_running,
)
from bot.features.matches.store import Matches
from bot.features.moderation.store import AuditLog, SeatOfferedError, SeatOfferRow, SeatOffers
from bot.features.preferences.service import require_unblocked
from bot.features.preferences.store import Blocks
from bot.features.ratings import service as ratings
from bot.features.ratings.store import Ratings
from bot.platform.context import App
from bot.platform.db.errors import LimitExceededError
from bot.platform.db.jobs import JobPayload, Subject
from bot.platform.db.rows import Job
from bot.platform.i18n.common import Paging, find_page
from bot.platform.i18n.reader import DeclinedError, mark_text
from bot.platform.people import COMPUTERS, DiscordPerson
from engine.clock import MINUTE
from engine.events import Adjudicated, Annulled, Event, Seated
from engine.folding import fold_text
from engine.outcome import ANNULLED
from engine.position import Side

MAX_OFFERS_A_MINUTE = 3
"""Offers of seats that somebody may make within a minute: a match has few seats."""

ANNUL, SUBSTITUTE = "annul", "substitute"
WAYS = (*(side.value for side in Side), DRAW, ANNUL)
"""How a moderator may end a match."""
PAGE = 5
"""Rulings on a page of the log: they fit one message even if their escaped reasons are long."""
MAX_REASON_LENGTH = 200
"""Characters of a reason."""
STORED_AFTER = MINUTE
"""Milliseconds after which an end is surely stored: more than the database is ever waited for."""


class RerateMatches(JobPayload, kind="rate anew", about=Subject.MATCH):
    """Rate all matches again that ended after this one, which was annulled."""

    match: int


@END_JOBS.add()
def build_reratings(before: MatchSession, after: MatchSession, now: int) -> Sequence[Job]:
    """Rate those again who played after a match that was over: all it can be is annulled."""
    is_annulled = before.row.ended is not None and before.row.rated
    return [RerateMatches(after.id).build_job(now)] if is_annulled else []


class AlreadyAnnulledError(DeclinedError):
    match: int
    sentence = mark_text("Match {match} has already been annulled.")


class NoReasonError(DeclinedError):
    sentence = mark_text("Please give a reason. The players will see it, and it's kept in the log.")


@dataclass(frozen=True, slots=True)
class RulingPage:
    """One page of a server's log, the newest rulings first, with the matches that they concern."""

    rulings: Sequence[Ruling]
    matches: Mapping[int, MatchRow]
    paging: Paging


async def end_match(app: App, action: Action, guild: int, how: str, reason: str) -> ActionResult:
    """End a running match of a server in one of the WAYS, or annul one that is over.

    Raises DeclinedError if there is no such match, or the reason is missing.
    """
    given = await build_ruling(app, action, guild, how, reason)

    def decide(session: MatchSession) -> Event:
        # Checked in the lock, with the match as it is then: two moderators may act at once.
        require_same_server(session, guild)
        if how == ANNUL:
            _require_not_annulled(session)
            return Annulled()
        require_running(session)
        return Adjudicated(None if how == DRAW else Side(how))

    return await apply_action(app, action, decide, given)


def require_reason(typed: str) -> str:
    """Return a reason on one line, as it is quoted; raises DeclinedError if it says nothing."""
    reason = " ".join(typed.split())
    if not fold_text(reason):
        raise NoReasonError
    return reason


async def build_ruling(
    app: App, action: Action, guild: int, how: str, reason: str, people: tuple[int, ...] = ()
) -> Ruling:
    """Return what a server's log is to keep; raises DeclinedError without a reason."""
    text = require_reason(reason)
    # Before the ruling, which refers to them: a moderator may never have played.
    await app.save_people(action.person)
    return Ruling(guild, app.clock(), action.person.id, how, action.match, text, people)


async def rerate_matches(app: App, match: int) -> None:
    """Rate all matches again that ended after an annulled one, as if it had not been played."""
    now = app.clock()
    boards = ratings.list_boards_to_rerate((await load_session(app, match)).row, now)
    # A match that ended just now may not be stored yet by another process.
    await app.store.get(Ratings).rerate_after(
        match, boards, ratings.compute_strengths, now - STORED_AFTER
    )


def require_same_server(session: MatchSession, guild: int) -> None:
    """Raise DeclinedError unless the match is of that server."""
    if session.row.guild != guild:
        raise MatchElsewhereError(session.id)


def _require_not_annulled(session: MatchSession) -> None:
    outcome = session.match.outcome
    if outcome and outcome.how == ANNULLED:
        raise AlreadyAnnulledError(session.id)


async def find_latest_ruling(app: App, session: MatchSession) -> Ruling | None:
    """Return a moderator's last ruling on how a match ended; None if there is none."""
    outcome = session.match.outcome
    if outcome is None or outcome.how not in (ANNULLED, "adjudicated"):
        return None
    rulings = await app.store.get(AuditLog).load_by_match(session.id)
    # Other rulings, such as a substitution, do not say why the match ended.
    return next((each for each in rulings if each.action in WAYS), None)


async def load_log_page(app: App, guild: int, number: int) -> RulingPage:
    """Return a page of what the moderators of a server did; pages count from 0."""
    log = app.store.get(AuditLog)
    paging = find_page(number, await log.count_rulings(guild), PAGE)
    rulings = await log.load_page(guild, paging.first, PAGE)
    rows = await app.store.get(Matches).load_rows([*{each.match for each in rulings}])
    return RulingPage(rulings, {row.id: row for row in rows}, paging)


class OfferSeat(
    JobPayload,
    kind="offer seat",
    about=Subject.MATCH,
    key="{match}:{holder}:{taker}:{by}",
    needs_server=True,
):
    """Ask somebody to take another's seat in a match; `by` is who offers it."""

    match: int
    holder: int
    taker: int
    by: int


class AlreadyAtTableError(DeclinedError):
    match: int
    sentence = mark_text("Players in match {match} can't take a second seat in it.")


class NoTeamError(DeclinedError):
    sentence = mark_text(
        "Only a seat in a team can be handed over. In a match for two you can use `/match "
        "draw` or `/match resign`."
    )


class SeatGoneError(DeclinedError):
    match: int
    sentence = mark_text("That seat in match {match} can't be handed over.")


class SeatNotForYouError(DeclinedError):
    sentence = mark_text("That seat is offered to somebody else.")


class SeatNotOfferableError(DeclinedError):
    person: str
    sentence = mark_text("{person} can't be asked to take this seat. Choose somebody else.")


class SeatOfferedToError(DeclinedError):
    person: str
    sentence = mark_text(
        "This seat is already offered to {person}. It can be offered again once somebody "
        "presses **Leave it** there, or after a day."
    )


class TooManyOffersError(DeclinedError):
    most: int
    sentence = mark_text("You've offered {most} seats within a minute. Please wait a little.")


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
    require_same_server(await load_session_to_act(app, action), guild)
    session = await _load_for_offer(app, offer, action.person, taker)
    people = (holder, taker.id)
    ruling = await build_ruling(app, action, guild, SUBSTITUTE, reason, people)
    await _save_offer(app, session, offer, taker, ruling)
    return ActionResult(session, ())


async def _load_for_offer(
    app: App, offer: SeatOffer, by: DiscordPerson, taker: DiscordPerson
) -> MatchSession:
    """Return the match in which a seat may be offered; raises DeclinedError if it may not."""
    session = await load_session(app, offer.match)
    require_human(taker)
    _require_transferable(session, offer)
    refusal = SeatNotOfferableError(taker.name)
    await require_unblocked(app, by, [taker.id], refusal)
    # They would sit down with all who play, so nobody is asked to meet whom they have blocked. Who
    # has blocked whom is not said, also to one who has it from neither.
    others = [each for each in session.human_players if each not in (offer.holder, by.id)]
    if await app.store.get(Blocks).load_between(taker.id, others):
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
    job = OfferSeat(*astuple(offer)).build_job(now)
    try:
        jobs = await app.store.get(SeatOffers).add(
            offer.row, now, MAX_OFFERS_A_MINUTE, session.row.guild, job, ruling
        )
    except SeatOfferedError as error:
        names = await app.load_names([error.taker])
        raise SeatOfferedToError(names[error.taker]) from None
    except LimitExceededError as error:
        raise TooManyOffersError(error.most) from None
    app.take(jobs)


def require_human(taker: DiscordPerson) -> None:
    """Raise DeclinedError for a bot."""
    if taker.bot:
        raise BotOpponentError(taker.name)


def _require_transferable(session: MatchSession, offer: SeatOffer) -> None:
    """Raise DeclinedError unless the seat may change hands now."""
    require_running(session)
    if session.match.rules.players == 1:
        raise NoTeamError
    # The offer may be days old: its holder may have handed the seat to somebody else.
    if offer.holder in COMPUTERS or not session.find_sides(offer.holder):
        raise SeatGoneError(session.id)
    if session.find_sides(offer.taker):
        raise AlreadyAtTableError(session.id)


async def take_seat(app: App, action: Action, offer: SeatOffer) -> ActionResult:
    """Take an offered seat.

    Raises DeclinedError if it is offered to somebody else, or no longer.
    """
    if action.person.id != offer.taker:
        raise SeatNotForYouError
    session = await load_session(app, offer.match)
    await _require_open(app, offer)
    others = [each for each in session.human_players if each != offer.holder]
    gone = SeatGoneError(offer.match)
    await require_unblocked(app, action.person, others, gone)
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
        raise TooManyMatchesError(person=action.person.name, most=error.most) from None
    await app.store.get(SeatOffers).close(offer.row, app.clock())
    return taken


async def _require_open(app: App, offer: SeatOffer) -> None:
    """Raise DeclinedError if the seat is offered to somebody else by now."""
    newest = await app.store.get(SeatOffers).find_open(offer.match, offer.holder)
    # An offer of an earlier day is not kept, but stands for as long as there is no other.
    if newest not in (None, offer.row):
        raise SeatGoneError(offer.match)


async def leave_seat(app: App, offer: SeatOffer, person: int) -> None:
    """Let an offered seat stay with its holder, so that it can be offered again.

    Raises DeclinedError unless the offer concerns the person.
    """
    if person not in (offer.taker, offer.by, offer.holder):
        raise SeatNotForYouError
    await app.store.get(SeatOffers).close(offer.row, app.clock())
