"""What is wrong in a database, found by going through all of it; nothing is changed."""

from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from bot.app import ratings, tasks
from bot.store import Job, QueuedJob, Store
from bot.upkeep.findings import Finding, Forget, RateAnew, Restate, Wish, found
from bot.upkeep.replaying import Replayed, replayed
from engine.clock import MINUTE

OVERDUE = 10 * MINUTE
"""Milliseconds after which a job that is due has been forgotten by a program that runs."""
OFTEN = 8
"""Tries of a job after which whoever runs the bot should hear of it: some five minutes."""


@dataclass
class Gone:
    """What has been gone through."""

    matches: int = 0
    events: int = 0

    def __str__(self) -> str:
        return f"{self.matches} matches with {self.events} events replayed"


async def examine(store: Store, now: int, gone: Gone, *, running: bool) -> AsyncIterator[Finding]:
    """Yield what is wrong in a database, counting what was gone through; `running` says that a program uses it.

    Raises StoreError where it cannot be read.
    """
    async for finding in unsound(store, now, gone):
        yield finding
    for challenge, guild in await store.inspection.open_without(tasks.LAPSE):
        mend = Wish(guild, tasks.lapse(challenge, now))
        yield found(f"challenge {challenge} is open, and no job waits to close it", mend)
    for finding in await _of_jobs(store, now, running=running):
        yield finding


async def unsound(store: Store, now: int, gone: Gone) -> AsyncIterator[Finding]:
    """Yield what is wrong with matches and ratings, and with the file itself; the same in every copy of it."""
    for fault in await store.check():
        yield found(fault)
    for match in await store.inspection.unseated():
        yield found(f"match {match}: nobody sits on one of its sides")
    async for each in replayed(store):
        gone.matches += 1
        gone.events += each.version
        for finding in _of_match(each, now):
            yield finding
    for key in await store.inspection.ratings(tasks.RATE_ANEW, ratings.boards):
        board = f"{key.scope}, {key.pool}"
        sentence = f"the rating of {key.person} on the board {board} is not what their matches have made of it"
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


async def _of_jobs(store: Store, now: int, *, running: bool) -> Sequence[Finding]:
    jobs = await store.inspection.jobs()
    about = [(job, _one(tasks.match_of(job)), _one(tasks.challenge_of(job))) for job in jobs]
    matches = await store.inspection.known_matches(
        {number for _, match, _ in about for number in match}
    )
    challenges = await store.inspection.known_challenges(
        {number for *_, challenge in about for number in challenge}
    )
    findings: list[Finding] = []
    for job, match, challenge in about:
        if matches.issuperset(match) and challenges.issuperset(challenge):
            findings += _of_job(job, now, running=running)
        else:
            findings.append(found(f"{_named(job)} is about what is not there", Forget(job)))
    return findings


def _one(number: int | None) -> set[int]:
    return set() if number is None else {number}


def _of_job(job: QueuedJob, now: int, *, running: bool) -> Iterator[Finding]:
    if job.given_up is not None:
        again = Wish(job.guild, Job(job.kind, job.key, now, job.detail))
        yield found(f"{_named(job)} was given up on {_moment(job.given_up)}: {job.error}", again)
    elif job.tries >= OFTEN:
        yield found(
            f"{_named(job)} has failed {job.tries} times, the last time by {job.error}; it is tried on"
        )
    elif running and job.due < now - OVERDUE:
        yield found(
            f"{_named(job)} is due since {_moment(job.due)}, and the bot, which runs, does not do it"
        )


def _named(job: QueuedJob) -> str:
    return f"the job “{job.kind} {job.key}”"


def _moment(instant: int) -> str:
    return f"{datetime.fromtimestamp(instant / 1000, UTC):%Y-%m-%d %H:%M} UTC"
