"""Giving people their data, and deleting it."""

import asyncio
from collections.abc import Sequence

from bot.features.matches.session_cache import SessionCache
from bot.features.privacy.deletion_log import Deletion, DeletionLog
from bot.features.privacy.jobs import DeletePerson, ExportData, RetirePlayer
from bot.features.privacy.retiring import erase_words, retire_player
from bot.platform.context import App
from bot.platform.direct import NO_SERVER
from bot.platform.languages import note_person_language
from bot.store import QueuedJob, Store
from engine.clock import DAY

EXPORT_PAUSE_MS = DAY
"""Milliseconds after which somebody can get their data again."""


async def begin_export(app: App, person: int) -> ExportData | None:
    """Note that somebody asks for their data; None if they did within the last day."""
    now = app.clock()
    if not await app.store.personal_data.begin_export(person, now, EXPORT_PAUSE_MS):
        return None
    return ExportData(person, now)


async def request_deletion(app: App, person: int) -> None:
    """Have somebody's data deleted, as soon as what they take part in has ended."""
    await app.enqueue(NO_SERVER, [DeletePerson(person).make_job(app.clock())])


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
    erased = await store.personal_data.erase(
        person, now, lambda pseudonym: [RetirePlayer(pseudonym).make_job(now)]
    )
    return erased.jobs
