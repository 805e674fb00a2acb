"""Challenges: to one person, to anyone, or between teams; answered once."""

import logging
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

from bot.app import blocks, play, servers, tasks
from bot.app.clocks import UNTOUCHED
from bot.app.computer import COMPUTERS, seated
from bot.app.context import App
from bot.app.errors import Declined, MovedOn, Why
from bot.app.people import Person
from bot.app.play import Action
from bot.app.sitting import Sitting, require_over, require_player
from bot.store import (
    Challenge,
    Job,
    Joined,
    Limits,
    NewChallenge,
    Repeated,
    Seat,
    StoreError,
    Taken,
    TooMany,
)
from engine import dice
from engine.clock import DAY, NONE, Pace, read_pace
from engine.folding import fold
from engine.games import GAMES, find_game
from engine.players.level import Level
from engine.position import Side
from engine.refusal import Reason, Refusal
from engine.rules import Game
from render.characters import clip

log = logging.getLogger(__name__)

LASTS = DAY
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
class Wish:
    """Terms of a match: game, options, the challenger's side, whether it is rated, and the pace."""

    game: Game
    options: Mapping[str, str]
    side: Side = Side.GOLD
    rated: bool = True
    pace: Pace = NONE

    @property
    def players(self) -> int:
        """Players a side."""
        return self.game.rules_with(self.options).players


@dataclass(frozen=True, slots=True)
class Asked:
    """Who asks for a match, where, through which interaction, and the word they add to the dice.

    `parent` is the channel of a thread.
    """

    guild: int
    channel: int
    person: Person
    cause: str
    word: str = ""
    parent: int | None = None

    @property
    def contribution(self) -> str:
        """What this person gives to the dice.

        It is the id of the interaction, which Discord chose, and the person's own word.
        """
        word = clip(" ".join(self.word.split()), LONGEST_WORD)
        return f"{self.cause} {word}".strip()


def tidy_options(text: str) -> str:
    """Return options in the form that is best typed, `dice=two-and-six`.

    They are printed as `dice: two-and-six`.
    """
    return " ".join(re.split(r"[ ,;]+", re.sub(" ?[=:] ?", "=", fold(text)))).strip()


def read_options(game: Game, text: str) -> dict[str, str]:
    """Read options as they are typed, `dice=two-and-six blockade=wins`.

    Raises Refusal for an option or a value that the game lacks.
    """
    options: dict[str, str] = {}
    for word in tidy_options(text).split():
        name, equals, value = word.partition("=")
        option = game.option(name)
        if option.starter_chooses:
            raise Refusal(Reason.STARTER_CHOOSES, option=name)
        if not equals:
            raise Refusal(Reason.OPTION_FORM, option=name, value=option.default.name)
        options[name] = option.value(value).name
    return options


async def pace_for(app: App, guild: int, typed: str) -> Pace:
    """Read a pace as it is typed, or return the server's if nothing is typed; raises Refusal."""
    return read_pace(typed or (await app.store.servers.get(guild)).pace)


async def rated_for(app: App, guild: int, *, wished: bool | None) -> bool:
    """Return whether a match is rated; without a request its server decides."""
    return (await app.store.servers.get(guild)).rated if wished is None else wished


async def offer(
    app: App, asked: Asked, opponent: Person | None, wish: Wish, rematch_of: int | None = None
) -> Challenge:
    """Challenge somebody, or anyone; raises Declined if that is not allowed."""
    may_play(asked.person, opponent, wish)
    await _may_challenge(app, asked, opponent)
    now = app.clock()
    await app.remember(*filter(None, (asked.person, opponent)))
    new = _new(app, asked, opponent.id if opponent else None, wish, rematch_of)
    seat = Seat(wish.side.value, 0, asked.person.id, asked.contribution)
    try:
        created = await app.store.challenges.create(
            new, seat, LIMITS, lambda number: _follows(number, now)
        )
    except TooMany as error:
        raise _too_many(error, {asked.person.id: asked.person.name}) from None
    except Repeated:
        raise Declined(Why.REMATCH_OFFERED) from None
    app.take(created.jobs)
    return created.challenge


async def _may_challenge(app: App, asked: Asked, opponent: Person | None) -> None:
    """Raise Declined if the person may not challenge the opponent in this server.

    That is also so if either has blocked the other.
    """
    server = await app.store.servers.get(asked.guild)
    servers.require_place(server, asked.channel, asked.parent)
    servers.require_member(server, asked.person)
    if opponent:
        servers.require_member(server, opponent)
        refusal = Declined(Why.NOT_TAKEN, person=opponent.name)
        await blocks.require_unblocked(app, asked.person, [opponent.id], refusal)


def _new(
    app: App, asked: Asked, opponent: int | None, wish: Wish, rematch_of: int | None
) -> NewChallenge:
    secret = app.entropy(dice.SECRET_BYTES)
    now = app.clock()
    return NewChallenge(
        guild=asked.guild,
        channel=asked.channel,
        challenger=asked.person.id,
        opponent=opponent,
        side=wish.side.value,
        game=wish.game.slug,
        options=wish.options,
        rated=wish.rated,
        players=wish.players,
        secret=secret,
        commitment=dice.commitment(secret),
        created=now,
        expires=now + LASTS,
        pace=wish.pace.name,
        rematch_of=rematch_of,
    )


async def play_computer(
    app: App, asked: Asked, wish: Wish, level: Level, rematch_of: int | None = None
) -> Joined:
    """Begin a match at once with the computer in every other seat.

    Raises Declined if that is not allowed.
    """
    servers.require_place(await app.store.servers.get(asked.guild), asked.channel, asked.parent)
    seat = Seat(wish.side.value, 0, asked.person.id, asked.contribution)
    others = await _computers(app, asked.cause, level, wish.players, [seat])
    await app.remember(asked.person)
    new = _new(app, asked, None, wish, rematch_of)
    try:
        begun = await app.store.challenges.begin(
            new, [seat, *others], wish.game.edition, LIMITS, _computer_begins(app)
        )
    except TooMany as error:
        raise _too_many(error, {asked.person.id: asked.person.name}) from None
    except Repeated:
        raise Declined(Why.REMATCH_BEGUN) from None
    app.take(begun.jobs)
    return begun


async def fill(app: App, number: int, asked: Asked, level: Level) -> Joined:
    """Seat the computer in all free seats of a person's challenge; its match begins unrated."""
    challenge = await find(app, number)
    if asked.person.id not in (seat.person for seat in challenge.seats):
        raise Declined(Why.NOT_SEATED)
    others = await _computers(app, asked.cause, level, challenge.players, challenge.seats)
    edition = GAMES[challenge.game].edition
    try:
        begun = await app.store.challenges.fill(
            number, others, edition, app.clock(), LIMITS, _computer_begins(app)
        )
    except Taken:
        raise Declined(Why.QUICKER) from None
    except TooMany as error:
        raise _too_many(error, await app.names([seat.person for seat in challenge.seats])) from None
    app.take(begun.jobs)
    return begun


async def _computers(
    app: App, cause: str, level: Level, players: int, taken: Sequence[Seat]
) -> list[Seat]:
    """Return the computer's seats at a table: all that nobody has taken.

    Its contribution to the dice is the id of the interaction that seats it, which Discord chose. It
    could choose an id of its own to suit itself.
    """
    sat = [(seat.side, seat.number) for seat in taken]
    places = [(side.value, number) for side in Side for number in range(players)]
    free = [place for place in places if place not in sat]
    computers = [seated(level, at) for at in range(len(free))]
    await app.remember(*computers)
    return [
        Seat(*place, computer.id, cause) for place, computer in zip(free, computers, strict=True)
    ]


def _computer_begins(app: App) -> Callable[[Challenge, int | None], Sequence[Job]]:
    """Let the computer throw for who begins, and its match be shown whatever becomes of that."""
    now = app.clock()

    def follows(after: Challenge, match: int | None) -> Sequence[Job]:
        assert match is not None
        shown = [tasks.show_challenge(after.id, now)] if after.message else []
        begun = [
            tasks.let_computer_play(match, now),
            tasks.show_match(match, now + play.COMPUTER_PATIENCE),
        ]
        people = [seat.person for seat in after.seats if seat.person not in COMPUTERS]
        news = (
            [tasks.tell_news(match, tasks.BEGUN, now + play.TOLD_AFTER)] if len(people) > 1 else []
        )
        return [*begun, tasks.watch(match, now + UNTOUCHED), *shown, *news]

    return follows


async def pair(
    app: App, asked: Asked, is_playable: Callable[[Challenge], Awaitable[bool]]
) -> Joined | None:
    """Accept the open challenge that has waited longest in a server; None if none waits.

    Challenges that cannot be played in their channel are skipped.
    """
    for number in await app.store.challenges.waiting(asked.guild, asked.person.id, app.clock()):
        challenge = await app.store.challenges.get(number)
        if challenge is not None and await is_playable(challenge):
            return await accept(app, number, asked, None)
    return None


def _follows(number: int, now: int) -> Sequence[Job]:
    return [tasks.show_challenge(number, now), tasks.lapse(number, now + LASTS)]


def may_play(challenger: Person, opponent: Person | None, wish: Wish) -> None:
    """Raise Declined unless these people may play each other on those terms."""
    if opponent is None:
        return
    if opponent.id == challenger.id:
        raise Declined(Why.OWN_CHALLENGE)
    if opponent.bot:
        raise Declined(Why.BOT, person=opponent.name)
    if wish.players > 1:
        raise Declined(Why.TEAMS_ARE_OPEN)


def _too_many(error: TooMany, names: Mapping[int, str]) -> Declined:
    why = {
        "open": Why.TOO_MANY_CHALLENGES,
        "lately": Why.TOO_MANY_LATELY,
        "here": Why.TOO_MANY_HERE,
        "running": Why.TOO_MANY_MATCHES,
    }
    return Declined(why[error.what], person=names.get(error.person, ""), most=error.most)


async def find(app: App, number: int) -> Challenge:
    """Return an open challenge; raises Declined, saying what became of it, if it is not open."""
    challenge = await app.store.challenges.get(number)
    if challenge is None:
        raise Declined(Why.CHALLENGE_UNKNOWN)
    if challenge.state == "open" and challenge.expires <= app.clock():
        if not app.clock_was_set:
            await lapse(app, number)
        raise Declined(Why.CHALLENGE_LAPSED)
    if challenge.state != "open":
        raise Declined(Why.CHALLENGE_ANSWERED, state=challenge.state)
    return challenge


async def accept(app: App, number: int, asked: Asked, side: Side | None) -> Joined:
    """Take a free seat, on that side or on any; taking the last one starts the match.

    Raises Declined if the person may not, or if somebody else was quicker.
    """
    challenge = await find(app, number)
    await _may_accept(app, challenge, asked.person)
    now = app.clock()
    await app.remember(asked.person)
    free, place = _free_seat(challenge, side)
    seat = Seat(free.value, place, asked.person.id, asked.contribution)
    edition = GAMES[challenge.game].edition

    def follows(after: Challenge, match: int | None) -> Sequence[Job]:
        shown = tasks.show_challenge(after.id, now)
        if match is None:
            return [shown]
        begun = [
            tasks.show_match(match, now + BATTLE_PATIENCE),
            tasks.watch(match, now + UNTOUCHED),
        ]
        return [shown, *begun, tasks.tell_news(match, tasks.BEGUN, now + play.TOLD_AFTER)]

    try:
        joined = await app.store.challenges.join(number, seat, edition, now, LIMITS, follows)
    except Taken:
        raise Declined(Why.QUICKER) from None
    except TooMany as error:
        people = [each.person for each in challenge.seats]
        raise _too_many(error, await app.names([*people, asked.person.id])) from None
    if joined.match is None or not await _battled(
        app, Action(joined.match, asked.person, asked.cause)
    ):
        app.take(joined.jobs)
        return joined
    # The battle has renewed the wish to show the match.
    app.take([job for job in joined.jobs if job.kind != tasks.SHOW_MATCH])
    return joined


async def _battled(app: App, action: Action) -> bool:
    """Throw the opening roll of a match that has begun; return False if that fails.

    The match is stored whatever happens here.
    """
    try:
        await play.battle(app, action)
    except (MovedOn, StoreError):
        log.warning(
            "match %d begins without its opening roll; its message will ask for it",
            action.match,
            exc_info=True,
        )
        return False
    return True


async def _may_accept(app: App, challenge: Challenge, person: Person) -> None:
    seated_there = [seat.person for seat in challenge.seats]
    if person.id in seated_there:
        raise Declined(Why.ALREADY_SEATED)
    if challenge.opponent not in (None, person.id):
        raise Declined(Why.FOR_SOMEBODY_ELSE)
    servers.require_member(await app.store.servers.get(challenge.guild), person)
    await blocks.require_unblocked(app, person, seated_there, Declined(Why.NOT_FOR_YOU))


def _free_seat(challenge: Challenge, side: Side | None) -> tuple[Side, int]:
    taken = {(seat.side, seat.number) for seat in challenge.seats}
    for number in range(challenge.players):
        for wanted in (side,) if side else Side:
            if (wanted.value, number) not in taken:
                return wanted, number
    raise Declined(Why.SIDE_FULL)


async def decline(app: App, number: int, person: Person) -> None:
    """Decline a challenge, or withdraw one's own; raises Declined for anyone else."""
    challenge = await find(app, number)
    if person.id not in (challenge.challenger, challenge.opponent):
        raise Declined(Why.NOT_CONCERNED)
    state = "withdrawn" if person.id == challenge.challenger else "declined"
    jobs = await app.store.challenges.close(
        number, state, [tasks.show_challenge(number, app.clock())]
    )
    if jobs is None:
        raise Declined(Why.CHALLENGE_ANSWERED, state="answered")
    app.take(jobs)


async def withdraw_lost(app: App, number: int) -> None:
    """Withdraw a challenge that nobody can answer, since its message or its channel is gone."""
    if await app.store.challenges.close(number, "withdrawn") is not None:
        log.info("challenge %d is withdrawn: its message or its channel is gone", number)


async def lapse(app: App, number: int) -> None:
    """Close a challenge whose time is over, unless it was answered."""
    jobs = await app.store.challenges.close(
        number, "lapsed", [tasks.show_challenge(number, app.clock())]
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
    wish: Wish
    opponent: Person | None
    level: Level | None


async def plan_rematch(app: App, match_id: int, person: Person) -> Rematch:
    """Return a match again with sides swapped.

    Raises Declined unless the person played in it and it is over.
    """
    sitting = await play.load(app, match_id)
    require_player(sitting, person.id)
    require_over(sitting)
    side = sitting.sides_of(person.id)[0]
    row = sitting.row
    wish = Wish(find_game(row.game), row.options, side.other, row.rated, read_pace(row.pace))
    begun_by = await app.store.challenges.of_match(match_id)
    # A match that had a thread of its own began beside it.
    channels = (begun_by.channel, row.channel) if begun_by else (row.channel,)
    level = sitting.level if sitting.alone else None
    opponent = _only_one(sitting, side.other) if level is None else None
    return Rematch(match_id, row.guild, channels, wish, opponent, level)


def _only_one(sitting: Sitting, side: Side) -> Person | None:
    """Return the one who plays a side; None for a team, so that its match is open to all again."""
    people = sitting.seated(side)
    if len(people) != 1:
        return None
    names = sitting.person_names[people[0]]
    return Person(people[0], names.name, account=names.account)
