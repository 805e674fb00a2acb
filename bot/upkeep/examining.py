"""What is wrong in a database, found by going through all of it; nothing is changed."""

import re
from collections.abc import AsyncIterator, Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from bot.app import ratings, tasks
from bot.delivery.handlers import KINDS
from bot.store import Job, QueuedJob, Store, StoreError
from bot.upkeep.findings import Finding, Forget, RateAnew, Restate, Wish, found
from bot.upkeep.replaying import Replayed, replayed
from bot.words.reader import Reader
from bot.words.reasons import reason
from engine.clock import MINUTE, read_pace
from engine.games import find_game
from engine.refusal import Refusal

_LEADING_ZEROS = re.compile(r"\b0+(?=\d)")
OVERDUE = 10 * MINUTE
"""Milliseconds after which a job that is due has been forgotten by a program that runs."""
OFTEN = 8
"""Tries of a job after which the operator should be notified of it: some five minutes."""


@dataclass
class Gone:
    """What has been gone through."""

    matches: int = 0
    events: int = 0

    def __str__(self) -> str:
        return f"{self.matches} matches with {self.events} events replayed"


async def examine(store: Store, now: int, gone: Gone, *, running: bool) -> AsyncIterator[Finding]:
    """Yield what is wrong in a database, counting what was examined.

    `running` says that a program uses it. Raises StoreError if it cannot be read.
    """
    async for finding in unsound(store, now, gone):
        yield finding
    steps = (
        _guarded("the challenges", _of_challenges(store, now)),
        _guarded("the servers' settings", _of_servers(store)),
        _guarded("the jobs", _of_jobs(store, now, running=running)),
    )
    for step in steps:
        async for finding in step:
            yield finding


async def unsound(store: Store, now: int, gone: Gone) -> AsyncIterator[Finding]:
    """Yield what is wrong with matches, ratings and the file itself, as in every copy of it."""
    for fault in await store.check():
        yield found(fault)
    steps = (
        _guarded("the seats", _of_seats(store)),
        _guarded("the matches", _of_matches(store, now, gone)),
        _guarded("the ratings", _of_ratings(store)),
    )
    for step in steps:
        async for finding in step:
            yield finding


async def _guarded(what: str, findings: AsyncIterator[Finding]) -> AsyncIterator[Finding]:
    """Yield what is found; if something cannot be examined, report that and examine the rest."""
    try:
        async for finding in findings:
            yield finding
    except StoreError as error:
        yield found(str(error))
    except (ValueError, TypeError, KeyError) as error:
        yield found(f"{what} cannot be examined to the end: {error}")


async def _of_seats(store: Store) -> AsyncIterator[Finding]:
    for match in await store.inspection.unseated():
        yield found(f"match {match}: nobody sits on one of its sides")


async def _of_matches(store: Store, now: int, gone: Gone) -> AsyncIterator[Finding]:
    async for each in replayed(store):
        gone.matches += 1
        gone.events += each.version
        for finding in _of_match(each, now):
            yield finding


async def _of_ratings(store: Store) -> AsyncIterator[Finding]:
    for key in await store.inspection.ratings(tasks.RATE_ANEW, ratings.boards):
        board = f"{key.scope}, {key.pool}"
        sentence = (
            f"the rating of {key.person} on the board {board} "
            "is not what their matches have made of it"
        )
        yield found(sentence, RateAnew(key.board))


def _of_match(each: Replayed, now: int) -> Iterator[Finding]:
    match = each.match
    if each.wrong:
        yield found(f"match {match}: {each.wrong}")
    if each.restated:
        mend = Restate(match, each.version, each.restated)
        yield found(f"match {match}: its row does not say what its events come to", mend)
    for board in each.boards:
        where = f"the board {board.scope}, {board.pool}"
        yield found(
            f"match {match}: what it did to {where} is not what its result comes to",
            RateAnew(board),
        )
    for kind in each.missing:
        wish = Wish(each.guild, Job(kind, str(match), now))
        yield found(f"match {match}: it goes on, and no job “{kind}” waits for it", wish)


async def _of_challenges(store: Store, now: int) -> AsyncIterator[Finding]:
    for number in await store.inspection.open_challenges():
        try:
            challenge = await store.challenges.get(number)
            if challenge is None:
                yield found(f"challenge {number} is open, and nobody sits in it")
                continue
            find_game(challenge.game).rules_with(challenge.options)
            read_pace(challenge.pace)
        except Refusal as refusal:
            yield found(f"challenge {number}: {reason(Reader.ENGLISH, refusal)}")
        except (ValueError, TypeError, AttributeError) as error:
            yield found(f"challenge {number}: what is stored of it cannot be read: {error}")
    for number, guild in await store.inspection.open_without(tasks.LAPSE):
        mend = Wish(guild, tasks.lapse(number, now))
        yield found(f"challenge {number} is open, and no job waits to close it", mend)


async def _of_servers(store: Store) -> AsyncIterator[Finding]:
    for guild in await store.inspection.servers():
        try:
            chosen = await store.servers.get(guild)
            read_pace(chosen.pace)
            numbers = (*chosen.channels, *chosen.quiet)
        except (ValueError, TypeError) as error:
            yield found(f"the settings of server {guild} cannot be read: {error}")
            continue
        if not all(isinstance(number, int) for number in numbers):
            yield found(f"the settings of server {guild} name channels or hours that are none")


async def _of_jobs(store: Store, now: int, *, running: bool) -> AsyncIterator[Finding]:
    about: list[tuple[QueuedJob, set[int], set[int]]] = []
    unreadable = await store.inspection.unreadable_jobs()
    seen: set[tuple[str, str]] = set()
    # Of several that do the same the one with the usual key stays, and of those the newest.
    for job in sorted(await store.inspection.jobs(), key=_usual_first):
        same = job.kind, _usual(job.key)
        if wrong := "there twice" if same in seen else _malformed(job, unreadable):
            yield found(f"{_named(job)} is {wrong}", Forget(job))
            continue
        seen.add(same)
        about.insert(0, (job, _one(tasks.match_of(job)), _one(tasks.challenge_of(job))))
    matches = await store.inspection.known_matches(
        {number for _, match, _ in about for number in match}
    )
    challenges = await store.inspection.known_challenges(
        {number for *_, challenge in about for number in challenge}
    )
    for job, match, challenge in about:
        if matches.issuperset(match) and challenges.issuperset(challenge):
            for finding in _of_job(job, now, running=running):
                yield finding
        else:
            yield found(f"{_named(job)} is about what is not there", Forget(job))


def _usual(key: str) -> str:
    return _LEADING_ZEROS.sub("", key)


def _usual_first(job: QueuedJob) -> tuple[bool, int]:
    return job.key != _usual(job.key), -job.id


def _malformed(job: QueuedJob, unreadable: Collection[int]) -> str | None:
    """Return what is wrong with a job in itself; None if this program can do it."""
    if job.kind not in KINDS:
        return "of a kind that this program does not know"
    if job.id in unreadable:
        return "malformed: its detail is no object in JSON"
    try:
        match = tasks.match_of(job)
        if match is None and job.kind in tasks.ABOUT_MATCH:
            return "malformed: its key names no match"
        tasks.challenge_of(job)
    except (KeyError, TypeError, ValueError):
        return "malformed: it does not say what it is about"
    return None


def _one(number: int | None) -> set[int]:
    return set() if number is None else {number}


def _of_job(job: QueuedJob, now: int, *, running: bool) -> Iterator[Finding]:
    missing = [name for name in tasks.DETAILS.get(job.kind, ()) if name not in job.detail]
    if missing:
        sentence = f"{_named(job)} is malformed: its detail lacks {', '.join(missing)}"
        yield found(sentence, Forget(job))
    elif job.given_up is not None:
        again = Wish(job.guild, Job(job.kind, job.key, now, job.detail))
        yield found(f"{_named(job)} was given up on {_moment(job.given_up)}: {job.error}", again)
    elif job.tries >= OFTEN:
        yield found(
            f"{_named(job)} has failed {job.tries} times, "
            f"the last time by {job.error}; it is tried on"
        )
    elif running and job.due < now - OVERDUE:
        yield found(
            f"{_named(job)} is due since {_moment(job.due)}, "
            "and the bot, which runs, does not do it"
        )


def _named(job: QueuedJob) -> str:
    return f"the job “{job.kind} {job.key}”"


def _moment(instant: int) -> str:
    return f"{datetime.fromtimestamp(instant / 1000, UTC):%Y-%m-%d %H:%M} UTC"
