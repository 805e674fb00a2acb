"""Challenges: to one person, to anyone, or between teams; answered once."""

import logging
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

from bot.features.blocks import service as blocks
from bot.features.clocks.service import IDLE_LIMIT_MS
from bot.features.computer.players import COMPUTERS, make_computer_person
from bot.features.matches import service as play
from bot.features.matches.service import Action
from bot.features.matches.session import MatchSession, require_over, require_player
from bot.features.servers import service as servers
from bot.platform.context import App
from bot.platform.errors import DeclinedError, DeclineReason, StaleMatchError
from bot.platform.jobs.kinds import (
    AnnounceMatch,
    LapseChallenge,
    MatchNews,
    PlayComputerTurn,
    ShowChallenge,
    ShowMatch,
    WatchClock,
)
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
from engine.clock import DAY, UNLIMITED, Pace, parse_pace
from engine.folding import fold_text
from engine.games import GAMES, find_game
from engine.players.level import Level
from engine.position import Side
from engine.refusal import Reason, Refusal
from engine.rules import Game
from render.characters import clip_text

log = logging.getLogger(__name__)

LIFETIME_MS = DAY
"""Milliseconds until a challenge lapses."""
LIMITS = Limits(running=20, open=5, exempt=COMPUTERS, a_minute=12, a_minute_here=60)
"""Limits of a person's running matches and open challenges, and of challenges made in a minute.

The last has one limit for a person and one for everybody in their server.
"""
LONGEST_WORD = 32
"""Characters of the word that somebody adds to the dice."""
BATTLE_PATIENCE = 5_000
"""Milliseconds after which a match is shown although its roll battle is missing.

The roll battle follows at once unless the program was killed.
"""


@dataclass(frozen=True, slots=True)
class MatchTerms:
    """Terms of a match: game, options, the challenger's side, whether it is rated, and the pace."""

    game: Game
    options: Mapping[str, str]
    side: Side = Side.GOLD
    rated: bool = True
    pace: Pace = UNLIMITED

    @property
    def players(self) -> int:
        """Players a side."""
        return self.game.resolve_rules(self.options).players


@dataclass(frozen=True, slots=True)
class MatchRequest:
    """Who asks for a match, where, through which interaction, and the word they add to the dice.

    `parent` is the channel of a thread.
    """

    guild: int
    channel: int
    person: DiscordPerson
    cause: str
    word: str = ""
    parent: int | None = None

    @property
    def contribution(self) -> str:
        """What this person gives to the dice.

        It is the id of the interaction, which Discord chose, and the person's own word.
        """
        word = clip_text(" ".join(self.word.split()), LONGEST_WORD)
        return f"{self.cause} {word}".strip()


def normalise_options(text: str) -> str:
    """Return options in the form that is best typed, `dice=two-and-six`.

    They are printed as `dice: two-and-six`.
    """
    # Spaces around the equals sign go first, as they would otherwise split the option in two.
    return " ".join(re.split(r"[ ,;]+", re.sub(" ?[=:] ?", "=", fold_text(text)))).strip()


def parse_options(game: Game, text: str) -> dict[str, str]:
    """Read options as they are typed, `dice=two-and-six blockade=wins`.

    Raises Refusal for an option or a value that the game lacks.
    """
    options: dict[str, str] = {}
    for word in normalise_options(text).split():
        name, equals, value = word.partition("=")
        option = game.find_option(name)
        # The players settle it in the match itself, so it is no house rule of the challenge.
        if option.starter_chooses:
            raise Refusal(Reason.STARTER_CHOOSES, option=name)
        if not equals:
            raise Refusal(Reason.OPTION_FORM, option=name, value=option.default_value.name)
        options[name] = option.find_value(value).name
    return options


async def choose_pace(app: App, guild: int, typed: str) -> Pace:
    """Read a pace as it is typed, or return the server's if nothing is typed; raises Refusal."""
    return parse_pace(typed or (await app.store.servers.get(guild)).pace)


async def is_rated(app: App, guild: int, *, wished: bool | None) -> bool:
    """Return whether a match is rated; without a request its server decides."""
    return (await app.store.servers.get(guild)).rated if wished is None else wished


async def offer_match(
    app: App,
    asked: MatchRequest,
    opponent: DiscordPerson | None,
    terms: MatchTerms,
    rematch_of: int | None = None,
) -> Challenge:
    """Challenge somebody, or anyone; raises Declined if that is not allowed."""
    require_valid_opponent(asked.person, opponent, terms)
    await _require_may_challenge(app, asked, opponent)
    now = app.clock()
    # Before the challenge, which locks and refers to the rows of these people.
    await app.save_people(*filter(None, (asked.person, opponent)))
    new = _build_challenge(app, asked, opponent.id if opponent else None, terms, rematch_of)
    seat = Seat(terms.side.value, 0, asked.person.id, asked.contribution)
    try:
        created = await app.store.challenges.create(
            new, seat, LIMITS, lambda number: _build_challenge_jobs(number, now)
        )
    except LimitExceededError as error:
        raise _explain_too_many(error, {asked.person.id: asked.person.name}) from None
    except DuplicateRematchError:
        raise DeclinedError(DeclineReason.REMATCH_OFFERED) from None
    app.take(created.jobs)
    return created.challenge


async def _require_may_challenge(
    app: App, asked: MatchRequest, opponent: DiscordPerson | None
) -> None:
    """Raise Declined if the person may not challenge the opponent in this server.

    That is also so if either has blocked the other.
    """
    server = await app.store.servers.get(asked.guild)
    servers.require_start_place(server, asked.channel, asked.parent)
    servers.require_member_role(server, asked.person)
    if opponent:
        servers.require_member_role(server, opponent)
        refusal = DeclinedError(DeclineReason.NOT_TAKEN, person=opponent.name)
        await blocks.require_unblocked(app, asked.person, [opponent.id], refusal)


def _build_challenge(
    app: App, asked: MatchRequest, opponent: int | None, terms: MatchTerms, rematch_of: int | None
) -> NewChallenge:
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
        expires=now + LIFETIME_MS,
        pace=terms.pace.name,
        rematch_of=rematch_of,
    )


async def play_computer(
    app: App, asked: MatchRequest, terms: MatchTerms, level: Level, rematch_of: int | None = None
) -> JoinResult:
    """Begin a match at once with the computer in every other seat.

    Raises Declined if that is not allowed.
    """
    servers.require_start_place(
        await app.store.servers.get(asked.guild), asked.channel, asked.parent
    )
    seat = Seat(terms.side.value, 0, asked.person.id, asked.contribution)
    others = await _build_computer_seats(app, asked.cause, level, terms.players, [seat])
    await app.save_people(asked.person)
    new = _build_challenge(app, asked, None, terms, rematch_of)
    try:
        begun = await app.store.challenges.create_and_start(
            new, [seat, *others], terms.game.edition, LIMITS, _plan_computer_start(app)
        )
    except LimitExceededError as error:
        raise _explain_too_many(error, {asked.person.id: asked.person.name}) from None
    except DuplicateRematchError:
        raise DeclinedError(DeclineReason.REMATCH_BEGUN) from None
    app.take(begun.jobs)
    return begun


async def fill_with_computer(
    app: App, number: int, asked: MatchRequest, level: Level
) -> JoinResult:
    """Seat the computer in all free seats of a person's challenge; its match begins unrated."""
    challenge = await find_open_challenge(app, number)
    if asked.person.id not in (seat.person for seat in challenge.seats):
        raise DeclinedError(DeclineReason.NOT_SEATED)
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
        raise _explain_too_many(
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


def _plan_computer_start(app: App) -> Callable[[Challenge, int | None], Sequence[Job]]:
    """Let the computer throw for who begins, and its match be shown whatever becomes of that."""
    now = app.clock()

    def follows(after: Challenge, match: int | None) -> Sequence[Job]:
        assert match is not None
        shown = [ShowChallenge(after.id).make_job(now)] if after.message else []
        begun = [
            PlayComputerTurn(match).make_job(now),
            ShowMatch(match).make_job(now + play.COMPUTER_PATIENCE),
        ]
        people = [seat.person for seat in after.seats if seat.person not in COMPUTERS]
        news = (
            [AnnounceMatch(match, MatchNews.BEGUN).make_job(now + play.NOTIFY_DELAY_MS)]
            # A person alone with the computer is no news for the server.
            if len(people) > 1
            else []
        )
        return [*begun, WatchClock(match).make_job(now + IDLE_LIMIT_MS), *shown, *news]

    return follows


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


def _build_challenge_jobs(number: int, now: int) -> Sequence[Job]:
    return [
        ShowChallenge(number).make_job(now),
        LapseChallenge(number).make_job(now + LIFETIME_MS),
    ]


def require_valid_opponent(
    challenger: DiscordPerson, opponent: DiscordPerson | None, terms: MatchTerms
) -> None:
    """Raise Declined unless these people may play each other on those terms."""
    if opponent is None:
        return
    if opponent.id == challenger.id:
        raise DeclinedError(DeclineReason.OWN_CHALLENGE)
    if opponent.bot:
        raise DeclinedError(DeclineReason.BOT, person=opponent.name)
    # A team has more seats than the two who are named, so anyone may take the others.
    if terms.players > 1:
        raise DeclinedError(DeclineReason.TEAMS_ARE_OPEN)


def _explain_too_many(error: LimitExceededError, names: Mapping[int, str]) -> DeclinedError:
    why = {
        "open": DeclineReason.TOO_MANY_CHALLENGES,
        "lately": DeclineReason.TOO_MANY_LATELY,
        "here": DeclineReason.TOO_MANY_HERE,
        "running": DeclineReason.TOO_MANY_MATCHES,
    }
    return DeclinedError(why[error.what], person=names.get(error.person, ""), most=error.most)


async def find_open_challenge(app: App, number: int) -> Challenge:
    """Return an open challenge; raises Declined, saying what became of it, if it is not open."""
    challenge = await app.store.challenges.get(number)
    if challenge is None:
        raise DeclinedError(DeclineReason.CHALLENGE_UNKNOWN)
    if challenge.state == "open" and challenge.expires <= app.clock():
        # By a clock that is wrong it may only seem to be over, so nothing is closed for good.
        if not app.has_clock_jumped:
            await lapse_challenge(app, number)
        raise DeclinedError(DeclineReason.CHALLENGE_LAPSED)
    if challenge.state != "open":
        raise DeclinedError(DeclineReason.CHALLENGE_ANSWERED, state=challenge.state)
    return challenge


async def accept_challenge(
    app: App, number: int, asked: MatchRequest, side: Side | None
) -> JoinResult:
    """Take a free seat, on that side or on any; taking the last one starts the match.

    Raises Declined if the person may not, or if somebody else was quicker.
    """
    challenge = await find_open_challenge(app, number)
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
            AnnounceMatch(match, MatchNews.BEGUN).make_job(now + play.NOTIFY_DELAY_MS),
        ]

    try:
        joined = await app.store.challenges.join(number, seat, edition, now, LIMITS, follows)
    except SeatTakenError:
        raise DeclinedError(DeclineReason.QUICKER) from None
    except LimitExceededError as error:
        people = [each.person for each in challenge.seats]
        raise _explain_too_many(error, await app.load_names([*people, asked.person.id])) from None
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
            "match %d begins without its opening roll; its message will ask for it",
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


async def decline_challenge(app: App, number: int, person: DiscordPerson) -> None:
    """Decline a challenge, or withdraw one's own; raises Declined for anyone else."""
    challenge = await find_open_challenge(app, number)
    if person.id not in (challenge.challenger, challenge.opponent):
        raise DeclinedError(DeclineReason.NOT_CONCERNED)
    state = "withdrawn" if person.id == challenge.challenger else "declined"
    jobs = await app.store.challenges.close(
        number, state, [ShowChallenge(number).make_job(app.clock())]
    )
    if jobs is None:
        # Somebody was quicker between the check above and the update.
        raise DeclinedError(DeclineReason.CHALLENGE_ANSWERED, state="answered")
    app.take(jobs)


async def withdraw_lost(app: App, number: int) -> None:
    """Withdraw a challenge that nobody can answer, since its message or its channel is gone."""
    # No job to show it: there is no message left that could say so.
    if await app.store.challenges.close(number, "withdrawn") is not None:
        log.info("challenge %d is withdrawn: its message or its channel is gone", number)


async def lapse_challenge(app: App, number: int) -> None:
    """Close a challenge whose time is over, unless it was answered."""
    jobs = await app.store.challenges.close(
        number, "lapsed", [ShowChallenge(number).make_job(app.clock())]
    )
    app.take(jobs or ())


@dataclass(frozen=True, slots=True)
class Rematch:
    """A finished match that is offered again: its terms, where it can be played, and against whom.

    The first of `channels` that takes messages is used. `opponent` is None if the match is open to
    anyone; `level` is the computer's if it alone is the opponent.
    """

    match: int
    guild: int
    channels: tuple[int, ...]
    terms: MatchTerms
    opponent: DiscordPerson | None
    level: Level | None


async def plan_rematch(app: App, match_id: int, person: DiscordPerson) -> Rematch:
    """Return a match again with sides swapped.

    Raises Declined unless the person played in it and it is over.
    """
    session = await play.load_session(app, match_id)
    require_player(session, person.id)
    require_over(session)
    side = session.find_sides(person.id)[0]
    row = session.row
    # The newest edition, whichever one the old match was played by.
    terms = MatchTerms(
        find_game(row.game), row.options, side.other, row.rated, parse_pace(row.pace)
    )
    begun_by = await app.store.challenges.get_by_match(match_id)
    # A match that had a thread of its own began beside it.
    channels = (begun_by.channel, row.channel) if begun_by else (row.channel,)
    level = session.computer_level if session.is_solo else None
    opponent = _find_sole_opponent(session, side.other) if level is None else None
    return Rematch(match_id, row.guild, channels, terms, opponent, level)


def _find_sole_opponent(session: MatchSession, side: Side) -> DiscordPerson | None:
    """Return the one who plays a side; None for a team, so that its match is open to all again."""
    people = session.list_players(side)
    if len(people) != 1:
        return None
    names = session.person_names[people[0]]
    return DiscordPerson(people[0], names.name, account=names.account)


async def find_challenge_game(app: App, number: int) -> str | None:
    """Return the slug of the game of a challenge; None if there is no such challenge."""
    challenge = await app.store.challenges.get(number)
    return challenge.game if challenge else None


async def load_open_challenges(app: App, person: int) -> list[Challenge]:
    """Return the open challenges that somebody made, joined or is asked to answer."""
    return await app.store.challenges.load_open_by_person(person, app.clock())
