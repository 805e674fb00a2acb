"""Ladders: open one, join, challenge, leave, and what organisers rule."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from bot.features.challenges import service
from bot.features.challenges.tables import Challenge
from bot.features.challenges.terms import MatchRequest, MatchTerms, parse_options
from bot.features.contests.tables import CompetitionChange
from bot.features.ladders import rungs
from bot.features.ladders.store import Ladders
from bot.features.ladders.tables import Ladder, LadderView, NewLadder
from bot.features.matches.jobs import END_JOBS
from bot.features.matches.rows import Seat
from bot.features.matches.session import MatchSession
from bot.features.moderation.service import require_reason
from bot.features.preferences.service import PersonBlockedError, require_unblocked
from bot.features.preferences.store import Blocks
from bot.features.servers import service as servers
from bot.features.servers.service import REDRAW_JOBS
from bot.platform.context import App
from bot.platform.db.errors import LimitExceededError
from bot.platform.db.jobs import JobPayload, Subject
from bot.platform.db.rows import Job
from bot.platform.i18n.reader import DeclinedError, Reader, escape_text, mark_text
from bot.platform.people import DiscordPerson
from engine.clock import DAY, SECOND, parse_pace
from engine.folding import fold_text
from engine.games import find_game


class ShowLadder(JobPayload, kind="show ladder", about=Subject.LADDER, needs_server=True):
    """Bring a ladder's message up to date."""

    ladder: int


class DropInactive(JobPayload, kind="drop inactive", about=Subject.LADDER, is_timed=True):
    """Let those drop who have done nothing on a ladder for long."""

    ladder: int


class ForfeitLadderMatches(
    JobPayload, kind="forfeit ladder matches", about=Subject.LADDER, key="{ladder}:{person}"
):
    """Let somebody who has left a ladder, or was removed, forfeit their matches on it."""

    ladder: int
    person: int


class NotifyReadmitted(
    JobPayload, kind="tell readmitted", about=Subject.LADDER, key="{ladder}:{person}"
):
    """Notify somebody that the organisers of a ladder have let them back in."""

    ladder: int
    person: int


@END_JOBS.add()
def show_ladder_result(before: MatchSession, after: MatchSession, now: int) -> Sequence[Job]:
    """Show a ladder as it stands once one of its matches is over, or annulled afterwards."""
    if after.row.ladder is None:
        return []
    return [ShowLadder(after.row.ladder).build_job(now)]


@service.ANSWER_JOBS.add()
def show_answer(challenge: Challenge, now: int) -> Sequence[Job]:
    """Show the ladder on which a challenge was made as it is after the answer."""
    return [] if challenge.ladder is None else [ShowLadder(challenge.ladder).build_job(now)]


@REDRAW_JOBS.add()
async def load_redraw_jobs(app: App, guild: int) -> Sequence[Job]:
    """Return the jobs that draw a server's ladders anew."""
    now = app.clock()
    return [
        ShowLadder(each.id).build_job(now) for each in await app.store.get(Ladders).load_open(guild)
    ]


MAX_RUNGS = 64
MAX_LADDERS = 10
"""Ladders that a server can have open at a time."""
SEEN_ABOVE, SEEN_BELOW = rungs.REACH + 2, 2
"""Rungs above and below one's own that are shown with whether they can be challenged."""
DROP_EVERY_MS = 7 * DAY
"""Milliseconds after which the inactive drop again."""


class LadderClosedError(DeclinedError):
    ladder: str
    sentence = mark_text("{ladder} is closed, so it can't be changed any more.")


class LadderExcludedError(DeclinedError):
    ladder: str
    sentence = mark_text("The organisers removed you from {ladder}, so you can't join it again.")


class LadderFullError(DeclinedError):
    most: int
    sentence = mark_text(
        "All {most} rungs of this ladder are taken. If somebody leaves, you can join."
    )


class LadderJoinedError(DeclinedError):
    ladder: str
    sentence = mark_text("You're already on {ladder}.")


class LadderMovedOnError(DeclinedError):
    sentence = mark_text(
        "The ladder has changed in the meantime, so nothing was done. See how it stands with "
        "`/ladder standings`."
    )


class LadderUnknownError(DeclinedError):
    sentence = mark_text(
        "I don't know that ladder. The option `ladder` lists those of this server."
    )


class NoLadderError(DeclinedError):
    sentence = mark_text(
        "There's no ladder in this server now. Its organisers can open one with `/ladder create`."
    )


class NoLadderNameError(DeclinedError):
    sentence = mark_text("The ladder needs a name with letters or digits, such as “Club ladder”.")


class TeamLadderError(DeclinedError):
    sentence = mark_text(
        "Ladders are for games of one player a side. Choose another game, or other house rules."
    )


class NotOnLadderError(DeclinedError):
    ladder: str
    sentence = mark_text("You aren't on {ladder}. You can join it with `/ladder standings`.")


class SeveralLaddersError(DeclinedError):
    sentence = mark_text(
        "There are several ladders here. Say which you mean with the option `ladder`."
    )


class TooManyLaddersError(DeclinedError):
    most: int
    sentence = mark_text(
        "This server already has {most} open ladders, the most allowed. One has to be closed first."
    )


_OBSTACLE_TEXTS = {
    rungs.Obstacle.SELF: mark_text("You can't challenge yourself."),
    rungs.Obstacle.ABSENT: mark_text(
        "{person} isn't on this ladder; they can join it with `/ladder standings`."
    ),
    rungs.Obstacle.BELOW: mark_text("{person} is below you; one only challenges players above."),
    rungs.Obstacle.TOO_FAR: mark_text(
        "{person} is too far above you; you can challenge up to {reach} rungs above your own."
    ),
    rungs.Obstacle.CHALLENGING: mark_text(
        "You've already challenged somebody on this ladder, and that isn't over yet."
    ),
    rungs.Obstacle.PLAYING: mark_text(
        "You and {person} already have a challenge or a match on this ladder."
    ),
    rungs.Obstacle.CHALLENGED: mark_text(
        "{person} has already been challenged on this ladder, and that isn't over yet."
    ),
    rungs.Obstacle.RECENT: mark_text(
        "You and {person} have met within the last {days} days. You can meet again from "
        "<t:{until}:f> on."
    ),
    rungs.Obstacle.BLOCKED: mark_text("{person} can't be challenged by you."),
    rungs.Obstacle.AWAY: mark_text("{person} is on vacation until <t:{until}:f>."),
    rungs.Obstacle.GONE: mark_text(
        "{person} has left the server or lost the role it asks for, so they're out of the way "
        "until they come back. **Challenge** in `/ladder standings` shows whom you can challenge."
    ),
}


class ImpededError(DeclinedError):
    """Somebody may not be challenged on a ladder; who is absent from it may have left it."""

    found: rungs.Impediment
    person: str
    has_left: bool = False

    def _format(self, reader: Reader) -> str:
        obstacle, person = self.found.why, escape_text(self.person)
        if obstacle is rungs.Obstacle.BLOCKING:
            return PersonBlockedError(person).format(reader)
        text = _OBSTACLE_TEXTS[obstacle]
        if obstacle is rungs.Obstacle.ABSENT and self.has_left:
            text = mark_text("{person} has left this ladder.")
        days, until = rungs.REMATCH_MS // DAY, (self.found.until or 0) // SECOND
        return reader(text, person=person, reach=rungs.REACH, days=days, until=until)


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderOptions:
    """The terms of a ladder as an organiser types or chooses them."""

    name: str
    game: str
    options: str = ""
    pace: str
    rated: bool | None = None


def check_terms(chosen: LadderOptions) -> MatchTerms:
    """Return the terms of a ladder's matches.

    Raises Refusal for a game, option or pace that is not known, and DeclinedError.
    """
    if not fold_text(chosen.name):
        raise NoLadderNameError
    game = find_game(chosen.game)
    options = parse_options(game, chosen.options)
    terms = MatchTerms(game, options, rated=bool(chosen.rated), pace=parse_pace(chosen.pace))
    if terms.players > 1:
        raise TeamLadderError
    return terms


async def organise_ladder(app: App, request: MatchRequest, chosen: LadderOptions) -> int:
    """Open a ladder and return its number; raises DeclinedError if it may not be."""
    terms = check_terms(chosen)
    server = await app.store.servers.load_settings(request.guild)
    servers.require_start_place(server, request.channel, request.parent)
    if len(await app.store.get(Ladders).load_open(request.guild)) >= MAX_LADDERS:
        raise TooManyLaddersError(MAX_LADDERS)
    await app.save_people(request.person)
    now = app.clock()
    new = NewLadder(
        guild=request.guild,
        channel=request.channel,
        name=" ".join(chosen.name.split()),
        organiser=request.person.id,
        game=terms.game.slug,
        options=terms.options,
        rated=terms.rated,
        pace=terms.pace.name,
        created=now,
        next_drop=now + DROP_EVERY_MS,
    )

    def follows(number: int) -> Sequence[Job]:
        return [
            ShowLadder(number).build_job(now),
            DropInactive(number).build_job(new.next_drop),
        ]

    number, jobs = await app.store.get(Ladders).create(new, follows)
    app.take(jobs)
    return number


async def join_ladder(app: App, number: int, person: DiscordPerson) -> LadderView:
    """Let somebody join at the bottom, or come back to the rung that they have kept.

    Raises DeclinedError if they are on it, or it is full.
    """
    view = await load_ladder(app, number)
    require_open(view.ladder)
    servers.require_member_role(await app.store.servers.load_settings(view.ladder.guild), person)
    if person.id in view.gone:
        # They are back, in the place that they have kept.
        return await update_presence(app, view, {person.id: True})
    if person.id in view.rungs:
        raise LadderJoinedError(view.ladder.name)
    if await app.store.get(Ladders).is_excluded(number, person.id):
        raise LadderExcludedError(view.ladder.name)
    if len(view.order) >= MAX_RUNGS and not view.gone:
        raise LadderFullError(MAX_RUNGS)
    await app.save_people(person)
    now = app.clock()
    joined = rungs.LadderEvent(now, rungs.LadderAction.JOIN, person.id)
    shown = [ShowLadder(number).build_job(now)]
    change = await app.store.get(Ladders).join(number, joined, MAX_RUNGS, shown)
    return await _finish_change(app, number, change)


async def leave_ladder(app: App, number: int, person: int) -> LadderView:
    """Let somebody leave, who then forfeits the matches that go on.

    Raises DeclinedError if they are not on the ladder, or it is closed.
    """
    return await _end_part(
        app, number, rungs.LadderEvent(app.clock(), rungs.LadderAction.LEAVE, person)
    )


async def remove_player(
    app: App, number: int, organiser: DiscordPerson, reason: str, person: int
) -> LadderView:
    """Remove somebody from a ladder as an organiser rules, and keep the reason.

    Raises DeclinedError where they are not on it, it is closed, or there is no reason.
    """
    text = require_reason(reason)
    # Before the ruling, which refers to them: an organiser may never have played.
    await app.save_people(organiser)
    ruling = rungs.LadderEvent(app.clock(), rungs.LadderAction.REMOVE, person, organiser.id, text)
    return await _end_part(app, number, ruling)


async def readmit_player(
    app: App, number: int, organiser: DiscordPerson, person: int
) -> LadderView:
    """Let somebody back in at the bottom whom organisers removed, and notify them.

    Raises DeclinedError where they were not removed, it is closed, or it is full.
    """
    view = await load_ladder(app, number)
    require_open(view.ladder)
    if person not in rungs.list_readmittable(await load_rulings(app, number)):
        raise LadderMovedOnError
    if len(view.order) >= MAX_RUNGS and not view.gone:
        raise LadderFullError(MAX_RUNGS)
    await app.save_people(organiser)
    now = app.clock()
    ruling = rungs.LadderEvent(now, rungs.LadderAction.JOIN, person, organiser.id)
    jobs = [ShowLadder(number).build_job(now), NotifyReadmitted(number, person).build_job(now)]
    change = await app.store.get(Ladders).join(number, ruling, MAX_RUNGS, jobs)
    return await _finish_change(app, number, change)


async def _end_part(app: App, number: int, left: rungs.LadderEvent) -> LadderView:
    view = await load_ladder(app, number)
    require_open(view.ladder)
    person = left.person or 0
    require_rung(view, person)

    def follows(closed: Sequence[int]) -> Sequence[Job]:
        forfeited = ForfeitLadderMatches(number, person).build_job(left.at)
        return [forfeited, *_build_end_jobs(number, left.at, closed)]

    change = await app.store.get(Ladders).leave(number, left, follows)
    return await _finish_change(app, number, change)


async def close_ladder(app: App, number: int, organiser: DiscordPerson, reason: str) -> LadderView:
    """Close a ladder as an organiser rules, and keep the reason.

    Its open challenges are withdrawn. The matches that are played go on, but move nobody. Raises
    DeclinedError where it is closed already, or there is no reason.
    """
    require_open((await load_ladder(app, number)).ladder)
    text = require_reason(reason)
    await app.save_people(organiser)
    now = app.clock()
    ruling = rungs.LadderEvent(now, rungs.LadderAction.CLOSE, None, organiser.id, text)
    change = await app.store.get(Ladders).close(
        number, ruling, partial(_build_end_jobs, number, now)
    )
    return await _finish_change(app, number, change)


async def move_ladder(app: App, view: LadderView, request: MatchRequest) -> LadderView:
    """Let a ladder whose channel is gone be in the one in which an organiser asks for it.

    Raises DeclinedError where matches can't be begun.
    """
    number, now = view.ladder.id, app.clock()
    server = await app.store.servers.load_settings(view.ladder.guild)
    servers.require_start_place(server, request.channel, request.parent)
    change = await app.store.get(Ladders).move(
        number, view.ladder.channel, request.channel, [ShowLadder(number).build_job(now)]
    )
    app.take(change.jobs)
    return await load_ladder(app, number)


async def challenge_above(
    app: App, number: int, request: MatchRequest, opponent: DiscordPerson
) -> Challenge:
    """Challenge somebody above on a ladder; raises DeclinedError saying why that is not allowed."""
    view = await load_ladder(app, number, request.guild)
    ladder = view.ladder
    require_open(ladder)
    require_rung(view, request.person.id)
    service.require_other_person(request.person, opponent)
    server = await app.store.servers.load_settings(ladder.guild)
    for person in (request.person, opponent):
        servers.require_member_role(server, person)
    barred = ImpededError(rungs.Impediment(rungs.Obstacle.BLOCKED), opponent.name)
    await require_unblocked(app, request.person, [opponent.id], barred)
    known = await load_rules(app, view, request.person.id)
    has_left = opponent.id not in view.order and await app.store.get(Ladders).has_joined(
        number, opponent.id
    )
    await app.save_people(request.person, opponent)
    terms = MatchTerms(
        find_game(ladder.game), ladder.options, rated=ladder.rated, pace=parse_pace(ladder.pace)
    )
    here = replace(request, channel=ladder.channel, parent=None)
    new = service.build_challenge(
        app, here, opponent.id, terms, lifetime=rungs.ANSWER_MS, ladder=number
    )

    def require_allowed(current: LadderView) -> None:
        # Decided under the lock, so that of two challenges at once the second is refused.
        rules = replace(
            known, rungs=current.rungs, challenges=current.challenges, gone=current.gone
        )
        found = rules.find_impediment(request.person.id, opponent.id)
        if found is not None:
            raise ImpededError(found, opponent.name, has_left)

    def follows(challenge: int) -> Sequence[Job]:
        return [
            service.ShowChallenge(challenge).build_job(new.created),
            # A day before, to remind the challenged player.
            service.LapseChallenge(challenge).build_job(new.expires - service.REMIND_MS),
            ShowLadder(number).build_job(new.created),
        ]

    seat = Seat(terms.side.value, 0, request.person.id, request.contribution)
    try:
        made = await app.store.get(Ladders).challenge(
            new, seat, service.LIMITS, require_allowed, follows
        )
    except LimitExceededError as error:
        names = {each.id: each.name for each in (request.person, opponent)}
        raise service.explain_too_many(error, names) from None
    if made is None:
        raise LadderClosedError(ladder.name)
    app.take(made.jobs)
    return made.challenge


async def load_rules(app: App, view: LadderView, person: int) -> rungs.ChallengeRules:
    """Return what decides now whom somebody may challenge."""
    between = await app.store.get(Blocks).load_between(person, view.order)
    blocked = frozenset(each for pair in between for each in pair) - {person}
    blocking = frozenset(theirs for by, theirs in between if by == person)
    now = app.clock()
    away = (await load_vacations(app, view, now)).away
    return rungs.ChallengeRules(
        view.rungs, view.challenges, now, away, blocked, blocking, view.gone
    )


@dataclass(frozen=True, slots=True)
class LadderVacations:
    """Until when people of a ladder are `away`, and when others have `returned`."""

    away: Mapping[int, int]
    returned: Mapping[int, int]


async def load_vacations(app: App, view: LadderView, since: int) -> LadderVacations:
    """Return the vacations of those on a ladder that last, or have ended since an instant."""
    now = app.clock()
    pauses = await app.store.pauses.load_relevant(view.order, since, guild=None)
    away: dict[int, int] = {}
    returned: dict[int, int] = {}
    for each in pauses:
        if each.person is not None and each.began <= now:
            found = away if now < each.ended else returned
            found[each.person] = max(each.ended, found.get(each.person, 0))
    return LadderVacations(away, returned)


async def find_idle_start(app: App, guild: int, now: int) -> int:
    """Return since when people must have done nothing in a server to be inactive.

    Time in which nobody there could act does not count.
    """
    since = now - rungs.INACTIVE_MS
    while True:
        pauses = await app.store.pauses.load_relevant([], since, guild)
        found = _go_back(now, rungs.INACTIVE_MS, [(each.began, each.ended) for each in pauses])
        if found >= since:
            return found
        # Before the instant that was looked at there may have been others.
        since = found


def _go_back(now: int, span: int, pauses: Sequence[tuple[int, int]]) -> int:
    """Return the instant since which a span has gone by, not counting pauses."""
    instant, left = now, span
    for began, ended in sorted(pauses, key=lambda pause: pause[1], reverse=True):
        if ended <= instant:
            if instant - ended >= left:
                break
            left -= instant - ended
        instant = min(instant, began)
    return instant - left


async def update_presence(app: App, view: LadderView, there: Mapping[int, bool]) -> LadderView:
    """Keep who of a ladder can play in its server and who can't, and return the ladder after it.

    Who is gone is out of the way at once. Nothing is done on a closed ladder.
    """
    kept = {each: each not in view.gone for each in view.order}
    if not any(kept.get(person, is_there) != is_there for person, is_there in there.items()):
        return view
    number, now = view.ladder.id, app.clock()
    follows = partial(_build_end_jobs, number, now)
    change = await app.store.get(Ladders).save_presence(number, there, now, follows)
    app.take(change.jobs)
    return await load_ladder(app, number)


async def welcome_back(app: App, view: LadderView, person: DiscordPerson) -> LadderView:
    """Return a ladder once whoever asks is known to be in its server.

    Raises DeclinedError if they lack the role that its players need.
    """
    servers.require_member_role(await app.store.servers.load_settings(view.ladder.guild), person)
    return await update_presence(app, view, {person.id: True})


def _build_end_jobs(number: int, now: int, closed: Sequence[int]) -> Sequence[Job]:
    """Return the jobs that show a ladder once those challenges on it were closed."""
    shown = [service.ShowChallenge(each).build_job(now) for each in closed]
    return [*shown, ShowLadder(number).build_job(now)]


async def _finish_change(app: App, number: int, change: CompetitionChange) -> LadderView:
    """Begin the jobs of a change, and return the ladder after it.

    Raises DeclinedError if nothing was changed, since somebody else was quicker.
    """
    if not change.is_made:
        raise LadderMovedOnError
    app.take(change.jobs)
    return await load_ladder(app, number)


async def load_ladder(app: App, number: int, guild: int | None = None) -> LadderView:
    """Return a ladder, of that server if one is given; raises DeclinedError if there is none."""
    view = await app.store.get(Ladders).load_view(number)
    if view is None or guild not in (None, view.ladder.guild):
        raise LadderUnknownError
    if view.ladder.last_event is None:
        # Once: from then on a look need not go through all that happened.
        await app.store.get(Ladders).keep_order(number)
    return view


async def load_own_ladders(app: App, listed: Sequence[Ladder], person: int) -> Collection[int]:
    """Return on which of some ladders somebody is."""
    views = [await load_ladder(app, each.id) for each in listed]
    return {each.ladder.id for each in views if person in each.order}


async def load_latest(app: App, guild: int, most: int) -> Sequence[Ladder]:
    """Return a server's latest ladders."""
    return await app.store.get(Ladders).load_latest(guild, most)


async def load_rulings(app: App, number: int) -> list[rungs.LadderEvent]:
    """Return what organisers have done to a ladder."""
    return await app.store.get(Ladders).load_rulings(number)


def require_open(ladder: Ladder) -> None:
    """Raise DeclinedError if a ladder is closed."""
    if not ladder.is_open:
        raise LadderClosedError(ladder.name)


def require_rung(view: LadderView, person: int) -> None:
    """Raise DeclinedError unless somebody is on a ladder."""
    if person not in view.order:
        raise NotOnLadderError(view.ladder.name)


def list_near(view: LadderView, person: int) -> tuple[int, ...]:
    """Return those on the rungs near somebody, and those who are gone among them, by rung."""
    own, order = view.rungs.index(person), view.order
    above, below = max(0, own - SEEN_ABOVE), own + SEEN_BELOW + 1
    start = order.index(view.rungs[above]) if above else 0
    end = order.index(view.rungs[below]) if below < len(view.rungs) else len(order)
    return order[start:end]
