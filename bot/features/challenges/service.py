"""Challenges: to one person, to anyone, or between teams; answered once."""

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence

from bot.features.blocks import service as blocks
from bot.features.challenges.terms import MatchRequest, MatchTerms
from bot.features.following.jobs import NOTIFY_DELAY_MS, AnnounceMatch, MatchNews
from bot.features.ladders.jobs import ShowLadder
from bot.features.looking.jobs import SETTLE_MS, NotifySubscribers
from bot.features.matches import service as play
from bot.features.matches.clock import IDLE_LIMIT_MS
from bot.features.matches.service import Action
from bot.features.servers import service as servers
from bot.platform.computers import COMPUTERS
from bot.platform.context import App
from bot.platform.errors import DeclinedError, DeclineReason, StaleMatchError
from bot.platform.jobs.kinds import LapseChallenge, ShowChallenge, ShowMatch, WatchClock
from bot.platform.people import DiscordPerson
from bot.store import (
    Challenge,
    DuplicateRematchError,
    Job,
    JoinResult,
    LimitExceededError,
    Limits,
    NewChallenge,
    Seat,
    SeatTakenError,
    StoreError,
)
from engine import dice
from engine.clock import DAY
from engine.games import GAMES
from engine.position import Side

log = logging.getLogger(__name__)

LIFETIME_MS = DAY
"""Milliseconds until a challenge lapses."""
RETURN_MS = DAY
"""Milliseconds that somebody who was on vacation has to answer a challenge on a ladder."""
LIMITS = Limits(
    running=20, open=5, exempt=COMPUTERS, a_minute=12, a_minute_here=60, an_hour_to_one=5
)
"""Limits of a person's running matches and open challenges, and of challenges made in a minute.

The last has one limit for a person and one for everybody in their server.
"""
BATTLE_PATIENCE = 5_000
"""Milliseconds after which a match is shown although its roll battle is missing.

The roll battle follows at once unless the program was killed.
"""


async def offer_match(
    app: App,
    asked: MatchRequest,
    opponent: DiscordPerson | None,
    terms: MatchTerms,
    rematch_of: int | None = None,
) -> Challenge:
    """Challenge somebody, or anyone; raises DeclinedError if that is not allowed."""
    require_valid_opponent(asked.person, opponent, terms)
    await require_may_challenge(app, asked, opponent)
    # Before the challenge, which locks and refers to the rows of these people.
    await app.save_people(*filter(None, (asked.person, opponent)))
    new = build_challenge(app, asked, opponent.id if opponent else None, terms, rematch_of)
    seat = Seat(terms.side.value, 0, asked.person.id, asked.contribution)
    try:
        created = await app.store.challenges.create(
            new, seat, LIMITS, lambda number: _build_challenge_jobs(number, new)
        )
    except LimitExceededError as error:
        names = {each.id: each.name for each in (asked.person, opponent) if each}
        raise explain_too_many(error, names) from None
    except DuplicateRematchError:
        raise DeclinedError(DeclineReason.REMATCH_OFFERED) from None
    app.take(created.jobs)
    return created.challenge


async def require_may_challenge(
    app: App, asked: MatchRequest, opponent: DiscordPerson | None
) -> None:
    """Raise DeclinedError if the person may not challenge the opponent in this server.

    That is also so if either has blocked the other.
    """
    server = await app.store.servers.get(asked.guild)
    servers.require_start_place(server, asked.channel, asked.parent)
    servers.require_member_role(server, asked.person)
    if opponent:
        servers.require_member_role(server, opponent)
        refusal = DeclinedError(DeclineReason.NOT_TAKEN, person=opponent.name)
        await blocks.require_unblocked(app, asked.person, [opponent.id], refusal)


def build_challenge(
    app: App,
    asked: MatchRequest,
    opponent: int | None,
    terms: MatchTerms,
    rematch_of: int | None = None,
    lifetime: int = LIFETIME_MS,
    ladder: int | None = None,
) -> NewChallenge:
    """Return a challenge to be stored, whose dice secret is drawn now.

    It lapses after so many milliseconds.
    """
    # Drawn before anybody else can accept: only a secret that is fixed first proves that the dice
    # were not chosen to suit.
    secret = app.entropy(dice.SECRET_BYTES)
    now = app.clock()
    return NewChallenge(
        guild=asked.guild,
        channel=asked.channel,
        challenger=asked.person.id,
        opponent=opponent,
        side=terms.side.value,
        game=terms.game.slug,
        options=terms.options,
        rated=terms.rated,
        players=terms.players,
        secret=secret,
        commitment=dice.compute_commitment(secret),
        created=now,
        expires=now + lifetime,
        pace=terms.pace.name,
        rematch_of=rematch_of,
        ladder=ladder,
    )


async def accept_oldest(
    app: App, asked: MatchRequest, is_playable: Callable[[Challenge], Awaitable[bool]]
) -> JoinResult | None:
    """Accept the open challenge that has waited longest in a server; None if none waits.

    Challenges that cannot be played in their channel are skipped.
    """
    for number in await app.store.challenges.find_acceptable(
        asked.guild, asked.person.id, app.clock()
    ):
        challenge = await app.store.challenges.get(number)
        # The list is a moment old, and whether its channel takes messages is not in the database.
        if challenge is not None and await is_playable(challenge):
            return await accept_challenge(app, number, asked, None)
    return None


def _build_challenge_jobs(number: int, new: NewChallenge) -> Sequence[Job]:
    # A rematch is meant for those who have just played, also between teams.
    is_for_anyone = new.opponent is None and new.rematch_of is None
    others = [NotifySubscribers(number).make_job(new.created + SETTLE_MS)] if is_for_anyone else []
    return [
        ShowChallenge(number).make_job(new.created),
        LapseChallenge(number).make_job(new.expires),
        *others,
    ]


def require_valid_opponent(
    challenger: DiscordPerson, opponent: DiscordPerson | None, terms: MatchTerms
) -> None:
    """Raise DeclinedError unless these people may play each other on those terms."""
    if opponent is None:
        return
    require_other_person(challenger, opponent)
    # A team has more seats than the two who are named, so anyone may take the others.
    if terms.players > 1:
        raise DeclinedError(DeclineReason.TEAMS_ARE_OPEN)


def require_other_person(challenger: DiscordPerson, opponent: DiscordPerson) -> None:
    """Raise DeclinedError for a challenge to oneself or to a bot."""
    if opponent.id == challenger.id:
        raise DeclinedError(DeclineReason.OWN_CHALLENGE)
    if opponent.bot:
        raise DeclinedError(DeclineReason.BOT, person=opponent.name)


def explain_too_many(error: LimitExceededError, names: Mapping[int, str]) -> DeclinedError:
    """Return the refusal that says which limit is reached, and by whom."""
    why = {
        "open": DeclineReason.TOO_MANY_CHALLENGES,
        "lately": DeclineReason.TOO_MANY_LATELY,
        "here": DeclineReason.TOO_MANY_HERE,
        "to one": DeclineReason.TOO_MANY_TO_ONE,
        "running": DeclineReason.TOO_MANY_MATCHES,
    }
    return DeclinedError(why[error.what], person=names.get(error.person, ""), most=error.most)


async def find_open_challenge(
    app: App, number: int, guild: int, person: int | None = None
) -> Challenge:
    """Return an open challenge of a server, or from anywhere one that concerns a person.

    Raises DeclinedError, saying what became of it, if it is not open; of another server's it does
    not tell that there is one.
    """
    challenge = await app.store.challenges.get(number)
    if challenge is None or (
        challenge.guild != guild
        and (person is None or person not in (challenge.challenger, challenge.opponent))
    ):
        raise DeclinedError(DeclineReason.CHALLENGE_UNKNOWN)
    if challenge.state == "open" and challenge.expires <= app.clock():
        # By a clock that is wrong it may only seem to be over, so nothing is closed for good.
        if not app.has_clock_jumped:
            await lapse_challenge(app, challenge)
        raise DeclinedError(DeclineReason.CHALLENGE_LAPSED)
    if challenge.state != "open":
        raise DeclinedError(DeclineReason.CHALLENGE_ANSWERED, state=challenge.state)
    return challenge


async def accept_challenge(
    app: App, number: int, asked: MatchRequest, side: Side | None
) -> JoinResult:
    """Take a free seat, on that side or on any; taking the last one starts the match.

    Raises DeclinedError if the person may not, or if somebody else was quicker.
    """
    # Only where it was made is it known that they are a member.
    challenge = await find_open_challenge(app, number, asked.guild)
    await _require_may_accept(app, challenge, asked.person)
    now = app.clock()
    await app.save_people(asked.person)
    free, place = _find_free_seat(challenge, side)
    seat = Seat(free.value, place, asked.person.id, asked.contribution)
    edition = GAMES[challenge.game].edition

    def follows(after: Challenge, match: int | None) -> Sequence[Job]:
        shown = ShowChallenge(after.id).make_job(now)
        if match is None:
            return [shown]
        begun = [
            # Later, so that the first message already shows the opening roll.
            ShowMatch(match).make_job(now + BATTLE_PATIENCE),
            WatchClock(match).make_job(now + IDLE_LIMIT_MS),
        ]
        return [
            shown,
            *begun,
            *_show_ladder(after, now),
            AnnounceMatch(match, MatchNews.BEGUN).make_job(now + NOTIFY_DELAY_MS),
        ]

    try:
        joined = await app.store.challenges.join(number, seat, edition, now, LIMITS, follows)
    except SeatTakenError:
        raise DeclinedError(DeclineReason.QUICKER) from None
    except LimitExceededError as error:
        people = [each.person for each in challenge.seats]
        raise explain_too_many(error, await app.load_names([*people, asked.person.id])) from None
    if joined.match is None or not await _try_opening_roll(
        app, Action(joined.match, asked.person, asked.cause)
    ):
        # No match has begun, or it waits for somebody to throw: all jobs are as they were stored.
        app.take(joined.jobs)
        return joined
    # The battle has renewed the job to show the match.
    app.take([job for job in joined.jobs if job.kind != ShowMatch.kind])
    return joined


async def _try_opening_roll(app: App, action: Action) -> bool:
    """Throw the opening roll of a match that has begun; return False if that fails.

    The match is stored whatever happens here.
    """
    try:
        await play.throw_opening_roll(app, action)
    except (StaleMatchError, StoreError):
        log.warning(
            "no opening roll when match %d started; its message asks for it",
            action.match,
            exc_info=True,
        )
        return False
    return True


async def _require_may_accept(app: App, challenge: Challenge, person: DiscordPerson) -> None:
    seated_there = [seat.person for seat in challenge.seats]
    if person.id in seated_there:
        raise DeclinedError(DeclineReason.ALREADY_SEATED)
    if challenge.opponent not in (None, person.id):
        raise DeclinedError(DeclineReason.FOR_SOMEBODY_ELSE)
    servers.require_member_role(await app.store.servers.get(challenge.guild), person)
    await blocks.require_unblocked(
        app, person, seated_there, DeclinedError(DeclineReason.NOT_FOR_YOU)
    )


def _find_free_seat(challenge: Challenge, side: Side | None) -> tuple[Side, int]:
    taken = {(seat.side, seat.number) for seat in challenge.seats}
    for number in range(challenge.players):
        # Seat by seat, not side by side: people who do not mind are spread over both teams.
        for wanted in (side,) if side else Side:
            if (wanted.value, number) not in taken:
                return wanted, number
    raise DeclinedError(DeclineReason.SIDE_FULL)


async def decline_challenge(app: App, number: int, guild: int, person: DiscordPerson) -> None:
    """Decline a challenge, or withdraw one's own, from anywhere.

    Raises DeclinedError for anyone else.
    """
    challenge = await find_open_challenge(app, number, guild, person.id)
    if person.id not in (challenge.challenger, challenge.opponent):
        raise DeclinedError(DeclineReason.NOT_CONCERNED)
    state = "withdrawn" if person.id == challenge.challenger else "declined"
    now = app.clock()
    jobs = await app.store.challenges.close(number, state, now, _build_closing_jobs(challenge, now))
    if jobs is None:
        # Somebody was quicker between the check above and the update.
        raise DeclinedError(DeclineReason.CHALLENGE_ANSWERED, state="answered")
    app.take(jobs)


async def withdraw_for(app: App, number: int) -> None:
    """Withdraw a challenge, as somebody who made it, sits in it or was asked leaves for good."""
    challenge = await app.store.challenges.get(number)
    if challenge is None:
        return
    now = app.clock()
    jobs = await app.store.challenges.close(
        number, "withdrawn", now, _build_closing_jobs(challenge, now)
    )
    app.take(jobs or ())


async def withdraw_lost(app: App, number: int) -> None:
    """Withdraw a challenge that nobody can answer, since its message or its channel is gone."""
    challenge = await app.store.challenges.get(number)
    if challenge is None:
        return
    now = app.clock()
    # No job to show it: there is no message left that could say so.
    jobs = await app.store.challenges.close(number, "withdrawn", now, _show_ladder(challenge, now))
    if jobs is not None:
        app.take(jobs)
        log.info("challenge %d is withdrawn: its message or its channel is gone", number)


async def postpone_for_absence(app: App, challenge: Challenge) -> int | None:
    """Let a ladder's challenge wait for an opponent on vacation; return until when, or None.

    They would lose their rung by it, which costs nobody anything elsewhere.
    """
    if challenge.ladder is None or challenge.opponent is None:
        return None
    now, person = app.clock(), challenge.opponent
    pauses = await app.store.pauses.load_relevant([person], challenge.created, guild=None)
    returns = (each.ended for each in pauses if each.began <= challenge.expires)
    until = max(returns, default=0) + RETURN_MS
    # Each vacation counts once: after the postponement it ends a day before the challenge.
    if until <= max(now, challenge.expires):
        return None
    jobs = await app.store.challenges.postpone(
        challenge.id, challenge.expires, until, _build_closing_jobs(challenge, now)
    )
    app.take(jobs or ())
    return until


async def lapse_challenge(app: App, challenge: Challenge) -> None:
    """Close a challenge whose time is over, unless it was answered."""
    now = app.clock()
    jobs = await app.store.challenges.close(
        challenge.id, "lapsed", now, _build_closing_jobs(challenge, now)
    )
    app.take(jobs or ())


def _build_closing_jobs(challenge: Challenge, now: int) -> Sequence[Job]:
    return [ShowChallenge(challenge.id).make_job(now), *_show_ladder(challenge, now)]


def _show_ladder(challenge: Challenge, now: int) -> Sequence[Job]:
    """Show the ladder on which a challenge was made as it is after the answer."""
    return [] if challenge.ladder is None else [ShowLadder(challenge.ladder).make_job(now)]


async def find_challenge_game(app: App, number: int, guild: int) -> str | None:
    """Return the slug of the game of a server's challenge; None if there is no such challenge."""
    challenge = await app.store.challenges.get(number)
    return challenge.game if challenge and challenge.guild == guild else None


async def load_open_challenges(app: App, person: int) -> list[Challenge]:
    """Return the open challenges that somebody made, joined or is asked to answer."""
    return await app.store.challenges.load_open_by_person(person, app.clock())
