"""Ladders: open one, join, challenge, leave, and what organisers rule."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bot.features.blocks import service as blocks
from bot.features.challenges.service import (
    LIMITS,
    build_challenge,
    explain_too_many,
    require_other_person,
)
from bot.features.challenges.terms import MatchRequest, MatchTerms
from bot.features.ladders.jobs import DropInactive, ForfeitLadderMatches, ShowLadder
from bot.features.ladders.rows import Ladder, LadderChange, LadderView, NewLadder
from bot.features.ladders.rungs import (
    ANSWER_MS,
    REACH,
    REMATCH_MS,
    ChallengeRules,
    Impediment,
    LadderAction,
    LadderEvent,
    Obstacle,
)
from bot.features.moderation.service import require_reason
from bot.features.servers import service as servers
from bot.platform.context import App
from bot.platform.errors import DeclinedError, DeclineReason
from bot.platform.jobs.kinds import LapseChallenge, ShowChallenge
from bot.platform.people import DiscordPerson
from bot.store import Challenge, Job, LimitExceededError, Seat
from engine.clock import DAY, Pace, parse_pace
from engine.folding import fold_text
from engine.games import find_game
from engine.rules import Game

MOST_RUNGS = 64
MOST_LADDERS = 10
"""Ladders that a server can have open at a time."""
LONGEST_LADDER_NAME = 60
"""Characters of a ladder's name."""
LONGEST_NUMBER = 12
"""Digits of a number that is looked up."""
MOST_LISTED = 25
"""A server's ladders among which one is looked for and which are offered."""
DROP_EVERY_MS = 7 * DAY
"""Milliseconds after which the inactive drop again."""

_REASONS = {
    Obstacle.SELF: DeclineReason.LADDER_SELF,
    Obstacle.ABSENT: DeclineReason.LADDER_ABSENT,
    Obstacle.BELOW: DeclineReason.LADDER_BELOW,
    Obstacle.TOO_FAR: DeclineReason.LADDER_TOO_FAR,
    Obstacle.CHALLENGING: DeclineReason.LADDER_CHALLENGING,
    Obstacle.PLAYING: DeclineReason.LADDER_PLAYING,
    Obstacle.CHALLENGED: DeclineReason.LADDER_CHALLENGED,
    Obstacle.RECENT: DeclineReason.LADDER_RECENT,
    Obstacle.BLOCKED: DeclineReason.LADDER_BARRED,
    Obstacle.AWAY: DeclineReason.LADDER_AWAY,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderTerms:
    """What an organiser chooses: a name, what is played, how, and whether it is rated."""

    name: str
    game: Game
    options: Mapping[str, str]
    rated: bool
    pace: Pace


async def organise_ladder(app: App, asked: MatchRequest, terms: LadderTerms) -> int:
    """Open a ladder and return its number; raises DeclinedError if it may not be."""
    name = " ".join(terms.name.split())
    if not fold_text(name):
        raise DeclinedError(DeclineReason.NO_LADDER_NAME)
    if terms.game.resolve_rules(terms.options).players > 1:
        raise DeclinedError(DeclineReason.NO_TEAM_LADDERS)
    server = await app.store.servers.get(asked.guild)
    servers.require_start_place(server, asked.channel, asked.parent)
    if len(await app.store.ladders.load_open(asked.guild)) >= MOST_LADDERS:
        raise DeclinedError(DeclineReason.TOO_MANY_LADDERS, most=MOST_LADDERS)
    await app.save_people(asked.person)
    now = app.clock()
    new = NewLadder(
        guild=asked.guild,
        channel=asked.channel,
        name=name,
        organiser=asked.person.id,
        game=terms.game.slug,
        options=terms.options,
        rated=terms.rated,
        pace=terms.pace.name,
        created=now,
        next_drop=now + DROP_EVERY_MS,
    )

    def follows(number: int) -> Sequence[Job]:
        return [
            ShowLadder(number).make_job(now),
            DropInactive(number).make_job(new.next_drop),
        ]

    number, jobs = await app.store.ladders.create(new, follows)
    app.take(jobs)
    return number


async def join_ladder(app: App, number: int, person: DiscordPerson) -> LadderView:
    """Let somebody join at the bottom; raises DeclinedError if they are on it or it is full."""
    view = await load_ladder(app, number)
    require_open(view.ladder)
    servers.require_member_role(await app.store.servers.get(view.ladder.guild), person)
    if person.id in view.rungs:
        raise DeclinedError(DeclineReason.LADDER_JOINED, ladder=view.ladder.name)
    if len(view.rungs) >= MOST_RUNGS:
        raise DeclinedError(DeclineReason.LADDER_FULL, most=MOST_RUNGS)
    await app.save_people(person)
    now = app.clock()
    change = await app.store.ladders.join(
        number, person.id, now, MOST_RUNGS, [ShowLadder(number).make_job(now)]
    )
    return await _finish_change(app, number, change)


async def leave_ladder(app: App, number: int, person: int) -> LadderView:
    """Let somebody leave, who then forfeits the matches that go on.

    Raises DeclinedError if they are not on the ladder, or it is closed.
    """
    return await _end_part(app, number, LadderEvent(app.clock(), LadderAction.LEAVE, person))


async def remove_player(
    app: App, number: int, organiser: DiscordPerson, reason: str, person: int
) -> LadderView:
    """Remove somebody from a ladder as an organiser rules, and keep the reason.

    Raises DeclinedError where they are not on it, it is closed, or there is no reason.
    """
    told = require_reason(reason)
    # Before the ruling, which refers to them: an organiser may never have played.
    await app.save_people(organiser)
    ruling = LadderEvent(app.clock(), LadderAction.REMOVE, person, organiser.id, told)
    return await _end_part(app, number, ruling)


async def _end_part(app: App, number: int, left: LadderEvent) -> LadderView:
    view = await load_ladder(app, number)
    require_open(view.ladder)
    person = left.person or 0
    require_rung(view, person)

    def follows(closed: Sequence[int]) -> Sequence[Job]:
        return [
            *(ShowChallenge(each).make_job(left.at) for each in closed),
            ForfeitLadderMatches(number, person).make_job(left.at),
            ShowLadder(number).make_job(left.at),
        ]

    change = await app.store.ladders.leave(number, left, follows)
    return await _finish_change(app, number, change)


async def close_ladder(app: App, number: int, organiser: DiscordPerson, reason: str) -> LadderView:
    """Close a ladder as an organiser rules, and keep the reason.

    Its open challenges are withdrawn. The matches that are played go on, but move nobody. Raises
    DeclinedError where it is closed already, or there is no reason.
    """
    require_open((await load_ladder(app, number)).ladder)
    told = require_reason(reason)
    await app.save_people(organiser)
    now = app.clock()

    def follows(closed: Sequence[int]) -> Sequence[Job]:
        shown = [ShowChallenge(each).make_job(now) for each in closed]
        return [*shown, ShowLadder(number).make_job(now)]

    ruling = LadderEvent(now, LadderAction.CLOSE, None, organiser.id, told)
    change = await app.store.ladders.close(number, ruling, follows)
    return await _finish_change(app, number, change)


async def challenge_above(
    app: App, number: int, asked: MatchRequest, opponent: DiscordPerson
) -> Challenge:
    """Challenge somebody above on a ladder; raises DeclinedError saying why that is not allowed.

    The challenge is made in the ladder's channel.
    """
    view = await load_ladder(app, number, asked.guild)
    ladder = view.ladder
    require_open(ladder)
    require_rung(view, asked.person.id)
    require_other_person(asked.person, opponent)
    server = await app.store.servers.get(ladder.guild)
    for person in (asked.person, opponent):
        servers.require_member_role(server, person)
    barred = DeclinedError(DeclineReason.LADDER_BARRED, person=opponent.name)
    await blocks.require_unblocked(app, asked.person, [opponent.id], barred)
    away = await load_away(app, view)
    await app.save_people(asked.person, opponent)
    terms = MatchTerms(
        find_game(ladder.game), ladder.options, rated=ladder.rated, pace=parse_pace(ladder.pace)
    )
    here = replace(asked, channel=ladder.channel, parent=None)
    new = build_challenge(app, here, opponent.id, terms, lifetime=ANSWER_MS, ladder=number)

    def require_allowed(current: LadderView) -> None:
        # Decided under the lock, so that of two challenges at once the second is refused.
        rules = ChallengeRules(current.rungs, current.challenges, new.created, away)
        found = rules.find_impediment(asked.person.id, opponent.id)
        if found is not None:
            raise explain_impediment(current, found, opponent.id, opponent.name)

    def follows(challenge: int) -> Sequence[Job]:
        return [
            ShowChallenge(challenge).make_job(new.created),
            LapseChallenge(challenge).make_job(new.expires),
            ShowLadder(number).make_job(new.created),
        ]

    seat = Seat(terms.side.value, 0, asked.person.id, asked.contribution)
    try:
        made = await app.store.ladders.challenge(new, seat, LIMITS, require_allowed, follows)
    except LimitExceededError as error:
        names = {each.id: each.name for each in (asked.person, opponent)}
        raise explain_too_many(error, names) from None
    if made is None:
        raise DeclinedError(DeclineReason.LADDER_CLOSED, ladder=ladder.name)
    app.take(made.jobs)
    return made.challenge


def explain_impediment(
    view: LadderView, found: Impediment, challenged: int, name: str
) -> DeclinedError:
    """Return the refusal that says why somebody of that name may not be challenged."""
    why = _REASONS[found.why]
    if found.why is Obstacle.ABSENT and view.has_left(challenged):
        why = DeclineReason.LADDER_LEFT
    return DeclinedError(why, person=name, until=found.until, reach=REACH, days=REMATCH_MS // DAY)


async def load_rules(app: App, view: LadderView, person: int) -> ChallengeRules:
    """Return what decides now whom somebody may challenge."""
    between = await app.store.blocks.load_between(person, view.rungs)
    blocked = frozenset(each for pair in between for each in pair) - {person}
    away = await load_away(app, view)
    return ChallengeRules(view.rungs, view.challenges, app.clock(), away, blocked)


async def load_away(app: App, view: LadderView) -> dict[int, int]:
    """Return until when those of a ladder who are on vacation are."""
    now = app.clock()
    pauses = await app.store.pauses.load_relevant(view.rungs, now, guild=None)
    return {
        each.person: each.ended
        for each in pauses
        if each.person is not None and each.began <= now < each.ended
    }


async def _finish_change(app: App, number: int, change: LadderChange) -> LadderView:
    """Begin the jobs of a change, and return the ladder after it.

    Raises DeclinedError if nothing was changed, since somebody else was quicker.
    """
    if not change.is_made:
        raise DeclinedError(DeclineReason.LADDER_MOVED_ON)
    app.take(change.jobs)
    return await load_ladder(app, number)


async def load_ladder(app: App, number: int, guild: int | None = None) -> LadderView:
    """Return a ladder, of that server if one is given; raises DeclinedError if there is none."""
    view = await app.store.ladders.load_view(number)
    if view is None or guild not in (None, view.ladder.guild):
        raise DeclinedError(DeclineReason.LADDER_UNKNOWN)
    return view


async def find_ladder(app: App, guild: int, typed: str, person: int | None = None) -> LadderView:
    """Return the ladder of a server that somebody means by its name or number, or by neither.

    Then it is the only open one, or of several the only one on which the `person` is; where none
    is open it is the latest. Raises DeclinedError if that is none, or several.
    """
    listed = await app.store.ladders.load_latest(guild, MOST_LISTED)
    if typed:
        return await _find_named(app, guild, typed, listed)
    meant = [each for each in listed if each.is_open]
    if len(meant) > 1 and person is not None:
        views = [await load_ladder(app, each.id) for each in meant]
        meant = [each.ladder for each in views if person in each.rungs] or meant
    if len(meant) > 1:
        raise DeclinedError(DeclineReason.SAY_WHICH_LADDER)
    found = meant or listed[:1]
    if not found:
        raise DeclinedError(DeclineReason.NO_LADDER)
    return await load_ladder(app, found[0].id)


async def _find_named(app: App, guild: int, typed: str, listed: Sequence[Ladder]) -> LadderView:
    if typed.isascii() and typed.isdigit() and len(typed) < LONGEST_NUMBER:
        return await load_ladder(app, int(typed), guild)
    named = [each for each in listed if fold_text(each.name) == fold_text(typed)]
    if not named:
        raise DeclinedError(DeclineReason.LADDER_UNKNOWN)
    return await load_ladder(app, named[0].id)


def require_open(ladder: Ladder) -> None:
    """Raise DeclinedError if a ladder is closed."""
    if not ladder.is_open:
        raise DeclinedError(DeclineReason.LADDER_CLOSED, ladder=ladder.name)


def require_rung(view: LadderView, person: int) -> None:
    """Raise DeclinedError unless somebody is on a ladder."""
    if person not in view.rungs:
        raise DeclinedError(DeclineReason.NOT_ON_LADDER, ladder=view.ladder.name)
