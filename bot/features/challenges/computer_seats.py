"""Seats that the computer takes."""

from collections.abc import Callable, Sequence

from bot.features.challenges import service
from bot.features.challenges.store import Challenges
from bot.features.challenges.tables import Challenge, JoinResult
from bot.features.challenges.terms import MatchRequest, MatchTerms
from bot.features.computer.jobs import PlayComputerTurn
from bot.features.matches.clock import IDLE_LIMIT_MS
from bot.features.matches.jobs import COMPUTER_PATIENCE, ShowMatch, WatchClock
from bot.features.matches.rows import MatchUpdate, Seat
from bot.features.matches.service import build_snapshot
from bot.features.servers import service as servers
from bot.platform.context import App
from bot.platform.db.errors import DuplicateRematchError, LimitExceededError, SeatTakenError
from bot.platform.db.rows import Job
from bot.platform.i18n.reader import DeclinedError, UnknownControlError, mark_text
from bot.platform.people import COMPUTERS, build_computer_person
from engine.events import SetUp, to_record
from engine.games import GAMES
from engine.match import new_match
from engine.players.level import Level
from engine.position import Side


class NotSeatedError(DeclinedError):
    sentence = mark_text(
        "Only people who have joined this challenge can fill its empty seats. You can start "
        "your own match with `/play`."
    )


class RematchBegunError(DeclinedError):
    sentence = mark_text("You're already playing this rematch. Find it with `/matches`.")


async def play_computer(
    app: App,
    request: MatchRequest,
    terms: MatchTerms,
    level: Level,
    rematch_of: int | None = None,
    opening: SetUp | None = None,
) -> JoinResult:
    """Begin a match at once with the computer in every other seat, in a position if one is given.

    Raises DeclinedError if that is not allowed, and Refusal for house rules that make no game.
    """
    terms.game.require_playable(terms.options)
    servers.require_start_place(
        await app.store.servers.load_settings(request.guild), request.channel, request.parent
    )
    seat = Seat(terms.side.value, 0, request.person.id, request.contribution)
    others = await _build_computer_seats(app, request.cause, level, terms.players, [seat])
    await app.save_people(request.person)
    new = service.build_challenge(app, request, None, terms, rematch_of)
    try:
        result = await app.store.get(Challenges).create_and_start(
            new,
            [seat, *others],
            terms.game.edition,
            service.LIMITS,
            _plan_computer_start(app, 0 if opening else COMPUTER_PATIENCE),
            _build_opening(app, request, terms, opening) if opening else None,
        )
    except LimitExceededError as error:
        raise service.explain_too_many(error, {request.person.id: request.person.name}) from None
    except DuplicateRematchError:
        raise RematchBegunError from None
    app.take(result.jobs)
    return result


def _build_opening(
    app: App, request: MatchRequest, terms: MatchTerms, opening: SetUp
) -> MatchUpdate:
    """Return what has happened in a match that begins in a position."""
    match = new_match(terms.game, terms.options).apply(opening)
    return MatchUpdate(
        expected_version=0,
        records=[to_record(opening, match.rules.board)],
        person=request.person.id,
        cause=request.cause,
        snapshot=build_snapshot(match),
        now=app.clock(),
    )


async def fill_with_computer(
    app: App, number: int, request: MatchRequest, level: Level
) -> JoinResult:
    """Seat the computer in all free seats of a person's challenge; its match begins unrated."""
    challenge = await service.find_open_challenge(app, number, request.guild)
    if request.person.id not in (seat.person for seat in challenge.seats):
        raise NotSeatedError
    if challenge.ladder is not None:
        # On a ladder only the one who was challenged can lose their rung.
        raise UnknownControlError
    others = await _build_computer_seats(
        app, request.cause, level, challenge.players, challenge.seats
    )
    edition = GAMES[challenge.game].edition
    try:
        result = await app.store.get(Challenges).fill_seats(
            number, others, edition, app.clock(), service.LIMITS, _plan_computer_start(app)
        )
    except SeatTakenError:
        raise service.SeatTakenByOtherError from None
    except LimitExceededError as error:
        raise service.explain_too_many(
            error, await app.load_names([seat.person for seat in challenge.seats])
        ) from None
    app.take(result.jobs)
    return result


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
    computers = [build_computer_person(level, at) for at in range(len(free))]
    await app.save_people(*computers)
    return [
        Seat(*place, computer.id, cause) for place, computer in zip(free, computers, strict=True)
    ]


def _plan_computer_start(
    app: App, patience: int = COMPUTER_PATIENCE
) -> Callable[[Challenge, int | None], Sequence[Job]]:
    """Let the computer throw for who begins, and its match be shown whatever becomes of that.

    Where it has nothing to do, nobody needs the `patience` to wait for it, in milliseconds.
    """
    now = app.clock()

    def follows(after: Challenge, match: int | None) -> Sequence[Job]:
        assert match is not None
        shown = [service.ShowChallenge(after.id).build_job(now)] if after.message else []
        begun = [
            PlayComputerTurn(match).build_job(now),
            ShowMatch(match).build_job(now + patience),
        ]
        people = [seat.person for seat in after.seats if seat.person not in COMPUTERS]
        # A person alone with the computer is no news for the server.
        news = service.build_start_jobs(match, now) if len(people) > 1 else []
        return [*begun, WatchClock(match).build_job(now + IDLE_LIMIT_MS), *shown, *news]

    return follows
