"""Challenges: to one person, to anyone, or between teams; answered once; and their jobs."""

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TypeAlias

from bot.features.challenges.store import Challenges
from bot.features.challenges.tables import Challenge, JoinResult, NewChallenge
from bot.features.challenges.terms import MatchRequest, MatchTerms
from bot.features.matches import service as play
from bot.features.matches.clock import IDLE_LIMIT_MS
from bot.features.matches.jobs import ShowMatch, WatchClock
from bot.features.matches.rows import Limits, Seat
from bot.features.matches.service import Action
from bot.features.preferences.service import SEPARATIONS, require_unblocked
from bot.features.preferences.store import Blocks
from bot.features.servers import service as servers
from bot.features.servers.service import REDRAW_JOBS
from bot.platform.context import App
from bot.platform.db import errors
from bot.platform.db.jobs import JobPayload, Subject
from bot.platform.db.rows import Job
from bot.platform.features import ExtensionPoint
from bot.platform.i18n.reader import DeclinedError, Reader, StaleMatchError, escape_text, mark_text
from bot.platform.people import COMPUTERS, DiscordPerson
from engine import dice
from engine.clock import DAY
from engine.games import GAMES
from engine.position import Side

BuildCreationJobs: TypeAlias = Callable[[int, NewChallenge], Sequence[Job]]
BuildAnswerJobs: TypeAlias = Callable[[Challenge, int], Sequence[Job]]
BuildStartJobs: TypeAlias = Callable[[int, int], Sequence[Job]]

LoadComingMatches: TypeAlias = Callable[[App, Reader, int], Awaitable[Sequence[str]]]
COMING_MATCHES: ExtensionPoint[LoadComingMatches] = ExtensionPoint()
"""What somebody has joined and what of it has not begun, a line each, as a list of theirs says."""
CREATION_JOBS: ExtensionPoint[BuildCreationJobs] = ExtensionPoint()
"""The jobs that a new challenge brings to features, given its number."""
ANSWER_JOBS: ExtensionPoint[BuildAnswerJobs] = ExtensionPoint()
"""The jobs that a challenge brings to features once it is answered or closed, at an instant."""
START_JOBS: ExtensionPoint[BuildStartJobs] = ExtensionPoint()
"""The jobs that a challenge's match between people brings, given its number and the instant."""


class ShowChallenge(JobPayload, kind="show challenge", about=Subject.CHALLENGE, needs_server=True):
    """Bring a challenge's message up to date."""

    challenge: int


class RepostChallenge(
    JobPayload,
    kind="call challenged",
    about=Subject.CHALLENGE,
    is_timed=True,
    needs_server=True,
):
    """Call the person who was challenged in quiet hours by a new message in place of the old."""

    challenge: int
    message: int


class LapseChallenge(
    JobPayload, kind="lapse", about=Subject.CHALLENGE, is_timed=True, follows_clock=True
):
    """Let a challenge lapse if it is still open, and remind of it before where that costs a rung.

    `reminded` is the expiry time that was current when the challenged player was reminded.
    """

    challenge: int
    reminded: int | None = None


def build_start_jobs(match: int, now: int) -> list[Job]:
    """Return the jobs that features add once a challenge has become a match between people."""
    return [job for build in START_JOBS.list_functions() for job in build(match, now)]


log = logging.getLogger(__name__)

LIFETIME_MS = DAY
"""Milliseconds until a challenge lapses."""
REMIND_MS = DAY
"""Milliseconds before a ladder's challenge expires at which the challenged player is reminded."""
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


class AlreadySeatedError(DeclinedError):
    sentence = mark_text("You've already joined this challenge, and nobody can play on both sides.")


class BotOpponentError(DeclinedError):
    person: str
    sentence = mark_text(
        "{person} is a bot and doesn't play. Choose a person, or leave the opponent out so "
        "that anyone can accept."
    )


class ChallengeClosedError(DeclinedError):
    """A challenge is no longer open; `state` says what became of it."""

    state: str

    def _format(self, say: Reader) -> str:
        match self.state:
            case "accepted":
                return say("That challenge has already been accepted.")
            case "declined":
                return say("That challenge has already been declined.")
            case "withdrawn":
                return say("That challenge has already been withdrawn.")
            case "lapsed":
                return say("That challenge has expired.")
        return say("That challenge has already been answered.")


class ChallengeExpiredError(DeclinedError):
    sentence = mark_text("That challenge has expired.")


class ChallengeUnknownError(DeclinedError):
    sentence = mark_text("I don't know that challenge. You can create a new one with `/challenge`.")


class ForSomebodyElseError(DeclinedError):
    sentence = mark_text(
        "This challenge is for somebody else. You can create your own with `/challenge`."
    )


class NotConcernedError(DeclinedError):
    sentence = mark_text("Only the people in a challenge can decline it.")


class MayNotAcceptError(DeclinedError):
    sentence = mark_text(
        "You can't accept this challenge. You can create your own with `/challenge`."
    )


class MayNotChallengeError(DeclinedError):
    person: str
    sentence = mark_text(
        "{person} can't be challenged. Choose somebody else, or leave the opponent out so that "
        "anyone can accept."
    )


class OwnChallengeError(DeclinedError):
    sentence = mark_text(
        "You can't challenge yourself. Choose somebody else, or leave the opponent out so that "
        "anyone can accept."
    )


class SeatTakenByOtherError(DeclinedError):
    sentence = mark_text("Somebody else was quicker. That seat is taken.")


class RematchOfferedError(DeclinedError):
    sentence = mark_text(
        "You've already offered this rematch. Wait for an answer, or withdraw it here or with "
        "`/matches`."
    )


class SideFullError(DeclinedError):
    sentence = mark_text("That side is full.")


class TeamsAreOpenError(DeclinedError):
    sentence = mark_text(
        "Anyone can join a team game. Leave the opponent out, and people choose a side."
    )


class TooManyChallengesError(DeclinedError):
    most: int
    sentence = mark_text(
        "You have {most} open challenges, the most allowed. Withdraw one here or with "
        "`/matches`, or wait for an answer."
    )


class TooManyLatelyError(DeclinedError):
    most: int
    sentence = mark_text("You've requested {most} matches within a minute. Please wait a little.")


class TooManyHereError(DeclinedError):
    most: int
    sentence = mark_text(
        "{most} matches have been requested in this server within a minute. Please wait a little."
    )


class TooManyToOneError(DeclinedError):
    person: str
    most: int
    sentence = mark_text(
        "You've challenged {person} {most} times within an hour without a match. Please wait "
        "for an answer, or an hour."
    )


class TooManyMatchesError(DeclinedError):
    """Somebody has too many matches in progress; an empty name is nobody's in particular."""

    person: str
    most: int

    def _format(self, say: Reader) -> str:
        if self.person:
            return say(
                "{person} has {most} matches in progress, the most allowed. One has to end first.",
                person=escape_text(self.person),
                most=self.most,
            )
        return say(
            "One of the players has {most} matches in progress, the most allowed. One has to end "
            "first.",
            most=self.most,
        )


async def offer_match(
    app: App,
    request: MatchRequest,
    opponent: DiscordPerson | None,
    terms: MatchTerms,
    rematch_of: int | None = None,
) -> Challenge:
    """Challenge somebody, or anyone; raises DeclinedError if that is not allowed.

    Raises Refusal for house rules that make no game, as those of an old match may.
    """
    terms.game.require_playable(terms.options)
    require_valid_opponent(request.person, opponent, terms)
    await require_may_challenge(app, request, opponent)
    # Before the challenge, which locks and refers to the rows of these people.
    await app.save_people(*filter(None, (request.person, opponent)))
    new = build_challenge(app, request, opponent.id if opponent else None, terms, rematch_of)
    seat = Seat(terms.side.value, 0, request.person.id, request.contribution)
    try:
        created = await app.store.get(Challenges).create(
            new, seat, LIMITS, lambda number: _build_challenge_jobs(number, new)
        )
    except errors.LimitExceededError as error:
        names = {each.id: each.name for each in (request.person, opponent) if each}
        raise explain_too_many(error, names) from None
    except errors.DuplicateRematchError:
        raise RematchOfferedError from None
    app.take(created.jobs)
    return created.challenge


async def require_may_challenge(
    app: App, request: MatchRequest, opponent: DiscordPerson | None
) -> None:
    """Raise DeclinedError if the person may not challenge the opponent here, as after a block."""
    server = await app.store.servers.load_settings(request.guild)
    servers.require_start_place(server, request.channel, request.parent)
    servers.require_member_role(server, request.person)
    if opponent:
        servers.require_member_role(server, opponent)
        refusal = MayNotChallengeError(opponent.name)
        await require_unblocked(app, request.person, [opponent.id], refusal)


def build_challenge(
    app: App,
    request: MatchRequest,
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
        guild=request.guild,
        channel=request.channel,
        challenger=request.person.id,
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
    app: App, request: MatchRequest, is_playable: Callable[[Challenge], Awaitable[bool]]
) -> JoinResult | None:
    """Accept the open challenge that has waited longest in a server; None if none waits.

    Challenges that cannot be played in their channel are skipped.
    """
    for number in await app.store.get(Challenges).find_acceptable(
        request.guild, request.person.id, app.clock()
    ):
        challenge = await app.store.get(Challenges).load_challenge(number)
        # The list is a moment old, and whether its channel takes messages is not in the database.
        if challenge is not None and await is_playable(challenge):
            return await accept_challenge(app, number, request, None)
    return None


def _build_challenge_jobs(number: int, new: NewChallenge) -> Sequence[Job]:
    others = [job for build in CREATION_JOBS.list_functions() for job in build(number, new)]
    return [
        ShowChallenge(number).build_job(new.created),
        LapseChallenge(number).build_job(new.expires),
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
        raise TeamsAreOpenError


def require_other_person(challenger: DiscordPerson, opponent: DiscordPerson) -> None:
    """Raise DeclinedError for a challenge to oneself or to a bot."""
    if opponent.id == challenger.id:
        raise OwnChallengeError
    if opponent.bot:
        raise BotOpponentError(opponent.name)


def explain_too_many(error: errors.LimitExceededError, names: Mapping[int, str]) -> DeclinedError:
    """Return the refusal that says which limit is reached, and by whom."""
    name = names.get(error.person, "")
    match error.what:
        case "open":
            return TooManyChallengesError(error.most)
        case "lately":
            return TooManyLatelyError(error.most)
        case "here":
            return TooManyHereError(error.most)
        case "to one":
            return TooManyToOneError(person=name, most=error.most)
    return TooManyMatchesError(person=name, most=error.most)


async def find_open_challenge(
    app: App, number: int, guild: int, person: int | None = None
) -> Challenge:
    """Return an open challenge of a server, or from anywhere one that concerns a person.

    Raises DeclinedError, saying what became of it, if it is not open; of another server's it does
    not tell that there is one.
    """
    challenge = await app.store.get(Challenges).load_challenge(number)
    if challenge is None or (
        challenge.guild != guild
        and (person is None or person not in (challenge.challenger, challenge.opponent))
    ):
        raise ChallengeUnknownError
    if challenge.state == "open" and challenge.expires <= app.clock():
        # By a clock that is wrong it may only seem to be over, so nothing is closed for good.
        if app.is_time_known:
            await lapse_challenge(app, challenge)
        raise ChallengeExpiredError
    if challenge.state != "open":
        raise ChallengeClosedError(challenge.state)
    return challenge


async def accept_challenge(
    app: App, number: int, request: MatchRequest, side: Side | None
) -> JoinResult:
    """Take a free seat, on that side or on any; taking the last one starts the match.

    Raises DeclinedError if the person may not, or if somebody else was quicker.
    """
    # Only where it was made is it known that they are a member.
    challenge = await find_open_challenge(app, number, request.guild)
    await _require_may_accept(app, challenge, request.person)
    now = app.clock()
    await app.save_people(request.person)
    free, place = _find_free_seat(challenge, side)
    seat = Seat(free.value, place, request.person.id, request.contribution)
    edition = GAMES[challenge.game].edition

    def follows(after: Challenge, match: int | None) -> Sequence[Job]:
        shown = ShowChallenge(after.id).build_job(now)
        if match is None:
            return [shown]
        begun = [
            # Later, so that the first message already shows the opening roll.
            ShowMatch(match).build_job(now + BATTLE_PATIENCE),
            WatchClock(match).build_job(now + IDLE_LIMIT_MS),
        ]
        return [
            shown,
            *begun,
            *_build_answer_jobs(after, now),
            *build_start_jobs(match, now),
        ]

    try:
        result = await app.store.get(Challenges).join(number, seat, edition, now, LIMITS, follows)
    except errors.SeatTakenError:
        raise SeatTakenByOtherError from None
    except errors.LimitExceededError as error:
        people = [each.person for each in challenge.seats]
        raise explain_too_many(error, await app.load_names([*people, request.person.id])) from None
    if result.match is None or not await _try_opening_roll(
        app, Action(result.match, request.person, request.cause)
    ):
        # No match has begun, or it waits for somebody to throw: all jobs are as they were stored.
        app.take(result.jobs)
        return result
    # The battle has renewed the job to show the match.
    app.take([job for job in result.jobs if job.kind != ShowMatch.kind])
    return result


async def _try_opening_roll(app: App, action: Action) -> bool:
    """Throw the opening roll of a match that has begun; return False if that fails."""
    try:
        await play.throw_opening_roll(app, action)
    except (StaleMatchError, errors.StoreError):
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
        raise AlreadySeatedError
    if challenge.opponent not in (None, person.id):
        raise ForSomebodyElseError
    servers.require_member_role(await app.store.servers.load_settings(challenge.guild), person)
    await require_unblocked(app, person, seated_there, MayNotAcceptError())


def _find_free_seat(challenge: Challenge, side: Side | None) -> tuple[Side, int]:
    taken = {(seat.side, seat.number) for seat in challenge.seats}
    for number in range(challenge.players):
        # Seat by seat, not side by side: people who do not mind are spread over both teams.
        for wanted in (side,) if side else Side:
            if (wanted.value, number) not in taken:
                return wanted, number
    raise SideFullError


async def decline_challenge(
    app: App, number: int, guild: int, person: DiscordPerson, *, is_void: bool = False
) -> None:
    """Decline a challenge, or withdraw one's own, from anywhere.

    One that is void, since its challenger has left or there is a block between the two, is
    withdrawn: on a ladder it costs nobody a rung. Raises DeclinedError for anyone else.
    """
    challenge = await find_open_challenge(app, number, guild, person.id)
    if person.id not in (challenge.challenger, challenge.opponent):
        raise NotConcernedError
    is_own = person.id == challenge.challenger
    state = "withdrawn" if is_own or is_void else "declined"
    if not await _close_challenge(app, challenge, state):
        # Somebody was quicker between the check above and the update.
        raise ChallengeClosedError("answered")


async def has_block(app: App, challenge: Challenge) -> bool:
    """Return whether there is a block between those two whom a challenge concerns."""
    if challenge.opponent is None:
        return False
    return bool(
        await app.store.get(Blocks).load_between(challenge.challenger, [challenge.opponent])
    )


@SEPARATIONS.add()
async def withdraw_between(app: App, one: int, other: int) -> None:
    """Withdraw the open challenges on ladders of one of two people to the other.

    Neither could accept them any more, and that would cost a rung.
    """
    pair = {one, other}
    for each in await load_open_challenges(app, one):
        if each.ladder is not None and {each.challenger, each.opponent} == pair:
            await withdraw_for(app, each.id)


async def withdraw_for(app: App, number: int) -> None:
    """Withdraw a challenge to which nobody can answer, or ought to; on a ladder it moves nobody."""
    challenge = await app.store.get(Challenges).load_challenge(number)
    if challenge is not None:
        await _close_challenge(app, challenge, "withdrawn")


async def withdraw_lost(app: App, number: int) -> None:
    """Withdraw a challenge that nobody can answer, since its message or its channel is gone."""
    challenge = await app.store.get(Challenges).load_challenge(number)
    # No job to show it: there is no message left that could say so.
    if challenge and await _close_challenge(app, challenge, "withdrawn", is_shown=False):
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
    jobs = await app.store.get(Challenges).postpone(
        challenge.id, challenge.expires, until, _build_closing_jobs(challenge, now)
    )
    app.take(jobs or ())
    return until


async def is_opponent_away(app: App, challenge: Challenge) -> bool:
    """Return whether the one who is challenged is on vacation, so that the challenge will wait."""
    now, person = app.clock(), challenge.opponent
    if person is None:
        return False
    pauses = await app.store.pauses.load_relevant([person], now, guild=None)
    return any(each.person == person and each.began <= now < each.ended for each in pauses)


async def lapse_challenge(app: App, challenge: Challenge) -> None:
    """Close a challenge whose time is over, unless it was answered."""
    await _close_challenge(app, challenge, "lapsed")


async def _close_challenge(
    app: App, challenge: Challenge, state: str, *, is_shown: bool = True
) -> bool:
    """Close a challenge, and return whether it was open."""
    now = app.clock()
    follows = (_build_closing_jobs if is_shown else _build_answer_jobs)(challenge, now)
    jobs = await app.store.get(Challenges).close(challenge.id, state, now, follows)
    app.take(jobs or ())
    return jobs is not None


def _build_closing_jobs(challenge: Challenge, now: int) -> Sequence[Job]:
    return [ShowChallenge(challenge.id).build_job(now), *_build_answer_jobs(challenge, now)]


def _build_answer_jobs(challenge: Challenge, now: int) -> Sequence[Job]:
    return [job for build in ANSWER_JOBS.list_functions() for job in build(challenge, now)]


@REDRAW_JOBS.add()
async def load_redraw_jobs(app: App, guild: int) -> Sequence[Job]:
    """Return the jobs that draw a server's open challenges anew."""
    now = app.clock()
    return [
        ShowChallenge(each).build_job(now)
        for each in await app.store.get(Challenges).load_open_numbers(guild, now)
    ]


async def find_challenge_game(app: App, number: int, guild: int) -> str | None:
    """Return the slug of the game of a server's challenge; None if there is no such challenge."""
    challenge = await app.store.get(Challenges).load_challenge(number)
    return challenge.game if challenge and challenge.guild == guild else None


async def load_open_challenges(app: App, person: int) -> list[Challenge]:
    """Return the open challenges that somebody made, joined or is asked to answer."""
    return await app.store.get(Challenges).load_open_by_person(person, app.clock())
