"""A server's data: given to its owner, and deleted when they ask, or after the bot was removed."""

import logging
from collections.abc import Collection

from bot.features.contests.jobs import build_update_jobs
from bot.features.matches.loading import load_session
from bot.features.matches.service import Action, apply_action
from bot.features.matches.session import MatchSession, require_running
from bot.features.matches.session_cache import SessionCache
from bot.features.privacy.jobs import DeleteServer, ExportServer
from bot.platform.context import App
from bot.platform.direct import NO_SERVER
from bot.platform.errors import DeclinedError
from bot.platform.languages import note_server_language
from bot.platform.people import CLOCK
from engine.clock import DAY, MINUTE
from engine.events import Annulled, Event
from engine.refusal import Refusal

log = logging.getLogger(__name__)

KEPT_MS = 30 * DAY
"""Milliseconds for which the data of a server is kept that has removed the bot."""
SETTLE_MS = MINUTE
"""Milliseconds after which channels show that what went on has ended."""
CAUSE = "server deleted"
"""The cause of the event that ends a match."""


async def note_departure(app: App, server: int) -> None:
    """Have the data of a server that has removed the bot deleted in a month."""
    due = app.clock() + KEPT_MS
    await app.enqueue(server, [DeleteServer(server, left=True).make_job(due)])


async def note_departures(app: App, shard: int, present: Collection[int]) -> None:
    """Do the same for the servers of a shard that have removed the bot while it was away."""
    known = await app.store.personal_data.find_servers(DeleteServer.kind)
    for server in sorted(known - {NO_SERVER, *present}):
        if app.shards.get_shard(server) == shard:
            log.info("server %d has removed the bot; its data is deleted in a month", server)
            await note_departure(app, server)


async def request_server_export(app: App, server: int, owner: int) -> None:
    """Have a server's data sent to its owner."""
    now = app.clock()
    await app.enqueue(server, [ExportServer(server, owner, now).make_job(now)])


async def request_server_deletion(app: App, server: int) -> None:
    """Have a server's data deleted at once."""
    await app.enqueue(server, [DeleteServer(server).make_job(app.clock())])


async def end_everything(app: App, server: int) -> bool:
    """Annul what goes on in a server and call its contests off; return whether there was anything.

    Then its channels are still to be brought up to date.
    """
    now = app.clock()
    ended = False
    for contest in await app.store.contests.load_by_server(server):
        change = await app.store.contests.cancel(contest.id, build_update_jobs(contest, now))
        app.take(change.jobs)
        ended = ended or change.is_made
    for row in await app.store.matches.load_running_in_server(server):
        session = await load_session(app, row.id)
        ended = True
        try:
            await apply_action(app, Action(session.id, CLOCK, CAUSE), _annul)
        except (DeclinedError, Refusal):
            # It has ended by itself meanwhile.
            continue
    return ended


def _annul(session: MatchSession) -> Event:
    require_running(session)
    return Annulled()


async def delete_server(app: App, server: int) -> None:
    """Delete a server's data, of which nothing goes on any more."""
    await app.store.personal_data.erase_server(server, app.clock())
    note_server_language(app, server, None)
    app.get_part(SessionCache).clear()
