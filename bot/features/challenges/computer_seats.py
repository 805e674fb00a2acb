"""Seats that the computer takes."""

from collections.abc import Callable, Sequence

from bot.features.challenges.service import (
    LIMITS,
    build_challenge,
    explain_too_many,
    find_open_challenge,
)
from bot.features.challenges.terms import MatchRequest, MatchTerms
from bot.features.following.jobs import NOTIFY_DELAY_MS, AnnounceMatch, MatchNews
from bot.features.matches import follow_ups
from bot.features.matches.clock import IDLE_LIMIT_MS
from bot.features.matches.service import build_snapshot
from bot.features.servers import service as servers
from bot.platform.computers import COMPUTERS, make_computer_person
from bot.platform.context import App
from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.jobs.kinds import PlayComputerTurn, ShowChallenge, ShowMatch, WatchClock
from bot.store import (
    Challenge,
    DuplicateRematchError,
    Job,
    JoinResult,
    LimitExceededError,
    MatchUpdate,
    Seat,
    SeatTakenError,
)
from engine.events import SetUp, to_record
from engine.games import GAMES
from engine.match import new_match
from engine.players.level import Level
from engine.position import Side


async def play_computer(
    app: App,
    asked: MatchRequest,
    terms: MatchTerms,
    level: Level,
    rematch_of: int | None = None,
    opening: SetUp | None = None,
) -> JoinResult:
    """Begin a match at once with the computer in every other seat, in a position if one is given.

    Raises DeclinedError if that is not allowed.
    """
    servers.require_start_place(
        await app.store.servers.get(asked.guild), asked.channel, asked.parent
    )
    seat = Seat(terms.side.value, 0, asked.person.id, asked.contribution)
    others = await _build_computer_seats(app, asked.cause, level, terms.players, [seat])
    await app.save_people(asked.person)
    new = build_challenge(app, asked, None, terms, rematch_of)
    try:
        begun = await app.store.challenges.create_and_start(
            new,
            [seat, *others],
            terms.game.edition,
            LIMITS,
            _plan_computer_start(app, 0 if opening else follow_ups.COMPUTER_PATIENCE),
            _build_opening(app, asked, terms, opening) if opening else None,
        )
    except LimitExceededError as error:
        raise explain_too_many(error, {asked.person.id: asked.person.name}) from None
    except DuplicateRematchError:
        raise DeclinedError(DeclineReason.REMATCH_BEGUN) from None
    app.take(begun.jobs)
    return begun


def _build_opening(app: App, asked: MatchRequest, terms: MatchTerms, opening: SetUp) -> MatchUpdate:
    """Return what has happened in a match that begins in a position."""
    match = new_match(terms.game, terms.options).apply(opening)
    return MatchUpdate(
        expected_version=0,
        records=[to_record(opening, match.rules.board)],
        person=asked.person.id,
        cause=asked.cause,
        snapshot=build_snapshot(match),
        now=app.clock(),
    )


async def fill_with_computer(
    app: App, number: int, asked: MatchRequest, level: Level
) -> JoinResult:
    """Seat the computer in all free seats of a person's challenge; its match begins unrated."""
    challenge = await find_open_challenge(app, number, asked.guild)
    if asked.person.id not in (seat.person for seat in challenge.seats):
        raise DeclinedError(DeclineReason.NOT_SEATED)
    if challenge.ladder is not None:
        # On a ladder only the one who was challenged can lose their rung.
        raise DeclinedError(DeclineReason.UNKNOWN_CONTROL)
    others = await _build_computer_seats(
        app, asked.cause, level, challenge.players, challenge.seats
    )
    edition = GAMES[challenge.game].edition
    try:
        begun = await app.store.challenges.fill_seats(
            number, others, edition, app.clock(), LIMITS, _plan_computer_start(app)
        )
    except SeatTakenError:
        raise DeclinedError(DeclineReason.QUICKER) from None
    except LimitExceededError as error:
        raise explain_too_many(
            error, await app.load_names([seat.person for seat in challenge.seats])
        ) from None
    app.take(begun.jobs)
    return begun


async def _build_computer_seats(
    app: App, cause: str, level: Level, players: int, taken: Sequence[Seat]
) -> list[Seat]:
    """Return the computer's seats at a table: all that nobody has taken.

    Its contribution to the dice is the id of the interaction that seats it, which Discord chose. It
    could choose an id of its own to suit itself.
    """
    sat = [(seat.side, seat.number) for seat in taken]
    places = [(side.value, number) for side in Side for number in range(players)]
    free = [place for place in places if place not in sat]
    # Each seat has a computer of its own, since nobody may sit twice at a table.
    computers = [make_computer_person(level, at) for at in range(len(free))]
    await app.save_people(*computers)
    return [
        Seat(*place, computer.id, cause) for place, computer in zip(free, computers, strict=True)
    ]


def _plan_computer_start(
    app: App, patience: int = follow_ups.COMPUTER_PATIENCE
) -> Callable[[Challenge, int | None], Sequence[Job]]:
    """Let the computer throw for who begins, and its match be shown whatever becomes of that.

    Where it has nothing to do, nobody needs the `patience` to wait for it, in milliseconds.
    """
    now = app.clock()

    def follows(after: Challenge, match: int | None) -> Sequence[Job]:
        assert match is not None
        shown = [ShowChallenge(after.id).make_job(now)] if after.message else []
        begun = [
            PlayComputerTurn(match).make_job(now),
            ShowMatch(match).make_job(now + patience),
        ]
        people = [seat.person for seat in after.seats if seat.person not in COMPUTERS]
        news = (
            [AnnounceMatch(match, MatchNews.BEGUN).make_job(now + NOTIFY_DELAY_MS)]
            # A person alone with the computer is no news for the server.
            if len(people) > 1
            else []
        )
        return [*begun, WatchClock(match).make_job(now + IDLE_LIMIT_MS), *shown, *news]

    return follows
