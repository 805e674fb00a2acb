"""Giving people and the owners of servers their data, and deleting it.

Before a person's data is deleted, what they take part in is ended and the words that they gave to
the dice are; a server's goes when its owner asks, or after the bot was removed.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Sequence

from bot.features.challenges.service import withdraw_for
from bot.features.challenges.store import Challenges
from bot.features.contests.service import ContestStartingError, build_update_jobs, leave_contest
from bot.features.contests.store import Contests
from bot.features.ladders.service import leave_ladder
from bot.features.matches.loading import load_session
from bot.features.matches.proof import count_proved_throws
from bot.features.matches.rows import EventRow, MatchRow
from bot.features.matches.service import Action, abort_match, apply_action, resign_match
from bot.features.matches.session import MatchSession, SessionCache, require_running
from bot.features.matches.store import Matches
from bot.features.privacy.deletion_log import Deletion, DeletionLog
from bot.features.privacy.store import PastProof, PersonalData, find_words
from bot.platform.context import NO_SERVER, App, note_person_language, note_server_language
from bot.platform.db.jobs import JobPayload, Subject
from bot.platform.db.rows import Job, QueuedJob
from bot.platform.db.store import Store
from bot.platform.features import ExtensionPoint
from bot.platform.i18n.reader import DeclinedError
from bot.platform.people import CLOCK, DiscordPerson
from engine.clock import DAY, MINUTE
from engine.events import Annulled, Event
from engine.refusal import Refusal

log = logging.getLogger(__name__)
EXPORT_PAUSE_MS = DAY
"""Milliseconds after which somebody can get their data again."""
KEPT_MS = 30 * DAY
"""Milliseconds for which the data of a server is kept that has removed the bot."""
SETTLE_MS = MINUTE
"""Milliseconds after which channels show that what went on has ended."""
PLAYER_DELETED = "player deleted"
"""The cause of the event that ends a match: it names nobody, and happens once in a match."""
SERVER_DELETED = "server deleted"
"""The cause of the event that ends a match."""

DELETION_REQUESTS: ExtensionPoint[Callable[[App, int], Awaitable[None]]] = ExtensionPoint()
"""What is done at once for somebody who wants their data deleted, before that begins."""


class ExportData(JobPayload, kind="export data", about=Subject.PERSON):
    """Send somebody all that is stored of them, as they asked for at an instant."""

    person: int
    at: int


class DeletePerson(JobPayload, kind="delete person", about=Subject.PERSON):
    """Delete somebody's data."""

    person: int


class RetirePlayer(JobPayload, kind="retire player", about=Subject.PERSON):
    """End what somebody whose data is deleted still takes part in, under their pseudonym."""

    person: int


class DeleteServer(JobPayload, kind="delete server", about=Subject.SERVER):
    """Delete a server's data; where it `left` the bot, only if it has not come back since."""

    server: int
    left: bool = False


class ExportServer(JobPayload, kind="export server", about=Subject.SERVER):
    """Send the owner of a server all that is stored of it, as they asked for at an instant."""

    server: int
    owner: int
    at: int


class TruncateLog(JobPayload, kind="truncate log", about=Subject.SERVER):
    """Leave nothing of what was deleted in the database's log; it is about no server."""

    server: int


async def begin_export(app: App, person: int) -> ExportData | None:
    """Note that somebody asks for their data; None if they did within the last day."""
    now = app.clock()
    if not await app.store.get(PersonalData).begin_export(person, now, EXPORT_PAUSE_MS):
        return None
    return ExportData(person, now)


async def request_deletion(app: App, person: int) -> None:
    """Have somebody's data deleted, as soon as what they take part in has ended."""
    for begin in DELETION_REQUESTS.list_functions():
        await begin(app, person)
    await app.enqueue(NO_SERVER, [DeletePerson(person).build_job(app.clock())])


async def delete_person(app: App, person: int) -> None:
    """Delete somebody's data; what is in progress is ended in their name before."""
    now = app.clock()
    await retire_player(app, person)
    # Before it is deleted: a backup that is restored must not bring back what was to go.
    await asyncio.to_thread(app.get_part(DeletionLog).append, Deletion(person, now))
    app.take(await erase_everywhere(app.store, person, now))
    app.forget_person(person)
    note_person_language(app, person, None)
    # Their matches name them.
    app.get_part(SessionCache).clear()


async def erase_everywhere(store: Store, person: int, now: int) -> Sequence[QueuedJob]:
    """Take somebody out of a database; return the jobs that end what they still take part in."""
    await erase_words(store, person, now)

    def follow_up(pseudonym: int | None) -> Sequence[Job]:
        retiring = [] if pseudonym is None else [RetirePlayer(pseudonym).build_job(now)]
        return [*retiring, TruncateLog(NO_SERVER).build_job(now)]

    return (await store.get(PersonalData).erase(person, now, follow_up)).jobs


class StillStartingError(Exception):
    """A contest in which somebody takes part is starting; soon after it they can leave it."""


async def retire_player(app: App, person: int) -> None:
    """Let somebody resign their matches, leave contests and ladders, and withdraw challenges.

    It may be done again: what has ended meanwhile is left as it is. Raises StillStartingError.
    """
    for challenge in await app.store.get(Challenges).load_open_by_person(person, app.clock()):
        await withdraw_for(app, challenge.id)
    # Before the contests, whose matches would be forfeited a moment later under an id that is gone.
    for row in await app.store.get(Matches).load_running_by_person(person):
        await _ignore_refusal(_leave_match(app, row.id, person))
    for contest in await app.store.get(Contests).load_by_person(person):
        await _ignore_refusal(leave_contest(app, contest.id, person))
    for ladder in await app.store.get(PersonalData).load_ladders(person):
        await _ignore_refusal(leave_ladder(app, ladder, person))


async def _leave_match(app: App, match: int, person: int) -> None:
    session = await load_session(app, match)
    action = Action(match, DiscordPerson(person, ""), PLAYER_DELETED)
    leave = abort_match if session.may_be_left else resign_match
    await leave(app, action)


async def _ignore_refusal(doing: Awaitable[object]) -> None:
    try:
        await doing
    except (DeclinedError, Refusal) as error:
        if isinstance(error, ContestStartingError):
            # Matches of theirs are yet to be created, which somebody must leave as well.
            raise StillStartingError from error
        log.info("something had ended before its player's data was deleted: %s", error)


async def erase_words(store: Store, person: int, now: int) -> bool:
    """Delete the words that somebody gave to the dice of finished matches.

    Every throw of such a match is recomputed before, and the result is kept. Returns whether a
    match goes on that still needs a word of theirs, as somebody else has their seat.
    """
    rows = await store.get(PersonalData).load_with_words(person)
    over = [row for row in rows if row.ended is not None]
    for row in over:
        events = await store.get(Matches).load_events(row.id)
        throws = await asyncio.to_thread(_count_throws, row, events)
        proofs = [
            PastProof(row.id, seat.side, seat.number, now, throws)
            for seat in find_words(row, person)
        ]
        await store.get(PersonalData).erase_contributions(proofs)
    return len(over) < len(rows)


def _count_throws(row: MatchRow, events: list[EventRow]) -> int | None:
    try:
        return count_proved_throws(row, events)
    except (Refusal, ValueError, TypeError, KeyError) as error:
        # A match that cannot be read proves nothing, and keeps nobody's data from being deleted.
        log.warning("the dice of match %d cannot be recomputed: %s", row.id, error)
        return None


async def note_departure(app: App, server: int) -> None:
    """Have the data of a server that has removed the bot deleted in a month."""
    due = app.clock() + KEPT_MS
    await app.enqueue(server, [DeleteServer(server, left=True).build_job(due)])


async def note_departures(app: App, shard: int, present: Collection[int]) -> None:
    """Do the same for the servers of a shard that have removed the bot while it was away."""
    known = await app.store.get(PersonalData).find_servers(DeleteServer.kind)
    for server in sorted(known - {NO_SERVER, *present}):
        if app.shards.get_shard(server) == shard:
            log.info("server %d has removed the bot; its data is deleted in a month", server)
            await note_departure(app, server)


async def request_server_export(app: App, server: int, owner: int) -> None:
    """Have a server's data sent to its owner."""
    now = app.clock()
    await app.enqueue(server, [ExportServer(server, owner, now).build_job(now)])


async def request_server_deletion(app: App, server: int) -> None:
    """Have a server's data deleted at once."""
    await app.enqueue(server, [DeleteServer(server).build_job(app.clock())])


async def end_everything(app: App, server: int) -> bool:
    """Annul what goes on in a server and call its contests off; return whether there was anything.

    Then its channels are still to be brought up to date.
    """
    now = app.clock()
    ended = False
    for contest in await app.store.get(Contests).load_by_server(server):
        change = await app.store.get(Contests).cancel(contest.id, build_update_jobs(contest, now))
        app.take(change.jobs)
        ended = ended or change.is_made
    for row in await app.store.get(Matches).load_running_in_server(server):
        session = await load_session(app, row.id)
        ended = True
        try:
            await apply_action(app, Action(session.id, CLOCK, SERVER_DELETED), _annul)
        except (DeclinedError, Refusal):
            # It has ended by itself meanwhile.
            continue
    return ended


def _annul(session: MatchSession) -> Event:
    require_running(session)
    return Annulled()


async def delete_server(app: App, server: int) -> None:
    """Delete a server's data, of which nothing goes on any more."""
    await app.store.get(PersonalData).erase_server(server, app.clock())
    await app.enqueue(NO_SERVER, [TruncateLog(NO_SERVER).build_job(app.clock())])
    note_server_language(app, server, None)
    app.get_part(SessionCache).clear()
