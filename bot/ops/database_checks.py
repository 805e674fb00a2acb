"""What is wrong in a database, found by going through all of it; nothing is changed."""

import re
from collections.abc import AsyncIterator, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from bot.features.challenges.service import LapseChallenge
from bot.features.challenges.store import Challenges
from bot.features.contests.store import Contests
from bot.features.ladders.store import Ladders
from bot.features.matches.store.inspection import Inspection
from bot.features.moderation.service import RerateMatches
from bot.features.ratings import service as ratings
from bot.features.ratings.store import Ratings
from bot.ops.findings import (
    BoardRerating,
    Finding,
    JobDeletion,
    JobRequeue,
    LadderReplay,
    RowRewrite,
    build_finding,
)
from bot.ops.replay_checks import ReplayReport, replay_all
from bot.platform.db.errors import StoreError
from bot.platform.db.jobs import MalformedJobError, Subject
from bot.platform.db.rows import QueuedJob
from bot.platform.db.store import Store
from bot.platform.i18n.reader import Reader
from bot.platform.i18n.refusals import explain_refusal
from bot.platform.jobs.handlers import load_job_kinds
from engine.clock import MINUTE, parse_pace
from engine.games import find_game
from engine.refusal import Refusal

_LEADING_ZEROS = re.compile(r"\b0+(?=\d)")
OVERDUE_MS = 10 * MINUTE
"""Milliseconds after which a job that is due has been forgotten by a program that runs."""
MANY_TRIES = 8
"""Tries of a job after which the operator should be notified of it: some five minutes."""


@dataclass
class ReplayCounts:
    """What has been gone through."""

    matches: int = 0
    events: int = 0

    def __str__(self) -> str:
        return f"{self.matches} matches with {self.events} events replayed"


async def examine_database(
    store: Store, now: int, gone: ReplayCounts, *, running: bool
) -> AsyncIterator[Finding]:
    """Yield what is wrong in a database, counting what was examined.

    `running` says that a program uses it. Raises StoreError if it cannot be read.
    """
    async for finding in examine_contents(store, now, gone):
        yield finding
    steps = (
        _report_errors("the challenges", _check_challenges(store, now)),
        _report_errors("the servers' settings", _check_servers(store)),
        _report_errors("the jobs", _check_jobs(store, now, running=running)),
    )
    for step in steps:
        async for finding in step:
            yield finding


async def examine_contents(store: Store, now: int, gone: ReplayCounts) -> AsyncIterator[Finding]:
    """Yield what is wrong with matches, ratings, ladders and the file itself, as in every copy."""
    for fault in await store.find_problems():
        yield build_finding(fault)
    steps = (
        _report_errors("the seats", _check_seats(store)),
        _report_errors("the matches", _check_matches(store, now, gone)),
        _report_errors("the ratings", _check_ratings(store, now)),
        _report_errors("the ladders", _check_ladders(store)),
    )
    for step in steps:
        async for finding in step:
            yield finding


async def _report_errors(what: str, findings: AsyncIterator[Finding]) -> AsyncIterator[Finding]:
    """Yield what is found; if something cannot be examined, report that and examine the rest."""
    try:
        async for finding in findings:
            yield finding
    except StoreError as error:
        yield build_finding(str(error))
    except (ValueError, TypeError, KeyError) as error:
        yield build_finding(f"{what} cannot be examined to the end: {error}")


async def _check_seats(store: Store) -> AsyncIterator[Finding]:
    for match in await store.get(Inspection).find_unseated_matches():
        yield build_finding(f"match {match}: nobody sits on one of its sides")


async def _check_matches(store: Store, now: int, gone: ReplayCounts) -> AsyncIterator[Finding]:
    async for each in replay_all(store):
        gone.matches += 1
        gone.events += each.version
        for finding in _check_match(each, now):
            yield finding


async def _check_ratings(store: Store, now: int) -> AsyncIterator[Finding]:
    found = await store.get(Ratings).find_wrong_ratings(
        RerateMatches.kind, lambda row: ratings.list_boards_to_rerate(row, now)
    )
    for key in found.keys:
        board = f"{key.scope}, {key.pool}"
        sentence = (
            f"the rating of {key.person} on the board {board} "
            "is not what their matches have made of it"
        )
        yield build_finding(sentence, BoardRerating(key.board))
    for match, limited in found.limits:
        sentence = (
            f"match {match}: the board {limited.scope}, {limited.pool} was rated without regard to "
            "the daily limit"
        )
        yield build_finding(sentence, BoardRerating(limited))


async def _check_ladders(store: Store) -> AsyncIterator[Finding]:
    for number in await store.get(Ladders).find_wrong_orders():
        sentence = f"ladder {number}: its order is not what its challenges have made of it"
        yield build_finding(sentence, LadderReplay(number))


def _check_match(each: ReplayReport, now: int) -> Iterator[Finding]:
    match = each.match
    if each.wrong:
        yield build_finding(f"match {match}: {each.wrong}")
    if each.restated:
        mend = RowRewrite(match, each.version, each.restated)
        yield build_finding(f"match {match}: its row does not say what its events come to", mend)
    for board in each.boards:
        where = f"the board {board.scope}, {board.pool}"
        yield build_finding(
            f"match {match}: what it did to {where} is not what its result comes to",
            BoardRerating(board),
        )
    for payload in each.missing:
        sentence = f"match {match}: it goes on, and no job “{payload.kind}” waits for it"
        yield build_finding(sentence, JobRequeue(each.guild, payload.build_job(now)))


async def _check_challenges(store: Store, now: int) -> AsyncIterator[Finding]:
    for number in await store.get(Challenges).load_all_open_numbers():
        try:
            challenge = await store.get(Challenges).load_challenge(number)
            if challenge is None:
                yield build_finding(f"challenge {number} is open, and nobody sits in it")
                continue
            find_game(challenge.game).resolve_rules(challenge.options)
            parse_pace(challenge.pace)
        except Refusal as refusal:
            yield build_finding(f"challenge {number}: {explain_refusal(Reader.ENGLISH, refusal)}")
        except (ValueError, TypeError, AttributeError) as error:
            yield build_finding(f"challenge {number}: what is stored of it cannot be read: {error}")
    for number, guild in await store.get(Challenges).find_without_job(LapseChallenge.kind):
        mend = JobRequeue(guild, LapseChallenge(number).build_job(now))
        yield build_finding(f"challenge {number} is open, and no job waits to close it", mend)


async def _check_servers(store: Store) -> AsyncIterator[Finding]:
    for guild in await store.servers.load_configured():
        try:
            chosen = await store.servers.load_settings(guild)
            parse_pace(chosen.pace)
            numbers = (*chosen.channels, *chosen.quiet)
        except (ValueError, TypeError) as error:
            yield build_finding(f"the settings of server {guild} cannot be read: {error}")
            continue
        if not all(isinstance(number, int) for number in numbers):
            yield build_finding(
                f"the settings of server {guild} name channels or hours that are none"
            )


async def _check_jobs(store: Store, now: int, *, running: bool) -> AsyncIterator[Finding]:
    known: list[QueuedJob] = []
    unreadable = await store.jobs.find_unreadable()
    seen: set[tuple[str, str]] = set()
    # Of several that do the same the one with the usual key stays, and of those the newest.
    for job in sorted(await store.jobs.load_all(), key=_get_sort_key):
        # `7` and `007` name one match, but the database takes them for two keys.
        same = job.kind, _normalise_key(job.key)
        if wrong := "there twice" if same in seen else _find_malformation(job, unreadable):
            yield build_finding(f"{_format_job(job)} is {wrong}", JobDeletion(job))
            continue
        seen.add(same)
        # In front, since the newest come first here and the oldest are reported first.
        known.insert(0, job)
    missing = await _find_missing_subjects(store, known)
    for job in known:
        if _find_subject(job) in missing:
            yield build_finding(f"{_format_job(job)} is about what is not there", JobDeletion(job))
            continue
        for finding in _check_job(job, now, running=running):
            yield finding


async def _find_missing_subjects(
    store: Store, jobs: Sequence[QueuedJob]
) -> set[tuple[Subject, int]]:
    """Return what jobs are about that should be in the database, and is not there."""
    missing: set[tuple[Subject, int]] = set()
    for about, find_existing in (
        (Subject.MATCH, store.get(Inspection).find_existing_matches),
        (Subject.CHALLENGE, store.get(Challenges).find_existing),
        (Subject.CONTEST, store.get(Contests).find_existing),
        (Subject.LADDER, store.get(Ladders).find_existing),
    ):
        numbers = {number for subject, number in map(_find_subject, jobs) if subject is about}
        missing |= {(about, number) for number in numbers - await find_existing(numbers)}
    return missing


def _find_subject(job: QueuedJob) -> tuple[Subject, int]:
    return load_job_kinds()[job.kind].find_subject(job)


def _normalise_key(key: str) -> str:
    return _LEADING_ZEROS.sub("", key)


def _get_sort_key(job: QueuedJob) -> tuple[bool, int]:
    return job.key != _normalise_key(job.key), -job.id


def _find_malformation(job: QueuedJob, unreadable: Collection[int]) -> str | None:
    """Return what is wrong with a job in itself; None if this program can do it."""
    # First, as without its kind nothing says how its key and detail are read.
    if job.kind not in load_job_kinds():
        return "of a kind that this program does not know"
    if job.id in unreadable:
        return "malformed: its detail is no object in JSON"
    try:
        _find_subject(job)
    except MalformedJobError as error:
        return f"malformed: {error}"
    return None


def _check_job(job: QueuedJob, now: int, *, running: bool) -> Iterator[Finding]:
    try:
        load_job_kinds()[job.kind].load(job)
    except MalformedJobError as error:
        yield build_finding(f"{_format_job(job)} is malformed: {error}", JobDeletion(job))
        return
    if job.given_up is not None:
        again = JobRequeue(job.guild, replace(job, due=now))
        yield build_finding(
            f"{_format_job(job)} was given up on {_format_instant(job.given_up)}: {job.error}",
            again,
        )
    elif job.tries >= MANY_TRIES:
        yield build_finding(
            f"{_format_job(job)} has failed {job.tries} times, "
            f"the last time by {job.error}; it is tried on"
        )
    # While no program runs, a job that is overdue is nothing to report.
    elif running and job.due < now - OVERDUE_MS:
        yield build_finding(
            f"{_format_job(job)} is due since {_format_instant(job.due)}, "
            "and the bot, which runs, does not do it"
        )


def _format_job(job: QueuedJob) -> str:
    return f"the job “{job.kind} {job.key}”"


def _format_instant(instant: int) -> str:
    return f"{datetime.fromtimestamp(instant / 1000, UTC):%Y-%m-%d %H:%M} UTC"
